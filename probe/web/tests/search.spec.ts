// The search: results fit the form, and the address keeps it.
import { readFile } from "node:fs/promises";
import { expect, test, type Page } from "@playwright/test";
import { square, verdict } from "./helpers.ts";

const found = (page: Page) => page.locator(".search .miniature");

test("saves are searched by what they are like, and one is solved", async ({ page }) => {
    await page.goto("/?find");
    await page.getByRole("combobox", { name: "Ending" }).selectOption("KRvKS");
    await page.getByRole("combobox", { name: "The saving move gives up" }).selectOption("last");
    await page.getByRole("checkbox", { name: "Only one move saves" }).check();
    await page.getByRole("combobox", { name: "The king of the side that counts" }).selectOption("edge");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(found(page).first()).toBeVisible();
    expect(page.url()).toContain("find&in=KRvKS&given=last&king=edge&unique=1");
    const fens = await found(page).evaluateAll((all) => all.map((each) => (each as HTMLElement).title));
    for (const fen of fens.slice(0, 4)) {
        const { category, moves } = await (await page.request.get(`/v1/explore?fen=${encodeURIComponent(fen)}`)).json();
        expect(category).toBe("blessed-loss");
        const saving = moves.filter((move: { category: string }) => move.category !== "loss");
        expect(saving).toHaveLength(1);
        expect(saving[0].sacrifice).toBeDefined();
    }
    // A reload, and the way back from the board, find the same.
    await page.reload();
    await expect(found(page).first()).toHaveAttribute("title", fens[0]!);
    await found(page).first().click();
    // It is a task of the trainer, and the next one follows.
    const task = () => new URL(page.url()).searchParams.get("task")?.replaceAll("_", " ");
    await expect(page.locator(".bout")).toContainText("save the draw");
    // Space does nothing there, and nobody says that it does.
    await expect(page.locator(".keys-only")).toHaveCount(0);
    expect(task()).toBe(fens[0]);
    await page.getByRole("button", { name: "Give up" }).click();
    await page.getByRole("button", { name: "Another one" }).click();
    await expect.poll(task).toBe(fens[1]);
    await page.goBack();
    await expect(found(page).first()).toHaveAttribute("title", fens[0]!);
});

test("where men stand is drawn, by tap and by keyboard", async ({ page }) => {
    await page.goto("/?find&in=KRvKS");
    await expect(page.locator(".search [role=status]")).toContainText(/12 shown of [\d,]+/);
    await page.getByText("Where men stand", { exact: true }).click();
    await page.getByRole("button", { name: "Black khon" }).click();
    await square(page, "a1").click();
    await square(page, "a2").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Black khon, 2" })).toBeVisible();
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page).toHaveURL(/ats=a1a2/);
    await expect(found(page)).toHaveCount(12);
    const fens = await found(page).evaluateAll((all) => all.map((each) => (each as HTMLElement).title));
    for (const fen of fens) expect(fen.split(" ")[0]).toMatch(/\/s[^/]*\/[^/]*$|\/s[^/]*$/);
});

test("what was found goes into a file, and more is found from where it stopped", async ({ page }) => {
    await page.goto("/?find&in=KRvKS&given=last");
    await expect(found(page)).toHaveCount(12);
    await page.getByRole("button", { name: "More" }).click();
    await expect(found(page)).toHaveCount(24);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as PGN" }).click();
    const pgn = await readFile(await (await saved).path(), "utf8");
    const answer = await page.request.post("/v1/analyse", { data: { pgn } });
    const { games } = await answer.json();
    expect(games).toHaveLength(24);
    expect(games.every(({ positions }: { positions?: unknown[] }) => positions?.length === 2)).toBe(true);
});

const fensOf = (page: Page) => found(page).evaluateAll((all) => all.map((each) => (each as HTMLElement).title));

test("wins are searched: tight ones, and those that a capture throws away", async ({ page }) => {
    await page.goto("/?find");
    await page.getByRole("combobox", { name: "Find", exact: true }).selectOption("wins");
    await page.getByRole("combobox", { name: "Ending" }).selectOption("KRvKS");
    await page.getByRole("combobox", { name: "A capture that throws it away" }).selectOption("last");
    await page.getByRole("checkbox", { name: "Only one move wins" }).check();
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(found(page)).toHaveCount(12);
    expect(page.url()).toContain("kind=wins");
    await expect(found(page).first()).toContainText("throws it away");
    for (const fen of (await fensOf(page)).slice(0, 4)) {
        const { category, moves } = await (await page.request.get(`/v1/explore?fen=${encodeURIComponent(fen)}`)).json();
        expect(category).toBe("win");
        expect(moves.filter((move: { category: string }) => move.category === "win")).toHaveLength(1);
        const spoils = moves.filter(
            (move: { category: string; bares_king: boolean }) => move.bares_king && move.category !== "win",
        );
        expect(spoils.length).toBeGreaterThan(0);
    }
    await found(page).first().click();
    await expect(page.locator(".bout")).toContainText("mate before the count has run out");
    await page.goto("/?find&in=KRvK&kind=wins&spareMost=0&side=white");
    await expect(found(page).first()).toContainText(/needs (\d+) of \1,/);
    // With a pawn on the board no count runs.
    await page.goto("/?find&in=KRPvK&kind=wins&side=white");
    await expect(found(page).first()).toContainText(/needs \d+ moves?, \d+ of \d+ moves win/);
});

test("zugzwangs are searched, and say of what kind they are", async ({ page }) => {
    await page.goto("/?find&in=KSSvK&kind=zugzwangs&byCount=1&side=white");
    await expect(found(page)).toHaveCount(12);
    await expect(found(page).first()).toContainText("by the count");
    const [fen] = await fensOf(page);
    const ask = async (fen: string) =>
        (await (await page.request.get(`/v1/explore?fen=${encodeURIComponent(fen)}`)).json()).category as string;
    const other = fen!.replace(" w ", " b ");
    // White to move does not win in time; with Black to move White does.
    expect([await ask(fen!), await ask(other)]).toEqual(["cursed-win", "loss"]);
    await found(page).first().click();
    await expect(verdict(page).locator("h2")).toHaveText("Draw by the count");
});

test("further conditions are typed in the filter's words, and a mistake in them has its place", async ({ page }) => {
    await page.goto("/?find&in=KRvKS&king=edge");
    await expect(found(page).first()).toBeVisible();
    const typed = page.getByRole("textbox", { name: "And, in the filter’s words" });
    await typed.fill("kind=offer and not check");
    const asked = page.waitForRequest(/\/v1\/saves\?/);
    await typed.press("Enter");
    const where = new URL((await asked).url()).searchParams.get("where");
    expect(where).toBe("king=edge and (kind=offer and not check) and legal>=2");
    await expect(found(page).first()).toBeVisible();
    await typed.fill("uniqe");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.locator(".search [role=status]")).toContainText("Cannot be read from character");
    await expect(page.locator(".search [role=status]")).toContainText("uniqe");
});

test("another kind is chosen from the keyboard, and has its own conditions", async ({ page }) => {
    await page.goto("/?find&in=KSSvK");
    await expect(page.getByRole("spinbutton", { name: "Moves the attacker is short, at least" })).toBeVisible();
    await page.getByRole("combobox", { name: "Find", exact: true }).focus();
    // The last of the list.
    await page.keyboard.press("End");
    await expect(page.getByRole("combobox", { name: "Find", exact: true })).toBeFocused();
    await expect(page.getByRole("checkbox", { name: "Whoever moves loses" })).toBeVisible();
    await page.getByRole("spinbutton", { name: "Moves to mate without the count, at least" }).fill("9");
    await page.keyboard.press("Enter");
    await expect(found(page)).toHaveCount(12);
    await expect(page).toHaveURL(/kind=zugzwangs.*mateLeast=9/);
});

test("what is found first is a sample of the table: no neighbours, nothing forced, the hardest first", async ({
    page,
}) => {
    await page.goto("/?find&in=KRvKM");
    await expect(found(page)).toHaveCount(12, { timeout: 120_000 });
    const first = await fensOf(page);
    const kings = new Set(first.map((fen) => fen.split(" ")[0]!.replace(/[^Kk\d/]/g, "1")));
    expect(kings.size).toBeGreaterThan(6);
    const shares: number[] = [];
    for (const caption of await found(page).locator(".caption").allTextContents()) {
        const [, drawing, legal] = /^(\d+) of (\d+) moves draw$/.exec(caption)!;
        expect(Number(legal)).toBeGreaterThan(1);
        shares.push(Number(drawing) / Number(legal));
    }
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    // The address finds the same again; another search another sample.
    await page.reload();
    await expect(found(page)).toHaveCount(12, { timeout: 120_000 });
    expect(await fensOf(page)).toEqual(first);
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page).toHaveURL(/lot=\d+/);
});

test("a sample is spread over the table, also where one side has no such position", async ({ page }) => {
    await page.goto("/?find");
    await expect(page.getByRole("checkbox", { name: "Only one move saves" })).toBeChecked();
    // White is never saved here: no place is drawn for White, to run on to Black's first cells.
    await page.goto("/?find&in=KRvK");
    await expect(found(page)).toHaveCount(12, { timeout: 120_000 });
    const fens = await fensOf(page);
    expect(fens.filter((fen) => /\/K[^/]* b /.test(fen)).length).toBeLessThan(6);
    expect(new Set(fens.map((fen) => fen.split(" ")[0]!.replace(/[Rr\d]/g, ""))).size).toBeGreaterThan(4);
});
