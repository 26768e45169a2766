import { devices, expect, test } from "@playwright/test";
import { check, COUNTED, fenOf, inAddress, KHON, look, open, ROOKS, speak, square, verdict } from "./helpers.ts";

/** Every view, and the parts that are opened in one. */
const VIEWS: [string, string[]][] = [
    ["/", ["Help", "Paste a game or position…"]],
    [inAddress(ROOKS), ["Set up", "Running"]],
    [inAddress(COUNTED), []],
    ["/?materials&men=4", []],
    ["/?material=KRvKS", []],
    ["/?find&in=KRvKS", ["Where men stand"]],
    ["/?find&in=KRvKS&kind=wins", []],
    ["/?train", []],
    ["/?train=rook", []],
    ["/?thumb", []],
];

test("axe finds nothing in any view, and every button's name has what it shows", async ({ page }) => {
    test.slow();
    for (const [view, parts] of VIEWS) {
        await page.emulateMedia({ colorScheme: "light" });
        await page.goto(view);
        await expect(page.locator("header nav")).toBeVisible();
        await page.waitForLoadState("networkidle");
        for (const part of parts) {
            await page
                .getByRole("button", { name: part })
                .or(page.getByText(part, { exact: true }))
                .first()
                .click();
            if (await page.locator("dialog[open]").isVisible()) {
                await check(page);
                await page.keyboard.press("Escape");
            }
        }
        await check(page);
        await check(page, "label-content-name-mismatch");
        // In the dark mode only the colours differ.
        await page.emulateMedia({ colorScheme: "dark" });
        await check(page, "color-contrast");
    }
});

test("everything can be done from the keyboard", async ({ page }) => {
    await open(page, ROOKS);
    // On the board: to the rook, lift it, to b2, put it down.
    await square(page, "e1").focus();
    for (const key of ["ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await expect(square(page, "h2")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(square(page, "h2")).toHaveAttribute("aria-selected", "true");
    for (let step = 0; step < 6; step++) await page.keyboard.press("ArrowLeft");
    await expect(square(page, "b2")).toHaveAttribute("aria-label", "b2, can be reached");
    await page.keyboard.press("Enter");
    await expect.poll(() => fenOf(page)).toContain("1r6/8 w");
    await expect(square(page, "b2")).toBeFocused();
    // Setting up: letters place men, Delete takes them away.
    await page.locator("body").evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("e");
    await square(page, "b2").focus();
    await page.keyboard.press("Delete");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("m");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+N");
    await expect.poll(() => fenOf(page)).toBe("1K6/8/5k2/8/1R6/1mN1R3/8/8 w - - 0 2");
    // The list of moves: Tab and Enter.
    await open(page, KHON);
    await page.locator(".move").first().focus();
    await page.keyboard.press("Enter");
    await expect(page.locator(".line .step")).toHaveCount(1);
});

test("taps play on a phone", async ({ browser }) => {
    const phone = await browser.newContext({ ...devices["Pixel 5"], locale: "en-GB" });
    const page = await phone.newPage();
    await open(page, ROOKS);
    await square(page, "h2").tap();
    await square(page, "b2").tap();
    await expect.poll(() => fenOf(page)).toContain("1r6/8 w");
    await page.getByRole("button", { name: "Play the best move" }).tap();
    await expect(page.locator(".line .step")).toHaveText(["Rb2", /./]);
    await phone.close();
});

test("it speaks Thai and French, and remembers", async ({ page }) => {
    await open(page, ROOKS);
    await speak(page, "th");
    await expect(verdict(page).locator("h2")).toHaveText("เสมอเพราะการนับ");
    await expect(page.locator("html")).toHaveAttribute("lang", "th");
    await page.reload();
    await expect(verdict(page).locator("h2")).toHaveText("เสมอเพราะการนับ");
    await speak(page, "fr");
    await expect(verdict(page).locator("h2")).toHaveText("Nulle par le compte");
});

test("light, dark and letters are remembered", async ({ page }) => {
    await open(page, ROOKS);
    await look(page, "Dark");
    await look(page, "Letters on the men");
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(square(page, "b8").locator(".letter")).toBeVisible();
});

test("a screen reader hears the move and the verdict, and the board and its tools have names of their own", async ({
    page,
}) => {
    await open(page, ROOKS);
    await square(page, "h2").click();
    await square(page, "b2").click();
    await expect(page.locator('.explorer > [role="status"]')).toHaveText("Rb2. Draw by the count");
    await expect(verdict(page)).not.toHaveAttribute("aria-live");
    await expect(page.getByRole("grid", { name: "Board", exact: true })).toBeVisible();
    await expect(page.getByRole("toolbar", { name: "Board tools" })).toBeVisible();
});

test("moves, squares and letters are read in Thai notation, which is remembered", async ({ page }) => {
    await open(page, ROOKS);
    await look(page, "Thai notation");
    await expect(page.locator(".heap.drawn .san")).toHaveText(["รข๒"]);
    await expect(page.locator(".heap.drawn .why")).toContainText("รxข๒");
    await look(page, "Letters on the men");
    await expect(square(page, "h2").locator(".letter text")).toHaveText("ร");
    await expect(square(page, "a1")).toHaveAttribute("aria-label", "ก๑");
    await page.locator(".heap.drawn .move").click();
    await expect(page.locator(".line .step")).toHaveText(["รข๒"]);
    await page.reload();
    await expect(page.locator(".line .step")).toHaveText(["รข๒"]);
});

test("on a large screen the board grows", async ({ page }) => {
    await page.setViewportSize({ width: 3840, height: 2160 });
    await open(page, ROOKS);
    expect((await page.locator(".board").boundingBox())!.width).toBeGreaterThan(900);
});
