// A hostile host or catalogue may send without end, ask for the caller's headers, name other kinds of addresses.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { FileSource, HttpSource, open, ProbeError } from "../dist/index.js";
import { makeSite, packageFolder, tablesFolder } from "./host.mjs";

const KHON = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
const MIB = 1 << 20;
let site;

before(() => {
    site = makeSite(tablesFolder(), true);
});

const servers = [];
after(() => servers.forEach((server) => (server.closeAllConnections(), server.close())));

/** A host that answers with a function. */
function host(answer) {
    return new Promise((done) => {
        const server = createServer(answer);
        servers.push(server);
        server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}/`));
    });
}

const errorOf = (opening) =>
    opening.then(
        () => assert.fail("an answer"),
        (error) => {
            assert.ok(error instanceof ProbeError, String(error));
            return error;
        },
    );

test("a body without an end is read up to its bound", async () => {
    let sent = 0;
    const url = await host((_, response) => {
        const piece = Buffer.alloc(64 << 10);
        response.writeHead(200);
        const send = () => {
            while (!response.destroyed && sent < 400 * MIB) {
                sent += piece.length;
                if (!response.write(piece)) return void response.once("drain", send);
            }
        };
        send();
    });
    const error = await errorOf(open(url, { retries: 0 }));
    assert.equal(error.reason, "too_long");
    assert.match(error.message, /more than 16777216 bytes of \/guide\/catalogue/);
    assert.ok(sent < 64 * MIB, `${sent} bytes were sent`);
});

test("a length that is too large is refused before a byte is read, and a compressed body at its bound", async () => {
    let isLong = true;
    const bomb = gzipSync(Buffer.alloc(300 * MIB));
    const url = await host((_, response) => {
        if (isLong) response.writeHead(200, { "content-length": 17 * MIB }).flushHeaders();
        else response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    assert.equal((await errorOf(open(url, { retries: 0, timeout: 20_000 }))).reason, "too_long");
    isLong = false;
    const held = () => process.memoryUsage().arrayBuffers ?? 0;
    const before = held();
    assert.equal((await errorOf(open(url, { retries: 0 }))).reason, "too_long");
    assert.ok(held() - before < 128 * MIB, "the bomb was unpacked");
});

test("a range that is followed by more bytes", async () => {
    const source = new HttpSource(
        await host((_, response) => {
            response.writeHead(206, { "content-range": "bytes 0-9/100" });
            response.end(Buffer.alloc(MIB));
        }),
        { retries: 0 },
    );
    const error = await errorOf(source.fetch([{ file: "guide/x", offset: 0, length: 10 }], {}));
    assert.equal(error.reason, "wrong_range");
});

test("headers go to the origin of the root and to those that are named, and to no other", async () => {
    const seen = [];
    const of = (name) => (request, response) => {
        seen.push([name, request.headers["x-key"] ?? null]);
        const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
        const length = range ? Number(range[2]) - Number(range[1]) + 1 : 4;
        if (request.url.startsWith("/guide/moved")) return response.writeHead(302, { location: `${tables}x` }).end();
        response.writeHead(range ? 206 : 200).end(Buffer.alloc(length));
    };
    const tables = await host(of("tables"));
    const root = await host(of("root"));
    const ask = async (options) => {
        seen.length = 0;
        const source = new HttpSource(root, {
            headers: { "x-key": "secret" },
            retries: 0,
            ...options,
        });
        source.setTables(tables);
        const parts = ["guide/x", "KRvK.dtm"].map((file) => ({
            file,
            offset: 0,
            length: 4,
        }));
        await source.fetch(parts, {});
        return Object.fromEntries(seen);
    };
    assert.deepEqual(await ask({}), { root: "secret", tables: null });
    assert.deepEqual(await ask({ headersTo: [new URL(tables).origin] }), {
        root: "secret",
        tables: "secret",
    });
    // A redirection is not followed: it would take them along.
    seen.length = 0;
    const source = new HttpSource(root, {
        headers: { "x-key": "secret" },
        retries: 0,
    });
    const error = await errorOf(source.fetch([{ file: "guide/moved", offset: 0, length: 4 }], {}));
    assert.equal(error.reason, "refused");
    assert.match(error.message, /redirects/);
    assert.deepEqual(seen, [["root", "secret"]]);
});

test("addresses are http or https, of the root and of the tables", async () => {
    for (const address of ["ftp://example.org/", "data:text/plain,x", "blob:x", "javascript:1"])
        assert.equal((await errorOf(open(address))).reason, "bad_address", address);
    const source = new HttpSource("https://example.org/");
    for (const address of ["ftp://example.org/", "file:///etc/", "data:,"])
        assert.throws(() => source.setTables(address), { reason: "bad_address" });
    assert.throws(() => new FileSource("/x").setTables("https://example.org/"), {
        reason: "bad_address",
    });
});

test("folders: as a path, as a URL of a file, and beside the document that a test imitates", async () => {
    for (const from of [site, pathToFileURL(`${site}/`), pathToFileURL(site).href]) {
        const tables = await open(from);
        assert.equal((await tables.probe(KHON)).category, "win");
        await tables.close();
    }
    globalThis.document = {};
    try {
        await (await open(site)).close();
    } finally {
        delete globalThis.document;
    }
    const remote = await errorOf(open("file://host/share"));
    assert.ok(["bad_address", "no_file"].includes(remote.reason), remote.message);
});

test("in a worker of a browser a path is an address, and a file is refused", () => {
    // A browser's worker has a location, but neither a document nor a process.
    const script = `
        const { open } = await import(${JSON.stringify(pathToFileURL(join(packageFolder, "dist/index.js")).href)});
        const out = console.log;
        const asked = [];
        const fetch = async (url) => (asked.push(url.href), { ok: false, status: 404, headers: new Headers(), body: null });
        globalThis.process = undefined;
        globalThis.location = { href: "https://example.org/page/" };
        const reasons = [];
        for (const from of ["/t/", "file:///t/"]) await open(from, { fetch }).catch(({ reason }) => reasons.push(reason));
        out(JSON.stringify([asked, reasons]));`;
    const { stdout, stderr } = spawnSync("node", ["--input-type=module", "-e", script], { encoding: "utf8" });
    assert.equal(stdout.trim(), '[["https://example.org/t/guide/catalogue"],["no_file","bad_address"]]', stderr);
});

test("what is not the module is an error that names the remedy", async () => {
    const url = await host((request, response) => {
        const isPage = request.url === "/page.wasm";
        response.writeHead(/(none|npm.makruk).wasm$/.test(request.url) ? 404 : 200, {
            "content-type": isPage ? "text/html" : "x/y",
        });
        response.end("<!doctype html>");
    });
    for (const wasm of ["page.wasm", "other.wasm", "none.wasm"].map((name) => url + name)) {
        const error = await errorOf(open(site, { wasm }));
        assert.equal(error.reason, "no_module");
        assert.match(error.message, /optimizeDeps: \{ exclude: \["makruk-probe"\] \}/);
    }
    const sources = /install the package that `npm pack probe\/wasm\/npm` makes$/;
    for (const [folder, remedy] of [
        ["file:///srv/makruk/probe/wasm/npm/", sources],
        [`${url}probe/wasm/npm/`, sources],
        ["file:///srv/page/", /cannot be read as .* Give open\(\) its address as the option wasm/],
    ]) {
        const missing = await errorOf(open(site, { wasm: new URL("makruk.wasm", folder) }));
        assert.equal(missing.reason, "no_module");
        assert.match(missing.message, remedy);
    }
    assert.equal((await errorOf(open(site, { wasm: new Uint8Array(8) }))).reason, "no_module");
    assert.equal((await errorOf(open(site, { wasm: "http://127.0.0.1:9/x.wasm" }))).reason, "no_module");
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = () => Promise.reject(new WebAssembly.CompileError("blocked by CSP"));
    const policy = await errorOf(open(site)).finally(() => Object.assign(WebAssembly, { instantiate }));
    assert.match(policy.message, /add 'wasm-unsafe-eval' to its script-src$/);
});
