// The trainer: its course is compared with the tables, and bouts are played to their ends.
import { type APIRequestContext, expect, test, type Page } from "@playwright/test";
import AxeBuilder from "@axe-core/playwright";
import { COURSE, keeps } from "../src/trainer/course.ts";
import { Memory } from "../src/trainer/memory.ts";
import type { Explored } from "../src/api.ts";
import { drag, KHON, move, ROOKS, square } from "./helpers.ts";

const explore = async (request: APIRequestContext, fen: string): Promise<Explored> =>
    (await request.get(`/v1/explore?fen=${encodeURIComponent(fen)}`)).json();

test("the course says what the tables say", async ({ request }) => {
    expect(COURSE).toHaveLength(10);
    for (const { name, fen, goal, needs, left, keeping } of COURSE) {
        const position = await explore(request, fen);
        expect(position.category, name).toBe(goal === "win" ? "win" : "blessed-loss");
        expect(position.count?.attacker_moves_left, name).toBe(left);
        const plies = position.begins?.counts ? position.dtm : position.dtz;
        expect(plies ? Math.ceil(Math.abs(plies) / 2) : null, name).toBe(needs);
        expect(position.moves.filter((move) => keeps(move, goal)).length, name).toBe(keeping);
    }
    // Claims that stand in words.
    const poison = (await explore(request, KHON)).moves.find(({ san }) => san === "Rxe3+")!;
    expect([poison.category, Math.floor(poison.dtm! / 2), poison.attacker_moves_left]).toEqual(["cursed-win", 15, 13]);
    const take = await explore(request, COURSE.find(({ name }) => name === "take")!.fen);
    for (const capture of take.moves.filter(({ capture }) => capture)) {
        expect([capture.category, capture.attacker_moves_left]).toEqual(["win", 13]);
    }
    const bait = await explore(request, COURSE.find(({ name }) => name === "bait")!.fen);
    const [offered] = bait.moves.filter(({ sacrifice }) => sacrifice);
    expect(offered!.sacrifice!.left).toBe(13);
    expect(offered!.sacrifice!.needed).toBeGreaterThan(13);
    const offer = (await explore(request, ROOKS)).moves.find(({ sacrifice }) => sacrifice)!;
    expect(offer.sacrifice!.needed).toBeGreaterThan(offer.sacrifice!.left!);
    const longest = await (await request.get("/v1/tables/KNMvK")).json();
    expect(Math.ceil(longest.dtm.white.max_win_plies / 2)).toBe(36);
});

test("what goes well comes back later and later, what goes wrong at once", () => {
    const day = 24 * 60 * 60 * 1000;
    const memory = new Memory();
    const [task] = COURSE;
    memory.note(task!, true, 0);
    expect(memory.of(task!.key)).toMatchObject({ level: 1, due: day, tries: 1 });
    // A repetition on the same day counts as a try only.
    memory.note(task!, true, 1000);
    expect(memory.of(task!.key)).toMatchObject({ level: 1, due: day, tries: 2 });
    memory.note(task!, true, day);
    expect(memory.of(task!.key)).toMatchObject({ level: 2, due: 4 * day });
    expect(memory.due(2 * day)).toEqual([]);
    memory.note(task!, false, 2 * day);
    expect(memory.due(2 * day).map(({ key }) => key)).toEqual([task!.key]);
    const other = new Memory();
    expect(other.read(memory.text())).toBe(true);
    expect(other.of(task!.key)).toEqual(memory.of(task!.key));
    for (const text of ["", "[]", '{"makruk":"training","memos":[{"key":1}]}']) expect(other.read(text)).toBe(false);
});

async function begin(page: Page, lesson: RegExp): Promise<void> {
    await page.goto("/?train");
    await page.getByRole("button", { name: lesson }).click();
    await expect(page.locator(".told")).toContainText("to move: you");
}

/** Plays a task to its end with the best moves, as the opponent does. */
async function playOut(page: Page, fen: string, end: RegExp): Promise<void> {
    for (let round = 0; round < 80; round++) {
        const { moves } = await explore(page.request, fen);
        const [best] = moves;
        await square(page, best!.uci.slice(0, 2)).click();
        await square(page, best!.uci.slice(2, 4)).click();
        const after = await explore(page.request, best!.fen);
        const isOver = after.moves.length === 0 || (after.count?.ply ?? 0) > (after.count?.limit ?? 9999);
        if (isOver) break;
        await expect(page.locator(".told")).toContainText(after.moves[0]!.san);
        fen = after.moves[0]!.fen;
        const reached = await explore(page.request, fen);
        if ((reached.count?.ply ?? 0) > (reached.count?.limit ?? 9999)) break;
    }
    await expect(page.locator(".told")).toHaveText(end);
}

test("a win is played to mate, and is known from then on", async ({ page }) => {
    await begin(page, /King and rook/);
    await expect(page.locator(".moves")).toHaveCount(0);
    await expect(page.locator(".arrow")).toHaveCount(0);
    await playOut(page, COURSE[0]!.fen, /Mate, in time!/);
    await expect(page.locator(".bout")).toContainText("Without a mistake, without help.");
    await expect(page.getByRole("button", { name: "Next lesson" })).toBeVisible();
    await page.getByRole("button", { name: "To the course" }).click();
    await expect(page.getByRole("button", { name: /King and rook/ })).toContainText("●○○○○");
    await page.reload();
    await expect(page.getByRole("button", { name: /King and rook/ })).toContainText("●○○○○");
    await expect(page.getByText("Nothing today.")).toBeVisible();
});

test("a save is found and lasts until the count has run out, called out as it goes", async ({ page }) => {
    await begin(page, /Giving the rook/);
    await playOut(page, ROOKS, /saved!/);
    // At the end no move may be left to count; before, some were.
    await page.getByRole("button", { name: "From the start" }).click();
    await expect(page.locator(".told")).toContainText("to move: you");
    await drag(page, square(page, "h2"), square(page, "b2"));
    await expect(page.locator(".spoken")).toContainText("The count goes to");
});

test("a mistake is named at once and can be mended; hints come by steps; it comes back", async ({ page }) => {
    await begin(page, /A khon not to be taken/);
    await drag(page, square(page, "e2"), square(page, "e3"));
    await expect(page.locator(".told")).toHaveText("Rxe3+ lets the win slip. Try another move.");
    await expect(square(page, "e3")).toHaveAttribute("aria-label", /Black khon/);
    for (const hint of ["Move the rook.", "It goes to e1.", "Re1 is best."]) {
        await page.getByRole("button", { name: "Hint" }).click();
        await expect(page.locator(".bout .hint")).toHaveText(hint);
    }
    await expect(page.locator(".arrow")).toHaveCount(1);
    await page.getByRole("button", { name: "Give up" }).click();
    await expect(page.locator(".slip-list")).toContainText("Rxe3+ was the mistake. This would have held: Re1");
    await page.getByRole("button", { name: "To the course" }).click();
    await expect(page.getByRole("heading", { name: "To repeat: 1" })).toBeVisible();
    await page.getByRole("button", { name: "Repeat the next one" }).click();
    await expect(page.getByRole("heading", { name: "A khon not to be taken" })).toBeVisible();
    await page
        .getByRole("button", { name: "Look at it with the tables" })
        .or(page.getByRole("button", { name: "Give up" }))
        .click();
    await page.getByRole("button", { name: "Look at it with the tables" }).click();
    await expect(page.locator(".verdict h2")).toHaveText("White wins");
    await expect(move(page, "Re1")).toBeVisible();
});

test("mistakes are named at the end, if so wished", async ({ page }) => {
    await page.goto("/?train");
    await page.getByText("at the end", { exact: true }).click();
    await page.getByRole("button", { name: /A khon not to be taken/ }).click();
    await expect(page.locator(".told")).toContainText("to move: you");
    await drag(page, square(page, "e2"), square(page, "e3"));
    await expect(page.locator(".told")).toContainText("The answer is");
    await page.getByRole("button", { name: "Give up" }).click();
    await expect(page.locator(".slip-list li").first()).toContainText("Rxe3+ was the mistake.");
});

test("practice finds a position that fits, against traps too; what was learnt goes to a file and back", async ({
    page,
}) => {
    await page.goto("/?train");
    await page.getByText("the best trap", { exact: true }).click();
    await page.getByRole("combobox", { name: "Ending" }).selectOption("KRvKS");
    await page.getByText("3 to spare", { exact: true }).click();
    await page.getByRole("button", { name: "Begin" }).click();
    await expect(page.locator(".told")).toContainText("White to move: you.");
    await expect(page.locator('.cell:not([data-man=""])')).toHaveCount(4);
    await page.getByRole("button", { name: "Give up" }).click();
    await page.getByRole("button", { name: "To the course" }).click();
    await expect(page.getByText("1 position remembered on this device.")).toBeVisible();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as a file" }).click();
    const file = await (await saved).path();
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expect(page.getByText("0 positions remembered on this device.")).toBeVisible();
    await page.locator('input[type="file"]').setInputFiles(file);
    await expect(page.getByText("Read. 1 positions are remembered now.")).toBeVisible();
});

test("the trainer speaks Thai and French, by keyboard, and axe finds nothing", async ({ page }) => {
    test.slow();
    const check = async () => {
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
    };
    await page.goto("/?train");
    await expect(page.getByRole("combobox", { name: "Ending" }).locator("option").first()).toBeAttached();
    await check();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.getByRole("button", { name: /Two rooks/ }).focus();
    await page.keyboard.press("Enter");
    await expect(page.locator(".told")).toContainText("to move: you");
    await square(page, "b4").focus();
    await page.keyboard.press("Enter");
    await expect(page.locator(".cell.target").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await check();
    await page.getByRole("combobox", { name: "Language" }).selectOption("th");
    await expect(page.getByRole("heading", { name: "เรือสองลำต้องรีบ" })).toBeVisible();
    await page.getByRole("combobox", { name: "ภาษา" }).selectOption("fr");
    await expect(page.getByRole("heading", { name: "Deux tours pressées" })).toBeVisible();
});

test("a position on the board is practised from there, whoever is to move", async ({ page }) => {
    await page.goto(`/?fen=${ROOKS.replaceAll(" ", "_")}`);
    await page.getByRole("button", { name: "Practise from here" }).click();
    await expect(page.locator(".goal")).toHaveText("You have Black: save the draw.");
    await drag(page, square(page, "h2"), square(page, "b2"));
    await expect(page.locator(".told")).toContainText("The answer is");
    await page.goBack();
    await expect(page.locator(".verdict h2")).toHaveText("Draw by the count");
    // The other side begins: the page moves first.
    await page.goto("/?fen=8/8/k7/8/8/8/1R6/5K2_b");
    await expect(page.locator(".verdict h2")).toHaveText("White wins");
    await page.getByRole("button", { name: "Practise from here" }).click();
    await expect(page.locator(".goal")).toHaveText("You have White: mate before the count has run out.");
    await expect(page.locator(".told")).toContainText("The answer is");
});
