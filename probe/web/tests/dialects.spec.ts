// What people and programs write is read in the page as at every other door: see tests/data/dialects.
import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { fenOf, KHON, open, verdict } from "./helpers.ts";

/** The rules of the page "How positions are written": a text, its right reading, and a part of what is said about it. */
function rules(): [string, string, string][] {
    const lines = readFileSync(new URL("../../../tests/data/dialects/rules.tsv", import.meta.url), "utf8").split("\n");
    const unescaped = (text: string) =>
        text
            .replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
            .replace(/\\([tnr])/g, (_, letter: "t" | "n" | "r") => ({ t: "\t", n: "\n", r: "\r" })[letter]);
    return lines
        .filter((line) => line !== "" && !line.startsWith("#"))
        .map((line) => line.split("\t"))
        .map(([, text, reading, said]) => [unescaped(text!), reading!, unescaped(said ?? "-")]);
}

async function paste(page: Page, text: string): Promise<void> {
    await page.locator(".position-text button.primary").click();
    await page.locator("#paste-text").fill(text);
    await page.locator("dialog button[type=submit]").click();
}

test("each way to write a position is read in the paste box as it is to be read", async ({ page }) => {
    test.setTimeout(1_200_000);
    await open(page, KHON);
    const wrong: string[] = [];
    for (const [text, reading, said] of rules()) {
        await paste(page, text);
        const problem = page.locator("#paste-problem");
        const isRefused = async () =>
            ((await page.locator("dialog[open]").count()) > 0 && (await problem.textContent()) !== "") ||
            ((await page.locator("dialog[open]").count()) === 0 && (await verdict(page).locator("ul").count()) > 0);
        const isRead = async () =>
            (await page.locator("dialog[open]").count()) === 0 &&
            (await fenOf(page)) === reading &&
            (await page.locator(".verdict:not(.stale)").count()) > 0;
        const isRight = reading === "ERROR" ? isRefused : isRead;
        // A link with moves, as the page writes it, shows where they lead; its position is the line's first.
        const isLine = text.includes("#line=");
        if (isLine) {
            await expect(page.locator(".line .step").first()).toBeVisible();
            await page.getByRole("button", { name: "To the start" }).click();
        }
        const right = await expect
            .poll(isRight, { timeout: 8000, intervals: [20, 50, 100, 200, 400] })
            .toBe(true)
            .then(() => true)
            .catch(() => false);
        const told = async () => (await verdict(page).locator(".notes").allTextContents()).join(" ");
        if (!right) wrong.push(`${JSON.stringify(text)}: expected ${reading}, found ${await fenOf(page)}`);
        else if (reading !== "ERROR" && said !== "-" && !isLine && !(await told()).includes(said))
            wrong.push(`${JSON.stringify(text)}: expected a note with ${said}, found ${await told()}`);
        if ((await page.locator("dialog[open]").count()) > 0) await page.keyboard.press("Escape");
        // A refusal of this text is not one of the next.
        if (reading === "ERROR") await page.goto(`/?fen=${KHON.replaceAll(" ", "_")}`);
    }
    expect(wrong).toEqual([]);
});

test("games as the world writes them are read from files", async ({ page }) => {
    test.slow();
    await open(page, KHON);
    const folder = new URL("../../../tests/data/dialects/games/", import.meta.url);
    const lines = readFileSync(new URL("expected.tsv", folder), "utf8").trimEnd().split("\n");
    for (const line of lines.filter((line) => !line.startsWith("#"))) {
        const [file, games, plies] = line.split("\t");
        await page.locator(".position-text button.primary").click();
        await page.locator("#paste-file").setInputFiles(new URL(file!, folder).pathname);
        if (Number(games) > 1) {
            const entries = page.locator("#dialog .game-list button");
            await expect(entries, file).toHaveCount(Number(games));
            const read = plies!.split(/[ ,]+/).filter((each) => each !== "ERROR").length;
            expect(await entries.filter({ visible: true }).and(page.locator(":enabled")).count(), file).toBe(read);
            await page.keyboard.press("Escape");
        } else if (/^\d+$/.test(plies!)) {
            await expect(page.getByRole("dialog"), file).toBeHidden();
            await expect(page.locator("#game-strip"), file).toHaveAttribute("max", plies!);
        } else {
            const isRefused = page.locator("#paste-problem:not(:empty)");
            if (plies === "ERROR") await expect(isRefused, file).toBeVisible();
            await page.waitForTimeout(500);
            if (await page.getByRole("dialog").isVisible()) await page.keyboard.press("Escape");
        }
    }
});
