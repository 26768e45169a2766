// Measures first visits to a site of files, each with a new profile: when the first byte of a table or of its guide is asked, when the
// verdict is there, when the moves are.
//
//   node visits.mjs SITE [--protocol plain|tls|http2] [--delay MS] [--mbit N] [--each N] [--plain-files] [--trace] [FEN]...
//
// SITE is a folder that `makruk-probe site` made. nginx serves it, compressed as the notes on hosts say (--plain-files: as it is), through a
// line with that round trip and that rate. Milliseconds count from the beginning of the navigation, in a warm browser.
import { chromium } from "playwright-core";
import { slowLine, startNginx } from "../wasm/npm/test/host.mjs";

const [site, ...options] = process.argv.slice(2);
if (!site) throw new Error("expected the folder of a site");
const value = (name, otherwise) => (options.includes(name) ? options[options.indexOf(name) + 1] : otherwise);
const [protocol, each] = [value("--protocol", "plain"), Number(value("--each", 5))];
const [delay, rate] = [Number(value("--delay", 0)), (Number(value("--mbit", 0)) * 1e6) / 8 / 1000];
const given = options.filter((option) => option.includes("/"));
const FENS = given.length > 0 ? given : ["8/8/8/3k4/8/8/1R6/K7 w - - 0 1", "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"];
const COMPRESSED =
    "gzip on; gzip_comp_level 6; gzip_types text/css text/javascript application/wasm application/json image/svg+xml;";

const host = await startNginx(site, options.includes("--plain-files") ? "" : COMPRESSED, protocol);
process.on("exit", () => host.stop());
const slow = delay > 0 || rate > 0 ? await slowLine(Number(new URL(host.url).port), delay, rate) : null;
const url = slow ? host.url.replace(/:\d+\//, `:${slow.address().port}/`) : host.url;
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--ignore-certificate-errors"],
});

/** Notes when the verdict and the moves are drawn first. */
function watch() {
    const marks = (window.marks = {});
    new MutationObserver(() => {
        for (const [name, what] of [
            ["verdict", ".verdict h2"],
            ["moves", ".moves .move"],
        ])
            if (!(name in marks) && document.querySelector(what)) marks[name] = performance.now();
    }).observe(document, { childList: true, subtree: true });
}

async function visit(fen) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.addInitScript(watch);
    await page.goto(`${url}?fen=${fen.replaceAll(" ", "_")}`, { waitUntil: "commit" });
    await page.waitForFunction(() => window.marks.moves !== undefined);
    const seen = await page.evaluate(() => {
        const entries = performance.getEntriesByType("resource").map((entry) => ({
            path: new URL(entry.name).pathname,
            begun: entry.startTime,
            ended: entry.responseEnd,
            bytes: entry.transferSize,
        }));
        const [{ responseEnd, transferSize }] = performance.getEntriesByType("navigation");
        return { marks: window.marks, entries, html: { path: "/", begun: 0, ended: responseEnd, bytes: transferSize } };
    });
    await context.close();
    const all = [seen.html, ...seen.entries];
    const before = all.filter(({ ended }) => ended > 0 && ended <= seen.marks.verdict);
    const isTable = ({ path }) => /\/(tables\/|guide\/.*\.)/.test(path);
    return {
        asked: Math.min(...all.filter(isTable).map(({ begun }) => begun)),
        ...seen.marks,
        requests: before.length,
        ofTables: before.filter(isTable).length,
        kB: before.reduce((sum, { bytes }) => sum + bytes, 0) / 1000,
        all,
    };
}

await visit(FENS[0]);
const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
for (const fen of FENS) {
    const visits = [];
    for (let n = 0; n < each; n++) visits.push(await visit(fen));
    const shown = ["asked", "verdict", "moves", "requests", "ofTables", "kB"].map((name) => {
        const values = visits.map((visit) => visit[name]);
        return `${name} ${Math.round(middle(values))} (${Math.round(Math.min(...values))}-${Math.round(Math.max(...values))})`;
    });
    console.log(`${fen}: ${shown.join("  ")}   median (least-most) of ${each}`);
    if (options.includes("--trace"))
        for (const { path, begun, ended, bytes } of visits[0].all.sort((a, b) => a.begun - b.begun))
            console.log(
                `  ${[begun, ended].map((ms) => String(Math.round(ms)).padStart(6)).join(" ")}  ${String(bytes).padStart(7)} ${path}`,
            );
}
await browser.close();
process.exit(0);
