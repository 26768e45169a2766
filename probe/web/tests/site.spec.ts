// The page as files: `makruk-probe site` before nginx, in place of the server.
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { makeSite, startNginx, tablesFolder } from "../../wasm/npm/test/host.mjs";
import { COUNTED, KHON, ROOKS } from "./helpers.ts";
import { decoded, fenOf, giveRook, inAddress, move, pasteHere, verdict, workerAnswers } from "./helpers.ts";

const tables = process.env["MAKRUK_WEB_TABLES"] ?? tablesFolder();
let site: string;
let host: { url: string; stop(): void };

test.beforeAll(async () => {
    test.setTimeout(600_000);
    site = makeSite(tables, false);
    host = await startNginx(site);
});
test.afterAll(() => host.stop());

async function visit(page: Page, fen: string): Promise<void> {
    await page.goto(host.url + inAddress(fen).slice(1));
    await expect(verdict(page).locator("h2")).toBeVisible();
}

test("a position, its moves, its line, and moves that are played", async ({ page }) => {
    const other: string[] = [];
    page.on("request", (request) => {
        if (!request.url().startsWith(host.url) && !request.url().startsWith("data:")) other.push(request.url());
    });
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    await visit(page, KHON);
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await move(page, "Re1").click();
    await expect(page.locator(".moves h2")).toHaveText("Black’s moves");
    await expect.poll(() => fenOf(page)).toContain(" b ");
    await visit(page, ROOKS);
    await expect(verdict(page).locator("h2")).toHaveText("Draw by the count");
    await visit(page, COUNTED);
    await expect(verdict(page)).toContainText("White has 24 left");
    // A position that is none, and one whose table is not there.
    await visit(page, "8/8/8/3k4/8/8/1R6/8 w - - 0 1");
    await expect(verdict(page)).toContainText("king");
    await visit(page, "8/8/1n6/3k4/8/8/1RRN4/K7 w - - 0 1");
    await expect(verdict(page)).toContainText("This site has no table");
    expect([other, faults]).toEqual([[], []]);
});

test("endings, with statistics made beforehand, and no search", async ({ page }) => {
    await page.goto(`${host.url}?materials`);
    await expect(page.locator(".material-table tbody tr").first()).toBeVisible();
    await page.goto(`${host.url}?material=KRvKS`);
    await expect(page.locator(".miniature").first()).toBeVisible();
    await expect(page.locator(".histogram, svg").first()).toBeVisible();
    await page.goto(`${host.url}?find`);
    await expect(page.locator(".search")).toContainText("this site has no server");
    await expect(page.locator(".search-form")).toHaveCount(0);
});

test("a game is judged", async ({ page }) => {
    await visit(page, KHON);
    await pasteHere(page, `[FEN "${KHON}"]\n\n1. Rxe3+ Kf2 *`);
    await expect(page.locator("body")).toContainText("White gave away 1 win");
});

test("the page draws the animated picture of a line", async ({ page }) => {
    await visit(page, ROOKS);
    const button = page.getByRole("button", { name: "Share the line as a GIF" });
    await expect(button).toBeHidden();
    await giveRook(page);
    const saved = page.waitForEvent("download");
    await button.click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe("makruk.gif");
    const gif = await readFile(await download.path());
    expect(await decoded(page, gif)).toEqual([3, Infinity, 528, 564, 1500, 1000, 4000]);
    expect(gif.length).toBeLessThan(60_000);
});

test("what was seen is there without a net, and the page lies in any folder", async ({ browser }) => {
    const context = await browser.newContext({ serviceWorkers: "allow" });
    const page = await context.newPage();
    const seen: string[] = [];
    page.on("request", (request) => seen.push(request.url()));
    await page.goto(`${host.url}index.html`);
    await visit(page, KHON);
    await workerAnswers(page);
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    // When everything was shown and is kept, no byte of a table is fetched.
    await expect(async () => {
        seen.length = 0;
        await page.reload();
        await expect(verdict(page).locator("h2")).toHaveText("White wins");
        await expect(page.locator(".moves .move").first()).toBeVisible();
        expect(seen.filter((url) => url.includes("/tables/"))).toEqual([]);
    }).toPass();
    await context.setOffline(true);
    await page.goto(host.url + inAddress(KHON).slice(1));
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await page.goto(host.url + inAddress("8/8/8/3k4/8/8/1R6/K7 b - 32 7 1").slice(1));
    await expect(page.locator("#banner")).toContainText("This device is offline");
    await context.setOffline(false);
    await expect(verdict(page).locator("h2")).toBeVisible();
    await context.close();
});

test("all tables of up to four men stay on the device, those of three men at once", async ({ browser }) => {
    const context = await browser.newContext({ serviceWorkers: "allow" });
    const page = await context.newPage();
    await visit(page, KHON);
    await workerAnswers(page);
    await page.goto(`${host.url}?materials`);
    await page.locator('[data-act="keep"]').click();
    await expect(page.locator(".keep")).toContainText("are on this device");
    await context.setOffline(true);
    // Positions that nobody has seen: with Black to move, which the tables omit, and of three men.
    for (const fen of ["8/8/2s5/8/8/5k2/1R6/6K1 b - - 0 1", "8/8/8/2k5/8/8/6R1/K7 b - - 0 1"]) {
        await page.goto(host.url + inAddress(fen).slice(1));
        await expect(verdict(page).locator("h2")).toHaveText(/wins|Draw/);
        await expect(page.locator(".moves li, .moves tr, .moves button").first()).toBeVisible();
    }
    await context.setOffline(false);
    await page.goto(`${host.url}?materials`);
    await expect(page.locator(".keep")).toContainText("are on this device");
    await context.close();
});

test("the verdict comes before the moves, in a few requests", async ({ page }) => {
    const asked: string[] = [];
    let waiting: (() => void)[] = [];
    let isHeld = false;
    await page.route(/\/(tables|guide)\//, async (route) => {
        asked.push(route.request().url());
        if (isHeld) await new Promise<void>((go) => waiting.push(go));
        await route.continue();
    });
    // As soon as the verdict is shown, everything that is asked after it is held back.
    await page.exposeFunction("hold", () => (isHeld = true));
    await page.addInitScript(() => {
        new MutationObserver(() => {
            const isShown = document.querySelector(".verdict h2") !== null;
            if (isShown) (window as unknown as { hold(): void }).hold();
        }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(host.url + inAddress("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1").slice(1));
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await expect(verdict(page)).toBeVisible();
    await expect(verdict(page).locator(".play-out")).toHaveCount(0);
    expect(asked.length).toBeLessThanOrEqual(25);
    isHeld = false;
    for (const go of waiting) go();
    waiting = [];
    await expect(page.locator(".moves .move").first()).toBeVisible();
    await expect(verdict(page).locator(".play-out").first()).toBeVisible();
});

test("of five men the result comes within 20 requests, before the distances of a side that is omitted", async ({
    page,
}) => {
    let go = () => {};
    const held = new Promise<void>((done) => (go = done));
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.route(/\/tables\/.*\.(dtm|dtz)/, async (route) => {
        await held;
        await route.continue();
    });
    await page.goto(host.url + inAddress(ROOKS).slice(1));
    await expect(verdict(page).locator("h2")).toHaveText("Draw by the count");
    await expect(verdict(page).locator(".turn")).toHaveText("Black to move");
    await expect(verdict(page)).toContainText("Looking…");
    await expect(verdict(page).locator(".scale, .play-out")).toHaveCount(0);
    const isOfDistances = (url: string) => /\.(dtm|dtz)$|KRRvKR\.(heads|groups)$/.test(url);
    expect(asked.filter((url) => !isOfDistances(url)).length).toBeLessThanOrEqual(20);
    // A draw has no figures: its verdict is whole.
    await page.goto(host.url + inAddress("1K6/8/5k2/8/8/4R3/8/R6r b - - 0 1").slice(1));
    await expect(verdict(page)).toContainText("Neither side can force mate");
    await page.goto(host.url + inAddress(ROOKS).slice(1));
    go();
    await expect(verdict(page)).toContainText("White has 64 moves and can neither mate nor take");
    await expect(page.locator(".moves .move").first()).toBeVisible();
});

test("tables at a host that lets nobody read them are an error, and no server is spoken of", async ({ page }) => {
    // As if they were at another origin without its permission.
    await page.route(/\/tables\//, (route) => route.abort("accessdenied"));
    await page.goto(host.url + inAddress(KHON).slice(1));
    await expect(verdict(page)).toContainText("The site answers, but its tables do not", { timeout: 90_000 });
    await expect(verdict(page)).toContainText("KRvKS");
    await expect(page.locator("#banner")).toBeHidden();
});

test("a file that was cut short is named, and no reload is asked for", async ({ page }) => {
    await page.route(/\/tables\/KRvKS\./, (route) => route.fulfill({ status: 416, body: "" }));
    for (const [lang, says] of [
        ["en", "cut short or replaced"],
        ["th", "ไม่ตรงกับสารบัญ"],
        ["fr", "tronqué ou remplacé"],
    ] as const) {
        await page.goto(`${host.url}${inAddress(KHON).slice(1)}&lang=${lang}`);
        await expect(verdict(page)).toContainText(says, { timeout: 90_000 });
        await expect(verdict(page).locator("code")).toContainText("KRvKS.");
        // Nothing is left in English.
        await expect(verdict(page).locator('[lang="en"]')).toHaveCount(0);
    }
});

test("a prober that is missing is a missing file", async ({ page }) => {
    for (const answer of [{ status: 404 }, { contentType: "text/html", body: "<p>Home</p>" }]) {
        await page.route(/makruk\.wasm/, (route) => route.fulfill(answer));
        await visit(page, KHON);
        await expect(verdict(page).locator("h2")).toHaveText("A file is missing on the host");
        await expect(verdict(page).locator("code")).toHaveText("makruk.wasm");
        await page.unrouteAll();
    }
});

test("the first visit weighs little", async ({ page }) => {
    await visit(page, KHON);
    const sizes = await page.evaluate(() =>
        performance.getEntriesByType("resource").map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    // Uncompressed, as this nginx sends them, with the bytes of the tables.
    expect(bytes).toBeLessThan(900_000);
    expect(statSync(join(site, "index.html")).size).toBeLessThan(4000);
});
