// Builds the page into ../service/page/, which is committed; with --check builds it and compares.
import { createHash } from "node:crypto";
import { readFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const folder = new URL("../service/page/", import.meta.url);
const source = (name) => new URL(`src/${name}`, import.meta.url);

/** Writes light-dark(), which browsers of before 2024 lack, as colours for the light and paper, and for the dark. */
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
                `${light}@media screen{:root[data-theme="dark"]{${dark}}}` +
                `@media screen and (prefers-color-scheme: dark){:root:not([data-theme="light"]){${dark}}}`;
            return { contents, loader: "css" };
        }),
};

const here = fileURLToPath(new URL(".", import.meta.url));
const settings = {
    absWorkingDir: here,
    outdir: folder.pathname,
    bundle: true,
    minify: true,
    // Browsers of phones from 2021 and 2022.
    target: ["chrome100", "firefox100", "safari15"],
    format: "esm",
    charset: "utf8",
    write: false,
};
/** Names with the modules of src/ that they are built from. */
const entries = (names) => Object.entries(names).map(([out, name]) => ({ out, in: source(name).pathname }));
const named = (outputFiles) => outputFiles.map(({ path, text }) => [path.split("/").pop(), text]);

/** The page, and the parts that are loaded when they are first used (src/parts.ts). */
const PAGE = "start";
const LATER = { dialogs: "dialogs.ts", pictures: "pictures.ts", views: "views.ts" };
/** Each has a file for the board and one for the other views. */
const LANGUAGES = ["en", "th", "fr"];
const wordsOf = (code) => [`${code}.js`, `${code}-views.js`];
/** Stands for the build until the files are there from which it is named. */
const BUILD = "@build@";
const [, version] = /^version = "(.*)"/m.exec(await readFile(new URL("../../Cargo.toml", import.meta.url), "utf8"));
const split = {
    ...settings,
    splitting: true,
    entryPoints: entries({ [PAGE]: "main.ts", ...LATER }),
    define: { BUILD: JSON.stringify(BUILD), VERSION: JSON.stringify(version) },
    metafile: true,
};

/** The modules of the page: esbuild writes a file for each set of parts that have a module in common. */
const { metafile } = await build({ ...settings, entryPoints: entries({ [PAGE]: "main.ts" }), metafile: true });
const ofMain = Object.keys(metafile.inputs).sort();
/** Makes each part use all of them, so that there is one set and one file. */
const oneSet = {
    name: "one-set",
    setup: ({ onResolve, onLoad }) => {
        onResolve({ filter: /./ }, ({ kind, path }) => (kind === "entry-point" ? { path, namespace: "part" } : null));
        onLoad({ filter: /./, namespace: "part" }, ({ path }) => ({
            contents: [
                ...ofMain.map((module) => `import "./${module}";`),
                `export * from ${JSON.stringify(path)};`,
            ].join(""),
            resolveDir: here,
        }));
    },
};
const parts = await build({ ...split, plugins: [oneSet], chunkNames: "main" });
/** What is left of the entry says under which short name the page's file exports its start. */
const at = parts.outputFiles.findIndex(({ path }) => path.endsWith(`${PAGE}.js`));
const [, start] = /\{(\w+) as \w+\}from"\.\/main\.js"/.exec(parts.outputFiles[at].text);
parts.outputFiles.splice(at, 1);
const others = await build({
    ...settings,
    entryPoints: entries({
        page: "boot.ts",
        ...Object.fromEntries(
            LANGUAGES.flatMap((code) => [
                [code, `language/${code}.ts`],
                [`${code}-views`, `language/views/${code}.ts`],
            ]),
        ),
        site: "site.ts",
        element: "element.ts",
    }),
});
const sheets = entries({ page: "style/page.css", views: "style/views.css" });
const style = await build({ ...settings, entryPoints: sheets, plugins: [lightDark] });

/** All files of the page. */
const files = new Map([parts, others, style].flatMap(({ outputFiles }) => named(outputFiles)));
const expected = ["main", ...Object.keys(LATER)].map((name) => `${name}.js`);
if (parts.outputFiles.length !== expected.length || !expected.every((name) => files.has(name)))
    throw new Error(`the parts are ${named(parts.outputFiles).map(([name]) => name)}: expected ${expected}`);
// In another build the short name may be another function's: page.js of any build calls `start`.
const called = files.get("main.js").replace(new RegExp(`(export\\{[^}]* as )${start}(?=[,}])`), "$1start");
if (!/ as start[,}]/.test(called)) throw new Error(`main.js does not export its start as ${start}`);
files.set("main.js", called);
const html = await readFile(source("index.html"), "utf8");
files.set("index.html", html.replace(/\s*\n\s*/g, "\n"));
const manifest = JSON.parse(await readFile(source("manifest.webmanifest"), "utf8"));
files.set("manifest.webmanifest", JSON.stringify(manifest));
files.set("icon.svg", await readFile(source("icon.svg")));

// The puzzles of the trainer, which the tables prove.
const puzzles = new URL("../../tables/stats/puzzles/puzzles-trainer.txt", import.meta.url);
files.set("puzzles.txt", await readFile(puzzles));
// The encoder in pictures.js is of others, who ask for their licence in every copy.
files.set("LICENSE-gifenc.txt", await readFile(new URL("node_modules/gifenc/LICENSE.md", import.meta.url)));

/** The parts of the page that the service uses for previews of links. */
const taken = await build({ ...settings, entryPoints: entries({ preview: "preview.ts" }) });
const { preview } = await import(`data:text/javascript,${encodeURIComponent(taken.outputFiles[0].text)}`);
// Joiners, which forbid line breaks in Thai, are for browsers.
files.set("preview.json", JSON.stringify(preview).replaceAll("\u2060", ""));

/** Files that no page with a server loads: a site's, the board for pages of others, the service's, and a licence. */
const OTHERS = {
    "LICENSE-gifenc.txt": "licence",
    "preview.json": "service",
    "site.js": "site",
    "makruk.wasm": "site",
    "element.js": "element",
};
/** Files that the service worker keeps when they are used, and not before. */
const USED = ["puzzles.txt", ...LANGUAGES.flatMap(wordsOf)];
/** The file that is asked for under another name. */
const UNKEPT = ["index.html"];

const ofPage = [...files.keys()].filter((name) => !(name in OTHERS)).sort();
const hash = createHash("sha256");
for (const name of ofPage) hash.update(files.get(name));
const stamp = hash.digest("hex").slice(0, 8);
// Parts and words go with the files of their own build only: they ask main.js for a name that no other build has.
for (const name of [...expected, ...LANGUAGES.flatMap(wordsOf)]) {
    const text = files.get(name).replaceAll(BUILD, stamp);
    files.set(
        name,
        name === "main.js"
            ? `${text.trimEnd()}export const build${stamp}=1;\n`
            : `import{build${stamp}}from"./main.js";${text}`,
    );
}
const worker = await build({
    ...settings,
    entryPoints: entries({ worker: "worker.ts" }),
    define: {
        PAGE_FILES: JSON.stringify(ofPage.filter((name) => ![...USED, ...UNKEPT].includes(name))),
        USED_FILES: JSON.stringify(USED),
        BUILD: JSON.stringify(stamp),
    },
});
// Browsers install a worker anew when it differs: so does that of another build.
files.set("worker.js", worker.outputFiles[0].text);
// The prober, for sites without a server: ../wasm builds it there.
files.set("makruk.wasm", await readFile(new URL("makruk.wasm", folder)));
for (const [name, content] of files) files.set(name, Buffer.from(content));

if (process.argv.includes("--check")) {
    const committed = (await readdir(folder)).sort();
    const differs = async ([name, bytes]) =>
        !bytes.equals(await readFile(new URL(name, folder)).catch(() => Buffer.of()));
    const stale = [];
    for (const file of files) if (await differs(file)) stale.push(file[0]);
    stale.push(...committed.filter((name) => !files.has(name)));
    if (stale.length > 0) {
        console.error(
            `../service/page/ is not what src/ builds (${stale.join(", ")}): run npm run build in probe/web and commit it`,
        );
        process.exit(1);
    }
} else {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    for (const [name, bytes] of files) await writeFile(new URL(name, folder), bytes);
}

const sizes = [...files].map(([name, content]) => [name, gzipSync(content, { level: 9 }).length]);
const later = [...Object.keys(LATER).map((name) => `${name}.js`), "views.css", "worker.js"];
const isOf = (part) => (name) => (OTHERS[name] ?? (name === "puzzles.txt" ? "puzzles" : "page")) === part;
const isFirst = (name) => isOf("page")(name) && !later.includes(name) && !name.endsWith("-views.js");
const bytesOf = (is) => sizes.reduce((sum, [name, bytes]) => sum + (is(name) ? bytes : 0), 0);
/** The bytes in the language that has the most. */
const inOne = (is) => {
    const others = (code) => LANGUAGES.filter((other) => other !== code).flatMap(wordsOf);
    return Math.max(...LANGUAGES.map((code) => bytesOf((name) => is(name) && !others(code).includes(name))));
};
/** What is measured, compressed, and the most bytes of it. A visit loads one language. */
const MOST = [
    ["page in all languages", bytesOf(isOf("page")), 111_500],
    ["page", inOne(isOf("page")), 87_000],
    ["first visit", inOne(isFirst), 46_000],
    ["first visit without a server", inOne((name) => isFirst(name) || isOf("site")(name)), 242_500],
    ["puzzles", bytesOf(isOf("puzzles")), 21_500],
    ["site", bytesOf(isOf("site")), 196_500],
    ["element", bytesOf(isOf("element")), 14_000],
    ["service", bytesOf(isOf("service")), 5_500],
    ["licence", bytesOf(isOf("licence")), 700],
];
for (const [part, bytes, most] of MOST) {
    console.log(`${part}: ${bytes} bytes compressed, at most ${most}`);
    if (bytes > most) process.exitCode = 1;
}
