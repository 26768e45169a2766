// A database of the browser that never answers is done without.
import assert from "node:assert/strict";
import { test } from "node:test";
import { IndexedDbCache } from "../dist/index.js";

test("a database that never opens keeps nothing, and nobody waits for it for long", async () => {
    globalThis.indexedDB = { open: () => ({}) };
    try {
        const cache = new IndexedDbCache();
        const began = performance.now();
        assert.deepEqual(await cache.get(["a", "b"]), [undefined, undefined]);
        assert.ok(performance.now() - began < 3000);
        await cache.put([["a", new Uint8Array(1)]]);
        await cache.delete(["a"]);
    } finally {
        delete globalThis.indexedDB;
    }
});
