// Tables that are kept whole: asked without a host, replaced, damaged, and without room.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, ProbeError } from "../dist/index.js";
import { makeSite, startNginx, tablesFolder } from "./host.mjs";

const ROOK = "8/8/8/3k4/8/8/1R6/K7 w - - 0 1";
const KHON = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
const FAST = { cache: null, retries: 0 };
let site, host;

before(async () => {
    site = makeSite(tablesFolder(), true);
    host = await startNginx(site);
});
after(() => host?.stop());

/** Files in memory, in the order in which they came. */
class Files {
    files = new Map();
    async keys() {
        return [...this.files.keys()];
    }
    async get(key) {
        return this.files.get(key);
    }
    async put(key, file) {
        this.files.set(key, file);
    }
    async delete(key) {
        this.files.delete(key);
    }
}

/** A fetch that counts, and that has no net once `isOff`. */
function net() {
    const state = { isOff: false, requests: 0 };
    const request = (...asked) => {
        state.requests += 1;
        return state.isOff ? Promise.reject(new TypeError("no net")) : fetch(...asked);
    };
    return [state, request];
}

test("tables that are kept need no net, others do", async () => {
    const [state, request] = net();
    const files = new Files();
    const tables = await open(host.url, { ...FAST, files, fetch: request });
    const expected = await tables.probe(ROOK, { moves: true });
    assert.equal(await tables.isKept(["KRvK"]), false);
    const told = [];
    await tables.keep(["KRvK"], { onProgress: (done, all) => told.push([done, all]) });
    const all = told[0][1];
    assert.deepEqual(
        told,
        Array.from({ length: all + 1 }, (_, done) => [done, all]),
    );
    assert.equal(files.files.size, all);
    assert.equal(await tables.isKept(["KRvK"]), true);

    // Another visit, of which the catalogue alone comes from elsewhere, as from a service worker.
    const again = await open(host.url, { ...FAST, files, fetch: request });
    state.isOff = true;
    assert.deepEqual(await again.probe(ROOK, { moves: true }), expected);
    assert.equal(await again.isKept(["KRvK"]), true);
    await assert.rejects(again.probe(KHON), ({ reason }) => reason === "network");
    const before = state.requests;
    await again.keep(["KRvK"]);
    assert.equal(state.requests, before, "nothing is fetched twice");
});

test("a kept file that is damaged or cut short is fetched again", async () => {
    for (const spoil of [
        (bytes) => bytes.subarray(0, 300),
        (bytes) => bytes.map((byte, at) => (at > 300 ? byte ^ 0x55 : byte)),
    ]) {
        const [state, request] = net();
        const files = new Files();
        const tables = await open(host.url, { ...FAST, files, fetch: request });
        const expected = await tables.probe(ROOK);
        await tables.keep(["KRvK"]);
        for (const [key, file] of files.files)
            if (/\.dtm$/.test(key)) files.files.set(key, new Blob([spoil(new Uint8Array(await file.arrayBuffer()))]));
        const again = await open(host.url, { ...FAST, files, fetch: request });
        assert.deepEqual(await again.probe(ROOK), expected);
        assert.equal(await again.isKept(["KRvK"]), false, "the file is gone");
        state.isOff = true;
        const without = await open(host.url, { ...FAST, files });
        assert.deepEqual(await without.probe(ROOK), expected);
    }
});

test("files of other tables go, those of other sites stay", async () => {
    const files = new Files();
    await files.put(`${host.url} 0123 KRvK.dtm`, new Blob(["old"]));
    await files.put("https://example.org/ 0123 KRvK.dtm", new Blob(["elsewhere"]));
    const tables = await open(host.url, { ...FAST, files });
    assert.equal(await tables.isKept(["KRvK"]), false);
    assert.deepEqual([...files.files.keys()], ["https://example.org/ 0123 KRvK.dtm"]);
});

test("what cannot be kept is an error", async () => {
    const reason = async (tables, materials) =>
        tables.keep(materials).then(
            () => assert.fail("it was kept"),
            (error) => (assert.ok(error instanceof ProbeError), error.reason),
        );
    assert.equal(await reason(await open(host.url, FAST), ["KRvK"]), "no_room");
    const files = new Files();
    files.put = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
    const full = await open(host.url, { ...FAST, files });
    assert.equal(await reason(full, ["KRvK"]), "no_room");
    assert.equal(await reason(full, ["KRRRvK"]), "missing_table");
    const signal = AbortSignal.abort();
    await assert.rejects(
        (await open(host.url, { ...FAST, files: new Files() })).keep(["KRvK"], { signal }),
        ({ name }) => name === "AbortError",
    );
});
