// Links and tabs as the web has them, and what two tabs keep.
import { writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { inAddress, KHON, move, open, pasteHere, unfold, verdict } from "./helpers.ts";

test("a key asks for another tab: in the header, the ways in, the lessons and the small boards", async ({
    page,
    context,
}) => {
    const elsewhere = async (name: string, what = page.getByRole("link", { name, exact: true }).first()) => {
        const here = page.url();
        const [tab] = await Promise.all([context.waitForEvent("page"), what.click({ modifiers: ["ControlOrMeta"] })]);
        expect(page.url()).toBe(here);
        await tab.waitForURL((url) => url.protocol !== "about:");
        const { search } = new URL(tab.url());
        await tab.close();
        return search;
    };
    await page.goto("/");
    await expect(move(page, "Rb2")).toBeVisible();
    expect(await elsewhere("Endings")).toBe("?materials");
    expect(await elsewhere("", page.locator(".way").nth(2))).toBe("?train");
    await page.goto("/?train");
    await unfold(page);
    expect(await elsewhere("", page.locator(".lesson").nth(1))).toBe("?train=edge");
    await page.goto("/?material=KRvKS");
    await expect(page.locator(".saves .miniature").first()).toBeVisible();
    expect(await elsewhere("", page.locator(".saves .miniature").first())).toMatch(/^\?train&task=.*&goal=save&as=/);
    await expect(page.locator(".miniatures").first().locator("a").first()).toHaveAttribute("href", /^\/\?fen=/);
});

test("two tabs of the trainer lose nothing", async ({ page, context }) => {
    const other = await context.newPage();
    await page.goto("/?train=edge");
    await other.goto("/?train=rooksNet");
    for (const tab of [page, other]) {
        await expect(tab.locator(".ring .goal")).toBeVisible();
        await expect(tab.getByRole("button", { name: "Give up" })).toBeEnabled();
    }
    for (const tab of [page, other]) {
        await tab.getByRole("button", { name: "Give up" }).click();
        await expect(tab.locator(".told.ill")).toBeVisible();
    }
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("makruk-training") ?? "[]"));
    expect((kept as { key: string }[]).map(({ key }) => key).sort()).toEqual(["lesson edge", "lesson rooksNet"]);
});

test("what the library refuses has no count, on the page and on paper", async ({ page }) => {
    for (const fen of [
        "8/6k1/8/8/8/8/2K5/R7 w 16 4 60",
        "8/6k1/8/8/8/8/2K5/R7 w - 32 x 1",
        "8/6k1/8/8/8/8/2K5/RRR5 w - 16 9 1",
    ]) {
        await page.goto(inAddress(fen));
        await expect(verdict(page).locator("h2")).toHaveText(/not a valid FEN|not possible|cannot be/);
        await expect(page.locator("section.count")).toBeHidden();
        await expect(page.locator(".ruling")).not.toContainText(/have run out|has counted|Call out/);
    }
    // The next position that can be read has its count.
    await open(page, KHON);
    await expect(page.locator("section.count")).toBeVisible();
});

test("a name without a space stays within its card, on a phone, in the list and on paper", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    await open(page, KHON);
    const site = `https://www.playok.com/th/makruk/#${"0123456789".repeat(40)}`;
    const game = `[Site "${site}"]\n[Event "${site}"]\n[FEN "${KHON}"]\n1. Re1 *`;
    await pasteHere(page, game);
    await expect(page.locator(".game .about")).toContainText("playok");
    expect(await wide()).toBeLessThanOrEqual(390);
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 700, height: 900 });
    expect(await wide()).toBeLessThanOrEqual(700);
    await page.emulateMedia({ media: "screen" });
    await pasteHere(page, `${game}\n\n${game}`);
    await expect(page.locator(".game-list button")).toHaveCount(2);
    const list = page.locator(".game-list");
    expect(await list.evaluate((list) => list.scrollWidth - list.clientWidth)).toBeLessThanOrEqual(0);
});

test("a sheet is printed dark on white, also in the dark", async ({ page }) => {
    for (const scheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme: scheme, media: "screen" });
        await open(page, KHON);
        await page.emulateMedia({ media: "print" });
        if (scheme === "light") await page.evaluate(() => (document.documentElement.dataset["theme"] = "dark"));
        const light = (what: string, property: "color" | "backgroundColor") =>
            page
                .locator(what)
                .first()
                .evaluate((element, property) => {
                    const [r, g, b] = getComputedStyle(element)[property].match(/\d+/g)!.map(Number);
                    return (r! + g! + b!) / 765;
                }, property);
        for (const what of [".ruling dt", ".ruling dd", "h2"]) expect(await light(what, "color")).toBeLessThan(0.3);
        const muted = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--muted"));
        expect(muted.trim()).toBe("#6b5a48");
    }
});

test("a club’s file of 5 MB and 3,000 games lists at once, and the game that is chosen is read", async ({
    page,
}, info) => {
    await open(page, KHON);
    const moves = "1. Re1 Kf2 2. Rb1 Kf3 3. Kb2 Ke2 4. Kc3 Sf4 5. Rb2+ Kf3 6. Kd4 Kg3 7. Rf2 Kxf2 ";
    const file = Array.from(
        { length: 3000 },
        (_, at) =>
            `[Event "Club"]\n[White "Anan ${at}"]\n[Black "Boon"]\n[Result "1/2-1/2"]\n[FEN "${KHON}"]\n\n` +
            `{ ${"A note. ".repeat(190)}\n[not a tag] }\n${moves}1/2-1/2\n`,
    ).join("\n");
    expect(file.length).toBeGreaterThan(5_000_000);
    await page.evaluate(() => {
        Object.assign(window, { longest: 0 });
        new PerformanceObserver((list) => {
            for (const { duration } of list.getEntries())
                Object.assign(window, {
                    longest: Math.max(duration, (window as unknown as { longest: number }).longest),
                });
        }).observe({ type: "longtask" });
    });
    let asked = 0;
    page.on("request", (request) => void (request.url().includes("/v1/analyse") && (asked += 1)));
    await page.getByRole("button", { name: "Paste a game or position…" }).click();
    // From the disk: a file out of memory would be decoded within the page.
    writeFileSync(info.outputPath("club.pgn"), file);
    await page.locator("#paste-file").setInputFiles(info.outputPath("club.pgn"));
    const games = page.locator(".game-list button");
    await expect(games).toHaveCount(3000);
    await expect(games.nth(2999)).toHaveText("3000. Anan 2999 – Boon, Club, 1/2-1/2");
    expect(asked).toBe(0);
    expect(await page.evaluate(() => (window as unknown as { longest: number }).longest)).toBeLessThan(100);
    await games.nth(1234).click();
    await expect(page.locator(".game .about")).toContainText("Anan 1234 – Boon");
    expect(asked).toBe(1);
});

test("positions as other programs write them are read, and a bad one is asked for once", async ({ page }) => {
    for (const text of [`setboard ${KHON}`, KHON.replaceAll("/", "／"), `[FEN "${KHON}"]`]) {
        await open(page, "8/8/8/8/3k4/8/8/R3K3 w - - 0 1");
        await pasteHere(page, text);
        await expect(move(page, "Re1")).toBeVisible();
    }
    await open(page, "8/8/8/8/3k4/8/8/R3K3 w - - 0 1");
    await pasteHere(page, `position fen ${KHON} moves e2e1`);
    await expect(page.locator(".game")).toBeVisible();
    await pasteHere(page, "https://example.com/");
    await expect(page.locator("#paste-problem")).toHaveText("There is no game in this text.");
    await page.keyboard.press("Escape");
    let asked = 0;
    page.on("request", (request) => void (request.url().includes("/v1/explore") && (asked += 1)));
    await pasteHere(page, "8/8/8/xx w");
    await expect(page.locator("#paste-problem")).toContainText("Rank 5");
    await page.waitForTimeout(300);
    expect(asked).toBe(1);
});

test("text that no ending is has no men drawn", async ({ page }) => {
    await page.goto("/?material=rubbish");
    await expect(page.locator(".problem-text")).toBeVisible();
    await expect(page.locator("h1 .man")).toHaveCount(0);
});

test("when a lesson is over the keyboard is where it goes on, not on the board", async ({ page }) => {
    await page.goto("/?train=take");
    await expect(page.locator(".told")).toContainText("White to move");
    await page.locator('.ring [data-square="b6"]').focus();
    await page.getByRole("button", { name: "Give up" }).evaluate((button: HTMLElement) => button.click());
    await expect(page.locator(".told.ill")).toBeVisible();
    await expect(page.locator(".bout .primary").first()).toBeFocused();
});
