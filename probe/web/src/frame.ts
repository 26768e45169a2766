// Messages between the page in a frame and the page around it. README.md describes them.
import { type ReadGame, Refusal, refusalOf, server } from "./api.ts";
import type { State } from "./answers.ts";

/** What the page around may ask for. */
export interface FrameEvents {
    set: (fen: string) => void;
    /** Shows a game at a ply. */
    game: (game: ReadGame, ply: number) => void;
    turn: (isFlipped: boolean) => void;
}

/** The origin that sent the last message; verdicts are sent to it and to no other. */
let asker: string | null = null;
/** The answer that was sent since it last set a position: the same is drawn many times. */
let told: State = null;

function tell(message: Record<string, unknown>, to: string): void {
    parent.postMessage({ makruk: 1, ...message }, to);
}

function refuse(error: unknown, about: Record<string, unknown>): void {
    const { message, reason } = refusalOf(error);
    if (asker) tell({ type: "error", error: message, reason, ...about }, asker);
}

const wrong = (error: string) => new Refusal(error, "bad_request");

async function hear(data: Record<string, unknown>, events: FrameEvents): Promise<void> {
    const { type, fen, pgn, ply, flip } = data;
    if (typeof flip === "boolean") events.turn(flip);
    if (type === "set") {
        if (typeof fen !== "string") throw wrong("set: fen is missing: expected a FEN as a string");
        // The server reads it first: positions that it refuses do not reach the board.
        const { fen: read } = await server.explore(fen, new AbortController().signal);
        told = null;
        events.set(read);
    } else if (type === "game") {
        if (typeof pgn !== "string") throw wrong("game: pgn is missing: expected a game in PGN as a string");
        const { games } = await server.analyse(pgn);
        const [game] = games;
        if (!game) throw wrong("game: pgn has no game");
        if (game.status === "refused") throw new Refusal(game.error, game.reason);
        const last = game.positions.length - 1;
        told = null;
        events.game(game, typeof ply === "number" ? Math.min(Math.max(ply, 0), last) : last);
    } else if (flip === undefined) {
        throw wrong(`${JSON.stringify(type ?? null)} is not a type of message: expected "set" or "game"`);
    }
}

/** Listens to the page around, and says that it does. */
export function openFrame(events: FrameEvents): void {
    addEventListener("message", ({ data, source, origin }: MessageEvent<unknown>) => {
        if (source !== parent || typeof data !== "object" || data === null || !("makruk" in data)) return;
        // A page without an origin, such as a file, can be sent messages only if everyone can.
        asker = origin === "null" ? "*" : origin;
        const message = data as Record<string, unknown>;
        void hear(message, events).catch((error: unknown) => refuse(error, { asked: message["type"] ?? null }));
    });
    tell({ type: "ready" }, "*");
}

/** Tells the verdict on the position that is shown, or why there is none, to the page that asked. */
export function tellFrame(state: State, fen: string): void {
    if (!asker || state === null || state === told) return;
    told = state;
    if (state instanceof Refusal) {
        refuse(state, { fen });
        return;
    }
    if (state.status === "unjudged") {
        const { error, reason } = state;
        tell({ type: "error", fen, error, reason }, asker);
        return;
    }
    const { category, material, side, dtm, dtz, count, moves } = state;
    const [best] = moves;
    const { uci, san } = best ?? { uci: null, san: null };
    tell({ type: "verdict", fen, material, side, category, dtm, dtz, count, best: best ? { uci, san } : null }, asker);
}
