import { IndexedDbCache } from "./cache.js";
import { ProbeError } from "./error.js";
import { hasIndexedDb, IndexedDbFiles } from "./indexed.js";
import { KeptFiles } from "./kept.js";
import { Module } from "./module.js";
import { builtin, hasFolders } from "./platform.js";
import { abortError, BytesSource, FileSource, HttpSource, unlessAborted } from "./source.js";
/** The number of rounds with refused bytes after which a question fails. */
const ATTEMPTS = 4;
/** Tables, open. Questions may overlap. */
export class Tablebase {
    /** The tables that the site has: `KRvK.dtm` and so on. */
    tables;
    /** The fetches so far. */
    traffic = { rounds: 0, fetched: 0, kept: 0, bytes: 0 };
    /** The source of the bytes. */
    source;
    module;
    cache;
    prefix;
    /** The pieces that questions fetch now, each with the end of its fetch. */
    underWay = new Map();
    /** See {@link open}. */
    constructor(module, source, cache, opened) {
        this.module = module;
        this.source = source;
        this.cache = cache;
        this.tables = opened.tables;
        this.prefix = `${opened.fingerprint}/`;
    }
    probe(fen, options = {}) {
        return this.ask({ ask: "probe", fen, moves: options.moves ?? false }, options);
    }
    /** The legal moves, best first. It fails if one is unknown: `probe` gives the others. */
    async moves(fen, options = {}) {
        const { moves, unknown_moves } = await this.probe(fen, { ...options, moves: true });
        const unknown = unknown_moves?.[0];
        if (unknown)
            throw new ProbeError(unknown.reason, unknown.error, undefined, { ...unknown });
        return moves;
    }
    /** The best line under the count. Where nothing was fetched before, each move of it takes a round or two. */
    line(fen, options = {}) {
        const { maxPlies: max_plies = 0, defence } = options;
        return this.ask({
            ask: "line",
            fen,
            max_plies,
            ...(defence !== undefined && { defence }),
        }, options);
    }
    /**
     * Every position of games, and the mistakes in them. `from` is the position from which moves without any tag are
     * played, unless they get further from the initial array. With `unclaimed` board's honour is counted only if a
     * game's FEN has the count.
     */
    async analyse(pgn, options = {}) {
        const { from, unclaimed } = options;
        const question = { ask: "analyse", pgn, ...(from && { from }), ...(unclaimed && { unclaimed }) };
        return (await this.ask(question, options)).games;
    }
    /** All that a page shows about a position. `counts` is the side whose count runs, if that is known. */
    explore(fen, options = {}) {
        return this.ask({ ask: "explore", fen, counts: options.counts ?? null }, options);
    }
    batch(fens, options = {}) {
        return this.ask({ ask: "batch", fens, moves: options.moves ?? false }, options);
    }
    /** The category alone: by the category tables if they decide it. */
    category(fen, options = {}) {
        return this.ask({ ask: "category", fen }, options);
    }
    /** A position and its moves with the fields of lila-tablebase, as the service's `/makruk` gives them. */
    lichess(fen, options = {}) {
        return this.ask({ ask: "lichess", fen }, options);
    }
    /** The best line with the fields of lila-tablebase, as the service's `/makruk/mainline` gives it. */
    lichessMainline(fen, options = {}) {
        return this.ask({ ask: "lichess_line", fen }, options);
    }
    /**
     * Fetches all tables of some materials, such as `["KRvK", "KRvKS"]`, with what is needed to read them. They stay on
     * the device: questions about them need no network from then on. Files that are already kept are not fetched again.
     */
    async keep(materials, { signal, onProgress } = {}) {
        const { source } = this;
        if (!(source instanceof KeptFiles))
            throw new ProbeError("no_room", "nothing keeps files here");
        const files = this.filesOf(materials);
        for (const [at, file] of files.entries()) {
            onProgress?.(at, files.length);
            await source.keep(file, signal);
        }
        onProgress?.(files.length, files.length);
    }
    /** Whether all tables of these materials are kept. */
    async isKept(materials) {
        const { source } = this;
        if (!(source instanceof KeptFiles))
            return false;
        const kept = await Promise.all(this.filesOf(materials).map((file) => source.has(file)));
        return kept.every(Boolean);
    }
    filesOf(materials) {
        return materials.flatMap((material) => {
            const tables = this.tables.filter((table) => table.split(".")[0] === material);
            if (tables.length === 0)
                throw new ProbeError("missing_table", `this site has no table of ${material}`);
            return [`guide/${material}.heads`, `guide/${material}.groups`, ...tables];
        });
    }
    /** Closes the files of a folder. */
    async close() {
        await this.source.close?.();
    }
    /** Asks until there is an answer. */
    async ask(question, { signal, onRound } = {}) {
        const begun = this.module.begin(question);
        if (typeof begun !== "number")
            throw refusal(begun);
        let [rounds, attempts] = [0, 0];
        let reload = false;
        try {
            for (;;) {
                if (signal?.aborted)
                    throw abortError(signal);
                const outcome = this.module.goOn(begun);
                if ("answer" in outcome)
                    return outcome.answer;
                if ("refused" in outcome)
                    throw refusal(outcome);
                if (!("wants" in outcome))
                    throw new ProbeError("internal", "the module gave no outcome");
                const refused = await this.fetch(outcome.wants, reload, signal);
                rounds += 1;
                this.traffic.rounds += 1;
                onRound?.(rounds);
                reload = refused !== null;
                if (refused)
                    attempts += 1;
                if (refused && attempts >= ATTEMPTS)
                    throw refused;
            }
        }
        finally {
            this.module.end(begun);
        }
    }
    /** Fetches what is wanted. Returns the reason why some of it was refused. */
    async fetch(wants, reload, signal) {
        const key = ([file, offset]) => `${this.prefix}${file}:${offset}`;
        // Pieces that another question fetches are waited for. If that fails, they are wanted again.
        const others = wants.flatMap((want) => this.underWay.get(key(want)) ?? []);
        const own = wants.filter((want) => !this.underWay.has(key(want)));
        const keys = own.map(key);
        const fetched = this.fetchOwn(own, keys, reload, signal);
        const ended = fetched.catch(() => { });
        for (const key of keys)
            this.underWay.set(key, ended);
        try {
            await unlessAborted(Promise.all(others), signal);
            return await fetched;
        }
        finally {
            for (const key of keys)
                if (this.underWay.get(key) === ended)
                    this.underWay.delete(key);
        }
    }
    async fetchOwn(wants, keys, reload, signal) {
        const parts = wants.map(([file, offset, length]) => ({ file, offset, length }));
        const kept = reload || !this.cache ? parts.map(() => undefined) : await this.cache.get(keys);
        const lacking = parts.flatMap((_, at) => (kept[at] ? [] : [at]));
        const fetched = await this.source.fetch(lacking.map((at) => parts[at]), { signal, reload });
        let refused = null;
        const [keep, forget, doubtful] = [[], [], []];
        const give = (at, bytes) => {
            const { file, offset } = parts[at];
            const reason = this.module.give(file, offset, bytes);
            if (!reason)
                return true;
            refused = new ProbeError("damaged", reason.error, file);
            forget.push(keys[at]);
            doubtful.push(file);
            if (reason.guide) {
                forget.push(`${this.prefix}${reason.guide[0]}:${reason.guide[1]}`);
                doubtful.push(reason.guide[0]);
            }
            return false;
        };
        kept.forEach((bytes, at) => {
            if (bytes && give(at, bytes))
                this.traffic.kept += 1;
        });
        fetched.forEach((bytes, n) => {
            const at = lacking[n];
            this.traffic.fetched += 1;
            this.traffic.bytes += bytes.length;
            if (give(at, bytes))
                keep.push([keys[at], bytes]);
        });
        if (this.source instanceof KeptFiles)
            for (const file of doubtful)
                await this.source.forget(file);
        if (this.cache) {
            await this.cache.delete(forget);
            // Nobody waits for the disk.
            void this.cache.put(keep);
        }
        return refused;
    }
}
function refusal(outcome) {
    const { refused } = outcome;
    if (!refused)
        return new ProbeError("internal", "the module gave no outcome");
    return new ProbeError(refused.reason, refused.error, undefined, refused);
}
/** The module beside this file. */
const WASM = new URL("../makruk.wasm", import.meta.url);
/**
 * Opens tables: a site by its URL, by its folder's path (in Node, Deno and Bun) or by its files in memory, or a source
 * of your own. `makruk-probe site` makes a site.
 */
export async function open(from, options = {}) {
    const source = await sourceOf(from, options);
    const far = source.isFar && IndexedDbCache.isPossible() ? new IndexedDbCache() : null;
    const cache = options.cache === undefined ? far : options.cache;
    const files = options.files === undefined && source.isFar && hasIndexedDb() ? new IndexedDbFiles() : options.files;
    // Databases take their time: they are opened while the module arrives.
    if (cache === far)
        far?.prepare();
    if (files instanceof IndexedDbFiles)
        files.prepare();
    const catalogue = { file: "guide/catalogue", offset: 0, length: null };
    const fetched = source.fetch([catalogue], { signal: options.signal });
    const [module, [bytes]] = await Promise.all([Module.load(options.wasm ?? WASM), fetched]).catch(async (error) => {
        // Files that were opened here are closed.
        await fetched.catch(() => { });
        if (source !== from)
            await source.close?.();
        throw error;
    });
    let opened;
    try {
        opened = module.open(bytes, options.memory ?? 32 << 20);
    }
    catch (error) {
        throw new ProbeError("damaged", error.message, catalogue.file, {}, { cause: error });
    }
    source.setTables?.(opened.address);
    const site = source instanceof HttpSource ? source.root.href : "";
    const kept = files ? new KeptFiles(source, files, site, opened.fingerprint) : source;
    return new Tablebase(module, kept, cache, opened);
}
async function sourceOf(from, options) {
    if (typeof from === "string" || from instanceof URL) {
        const text = from instanceof URL ? from.href : from;
        // One letter is a drive of Windows.
        const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
        if (scheme !== "file" && (scheme || !hasFolders()))
            return new HttpSource(text, options);
        if (!hasFolders())
            throw new ProbeError("bad_address", `${text} is a file: a page reads from http: and https: only`);
        return new FileSource(scheme ? pathOf(text) : text);
    }
    if (typeof from.fetch === "function")
        return from;
    return new BytesSource(from);
}
/** The path of a file's URL, as the system writes paths. */
function pathOf(url) {
    const { fileURLToPath } = builtin("node:url");
    try {
        return fileURLToPath(url);
    }
    catch (cause) {
        throw new ProbeError("bad_address", `${url} names no folder of this system`, undefined, {}, { cause });
    }
}
