// Tables that are asked.
import type {
    BatchItem,
    Explored,
    Game,
    LichessLine,
    LichessPosition,
    Line,
    Move,
    Position,
    PositionCategory,
    PositionWithMoves,
    Side,
} from "./answers.ts";
import { IndexedDbCache, type PieceCache } from "./cache.ts";
import { ProbeError } from "./error.ts";
import { hasIndexedDb, IndexedDbFiles } from "./indexed.ts";
import { type FileStore, KeptFiles } from "./kept.ts";
import { Module, type Want } from "./module.ts";
import type { Address, Bytes, CompiledModule, Signal } from "./platform.ts";
import { builtin, hasFolders } from "./platform.ts";
import { abortError, BytesSource, FileSource, HttpSource, unlessAborted, type HttpOptions, type Source } from "./source.ts";

/** Options of opening tables. */
export interface OpenOptions extends HttpOptions {
    /** The WebAssembly module: its address, its bytes, or compiled. By default, the one next to the package. */
    wasm?: string | Address | Bytes | CompiledModule;
    /** The most bytes of tables in memory; by default 32 MiB. */
    memory?: number;
    /** The cache of fetched pieces; null for none. By default, IndexedDB keeps those that came over the network. */
    cache?: PieceCache | null;
    /** The store of whole files ({@link Tablebase.keep}); null for none. By default, IndexedDB keeps those fetched. */
    files?: FileStore | null;
    signal?: Signal;
}

/** Options of every question. */
export interface AskOptions {
    /** Cancels the question, and the fetches for it. */
    signal?: Signal | undefined;
    /** Called after each round with the number of rounds. */
    onRound?: (rounds: number) => void;
}

/** Options of keeping tables. */
export interface KeepOptions {
    /** Cancels it; files kept by then stay. */
    signal?: Signal | undefined;
    /** Called with the number of files kept so far, and the number in the end. */
    onProgress?: (done: number, all: number) => void;
}

/** The fetches for questions so far. */
export interface Traffic {
    /** Rounds: fetches that a question waited for, all of its parts at once. */
    rounds: number;
    /** Pieces of files that came from the source, and from the cache. */
    fetched: number;
    kept: number;
    /** Bytes of the pieces that came from the source. */
    bytes: number;
}

/** The number of rounds with refused bytes after which a question fails. */
const ATTEMPTS = 4;

/** Questions as the module takes them. */
export type Question =
    | { ask: "probe"; fen: string; moves?: boolean }
    | { ask: "explore"; fen: string; counts?: Side | null }
    | { ask: "line"; fen: string; max_plies?: number; defence?: string }
    | { ask: "analyse"; pgn: string; from?: string; unclaimed?: boolean }
    | { ask: "batch"; fens: string[]; moves?: boolean }
    | { ask: "category" | "lichess" | "lichess_line"; fen: string };

/** Tables, open. Questions may overlap. */
export class Tablebase {
    /** The tables that the site has: `KRvK.dtm` and so on. */
    readonly tables: readonly string[];
    /** The fetches so far. */
    readonly traffic: Traffic = { rounds: 0, fetched: 0, kept: 0, bytes: 0 };
    /** The source of the bytes. */
    readonly source: Source;
    private readonly module: Module;
    private readonly cache: PieceCache | null;
    private readonly prefix: string;
    /** The pieces that questions fetch now, each with the end of its fetch. */
    private readonly underWay = new Map<string, Promise<unknown>>();

    /** See {@link open}. */
    constructor(
        module: Module,
        source: Source,
        cache: PieceCache | null,
        opened: { tables: string[]; fingerprint: string },
    ) {
        this.module = module;
        this.source = source;
        this.cache = cache;
        this.tables = opened.tables;
        this.prefix = `${opened.fingerprint}/`;
    }

    /** The verdict on a position; with `moves`, the legal moves too, best first. */
    probe(fen: string, options: AskOptions & { moves: true }): Promise<PositionWithMoves>;
    probe(fen: string, options?: AskOptions & { moves?: boolean }): Promise<Position>;
    probe(fen: string, options: AskOptions & { moves?: boolean } = {}): Promise<Position> {
        return this.ask({ ask: "probe", fen, moves: options.moves ?? false }, options);
    }

    /** The legal moves, best first. It fails if one is unknown: `probe` gives the others. */
    async moves(fen: string, options: AskOptions = {}): Promise<Move[]> {
        const { moves, unknown_moves } = await this.probe(fen, { ...options, moves: true });
        const unknown = unknown_moves?.[0];
        if (unknown) throw new ProbeError(unknown.reason, unknown.error, undefined, { ...unknown });
        return moves;
    }

    /** The best line under the count. Where nothing was fetched before, each move of it takes a round or two. */
    line(fen: string, options: AskOptions & { maxPlies?: number; defence?: string } = {}): Promise<Line> {
        const { maxPlies: max_plies = 0, defence } = options;
        return this.ask(
            {
                ask: "line",
                fen,
                max_plies,
                ...(defence !== undefined && { defence }),
            },
            options,
        );
    }

    /**
     * Every position of games, and the mistakes in them. `from` is the position from which moves without any tag are
     * played, unless they get further from the initial array. With `unclaimed` board's honour is counted only if a
     * game's FEN has the count.
     */
    async analyse(pgn: string, options: AskOptions & { from?: string; unclaimed?: boolean } = {}): Promise<Game[]> {
        const { from, unclaimed } = options;
        const question: Question = { ask: "analyse", pgn, ...(from && { from }), ...(unclaimed && { unclaimed }) };
        return (await this.ask<{ games: Game[] }>(question, options)).games;
    }

    /** All that a page shows about a position. `counts` is the side whose count runs, if that is known. */
    explore(fen: string, options: AskOptions & { counts?: Side | null } = {}): Promise<Explored> {
        return this.ask({ ask: "explore", fen, counts: options.counts ?? null }, options);
    }

    /** Many positions, each with its verdict or the reason why it has none. */
    batch(fens: string[], options: AskOptions & { moves: true }): Promise<BatchItem<PositionWithMoves>[]>;
    batch(fens: string[], options?: AskOptions & { moves?: boolean }): Promise<BatchItem[]>;
    batch(fens: string[], options: AskOptions & { moves?: boolean } = {}): Promise<BatchItem[]> {
        return this.ask({ ask: "batch", fens, moves: options.moves ?? false }, options);
    }

    /** The category alone: by the category tables if they decide it. */
    category(fen: string, options: AskOptions = {}): Promise<PositionCategory> {
        return this.ask({ ask: "category", fen }, options);
    }

    /** A position and its moves with the fields of lila-tablebase, as the service's `/makruk` gives them. */
    lichess(fen: string, options: AskOptions = {}): Promise<LichessPosition> {
        return this.ask({ ask: "lichess", fen }, options);
    }

    /** The best line with the fields of lila-tablebase, as the service's `/makruk/mainline` gives it. */
    lichessMainline(fen: string, options: AskOptions = {}): Promise<LichessLine> {
        return this.ask({ ask: "lichess_line", fen }, options);
    }

    /**
     * Fetches all tables of some materials, such as `["KRvK", "KRvKS"]`, with what is needed to read them. They stay on
     * the device: questions about them need no network from then on. Files that are already kept are not fetched again.
     */
    async keep(materials: readonly string[], { signal, onProgress }: KeepOptions = {}): Promise<void> {
        const { source } = this;
        if (!(source instanceof KeptFiles)) throw new ProbeError("no_room", "nothing keeps files here");
        const files = this.filesOf(materials);
        for (const [at, file] of files.entries()) {
            onProgress?.(at, files.length);
            await source.keep(file, signal);
        }
        onProgress?.(files.length, files.length);
    }

    /** Whether all tables of these materials are kept. */
    async isKept(materials: readonly string[]): Promise<boolean> {
        const { source } = this;
        if (!(source instanceof KeptFiles)) return false;
        const kept = await Promise.all(this.filesOf(materials).map((file) => source.has(file)));
        return kept.every(Boolean);
    }

    private filesOf(materials: readonly string[]): string[] {
        return materials.flatMap((material) => {
            const tables = this.tables.filter((table) => table.split(".")[0] === material);
            if (tables.length === 0) throw new ProbeError("missing_table", `this site has no table of ${material}`);
            return [`guide/${material}.heads`, `guide/${material}.groups`, ...tables];
        });
    }

    /** Closes the files of a folder. */
    async close(): Promise<void> {
        await this.source.close?.();
    }

    /** Asks until there is an answer. */
    async ask<T>(question: Question, { signal, onRound }: AskOptions = {}): Promise<T> {
        const begun = this.module.begin(question);
        if (typeof begun !== "number") throw refusal(begun);
        let [rounds, attempts] = [0, 0];
        let reload = false;
        try {
            for (;;) {
                if (signal?.aborted) throw abortError(signal);
                const outcome = this.module.goOn(begun);
                if ("answer" in outcome) return outcome.answer as T;
                if ("refused" in outcome) throw refusal(outcome);
                if (!("wants" in outcome)) throw new ProbeError("internal", "the module gave no outcome");
                const refused = await this.fetch(outcome.wants, reload, signal);
                rounds += 1;
                this.traffic.rounds += 1;
                onRound?.(rounds);
                reload = refused !== null;
                if (refused) attempts += 1;
                if (refused && attempts >= ATTEMPTS) throw refused;
            }
        } finally {
            this.module.end(begun);
        }
    }

    /** Fetches what is wanted. Returns the reason why some of it was refused. */
    private async fetch(
        wants: readonly Want[],
        reload: boolean,
        signal: Signal | undefined,
    ): Promise<ProbeError | null> {
        const key = ([file, offset]: Want) => `${this.prefix}${file}:${offset}`;
        // Pieces that another question fetches are waited for. If that fails, they are wanted again.
        const others = wants.flatMap((want) => this.underWay.get(key(want)) ?? []);
        const own = wants.filter((want) => !this.underWay.has(key(want)));
        const keys = own.map(key);
        const fetched = this.fetchOwn(own, keys, reload, signal);
        const ended = fetched.catch(() => {});
        for (const key of keys) this.underWay.set(key, ended);
        try {
            await unlessAborted(Promise.all(others), signal);
            return await fetched;
        } finally {
            for (const key of keys) if (this.underWay.get(key) === ended) this.underWay.delete(key);
        }
    }

    private async fetchOwn(
        wants: readonly Want[],
        keys: readonly string[],
        reload: boolean,
        signal: Signal | undefined,
    ): Promise<ProbeError | null> {
        const parts = wants.map(([file, offset, length]) => ({ file, offset, length }));
        const kept = reload || !this.cache ? parts.map(() => undefined) : await this.cache.get(keys);
        const lacking = parts.flatMap((_, at) => (kept[at] ? [] : [at]));
        const fetched = await this.source.fetch(
            lacking.map((at) => parts[at]!),
            { signal, reload },
        );
        let refused: ProbeError | null = null;
        const [keep, forget, doubtful]: [[string, Uint8Array][], string[], string[]] = [[], [], []];
        const give = (at: number, bytes: Uint8Array): boolean => {
            const { file, offset } = parts[at]!;
            const reason = this.module.give(file, offset, bytes);
            if (!reason) return true;
            refused = new ProbeError("damaged", reason.error, file);
            forget.push(keys[at]!);
            doubtful.push(file);
            if (reason.guide) {
                forget.push(`${this.prefix}${reason.guide[0]}:${reason.guide[1]}`);
                doubtful.push(reason.guide[0]);
            }
            return false;
        };
        kept.forEach((bytes, at) => {
            if (bytes && give(at, bytes)) this.traffic.kept += 1;
        });
        fetched.forEach((bytes, n) => {
            const at = lacking[n]!;
            this.traffic.fetched += 1;
            this.traffic.bytes += bytes.length;
            if (give(at, bytes)) keep.push([keys[at]!, bytes]);
        });
        if (this.source instanceof KeptFiles) for (const file of doubtful) await this.source.forget(file);
        if (this.cache) {
            await this.cache.delete(forget);
            // Nobody waits for the disk.
            void this.cache.put(keep);
        }
        return refused;
    }
}

function refusal(outcome: object): ProbeError {
    const { refused } = outcome as {
        refused?: { reason: string; error: string } & Record<string, unknown>;
    };
    if (!refused) return new ProbeError("internal", "the module gave no outcome");
    return new ProbeError(refused.reason, refused.error, undefined, refused);
}

/** The module beside this file. */
const WASM = new URL("../makruk.wasm", import.meta.url);

/**
 * Opens tables: a site by its URL, by its folder's path (in Node, Deno and Bun) or by its files in memory, or a source
 * of your own. `makruk-probe site` makes a site.
 */
export async function open(
    from: string | Address | Map<string, Uint8Array> | Record<string, Uint8Array> | Source,
    options: OpenOptions = {},
): Promise<Tablebase> {
    const source = await sourceOf(from, options);
    const far = source.isFar && IndexedDbCache.isPossible() ? new IndexedDbCache() : null;
    const cache = options.cache === undefined ? far : options.cache;
    const files = options.files === undefined && source.isFar && hasIndexedDb() ? new IndexedDbFiles() : options.files;
    // Databases take their time: they are opened while the module arrives.
    if (cache === far) far?.prepare();
    if (files instanceof IndexedDbFiles) files.prepare();
    const catalogue = { file: "guide/catalogue", offset: 0, length: null };
    const fetched = source.fetch([catalogue], { signal: options.signal });
    const [module, [bytes]] = await Promise.all([Module.load(options.wasm ?? WASM), fetched]).catch(async (error) => {
        // Files that were opened here are closed.
        await fetched.catch(() => {});
        if (source !== from) await source.close?.();
        throw error;
    });
    let opened;
    try {
        opened = module.open(bytes!, options.memory ?? 32 << 20);
    } catch (error) {
        throw new ProbeError("damaged", (error as Error).message, catalogue.file, {}, { cause: error });
    }
    source.setTables?.(opened.address);
    const site = source instanceof HttpSource ? source.root.href : "";
    const kept = files ? new KeptFiles(source, files, site, opened.fingerprint) : source;
    return new Tablebase(module, kept, cache, opened);
}

async function sourceOf(from: Parameters<typeof open>[0], options: OpenOptions): Promise<Source> {
    if (typeof from === "string" || from instanceof URL) {
        const text = from instanceof URL ? from.href : from;
        // One letter is a drive of Windows.
        const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
        if (scheme !== "file" && (scheme || !hasFolders())) return new HttpSource(text, options);
        if (!hasFolders())
            throw new ProbeError("bad_address", `${text} is a file: a page reads from http: and https: only`);
        return new FileSource(scheme ? pathOf(text) : text);
    }
    if (typeof (from as Source).fetch === "function") return from as Source;
    return new BytesSource(from as Map<string, Uint8Array>);
}

/** The path of a file's URL, as the system writes paths. */
function pathOf(url: string): string {
    const { fileURLToPath } = builtin<{ fileURLToPath(url: string): string }>("node:url");
    try {
        return fileURLToPath(url);
    } catch (cause) {
        throw new ProbeError("bad_address", `${url} names no folder of this system`, undefined, {}, { cause });
    }
}
