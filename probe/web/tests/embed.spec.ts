// The page in a frame, and the board as an element, in pages of other origins that isolate themselves, as pages with
// threads in WebAssembly do.
import { TODAY, TRADITIONAL } from "../src/shapes.ts";
import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { freePort, makeSite, program, startNginx, tablesFolder } from "../../wasm/npm/test/host.mjs";
import { KHON, ROOKS } from "./helpers.ts";

const tables = process.env["MAKRUK_WEB_TABLES"] ?? tablesFolder();
const inQuery = (fen: string) => fen.replaceAll(" ", "_");
let around: Server;
let outer: string;
let body = "";
let site: string;

/** The page around: isolated, and of another site than what it embeds. */
test.beforeAll(async () => {
    test.setTimeout(600_000);
    around = createServer((_, response) => {
        response.writeHead(200, {
            "content-type": "text/html; charset=utf-8",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-embedder-policy": "require-corp",
        });
        response.end(`<!doctype html><title>Around</title><body>${body}`);
    });
    await new Promise<void>((done) => around.listen(0, "127.0.0.1", done));
    outer = `http://127.0.0.1:${(around.address() as AddressInfo).port}`;
    site = makeSite(tables, false);
});
test.afterAll(() => around.close());

/** The page around with something in its body. */
async function visit(page: Page, html: string): Promise<void> {
    body = html;
    await page.goto(outer);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
}

/** `makruk-probe serve` with these options, until the test ends. */
async function serve(options: string[]): Promise<{ url: string; stop(): void }> {
    const port = await freePort();
    const args = ["serve", "--tables", tables, "--listen", `127.0.0.1:${port}`, ...options];
    const service = spawn(program!, args, {
        stdio: ["ignore", "ignore", "inherit"],
        env: { ...process.env, RUST_LOG: "warn" },
    });
    // Another site than the page around, for the browser.
    const url = `http://localhost:${port}/`;
    await expect
        .poll(() =>
            fetch(`http://127.0.0.1:${port}/readyz`).then(
                ({ ok }) => ok,
                () => false,
            ),
        )
        .toBe(true);
    return { url, stop: () => service.kill() };
}

/** Keeps the messages that the page around receives. */
async function listen(page: Page): Promise<void> {
    await page.addInitScript(() => {
        const heard: unknown[] = [];
        Object.assign(window, { heard });
        addEventListener("message", ({ data }) => heard.push(data));
    });
}
type Message = {
    type: string;
    fen?: string;
    category?: string;
    best?: { san: string };
    reason?: string;
    error?: string;
};
const heard = (page: Page): Promise<Message[]> =>
    page.evaluate(() => (window as unknown as { heard: Message[] }).heard);
const say = (page: Page, message: Record<string, unknown>): Promise<void> =>
    page.evaluate((message) => {
        const { contentWindow, src } = document.querySelector("iframe")!;
        contentWindow!.postMessage(message, new URL(src).origin);
    }, message);
const last = async (page: Page): Promise<Message | undefined> => (await heard(page)).at(-1);

/** Talks with the page in a frame. */
async function converse(page: Page): Promise<void> {
    const frame = page.frameLocator("iframe");
    await expect(frame.locator(".verdict h2")).toHaveText("White wins");
    await expect.poll(async () => (await last(page))?.type).toBe("ready");
    // Nothing is told before something was asked.
    expect(await heard(page)).toHaveLength(1);
    await say(page, { makruk: 1, type: "set", fen: ROOKS });
    await expect.poll(async () => (await last(page))?.fen).toBe(ROOKS);
    expect(await last(page)).toMatchObject({
        makruk: 1,
        type: "verdict",
        category: "blessed-loss",
        best: { san: "Rb2" },
    });
    await expect(frame.locator(".verdict h2")).toHaveText("Draw by the count");
    // A game is followed: each message has the moves so far.
    const game = `[FEN "${KHON}"]\n\n1. Rxe3+ Kf2`;
    await say(page, { makruk: 1, type: "game", pgn: `${game} *` });
    await expect.poll(async () => (await last(page))?.fen).toContain("8/8/8/8/8/4R3/5k2/K7 w - 32 7");
    await say(page, { makruk: 1, type: "game", pgn: `${game} 2. Re8 *`, ply: 0, flip: true });
    await expect.poll(async () => (await last(page))?.fen).toBe(KHON);
    // The moves come last: nothing more is told of this position.
    await expect.poll(async () => (await last(page))?.best).toBeTruthy();
    expect((await last(page))?.category).toBe("win");
    // A message that cannot be read gets an error, and the board stays.
    for (const [message, part] of [
        [{ type: "set", fen: "8/8 w" }, "FEN"],
        [{ type: "set" }, "fen is missing"],
        [{ type: "game", pgn: `[FEN "${KHON}"]\n\n1. Rb9 *` }, "Rb9"],
        [{ type: "jump" }, '"jump" is not a type of message'],
    ] as const) {
        await say(page, { makruk: 1, ...message });
        await expect.poll(async () => (await last(page))?.error ?? "").toContain(part);
        expect((await last(page))?.type).toBe("error");
    }
    // Messages of others do not concern the page.
    const before = (await heard(page)).length;
    await say(page, { type: "set", fen: KHON });
    await say(page, { makruk: 1, type: "set", fen: KHON });
    await expect.poll(async () => (await last(page))?.fen).toBe(KHON);
    expect(await heard(page)).toHaveLength(before + 1);
}

test("a served page with --embed works in a frame of an isolated page, and talks with it", async ({ page }) => {
    const service = await serve(["--embed", outer]);
    try {
        await listen(page);
        await visit(page, `<iframe src="${service.url}?embed&fen=${inQuery(KHON)}" width="420" height="720"></iframe>`);
        await converse(page);
    } finally {
        service.stop();
    }
});

test("a served page without --embed is framed by nobody", async ({ page }) => {
    const service = await serve([]);
    try {
        await listen(page);
        await visit(page, `<iframe src="${service.url}?embed&fen=${inQuery(KHON)}"></iframe>`);
        await expect.poll(() => page.frames()[1]?.url()).toBe("chrome-error://chromewebdata/");
        await expect(page.frameLocator("iframe").locator(".verdict")).toHaveCount(0);
        expect(await heard(page)).toEqual([]);
    } finally {
        service.stop();
    }
});

const FRAMED = `add_header Cross-Origin-Embedder-Policy require-corp always;
    add_header Cross-Origin-Resource-Policy cross-origin always;`;
const SHARED = "add_header Access-Control-Allow-Origin * always;";
/** nginx, as another site for the browser. */
async function host(extra: string): Promise<{ url: string; stop(): void }> {
    const { url, stop } = await startNginx(site, extra);
    return { url: url.replace("127.0.0.1", "localhost"), stop };
}

test("a site of files works in a frame of an isolated page, and talks with it", async ({ page }) => {
    const { url, stop } = await host(FRAMED);
    try {
        await listen(page);
        await visit(page, `<iframe src="${url}?embed&fen=${inQuery(KHON)}" width="420" height="720"></iframe>`);
        await converse(page);
    } finally {
        stop();
    }
});

test("one line puts a board into an empty, isolated page", async ({ page }) => {
    const { url, stop } = await host(SHARED);
    try {
        await visit(
            page,
            `<script type="module" src="${url}element.js"></script><makruk-tablebase fen="${KHON}"></makruk-tablebase>`,
        );
        const board = page.locator("makruk-tablebase");
        await expect(board.locator(".head")).toHaveText("White wins");
        const figures = "needs 23 moves to mate or to take the last piece in time · 65 if the count begins now";
        await expect(board.locator("p").nth(1)).toHaveText(`${figures} · White to move`);
        expect(await board.locator("g.white, g.black").count()).toBe(4);
        expect(await board.locator("button").count()).toBe(8);
        await expect(board.locator("button").first()).toHaveText("Re1");
        await expect(board.locator("button.win").first()).toBeVisible();
        await board.locator("button").first().click();
        await expect(board.locator("p").nth(1)).toContainText("Black to move");
        await expect(board).toHaveAttribute("fen", "8/8/8/8/8/4s1k1/8/K3R3 b - - 0 1");
        expect(await board.locator(".last").count()).toBe(2);
        // The rook on each square: not on those of other men, nor where Black's king would stand in check.
        await board.evaluate((board, fen) => {
            board.setAttribute("fen", fen);
            board.setAttribute("map", "e2");
        }, KHON);
        await expect(board.locator(".mark")).toHaveCount(64 - 3 - 9);
        await board.evaluate((board) => board.removeAttribute("map"));
        await expect(board.locator(".mark")).toHaveCount(0);
        // No mate in one move is promised if the next aim is a promotion.
        await board.evaluate((board) => board.setAttribute("fen", "8/8/2R5/3P4/K2k4/8/8/8 w - - 0 1"));
        await expect(board.locator(".head")).toHaveText("White wins");
        await expect(board.locator("p").nth(1)).toContainText("needs 5 moves to mate or to end the last pawn in time");
        // Another position, in Thai; its verdict is an event.
        const told = await page.evaluate(async (fen) => {
            const board = document.querySelector("makruk-tablebase")!;
            const verdict = new Promise((done) =>
                board.addEventListener("verdict", (event) => done((event as CustomEvent).detail.category)),
            );
            board.setAttribute("lang", "th");
            board.setAttribute("moves", "2");
            board.setAttribute("fen", fen);
            return verdict;
        }, ROOKS);
        expect(told).toBe("blessed-loss");
        await expect(board.locator(".head")).toHaveText("เสมอด้วยการนับ");
        expect(await board.locator("button").count()).toBe(2);
        await expect(board.locator("p").last()).toHaveText(/^และอีก \d+ ตา$/);
        // The ranks have their numbers, and the men the page's colours.
        for (const name of "abcdefgh12345678") await expect(board.locator("text", { hasText: name })).toHaveCount(1);
        await expect(board.locator("g.black path").first()).toHaveAttribute("fill", "#33221a");
        // In Thai they are the men of a Thai board.
        const rook = (lang: string) =>
            board.evaluate((board, lang) => {
                board.setAttribute("lang", lang);
                board.setAttribute("fen", `${board.getAttribute("fen")} `);
                const title = [...board.shadowRoot!.querySelectorAll("title")].find((title) =>
                    /^r /i.test(title.textContent!),
                );
                return title!.parentElement!.querySelector("path")!.getAttribute("d");
            }, lang);
        expect([await rook("th"), await rook("en")]).toEqual([TRADITIONAL, TODAY].map(({ R }) => R.body[0]));
        // A fault is said in the language of the element, and is an event; so is a table that is missing.
        const faulty = (fen: string, lang: string) =>
            board.evaluate(
                (board, [fen, lang]) => {
                    const problem = new Promise((done) =>
                        board.addEventListener("problem", (event) => done((event as CustomEvent).detail.reason), {
                            once: true,
                        }),
                    );
                    board.setAttribute("lang", lang!);
                    board.setAttribute("fen", fen!);
                    return problem;
                },
                [fen, lang],
            );
        // A text that is not a position has no men.
        expect(await faulty("rubbish", "en")).toBe("bad_fen");
        expect(await board.locator("g.white, g.black").count()).toBe(0);
        expect(await faulty("8/8/8/3k4/8/8/1R6/8 w", "th")).toBe("illegal_position");
        await expect(board.locator(".error")).toHaveText("ตำแหน่งนี้เป็นไปไม่ได้ตามกติกา");
        expect(await faulty("1K6/8/5k2/8/1R6/4N3/7r/8 w", "th")).toBe("missing_table");
        await expect(board.locator(".error")).toHaveText("ไม่มีตารางของปลายกระดานนี้");
        // In a dark page it has the colours of the dark.
        await page.evaluate(() => (document.documentElement.style.colorScheme = "dark"));
        await expect(board.locator(".error")).toHaveCSS("color", "rgb(240, 147, 138)");
        expect(await faulty("8/8/8/3k4/8/8/1R6/8 b", "en")).toBe("illegal_position");
        await expect(board.locator(".error")).toContainText("king");
    } finally {
        stop();
    }
});
