// Pasted and typed texts: read if possible, else refused in the page's language, and the board stays.
import { expect, test, type Page } from "@playwright/test";
import { fenOf, inAddress, KHON, open, ROOKS } from "./helpers.ts";

async function paste(page: Page, text: string): Promise<void> {
    await page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }, text);
}

test("links, quotes, prefixes and missing fields are read", async ({ page, baseURL }) => {
    const rooks = ROOKS.split(" ")[0]!;
    const texts: [string, string][] = [
        [`${baseURL}${inAddress(ROOKS)}`, ROOKS],
        [`"${ROOKS}"`, ROOKS],
        [`FEN: ${ROOKS}`, ROOKS],
        [rooks, `${rooks} w - - 0 1`],
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
    await expect(page.locator("#paste-problem")).toContainText("The board has 4 ranks");
    await page.keyboard.press("Escape");
    expect(await fenOf(page)).toBe(KHON);
    expect(page.url()).toContain("4s1k1");
});

test("errors are in the page's language, and Thai letters are letters", async ({ page }) => {
    await open(page, KHON);
    await page.getByRole("combobox", { name: "Language" }).selectOption("th");
    await page.locator("#fen").fill("ข7/8/8/8/8/4s1k1/4R3/K7 w");
    await page.locator("#fen").press("Enter");
    await expect(page.locator("#fen-problem")).toContainText("แถวที่ 8 มี “ข”");
    await page.getByRole("combobox").selectOption("fr");
    await page.locator("#fen").fill("8/8/8/8/8/4s1k1/4R3/K7 x");
    await page.locator("#fen").press("Enter");
    await expect(page.locator("#fen-problem")).toHaveText("Le trait est « x » : il faut w ou b.");
    // An error disappears when the next text can be read, even if its board is illegal.
    await page.locator("#fen").fill("8/8/4k3/3K4/8/8/8/R7 w");
    await page.locator("#fen").press("Enter");
    await expect(page.locator("#fen-problem")).toBeHidden();
    await expect(page.locator(".verdict")).toContainText("Les rois se touchent.");
    // The server's own sentence about a game is marked as English.
    await page.getByRole("button", { name: "Coller une partie ou une position…" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("ขาวเดิน เรือ");
    await page.getByRole("button", { name: "Ouvrir" }).click();
    await expect(page.locator("#paste-problem")).toContainText("La partie n’est pas lisible");
    await expect(page.locator("#paste-problem")).not.toContainText("\\u{");
});

test("a game that cannot be read is explained in the page’s language", async ({ page }) => {
    await open(page, KHON);
    for (const [language, text] of [
        ["en", "Line 3: move 1. cannot be played: “Rb9” is no move."],
        ["fr", "Ligne 3 : coup 1. « Rb9 » n’est pas un coup."],
        ["th", "บรรทัด 3: ตา 1. “Rb9” ไม่ใช่ตาเดิน"],
    ] as const) {
        await page.locator("header select").selectOption(language);
        await page.locator(".position-text button.primary").click();
        await page.locator("#paste-text").fill(`[FEN "${KHON}"]\n\n1. Rb9 *`);
        await page.locator("dialog button[type=submit]").click();
        await expect(page.locator("#paste-problem")).toContainText(text);
        await page.keyboard.press("Escape");
    }
});
