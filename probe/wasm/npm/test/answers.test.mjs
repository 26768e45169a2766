// The same answers as the program's and the service's, through nginx.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "../dist/index.js";
import {
    makeSite,
    nativeVerdicts,
    placement,
    random,
    startNginx,
    startService,
    tablesFolder,
    threeMen,
} from "./host.mjs";

/** With MAKRUK_WASM_SWEEP=1 many positions of every material of four and five men are compared as well. */
const isSweep = process.env.MAKRUK_WASM_SWEEP === "1";
const BATCH = 2000;

const tables = tablesFolder();
let host, service, tablebase, materials;

before(async () => {
    host = await startNginx(makeSite(tables, true));
    service = await startService(tables);
    tablebase = await open(host.url);
    const has = new Set(tablebase.tables);
    const isWhole = (material) => has.has(`${material}.dtm`) && (material.endsWith("vK") || has.has(`${material}.dtz`));
    materials = [...new Set(tablebase.tables.map((table) => table.split(".")[0]))].filter(isWhole);
});

after(() => {
    host?.stop();
    service?.stop();
});

for (const man of "RNSM") {
    test(`every position of K${man}vK`, async (t) => {
        if (!materials.includes(`K${man}vK`)) return t.skip("there is no such table here");
        const expected = nativeVerdicts(tables, [...threeMen(man)], false);
        assert.ok(expected.length > 20000, `${expected.length} positions`);
        for (let at = 0; at < expected.length; at += BATCH) {
            const part = expected.slice(at, at + BATCH);
            const found = await tablebase.batch(part.map((line) => /"fen":"([^"]+)"/.exec(line)[1]));
            // As text, field by field, in order.
            assert.equal(found.map((verdict) => JSON.stringify(verdict)).join("\n"), part.join("\n"));
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
        assert.equal(found.map((verdict) => JSON.stringify(verdict)).join("\n"), expected.join("\n"), material);
    }
});

const ask = async (path, body) => {
    const request = body
        ? { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
        : {};
    return (await fetch(service.url + path, request)).json();
};
const KHON = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";

test("what the page shows is what the service answers", async () => {
    const pick = random(11);
    const fens = [
        KHON,
        "8/8/8/3k4/8/8/1R6/K7 b - 32 7 1",
        "8/8/8/3k4/8/8/1R6/K7 w - 32 32 1",
        "k7/8/4S3/8/8/4K3/S7/8 w - - 0 1",
    ];
    for (const material of materials.slice(0, 24)) for (const turn of "wb") fens.push(placement(material, turn, pick));
    // Pawns, too many men, a position that is none.
    fens.push(
        "8/8/8/3k4/8/8/PR6/K7 b - - 0 1",
        "rnsmksnr/8/8/8/8/8/8/RNSKMSNR w - - 0 1",
        "8/8/8/8/8/8/1R6/K7 w - - 0 1",
        "x",
    );
    for (const fen of fens) {
        for (const counts of [null, "white"]) {
            const path = `v1/explore?fen=${encodeURIComponent(fen)}${counts ? `&counts=${counts}` : ""}`;
            const expected = await ask(path);
            const found = await tablebase.explore(fen, { counts }).catch((error) => error.details);
            if (expected.reason === "missing_table") {
                // Only a server knows how tables are made.
                assert.equal(found.reason, "missing_table");
                continue;
            }
            // A reader of files calls a wrong question what the service calls it, field by field.
            assert.deepEqual(found, expected, `${fen} ${counts}`);
        }
    }
});

test("lines, and games with their mistakes", async () => {
    for (const fen of [KHON, "8/8/8/3k4/8/8/1R6/K7 w - - 0 1"]) {
        assert.deepEqual(await tablebase.line(fen), await ask(`v1/line?fen=${encodeURIComponent(fen)}`));
        assert.deepEqual(
            await tablebase.line(fen, { maxPlies: 7 }),
            await ask(`v1/line?fen=${encodeURIComponent(fen)}&max_plies=7`),
        );
    }
    const game = `[FEN "${KHON}"]\n\n1. Rxe3+ Kf2 2. Re8 Kf3 3. Rf8+ Kg2 *`;
    for (const pgn of [game, `${game}\n\n[FEN "${KHON}"]\n\n1. Rb9 *`])
        assert.deepEqual(await tablebase.analyse(pgn), (await ask("v1/analyse", { pgn })).games);
});

test("the fields of lila-tablebase are those that the service gives", async () => {
    const pick = random(13);
    const fens = [
        KHON,
        "8/8/8/3k4/8/8/1R6/K7 b - 32 7 1",
        "k6R/8/1K6/8/8/8/8/8 b - - 0 1",
        "k6R/8/1K6/8/8/8/8/8 b - 32 35 1",
        "k7/8/K7/8/8/8/8/1R6 b - 32 10 1",
        "k7/8/1K6/8/8/8/8/7R w - 32 33 9",
        "8/8/8/8/3k4/8/8/4K3 w - - 0 1",
        // Without tables: too many men, and captures whose tables are there (no test builds this material).
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
        "k5mm/8/1K6/8/8/8/8/7R w - - 0 1",
        "8/8/8/8/8/1k6/2n5/R6K b - - 0 1",
    ];
    for (const material of materials.slice(0, 16)) for (const turn of "wb") fens.push(placement(material, turn, pick));
    for (const fen of fens) {
        const expected = await ask(`makruk?fen=${encodeURIComponent(fen)}`);
        const found = await tablebase.lichess(fen).catch((error) => error.details);
        if (expected.reason === "illegal_position") {
            assert.equal(found.reason, expected.reason, fen);
            continue;
        }
        // Only a server knows how tables are made.
        if (expected.reason === "missing_table") assert.ok(found.error.length > 10 && delete found.error);
        if (expected.reason === "missing_table") delete expected.error;
        assert.deepEqual(found, expected, fen);
        if (expected.reason) continue;
        const line = await ask(`makruk/mainline?fen=${encodeURIComponent(fen)}`);
        assert.deepEqual(await tablebase.lichessMainline(fen), line, fen);
    }
    const underscores = await tablebase.lichess(KHON.replaceAll(" ", "_"));
    assert.deepEqual(underscores, await tablebase.lichess(KHON));
});

test("the categories of the category tables", async () => {
    const pick = random(5);
    for (const material of materials.filter((material) => tablebase.tables.includes(`${material}.category`)).slice(0, 12)) {
        for (let n = 0; n < 12; n++) {
            const fen = placement(material, n % 2 ? "w" : "b", pick);
            const found = await tablebase.category(fen).catch((error) => error);
            if (found instanceof Error) assert.equal(found.reason, "illegal_position", fen);
            else assert.equal(found.category, (await tablebase.probe(fen)).category, fen);
        }
    }
});
