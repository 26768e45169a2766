// Pawns: where they may stand, the count that waits for them, and the list of endings that they are in.
import { expect, test } from "@playwright/test";
import { COURSE } from "../src/trainer/course.ts";
import { drag, endings, fenOf, inAddress, KHON, move, open, square, verdict } from "./helpers.ts";

const fenOfLesson = (name: string) => COURSE.find((lesson) => lesson.name === name)!.fen;
/** White promotes, but not at once. */
const PROMOTE = fenOfLesson("promote");
/** White takes the last pawn, but not at once. */
const HOLD = fenOfLesson("hold");
/** Black saves himself by a promotion. */
const GIVEAWAY = fenOfLesson("giveaway");

test("a pawn is set up only where it may stand", async ({ page }) => {
    await open(page, KHON);
    await page.getByText("Set up", { exact: true }).click();
    await page.getByRole("button", { name: "Kings only" }).click();
    const kings = "8/8/8/8/8/6k1/8/K7 w - - 0 1";
    await expect.poll(() => fenOf(page)).toBe(kings);
    await page.getByRole("button", { name: "White pawn" }).click();
    await expect(page.locator(".cell.target")).toHaveCount(24);
    await expect(square(page, "d3")).toHaveClass(/target/);
    await expect(square(page, "d6")).not.toHaveClass(/target/);
    await square(page, "d6").click();
    await expect(
        page.getByText("White’s pawns stand on ranks 3 to 5 only. A promoted pawn is placed as a met."),
    ).toBeVisible();
    expect(await fenOf(page)).toBe(kings);
    await square(page, "d5").click();
    const pawn = "8/8/8/3P4/8/6k1/8/K7 w - - 0 1";
    await expect.poll(() => fenOf(page)).toBe(pawn);
    await page.getByRole("button", { name: "White pawn" }).click();
    // Dragged elsewhere it goes back.
    await drag(page, square(page, "d5"), square(page, "d2"));
    await expect(page.getByText("White’s pawns stand on ranks 3 to 5 only")).toBeVisible();
    expect(await fenOf(page)).toBe(pawn);
    await drag(page, square(page, "d5"), square(page, "e3"));
    await expect.poll(() => fenOf(page)).toBe("8/8/8/8/8/4P1k1/8/K7 w - - 0 1");
    // From the palette, and by the keyboard.
    await drag(page, page.getByRole("button", { name: "Black pawn" }), square(page, "c3"));
    await expect(page.getByText("Black’s pawns stand on ranks 4 to 6 only")).toBeVisible();
    await square(page, "b6").focus();
    await page.keyboard.press("p");
    await expect.poll(() => fenOf(page)).toBe("8/8/1p6/8/8/4P1k1/8/K7 w - - 0 1");
    // Colours are swapped with their ranks.
    await page.getByRole("button", { name: "Swap colours" }).click();
    await expect.poll(() => fenOf(page)).toBe("k7/8/4p1K1/8/8/1P6/8/8 b - - 0 1");
});

test("pawns that cannot be are explained", async ({ page }) => {
    for (const [fen, says] of [
        ["8/8/8/8/8/8/3P4/K6k w", "No pawn can stand on d2"],
        ["8/8/8/8/8/3p4/8/K6k w", "The pawn on d3 would have become a met."],
        ["8/MMM5/8/PPPPPPP1/8/8/8/K6k w", "White has 10 mets and pawns together: at most 9 are possible."],
    ] as const) {
        await page.goto(inAddress(fen));
        await expect(verdict(page)).toContainText(says);
    }
});

test("a promotion says which count it begins, and how many moves that leaves", async ({ page }) => {
    await open(page, PROMOTE);
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await expect(verdict(page)).toContainText(
        "No count runs while a pawn is on the board. White needs 5 moves to mate or to promote or take the last pawn in time.",
    );
    await expect(verdict(page).locator(".begun")).toHaveText(
        "Not d6=M yet: the count that it begins leaves 12, and mate takes 13 moves more.",
    );
    await expect(verdict(page).locator(".begun")).toBeVisible();
    await expect(page.locator(".count-effect")).toContainText("No count runs while an unpromoted pawn of either side");
    await expect(page.locator("#count-runs")).toBeDisabled();
    await expect(move(page, "Rd6")).toContainText("wins in 4");
    await expect(move(page, "d6=M")).toContainText("begins a count to 16, then mate in 13");
    await expect(move(page, "d6=M")).toContainText("drawn: only 12 moves left");
    await expect(page.locator(".heap.drawn .move").filter({ hasText: "d6=M" })).toBeVisible();
    await square(page, "d5").click();
    await square(page, "d6").click();
    await expect.poll(() => fenOf(page)).toBe("8/8/2RM4/8/K2k4/8/8/8 b - 32 8 1");
    await expect(verdict(page).locator("h2")).toHaveText("Draw by the count");
    await expect(verdict(page).locator(".begun")).toHaveText(
        "The last pawn is gone and a count begins: pieces’ honour, 16. White has 12 moves.",
    );
    await expect(page.locator(".mistake")).toContainText("d6=M gave the win away");
    await expect(page.locator(".count-sentence")).toHaveText("Black has counted 4 of 16");
});

test("so does the capture of the last pawn, and a promotion with both sides armed", async ({ page }) => {
    await open(page, HOLD);
    await expect(move(page, "Kxg6")).toContainText("begins a count to 16, then mate in 14");
    await expect(move(page, "Kxg6")).toContainText("drawn: only 13 moves left");
    await open(page, GIVEAWAY);
    await expect(verdict(page).locator("h2")).toHaveText("Draw by the count");
    await expect(verdict(page)).toContainText("White can neither mate nor promote or take the last pawn in time.");
    await expect(move(page, "b3=M+")).toContainText("begins a count to 64, mate in 15 without it");
    await expect(page.locator(".heap.drawn .why")).toContainText(
        "After Kxb3 the limit is 16 moves, less the 3 men on the board: 16 − 3 = 13. White needs 14 moves to mate.",
    );
    await move(page, "b3=M+").click();
    // Nobody has claimed board's honour yet; a count begun now would draw.
    await expect.poll(() => fenOf(page)).toContain(" w - - 0 ");
    await expect(verdict(page).locator("h2")).toHaveText("Draw by the count");
});

test("at the arbiter's desk nothing is counted while a pawn of either side is on the board", async ({ page }) => {
    // A count in the FEN is dropped.
    await page.goto(inAddress("8/8/2R5/3P4/K2k4/8/8/8 w - 128 7 3"));
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await expect.poll(() => fenOf(page)).toBe("8/8/2R5/3P4/K2k4/8/8/8 w - - 0 3");
    await expect(page.locator("#count-none")).toBeChecked();
    await page.emulateMedia({ media: "print" });
    await expect(page.locator(".ruling")).toContainText("Not running");
    await expect(page.locator(".ruling")).toContainText("No count runs while an unpromoted pawn of either side");
    await page.emulateMedia({ media: "screen" });
    // A pawn that is put there stops the count; without it the count is back.
    await open(page, "8/8/8/8/3k4/8/8/R3K3 b - 32 24 1");
    await expect(page.locator(".count-sentence")).toBeVisible();
    await page.keyboard.press("e");
    for (const pawn of ["p", "Shift+P"]) {
        await square(page, "h5").focus();
        await page.keyboard.press(pawn);
        await expect.poll(() => fenOf(page)).toContain(" b - - 0 ");
        await expect(page.locator(".count-sentence")).toBeHidden();
        await expect(page.locator("#count-runs")).toBeDisabled();
        await page.keyboard.press("Delete");
        await expect.poll(() => fenOf(page)).toContain(" b - 32 24 ");
        await expect(page.locator(".count-sentence")).toHaveText("Black has counted 12 of 16");
    }
});

test("the endings are listed by their pawns, and found by them", async ({ page }) => {
    await page.goto("/?materials");
    await expect(endings(page)).toHaveCount(142);
    const heads = page.locator(".material-table .by-pawns");
    await expect(heads).toHaveText(["No pawns (81)", "1 pawn (45)", "2 pawns (14)", "3 pawns (2)"]);
    await page.getByRole("button", { name: "1 pawn", exact: true }).click();
    await expect(page).toHaveURL(/\?materials&pawns=1$/);
    await expect(endings(page)).toHaveCount(45);
    await expect(heads).toHaveCount(0);
    await page.getByRole("button", { name: "4 men" }).click();
    await expect(endings(page)).toHaveCount(8);
    await page.reload();
    await expect(endings(page)).toHaveCount(8);
    await expect(page.getByRole("link", { name: "K+R+P v K", exact: true })).toBeVisible();
    // A table folder that has only some of them.
    await page.getByRole("button", { name: /^Show the \d+ endings/ }).click();
    await expect(endings(page).filter({ hasText: "makruk-gen build KSPvK" })).toBeVisible();
    await page.goto("/?materials");
    await page.getByRole("button", { name: "Longest mate" }).click();
    await expect(heads).toHaveCount(0);
    await expect(endings(page)).toHaveCount(142);
});

test("an ending with a pawn has its totals, its longest wins, and saves to solve", async ({ page }) => {
    await page.goto("/?material=KRPvK");
    await expect(page.locator(".lost")).toContainText("0.4 % of all wins are lost to the count: however the last pawn");
    await expect(page.locator(".histogram figcaption")).toHaveText(
        "to mate, or to the end of the last pawn that wins in time",
    );
    await expect(page.locator(".histogram .column").first()).toBeVisible();
    await expect(page.locator(".histogram .limit")).toHaveCount(0);
    const longest = page.locator(".miniatures").first().locator(".miniature");
    await expect(longest.first()).toContainText("17 moves");
    await page.locator(".saves .miniature").first().click();
    await expect(page.locator(".bout")).toContainText("save the draw");
});
