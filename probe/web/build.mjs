// Builds the page into dist/, which is committed; with --check builds it and compares.
import { readFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const folder = new URL("dist/", import.meta.url);
const source = (name) => new URL(`src/${name}`, import.meta.url);

/** Writes light-dark(), which browsers of before 2024 lack, as colours for the light and others for the dark. */
const lightDark = {
    name: "light-dark",
    setup: ({ onLoad }) =>
        onLoad({ filter: /colours\.css$/ }, async ({ path }) => {
            const text = await readFile(path, "utf8");
            const pair = /(--[\w-]+): light-dark\(((?:[^(),]|\([^()]*\))+), ((?:[^(),]|\([^()]*\))+)\);/g;
            const dark = [...text.matchAll(pair)].map(([, name, , dark]) => `${name}: ${dark};`).join("");
            const light = text.replace(pair, "$1: $2;");
            if (light.includes("light-dark(")) throw new Error(`${path} has a light-dark() that is not understood`);
            const contents =
                `${light}:root[data-theme="dark"]{${dark}}` +
                `@media (prefers-color-scheme: dark){:root:not([data-theme="light"]){${dark}}}`;
            return { contents, loader: "css" };
        }),
};

const { outputFiles } = await build({
    entryPoints: {
        page: source("page.ts").pathname,
        site: source("site.ts").pathname,
        worker: source("worker.ts").pathname,
    },
    outdir: folder.pathname,
    bundle: true,
    minify: true,
    // Browsers of phones from 2021 and 2022.
    target: ["es2021", "chrome100", "firefox100", "safari15"],
    plugins: [lightDark],
    format: "esm",
    charset: "utf8",
    loader: { ".pgn": "text" },
    write: false,
});
const files = new Map(outputFiles.map((file) => [file.path.split("/").pop(), Buffer.from(file.contents)]));
const html = await readFile(source("index.html"), "utf8");
files.set("index.html", Buffer.from(html.replace(/\s*\n\s*/g, "\n")));
for (const name of ["icon.svg", "favicon.ico"]) files.set(name, await readFile(source(name)));
// The prober, for sites without a server: see ../wasm.
files.set("makruk.wasm", await readFile(new URL("../wasm/npm/makruk.wasm", import.meta.url)));
const manifest = JSON.parse(await readFile(source("manifest.webmanifest"), "utf8"));
files.set("manifest.webmanifest", Buffer.from(JSON.stringify(manifest)));

if (process.argv.includes("--check")) {
    const committed = (await readdir(folder)).sort();
    const differs = async ([name, bytes]) =>
        !bytes.equals(await readFile(new URL(name, folder)).catch(() => Buffer.of()));
    const stale = [];
    for (const file of files) if (await differs(file)) stale.push(file[0]);
    stale.push(...committed.filter((name) => !files.has(name)));
    if (stale.length > 0) {
        console.error(
            `dist/ is not what src/ builds (${stale.join(", ")}): run npm run build in probe/web and commit it`,
        );
        process.exit(1);
    }
} else {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    for (const [name, bytes] of files) await writeFile(new URL(name, folder), bytes);
}
const { gzipSync } = await import("node:zlib");
/** Files that only a site without a server loads. */
const OF_SITE = ["site.js", "makruk.wasm"];
/** The most bytes of a first visit, compressed: with a server, and what comes on top without one. */
const MOST = { page: 100_000, site: 210_000 };
for (const [name, most] of Object.entries(MOST)) {
    const parts = [...files].filter(([file]) => OF_SITE.includes(file) === (name === "site"));
    const raw = parts.reduce((sum, [, bytes]) => sum + bytes.length, 0);
    const packed = parts.reduce((sum, [, bytes]) => sum + gzipSync(bytes, { level: 6 }).length, 0);
    console.log(`${parts.map(([file]) => file).join(", ")}: ${raw} bytes, ${packed} compressed`);
    if (packed > most) {
        console.error(`the ${name} has ${packed} bytes compressed: at most ${most} are wanted`);
        process.exit(1);
    }
}
