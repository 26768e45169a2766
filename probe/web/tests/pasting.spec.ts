// Pasted and typed texts: read if possible, else refused in the page's language, and the board stays.
import { expect, test } from "@playwright/test";
import { copied, fenOf, giveRook, inAddress, KHON, look, open, pasteHere as paste, ROOKS, speak } from "./helpers.ts";

test("links, quotes, prefixes and missing fields are read", async ({ page, baseURL }) => {
    const rooks = ROOKS.split(" ")[0]!;
    const texts: [string, string][] = [
        [`${baseURL}${inAddress(ROOKS)}`, ROOKS],
        [`"${ROOKS}"`, ROOKS],
        [`FEN: ${ROOKS}`, ROOKS],
        [`${rooks} b`, ROOKS],
        [`https://lichess.org/analysis/standard/${ROOKS.replaceAll(" ", "_")}?color=white`, ROOKS],
        [`\u200b${ROOKS}\ufeff`, ROOKS],
    ];
    for (const [text, fen] of texts) {
        await open(page, KHON);
        await paste(page, text);
        await expect.poll(() => fenOf(page)).toBe(fen);
    }
});

test("of two positions one is chosen", async ({ page }) => {
    await open(page, "8/8/8/8/3k4/8/8/R3K3 w - - 0 1");
    await paste(page, `${KHON}\n${ROOKS}\n`);
    await page.getByRole("dialog").getByRole("button", { name: ROOKS }).click();
    await expect.poll(() => fenOf(page)).toBe(ROOKS);
});

test("what cannot be read leaves the board as it is", async ({ page }) => {
    await open(page, KHON);
    await paste(page, "8/8/8/xx w");
    await expect(page.locator("#paste-problem")).toContainText("Rank 5 has “x”");
    await page.keyboard.press("Escape");
    expect(await fenOf(page)).toBe(KHON);
    expect(page.url()).toContain("4s1k1");
});

test("errors are in the page's language, and Thai letters are letters", async ({ page }) => {
    await open(page, KHON);
    await speak(page, "th");
    await expect(page.locator("html")).toHaveAttribute("lang", "th");
    await page.locator("#fen").fill("ข7/8/8/8/8/4s1k1/4R3/K7 w");
    await page.locator("#fen").press("Enter");
    await expect(page.locator("#fen-problem")).toContainText("แถวที่ 8 มี “ข”");
    await speak(page, "fr");
    await expect(page.locator("html")).toHaveAttribute("lang", "fr");
    await page.locator("#fen").fill("8/8/8/8/8/4s1k1/4R3/K7 x");
    await page.locator("#fen").press("Enter");
    await expect(page.locator("#fen-problem")).toHaveText("Le trait est « x » : il faut w ou b.");
    // An error disappears when the next text can be read, even if its board is illegal.
    await page.locator("#fen").fill("8/8/4k3/3K4/8/8/8/R7 w");
    await page.locator("#fen").press("Enter");
    await expect(page.locator("#fen-problem")).toBeHidden();
    await expect(page.locator(".verdict")).toContainText("Les rois se touchent.");
});

test("a game that cannot be read is explained in the page’s language", async ({ page }) => {
    await open(page, KHON);
    for (const [language, text] of [
        ["en", "Line 3: move 1. cannot be played: “Rb9” is not a move."],
        ["fr", "Ligne 3 : coup 1. « Rb9 » n’est pas un coup."],
        ["th", "บรรทัด 3: ตา 1. “Rb9” ไม่ใช่ตาเดิน"],
    ] as const) {
        await speak(page, language);
        await page.locator(".position-text button.primary").click();
        await page.locator("#paste-text").fill(`[FEN "${KHON}"]\n\n1. Rb9 *`);
        await page.locator("dialog button[type=submit]").click();
        await expect(page.locator("#paste-problem")).toContainText(text);
        await page.keyboard.press("Escape");
    }
});

test("the page reads all that it writes: links with lines, Thai moves, its own games", async ({ page }) => {
    const steps = page.locator(".line .step");
    await open(page, ROOKS);
    await giveRook(page);
    const link = await copied(page, "Copy link");
    await look(page, "Thai notation");
    const thai = await copied(page, "Copy moves");
    await look(page, "Thai notation");
    await open(page, KHON);
    await paste(page, link);
    await expect(steps).toHaveText(["Rb2", "Rxb2"]);
    await expect(steps.last()).toHaveAttribute("aria-current", "step");
    // Moves without a tag begin on the board.
    await open(page, ROOKS);
    await paste(page, thai);
    await expect(steps).toHaveText(["Rb2", "Rxb2"]);
    await open(page, ROOKS);
    await paste(page, "1... Rb2 2. Rxb2 Kf5");
    await expect(steps).toHaveText(["Rb2", "Rxb2", "Kf5"]);
    // A game from the first array is still one.
    await paste(page, "1. e4 e5 2. d4 exd4");
    await expect(steps.first()).toHaveText("e4");
    // Games without players are told apart by their event.
    const game = (event: string, fen: string) => `[Event "${event}"]\n[FEN "${fen}"]\n\n*\n\n`;
    await paste(page, game("KRRvKR:black:1", ROOKS) + game("KRvKS:white:2", KHON));
    await expect(page.locator("#dialog .game-list button")).toHaveText([/KRRvKR:black:1/, /KRvKS:white:2/]);
});
