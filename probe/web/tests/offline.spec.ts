// The service worker: the page without a net, and the manifest by which it is installed.
import { connect, createServer, type Socket } from "node:net";
import { expect, test as base } from "@playwright/test";
import { inAddress, KHON, move, open, ROOKS, speak, verdict, workerAnswers } from "./helpers.ts";

/**
 * A relay to the server, which can be cut: what a browser emulates reaches its service worker only until the next
 * navigation (Chromium 148).
 */
const test = base.extend<{ net: { cut: (isCut: boolean) => void } }>({
    net: async ({}, use) =>
        use({ cut: (cut) => ((isCut = cut), cut && sockets.forEach((socket) => socket.destroy())) }),
    baseURL: async ({ baseURL }, use) => {
        const relay = createServer((socket) => {
            if (isCut) {
                socket.destroy();
                return;
            }
            const onward = connect(Number(new URL(baseURL!).port), "127.0.0.1");
            for (const end of [socket, onward]) {
                sockets.add(end);
                end.on("error", () => {});
                end.on("close", () => (sockets.delete(end), socket.destroy(), onward.destroy()));
            }
            socket.pipe(onward).pipe(socket);
        });
        isCut = false;
        await new Promise<void>((done) => relay.listen(0, "127.0.0.1", done));
        await use(`http://127.0.0.1:${(relay.address() as { port: number }).port}`);
        sockets.forEach((socket) => socket.destroy());
        relay.close();
    },
});
const sockets = new Set<Socket>();
let isCut = false;

test.use({ serviceWorkers: "allow" });

test("the page opens without a net, with the positions that were seen", async ({ page, net }) => {
    await open(page, KHON);
    await workerAnswers(page);
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await page.reload();
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await move(page, "Re1").click();
    await expect(page.locator(".moves h2")).toHaveText("Black’s moves");
    net.cut(true);
    await page.goto(inAddress(KHON));
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    await move(page, "Re1").click();
    await expect(page.locator(".moves h2")).toHaveText("Black’s moves");
    // A position that was never shown has no answer; the page says so and waits.
    await page.goto(inAddress(ROOKS));
    await expect(page.locator(".board")).toBeVisible();
    await expect(page.locator("#banner")).toContainText("The server cannot be reached");
    // Parts that were not used before are there.
    await page.getByRole("button", { name: "Help" }).click();
    await expect(page.getByRole("heading", { name: "How this works" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Training" }).click();
    await expect(page.getByRole("heading", { name: "The course" })).toBeVisible();
    await page.goBack();
    net.cut(false);
    await expect(verdict(page).locator("h2")).toHaveText("Draw by the count");
});

test.describe("in a Thai browser", () => {
    test.use({ locale: "th-TH" });

    test("a visitor keeps the words of the language that is spoken; without a net no other is", async ({
        page,
        net,
    }) => {
        await open(page, KHON);
        await workerAnswers(page);
        await expect(verdict(page).locator("h2")).toHaveText("ขาวชนะ");
        const kept = await page.evaluate(async () =>
            (await (await caches.open("makruk-page")).keys()).map(({ url }) => new URL(url).pathname),
        );
        expect(kept.filter((path) => /^\/(en|th|fr)/.test(path)).sort()).toEqual(["/th-views.js", "/th.js"]);
        net.cut(true);
        await page.goto("/?train");
        await expect(page.getByRole("heading", { name: "บทเรียน" })).toBeVisible();
        await speak(page, "fr");
        await expect(page.locator("dialog [role=alert]")).toContainText("โหลดส่วนนี้ของหน้าไม่ได้");
        // A link in another language opens in the one that is here.
        await page.goto(`${inAddress(KHON)}&lang=fr`);
        await expect(verdict(page).locator("h2")).toHaveText("ขาวชนะ");
        await expect(page.locator("html")).toHaveAttribute("lang", "th");
    });
});

test("answers that need a token are kept for nobody", async ({ page }) => {
    await open(page, KHON);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    await page.reload();
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    const isKept = (path: string) =>
        page.evaluate(async (path) => (await (await caches.open("makruk-answers")).match(path)) !== undefined, path);
    const ask = (path: string, headers: Record<string, string>) =>
        page.evaluate(async ([path, headers]) => (await fetch(path, { headers })).status, [path, headers] as const);
    const path = (file: string) => `/v1/explore?fen=8/8/8/8/3k4/8/8/R3K2${file}_w`;
    expect(await ask(path("N"), { authorization: "Bearer x" })).toBe(200);
    expect(await ask(path("M"), {})).toBe(200);
    await expect.poll(() => isKept(path("M"))).toBe(true);
    expect(await isKept(path("N"))).toBe(false);
});

test("the manifest names files that are there", async ({ page, request }) => {
    await open(page, KHON);
    const href = await page.locator('link[rel="manifest"]').getAttribute("href");
    const answer = await request.get(`/${href}`);
    expect(answer.headers()["content-type"]).toBe("application/manifest+json");
    const manifest = await answer.json();
    for (const { src } of manifest.icons) expect((await request.get(`/${src}`)).ok()).toBe(true);
    expect((await request.get(manifest.start_url)).ok()).toBe(true);
});
