// Copies leave the page: moves in either notation, pictures, and the page in a frame.
import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { copied, giveRook, inAddress, KHON, look, move, open, ROOKS, square, verdict } from "./helpers.ts";

test("moves are copied in the notation that is shown, a PGN in Latin letters", async ({ page }) => {
    await open(page, ROOKS);
    await giveRook(page);
    expect(await copied(page, "Copy moves")).toBe("1... Rb2 2. Rxb2");
    await look(page, "Thai notation");
    expect(await copied(page, "Copy moves")).toBe("๑... รข๒ ๒. รxข๒");
    expect(await copied(page, "Copy PGN")).toContain("1... Rb2 2. Rxb2 *");
    // A mistake has its mark, and a variation its parentheses.
    await look(page, "Thai notation");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect(page.locator(".moves h2")).toHaveText("Black’s moves");
    await page.locator(".move", { has: page.locator(".san", { hasText: /^Kg7$/ }) }).click();
    await expect(verdict(page)).toContainText("gave the draw away");
    expect(await copied(page, "Copy moves")).toBe("1... Rb2 (1... Kg7??) 2. Rxb2");
});

test("the board is shared as a picture, or saved where nothing takes it", async ({ page }) => {
    await open(page, KHON);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Share as a picture" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe("makruk.png");
    const png = await readFile(await download.path());
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    // Width and height, in bytes 16 to 23, are those of the drawing twice.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1000, 1068]);
    // The men are on it: a picture of an empty board is smaller.
    expect(png.length).toBeGreaterThan(10_000);
    await page.evaluate(() => {
        const shared: string[] = [];
        Object.assign(window, { shared });
        Object.assign(navigator, {
            canShare: () => true,
            share: async ({ files, text }: { files: File[]; text: string }) => {
                shared.push(files[0]!.type, text);
            },
        });
    });
    await page.getByRole("button", { name: "Share as a picture" }).click();
    await expect
        .poll(() => page.evaluate(() => (window as unknown as { shared: string[] }).shared[0]))
        .toBe("image/png");
});

test("the page in a frame shows board, verdict and moves", async ({ page }) => {
    await page.goto(`/?embed&fen=${KHON.replaceAll(" ", "_")}`);
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await expect(verdict(page)).toBeVisible();
    await expect(page.locator("header")).toBeHidden();
    await expect(page.locator(".position-text")).toBeHidden();
    await move(page, "Re1").click();
    await expect(page.locator(".moves h2")).toHaveText("Black’s moves");
    await expect(page).toHaveURL(/\?embed&fen=/);
    await expect(square(page, "e1")).toHaveAttribute("data-man", "R");
    await page.goto(inAddress(KHON));
    await expect(page.locator("header")).toBeVisible();
});

test("every verdict is seen in a frame, that of a draw by the count too", async ({ page }) => {
    for (const [fen, head] of [
        [KHON, "White wins"],
        [ROOKS, "Draw by the count"],
        ["8/6k1/8/8/8/8/2K5/R7 w - 32 23 1", "Draw by the count"],
        ["8/6k1/8/8/8/8/2K5/R7 b - 32 33 1", "Draw: the count has run out"],
        ["8/8/8/4k3/8/8/2K5/8 w - - 0 1", "Draw"],
    ] as const) {
        await page.goto(`/?embed&fen=${fen.replaceAll(" ", "_")}`);
        const card = verdict(page);
        await expect(card.locator("h2")).toHaveText(head);
        await expect(card).toBeVisible();
        await expect(card.locator("h2")).toBeVisible();
        // The count's own card is not a part of the frame.
        await expect(page.locator("section.count:not(.verdict)")).toBeHidden();
    }
    // No strip is left free for a scrollbar.
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollbarGutter)).toBe("auto");
});

test("moves of a draw by the count carry no tag that the verdict says already", async ({ page }) => {
    await open(page, "8/6k1/8/8/8/8/2K5/R7 w - 32 23 1");
    await expect(page.locator(".heap.drawn .move").first()).toBeVisible();
    await expect(page.locator(".heap.drawn .tag.cursed")).toHaveCount(0);
    // Among the moves of a win they say what is lost by them.
    await open(page, KHON);
    await expect(page.locator(".heap.drawn .tag.cursed").first()).toBeVisible();
});
