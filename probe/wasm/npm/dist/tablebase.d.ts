import type { BatchItem, Explored, Game, LichessLine, LichessPosition, Line, Move, Position, PositionCategory, PositionWithMoves, Side } from "./answers.ts";
import { type PieceCache } from "./cache.ts";
import { type FileStore } from "./kept.ts";
import { Module } from "./module.ts";
import type { Address, Bytes, CompiledModule, Signal } from "./platform.ts";
import { type HttpOptions, type Source } from "./source.ts";
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
/** Questions as the module takes them. */
export type Question = {
    ask: "probe";
    fen: string;
    moves?: boolean;
} | {
    ask: "explore";
    fen: string;
    counts?: Side | null;
} | {
    ask: "line";
    fen: string;
    max_plies?: number;
    defence?: string;
} | {
    ask: "analyse";
    pgn: string;
    from?: string;
    unclaimed?: boolean;
} | {
    ask: "batch";
    fens: string[];
    moves?: boolean;
} | {
    ask: "category" | "lichess" | "lichess_line";
    fen: string;
};
/** Tables, open. Questions may overlap. */
export declare class Tablebase {
    /** The tables that the site has: `KRvK.dtm` and so on. */
    readonly tables: readonly string[];
    /** The fetches so far. */
    readonly traffic: Traffic;
    /** The source of the bytes. */
    readonly source: Source;
    private readonly module;
    private readonly cache;
    private readonly prefix;
    /** The pieces that questions fetch now, each with the end of its fetch. */
    private readonly underWay;
    /** See {@link open}. */
    constructor(module: Module, source: Source, cache: PieceCache | null, opened: {
        tables: string[];
        fingerprint: string;
    });
    /** The verdict on a position; with `moves`, the legal moves too, best first. */
    probe(fen: string, options: AskOptions & {
        moves: true;
    }): Promise<PositionWithMoves>;
    probe(fen: string, options?: AskOptions & {
        moves?: boolean;
    }): Promise<Position>;
    /** The legal moves, best first. It fails if one is unknown: `probe` gives the others. */
    moves(fen: string, options?: AskOptions): Promise<Move[]>;
    /** The best line under the count. Where nothing was fetched before, each move of it takes a round or two. */
    line(fen: string, options?: AskOptions & {
        maxPlies?: number;
        defence?: string;
    }): Promise<Line>;
    /**
     * Every position of games, and the mistakes in them. `from` is the position from which moves without any tag are
     * played, unless they get further from the initial array. With `unclaimed` board's honour is counted only if a
     * game's FEN has the count.
     */
    analyse(pgn: string, options?: AskOptions & {
        from?: string;
        unclaimed?: boolean;
    }): Promise<Game[]>;
    /** All that a page shows about a position. `counts` is the side whose count runs, if that is known. */
    explore(fen: string, options?: AskOptions & {
        counts?: Side | null;
    }): Promise<Explored>;
    /** Many positions, each with its verdict or the reason why it has none. */
    batch(fens: string[], options: AskOptions & {
        moves: true;
    }): Promise<BatchItem<PositionWithMoves>[]>;
    batch(fens: string[], options?: AskOptions & {
        moves?: boolean;
    }): Promise<BatchItem[]>;
    /** The category alone: by the category tables if they decide it. */
    category(fen: string, options?: AskOptions): Promise<PositionCategory>;
    /** A position and its moves with the fields of lila-tablebase, as the service's `/makruk` gives them. */
    lichess(fen: string, options?: AskOptions): Promise<LichessPosition>;
    /** The best line with the fields of lila-tablebase, as the service's `/makruk/mainline` gives it. */
    lichessMainline(fen: string, options?: AskOptions): Promise<LichessLine>;
    /**
     * Fetches all tables of some materials, such as `["KRvK", "KRvKS"]`, with what is needed to read them. They stay on
     * the device: questions about them need no network from then on. Files that are already kept are not fetched again.
     */
    keep(materials: readonly string[], { signal, onProgress }?: KeepOptions): Promise<void>;
    /** Whether all tables of these materials are kept. */
    isKept(materials: readonly string[]): Promise<boolean>;
    private filesOf;
    /** Closes the files of a folder. */
    close(): Promise<void>;
    /** Asks until there is an answer. */
    ask<T>(question: Question, { signal, onRound }?: AskOptions): Promise<T>;
    /** Fetches what is wanted. Returns the reason why some of it was refused. */
    private fetch;
    private fetchOwn;
}
/**
 * Opens tables: a site by its URL, by its folder's path (in Node, Deno and Bun) or by its files in memory, or a source
 * of your own. `makruk-probe site` makes a site.
 */
export declare function open(from: string | Address | Map<string, Uint8Array> | Record<string, Uint8Array> | Source, options?: OpenOptions): Promise<Tablebase>;
