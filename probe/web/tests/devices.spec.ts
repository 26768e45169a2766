// Browsers and screens of other kinds: older ones, forced colours, paper, laptops, phones on their side.
import { expect, test, type Page } from "@playwright/test";
import { check, drag, fenOf, KHON, move, open, ROOKS, square, verdict } from "./helpers.ts";

test("browsers of 2022 do without what is younger", async ({ page }) => {
    await page.addInitScript(() => {
        const gone: [object, string][] = [
            [AbortSignal, "any"],
            [AbortSignal, "timeout"],
            [AbortSignal.prototype, "throwIfAborted"],
            [Array.prototype, "at"],
            [Array.prototype, "toSorted"],
            [Object, "groupBy"],
            [window, "structuredClone"],
            [HTMLDialogElement.prototype, "showModal"],
            [HTMLDialogElement.prototype, "close"],
            [Element.prototype, "animate"],
        ];
        for (const [of, name] of gone) delete (of as Record<string, unknown>)[name];
    });
    await open(page, KHON);
    await move(page, "Re1").click();
    await expect(page.locator(".moves h2")).toHaveText("Black’s moves");
    await expect(page.locator("#banner")).toBeHidden();
    await page.getByRole("button", { name: "Help" }).click();
    await expect(page.getByRole("heading", { name: "How this works" })).toBeVisible();
    await page.locator("dialog").getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("heading", { name: "How this works" })).toBeHidden();
    const style = await (await page.request.get("/page.css")).text();
    expect(style).not.toMatch(/light-dark\(|@media[^{]*[<>]|:has\(/);
    const script = await (await page.request.get("/page.js")).text();
    expect(script).not.toMatch(/\(\?<[=!]/);
});

/** Whether two neighbours look different. */
async function differ(page: Page, one: string, other: string): Promise<boolean> {
    const look = (selector: string) =>
        page
            .locator(selector)
            .first()
            .evaluate((element) => {
                const { backgroundColor, color, outlineStyle } = getComputedStyle(element);
                return [backgroundColor, color, outlineStyle].join(" ");
            });
    return (await look(one)) !== (await look(other));
}

test("with forced colours and on paper one sees what is chosen", async ({ page }) => {
    await open(page, KHON);
    await page.emulateMedia({ forcedColors: "active" });
    expect(await differ(page, ".switch input:checked + label", ".switch input:not(:checked) + label")).toBe(true);
    await page.emulateMedia({ forcedColors: "none", media: "print" });
    const ruling = page.locator(".ruling");
    await expect(ruling).toBeVisible();
    await expect(ruling).toContainText(KHON);
    await expect(ruling).toContainText("White wins");
    await expect(ruling).toContainText("Not running");
    await expect(page.locator(".toolbar")).toBeHidden();
});

test("on a laptop the men to place and the board are seen together", async ({ page }) => {
    await page.setViewportSize({ width: 1366, height: 768 });
    await open(page, KHON);
    await page.keyboard.press("e");
    for (const part of [page.locator(".board"), page.locator(".palette"), verdict(page).locator("h2")]) {
        await expect(part).toBeInViewport({ ratio: 1 });
    }
    await drag(page, page.getByRole("button", { name: "White met" }), square(page, "b8"));
    await expect.poll(() => fenOf(page)).toContain("1M6/8/");
});

test("a phone on its side has words beside the board", async ({ page }) => {
    await page.setViewportSize({ width: 740, height: 360 });
    await open(page, ROOKS);
    const [board, words] = [await page.locator(".board").boundingBox(), await verdict(page).boundingBox()];
    expect(words!.x).toBeGreaterThan(board!.x + board!.width);
    // All eight ranks are on the screen, below the header.
    expect(board!.y + board!.height).toBeLessThanOrEqual(360);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(740);
});

test("a pressed button under the pointer can be read", async ({ page }) => {
    await open(page, KHON);
    await page.locator(".toggle.look").click();
    const letters = page.getByRole("button", { name: "Letters on the men" });
    await letters.click();
    await expect(letters).toHaveAttribute("aria-pressed", "true");
    await letters.hover();
    await check(page, "color-contrast");
});
