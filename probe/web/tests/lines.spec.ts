// Lines: variations, the browser's Back, reloads, and links that carry them.
import { expect, test } from "@playwright/test";
import { copied, drag, fenOf, KHON, move, open, paste, ROOKS, speak, square, verdict } from "./helpers.ts";

test("another move is a variation, and nothing is lost", async ({ page }) => {
    await open(page, KHON);
    await page.getByRole("button", { name: "Play out the best line" }).click();
    await expect(page.locator(".line-end")).toBeVisible();
    const long = await page.locator(".line .step").count();
    expect(long).toBeGreaterThan(10);
    await move(page, "Ra2").click();
    await expect(page.locator(".variation .step")).toHaveText(["Ra2?!"]);
    expect(await page.locator(".line .step").count()).toBe(long + 1);
    await page.getByRole("button", { name: "Make this the main line" }).click();
    await expect(page.locator(".line .step").first()).toHaveText("Ra2?!");
    await page.getByRole("button", { name: "Remove this move" }).click();
    await expect(page.locator(".line .step")).toHaveCount(long);
    await expect(page.locator(".variation")).toHaveCount(0);
});

test("a deviation from a game stays beside it, and both are written as a PGN", async ({ page }) => {
    await open(page, KHON);
    await paste(page, `[FEN "${KHON}"]\n1. Re1 Kf2 2. Rh1 Kf3 *`);
    await expect(page.locator(".line .step")).toHaveCount(4);
    await move(page, "Rxe3+").click();
    await expect(page.locator(".line .step")).toHaveCount(5);
    const pgn = await copied(page, "Copy PGN");
    expect(pgn).toContain("1. Re1 (1. Rxe3+ $4 {Re1 is best}) 1... Kf2 2. Rh1");
    const answer = await page.request.post("/v1/analyse", { data: { pgn } });
    expect((await answer.json()).games[0].positions).toHaveLength(5);
});

test("Back takes a move back, forward brings it again, a reload keeps line and game", async ({ page }) => {
    await open(page, ROOKS);
    await drag(page, square(page, "h2"), square(page, "b2"));
    await expect(page.locator(".line .step")).toHaveText(["Rb2"]);
    await expect(verdict(page).locator("h2")).toBeVisible();
    await move(page, "Rxb2").click();
    await expect(page.locator(".line .step")).toHaveText(["Rb2", "Rxb2"]);
    await page.goBack();
    await expect(page.locator(".step[aria-current]")).toHaveText("Rb2");
    await expect(page.locator(".line .step")).toHaveCount(2);
    await page.goBack();
    await expect.poll(() => fenOf(page)).toBe(ROOKS);
    await page.goForward();
    await page.goForward();
    await expect(page.locator(".step[aria-current]")).toHaveText("Rxb2");
    await page.reload();
    await expect(page.locator(".line .step")).toHaveText(["Rb2", "Rxb2"]);
    await expect(page.locator(".step[aria-current]")).toHaveText("Rxb2");
    // Any walk through a line is one entry.
    await page.keyboard.press("Home");
    await expect.poll(() => fenOf(page)).toBe(ROOKS);
    await page.keyboard.press("ArrowRight");
    await expect(page.locator(".step[aria-current]")).toHaveText("Rb2");
    await page.goBack();
    await expect(page.locator(".step[aria-current]")).toHaveText("Rxb2");
    // A game.
    await page.getByRole("button", { name: "Paste a game or position…" }).click();
    await page.getByRole("button", { name: "A game with mistakes" }).click();
    await expect(page.locator(".line .step")).toHaveCount(14);
    await expect(page.locator(".game")).toContainText("White gave away 1 win");
    await page.reload();
    await expect(page.locator(".line .step")).toHaveCount(14);
    await expect(page.locator(".game")).toContainText("15 of 15 positions are in the tables.");
    await page.goBack();
    await expect(page.locator(".line .step")).toHaveText(["Rb2", "Rxb2"]);
});

test("a link carries the line, the place in it, the way the board lies and the language", async ({ page }) => {
    await open(page, ROOKS);
    await move(page, "Rb2").click();
    await move(page, "Rxb2").click();
    await expect(page.locator(".line .step")).toHaveCount(2);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("f");
    await speak(page, "fr");
    const link = await copied(page, "Copier le lien");
    const other = await (await page.context().browser()!.newContext({ locale: "en-GB" })).newPage();
    await other.goto(link);
    await expect(other.locator(".line .step")).toHaveText(["Rb2", "Rxb2"]);
    await expect(other.locator(".step[aria-current]")).toHaveText("Rb2");
    await expect(other.locator("html")).toHaveAttribute("lang", "fr");
    await expect(other.locator(".cell").first()).toHaveAttribute("data-square", "h1");
    await other.context().close();
});

test("the third time draws the game", async ({ page }) => {
    await open(page, KHON);
    await paste(page, `[FEN "${KHON}"]\n1. Re1 Kf2 2. Re2+ Kg3 3. Re1 Kf2 4. Re2+ Kg3 *`);
    await expect(page.locator(".line .step")).toHaveCount(8);
    await page.keyboard.press("End");
    await expect(verdict(page)).toContainText("the 3rd occurrence of this position: the game is drawn");
});
