import { expect, test } from "@playwright/test";
import { endings, fenOf, KHON, move, open } from "./helpers.ts";

test("endings are listed, searched and sorted; those that are missing name their command", async ({ page }) => {
    await page.goto("/?materials");
    const rows = endings(page);
    await expect(rows).toHaveCount(142);
    await page.getByRole("searchbox").fill("KRRvKR");
    await expect(rows.first()).toContainText("31");
    await page.getByRole("searchbox").fill("KSSvKS");
    await expect(rows.first()).toContainText("makruk-gen build KSSvKS");
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: "3 men" }).click();
    await expect(rows).toHaveCount(5);
});

test("an ending shows its totals, how long its wins take, and positions to look at", async ({ page }) => {
    await page.goto("/?materials");
    await page.getByRole("link", { name: "K+R v K+khon", exact: true }).click();
    await expect(page).toHaveURL(/\?material=KRvKS$/);
    await expect(page.locator(".totals").first()).toContainText("White wins");
    const colours = await page
        .locator(".totals .shares")
        .first()
        .locator("span")
        .evaluateAll((all) => all.map((part) => getComputedStyle(part).backgroundColor));
    expect(new Set(colours).size).toBe(3);
    await expect(page.locator(".lost")).toContainText("lost to the count");
    await expect(page.locator(".histogram .column").first()).toBeVisible();
    await expect(page.locator(".histogram svg")).toHaveAttribute("aria-label", /in time/);
    await page.getByRole("button", { name: "White wins, Black to move" }).click();
    const save = page.locator(".saves .miniature").first();
    await expect(save).toContainText("moves draw");
    await expect(page.locator(".material-view")).toContainText(/There are [\d,]+ of them in this ending\./);
    await save.click();
    await expect(page.locator(".bout")).toContainText("save the draw");
    await page.goBack();
    await expect(page.locator(".histogram")).toBeVisible();
});

test("the count's limit is drawn where it cuts", async ({ page }) => {
    await page.goto("/?material=KRvK");
    await expect(page.locator(".limit-name")).toHaveText("the count leaves 14");
    await expect(page.locator(".column.beyond").first()).toBeVisible();
    await page.getByRole("button", { name: "White wins, Black to move" }).click();
    await expect(page.locator(".limit-name")).toHaveText("the count leaves 13");
    await page.goto("/?material=KSSvKS");
    await expect(page.locator(".material-view")).toContainText("makruk-gen build KSSvKS");
    await page.goto("/?material=KXvK");
    await expect(page.locator(".material-view .problem-text")).toBeVisible();
});

test("from the endings one comes back to the line that was on the board", async ({ page }) => {
    await open(page, KHON);
    await move(page, "Re1").click();
    const fen = await fenOf(page);
    await page.getByRole("link", { name: "Endings", exact: true }).click();
    await expect(endings(page)).toHaveCount(142);
    await page.goBack();
    await expect(page.locator(".line .step")).toHaveText(["Re1"]);
    await page.getByRole("link", { name: "Endings", exact: true }).click();
    await page.getByRole("link", { name: "Board", exact: true }).click();
    await expect(page.locator(".line .step")).toHaveText(["Re1"]);
    expect(await fenOf(page)).toBe(fen);
    expect(page.url()).toContain("?fen=8/8/8/8/8/4s1k1/8/K3R3_b");
});

test("endings are found as people write them", async ({ page }) => {
    await page.goto("/?materials");
    const rows = endings(page);
    await expect(rows).toHaveCount(142);
    for (const typed of ["K+R+R v K+R", "KRR-KR", "KR v KRR", "KRvKRR", "rrvr"]) {
        await page.getByRole("searchbox").fill(typed);
        await expect(rows).toHaveCount(1);
        await expect(rows.first()).toContainText("K+R+R v K+R");
    }
    for (const [typed, among] of [
        ["QB", "K+khon+met v K"],
        ["kbqvkb", "K+khon+met v K+khon"],
        ["rook", "K+R v K"],
        ["เรือ", "K+R v K"],
        ["rook and khon", "K+R+khon v K"],
        ["tour", "K+R v K"],
        ["rook and pawn - king", "K+R+P v K"],
        ["เรือ เบี้ย", "K+R+P v K"],
    ] as const) {
        await page.getByRole("searchbox").fill(typed);
        await expect(page.locator(".material-table .material-text").getByText(among, { exact: true })).toBeVisible();
        expect(await rows.count()).toBeLessThan(142);
    }
    await page.getByRole("searchbox").fill("queenrookking nonsense 7");
    await expect(page.getByText("No ending matches.")).toBeVisible();
});

test("a second click turns the order round, the keyboard stays, and the address keeps it all", async ({ page }) => {
    await page.goto("/?materials");
    await page.getByRole("button", { name: "3 men" }).click();
    const sort = page.getByRole("button", { name: "Longest mate" });
    const head = page.locator("th", { has: sort });
    await sort.focus();
    await page.keyboard.press("Enter");
    await expect(head).toHaveAttribute("aria-sort", "descending");
    await expect(sort).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(head).toHaveAttribute("aria-sort", "ascending");
    await expect(sort).toBeFocused();
    await page.getByRole("searchbox").fill("R");
    await expect(page).toHaveURL(/find=R&men=3&by=-mate/);
    await page.reload();
    await expect(page.getByRole("searchbox")).toHaveValue("R");
    await expect(head).toHaveAttribute("aria-sort", "ascending");
    await expect(endings(page)).toHaveCount(1);
    // The focus goes to the title of an opened ending, for screen readers.
    await page.getByRole("link", { name: "K+R v K", exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect(page.locator(".material-view h1")).toBeFocused();
    await expect(page).toHaveTitle("K+R v K · Endings · Makruk endings");
});

test("French writes its numbers", async ({ page }) => {
    await page.goto("/?material=KRvKS&lang=fr");
    await expect(page.locator(".totals").first()).toContainText(/\d,\d %/);
});

test("how long the longest wins are is said where their positions are not found in time", async ({ page }) => {
    await page.route(/\/v1\/tables\/KRvK\?longest=true/, async (route) => {
        const answer = await route.fetch();
        const json = await answer.json();
        for (const side of ["white", "black"]) json.dtm[side].longest_win_fens = undefined;
        return route.fulfill({ response: answer, json });
    });
    await page.goto("/?material=KRvK");
    const told = page.locator(".material-view [role=status]");
    await expect(told).toContainText(/The longest take 16 moves\..*too large/);
    await page.unroute(/\/v1\/tables\/KRvK\?longest=true/);
    await page.reload();
    await expect(page.locator(".miniatures").first().locator(".miniature").first()).toBeVisible();
});

test("endings that the count saves nobody in have no part about saves", async ({ page }) => {
    await page.goto("/?material=KRvKS");
    await expect(page.getByRole("heading", { name: "Saves to find" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Longest wins" })).toBeVisible();
    // No count takes a win of khon and met, and a met alone wins nothing.
    await page.route(/v1\/saves\/KRvKS$/, (route) =>
        route.fulfill({ json: { material: "KRvKS", white: { saves: 0 }, black: { saves: 0 } } }),
    );
    await page.goto("/?material=KRvKS&nothing");
    await expect(page.getByRole("heading", { name: "How long the wins take" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Saves to find" })).toBeHidden();
    await page.goto("/?material=KMvK");
    await expect(page.getByText("Neither side can force mate")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Saves to find" })).toBeHidden();
    await expect(page.getByRole("heading", { name: "Longest wins" })).toHaveCount(0);
});
