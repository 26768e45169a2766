// Guess first: the answers are those of the tables, and what was guessed wrong comes back.
import { expect, type Page, test } from "@playwright/test";
import type { Explored } from "../src/api.ts";
import { keyOf } from "../src/trainer/task.ts";
import { check, COUNTED, inAddress, KHON, ROOKS, speak } from "./helpers.ts";

const NAMES = { won: "Won", count: "Draw by the count", draw: "Draw" };
type Answer = keyof typeof NAMES;

/** The position that the address has, once there are answers to choose from. */
async function asked(page: Page): Promise<string> {
    await expect(page.locator(".guesses button")).toHaveCount(3);
    return new URL(page.url()).searchParams.get("guess")!.replaceAll("_", " ");
}

/** The answer of the tables, and the moves needed and left. */
async function proved(page: Page, fen: string) {
    const position = (await (await page.request.get(`/v1/explore?fen=${encodeURIComponent(fen)}`)).json()) as Explored;
    if (position.status === "unjudged") throw new Error(position.error);
    const { category, begins, dtm, dtz, count } = position;
    const answer: Answer =
        category === "draw" ? "draw" : category === "win" || category === "loss" ? "won" : ("count" as const);
    const plies = begins?.counts ? dtm : dtz;
    return { answer, needs: plies && Math.ceil(Math.abs(plies) / 2), left: count.attacker_moves_left };
}

const next = (page: Page) => page.getByRole("button", { name: "Another one" }).click();

/** Makes the page's chance the same in each run. */
const seeded = (page: Page) =>
    page.addInitScript(() => {
        let seed = 7;
        Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    });

test("each verdict is that of the tables, all three answers come, and the count is as close as the stars say", async ({
    page,
}) => {
    await seeded(page);
    await page.goto("/?guess=KRvKS");
    const [answers, gaps] = [new Set<Answer>(), [] as number[]];
    for (let round = 0; round < 18; round++) {
        // The level is chosen by its radio: two stars, then three.
        if (round === 0) await page.locator('label[for="guess-level-2"]').click();
        if (round === 9) await page.locator('label[for="guess-level-3"]').click();
        if (round % 9 === 0) await expect(page.locator(".bout")).not.toContainText("Looking");
        const fen = await asked(page);
        const { answer, needs, left } = await proved(page, fen);
        answers.add(answer);
        const gap = Math.abs((needs ?? 0) - (left ?? 0));
        if (answer !== "draw" && needs && left !== null) {
            gaps.push(gap);
            expect(gap, fen).toBeLessThanOrEqual(round < 9 ? 7 : 2);
            if (round < 9) expect(gap, fen).toBeGreaterThanOrEqual(3);
        }
        await page.locator(".guesses").getByRole("button", { name: NAMES[answer] }).last().click({ trial: true });
        await page.keyboard.press(String(Object.keys(NAMES).indexOf(answer) + 1));
        await expect(page.locator(".told"), fen).toHaveText("Right.");
        const heads = { won: /^(White|Black) wins$/, count: /^Draw by the count$/, draw: /^Draw$/ };
        await expect(page.locator(".bout h2"), fen).toHaveText(heads[answer]);
        if (answer !== "draw" && needs) await expect(page.locator(".bar b")).toHaveText([`${needs}`, `${left}`]);
        // Enter goes on.
        await page.keyboard.press("Enter");
    }
    expect([...answers].sort()).toEqual(["count", "draw", "won"]);
    expect(gaps.length).toBeGreaterThan(5);
    await expect(page.locator(".score")).toHaveText("18 right in a row, at best 18. 0 of 18 wrong, on this device.");
});

test("what was guessed wrong comes back, and no other tab's is lost", async ({ page, context }) => {
    await page.goto(`/?guess=${inAddress(KHON).slice(6)}`);
    const wrong = keyOf(await asked(page));
    await page.locator(".guesses").getByRole("button", { name: "Draw", exact: false }).last().click();
    await expect(page.locator(".told")).toHaveText("Not “Draw”.");
    await expect(page.locator(".bout h2")).toHaveText("White wins");
    await expect(page.locator(".bout")).toContainText("needs 23 moves to mate or to take Black’s last piece in time");
    // Another tab, which has not seen this one.
    const other = await context.newPage();
    await other.goto(`/?guess=${inAddress(COUNTED).slice(6)}`);
    const second = keyOf(await asked(other));
    await other.keyboard.press("3");
    await expect(other.locator(".told")).toHaveText("Not “Draw”.");
    await expect(other.locator(".score")).toHaveText("0 right in a row, at best 0. 2 of 2 wrong, on this device.");
    await other.close();
    const back: string[] = [];
    for (let round = 0; round < 9; round++) {
        await next(page);
        const fen = await asked(page);
        if ([wrong, second].includes(keyOf(fen))) back.push(keyOf(fen));
        const { answer } = await proved(page, fen);
        await page.locator(`[data-act="${answer}"]`).click();
        await expect(page.locator(".told")).toHaveText("Right.");
    }
    // Not at once, not again once they are known, and both of them.
    expect(back.sort()).toEqual([wrong, second].sort());
    await expect(page.locator(".score")).toContainText("2 of 11 wrong");
    // A reload shows the same position.
    await next(page);
    const fen = await asked(page);
    await page.reload();
    expect(await asked(page)).toBe(fen);
    // The position opens in the explorer.
    await page.keyboard.press("1");
    await page.getByRole("link", { name: "Look at it with the tables" }).click();
    await expect(page.locator(".verdict h2")).toBeVisible();
    await expect(page.locator("#fen")).toHaveValue(fen);
});

test("an ending and the course lead here; three languages, a phone, and no finding of axe", async ({ page }) => {
    await page.goto("/?material=KRvKS");
    await page.getByRole("link", { name: "Guess first" }).click();
    await expect(page.locator("#guess-material")).toHaveValue("KRvKS");
    await asked(page);
    await page.getByRole("link", { name: "Training" }).click();
    await page.locator('[data-act="guess"]').click();
    for (const [code, title] of [
        ["th", "ทายผลก่อน"],
        ["fr", "Devinez d’abord"],
        ["en", "Guess first"],
    ] as const) {
        await speak(page, code);
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
        for (const [width, height] of [
            [1280, 800],
            [390, 664],
            [360, 640],
        ] as const) {
            await page.setViewportSize({ width, height });
            const box = (await page.locator(".guesses").boundingBox())!;
            expect(box.y + box.height, `${code} ${width}`).toBeLessThan(height);
            expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
            const heights = await page
                .locator(".guesses button")
                .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
            expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
            if (code === "en") await check(page);
        }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press("2");
    await expect(page.locator(".told")).toBeVisible();
    await check(page);
    // A position that comes when the view was left changes nothing.
    let arrive = () => {};
    const held = new Promise<void>((done) => (arrive = done));
    await page.route("**/v1/batch", (route) => held.then(() => route.continue()));
    await next(page);
    await page.getByRole("link", { name: "Endings", exact: true }).click();
    const came = page.waitForResponse("**/v1/batch");
    arrive();
    await came;
    await page.waitForLoadState("networkidle");
    await expect(page).toHaveURL(/\?materials$/);
    await page.unrouteAll();
    // Without a table there is no answer.
    await page.goto("/?guess=8/8/8/3k4/8/8/1RRN4/K5n1_w_-_-_0_1");
    await expect(page.locator(".guesses")).toHaveCount(0);
    await expect(page.locator(".bout [role=status]")).toContainText("No such position was found");
});

test("a count is said as the verdict says it, a position counts once, and the next one is announced", async ({
    page,
}) => {
    const count = page.locator(".bout .head + .muted");
    const said = page.locator(".ring > [role=status]");
    const [first] = ROOKS.split(" ");
    // The loser, to move, has completed two moves of the count; the words do not name the loser before the guess.
    for (let time = 0; time < 2; time++) {
        await page.goto(`/?guess=${first}_b_-_128_5_1`);
        await asked(page);
        await expect(count).toHaveText("The defender has counted 2 of 64");
        await expect(said).toHaveText(/^.+ v .+\. Black to move\. The defender has counted 2 of 64$/);
        await page.keyboard.press("2");
        await expect(page.locator(".bout")).toContainText("Black has counted 2 of 64 moves");
        await expect(said).toHaveText("Draw by the count. Right.");
        await expect(page.locator(".score")).toHaveText("1 right in a row, at best 1. 0 of 1 wrong, on this device.");
    }
    // With the winner to move, the loser has completed three.
    await page.goto(`/?guess=${first}_w_-_128_5_1`);
    await asked(page);
    await expect(count).toHaveText("The defender has counted 3 of 64");
    await page.keyboard.press("1");
    await expect(page.locator(".bout")).toContainText("Black has counted 3 of 64 moves");
    await expect(page.locator(".score")).toContainText("2 right in a row, at best 2. 0 of 2 wrong");
    // The button that asks for the next position has the focus, and is gone when there is one.
    await page.keyboard.press("Enter");
    await asked(page);
    await expect(page.locator(".guesses button").first()).toBeFocused();
    await expect(said).toHaveText(/ v .+\. (White|Black) to move\. .+/);
});
