// Without a table nothing is judged: no task is offered, won, held, lost or remembered without a value.
import { expect, test, type Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import type { Explored, MaterialEntry } from "../src/api.ts";
import { inAddress, paste, ROOKS, unfold } from "./helpers.ts";

/** Materials of lessons whose tables a server may lack: of four men and, with the two old disputes, of five. */
const LACKED = ["KRRvKR", "KSSvKP", "KRRvKP"];

/** The server as it is without their tables. */
async function without(page: Page): Promise<void> {
    await page.route("**/v1/materials", async (route) => {
        const { materials } = (await (await route.fetch()).json()) as { materials: MaterialEntry[] };
        const without = ({ material, ...entry }: MaterialEntry) =>
            LACKED.includes(material) ? { material, men: entry.men } : { material, ...entry };
        await route.fulfill({ json: { materials: materials.map(without) } });
    });
    await page.route(/\/v1\/explore\?/, async (route) => {
        const answer = await route.fetch();
        const position = (await answer.json()) as Explored;
        if (position.status === "unjudged" || !LACKED.includes(position.material))
            return route.fulfill({ response: answer });
        const { fen, side, can_mate, check, counts, count_stopped, begins } = position;
        const missing: Explored = {
            status: "unjudged",
            ...{ fen, side, can_mate, check, counts, count_stopped, begins },
            moves: position.moves.map(({ uci, san, capture, fen }) => ({ status: "unjudged", uci, san, capture, fen })),
            error: "there is no table",
            reason: "missing_table",
            command: "makruk-gen build KRRvKR",
        };
        await route.fulfill({ json: missing });
    });
}

const remembered = (page: Page) => page.evaluate(() => localStorage.getItem("makruk-training"));

test("a lesson whose table is missing says so, is not offered, and is neither held nor remembered", async ({
    page,
}) => {
    await without(page);
    await page.goto("/?train");
    await expect(page.locator(".group")).toHaveCount(3);
    await unfold(page);
    for (const [name, table] of [
        [/Giving the rook to save the game/, "K+R+R v K+R"],
        [/The rook given with check/, "K+R+R v K+R"],
        [/Two khons against a pawn/, "K+khon+khon v K+P"],
        [/Two rooks against a pawn/, "K+R+R v K+P"],
    ] as const) {
        const lesson = page.getByRole("button", { name });
        await expect(lesson).toBeDisabled();
        await expect(lesson).toContainText(`The table is missing: ${table}`);
    }
    await expect(page.getByRole("link", { name: /A khon not to be taken/ })).toBeVisible();
    // Opened by their addresses.
    for (const name of ["offer", "khonsPawn", "rooksPawn"]) {
        await page.goto(`/?train=${name}`);
        await expect(page.locator(".bout")).toContainText("The table is missing");
        await expect(page.locator(".bout")).not.toContainText(/Held|yours|Mate|Without a mistake/);
    }
    await page.getByRole("button", { name: "To the course" }).click();
    await unfold(page);
    await expect(page.getByRole("button", { name: /Giving the rook to save the game/ })).not.toContainText("●");
    expect(await remembered(page)).toBeNull();
});

test("a task of an address without a table is neither won nor lost", async ({ page }) => {
    const tasks = [
        "1K6/8/5k2/8/1R6/4N3/7r/8_w_-_-_0_1&goal=win&as=white",
        "1K6/8/5k2/8/1R6/4N3/7r/8_b_-_-_0_1&goal=save&as=black",
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR_w_-_-_0_1&goal=save&as=white",
    ];
    for (const task of tasks) {
        await page.goto(`/?train&task=${task}`);
        await expect(page.locator(".bout h2")).toHaveText(/The table is missing|Too many men for the tables/);
        await expect(page.locator(".bout")).not.toContainText(/got away|Held|saved|Mate/);
    }
    expect(await remembered(page)).toBeNull();
});

test("what is said over a game names the positions that it is said over", async ({ page }) => {
    await page.goto(inAddress(ROOKS));
    // Of this game the tables have the mate alone: nobody moves there.
    await paste(page, await readFile(new URL("../../../tests/data/schemingmind-2023.pgn", import.meta.url), "utf8"));
    await expect(page.locator(".game")).toContainText("1 of 226 positions are in the tables.");
    await expect(page.locator(".game")).not.toContainText("gave nothing away");
    // White's move leads from a position without a table into one that has it.
    await paste(page, '[FEN "1K6/8/5k2/8/1R6/4N3/7r/8 b - - 0 1"]\n\n1... Re2 2. Rb3 Rxe3 3. Rxe3 Kf5 *');
    await expect(page.locator(".game")).toContainText("of 6 positions are in the tables.");
    await expect(page.locator(".game")).toContainText(/In the \d of 6 positions with tables: .* gave/);
});

test("an ending's totals are its own in whatever order its sides are named", async ({ page }) => {
    const heads: string[] = [];
    for (const name of ["KRvKS", "KSvKR", "ksvkr"]) {
        await page.goto(`/?material=${name}`);
        await expect(page.locator(".totals").first()).toContainText("White wins");
        await expect(page.locator("h1 .material-text")).toHaveText("K+R v K+khon");
        await expect(page).toHaveURL(/\?material=KRvKS$/);
        heads.push(
            (await page.locator(".material-view h1").innerHTML()) + (await page.locator(".totals").allTextContents()),
        );
    }
    expect(new Set(heads).size).toBe(1);
});
