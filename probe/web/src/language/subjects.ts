// The subjects of sentences that every language says in its own order.
import type { Side } from "../api.ts";

/** The reason for a result by the count, as the languages make a sentence of it. */
export interface Reason {
    winner: Side;
    loser: Side;
    /** The moves that the loser has counted, and the limit; null if no count runs. */
    counted: [number, number] | null;
    /** The winner's moves left; null while a pawn holds the count off. */
    left: number | null;
    /** The winner's moves needed to what is played for; null if that cannot be forced in time. */
    needs: number | null;
    /** What is played for: mate alone, or also the last piece or the end of the last pawn with enough moves left. */
    goal: "mate" | "piece" | "pawn";
}

/** A mistake in a position's text. */
export interface Fault {
    found: string;
    rank: string;
    squares: number;
}
