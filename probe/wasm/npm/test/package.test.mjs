// What would be published, and the examples of its page.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { makeSite, packageFolder, readPackage, startNginx, tablesFolder } from "./host.mjs";

let host, site;

before(async () => {
    site = makeSite(tablesFolder(), true);
    host = await startNginx(site);
});
after(() => host?.stop());

test("the package has these files and no others", () => {
    const { status, stdout } = spawnSync("npm", ["pack", "--dry-run", "--json"], {
        cwd: packageFolder,
        encoding: "utf8",
    });
    assert.equal(status, 0);
    const [{ files, size, name, version }] = JSON.parse(stdout.slice(stdout.indexOf("[")));
    const parts = [
        "answers",
        "cache",
        "error",
        "index",
        "indexed",
        "kept",
        "module",
        "platform",
        "schemas",
        "source",
        "tablebase",
    ];
    const scripts = parts.flatMap((part) => [`dist/${part}.d.ts`, `dist/${part}.js`]);
    const expected = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", ...scripts, "dist/element.js", "makruk.wasm", "package.json"];
    assert.deepEqual(files.map(({ path }) => path).sort(), expected.sort());
    assert.equal(name, "makruk-probe");
    assert.ok(size < 267_000, `${size} bytes`);
    const workspace = readFileSync(join(packageFolder, "../../../Cargo.toml"), "utf8");
    assert.ok(workspace.includes(`[workspace.package]\nversion = "${version}"`), version);
    console.log(`the package has ${size} bytes`);
});

test("the scripts name no other package", () => {
    for (const file of readdirSync(join(packageFolder, "dist")))
        for (const [, from] of readFileSync(join(packageFolder, "dist", file), "utf8").matchAll(/from "([^"]+)"/g))
            assert.match(from, /^\.\/\w+\.(js|ts)$/, `${file} imports ${from}`);
    assert.equal(readPackage().dependencies, undefined);
});

test("the examples of the README print what it says", () => {
    const readme = readFileSync(join(packageFolder, "README.md"), "utf8");
    const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, text]) => text);
    assert.equal(examples.length, 3);
    for (const [at, example] of examples.entries()) {
        const file = join(packageFolder, `test/example-${at}.mjs`);
        const text = example.replaceAll("https://example.org/makruk/", host.url).replaceAll("/srv/makruk", site);
        assert.notEqual(text, example);
        writeFileSync(file, text);
        try {
            const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
            assert.equal(status, 0, stderr);
            const expected = [...example.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, text]) => text);
            assert.ok(expected.length > 0);
            assert.deepEqual(stdout.trimEnd().split("\n"), expected);
        } finally {
            rmSync(file);
        }
    }
});
