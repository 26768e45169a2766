// The package in bundlers: they keep what a page imports, and Vite's development server says what it needs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { packageFolder, temporary } from "./host.mjs";

const folder = temporary();
/** The folder in which Vite is installed, if it is: esbuild comes with the page. */
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
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "index.html"), '<script type="module" src="/main.js"></script>');
    writeFileSync(
        join(folder, "main.js"),
        `import "makruk-probe/element";
import { open } from "makruk-probe";
globalThis.asked = open;
`,
    );
});

const scripts = (out) =>
    readdirSync(out, { recursive: true })
        .filter((name) => /\.js$/.test(name))
        .map((name) => readFileSync(join(out, name), "utf8"))
        .join("\n");

test("esbuild keeps the element", { skip: !isNode }, async () => {
    const { build } = await required(join(packageFolder, "../../web"), "esbuild");
    const out = join(folder, "esbuild");
    await build({
        entryPoints: [join(folder, "main.js")],
        bundle: true,
        minify: true,
        format: "esm",
        outdir: out,
        logLevel: "error",
    });
    assert.match(scripts(out), /customElements\.define\("makruk-tablebase"/);
});

/** What a bundler has written has the element, and the module as a file. */
function isWhole(out) {
    assert.match(scripts(out), /customElements\.define\(["'`]makruk-tablebase/);
    assert.ok(
        readdirSync(out).some((name) => /\.wasm$/.test(name)),
        readdirSync(out).join(" "),
    );
}

// Vite 6 builds with Rollup, Vite 8 with Rolldown.
for (const name of ["vite", "vite-8"]) {
    test(`${name} keeps the element and the module`, { skip: !isNode || !bundlers }, async () => {
        const { build } = await required(bundlers, name);
        const outDir = join(folder, `dist-${name}`);
        await build({ root: folder, logLevel: "error", build: { outDir } });
        isWhole(join(outDir, "assets"));
    });
}

test("webpack keeps the element and the module", { skip: !isNode || !bundlers }, async () => {
    const { default: webpack } = await required(bundlers, "webpack");
    const out = join(folder, "dist-webpack");
    const settings = { mode: "production", context: folder, entry: "./main.js", output: { path: out } };
    const stats = await new Promise((done, fail) =>
        webpack(settings, (error, stats) => (error ? fail(error) : done(stats))),
    );
    assert.ok(!stats.hasErrors(), stats.toString("errors-only"));
    isWhole(out);
});

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
