// The count as an arbiter keeps it.
import { expect, test } from "@playwright/test";
import { fenOf, KHON, move, open, square, verdict } from "./helpers.ts";

const ROOK = "8/8/8/8/3k4/8/8/R3K3 b - - 0 1";

test("moves are typed, and what was counted stays when the other side is to move", async ({ page }) => {
    await open(page, ROOK);
    await page.getByText("Running", { exact: true }).click();
    await page.getByRole("spinbutton", { name: "Moves counted" }).fill("12");
    await page.getByRole("spinbutton", { name: "Moves counted" }).press("Enter");
    await expect(page.locator(".count-sentence")).toHaveText("Black has counted 12 of 16");
    await expect.poll(() => fenOf(page)).toContain(" b - 32 24 ");
    await page.locator(".toolbar").getByText("White", { exact: true }).click();
    await expect(page.locator(".count-sentence")).toHaveText("Black has counted 12 of 16");
    await expect.poll(() => fenOf(page)).toContain(" w - 32 23 ");
    const limit = page.getByRole("combobox", { name: "Limit in moves" });
    await limit.selectOption("22");
    await expect(page.locator(".count-sentence")).toHaveText("Black has counted 12 of 22");
    await limit.selectOption("16");
    await expect.poll(() => fenOf(page)).toContain(" w - 32 23 ");
    // The browser refuses an empty field and a number beyond the limit.
    for (const value of ["", "99"]) {
        await page.getByRole("spinbutton", { name: "Moves counted" }).fill(value);
        await page.getByRole("spinbutton", { name: "Moves counted" }).press("Enter");
        await expect(page.locator("#count-moves:invalid")).toBeVisible();
        expect(await fenOf(page)).toContain(" w - 32 23 ");
    }
    await expect(page.locator(".count-honour")).toContainText("Pieces’ honour, 16");
});

test("a man that comes and goes does not stop the count", async ({ page }) => {
    await open(page, "8/8/8/8/3k4/8/8/R3K3 b - 32 24 1");
    await page.keyboard.press("e");
    await square(page, "e3").focus();
    await page.keyboard.press("Shift+M");
    await expect.poll(() => fenOf(page)).toContain(" b - - 0 ");
    await page.keyboard.press("Delete");
    await expect.poll(() => fenOf(page)).toContain(" b - 32 24 ");
});

test("who counts is said where the men leave it open", async ({ page }) => {
    await open(page, KHON);
    await page.getByText("Running", { exact: true }).click();
    await expect(page.locator(".count-sentence")).toHaveText("Black has counted 1 of 64");
    await expect(page.locator(".count-honour")).toContainText("Board’s honour, 64");
    await page.locator(".count").getByText("White", { exact: true }).click();
    await expect(page.locator(".count-sentence")).toHaveText("White has counted 1 of 64");
    await expect(page.locator(".count-effect")).toContainText("White counts but is winning, and may stop.");
});

test("the winner’s own count does not stop the win, and is kept through Back and a reload", async ({ page }) => {
    await open(page, "8/8/8/8/8/4s1k1/4R3/K7 w - 128 129 90");
    await expect(verdict(page).locator("h2")).toHaveText("Draw: the count has run out");
    await page.locator(".count").getByText("White", { exact: true }).click();
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await expect(page.locator(".count-effect")).toContainText("This count is set aside");
    await expect(page.locator(".moves .move").first()).toContainText("left");
    await page.locator(".move").first().click();
    await expect(page.locator(".moves h2")).toHaveText("Black’s moves");
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await page.goBack();
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await page.reload();
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await page.locator(".count").getByText("Black", { exact: true }).click();
    await expect(verdict(page).locator("h2")).toHaveText("Draw: the count has run out");
});

test("the count is written as it is called out", async ({ page }) => {
    await open(page, "8/8/8/8/3k4/8/8/R3K3 w - 32 23 1");
    await expect(page.locator(".count .spoken")).toHaveText("“12!” The count goes to 16.");
    await page.emulateMedia({ media: "print" });
    await expect(page.locator(".ruling")).toContainText("Call out");
    await expect(page.locator(".ruling")).toContainText("“12!”");
});

test("a mate that comes after the count's end is a draw, and says why", async ({ page }) => {
    // As the rules have it: a mate counts if the one final move gave it.
    await page.route(/\/v1\/explore/, async (route) => {
        const answer = await route.fetch();
        const json = await answer.json();
        return route.fulfill({ response: answer, json: json.checkmate ? { ...json, category: "draw" } : json });
    });
    await open(page, "8/K7/8/7k/8/8/6RR/8 b - 16 18 7");
    await expect(verdict(page).locator("h2")).toHaveText("Draw: the count had run out");
    await expect(verdict(page)).toContainText("Black is mated, but too late");
    await expect(verdict(page)).not.toHaveClass(/white|black/);
});

test("E sets up and ends it, on a square as elsewhere, and S places a khon", async ({ page }) => {
    await open(page, KHON);
    await square(page, "b2").focus();
    await page.keyboard.press("s");
    await expect(page.locator(".palette")).toBeHidden();
    await page.keyboard.press("e");
    await expect(page.locator(".palette")).toBeVisible();
    await page.keyboard.press("e");
    await expect(page.locator(".palette")).toBeHidden();
    expect(await fenOf(page)).toBe(KHON);
});

test("whose count it is, is written as pychess reads it: by the parity of PLY", async ({ page }) => {
    await open(page, KHON);
    await page.getByText("Running", { exact: true }).click();
    // White is to move and Black has counted: an odd PLY.
    await expect.poll(() => fenOf(page)).toContain(" w - 128 1 ");
    await move(page, "Re1").click();
    await expect.poll(() => fenOf(page)).toContain(" b - 128 2 ");
    // A FEN of others is read as the loser's count, and the card says how they read it.
    await open(page, "8/8/8/8/8/4s1k1/4R3/K7 w - 128 60 1");
    await expect(page.locator(".count-doubt")).toHaveText(/pychess reads the count as White’s/);
});

test("of limits that no men have, and of a count at its end, one thing is said", async ({ page }) => {
    // Of an armed side there is one limit, and the men say which.
    await open(page, "8/8/8/8/8/4s1k1/4R3/K7 w - 32 3 1");
    await expect(page.locator(".count-doubt")).toContainText("the limit is 64");
    await expect(page.locator(".count-honour")).toBeEmpty();
    await page.getByRole("combobox", { name: "Limit in moves" }).selectOption("64");
    await expect.poll(() => fenOf(page)).toContain(" w - 128 3 ");
    // Two bare kings have no honour, and a count at its end says one thing.
    await open(page, "8/6k1/8/8/8/8/2K5/8 w - 32 3 1");
    await expect(page.locator(".count-honour")).toBeEmpty();
    await open(page, "8/6k1/8/8/8/8/2K5/R7 w - 9999 9999 1");
    await expect(page.locator(".count-sentence")).toHaveText("Black has counted 5000 of 5000");
    await expect(page.locator(".count-effect")).toContainText("White has 1 move left");
});

test("the moves of the position before cannot be played any more, and those of the new one can", async ({ page }) => {
    await open(page, "8/8/8/8/8/4s1k1/4R3/K7 w - 128 21 1");
    await expect(page.locator(".moves h2")).toBeVisible();
    const isInert = await page.evaluate(() => {
        document.querySelector<HTMLElement>("#count-none")!.click();
        return document.querySelector<HTMLElement>(".moves")!.inert;
    });
    expect(isInert).toBe(true);
    await move(page, "Re1").click();
    await expect.poll(() => fenOf(page)).toContain(" b - - 0 ");
});

test("six men have a count too: its moves left need no table", async ({ page }) => {
    await open(page, "7k/8/8/8/8/8/1RRNS3/K7 w - - 0 1");
    await page.getByText("Running", { exact: true }).click();
    await expect(page.locator(".count-sentence")).toHaveText("Black has counted 6 of 8");
    await expect(page.locator(".count-effect")).toHaveText("White has 3 moves left");
});

test("the arbiter’s sheet rules what is over, and tells the standing of a game that goes on", async ({ page }) => {
    const row = (name: string) => page.locator(`.ruling dt:text-is("${name}") + dd`);
    const sheet = async (fen: string) => {
        await page.emulateMedia({ media: "screen" });
        await open(page, fen);
        await page.emulateMedia({ media: "print" });
        await expect(page.locator(".ruling")).toBeVisible();
    };
    await sheet("8/6k1/8/8/8/8/2K5/R7 w - 32 23 1");
    await expect(row("Ruling")).toHaveText("The game goes on. White has 5 moves left.");
    await expect(row("With best play")).toContainText("Draw by the count");
    for (const name of ["Event", "Round, board", "Player, White", "Player, Black"])
        await expect(row(name)).toBeVisible();
    // Mate, stalemate, and a count whose last move is made end it.
    await sheet("8/8/8/8/8/1K6/8/k2R4 b - 32 9 1");
    await expect(row("Ruling")).toHaveText("Checkmate: White has won");
    await expect(row("With best play")).toHaveCount(0);
    await sheet("8/6k1/8/8/8/8/2K5/R7 b - 32 32 1");
    await expect(row("Ruling")).toHaveText("Draw: the count has run out");
    await page.emulateMedia({ media: "screen" });
    await expect(verdict(page).locator("h2")).toHaveText("Draw: the count has run out");
});
