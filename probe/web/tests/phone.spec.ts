// Phones: what is on the first screen, and text that stays within its box.
import { type Browser, expect, test, type Page } from "@playwright/test";
import { check, KHON, verdict } from "./helpers.ts";

const LANGUAGES = ["en", "th", "fr"];

async function phone(browser: Browser, width: number, height: number): Promise<Page> {
    const context = await browser.newContext({
        viewport: { width, height },
        hasTouch: true,
        isMobile: true,
        serviceWorkers: "block",
    });
    return context.newPage();
}

const boxOf = async (page: Page, what: string) => (await page.locator(what).first().boundingBox())!;

test("the first screen is complete: the board, whose move it is, needs and has, and the first moves", async ({
    browser,
}) => {
    test.slow();
    // An iPhone's browser leaves 664 of 844 pixels.
    for (const [width, height] of [
        [390, 664],
        [360, 640],
    ] as const) {
        const page = await phone(browser, width, height);
        for (const lang of LANGUAGES) {
            for (const fen of ["", KHON, "8/6k1/8/8/8/8/2K5/R7 w - 32 23 1"]) {
                const address = `/?${fen && `fen=${fen.replaceAll(" ", "_")}&`}lang=${lang}`;
                await page.goto(address);
                await expect(page.locator(".moves .move").first()).toBeAttached();
                const where = `${width} ${address}`;
                const [header, board] = [await boxOf(page, "header"), await boxOf(page, ".board")];
                expect(header.height, where).toBeLessThan(60);
                expect(board.width, where).toBeGreaterThan(0.9 * width);
                expect((await boxOf(page, ".toolbar")).height, where).toBeLessThan(50);
                for (const act of ["back", "forward", "best", "flip"])
                    expect((await boxOf(page, `[data-act=${act}]`)).width, where).toBeGreaterThanOrEqual(44);
                const seen = [".turn", fen ? ".scale" : ".material-text", ".move .san"];
                for (const what of ["h2", ...seen])
                    await expect(page.locator(`.answers ${what}`).first(), where).toBeInViewport({ ratio: 0.99 });
            }
        }
        // The count by thumb is one tap away.
        await page.goto("/");
        await page.locator(".way").last().tap();
        await expect(page).toHaveURL(/\?thumb$/);
        await page.context().close();
    }
});

test("fingers have 44 pixels, fields do not zoom, and axe finds nothing on a phone", async ({ browser }) => {
    test.slow();
    const page = await phone(browser, 390, 844);
    for (const view of ["/", `/?fen=${KHON.replaceAll(" ", "_")}`, "/?train", "/?train=rook", "/?materials&men=4"]) {
        await page.goto(view);
        await page.waitForLoadState("networkidle");
        await check(page);
        const small = await page.evaluate(() =>
            [
                ...document.querySelectorAll(
                    "main :is(button, select, summary, .way, .lesson, .earlier a, td a, th a), header :is(a, button)",
                ),
            ]
                .filter((each) => each.checkVisibility() && !each.closest("thead"))
                .map((each) => [each.getBoundingClientRect().height, each.textContent] as const)
                .filter(([height]) => height < 43.5),
        );
        expect(small, view).toEqual([]);
        const zooms = await page.evaluate(() =>
            [...document.querySelectorAll<HTMLElement>("input:not([type=radio], [type=range]), select, textarea")]
                .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
                .map(({ id }) => id),
        );
        expect(zooms, view).toEqual([]);
    }
    await page.context().close();
});

test("text twice as large stays within the screen", async ({ browser }) => {
    test.slow();
    for (const [width, height] of [
        [1280, 800],
        [390, 844],
    ] as const) {
        const page = await phone(browser, width, height);
        for (const lang of ["en", "fr"]) {
            for (const view of ["/?", "/?train=rook&", "/?train&", "/?find&in=KRvK&", "/?materials&men=4&"]) {
                await page.goto(`${view}lang=${lang}`);
                await page.waitForLoadState("networkidle");
                await page.evaluate(() => {
                    document.documentElement.style.fontSize = "32px";
                    document.body.style.fontSize = "32px";
                });
                const wide = await page.evaluate(() => document.documentElement.scrollWidth);
                expect(wide, `${width} ${view}${lang}`).toBeLessThanOrEqual(width);
            }
        }
        await page.context().close();
    }
});

test("nothing moves when an answer comes late", async ({ browser }) => {
    for (const [width, height] of [
        [390, 844],
        [360, 640],
        [1280, 800],
    ] as const) {
        const page = await phone(browser, width, height);
        await page.addInitScript(() => {
            Object.assign(window, { shift: 0 });
            new PerformanceObserver((list) => {
                for (const entry of list.getEntries() as unknown as { value: number }[])
                    Object.assign(window, { shift: (window as unknown as { shift: number }).shift + entry.value });
            }).observe({ type: "layout-shift", buffered: true });
        });
        await page.route(/v1\/(explore|materials)/, async (route) => {
            await new Promise((done) => setTimeout(done, 500));
            await route.continue();
        });
        for (const address of ["/", `/?fen=${KHON.replaceAll(" ", "_")}`, "/?fen=8/6k1/8/8/8/8/2K5/R7_w_-_32_23_1"]) {
            await page.goto(address);
            await expect(page.locator(".moves .move").first()).toBeVisible();
            await page.waitForTimeout(300);
            const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
            expect(shift, `${width} ${address}`).toBeLessThan(0.05);
        }
        await page.context().close();
    }
});

test("on slow 3G something is seen within two seconds", async ({ browser }) => {
    const page = await phone(browser, 390, 664);
    const network = await page.context().newCDPSession(page);
    const speed = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
    await network.send("Network.emulateNetworkConditions", { offline: false, ...speed });
    await page.goto("/");
    const painted = () =>
        page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity);
    await expect.poll(painted).toBeLessThan(2000);
    await page.context().close();
});

test("the views and the looks are in menus, and the moves beside each other", async ({ browser }) => {
    const page = await phone(browser, 360, 640);
    await page.goto(`/?fen=${KHON.replaceAll(" ", "_")}`);
    await expect(page.locator("nav").first()).toBeHidden();
    await page.getByRole("button", { name: "Menu" }).tap();
    for (const name of ["Board", "Endings", "Find", "Training", "Count"])
        await expect(page.locator("header nav").getByRole("link", { name, exact: true })).toBeInViewport({ ratio: 1 });
    await expect(page.locator("header nav").getByRole("button", { name: "Help" })).toBeInViewport({ ratio: 1 });
    // Another place closes a menu.
    await page.locator(".summary").tap({ position: { x: 20, y: 20 } });
    await expect(page.locator("header nav")).toBeHidden();
    await page.getByRole("button", { name: "Language and looks" }).tap();
    await expect(page.getByRole("button", { name: "Thai notation" })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Thai notation" })).toBeHidden();
    const rows = new Set(
        await page.locator(".heap.win .move").evaluateAll((all) => all.map((each) => each.getBoundingClientRect().y)),
    );
    expect(rows.size).toBeLessThan(await page.locator(".heap.win .move").count());
    await page.context().close();
});

test("a count that runs is one screen on a phone, its figures folded, and no key is spoken of", async ({ browser }) => {
    const page = await phone(browser, 360, 640);
    await page.goto("/?fen=8/6k1/8/8/8/8/2K5/R7_w_-_32_23_1");
    await expect(page.locator(".count-sentence")).toBeVisible();
    await expect(page.locator(".moves .move").first()).toBeVisible();
    expect((await boxOf(page, "section.count")).height).toBeLessThan(420);
    await expect(page.locator(".keys-only")).toBeHidden();
    await expect(page.locator("#count-moves")).toBeHidden();
    await page.locator(".count summary").tap();
    await expect(page.locator("#count-moves")).toBeVisible();
    await page.locator("footer button").tap();
    await expect(page.locator("dialog .men-list")).toBeVisible();
    await expect(page.locator("dialog kbd").first()).toBeHidden();
    // The checksum of the tables is a word of 64 letters.
    await expect(page.locator("dialog code").first()).toBeVisible();
    expect(await page.locator("dialog").evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
    await page.context().close();
});

test("a game is pasted where a position is set up, and is seen at once", async ({ browser }) => {
    const page = await phone(browser, 390, 664);
    await page.goto(`/?fen=${KHON.replaceAll(" ", "_")}`);
    for (const from of [".palette [data-act=paste]", ".position-text .primary"]) {
        await page.locator("label[for=mode-setup]").tap();
        await page.locator(from).tap();
        await page.locator("#paste-text").fill(`[FEN "${KHON}"]\n\n1. Re1 Kf2 *`);
        await page.locator("dialog button[type=submit]").tap();
        await expect(page.locator(".line .step")).toHaveCount(2);
        await expect(page.locator(".palette")).toBeHidden();
        await expect(page.locator(".board")).toBeInViewport({ ratio: 1 });
    }
    await page.context().close();
});

/** Texts that reach out of their box, or out of the screen. */
const overflowing = (page: Page): Promise<string[]> =>
    page.evaluate(() => {
        const found: string[] = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const text = node.textContent!.trim();
            const parent = node.parentElement!;
            if (text === "" || !parent.checkVisibility?.({ checkOpacity: true, checkVisibilityCSS: true })) continue;
            if (parent.closest("option, datalist, svg, .offscreen, script, style")) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            for (const { left, right, width } of range.getClientRects()) {
                if (width === 0) continue;
                let box: Element = parent;
                // What scrolls or is drawn as a box holds its text.
                while (box !== document.body) {
                    const { display, overflowX, borderLeftWidth, backgroundColor } = getComputedStyle(box);
                    const isBox = parseFloat(borderLeftWidth) > 0 || backgroundColor !== "rgba(0, 0, 0, 0)";
                    if (display !== "inline" && (isBox || overflowX !== "visible")) break;
                    box = box.parentElement!;
                }
                const scrolls = ["auto", "scroll"].includes(getComputedStyle(box).overflowX);
                const bounds = box.getBoundingClientRect();
                const isOut = !scrolls && (right > bounds.right + 1 || left < bounds.left - 1);
                if (isOut || (!box.closest(".table-holder, .line") && (right > innerWidth + 1 || left < -1))) {
                    found.push(`${text.slice(0, 40)} in ${box.className || box.tagName}`);
                    break;
                }
            }
        }
        return [...new Set(found)];
    });

const VIEWS = [
    "/?",
    `/?fen=${KHON.replaceAll(" ", "_")}&`,
    "/?fen=8/6k1/8/8/8/8/2K5/R7_w_-_32_23_1&",
    "/?materials&",
    "/?material=KRvKS&",
    "/?find&",
    "/?train&",
    "/?train=rook&",
    "/?train=khonsPawn&",
    "/?train=daily&",
    "/?thumb&",
];

test("no text reaches out of its box on any phone, in any view and language", async ({ browser }) => {
    test.slow();
    const page = await phone(browser, 390, 844);
    const found: string[] = [];
    /** Measures what is shown at each width. */
    const measure = async (where: string) => {
        for (const [width, height] of [
            [390, 844],
            [320, 640],
        ] as const) {
            await page.setViewportSize({ width, height });
            const out = await overflowing(page);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            if (wide > width) out.push(`${wide} pixels wide`);
            found.push(...out.map((text) => `${width} ${where}: ${text}`));
        }
    };
    for (const lang of LANGUAGES) {
        for (const view of VIEWS) {
            await page.goto(`${view}lang=${lang}`);
            await expect(page.locator("main h1, main .verdict h2, main .goal, .thumb button").first()).toBeAttached();
            await page.waitForLoadState("networkidle");
            await page
                .locator("details")
                .evaluateAll((all: HTMLDetailsElement[]) => all.forEach((one) => (one.open = true)));
            await measure(`${lang} ${view}`);
        }
        // The menus, and the men to place.
        await page.goto(`/?fen=${KHON.replaceAll(" ", "_")}&lang=${lang}`);
        await expect(verdict(page).locator("h2")).toBeVisible();
        for (const act of [".toggle.views", ".toggle.look", ".mode label >> visible=true"]) {
            await page.locator(act).first().tap();
            await measure(`${lang} ${act}`);
        }
    }
    expect(found).toEqual([]);
    await page.context().close();
});
