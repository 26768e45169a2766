// What the page says, and does not say: each a fault that somebody has met.
import { spawnSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { program, tables } from "./program.mjs";
import {
    copied,
    COUNTED,
    endings,
    fenOf,
    inAddress,
    KHON,
    move,
    open,
    paste,
    ROOKS,
    square,
    verdict,
} from "./helpers.ts";

const TOUCHING = "8/8/8/3kK3/8/8/8/R7 w - - 0 1";

test("a pasted game is copied with its tags and its result", async ({ page }) => {
    await open(page, KHON);
    const tags = `[Event "The \\"Open\\""]\n[Site "Bangkok"]\n[Date "2026.11.26"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]`;
    await paste(page, `${tags}\n[FEN "${KHON}"]\n\n1. Re1 Kf2 2. Rh1 Kf3 1-0`);
    await expect(page.locator(".line .step")).toHaveCount(4);
    const pgn = await copied(page, "Copy PGN");
    for (const tag of tags.split("\n")) expect(pgn).toContain(tag);
    expect(pgn).toMatch(/2\. Rh1 Kf3 .*1-0\s*$/);
    expect(pgn).toContain(`[FEN "${KHON}"]`);
});

test("nothing is called out that nobody has called", async ({ page }) => {
    // A rook's count begins with the three men on the board: the first call is four.
    const task = (ply: number) => `/?train&task=8/8/8/8/8/1R2K3/8/6k1_w_-_32_${ply}_1&goal=win&as=white`;
    await page.goto(task(6));
    await expect(page.locator(".told")).toContainText("to move: you");
    await expect(page.locator(".bout .spoken")).toHaveCount(0);
    await page.goto(task(7));
    await expect(page.locator(".bout .spoken")).toContainText("“4!”");
    await open(page, "8/8/8/3k4/8/8/1R6/K7 w - 32 6 1");
    await expect(page.locator(".count .spoken")).toBeHidden();
});

test("faults of an ending's name and of a task are told in the page's language", async ({ page }) => {
    await page.goto("/?material=KRvKx&lang=th");
    await expect(page.locator(".problem-text")).toHaveText(
        /^“KRvKx” ไม่ใช่ชื่อปลาย\u2060?กระดาน: ต้องมีสองฝ่ายและขุนทั้งสองฝ่าย เช่น KRRvKR$/,
    );
    await page.goto("/?train&task=rubbish&goal=win&as=white&lang=th");
    await expect(page.locator(".bout .problem-text")).not.toContainText(/[a-z]{5}/);
    await expect(page.locator(".bout .problem-text")).toContainText("แถวที่ 8");
    await expect(page.locator(".ring .cell .man")).toHaveCount(0);
});

test("endings without tables are folded", async ({ page }) => {
    await page.goto("/?materials");
    await expect(endings(page)).toHaveCount(142);
    await expect(page.locator(".material-table tr.missing").first()).toBeHidden();
    const shown = await endings(page).filter({ visible: true }).count();
    expect(shown).toBe(await page.locator(".material-table tbody a").count());
    await page.getByRole("button", { name: `Show the ${142 - shown} endings that have no tables here` }).click();
    await expect(page.locator(".material-table tr.missing").first()).toBeVisible();
    // Whoever looks for one of them finds it.
    await page.reload();
    await page.getByRole("searchbox").fill("KNNvKN");
    await expect(page.locator(".material-table tr.missing")).toBeVisible();
});

test("a position that is waited for is named", async ({ page, context }) => {
    await open(page, KHON);
    await context.setOffline(true);
    const waited = "8/8/8/3k4/8/8/1R6/K7 w - - 0 1";
    await page.locator("#fen").fill(waited);
    await page.locator("#fen").press("Enter");
    await expect(page.locator(".note:not(.results)")).toContainText(waited);
    await expect(page.locator(".note:not(.results)")).toBeInViewport();
    await context.setOffline(false);
    await expect(verdict(page).locator("h2")).toHaveText("Draw by the count");
    await expect(page.locator(".note:not(.results)")).toBeEmpty();
});

test("while both sides have a piece no count runs until somebody begins it, however many moves are made", async ({
    page,
}) => {
    await open(page, KHON);
    for (const san of ["Re1", "Kf2"]) {
        await move(page, san).click();
        await expect.poll(() => fenOf(page)).toMatch(/ [wb] - - 0 \d$/);
        await expect(page.locator("#count-none")).toBeChecked();
        await expect(page.locator(".count-doubt")).toBeHidden();
    }
    // So it is in a link, and after a reload.
    await page.goto(`${inAddress(KHON)}#line=Re1,Kf2&at=2`);
    await expect(page.locator(".line .step")).toHaveCount(2);
    await expect.poll(() => fenOf(page)).toContain(" w - - 0 ");
    await page.reload();
    await expect.poll(() => fenOf(page)).toContain(" w - - 0 ");
    // Somebody counts: from now on each move does.
    await page.getByText("Running", { exact: true }).click();
    await expect(page.locator(".count-sentence")).toBeVisible();
    await page.locator(".move").first().click();
    await expect.poll(() => fenOf(page)).toMatch(/ b - 128 \d+ /);
    // It ends as it began, by hand; but the pieces' honour asks nobody.
    await open(page, "8/8/8/8/8/4s1k1/4R3/K7 w - 128 21 1");
    await page.getByText("Not running", { exact: true }).click();
    await expect.poll(() => fenOf(page)).toContain(" w - - 0 ");
    await move(page, "Rxe3+").click();
    await expect.poll(() => fenOf(page)).toContain(" b - 32 6 ");
});

test("a position that is illegal or none is asked for once, typed or pasted", async ({ page }) => {
    await open(page, KHON);
    let asked = 0;
    page.on("request", (request) => {
        if (request.url().includes("/v1/explore")) asked += 1;
    });
    for (const [fen, says] of [
        ["8/8/9/8/8/8/8/8 w", "#fen-problem"],
        [TOUCHING, ".verdict li"],
    ] as const) {
        asked = 0;
        await page.locator("#fen").fill(fen);
        await page.locator("#fen").press("Enter");
        await expect(page.locator(says)).not.toBeEmpty();
        await page.locator("#fen").blur();
        await square(page, "a1").click();
        await page.waitForTimeout(300);
        expect(asked).toBe(1);
    }
    await open(page, KHON);
    asked = 0;
    await paste(page, TOUCHING);
    await expect(verdict(page)).toContainText("The kings touch.");
    expect(asked).toBe(1);
});

test("on a phone the way out of setting up covers no man", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    for (const lang of ["en", "th", "fr"]) {
        await page.goto(`${inAddress(KHON)}&lang=${lang}`);
        await expect(verdict(page).locator("h2")).toBeVisible();
        await page.locator("label[for=mode-setup]").click();
        const done = page.locator('[data-act="done"]');
        await expect(done).toBeInViewport({ ratio: 1 });
        const way = (await done.boundingBox())!;
        for (const man of await page.locator(".palette .men button").all()) {
            await expect(man).toBeInViewport({ ratio: 1 });
            const box = (await man.boundingBox())!;
            const apart = box.x + box.width <= way.x || way.x + way.width <= box.x;
            expect(apart || box.y + box.height <= way.y || way.y + way.height <= box.y).toBe(true);
        }
    }
});

test("why a winning capture is not yet one is said", async ({ page }) => {
    await open(page, KHON);
    await expect(verdict(page).locator(".begun")).toHaveText(
        "Not Rxe3+ yet: the count that it begins leaves 13, and mate takes 15 moves more.",
    );
    await expect(move(page, "Rxe3+")).toContainText("drawn: only 13 moves left");
});

test("the reason for a result is that of the program, in its very words", async ({ page }) => {
    const fens = [
        KHON,
        ROOKS,
        COUNTED,
        "8/6k1/8/8/8/8/2K5/R7 w - 32 23 1",
        "8/6k1/8/8/8/8/2K5/R7 b - 32 24 1",
        "8/6k1/8/8/8/8/2K5/R7 b - 32 33 1",
        "8/8/2R5/3P4/K2k4/8/8/8 w - - 0 1",
        "8/8/8/2k5/Rp6/8/K7/8 b - - 0 1",
        "8/8/8/4k3/8/8/2K5/8 w - - 0 1",
    ];
    for (const fen of fens) {
        const { stdout } = spawnSync(program, ["query", "--tables", tables, fen], { encoding: "utf8" });
        // Between the result and the position that it is of; what the best line lacks is beside the page's bars.
        const [, reason = ""] = /^.*\n([^]*?)\n\n/.exec(stdout) ?? [];
        const expected = reason.replaceAll("\n", " ").replace(/, \d+ too many| \(on the best line [^)]*\)/, "");
        await open(page, fen);
        const told = await verdict(page).locator(".reasons > p").first().textContent();
        expect(told?.replaceAll("’", "'")).toBe(expected);
    }
});

test("no count is spoken of as if it ran, and the sacrifice has its arithmetic, in three languages", async ({
    page,
}) => {
    for (const [lang, ifBegun, has, sum] of [
        ["en", "If Black begins to count now, White has 64 moves and can neither mate nor take", "has", "8 − 4 = 4"],
        ["th", "ถ้าดำเริ่มนับตอนนี้ ขาวมี 64 ที", "มี", "8 − 4 = 4"],
        ["fr", "Si les Noirs commencent à compter maintenant, les Blancs ont 64 coups", "il y a", "8 − 4 = 4"],
    ] as const) {
        await page.goto(`${inAddress(ROOKS)}&lang=${lang}`);
        await expect(verdict(page)).toContainText(ifBegun);
        await expect(page.locator(".heap.drawn .why")).toContainText(sum);
        await page.goto(`${inAddress(KHON)}&lang=${lang}`);
        await expect(page.locator(".bar-name").nth(1)).toHaveText(has);
    }
});
