// The trainer: its course is compared with the tables, and bouts are played to their ends.
import { readFileSync } from "node:fs";
import { type APIRequestContext, expect, type Locator, test, type Page } from "@playwright/test";
import { COURSE } from "../src/trainer/course.ts";
import { keeps, keyOf } from "../src/trainer/task.ts";
import { nameOf, namesAt, readFen } from "../src/position.ts";
import { Memory } from "../src/trainer/memory.ts";
import type { Explored, Known, MaterialEntry } from "../src/api.ts";
import { drag, KHON, move, open, pasteHere, ROOKS, speak, square, unfold } from "./helpers.ts";

const explore = async (request: APIRequestContext, fen: string): Promise<Explored> =>
    (await request.get(`/v1/explore?fen=${encodeURIComponent(fen)}`)).json();

/** A position that the tables judge, and its moves as far as they judge them. */
async function judged(request: APIRequestContext, fen: string) {
    const position = await explore(request, fen);
    if (position.status === "unjudged") throw new Error(`${fen}: ${position.error}`);
    return { ...position, moves: position.moves.filter((move) => move.status === "judged") };
}

const puzzleLines = (path: string): string[] =>
    readFileSync(new URL(path, import.meta.url), "utf8")
        .trimEnd()
        .split("\n");

test("puzzles are those that the tables prove, and are begun by theme or as that of the day", async ({ page }) => {
    const lines = puzzleLines("../../service/page/puzzles.txt");
    expect(lines).toHaveLength(2000);
    // The list that a test of the tables proves.
    expect(lines).toEqual(puzzleLines("../../../tables/stats/puzzles/puzzles-trainer.txt"));
    expect(new Set(lines.map((line) => keyOf(line.split(" ").slice(2).join(" ")))).size).toBe(2000);
    await page.goto("/?train");
    const another = page.getByRole("button", { name: "Another one" });
    await expect(another).toBeVisible();
    const daily = page.getByRole("button", { name: /^Puzzle of the day, .+: .+ [★☆]{3}$/ });
    await daily.click();
    await expect(page.locator(".ring .goal")).toBeVisible();
    await page.getByRole("button", { name: "To the course" }).click();
    await page.getByRole("radiogroup", { name: "Theme" }).getByText("Save the draw by the count").click();
    await expect(page.locator(".trainer")).toContainText(/0 of \d+ solved/);
    await another.click();
    await expect(page.locator(".ring .goal")).toContainText("save the draw");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Save the draw by the count [★☆]{3}$/);
    // The puzzles come with the trainer; without them it says so, and asks again.
    await page.route(/puzzles\.txt/, (route) => route.abort());
    await page.goto("/?train");
    await expect(page.locator(".trainer [role=alert]")).toContainText("could not be loaded");
    await expect(page.getByRole("heading", { name: "The course" })).toBeVisible();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await another.click();
    await expect(page.locator(".ring .goal")).toContainText("save the draw");
    // The only move, played with hints, does not count as a success.
    for (let step = 0; step < 3; step++) await page.getByRole("button", { name: "Hint" }).click();
    await expect(page.locator(".hint")).toContainText("is best");
});

test("the course says what the tables say", async ({ request }) => {
    expect(COURSE).toHaveLength(26);
    // A list that a test of the tables proves has the two disputes, whose tables of five men these tests build not.
    const listed = puzzleLines("../../../tables/stats/disputes.tsv").map((line) => line.split("\t"));
    for (const { name, fen, goal, needs, left, keeping } of COURSE) {
        const position = await explore(request, fen);
        if (position.status === "unjudged") {
            expect(["khonsPawn", "rooksPawn"]).toContain(name);
            const [, , category, , conversion, , , winning] = listed.find(([at, move]) => at === fen && move === "-")!;
            expect([category, Number(conversion), Number(winning)], name).toEqual([goal, needs, keeping]);
            continue;
        }
        expect(position.category, name).toBe(goal === "win" ? "win" : "blessed-loss");
        expect(position.count.attacker_moves_left, name).toBe(left);
        const plies = position.begins?.counts ? position.dtm : position.dtz;
        expect(plies ? Math.ceil(Math.abs(plies) / 2) : null, name).toBe(needs);
        expect(position.moves.filter((move) => move.status === "judged" && keeps(move, goal)).length, name).toBe(
            keeping,
        );
    }
    // Claims that stand in words.
    const poison = (await judged(request, KHON)).moves.find(({ san }) => san === "Rxe3+")!;
    expect([poison.category, Math.floor(poison.dtm! / 2), poison.attacker_moves_left]).toEqual(["cursed-win", 15, 13]);
    const take = await judged(request, COURSE.find(({ name }) => name === "take")!.fen);
    for (const capture of take.moves.filter(({ capture }) => capture)) {
        expect([capture.category, capture.attacker_moves_left]).toEqual(["win", 13]);
    }
    // The met, the rook and the met with check: each capture comes too late, by the count that it begins.
    for (const name of ["offerCheck", "metBait", "rookStep"]) {
        const [saved] = (await judged(request, COURSE.find((lesson) => lesson.name === name)!.fen)).moves;
        expect(saved!.category, name).toBe("blessed-loss");
        expect(saved!.sacrifice!.needed, name).toBeGreaterThan(saved!.sacrifice!.left!);
    }
    const chase = (await judged(request, COURSE.find(({ name }) => name === "chase")!.fen)).moves;
    const early = chase.filter(({ bares_king }) => bares_king);
    expect(early.map(({ category }) => category)).toEqual(["cursed-win", "cursed-win"]);
    // One move alone does not make a stalemate.
    const net = (await judged(request, COURSE.find(({ name }) => name === "rooksNet")!.fen)).moves;
    expect(net[0]!.san).toBe("Rh2+");
    const bait = await judged(request, COURSE.find(({ name }) => name === "bait")!.fen);
    const [offered] = bait.moves.filter(({ sacrifice }) => sacrifice);
    expect(offered!.sacrifice!.left).toBe(13);
    expect(offered!.sacrifice!.needed).toBeGreaterThan(13);
    const offer = (await judged(request, ROOKS)).moves.find(({ sacrifice }) => sacrifice)!;
    expect(offer.sacrifice!.needed).toBeGreaterThan(offer.sacrifice!.left!);
    // Pawns: the move that begins the count too soon, and the one that begins it in time.
    const course = (name: string) => COURSE.find((lesson) => lesson.name === name)!.fen;
    const tooSoon = (await judged(request, course("promote"))).moves.find(({ san }) => san === "d6=M")!;
    expect([tooSoon.category, Math.floor(tooSoon.dtm! / 2), tooSoon.attacker_moves_left]).toEqual([
        "cursed-win",
        13,
        12,
    ]);
    const promote = await judged(request, course("promote"));
    // No other move mates sooner.
    expect(tooSoon.dtm).toBe(promote.dtm);
    const taken = (await judged(request, course("hold"))).moves.find(({ san }) => san === "Kxg6")!;
    expect([taken.category, Math.floor(taken.dtm! / 2), taken.attacker_moves_left]).toEqual(["cursed-win", 14, 13]);
    const [away] = (await judged(request, course("giveaway"))).moves;
    expect([away!.san, away!.begins_count, away!.sacrifice!.offered]).toEqual(["b3=M+", true, true]);
    expect([away!.sacrifice!.capture, away!.sacrifice!.needed, away!.sacrifice!.left]).toEqual(["Kxb3", 14, 13]);
    for (const name of ["promote", "hold", "giveaway"]) {
        const position = await judged(request, course(name));
        expect([position.begins, position.count.rule], name).toEqual([null, "none"]);
    }
    // The disputes: each capture begins a count that leaves too few moves, and their tables are here.
    for (const [fen, needed, left] of [
        ["8/8/5k2/7S/6S1/8/3K4/8 b - 44 8 1", 23, 18],
        ["8/8/5k2/7S/7S/8/3K4/8 b - 44 8 1", 25, 18],
        ["8/8/5k2/7R/8/6R1/3K4/8 b - 16 8 1", 5, 4],
    ] as const) {
        const taken = await judged(request, fen);
        expect([taken.category, Math.ceil(-taken.dtm! / 2)], fen).toEqual(["blessed-loss", needed]);
        expect(taken.count.attacker_moves_left, fen).toBe(left);
    }
    const longest = await (await request.get("/v1/tables/KNMvK")).json();
    expect(Math.ceil(longest.dtm.white.max_win_plies / 2)).toBe(36);
});

test("the course has three groups, each with a board and how far one is, and one button goes on", async ({ page }) => {
    await page.goto("/?train");
    const groups = page.locator(".group");
    await expect(groups.locator("summary b")).toHaveText(["A bare king", "Taking and giving", "The last pawn"]);
    await expect(groups.locator("summary .mini")).toHaveCount(3);
    await expect(groups.locator("progress")).toHaveCount(3);
    // The group of the next lesson is open.
    await expect(groups.nth(0)).toHaveAttribute("open");
    await expect(groups.nth(1)).not.toHaveAttribute("open");
    // Its lessons are below its title.
    const [title, lessons] = [groups.first().locator("summary"), groups.first().locator("ol")];
    expect((await lessons.boundingBox())!.y).toBeGreaterThan((await title.boundingBox())!.y + 40);
    const on = page.getByRole("button", { name: /^Go on/ });
    await expect(on).toHaveText("Go on: King and rook");
    // With all lessons known it goes on to the puzzle of the day.
    const known = COURSE.map(({ key, fen, side, goal }) => ({ key, fen, side, goal, level: 2, due: 9e15, tries: 2 }));
    await page.evaluate((memos) => localStorage.setItem("makruk-training", JSON.stringify(memos)), known);
    await page.reload();
    await expect(on).toHaveText("Go on: Puzzle of the day");
    await expect(groups.first()).toContainText("13 of 13 solved");
    await on.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Puzzle of the day, /);
    await expect(page).toHaveTitle(/^Puzzle of the day/);
});

test("a group that is opened before the tables are known stays open, as the search's board does", async ({ page }) => {
    for (const [address, title] of [
        ["/?train", "The last pawn"],
        ["/?find", "Where men stand"],
    ] as const) {
        let arrive = () => {};
        const held = new Promise<void>((done) => (arrive = done));
        await page.route("**/v1/materials", (route) => held.then(() => route.continue()));
        await page.goto(address);
        const fold = page.locator("details", { hasText: title });
        await fold.locator("summary").click();
        const drawn = await fold.elementHandle();
        arrive();
        // It is made anew, and open.
        await expect.poll(() => drawn!.evaluate(({ isConnected }) => isConnected)).toBe(false);
        await expect(fold).toHaveAttribute("open");
        await page.unrouteAll();
    }
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
});

/** A lesson of the course, whose group is unfolded. */
const lessonIn = async (page: Page, name: RegExp): Promise<Locator> => {
    await expect(page.locator(".group")).toHaveCount(3);
    await unfold(page);
    return page.locator(".lesson", { hasText: name });
};

async function begin(page: Page, lesson: RegExp): Promise<void> {
    await page.goto("/?train");
    await (await lessonIn(page, lesson)).click();
    await expect(page.locator(".told")).toContainText("to move: you");
}

/** Plays a task to its end with the best moves, as the opponent does. */
async function playOut(page: Page, fen: string, end: RegExp): Promise<void> {
    for (let round = 0; round < 80; round++) {
        const { moves } = await judged(page.request, fen);
        const [best] = moves;
        await square(page, best!.uci.slice(0, 2)).click();
        await square(page, best!.uci.slice(2, 4)).click();
        const after = await judged(page.request, best!.fen);
        const isSpent = ({ count }: Known) => (count.ply ?? 0) >= (count.limit ?? 9999) && !count.attacker_moves_left;
        const isOver = after.moves.length === 0 || isSpent(after);
        if (isOver) break;
        fen = after.moves[0]!.fen;
        const reached = await judged(page.request, fen);
        if (isSpent(reached)) break;
        await expect(page.locator(".told")).toContainText(after.moves[0]!.san);
    }
    await expect(page.locator(".told")).toHaveText(end);
}

/** Plays the best move of a bout, and waits for the answer. */
async function playBest(page: Page): Promise<void> {
    const before = await now(page);
    const [best] = (await judged(page.request, before)).moves;
    await square(page, best!.uci.slice(0, 2)).click();
    await square(page, best!.uci.slice(2, 4)).click();
    await expect.poll(() => now(page)).not.toBe(before);
}

test("a win is played to mate, and is known from then on", async ({ page }) => {
    await begin(page, /King and rook/);
    await expect(page.locator(".moves")).toHaveCount(0);
    await expect(page.locator(".arrow")).toHaveCount(0);
    await playOut(page, COURSE[0]!.fen, /Mate, in time!/);
    await expect(page.locator(".bout")).toContainText("Without a mistake, without help.");
    await expect(page.getByRole("button", { name: "Next lesson" })).toBeVisible();
    await page.getByRole("button", { name: "To the course" }).click();
    await expect(page.locator(".lesson").first()).toContainText("●○○○○");
    await page.reload();
    await expect(page.locator(".lesson").first()).toContainText("●○○○○");
    await expect(page.locator(".group").first()).toContainText("1 of 13 solved");
    await expect(page.getByRole("button", { name: "Go on: Mate at the edge" })).toBeVisible();
});

test("the last pawn waits for its moment, and the win is played to mate", async ({ page }) => {
    await begin(page, /Promote or wait/);
    await expect(page.locator(".no-count")).toHaveText("No count while a pawn is on the board.");
    await expect(page.locator(".no-count")).toBeVisible();
    await drag(page, square(page, "d5"), square(page, "d6"));
    await expect(page.locator(".told")).toContainText("d6=M lets the win slip.");
    await page.getByRole("button", { name: "From the start" }).click();
    await expect(page.locator(".told")).toContainText("to move: you");
    await playOut(page, COURSE.find(({ name }) => name === "promote")!.fen, /Mate, in time!/);
    await expect(page.locator(".no-count")).toHaveCount(0);
});

test("a pawn is given away, and the count that begins saves", async ({ page }) => {
    await begin(page, /A pawn given away/);
    await expect(page.locator(".no-count")).toBeVisible();
    await drag(page, square(page, "b4"), square(page, "b3"));
    await expect(page.locator(".told")).toContainText("The answer is Kxb3");
    await expect(page.locator(".no-count")).toHaveCount(0);
    // The first number is called with the first move of the bare king.
    await expect(page.locator(".spoken")).toHaveCount(0);
    await playBest(page);
    await expect(page.locator(".spoken")).toHaveText("“4!” The count goes to 16.");
});

test("a save is found and lasts until the count has run out, called out as it goes", async ({ page }) => {
    await begin(page, /Giving the rook/);
    await playOut(page, ROOKS, /saved!/);
    // At the end no move may be left to count; before, some were.
    await page.getByRole("button", { name: "From the start" }).click();
    await expect(page.locator(".told")).toContainText("to move: you");
    await drag(page, square(page, "h2"), square(page, "b2"));
    await expect(page.locator(".told")).toContainText("The answer is");
    await playBest(page);
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
    await page.getByRole("button", { name: "Go on: To repeat: 1" }).click();
    await expect(page.getByRole("heading", { name: "A khon not to be taken" })).toBeVisible();
    await page
        .getByRole("button", { name: "Look at it with the tables" })
        .or(page.getByRole("button", { name: "Give up" }))
        .click();
    await page.getByRole("button", { name: "Look at it with the tables" }).click();
    await expect(page.locator(".verdict h2")).toHaveText("White wins");
    await expect(move(page, "Re1")).toBeVisible();
});

test("practice finds a position that fits", async ({ page }) => {
    await page.goto("/?train");
    await page.getByRole("combobox", { name: "Ending" }).selectOption("KRvKS");
    await page.getByText("3 to spare", { exact: true }).click();
    await page.getByRole("button", { name: "Begin" }).click();
    await expect(page.locator(".told")).toContainText("White to move: you.");
    await expect(page.locator('.cell:not([data-man=""])')).toHaveCount(4);
    await page.getByRole("button", { name: "Give up" }).click();
    await page.getByRole("button", { name: "To the course" }).click();
    await expect(page.getByText("1 position remembered on this device.")).toBeVisible();
});

test("the trainer speaks Thai and French, by keyboard", async ({ page }) => {
    await page.goto("/?train");
    await expect(page.getByRole("combobox", { name: "Ending" }).locator("option").first()).toBeAttached();
    await page.getByRole("link", { name: /Two rooks in a hurry/ }).focus();
    await page.keyboard.press("Enter");
    await expect(page.locator(".told")).toContainText("to move: you");
    await square(page, "b4").focus();
    await page.keyboard.press("Enter");
    await expect(page.locator(".cell.target").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await speak(page, "th");
    await expect(page.getByRole("heading", { name: "เรือสองลำต้องรีบ" })).toBeVisible();
    await speak(page, "fr");
    await expect(page.getByRole("heading", { name: "Deux tours pressées" })).toBeVisible();
});

test("a position on the board is practised from there, whoever is to move", async ({ page }) => {
    await page.goto(`/?fen=${ROOKS.replaceAll(" ", "_")}`);
    await page.getByRole("button", { name: "Practise from here" }).click();
    await expect(page.locator(".goal")).toHaveText("You play Black: save the draw.");
    await drag(page, square(page, "h2"), square(page, "b2"));
    await expect(page.locator(".told")).toContainText("The answer is");
    await page.goBack();
    await expect(page.locator(".verdict h2")).toHaveText("Draw by the count");
    // The other side begins: the page moves first.
    await page.goto("/?fen=8/8/k7/8/8/8/1R6/5K2_b");
    await expect(page.locator(".verdict h2")).toHaveText("White wins");
    await page.getByRole("button", { name: "Practise from here" }).click();
    await expect(page.locator(".goal")).toHaveText("You play White: mate before the count has run out.");
    await expect(page.locator(".told")).toContainText("The answer is");
});

/** A draw that the count is about to save: Black is bare, and 14 of 16 are counted. */
const NEARLY = "8/6k1/8/8/8/8/2K5/R7 b - 32 28 1";
const asTask = (fen: string, goal: string, as: string) =>
    `/?train&task=${fen.replaceAll(" ", "_")}&goal=${goal}&as=${as}`;

test("no number beyond the limit is called: after the last move the count has run out", async ({ page }) => {
    await page.goto(asTask(NEARLY, "save", "black"));
    const called: string[] = [];
    const over = page.locator(".told.well");
    for (let move = 0; move < 5 && !(await over.isVisible()); move++) {
        await expect(page.locator(".told")).toContainText(/you|Your move/);
        const spoken = page.locator(".ring .spoken");
        if (await spoken.isVisible()) called.push((await spoken.textContent())!);
        // Any move of the king holds: the count ends soon.
        const { moves } = await judged(page.request, await now(page));
        const { uci } = moves.find(({ category }) => category === "blessed-loss" || category === "draw")!;
        await square(page, uci.slice(0, 2)).click();
        await square(page, uci.slice(2)).click();
        await expect(page.locator(".told")).not.toContainText("The page answers");
    }
    await expect(over).toContainText("The count has run out: saved!");
    await expect(page.locator(".ring .spoken")).toContainText("“16!”");
    for (const text of called) expect(text).toMatch(/“1[456]!” The count goes to 16\./);
});

/** The position of the bout on the board. */
const now = (page: Page): Promise<string> => page.evaluate(() => (history.state as { bout: { fen: string } }).bout.fen);

test("Back leaves a lesson for the course, Forward and a reload bring it back as it was", async ({ page }) => {
    await page.goto("/?train");
    await page.getByRole("link", { name: /^1\. / }).click();
    await expect(page).toHaveURL(/\?train=rook$/);
    const board = page.locator(".ring .board");
    await expect(page.locator(".told")).toContainText("White to move: you.");
    const first = await board.innerHTML();
    const { moves } = await judged(page.request, COURSE[0]!.fen);
    const { uci } = moves[0]!;
    await square(page, uci.slice(0, 2)).click();
    await square(page, uci.slice(2)).click();
    await expect(page.locator(".told")).toContainText("Your move");
    const later = await now(page);
    expect(await board.innerHTML()).not.toBe(first);
    await page.reload();
    await expect(page.locator(".told")).toBeVisible();
    await expect.poll(() => now(page)).toBe(later);
    await page.goBack();
    await expect(page.getByRole("heading", { name: "The course" })).toBeVisible();
    await page.goForward();
    await expect(page.locator(".ring .goal")).toBeVisible();
    await expect.poll(() => now(page)).toBe(later);
    // A lesson that failed leads on as well.
    await page.getByRole("button", { name: "Give up" }).click();
    await expect(page.getByRole("button", { name: "Next lesson" })).toBeVisible();
});

test("the puzzle of the day is one of a fixed list, keeps a streak, and is sent without moves", async ({ page }) => {
    await page.clock.setFixedTime(new Date("2026-03-04T12:00:00"));
    await page.goto("/");
    // The first page greets with four ways in.
    const ways = page.locator(".welcome .way");
    await expect(ways).toHaveText([/Solve/, /Look up/, /Learn/, /Count/]);
    await ways.first().click();
    await expect(page.locator(".ring .goal")).toBeVisible();
    // Its address is that of the day, and stays.
    await expect.poll(() => new URL(page.url()).search).toBe("?train=daily&day=2026-03-04");
    const shown = async () => {
        const men = await page
            .locator(".ring .cell:not([data-man=''])")
            .evaluateAll((all: HTMLElement[]) => all.map(({ dataset }) => `${dataset["square"]}${dataset["man"]}`));
        return men.sort().join(" ");
    };
    const menOf = (fen: string) =>
        readFen(fen)
            .squares.flatMap((man, square) => (man ? [`${nameOf(square)}${man}`] : []))
            .sort()
            .join(" ");
    // The puzzle of the day's number, or the next one whose tables are there.
    const { materials } = await (await page.request.get("/v1/materials")).json();
    const there = new Set(
        (materials as MaterialEntry[]).filter(({ totals }) => totals).map(({ material }) => material),
    );
    const fens = puzzleLines("../../service/page/puzzles.txt").map((line) => line.split(" ").slice(2).join(" "));
    const dailyOf = (day: number) => {
        const from = (Date.UTC(2026, 2, day) / (24 * 3600 * 1000)) % fens.length;
        return [...fens.slice(from), ...fens].find((fen) => namesAt(fen).some((name) => there.has(name)))!;
    };
    const title = /^Puzzle of the day, (4 March|March 4): /;
    await expect.poll(shown).toBe(menOf(dailyOf(4)));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await page.clock.setFixedTime(new Date("2027-01-03T12:00:00"));
    // Another day keeps that of the address, and has its own.
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await page.goto("/?train=daily");
    await expect.poll(shown).toBe(menOf(dailyOf(4 + 305)));
    await page.clock.setFixedTime(new Date("2026-03-04T12:00:00"));
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect.poll(shown).toBe(menOf(dailyOf(4)));
    await page.getByRole("button", { name: "Send to a friend" }).click();
    await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
    const sent = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    expect(sent.search).toBe("?train=daily&day=2026-03-04&lang=en");
    // A result is sent without its moves.
    await page.getByRole("button", { name: "Give up" }).click();
    await page.getByRole("button", { name: /Send to a friend|Copied/ }).click();
    await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toMatch(/^Puzzle of the day, .* · ✗ ○\nhttp\S+day=2026-03-04&lang=en$/);
    // The past days have links, and so has the puzzle that a friend sends.
    await page.goto("/?train");
    await page.locator(".earlier a").first().click();
    await expect(page).toHaveURL(/day=2026-03-03$/);
    await expect.poll(shown).toBe(menOf(dailyOf(3)));
    await page.evaluate(() => localStorage.setItem("makruk-streak", JSON.stringify({ day: 20515, days: 3, best: 5 })));
    await page.goto("/?train");
    await expect(page.locator(".streak")).toHaveText("3 days in a row, at best 5.");
    await page.clock.setFixedTime(new Date("2026-03-07T12:00:00"));
    await page.reload();
    await expect(page.getByRole("button", { name: /^Puzzle of the day/ })).toBeVisible();
    await expect(page.locator(".streak")).toHaveCount(0);
});

test("a task that its position does not have is refused, and one that cannot be read offers nothing to press", async ({
    page,
}) => {
    await page.goto(`/?train&task=${ROOKS.replaceAll(" ", "_")}&goal=win&as=white`);
    await expect(page.locator(".bout .problem-text")).toHaveText("Draw by the count.");
    await expect(page.locator(".bout button")).toHaveText(["Look at it with the tables", "To the course"]);
    await page.goto("/?train&task=rubbish&goal=win&as=white");
    await expect(page.locator(".bout .problem-text")).toContainText("Rank");
    await expect(page.locator(".bout button")).toHaveText(["To the course"]);
});

test("a lesson's end says how far the group is, and the end of the course says so", async ({ page }) => {
    const left = COURSE.filter(({ name }) => name !== "take");
    await page.goto("/?train");
    await page.evaluate(
        (memos) => localStorage.setItem("makruk-training", JSON.stringify(memos)),
        left.map(({ key, fen, goal, side }) => ({ key, fen, goal, side, level: 1, due: 4e12, tries: 1 })),
    );
    await page.goto("/?train=chase");
    await expect(page.locator(".told")).toContainText("to move");
    await expect(page.locator(".bout progress")).toHaveAttribute("aria-label", "needs 3 moves");
    await page.getByRole("button", { name: "Give up" }).click();
    await expect(page.locator(".course-progress")).toHaveText("Taking and giving: 6 of 8 solved");
    await expect(page.locator(".medal")).toHaveCount(0);
    // The last lesson ends the course, with a picture of the men.
    const edge = COURSE.find(({ name }) => name === "edge")!;
    await page.evaluate(
        (memos) => localStorage.setItem("makruk-training", JSON.stringify(memos)),
        COURSE.filter((lesson) => lesson !== edge).map((lesson) => ({ ...lesson, level: 1, due: 4e12, tries: 1 })),
    );
    await page.goto("/?train=edge");
    await expect(page.locator(".told")).toContainText("to move");
    await playOut(page, edge.fen, /Mate, in time!/);
    await expect(page.locator(".course-progress")).toContainText("★ The course: 26 of 26 solved");
    await expect(page.locator(".medal .man")).toHaveCount(6);
});

test("mistakes of a pasted game become tasks, in a notebook that is saved and read", async ({ page }) => {
    await open(page, ROOKS);
    await pasteHere(page, `[White "Anan"]\n[Black "Boon"]\n[FEN "${KHON}"]\n1. Rd2 Kf4 2. Rd3 *`);
    // A move that only loses time makes no task.
    await expect(page.locator(".game .exercise")).toHaveText(["1. Rd2??", "1... Kf4??"]);
    await page.locator(".game .exercise").last().click();
    await expect(page.locator(".ring .goal")).toContainText("You play Black: save the draw");
    // A draw that nobody can win: its move is the task.
    await drag(page, square(page, "e3"), square(page, "d2"));
    await expect(page.locator(".ring")).toContainText("Held: the draw is yours.");
    await page.goBack();
    await expect(page.locator(".game .exercise")).toHaveCount(2);
    await page.locator(".game .exercise").first().click();
    await expect(page.locator(".ring .goal")).toContainText("You play White: mate before the count has run out");
    await drag(page, square(page, "e2"), square(page, "d2"));
    await expect(page.locator(".ring")).toContainText("Rd2 lets the win slip");
    await page.getByRole("button", { name: "To the course" }).click();
    // The mistake that is solved comes back later.
    const mistakes = page.locator("#main").getByRole("link", { name: /\?\? Anan – Boon/ });
    await expect(mistakes).toHaveText([/1\. Rd2\?\? .*to repeat/, /1\.\.\. Kf4\?\? .*●○○○○/]);
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as PGN" }).click();
    const saved = readFileSync(await (await saving).path(), "utf8");
    expect(saved.match(/^\[Event "Anan – Boon"\]$/gm)).toHaveLength(2);
    expect(saved).toContain("\n1. Rd2?? *\n");
    expect(saved).toContain("\n1... Kf4?? *\n");
    // Another device.
    await page.evaluate(() => localStorage.clear());
    await page.goto("/?train");
    await expect(mistakes).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Save as PGN" })).toBeDisabled();
    const buffer = Buffer.from(`${saved}\n[FEN "${KHON}"]\n\n1. Re1 *\n`);
    await page.locator("#mistakes-file").setInputFiles({ name: "mistakes.pgn", mimeType: "text/plain", buffer });
    await expect(page.locator(".trainer")).toContainText("2 of 3 mistakes read.");
    await expect(mistakes).toHaveCount(2);
    await mistakes.first().click();
    await expect(page.locator(".ring .goal")).toBeVisible();
});
