// Hosts that do wrong: every one of them is an error that a person can read, and none a wrong answer.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { BytesSource, HttpSource, open, ProbeError } from "../dist/index.js";
import { makeSite, tablesFolder } from "./host.mjs";

const KHON = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
let site, right;

before(async () => {
    site = makeSite(tablesFolder(), true);
    const tables = await open(site);
    right = await tables.explore(KHON);
    await tables.close();
    assert.equal(right.category, "win");
});

const servers = [];
after(() => servers.forEach((server) => (server.closeAllConnections(), server.close())));

/** A host of the site that treats its answers as `spoil` says; it is given the range, or null for a whole file. */
function host(spoil) {
    return new Promise((done) => {
        const server = createServer((request, response) => {
            let file;
            try {
                file = readFileSync(join(site, decodeURIComponent(request.url)));
            } catch {
                return response.writeHead(404).end();
            }
            const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
            const [start, end] = range ? [Number(range[1]), Number(range[2])] : [0, file.length - 1];
            const answer = {
                status: range ? 206 : 200,
                headers: range ? { "content-range": `bytes ${start}-${end}/${file.length}` } : {},
                body: Buffer.from(file.subarray(start, end + 1)),
                file,
                isTable: request.url.startsWith("/tables/"),
                request,
                response,
            };
            if (spoil(answer, range) === "done") return;
            response.writeHead(answer.status, answer.headers).end(answer.body);
        });
        servers.push(server);
        server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}/`));
    });
}

/** The error of a question to such a host. */
async function errorOf(spoil, options = {}) {
    const url = await host(spoil);
    try {
        const tables = await open(url, { retries: 1, ...options });
        const answer = await tables.explore(KHON);
        assert.fail(`an answer: ${JSON.stringify(answer).slice(0, 200)}`);
    } catch (error) {
        if (!(error instanceof ProbeError)) throw error;
        assert.ok(error.message.length > 25 && !error.message.includes("undefined"), error.message);
        return error;
    }
}

test("a host that does nothing wrong gives the right answer", async () => {
    const tables = await open(await host(() => {}));
    assert.deepEqual(await tables.explore(KHON), right);
    assert.ok(tables.traffic.rounds <= 3, JSON.stringify(tables.traffic));
});

test("a host without ranges", async () => {
    const error = await errorOf((answer) => {
        Object.assign(answer, { status: 200, body: answer.file, headers: {} });
    });
    assert.equal(error.reason, "no_range");
    assert.match(error.message, /does not support range requests/);
});

test("a wrong number of bytes", async () => {
    const error = await errorOf((answer, range) => {
        if (range) Object.assign(answer, { body: answer.body.subarray(1), headers: {} });
    });
    assert.equal(error.reason, "wrong_range");
});

test("another range than was asked for", async () => {
    const error = await errorOf((answer, range) => {
        if (range) answer.headers["content-range"] = `bytes 7-${answer.body.length + 6}/${answer.file.length}`;
    });
    assert.equal(error.reason, "wrong_range");
});

test("ranges that are compressed on the way", async () => {
    const error = await errorOf((answer, range) => {
        if (!range) return;
        answer.body = gzipSync(answer.body);
        answer.headers["content-encoding"] = "gzip";
    });
    assert.equal(error.reason, "wrong_range");
    assert.match(error.message, /compresses/);
});

test("files that are missing, forbidden or shorter", async () => {
    const status = (status) => (answer) => {
        if (answer.isTable) Object.assign(answer, { status, body: "" });
    };
    assert.equal((await errorOf(status(404))).reason, "no_file");
    assert.equal((await errorOf(status(403))).reason, "refused");
    assert.equal((await errorOf(status(500))).reason, "refused");
    assert.equal((await errorOf(status(416))).reason, "changed");
    assert.equal((await errorOf((answer) => void (answer.status = 404))).reason, "no_file");
});

test("a file that becomes another", async () => {
    let answers = 0;
    const error = await errorOf((answer) => {
        answer.headers.etag = `"${Math.floor(answers++ / 6)}"`;
    });
    assert.equal(error.reason, "changed");
});

test("a connection that is cut, once and always", async () => {
    const cut = (isCut) => (answer, range) => {
        if (!range || !isCut()) return;
        answer.response.writeHead(answer.status, { ...answer.headers, "content-length": answer.body.length });
        answer.response.write(answer.body.subarray(0, answer.body.length / 2));
        setTimeout(() => answer.response.destroy(), 5);
        return "done";
    };
    assert.equal((await errorOf(cut(() => true))).reason, "network");
    let cuts = 0;
    const tables = await open(await host(cut(() => cuts++ < 3)));
    assert.deepEqual(await tables.explore(KHON), right);
    // Nobody is there at all.
    const error = await open("http://127.0.0.1:9/", { retries: 0 }).catch((error) => error);
    assert.equal(error.reason, "network");
});

test("a host that is too slow", async () => {
    const error = await errorOf((answer, range) => (range ? "done" : undefined), { timeout: 100, retries: 0 });
    assert.equal(error.reason, "timeout");
});

test("bytes that are damaged on the host, in the tables and in the guide", async () => {
    for (const wanted of [/^\/tables\/.*\.dtm/, /^\/tables\/.*\.dtz/, /\.heads$/, /\.groups$/, /catalogue$/]) {
        for (const at of [0.1, 0.5, 0.9]) {
            const spoil = (answer) => {
                if (wanted.test(answer.request.url)) answer.body[Math.floor(at * answer.body.length)] ^= 4;
            };
            const url = await host(spoil);
            const found = await open(url)
                .then((tables) => tables.explore(KHON))
                .catch((error) => error);
            if (found instanceof ProbeError) assert.equal(found.reason, "damaged", `${wanted} ${found.message}`);
            // A byte that no answer depends on may be another.
            else assert.deepEqual(found, right, String(wanted));
            if (String(wanted).includes("tables")) assert.ok(found instanceof ProbeError, String(wanted));
        }
    }
});

test("bytes that were damaged on the way are fetched again", async () => {
    let spoiled = 0;
    const tables = await open(
        await host((answer) => {
            if (answer.isTable && spoiled++ === 0) answer.body[answer.body.length >> 1] ^= 1;
        }),
    );
    assert.deepEqual(await tables.explore(KHON), right);
    assert.ok(spoiled > 1);
});

test("a damaged cache is as good as none", async () => {
    const kept = new Map();
    const cache = {
        get: async (keys) => keys.map((key) => kept.get(key)),
        put: async (pieces) => void pieces.forEach(([key, bytes]) => kept.set(key, bytes.slice())),
        delete: async (keys) => void keys.forEach((key) => kept.delete(key)),
    };
    const url = await host(() => {});
    assert.deepEqual(await (await open(url, { cache })).explore(KHON), right);
    const again = await open(url, { cache });
    assert.deepEqual(await again.explore(KHON), right);
    assert.deepEqual([again.traffic.fetched, again.traffic.bytes], [0, 0]);
    for (const bytes of kept.values()) bytes[bytes.length >> 1] ^= 1;
    assert.deepEqual(await (await open(url, { cache })).explore(KHON), right);
});

test("a question that is given up", async () => {
    let asked = 0;
    const url = await host((_, range) => (range && asked++ >= 0 ? "done" : undefined));
    const tables = await open(url);
    const giving = new AbortController();
    const question = tables.explore(KHON, { signal: giving.signal });
    setTimeout(() => giving.abort(), 50);
    await assert.rejects(question, { name: "AbortError" });
    await assert.rejects(tables.explore(KHON, { signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.ok(asked > 0);
});

test("questions at the same time do not disturb each other", async () => {
    const tables = await open(await host(() => {}));
    const fens = ["8/8/8/3k4/8/8/1R6/K7 b - - 0 1", KHON, "8/8/8/3k4/8/8/1R6/K7 w - - 0 1", KHON];
    const giving = new AbortController();
    const lost = tables.line(KHON, { signal: giving.signal }).catch((error) => error.name);
    const answers = Promise.all(fens.map((fen) => tables.explore(fen)));
    setTimeout(() => giving.abort(), 2);
    const found = await answers;
    assert.deepEqual([found[1], found[3]], [right, right]);
    const end = await lost;
    assert.ok(end === "AbortError" || end.end === "checkmate", String(end));
});

test("questions at the same time fetch what they share once, also if the first is given up", async () => {
    let asked = 0;
    const url = await host(() => void (asked += 1));
    const fresh = async () => {
        const tables = await open(url, { cache: null });
        asked = 0;
        return tables;
    };
    await (await fresh()).explore(KHON);
    const once = asked;
    const tables = await fresh();
    const found = await Promise.all(Array.from({ length: 12 }, () => tables.explore(KHON)));
    assert.deepEqual(found, Array(12).fill(right));
    assert.equal(asked, once);
    const [other, giving] = [await fresh(), new AbortController()];
    const lost = assert.rejects(other.explore(KHON, { signal: giving.signal }), { name: "AbortError" });
    const kept = other.explore(KHON);
    giving.abort();
    await lost;
    assert.deepEqual(await kept, right);
});

test("who waits for what another question fetches can give up while the host hangs", async () => {
    const held = [];
    let holds = false;
    const url = await host(({ response, isTable }) => {
        if (!holds || !isTable) return;
        held.push(response);
        return "done";
    });
    const tables = await open(url, { cache: null });
    holds = true;
    const giving = [new AbortController(), new AbortController()];
    const ends = giving.map(({ signal }) => assert.rejects(tables.explore(KHON, { signal }), { name: "AbortError" }));
    while (held.length === 0) await new Promise((done) => setTimeout(done, 5));
    giving[1].abort();
    await ends[1];
    giving[0].abort();
    await ends[0];
    held.forEach((response) => response.destroy());
});

test("a catalogue that is none", async () => {
    const error = await open(new BytesSource({ "guide/catalogue": new Uint8Array(100) })).catch((error) => error);
    assert.equal(error.reason, "damaged");
    assert.match(error.message, /catalogue/);
    assert.ok(new HttpSource("http://127.0.0.1:9").isFar);
});
