// The package in bundlers: they keep what a page imports, and Vite's development server says what it needs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { makeSite, packageFolder, startNginx, tablesFolder, temporary } from "./host.mjs";

const folder = temporary();
const KHON = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
/** The folder of the page, with which esbuild and Playwright come. */
const web = join(packageFolder, "../../web");
/** The folder in which the other bundlers are installed, if they are. */
const bundlers = process.env.MAKRUK_BUNDLERS;
/** Bundlers run in Node. */
const isNode = !("Deno" in globalThis) && !("Bun" in globalThis);
const required = (from, name) => import(pathToFileURL(createRequire(join(from, "x.js")).resolve(name)).href);

// A page that imports the package as it would be installed.
before(() => {
    const { status, stdout } = spawnSync("npm", ["pack", "--silent", "--pack-destination", folder], {
        cwd: packageFolder,
        encoding: "utf8",
    });
    assert.equal(status, 0);
    const installed = join(folder, "node_modules/makruk-probe");
    mkdirSync(installed, { recursive: true });
    spawnSync("tar", ["xf", join(folder, stdout.trim()), "--strip-components=1", "-C", installed]);
    // Parcel reads the exports of a package only if it is told to.
    const app = { type: "module", "@parcel/resolver-default": { packageExports: true } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(app));
    writeFileSync(join(folder, "index.html"), '<script type="module" src="/main.js"></script>');
    writeFileSync(
        join(folder, "main.js"),
        `import "makruk-probe/element";
import { open } from "makruk-probe";
const [fen, wasm] = ["${KHON}", new URLSearchParams(location.search).get("wasm")];
const site = new URL("/", location.href);
const element = document.createElement("makruk-tablebase");
element.setAttribute("src", site.href);
element.setAttribute("fen", fen);
const verdict = new Promise((done) => element.addEventListener("verdict", done));
document.documentElement.append(element);
const probed = open(site, wasm ? { wasm } : {}).then((tables) => tables.probe(fen));
Promise.all([probed, verdict]).then(([{ category }]) => {
    globalThis.found = [category, element.shadowRoot.querySelector(".head").textContent];
});
`,
    );
});

/** Bundlers by their names: each builds the page into a folder. */
const BUNDLERS = {
    // Vite 6 and 7 build with Rollup, Vite 8 with Rolldown.
    ...Object.fromEntries(
        ["vite", "vite-7", "vite-8"].map((name) => [
            name,
            async (outDir) => {
                const { build } = await required(bundlers, name);
                await build({ root: folder, base: "./", logLevel: "error", build: { outDir } });
            },
        ]),
    ),
    ...Object.fromEntries(
        ["webpack", "@rspack/core"].map((name) => [
            name,
            async (path) => {
                const { default: build } = await required(bundlers, name);
                const settings = {
                    mode: "production",
                    context: folder,
                    entry: "./main.js",
                    output: { path },
                    performance: false,
                };
                const stats = await new Promise((done, fail) =>
                    build(settings, (error, stats) => (error ? fail(error) : done(stats))),
                );
                assert.ok(!stats.hasErrors() && !stats.hasWarnings(), stats.toString("errors-warnings"));
            },
        ]),
    ),
    parcel: (out) => {
        const program = join(bundlers, "node_modules/.bin/parcel");
        const settings = ["--dist-dir", out, "--public-url", ".", "--no-cache", "--no-source-maps"];
        const { status, stderr, stdout } = spawnSync(program, ["build", "index.html", ...settings], {
            cwd: folder,
            encoding: "utf8",
        });
        assert.equal(status, 0, stdout + stderr);
    },
    rollup: async (dir) => {
        const { rollup } = await required(bundlers, "rollup");
        const { default: resolve } = await required(bundlers, "@rollup/plugin-node-resolve");
        const bundle = await rollup({ input: join(folder, "main.js"), plugins: [resolve()] });
        await bundle.write({ dir, format: "es" });
    },
    esbuild: async (outdir) => {
        const { build } = await required(web, "esbuild");
        const entryPoints = [join(folder, "main.js")];
        await build({ entryPoints, bundle: true, minify: true, format: "esm", outdir, logLevel: "error" });
    },
};
/** Bundlers that leave the module where it is: the page has a copy, and names it. */
const COPIED = ["rollup", "esbuild"];

test(
    "what bundlers build runs in a browser: the package and the element",
    { skip: !isNode || !bundlers },
    async (t) => {
        const site = makeSite(tablesFolder());
        const host = await startNginx(site);
        const { chromium } = (await required(web, "playwright-core")).default;
        const browser = await chromium.launch({
            executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
            args: ["--no-sandbox", "--disable-dev-shm-usage"],
        });
        try {
            for (const [name, build] of Object.entries(BUNDLERS)) {
                await t.test(name, async () => {
                    const out = join(site, `dist-${name.replace(/\W/g, "")}`);
                    await build(out);
                    const isCopied = COPIED.includes(name);
                    const kind = isCopied ? 'type="module"' : "defer";
                    if (!existsSync(join(out, "index.html")))
                        writeFileSync(join(out, "index.html"), `<script ${kind} src="main.js"></script>`);
                    if (isCopied) copyFileSync(join(packageFolder, "makruk.wasm"), join(out, "makruk.wasm"));
                    const page = await browser.newPage();
                    const errors = [];
                    page.on("pageerror", (error) => errors.push(String(error)));
                    await page.goto(`${host.url}${out.slice(site.length + 1)}/${isCopied ? "?wasm=makruk.wasm" : ""}`);
                    const found = await page
                        .waitForFunction(() => globalThis.found, null, { timeout: 30_000 })
                        .catch(() => null);
                    assert.deepEqual(await found?.jsonValue(), ["win", "White wins"], errors.join("\n"));
                    await page.close();
                });
            }
        } finally {
            await browser.close();
            host.stop();
        }
    },
);

test(
    "Vite's development server: the setting that the error names is the remedy",
    { skip: !isNode || !bundlers },
    async () => {
        const { createServer } = await required(bundlers, "vite");
        for (const exclude of [[], ["makruk-probe"]]) {
            const server = await createServer({
                root: folder,
                logLevel: "error",
                cacheDir: join(folder, `cache-${exclude.length}`),
                optimizeDeps: { exclude },
                server: { host: "127.0.0.1", port: 0 },
            });
            await server.listen();
            try {
                const page = server.resolvedUrls.local[0];
                const main = await (await fetch(`${page}main.js`)).text();
                const script = new URL(
                    /import \{ open \} from "([^"]+)"/.exec(main)?.[1] ?? /"([^"]*index\.js[^"]*)"/.exec(main)[1],
                    page,
                );
                // The answer comes when Vite has bundled: a server that is closed before does not end.
                assert.match(await (await fetch(script)).text(), /open/);
                const address = new URL("../makruk.wasm", script);
                const answer = await fetch(address);
                const isPage = answer.headers.get("content-type")?.startsWith("text/html") ?? false;
                // Pre-bundled, the script has moved away from the module.
                assert.equal(isPage, exclude.length === 0, address.href);
            } finally {
                await server.close();
            }
        }
    },
);
