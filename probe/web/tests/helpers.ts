// Functions that the tests share: opening the page, and naming its parts.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Locator, type Page } from "@playwright/test";

/** Black saves himself by giving his rook: Rb2. */
export const ROOKS = "1K6/8/5k2/8/1R6/4R3/7r/8 b - - 0 1";
/** White wins, but not by taking the khon at once. */
export const KHON = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
/** Knight and met against a bare king who has counted 41 of 64: just enough. */
export const COUNTED = "8/4K3/8/7k/8/6M1/7N/8 w - 128 81 1";

export const inAddress = (fen: string) => `/?fen=${fen.replaceAll(" ", "_")}`;
export const verdict = (page: Page): Locator => page.locator(".verdict");
export const square = (page: Page, name: string): Locator => page.locator(`[data-square="${name}"]`);
export const fenOf = (page: Page): Promise<string> => page.locator("#fen").inputValue();
/** The endings of the list, without the titles of its groups. */
export const endings = (page: Page): Locator => page.locator(".material-table tbody tr:not(.by-pawns)");
export const move = (page: Page, san: string): Locator =>
    page.locator(".move", { has: page.locator(".san", { hasText: new RegExp(`^${san.replace("+", "\\+")}$`) }) });

export async function open(page: Page, fen: string): Promise<void> {
    await page.goto(inAddress(fen));
    await expect(verdict(page).locator("h2")).toBeVisible();
}

/** Gives the rook in the position with the rooks, and takes it: Rb2, Rxb2. */
export async function giveRook(page: Page): Promise<void> {
    await move(page, "Rb2").click();
    await expect(page.locator(".moves h2")).toHaveText("White’s moves");
    await move(page, "Rxb2").click();
    await expect(page.locator(".moves h2")).toHaveText("Black’s moves");
}

/** Opens a text by the dialog for pasting. */
export async function paste(page: Page, text: string): Promise<void> {
    await page.getByRole("button", { name: "Paste a game or position…" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(text);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
}

/** Pastes a text into the page, as a browser does. */
export const pasteHere = (page: Page, text: string): Promise<void> =>
    page.evaluate((text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, text);

/** Presses a button that copies, by its name in English or French; returns what it copied. */
export async function copied(page: Page, name: string): Promise<string> {
    await page.getByRole("button", { name, exact: true }).click();
    await expect(page.locator(".position-text .status")).toHaveText(/Copied|Copié/);
    return page.evaluate(() => navigator.clipboard.readText());
}

/** Axe finds nothing: by all its rules, of any impact, or by certain ones. */
export async function check(page: Page, ...rules: string[]): Promise<void> {
    const axe = new AxeBuilder({ page });
    const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze();
    const told = violations.map(
        ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join("\n    ")}`,
    );
    expect(told).toEqual([]);
}

/** Presses a button of the menu of looks, by its name in English. */
export async function look(page: Page, name: string): Promise<void> {
    await page.locator(".toggle.look").click();
    await page.locator(".looks").getByRole("button", { name }).click();
    await page.keyboard.press("Escape");
}

/** Chooses a language in that menu. */
export async function speak(page: Page, code: string): Promise<void> {
    await page.locator(".toggle.look").click();
    await page.locator(".looks select").selectOption(code);
    await page.keyboard.press("Escape");
}

/** Opens all groups of the course, once everything has come that the course is drawn anew for. */
export async function unfold(page: Page): Promise<void> {
    await page.waitForLoadState("networkidle");
    const closed = page.locator(".group:not([open]) > summary");
    await closed.evaluateAll((all: HTMLElement[]) => all.forEach((summary) => summary.click()));
}

/** Where an element is; one that is being drawn anew is waited for. */
async function boxOf(element: Locator) {
    let box: Awaited<ReturnType<Locator["boundingBox"]>> = null;
    await expect.poll(async () => (box = await element.boundingBox())).not.toBeNull();
    return box!;
}

/** Drags with the mouse, in steps, as hands do. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
    const [a, b] = [await boxOf(from), await boxOf(to)];
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 6 });
    await page.mouse.up();
}

/** Reloads the page when its service worker is there: from then on the worker answers. */
export async function workerAnswers(page: Page): Promise<void> {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    await page.reload();
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/** A GIF file by the browser's own decoder: frames, repetitions, width, height, milliseconds of each frame. */
export const decoded = (page: Page, gif: Buffer): Promise<number[]> =>
    page.evaluate(
        async (bytes) => {
            const decoder = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
            await decoder.tracks.ready;
            await decoder.completed;
            const track = decoder.tracks[0]!;
            const images = [];
            for (let frameIndex = 0; frameIndex < track.frameCount; frameIndex++)
                images.push((await decoder.decode({ frameIndex })).image);
            const { displayWidth, displayHeight } = images[0]!;
            const times = images.map(({ duration }) => (duration ?? 0) / 1000);
            return [track.frameCount, track.repetitionCount, displayWidth, displayHeight, ...times];
        },
        [...gif],
    );
