import { expect, test } from "@playwright/test";
import { COUNTED, drag, fenOf, inAddress, KHON, move, open, ROOKS, square, verdict } from "./helpers.ts";

test("a position is set up by dragging, tapping and the palette", async ({ page }) => {
    await open(page, KHON);
    await page.getByText("Set up", { exact: true }).click();
    await page.getByRole("button", { name: "Kings only" }).click();
    await expect.poll(() => fenOf(page)).toBe("8/8/8/8/8/6k1/8/K7 w - - 0 1");
    await expect(verdict(page)).toContainText("Neither side can mate");
    // From the palette by drag, then by tap.
    await drag(page, page.getByRole("button", { name: "White rook" }), square(page, "h1"));
    await expect.poll(() => fenOf(page)).toBe("8/8/8/8/8/6k1/8/K6R w - - 0 1");
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await page.getByRole("button", { name: "Black khon" }).click();
    await square(page, "d5").click();
    await page.getByRole("button", { name: "Black khon" }).click();
    await drag(page, square(page, "d5"), square(page, "e3"));
    await expect.poll(() => fenOf(page)).toBe("8/8/8/8/8/4s1k1/8/K6R w - - 0 1");
    // Dragged off the board it is removed, and Back restores it.
    await drag(page, square(page, "e3"), page.locator("header .brand"));
    await expect.poll(() => fenOf(page)).toBe("8/8/8/8/8/6k1/8/K6R w - - 0 1");
    await page.getByRole("button", { name: "Back" }).click();
    await expect(square(page, "e3")).toHaveAttribute("aria-label", "e3, Black khon");
    await page.getByText("Black", { exact: true }).click();
    await expect.poll(() => fenOf(page)).toContain(" b ");
});

test("a board that cannot be says why, in words", async ({ page }) => {
    await page.goto(inAddress("8/8/8/8/8/8/Kk6/8 w - - 0 1"));
    await expect(verdict(page)).toContainText("The kings touch.");
    await page.goto(inAddress("8/8/8/8/8/6k1/6R1/K7 w - - 0 1"));
    await expect(verdict(page)).toContainText("Black is in check, but it is not Black’s move.");
    await page.getByText("Black", { exact: true }).click();
    await expect(verdict(page).locator("h2")).not.toHaveText("This cannot be a position");
});

test("moves are played by tap, drag and from the list, and the arrows go back and forth", async ({ page }) => {
    await open(page, ROOKS);
    await expect(verdict(page).locator("h2")).toHaveText("Draw by the count");
    await expect(page.locator(".heap.drawn .san")).toHaveText(["Rb2"]);
    await expect(page.locator(".heap.drawn .tag.sacrifice")).toBeVisible();
    await expect(page.locator(".heap.drawn .why")).toContainText(
        "After Rxb2 the limit is 8 moves, less the 4 men on the board: 8 − 4 = 4. White needs 5 moves to mate.",
    );
    await expect(page.locator(".heap.loss .move")).toHaveCount(18);
    await expect(move(page, "Kf5")).toContainText("loses in 19");
    // A man that is not to move shows a hint.
    await square(page, "e3").click();
    await expect(page.getByText("It is Black’s move. To put men anywhere, choose Set up.")).toBeVisible();
    await square(page, "h2").click();
    await expect(page.locator(".cell.target")).toHaveCount(14);
    await square(page, "b2").click();
    await expect.poll(() => fenOf(page)).toBe("1K6/8/5k2/8/1R6/4R3/1r6/8 w - - 0 2");
    // A man can be dragged as soon as the answer for the position is here.
    await expect(move(page, "Rxb2")).toBeVisible();
    await drag(page, square(page, "b4"), square(page, "b2"));
    await expect.poll(() => fenOf(page)).toBe("1K6/8/5k2/8/8/4R3/1R6/8 b - 16 8 2");
    await expect(verdict(page)).toContainText(
        "Black has counted 4 of 8 moves; White has 4 left and needs 5 moves to mate.",
    );
    await expect(page.locator(".count-sentence")).toHaveText("Black has counted 4 of 8");
    await expect(move(page, "Kg6")).toContainText("mate in 4");
    await expect(move(page, "Kg6")).toContainText("4 moves left");
    await expect(page.locator(".line .step")).toHaveText(["Rb2", "Rxb2"]);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => fenOf(page)).toBe(ROOKS);
    await page.keyboard.press("End");
    await expect.poll(() => fenOf(page)).toContain(" 16 8 2");
    // Space plays the best move.
    await page.keyboard.press("Space");
    await expect(page.locator(".line .step")).toHaveCount(3);
});

test("a move that throws something away is told", async ({ page }) => {
    await open(page, ROOKS);
    await move(page, "Kf5").click();
    await expect(page.locator(".mistake")).toHaveText("Kf5 gave the draw away: Rb2 holds.");
    await open(page, KHON);
    await move(page, "Rxe3+").click();
    await expect(page.locator(".mistake")).toContainText("gave the win away");
    await expect(verdict(page).locator("h2")).toHaveText("Draw by the count");
});

test("the line is played out and walked through", async ({ page }) => {
    await open(page, COUNTED);
    await page.getByRole("button", { name: "Play out the best line" }).click();
    await expect(page.locator(".line-end")).toHaveText("mate");
    await page.keyboard.press("End");
    await expect(verdict(page).locator("h2")).toHaveText("Checkmate: White has won");
    await expect(page.getByText("No legal move.")).toBeVisible();
});

test("the count's slider speaks of moves and writes the FEN", async ({ page }) => {
    await open(page, "8/8/8/8/3k4/8/8/R3K3 b - - 0 1");
    await expect(page.getByText("If Black begins to count now, White has 13 moves.")).toBeVisible();
    await page.getByText("Running", { exact: true }).click();
    await expect.poll(() => fenOf(page)).toContain(" b - 32 6 ");
    await expect(page.locator(".count-sentence")).toHaveText("Black has counted 3 of 16");
    const slider = page.getByRole("slider", { name: "Moves counted" });
    await slider.fill("12");
    await expect(page.locator(".count-sentence")).toHaveText("Black has counted 12 of 16");
    await expect.poll(() => fenOf(page)).toContain(" b - 32 24 ");
    await expect(page.locator(".count-effect")).toHaveText("White has 4 moves left");
    await expect(verdict(page).locator("h2")).toHaveText("Draw by the count");
    await slider.fill("17");
    await expect(verdict(page).locator("h2")).toHaveText("Draw: the count has run out");
    await page.getByRole("spinbutton", { name: "Moves counted" }).fill("3");
    await page.getByRole("spinbutton", { name: "Moves counted" }).press("Enter");
    await expect(page.locator(".count-sentence")).toHaveText("Black has counted 3 of 16");
    await page.getByText("Not running", { exact: true }).click();
    await expect.poll(() => fenOf(page)).toContain(" b - - 0 ");
});

test("every position has an address, count and all", async ({ page, context }) => {
    await open(page, COUNTED);
    await page.keyboard.press("Space");
    await expect(page.locator(".line .step")).toHaveCount(1);
    const fen = await fenOf(page);
    expect(fen).toContain(" b - 128 82 ");
    const address = page.url();
    const other = await context.newPage();
    await other.goto(address);
    await expect(other.locator("#fen")).toHaveValue(fen);
    // Short, and in other letters.
    await other.goto("/?fen=8/8/8/8/8/4b1k1/4R3/K7_w");
    await expect(other.locator("#fen")).toHaveValue(KHON);
    await other.goto(address);
    await expect(verdict(other).locator("h2")).toHaveText(await verdict(page).locator("h2").innerText());
});

test("mirrored, swapped and turned round, a position is worth the same", async ({ page }) => {
    await open(page, KHON);
    const body = await verdict(page).locator("p:not(.material)").first().innerText();
    await page.keyboard.press("e");
    await page.getByRole("button", { name: "Mirror left and right" }).click();
    await expect.poll(() => fenOf(page)).toBe("8/8/8/8/8/1k1s4/3R4/7K w - - 0 1");
    await expect(verdict(page).locator("p:not(.material)").first()).toHaveText(body);
    await page.getByRole("button", { name: "Swap colours" }).click();
    await expect.poll(() => fenOf(page)).toBe("7k/3r4/1K1S4/8/8/8/8/8 b - - 0 1");
    await expect(verdict(page).locator("h2")).toHaveText("Black wins");
    await page.getByRole("button", { name: "Turn the board round" }).click();
    await expect.poll(() => fenOf(page)).toBe("7k/3r4/1K1S4/8/8/8/8/8 b - - 0 1");
});

test("a table that is missing names the command, and the moves are still there", async ({ page }) => {
    await open(page, "8/8/8/8/3k4/8/8/RRN1K3 w - - 0 1");
    await expect(verdict(page)).toContainText("makruk-gen build KRRNvK");
    await expect(page.locator(".heap.unjudged .move").first()).toBeVisible();
    await page.locator(".heap.unjudged .move").first().click();
    await expect(page.locator(".line .step")).toHaveCount(1);
});
