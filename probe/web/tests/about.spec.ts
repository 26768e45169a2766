// A newcomer's questions: who made it, what the count is, what a man is called.
import { expect, test } from "@playwright/test";
import { check, inAddress, KHON, open, speak, square, verdict } from "./helpers.ts";

test("every page says who made it, in which version and under which licence; the help how much is solved", async ({
    page,
}) => {
    for (const view of ["/", inAddress(KHON), "/?materials", "/?find", "/?train", "/?thumb"]) {
        await page.goto(view);
        await expect(page.locator("footer"), view).toContainText(/tablebase \d+\.\d+\.\d+ · .*authors.*Apache-2\.0/);
    }
    await page.locator("footer button").click();
    await expect(page.getByRole("dialog")).toContainText(/Tables here: \d+ endings of up to 5 men/);
    // Here a service worker keeps the page.
    await expect(page.getByRole("dialog")).toContainText("opens without a network");
    const programs = page.getByRole("dialog").getByRole("link", { name: "For programs" });
    expect((await page.request.get((await programs.getAttribute("href"))!)).ok()).toBe(true);
    const { checksum } = await (await page.request.get("/v1/materials")).json();
    expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    for (const [language, name] of [
        ["en", "Their checksum"],
        ["th", "ผลรวมตรวจสอบ"],
        ["fr", "Leur somme de contrôle"],
    ] as const) {
        await page.keyboard.press("Escape");
        await speak(page, language);
        await page.locator("footer button").click();
        await expect(page.getByRole("dialog")).toContainText(`${name} (SHA-256): ${checksum}`);
    }
    await page.keyboard.press("Escape");
    await speak(page, "en");
    await page.locator("footer button").click();
    for (const what of ["Positions of an ending, by their properties", "tap the number at each move"])
        await expect(page.getByRole("dialog")).toContainText(what);
    await check(page);
});

test("what the count is, is one tap from where it is first spoken of, in three languages", async ({ page }) => {
    await page.goto("/");
    const ask = async (what: string) => {
        await page.locator(".term").last().click();
        await expect(page.locator(".term").last(), what).toHaveAttribute("title", what);
        await expect(page.getByRole("dialog")).toContainText("64");
        await page.keyboard.press("Escape");
    };
    for (const [language, what, words] of [
        ["en", "What is the count?", ["count", "count"]],
        ["th", "การนับคืออะไร", ["การนับ", "นับ"]],
        ["fr", "Qu’est-ce que le compte ?", ["compte", "compter"]],
    ] as const) {
        await speak(page, language);
        // In the greeting, and in the reason for the verdict.
        await expect(page.locator(".term")).toHaveText(words);
        await ask(what);
    }
    await speak(page, "en");
    for (const view of ["/?material=KRvKS", "/?train", "/?train=rook", "/?thumb", "/?guess"]) {
        await page.goto(view);
        await ask("What is the count?");
    }
});

test("a man that is pressed tells his name and how he moves", async ({ page }) => {
    await open(page, KHON);
    await square(page, "e2").click();
    await expect(page.locator(".note:not(.results)")).toHaveText("Rook: any number of squares in a straight line.");
    await square(page, "g3").click();
    await expect(page.locator(".note:not(.results)")).toHaveText(
        "King: one step in any direction. It is White’s move. To put men anywhere, choose Set up.",
    );
});

test("why a win takes longer than the mate is one sentence below the result", async ({ page }) => {
    await open(page, KHON);
    await expect(verdict(page).locator(".reasons > p").nth(1)).toHaveText(
        "23, not 16: the quickest mate takes the last piece when the count that then begins leaves too few moves.",
    );
    // A mate in time needs no explanation.
    await open(page, "8/8/8/8/3k4/8/8/R3K3 w - - 0 1");
    await expect(verdict(page).locator(".reasons > p")).toHaveCount(1);
});

test("no ending is named by its letters: titles, lists and choices name the men", async ({ page }) => {
    await open(page, KHON);
    await expect(page).toHaveTitle(/^K\+R v K\+khon: White wins/);
    await expect(verdict(page).locator(".material-text")).toHaveText("K+R v K+khon");
    for (const [view, what] of [
        ["/?materials", ".material-table tbody tr:not(.missing) >> nth=1"],
        ["/?train", "main"],
        ["/?find&in=KRvKS", "main"],
    ] as const) {
        await page.goto(view);
        await page.waitForLoadState("networkidle");
        await expect(page.locator(what)).not.toContainText(/\bK[RNSMP]*vK[RNSMP]*\b/);
    }
    await page.goto("/?material=KRvKS&lang=fr");
    await expect(page.locator("h1 .material-text")).toHaveText("R+T contre R+khon");
    await expect(page).toHaveTitle(/^R\+T contre R\+khon/);
});
