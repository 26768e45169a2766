// The sources of the bytes of files.
import { ProbeError } from "./error.js";
import { builtin } from "./platform.js";
/** The most bytes of a whole file: the catalogue, and the lists of the guide. */
const MOST_WHOLE = 16 << 20;
/** The most bytes of ranges that are asked for together. */
const MOST_MERGED = 1 << 18;
function merged(parts, gap) {
    const order = parts.map((part, at) => ({ ...part, at }));
    order.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.offset - b.offset));
    const all = [];
    for (const { file, offset, length, at } of order) {
        const last = all.at(-1);
        const end = length === null ? null : offset + length;
        if (last &&
            last.file === file &&
            last.end !== null &&
            end !== null &&
            offset <= last.end + gap &&
            end - last.start <= MOST_MERGED) {
            last.end = Math.max(last.end, end);
            last.parts.push(at);
        }
        else {
            all.push({ file, start: offset, end, parts: [at] });
        }
    }
    return all;
}
/** A URL, if its scheme is one that can be read from. */
function webAddress(url, base) {
    let address;
    try {
        address = new URL(url, base);
    }
    catch (cause) {
        throw new ProbeError("bad_address", `${url} is not the address of a site: expected https://…`, undefined, {}, { cause });
    }
    if (address.protocol !== "http:" && address.protocol !== "https:")
        throw new ProbeError("bad_address", `${address.href} begins with ${address.protocol}: expected http: or https:`);
    return address;
}
/** The bytes of a body, read piece by piece and no further than `most` bytes; null if the host sends more. */
async function bodyOf({ headers, body }, most) {
    if (!body)
        return new Uint8Array();
    // Of a compressed body it is the number of bytes on the way, and fewer than the body has.
    if (Number(headers.get("content-length") ?? 0) > most) {
        body.cancel().catch(() => { });
        return null;
    }
    const reader = body.getReader();
    const pieces = [];
    let length = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done)
            break;
        length += value.length;
        if (length > most) {
            reader.cancel().catch(() => { });
            return null;
        }
        pieces.push(value);
    }
    if (pieces.length === 1)
        return pieces[0];
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
        bytes.set(piece, at);
        at += piece.length;
    }
    return bytes;
}
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
/** The requests of one fetch, which end together. */
class Requests {
    open = new Set();
    isOver = false;
    begin() {
        const request = new AbortController();
        this.open.add(request);
        if (this.isOver)
            request.abort();
        return request;
    }
    end(request) {
        this.open.delete(request);
    }
    /** Ends all. */
    stop() {
        this.isOver = true;
        for (const request of this.open)
            request.abort();
    }
}
/** Limits the number that work at a time. */
class Turnstile {
    free;
    waiting = [];
    constructor(places) {
        this.free = places;
    }
    async pass(work) {
        if (this.free > 0)
            this.free -= 1;
        else
            await new Promise((go) => this.waiting.push(go));
        try {
            return await work();
        }
        finally {
            const next = this.waiting.shift();
            if (next)
                next();
            else
                this.free += 1;
        }
    }
}
/** Files of a web server that answers requests for ranges. */
export class HttpSource {
    isFar = true;
    counts = { requests: 0, bytes: 0 };
    /** The site's root. */
    root;
    tables;
    gap;
    timeout;
    retries;
    turnstile;
    request;
    headers;
    /** The origins that get the headers. */
    trusted;
    /** The tags of files, which show whether a file was replaced in the meantime. */
    tags = new Map();
    /** The files below a URL, which is that of the site's root. */
    constructor(url, options = {}) {
        const base = typeof location === "undefined" ? undefined : location.href;
        this.root = webAddress((typeof url === "string" ? url : url.href).replace(/\/?$/, "/"), base);
        this.tables = this.root;
        this.gap = options.mergeGap ?? 2048;
        this.timeout = options.timeout ?? 30_000;
        this.retries = options.retries ?? 2;
        this.turnstile = new Turnstile(options.parallel ?? 24);
        this.request = options.fetch ?? ((url, request) => fetch(url, request));
        this.headers = options.headers ?? {};
        this.trusted = [this.root.href, ...(options.headersTo ?? [])].map((url) => webAddress(url, base).origin);
    }
    setTables(address) {
        this.tables = webAddress(address, this.root.href);
    }
    async fetch(parts, options) {
        const found = new Array(parts.length);
        // When one fails, nobody waits for the others.
        const requests = new Requests();
        const stop = () => requests.stop();
        if (options.signal?.aborted)
            throw abortError(options.signal);
        options.signal?.addEventListener("abort", stop);
        try {
            await Promise.all(merged(parts, this.gap).map((range) => this.turnstile.pass(async () => {
                const bytes = await this.range(range, requests, options);
                for (const at of range.parts) {
                    const { offset, length } = parts[at];
                    found[at] =
                        length === null
                            ? bytes
                            : bytes.subarray(offset - range.start, offset - range.start + length);
                }
            })));
        }
        catch (error) {
            requests.stop();
            throw options.signal?.aborted ? abortError(options.signal) : error;
        }
        finally {
            options.signal?.removeEventListener("abort", stop);
        }
        return found;
    }
    async range(range, requests, options) {
        for (let failures = 0;; failures++) {
            try {
                return await this.once(range, requests, options);
            }
            catch (error) {
                const mayPass = error instanceof ProbeError && ["network", "timeout"].includes(error.reason);
                if (!mayPass || requests.isOver || failures >= this.retries)
                    throw error;
                await pause(200 * 2 ** failures);
            }
        }
    }
    async once({ file, start, end }, requests, { reload = false, timeout = this.timeout, mostBytes = MOST_WHOLE }) {
        const url = new URL(file, (file.startsWith("guide/") ? this.root : this.tables).href);
        const host = url.host;
        const headers = this.trusted.includes(url.origin) ? { ...this.headers } : {};
        const isTrusting = Object.keys(headers).length > 0;
        if (end !== null)
            headers["range"] = `bytes=${start}-${end - 1}`;
        const waiting = requests.begin();
        let isLate = false;
        const late = setTimeout(() => {
            isLate = true;
            waiting.abort();
        }, timeout);
        this.counts.requests += 1;
        try {
            const answer = await this.request(url, {
                headers,
                signal: waiting.signal,
                ...(isTrusting && { redirect: "manual" }),
                // Browsers' caches let one request of a file wait for the other, and mix parts of it up. What is worth
                // keeping is kept by the tablebase.
                ...(end !== null ? { cache: "no-store" } : reload && { cache: "reload" }),
            });
            const problem = (reason, message) => {
                // The rest of the body is not wanted.
                answer.body?.cancel().catch(() => { });
                return new ProbeError(reason, message, file);
            };
            // Browsers show a redirection that is not followed as status 0.
            if (isTrusting && (answer.status === 0 || (answer.status >= 300 && answer.status < 400)))
                throw problem("refused", `${host} redirects ${url.pathname}, and headers of one origin go to no other: open the address that it redirects to`);
            if (answer.status === 404 || answer.status === 410)
                throw problem("no_file", file === "guide/catalogue"
                    ? `${host} has no file ${url.pathname}: makruk-probe site --guide-only makes the guide that tables on a host need`
                    : `${host} has no file ${url.pathname}: the site is not whole`);
            if (answer.status === 416)
                throw problem("changed", `${url.href} is shorter than the catalogue says: it was replaced or cut short`);
            if (answer.status === 429 || answer.status === 503)
                throw problem("network", `${host} is busy (status ${answer.status})`);
            if (!answer.ok)
                throw problem("refused", `${host} refuses ${url.pathname} (status ${answer.status})`);
            if (end !== null && answer.status !== 206)
                throw problem("no_range", `${host} answers a request for a part of ${url.pathname} with the whole file: it does not support range requests`);
            const encoding = answer.headers.get("content-encoding");
            if (end !== null && encoding && encoding !== "identity")
                throw problem("wrong_range", `${host} compresses parts of ${url.pathname} (Content-Encoding: ${encoding}): tables must be sent as they are`);
            this.compareTags(file, answer, problem);
            const bytes = await bodyOf(answer, end === null ? mostBytes : end - start);
            if (!bytes)
                throw new ProbeError(end === null ? "too_long" : "wrong_range", `${host} sends more than ${end === null ? mostBytes : end - start} bytes of ${url.pathname}: reading ended there`, file);
            this.counts.bytes += bytes.length;
            const said = /^bytes (\d+)-(\d+)\//.exec(answer.headers.get("content-range") ?? "");
            const isElsewhere = end !== null && said && (Number(said[1]) !== start || Number(said[2]) !== end - 1);
            if (end !== null && (isElsewhere || bytes.length !== end - start))
                throw new ProbeError(isElsewhere && Number(said[1]) === start ? "changed" : "wrong_range", `${host} sent ${bytes.length} bytes of ${url.pathname} in place of ${end - start}: the file was replaced or cut short, or the host compresses it on the way`, file);
            return bytes;
        }
        catch (error) {
            if (error instanceof ProbeError)
                throw error;
            if (requests.isOver)
                throw error;
            if (isLate)
                throw new ProbeError("timeout", `${host} gave no answer within ${timeout} ms`, file);
            throw new ProbeError("network", `cannot read ${url.href}: no connection, a cut one, or the host does not allow other sites to read it (CORS)`, file, {}, { cause: error });
        }
        finally {
            clearTimeout(late);
            requests.end(waiting);
        }
    }
    /** The error of a file that was replaced while it is read: nothing that was kept of it fits any more. */
    compareTags(file, answer, problem) {
        const tag = answer.headers.get("etag");
        // A weak tag may differ from machine to machine of one host.
        if (!tag || tag.startsWith("W/"))
            return;
        const before = this.tags.get(file);
        this.tags.set(file, tag);
        if (before !== undefined && before !== tag)
            throw problem("changed", `${file} became another file while it was read: open the tables again`);
    }
}
/** Files in memory, by their paths. */
export class BytesSource {
    isFar = false;
    files;
    tables = "";
    constructor(files) {
        this.files = files instanceof Map ? files : new Map(Object.entries(files));
    }
    setTables(address) {
        this.tables = address.replace(/^(\.\/)+/, "");
    }
    async fetch(parts, { signal }) {
        if (signal?.aborted)
            throw abortError(signal);
        return parts.map(({ file, offset, length }) => {
            const bytes = this.files.get(file) ?? this.files.get(this.tables + file);
            if (!bytes)
                throw new ProbeError("no_file", `there is no file ${file}`, file);
            return slice(bytes, file, offset, length);
        });
    }
}
function slice(bytes, file, offset, length) {
    if (length === null)
        return bytes;
    const part = bytes.subarray(offset, offset + length);
    if (part.length !== length)
        throw new ProbeError("changed", `${file} is shorter than the catalogue says: it was replaced or cut short`, file);
    return part;
}
/** Files of a folder, in Node, Deno and Bun. */
export class FileSource {
    isFar = false;
    root;
    tables;
    handles = new Map();
    constructor(folder) {
        this.root = folder.replace(/\/?$/, "/");
        this.tables = this.root;
    }
    setTables(address) {
        if (/^[a-z]+:\/\//i.test(address))
            throw new ProbeError("bad_address", `the tables of this site are at ${address}, not in ${this.root}`);
        this.tables = this.root + address;
    }
    open(file) {
        const known = this.handles.get(file);
        if (known)
            return known;
        const path = (file.startsWith("guide/") ? this.root : this.tables) + file;
        const fs = builtin("node:fs/promises");
        const opened = fs.open(path).catch((error) => {
            this.handles.delete(file);
            const isMissing = error.code === "ENOENT";
            const remedy = isMissing && file === "guide/catalogue"
                ? `. A folder of tables needs a guide: makruk-probe site --tables ${this.root} --out SITE --guide-only makes the folder SITE with both`
                : "";
            const message = `cannot open ${path}: ${String(error)}${remedy}`;
            throw new ProbeError(isMissing ? "no_file" : "refused", message, file, {}, { cause: error });
        });
        this.handles.set(file, opened);
        return opened;
    }
    async fetch(parts, { signal }) {
        return Promise.all(parts.map(async ({ file, offset, length }) => {
            const handle = await this.open(file);
            if (signal?.aborted)
                throw abortError(signal);
            const bytes = new Uint8Array(length ?? (await handle.stat()).size);
            let filled = 0;
            while (filled < bytes.length) {
                const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset + filled);
                if (bytesRead === 0)
                    break;
                filled += bytesRead;
            }
            return slice(bytes.subarray(0, filled), file, 0, length);
        }));
    }
    /** Closes all files. */
    async close() {
        const handles = [...this.handles.values()];
        this.handles.clear();
        await Promise.all(handles.map((handle) => handle.then((file) => file.close()).catch(() => { })));
    }
}
/** What a promise gives; fails as soon as the signal aborts. */
export function unlessAborted(promise, signal) {
    if (!signal)
        return promise;
    return new Promise((resolve, reject) => {
        const abort = () => reject(abortError(signal));
        signal.addEventListener("abort", abort);
        promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    });
}
/** The error for callers that no longer wait. */
export function abortError(signal) {
    return signal.reason ?? new DOMException("nobody waits for it", "AbortError");
}
