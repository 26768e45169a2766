// The parts of the page that are loaded when they are first used: on their way, out of reach, and of another page.
import { expect, type Page, test } from "@playwright/test";
import { inAddress, KHON, open, speak, square, verdict } from "./helpers.ts";

const PARTS = /\/(dialogs|pictures|views)\.js/;

/** The parts that a page asks for. */
function asked(page: Page): string[] {
    const names: string[] = [];
    page.on("request", (request) => {
        const part = PARTS.exec(request.url());
        if (part) names.push(part[1]!);
    });
    return names;
}

test("a first look at a position loads no part, and all views one", async ({ page }) => {
    const parts = asked(page);
    await open(page, KHON);
    await expect(page.locator(".moves .move").first()).toBeVisible();
    expect(parts).toEqual([]);
    const link = (name: string) => page.locator("header nav").getByRole("link", { name });
    await link("Endings").click();
    await expect(page.locator(".material-table")).toBeVisible();
    await link("Find").click();
    await expect(page.locator(".search")).toBeVisible();
    await link("Training").click();
    await expect(page.getByRole("heading", { name: "The course" })).toBeVisible();
    await page.locator("header").getByRole("button", { name: "Help" }).click();
    await expect(page.getByRole("heading", { name: "How this works" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.goBack();
    await expect(page.locator(".search")).toBeVisible();
    expect(parts).toEqual(["views", "dialogs"]);
});

test("a part on its way says so, and a view that was left meanwhile does not come back", async ({ page }) => {
    let go = () => {};
    const held = new Promise<void>((done) => (go = done));
    await page.route(/\/(views|dialogs)\.js/, async (route) => {
        await held;
        await route.continue();
    });
    await open(page, KHON);
    await page.getByRole("link", { name: "Training" }).click();
    await expect(page.locator("#main")).toHaveText("Looking…");
    await page.getByRole("link", { name: "Board", exact: true }).click();
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await page.getByRole("button", { name: "Help" }).click();
    await expect(page.locator("dialog")).toHaveText("Looking…");
    go();
    await expect(page.getByRole("heading", { name: "How this works" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.locator(".trainer")).toHaveCount(0);
    await expect(page).toHaveTitle(/K\+R v K\+khon: White wins/);
    await page.getByRole("link", { name: "Training" }).click();
    await expect(page.getByRole("heading", { name: "The course" })).toBeVisible();
});

test("a part that cannot be had is an error with a way to try again, in the page's language", async ({ page }) => {
    const parts = asked(page);
    await open(page, KHON);
    await page.route(PARTS, (route) => route.abort());
    await page.getByRole("link", { name: "Training" }).click();
    await expect(page.locator("#main [role=alert]")).toContainText("This part of the page could not be loaded");
    await speak(page, "fr");
    await expect(page.locator("#main [role=alert]")).toContainText("n’a pas pu être chargée");
    await speak(page, "th");
    await expect(page.locator("#main [role=alert]")).toContainText("โหลดส่วนนี้ของหน้าไม่ได้");
    await speak(page, "en");
    // The dialogs and the pictures say it as well.
    await page.getByRole("button", { name: "Help" }).click();
    await expect(page.locator("dialog [role=alert]")).toContainText("could not be loaded");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Board", exact: true }).click();
    await page.getByRole("button", { name: "Share as a picture" }).click();
    await expect(page.locator(".at-board .note:not(.results)")).toContainText("could not be loaded");
    expect(parts).toEqual(["views", "dialogs", "pictures"]);
    await page.unrouteAll();
    const saved = page.waitForEvent("download");
    await page.locator(".at-board .note:not(.results)").getByRole("button", { name: "Try again" }).click();
    expect((await saved).suggestedFilename()).toBe("makruk.png");
    await expect(page.locator(".at-board .note:not(.results)")).toBeEmpty();
    await page.getByRole("link", { name: "Training" }).click();
    await expect(page.getByRole("heading", { name: "The course" })).toBeVisible();
    await page.getByRole("button", { name: "Help" }).click();
    await expect(page.getByRole("heading", { name: "How this works" })).toBeVisible();
});

test("a language whose file failed is asked for at another address: browsers remember one that failed", async ({
    page,
}) => {
    const FRENCH = /\/fr(-views)?\.js/;
    const addresses: string[] = [];
    page.on("request", (request) => FRENCH.test(request.url()) && addresses.push(request.url()));
    await page.goto("/?train");
    await expect(page.getByRole("heading", { name: "The course" })).toBeVisible();
    const fails = async (files: RegExp, choose: () => Promise<void>) => {
        await page.route(files, (route) => route.abort());
        // The alert of the previous failure may still be shown.
        const failed = page.waitForEvent("requestfailed", (request) => files.test(request.url()));
        await choose();
        await failed;
        await expect(page.locator("dialog [role=alert]")).toContainText("could not be loaded");
        await page.unrouteAll();
    };
    const again = () => page.locator("dialog").getByRole("button", { name: "Try again" }).click();
    await page.locator(".toggle.look").click();
    await fails(FRENCH, async () => void (await page.locator(".looks select").selectOption("fr")));
    await fails(/\/fr-views\.js/, again);
    await again();
    await expect(page.locator("html")).toHaveAttribute("lang", "fr");
    expect(new Set(addresses).size).toBe(addresses.length);
});

/** As a file of another build. */
const ofOther = (text: string) => text.replaceAll(/build[0-9a-f]{8}/g, "build00000000");

const MAIN = /\/main\.js/;

/** Serves files with an altered text. */
const alter = (page: Page, files: RegExp, altered: (text: string) => string) =>
    page.route(files, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, body: altered(await answer.text()) });
    });

test("a part of a newer page is not mixed with this one: the page is loaded again", async ({ page }) => {
    await open(page, KHON);
    await alter(page, PARTS, ofOther);
    await page.getByRole("link", { name: "Training" }).click();
    await expect(page.locator("#main [role=alert]")).toContainText(
        "could not be loaded: there is no network, or the page was replaced",
    );
    await page.unrouteAll();
    await page.getByRole("button", { name: "Load the page again" }).click();
    await expect(page.getByRole("heading", { name: "The course" })).toBeVisible();
    await expect(page).toHaveURL(/\?train$/);
});

test("a page whose own files do not fit each other is loaded anew, once", async ({ page }) => {
    let times = 0;
    await alter(page, MAIN, (text) => {
        times += 1;
        return times === 1 ? ofOther(text) : text;
    });
    await open(page, KHON);
    await expect(square(page, "e2")).toHaveAttribute("data-man", "R");
    expect(times).toBeGreaterThan(1);
    // If that does not mend it, the reader is asked.
    await page.unrouteAll();
    await alter(page, MAIN, ofOther);
    await page.reload();
    await expect(page.locator("#main")).toHaveText("⟳ Makruk");
    await page.unrouteAll();
    await page.locator("#main a").click();
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
});

test("a page whose file does not start is loaded anew, once, and then the reader is asked", async ({ page }) => {
    let times = 0;
    await alter(page, MAIN, (text) => {
        times += 1;
        expect(/\w as start[,}]/.test(text)).toBe(true);
        return text.replace(/ as start(?=[,}])/, " as begin");
    });
    await page.goto(inAddress(KHON));
    await expect(page.locator("#main")).toHaveText("⟳ Makruk");
    expect(times).toBeGreaterThan(1);
    await page.unrouteAll();
    await page.locator("#main a").click();
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
});
