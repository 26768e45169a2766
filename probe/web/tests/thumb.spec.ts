// The count by thumb: without a position, on a phone.
import { expect, test } from "@playwright/test";
import { open } from "./helpers.ts";

test("the men set the limit, a tap counts on, and the count runs out after the last move", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.clock.install({ time: new Date("2026-01-01T10:00:00") });
    await open(page, "8/6k1/8/8/8/8/2K5/R7 w - 32 23 1");
    await page.getByRole("button", { name: "Count by thumb" }).click();
    await expect(page).toHaveURL(/\?thumb$/);
    const rule = page.locator(".thumb-rule");
    await expect(rule).toHaveText("The first call is 4; the count goes to 16.");
    await page.getByRole("button", { name: "One rook more" }).click();
    await expect(rule).toHaveText("The first call is 5; the count goes to 8.");
    await expect(page.getByRole("button", { name: "One rook more" })).toBeDisabled();
    for (let n = 0; n < 4; n++) await page.getByRole("button", { name: "One met more" }).click();
    await expect(rule).toContainText("8 men are on the board");
    await expect(page.getByRole("button", { name: "Begin" })).toBeDisabled();
    for (let n = 0; n < 4; n++) await page.getByRole("button", { name: "One met less" }).click();
    await page.getByRole("button", { name: "Begin" }).click();
    await page.clock.pauseAt(new Date("2026-01-01T12:00:00"));
    const number = page.locator(".thumb-number");
    await expect(number.locator("b")).toHaveText("4");
    // It is as large as a thumb needs, and all of it is seen.
    const box = (await number.boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThan(300);
    await number.click();
    await expect(number.locator("b")).toHaveText("5");
    await expect(page.locator(".thumb-call")).toHaveText("ห้า");
    // A tap that bounces is one.
    await number.click();
    await expect(number.locator("b")).toHaveText("5");
    for (let n = 6; n <= 8; n++) {
        await page.clock.fastForward(1000);
        await number.click();
        await expect(number.locator("b")).toHaveText(String(n));
    }
    await expect(number).toContainText("8 counted: the attacker has one last move");
    // A reload keeps the count.
    await page.reload();
    await expect(number.locator("b")).toHaveText("8");
    await page.clock.fastForward(1000);
    await number.click();
    await expect(number).toContainText("The count has run out: a draw");
    await expect(page.locator(".thumb [role=status]").last()).toHaveText("The count has run out: a draw");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(number.locator("b")).toHaveText("8");
    await page.emulateMedia({ media: "print" });
    const row = (name: string) => page.locator(`.ruling dt:text-is("${name}") + dd`);
    await expect(row("The attacker’s men besides the king")).toHaveText("2 rook");
    await expect(row("The count")).toHaveText("8 counted: the attacker has one last move");
    await expect(row("Ruling")).toHaveText("The game goes on.");
    await expect(number).toBeHidden();
});

test("board’s honour goes from 1 to 64, by keyboard too", async ({ page }) => {
    await page.clock.install({ time: new Date("2026-01-01T10:00:00") });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto("/?thumb&lang=th");
    // A joiner, which is not seen, keeps the word in one line.
    await page.getByText(/ศักดิ์\u2060?กระดาน 64/).click();
    await expect(page.locator(".thumb-rule")).toHaveText("เริ่มขาน 1 นับถึง 64");
    await page.locator('[data-act="begin"]').click();
    await page.clock.pauseAt(new Date("2026-01-01T12:00:00"));
    const number = page.locator(".thumb-number");
    await number.focus();
    for (const n of [1, 2, 3]) {
        await page.clock.fastForward(1000);
        await page.keyboard.press("Enter");
        await expect(number.locator("b")).toHaveText(String(n));
        await expect(number).toBeFocused();
    }
    await expect(page.locator(".thumb-call")).toHaveText("สาม");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
