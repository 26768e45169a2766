export type Side = "white" | "black";
export type Category = "win" | "cursed-win" | "draw" | "blessed-loss" | "loss";
/** The count of a position. */
export interface Count {
    rule: "none" | "board" | "pieces";
    /** Plies, as in the FEN; null if no count runs. */
    limit: number | null;
    ply: number | null;
    /** The winner's moves left; null if neither side wins without the count. */
    attacker_moves_left: number | null;
}
/** A position and its verdict. Distances are signed plies from the side to move; null is none. */
export interface Position {
    fen: string;
    material: string;
    side: Side;
    category: Category;
    /** Plies to mate. */
    dtm: number | null;
    /** Plies to the conversion that the count allows. */
    dtz: number | null;
    count: Count;
    checkmate: boolean;
    stalemate: boolean;
    moves?: Move[];
}
/** A move, seen by the side that makes it. */
export interface Move {
    uci: string;
    san: string;
    category: Category;
    dtm: number | null;
    dtz: number | null;
    capture: boolean;
    /** Does it bare an opponent who had a piece left? */
    zeroing: boolean;
}
export interface LineMove extends Move {
    attacker_moves_left: number | null;
    /** The position after it. */
    fen: string;
}
export interface Line extends Position {
    line: LineMove[];
    end: "checkmate" | "count_expired" | "draw" | "truncated";
}
/** Why a position has no verdict. */
export interface Unjudged {
    error: string;
    reason: string;
    field?: string;
    found?: string;
}
export interface Mistake {
    gave_away: "win" | "draw" | "time" | null;
    /** Moves lost, of `time`. */
    lost_moves: number | null;
}
export interface PlayedMove extends Move, Mistake {
    /** The best move, in SAN. */
    best: string;
}
/** A position of a game; without a verdict it has `error` and `reason`. */
export type GamePosition = {
    ply: number;
    occurrence: number;
} & ((Position & {
    played: PlayedMove | {
        uci: string;
        san: string;
    } | null;
}) | ({
    fen: string;
    side: Side;
    played: {
        uci: string;
        san: string;
    } | null;
} & Unjudged));
export interface Game {
    game: number;
    tags?: [string, string][];
    result?: string;
    positions?: GamePosition[];
    /** Of a game that cannot be read. */
    error?: string;
    reason?: "bad_pgn";
    line?: number;
    problem?: string;
    move?: string;
    found?: string;
    candidates?: string[];
}
export interface Sacrifice {
    capture: string;
    kind: "offer" | "exchange" | "lost_anyway";
    offered: boolean;
    needed: number;
    left: number | null;
}
export type ExploredMove = (LineMove & Mistake & {
    sacrifice?: Sacrifice;
}) | {
    uci: string;
    san: string;
    capture: boolean;
    fen: string;
};
/** All that a page shows of a position. */
export type Explored = {
    check: boolean;
    counts: Side | null;
    count_stopped: boolean;
    begins: {
        limit: number;
        ply: number;
        counts: Side | null;
    } | null;
    moves: ExploredMove[];
} & (Omit<Position, "moves"> | ({
    fen: string;
    side: Side;
} & Partial<Omit<Position, "moves">> & Unjudged));
/** The category alone, for a count that begins now. */
export interface WdlPosition {
    fen: string;
    material: string;
    side: Side;
    category: Category;
}
