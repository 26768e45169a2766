// The server's answers as types, and the requests for them.
import { isSite, root } from "./root.ts";
import { keptInTab } from "./store.ts";

export type Side = "white" | "black";
export type Category = "win" | "cursed-win" | "draw" | "blessed-loss" | "loss";

export interface Unjudged {
    error?: string;
    reason?: string;
    command?: string;
}

/** A mistake of a request, in parts from which the page makes a sentence of its own. */
export interface Mistake {
    field?: string;
    found?: string;
    /** Of a filter. */
    column?: number;
    /** Of a game: its line, its move, and the kind of the problem. */
    line?: number;
    move?: string;
    problem?: string;
    candidates?: string[];
}

export interface Verdict {
    fen: string;
    side: Side;
    material?: string;
    /** Absent where there is no verdict. */
    category?: Category;
    dtm?: number | null;
    dtz?: number | null;
    count?: {
        rule: "none" | "board" | "pieces";
        limit: number | null;
        ply: number | null;
        attacker_moves_left: number | null;
    };
    checkmate?: boolean;
    stalemate?: boolean;
}

export interface Move {
    uci: string;
    san: string;
    capture: boolean;
    fen: string;
    category?: Category;
    dtm?: number | null;
    dtz?: number | null;
    zeroing?: boolean;
    attacker_moves_left?: number | null;
    gave_away?: "win" | "draw" | "time" | null;
    lost_moves?: number | null;
    sacrifice?: { capture: string; offered: boolean; needed: number; left: number | null };
}

export interface Explored extends Verdict, Unjudged {
    check: boolean;
    /** The side that counts; null if nobody wins. */
    counts: Side | null;
    /** The FEN's count is the winner's, who may stop it: the verdict is that for a count that begins now. */
    count_stopped: boolean;
    begins: { limit: number; ply: number; counts: Side | null } | null;
    moves: Move[];
}

export interface Played {
    uci: string;
    san: string;
    category?: Category;
    gave_away?: "win" | "draw" | "time" | null;
    lost_moves?: number | null;
    best?: string;
}

export interface GamePosition extends Verdict, Unjudged {
    ply: number;
    played: Played | null;
}

export interface Game extends Unjudged, Mistake {
    game: number;
    tags?: [string, string][];
    result?: string;
    positions?: GamePosition[];
}

export interface Line extends Verdict {
    line: { uci: string; san: string; fen: string; attacker_moves_left: number | null }[];
    end: "checkmate" | "count_expired" | "draw" | "truncated";
}

export interface SetTotals {
    bytes: number;
    white_wins: number;
    black_wins: number;
    draws: number;
    within_count: number;
    mate_moves: number;
    event_moves: number;
}

export interface SetEntry {
    material: string;
    men: number;
    command: string | null;
    totals: SetTotals | null;
}

export interface SideSummary {
    win: number;
    draw: number;
    loss: number;
    max_win_plies: number | null;
    max_loss_plies: number | null;
    win_count_moves: number | null;
    loss_count_moves: number | null;
    histogram: [number, number][];
    longest_win_fens?: string[];
    longest_pending?: boolean;
    /** The share of the table that was searched, 0 to 1. */
    longest_progress?: number;
}

export interface Summary {
    bytes: number;
    white: SideSummary;
    black: SideSummary;
}

export interface Statistics {
    material: string;
    men: number;
    dtm: Summary;
    dtz: Summary | null;
}

export interface Save {
    fen: string;
    drawing_moves: number;
    legal_moves: number;
    sacrifice: boolean;
}

/** A position of a search: a save, a win or a zugzwang, and the details from the tables. */
export interface FoundPosition {
    material: string;
    side: Side;
    number: number;
    fen: string;
    dtm: number | null;
    dtz: number | null;
    legal_moves: number;
    /** Of a save. */
    short_by?: number | null;
    /** Of a save or a zugzwang: the moves that draw. */
    saving_moves?: { uci: string; san: string }[];
    /** Of a win: the attacker's moves, those that the count leaves, and the difference. */
    needed?: number;
    left?: number;
    spare?: number;
    winning_moves?: { uci: string; san: string }[];
    spoiling_captures?: { san: string; last: boolean; needed: number | null; left: number | null }[];
    /** Of a zugzwang: the category to the side to move, and to the other if it were to move. */
    category?: Category;
    opposite?: Category;
    by_count?: boolean;
    full?: boolean;
}

/** A page of positions; the cursor goes on behind it, null at the end. */
export interface FoundPage {
    saves: FoundPosition[];
    cursor: string | null;
    scanned: number;
}

export type Problem =
    | { problem: "missing_king" | "opposite_check"; side: Side }
    | { problem: "too_many"; side: Side; role: string; found: number; most: number }
    | { problem: "touching_kings" }
    | { problem: "pawn_beyond_promotion"; square: string };

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
/** Time limit of an answer, and the pause between attempts to reach a server that is away, in milliseconds. */
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

/** Ends when the server answers again. All waiting requests share one check. */
function returned(): Promise<void> {
    recovery ??= (async () => {
        for (;;) {
            await pause(AGAIN);
            try {
                const answer = await fetch(root + (isSite ? "guide/catalogue" : "healthz"), { cache: "no-store" });
                if (answer.ok) break;
            } catch {
                // The server does not answer yet.
            }
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

/** Ends with another signal, or when an answer is late. AbortSignal.any and .timeout are newer than the supported browsers. */
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

/** Asks until there is an answer: a server that is away, busy or locked is waited for. */
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

const query = (fen: string) => encodeURIComponent(fen).replaceAll("%20", "_").replaceAll("%2F", "/");

/** The side that answers: a server, or the page itself out of files. */
export interface Answerer {
    explore(fen: string, signal: AbortSignal, counts?: Side | null): Promise<Explored>;
    line(fen: string): Promise<Line>;
    analyse(pgn: string): Promise<{ games: Game[] }>;
    batch(fens: string[], signal: AbortSignal): Promise<(Verdict | { fen: string; error: string })[]>;
    sets(): Promise<{ sets: SetEntry[] }>;
    statistics(set: string, longest: boolean, signal: AbortSignal): Promise<Statistics>;
    find(query: Record<string, string>, signal: AbortSignal): Promise<FoundPage>;
    saveCounts(set: string, signal: AbortSignal): Promise<Record<Side, { saves: number }>>;
    saves(set: string, signal: AbortSignal): Promise<{ saves: Save[] }>;
    /** Keeps all tables of up to so many men on the device. Only a site without a server does. */
    keep?(men: number, heard: (done: number, all: number) => void): Promise<void>;
    isKept?(men: number): Promise<boolean>;
}

const served: Answerer = {
    /** The answer about a position; `counts` is the side whose count runs, if it is not the winner's opponent. */
    explore: (fen, signal, counts = null) =>
        ask<Explored>(`v1/explore?fen=${query(fen)}${counts ? `&counts=${counts}` : ""}`, signal),
    line: (fen: string) => ask<Line>(`v1/line?fen=${query(fen)}&max_plies=400`),
    analyse: (pgn: string) => ask<{ games: Game[] }>("v1/analyse", undefined, { pgn }),
    /** Verdicts alone, of many positions; those that cannot be judged have none. */
    batch: (fens: string[], signal: AbortSignal) =>
        ask<(Verdict | { fen: string; error: string })[]>("v1/batch", signal, { fens, moves: false }),
    sets: () => ask<{ sets: SetEntry[] }>("v1/sets"),
    statistics: (set: string, longest: boolean, signal: AbortSignal) =>
        ask<Statistics>(`v1/tables/${set}${longest ? "?longest=true" : ""}`, signal),
    find: (query: Record<string, string>, signal: AbortSignal) =>
        ask<FoundPage>(`v1/saves?${new URLSearchParams(query).toString().replaceAll("+", "%20")}`, signal),
    saveCounts: (set: string, signal: AbortSignal) => ask<Record<Side, { saves: number }>>(`v1/saves/${set}`, signal),
    saves: (set: string, signal: AbortSignal) => ask<{ saves: Save[] }>(`v1/tables/${set}/saves`, signal),
};

/** The tools with which a site without a server asks. */
export interface SiteTools {
    /** The path of the page's folder. */
    root: string;
    /** A refusal, which is shown. */
    refuse(error: string, reason: string, problems?: Problem[], mistake?: Mistake): Error;
    /** Waits until the host can be reached again. */
    away(): Promise<void>;
    well(): void;
}

/** Asks the tables themselves, by a module that only a page without a server loads. */
function ofFiles(): Answerer {
    const tools: SiteTools = {
        root,
        refuse: (...refusal) => new Refusal(...refusal),
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

/** A FEN as it stands in an address. */
export const inAddress = query;
