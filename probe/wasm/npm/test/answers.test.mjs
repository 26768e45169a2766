// The same answers as the program's, through nginx. The test of all doors asks questions of every kind.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "../dist/index.js";
import { makeSite, nativeVerdicts, placement, random, startNginx, tablesFolder, threeMen } from "./host.mjs";

/** With MAKRUK_WASM_SWEEP=1 many positions of every material of four and five men are compared as well. */
const isSweep = process.env.MAKRUK_WASM_SWEEP === "1";
const BATCH = 2000;

/** A verdict of the program as a batch has it. */
const inBatch = (verdict) => verdict.replace("{", '{"status":"judged",');

const tables = tablesFolder();
let host, tablebase, materials;

before(async () => {
    host = await startNginx(makeSite(tables, true));
    tablebase = await open(host.url);
    const has = new Set(tablebase.tables);
    const isWhole = (material) => has.has(`${material}.dtm`) && (material.endsWith("vK") || has.has(`${material}.dtz`));
    materials = [...new Set(tablebase.tables.map((table) => table.split(".")[0]))].filter(isWhole);
});

after(() => host?.stop());

for (const man of "RNSM") {
    test(`every position of K${man}vK`, async (t) => {
        if (!materials.includes(`K${man}vK`)) return t.skip("there is no such table here");
        const expected = nativeVerdicts(tables, [...threeMen(man)], false);
        assert.ok(expected.length > 20000, `${expected.length} positions`);
        for (let at = 0; at < expected.length; at += BATCH) {
            const part = expected.slice(at, at + BATCH);
            const found = await tablebase.batch(part.map((line) => /"fen":"([^"]+)"/.exec(line)[1]));
            // As text, field by field, in order.
            assert.equal(found.map((verdict) => JSON.stringify(verdict)).join("\n"), part.map(inBatch).join("\n"));
        }
    });
}

test("samples of all other materials, with their moves", async () => {
    const pick = random(7);
    const others = materials.filter((material) => material.length > 4);
    assert.ok(others.length >= 3, others.join());
    for (const material of others) {
        const fens = Array.from({ length: isSweep ? 2000 : 40 }, (_, n) =>
            placement(material, n % 2 ? "w" : "b", pick),
        );
        const expected = nativeVerdicts(tables, fens, true);
        assert.ok(expected.length > 0, material);
        const found = await tablebase.batch(
            expected.map((line) => /"fen":"([^"]+)"/.exec(line)[1]),
            { moves: true },
        );
        assert.equal(found.map((verdict) => JSON.stringify(verdict)).join("\n"), expected.map(inBatch).join("\n"), material);
    }
});
