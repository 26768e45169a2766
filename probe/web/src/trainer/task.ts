// A task of the trainer: a position, and the player's goal there.
import type { GamePosition, Known, KnownMove, Side } from "../api.ts";
import { moveText } from "../notation.ts";
import { other, readFen } from "../position.ts";

/** The player's task: mate in time, or hold until the count has run out. */
export type Goal = "win" | "save";

/** Whether a move keeps the result that the task demands. */
export const keeps = ({ category }: KnownMove, goal: Goal): boolean =>
    goal === "win" ? category === "win" : category !== "loss";

/** A position and the task of the player. */
export interface Task {
    /** The key under which results are kept. */
    key: string;
    fen: string;
    side: Side;
    goal: Goal;
    /** Of an own mistake: the move with its number, and the name of the game. */
    slip?: string;
    game?: string;
    /** Of a puzzle of the day: the day, as 2026-11-28. */
    day?: string;
}

/** The key of a position: board, side and count, without the move number. */
export const keyOf = (fen: string): string => fen.split(" ", 5).join(" ");

/** A goal for the side to move. */
export const taskAt = (fen: string, goal: Goal): Task => ({ key: keyOf(fen), fen, side: readFen(fen).side, goal });

/** The task before a move of a game that gave away a win or a draw; null if it did not. */
export function taskBefore({ fen, played }: GamePosition, game: string): Task | null {
    if (played?.status !== "judged") return null;
    const { san, gave_away: gave } = played;
    if (gave !== "win" && gave !== "draw") return null;
    const [, side, , , , number] = fen.split(" ");
    const slip = `${number}${side === "w" ? "." : "..."} ${san}`;
    return { ...taskAt(fen, gave === "win" ? "win" : "save"), slip, game };
}

/** An own mistake for people. */
export function slipText({ slip }: Task): string {
    const [number, san] = slip!.split(" ");
    return `${number} ${moveText(san!)}??`;
}

/** The task of a position: to win, for the side that wins in time, or to draw, for the side that the count saves. */
export function taskOf({ fen, side, category }: Known): Task | null {
    const task = (side: Side, goal: Goal): Task => ({ key: keyOf(fen), fen, side, goal });
    switch (category) {
        case "win":
            return task(side, "win");
        case "loss":
            return task(other(side), "win");
        case "blessed-loss":
            return task(side, "save");
        case "cursed-win":
            return task(other(side), "save");
        default:
            return null;
    }
}
