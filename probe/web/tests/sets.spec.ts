import { expect, test } from "@playwright/test";
import { fenOf, KHON, move, open, verdict } from "./helpers.ts";

test("endings are listed, searched and sorted; those that are missing name their command", async ({ page }) => {
    await page.goto("/?sets");
    const rows = page.locator(".set-table tbody tr");
    await expect(rows).toHaveCount(81);
    // Either order of the sides, and the letters of other programs.
    for (const typed of ["krrvkr", "KRvKRR"]) {
        await page.getByRole("searchbox").fill(typed);
        await expect(rows).toHaveCount(1);
        await expect(rows.first()).toContainText("KRRvKR");
    }
    await page.getByRole("searchbox").fill("kbqvkb");
    await expect(rows.first()).toContainText("KSMvKS");
    await page.getByRole("searchbox").fill("KRRvKR");
    await expect(rows.first()).toContainText("31");
    await page.getByRole("searchbox").fill("KSSvKS");
    await expect(rows.first()).toContainText("makruk-gen build KSSvKS");
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: "3 men" }).click();
    await expect(rows).toHaveCount(4);
});

test("an ending shows its totals, how long its wins take, and positions to look at", async ({ page }) => {
    await page.goto("/?sets");
    await page.getByRole("link", { name: "KRvKS" }).click();
    await expect(page).toHaveURL(/\?set=KRvKS$/);
    await expect(page.locator(".totals").first()).toContainText("White wins");
    await expect(page.locator(".lost")).toContainText("lost to the count");
    await expect(page.locator(".histogram .column").first()).toBeVisible();
    await expect(page.locator(".histogram svg")).toHaveAttribute("aria-label", /in time/);
    await page.getByRole("button", { name: "White wins, Black to move" }).click();
    const save = page.locator(".saves .miniature").first();
    await expect(save).toContainText("moves draw");
    await save.click();
    await expect(verdict(page)).toContainText("find the draw");
    expect(await fenOf(page)).not.toBe("");
    await page.goBack();
    await expect(page.locator(".histogram")).toBeVisible();
});

test("the count's limit is drawn where it cuts", async ({ page }) => {
    await page.goto("/?set=KRvK");
    await expect(page.locator(".limit-name")).toHaveText("the count leaves 14");
    await expect(page.locator(".column.beyond").first()).toBeVisible();
    await page.getByRole("button", { name: "White wins, Black to move" }).click();
    await expect(page.locator(".limit-name")).toHaveText("the count leaves 13");
    await page.goto("/?set=KSSvKS");
    await expect(page.locator(".set")).toContainText("makruk-gen build KSSvKS");
    await page.goto("/?set=KXvK");
    await expect(page.locator(".set .problem-text")).toBeVisible();
});

test("from the endings one comes back to the line that was on the board", async ({ page }) => {
    await open(page, KHON);
    await move(page, "Re1").click();
    const fen = await fenOf(page);
    await page.getByRole("link", { name: "Endings", exact: true }).click();
    await expect(page.locator(".set-table tbody tr")).toHaveCount(81);
    await page.goBack();
    await expect(page.locator(".line .step")).toHaveText(["Re1"]);
    await page.getByRole("link", { name: "Endings", exact: true }).click();
    await page.getByRole("link", { name: "Board", exact: true }).click();
    await expect(page.locator(".line .step")).toHaveText(["Re1"]);
    expect(await fenOf(page)).toBe(fen);
    expect(page.url()).toContain("?fen=8/8/8/8/8/4s1k1/8/K3R3_b");
});
