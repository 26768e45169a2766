// The server's answers as types, and the requests for them.
import type { components } from "../../wasm/npm/src/schemas.ts";
import { isSite, root } from "./root.ts";
import { keptInTab } from "./store.ts";

type Schemas = components["schemas"];

export type Side = Schemas["Side"];
export type Category = Schemas["Category"];
/** The reason why a position, or one of its moves, has no verdict. */
export type Unjudged = Partial<Pick<Schemas["Error"], "error" | "reason" | "command" | "field">>;
/** A mistake of a request, in parts from which the page makes a sentence of its own. */
export type Mistake = Pick<Schemas["Error"], "field" | "found" | "rank" | "column"> &
    Partial<Omit<Schemas["GameError"], "game" | "error" | "reason">> & {
        /** Of a site: the file that cannot be read. */
        file?: string;
    };
/** A verdict of the tables. */
export type Known = Schemas["Position"];
/** The result alone, which a site knows first. */
export type Glimpse = Schemas["PositionCategory"] & { status: "glimpsed" };
/** A position with its verdict, or without one: `status` tells which. So it does of moves and games. */
export type Explored = Schemas["Explored"];
export type KnownPosition = Extract<Explored, { status: "judged" }>;
/** Moves whose tables are missing precede those that they may be better than. */
export type Move = Explored["moves"][number];
export type KnownMove = Extract<Move, { status: "judged" }>;
/** A position that can be a task: its verdict and the values of all its moves are known. */
export type Whole = Omit<KnownPosition, "moves"> & { moves: KnownMove[] };
export type GamePosition = Schemas["GamePosition"];
export type JudgedMove = Extract<GamePosition["played"], { status: "judged" }>;
export type Game = Schemas["Game"];
export type ReadGame = Extract<Game, { status: "read" }>;
export type BatchItem = Schemas["BatchItem"];

/** Whether nothing is missing of what judges the moves here. */
export const isWhole = (position: Explored): position is Explored & Whole =>
    position.status === "judged" && position.moves.every(({ status }) => status === "judged");
export type Line = Schemas["Line"];
export type MaterialTotals = Schemas["MaterialTotals"];
export type MaterialList = Schemas["MaterialList"];
export type MaterialEntry = Schemas["MaterialEntry"];
export type SideSummary = Schemas["SideSummary"];
export type Summary = Schemas["TableSummary"];
/** The page asks for materials that have a DTM table. */
export type Statistics = Schemas["TableStatistics"] & { dtm: Summary };
export type Save = Schemas["ExampleSave"];
/** A position of a search: a save, a win or a zugzwang, with its details, for which the page always asks. */
export type FoundPosition = Schemas["FoundPosition"] &
    Pick<Schemas["SaveDetails"], "dtm" | "dtz" | "legal_moves"> &
    Partial<Schemas["SaveDetails"] & Schemas["WinDetails"] & Schemas["ZugzwangDetails"]>;
/** A page of positions; the cursor continues after it, null at the end. */
export type FoundPage = Omit<Schemas["FoundPage"], "saves"> & { saves: FoundPosition[] };
export type Problem = Schemas["IllegalProblem"];

/** A refusal of the server. */
export class Refusal extends Error {
    readonly reason: string;
    readonly problems: Problem[];
    readonly mistake: Mistake;
    constructor(error: string, reason: string, problems: Problem[] = [], mistake: Mistake = {}) {
        // Letters beyond ASCII come written as their numbers; in `found` they are themselves.
        super(error.replace(/\\u\{([0-9a-f]{1,6})\}/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16))));
        this.reason = reason;
        this.problems = problems;
        this.mistake = mistake;
    }
}

/** An error as a refusal to show; an unforeseen error gets a refusal of its own. */
export function refusalOf(error: unknown): Refusal {
    return error instanceof Refusal ? error : new Refusal(String(error), "unknown");
}

export type Health = "well" | "away" | "locked";

const TOKEN = "makruk-token";
/** Time limit of an answer, and the pause between attempts to reach an unreachable server, in milliseconds. */
const PATIENCE = 15000;
const AGAIN = 1500;

let health: Health = "well";
let listener: (health: Health) => void = () => {};
let recovery: Promise<void> | null = null;
let release: () => void = () => {};

/** Reports each change of the server's health. */
export function onHealth(heard: (health: Health) => void): void {
    listener = heard;
}

function say(now: Health): void {
    if (now === health) return;
    health = now;
    listener(now);
}

const pause = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));

/** Whether the server, or the host of the site, answers now. */
async function isThere(): Promise<boolean> {
    try {
        // The service worker, which has kept the catalogue, answers nothing but GET.
        const path = root + (isSite ? "guide/catalogue" : "healthz");
        return (await fetch(path, { method: "HEAD", cache: "no-store" })).ok;
    } catch {
        return false;
    }
}

/** Ends when the server answers again. All waiting requests share one check. */
function returned(): Promise<void> {
    recovery ??= (async () => {
        for (;;) {
            await pause(AGAIN);
            if (await isThere()) break;
        }
        recovery = null;
        say("well");
    })();
    return recovery;
}

/** The token of the requests; kept as long as the tab is open. */
export function unlock(token: string): void {
    keptInTab.set(TOKEN, token);
    say("well");
    release();
}

/** Ends with another signal, or when an answer is late. The oldest browsers lack AbortSignal.any and .timeout. */
function patience(other: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
    const controller = new AbortController();
    const stop = () => controller.abort();
    const late = setTimeout(stop, PATIENCE);
    other?.addEventListener("abort", stop);
    const end = () => {
        clearTimeout(late);
        other?.removeEventListener("abort", stop);
    };
    return { signal: controller.signal, end };
}

/** Retries until the server answers, however long it is unreachable, busy or locked. */
async function ask<T>(path: string, signal?: AbortSignal, body?: unknown): Promise<T> {
    for (;;) {
        if (signal?.aborted) throw new DOMException("nobody waits for it", "AbortError");
        const token = keptInTab.get(TOKEN);
        const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
        if (body !== undefined) headers["content-type"] = "application/json";
        const waiting = patience(signal);
        let answer: Response;
        let text: string;
        try {
            answer = await fetch(root + path, {
                headers,
                signal: waiting.signal,
                ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
            });
            text = await answer.text();
        } catch (error) {
            if (signal?.aborted) throw error;
            say("away");
            await returned();
            continue;
        } finally {
            waiting.end();
        }
        if (answer.status === 401) {
            say("locked");
            const before = release;
            await new Promise<void>((done) => {
                release = () => {
                    before();
                    done();
                };
            });
            continue;
        }
        if (answer.status === 429 || answer.status === 503) {
            await pause(1000 * Number(answer.headers.get("retry-after") ?? 1));
            continue;
        }
        say("well");
        let json;
        try {
            json = JSON.parse(text);
        } catch {
            throw new Refusal(`${answer.status} ${answer.statusText}`, "unreadable");
        }
        if (answer.ok) return json as T;
        throw new Refusal(json.error ?? answer.statusText, json.reason ?? "unknown", json.problems ?? [], json);
    }
}

const query = (fen: string) =>
    encodeURIComponent(fen.replace(/\s/g, " ")).replaceAll("%20", "_").replaceAll("%2F", "/");

/** The side that answers: a server, or the page itself out of files. */
export interface Answerer {
    /**
     * `counts` is the side whose count runs, if not the winner's opponent. `early` gets a result and a verdict that are
     * known before the moves: without a server, each takes more requests.
     */
    explore(
        fen: string,
        signal: AbortSignal,
        counts?: Side | null,
        early?: (verdict: Known | Glimpse) => void,
    ): Promise<Explored>;
    line(fen: string): Promise<Line>;
    /** `from` is the position in which moves without any tag begin, unless they get further from the initial array. */
    analyse(pgn: string, from?: string): Promise<{ games: Game[] }>;
    /** Verdicts alone, of many positions; those that cannot be judged have none. */
    batch(fens: string[], signal: AbortSignal): Promise<BatchItem[]>;
    materials(): Promise<MaterialList>;
    statistics(material: string, longest: boolean, signal: AbortSignal): Promise<Statistics>;
    find(query: Record<string, string>, signal: AbortSignal): Promise<FoundPage>;
    saveCounts(material: string, signal: AbortSignal): Promise<Record<Side, { saves: number }>>;
    saves(material: string, signal: AbortSignal): Promise<{ saves: Save[] }>;
    /** Keeps all tables of up to `men` men on the device. Only a site without a server does. */
    keep?(men: number, heard: (done: number, all: number) => void): Promise<void>;
    isKept?(men: number): Promise<boolean>;
}

const served: Answerer = {
    explore: (fen, signal, counts = null) =>
        ask(`v1/explore?fen=${query(fen)}${counts ? `&counts=${counts}` : ""}`, signal),
    line: (fen) => ask(`v1/line?fen=${query(fen)}&max_plies=400`),
    analyse: (pgn, from) => ask("v1/analyse", undefined, { pgn, ...(from && { from }) }),
    batch: (fens, signal) => ask("v1/batch", signal, { fens, moves: false }),
    materials: () => ask("v1/materials"),
    statistics: (material, longest, signal) => ask(`v1/tables/${material}${longest ? "?longest=true" : ""}`, signal),
    find: (query, signal) => ask(`v1/saves?${new URLSearchParams(query).toString().replaceAll("+", "%20")}`, signal),
    saveCounts: (material, signal) => ask(`v1/saves/${material}`, signal),
    saves: (material, signal) => ask(`v1/tables/${material}/saves`, signal),
};

/** The tools with which a site without a server asks. */
export interface SiteTools {
    /** The path of the page's folder. */
    root: string;
    /** A refusal, which is shown. */
    refuse(error: string, reason: string, problems?: Problem[], mistake?: Mistake): Error;
    /** Whether the host of the page answers now. */
    isThere(): Promise<boolean>;
    /** Waits until the host can be reached again. */
    away(): Promise<void>;
    well(): void;
}

/** Asks the tables themselves, by a module that only a page without a server loads. */
function ofFiles(): Answerer {
    const tools: SiteTools = {
        root,
        refuse: (...refusal) => new Refusal(...refusal),
        isThere,
        away: () => {
            say("away");
            return returned();
        },
        well: () => say("well"),
    };
    const name = "./site.js";
    const loaded = import(name).then((site: { answerer(tools: SiteTools): Answerer }) => site.answerer(tools));
    // Each question waits until the module is there.
    const later =
        (method: keyof Answerer) =>
        (...question: unknown[]) =>
            loaded.then((answerer) => (answerer[method] as (...question: unknown[]) => unknown)(...question));
    return new Proxy({} as Answerer, { get: (_, method) => later(method as keyof Answerer) });
}

export const server: Answerer = isSite ? ofFiles() : served;

/** A FEN as it is written in an address. */
export const inAddress = query;
