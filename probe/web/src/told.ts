// A verdict in figures and words: the winner, the moves needed, the moves left by the count. The server judges; this file only reads.
import type { Category, Explored, Move, Side, Verdict } from "./api.ts";
import { words } from "./language/index.ts";
import { other } from "./position.ts";

/** The colour of a verdict. */
export type Tone = "white" | "black" | "count" | "draw" | "none";

export interface Told {
    head: string;
    body: string;
    tone: Tone;
    /** The winner's moves needed, and those that the count leaves; both absent where there is nothing to weigh. */
    needs?: number;
    left?: number;
}

/** The winner's own moves in so many plies. */
export const movesIn = (plies: number): number => Math.ceil(Math.abs(plies) / 2);

/** The side that wins without the count. */
export function winnerOf(verdict: Verdict): Side | null {
    switch (verdict.category) {
        case "win":
        case "cursed-win":
            return verdict.side;
        case "loss":
        case "blessed-loss":
            return other(verdict.side);
        default:
            return null;
    }
}

export function toneOf(verdict: Verdict): Tone {
    switch (verdict.category) {
        case undefined:
            return "none";
        case "draw":
            return "draw";
        case "cursed-win":
        case "blessed-loss":
            return "count";
        default:
            return winnerOf(verdict)!;
    }
}

/** A verdict as a player would say it. */
export function tell(position: Explored): Told {
    const say = words.verdict;
    const tone = toneOf(position);
    const winner = winnerOf(position);
    if (position.checkmate) {
        // The count had run out before: the game was drawn already.
        const isLate = position.category !== "win" && position.category !== "loss";
        if (isLate) return { ...say.matedLate(position.side, other(position.side)), tone };
        return { ...say.mated(position.side, other(position.side)), tone };
    }
    if (position.stalemate) return { ...say.stalemate(position.side), tone };
    if (winner === null || position.dtm === null || position.dtm === undefined) return { ...say.draw(), tone };
    const loser = other(winner);
    const mate = movesIn(position.dtm);
    const left = position.count?.attacker_moves_left ?? 0;
    const { limit, ply } = position.count ?? {};
    if (tone === "count" && limit && ply && ply > limit) return { ...say.expired(winner, mate), tone };
    const isBare = position.begins?.counts != null;
    if (isBare) {
        const told = tone === "count" ? say.countBare(winner, mate, left) : say.winsBare(winner, mate, left);
        return { ...told, tone, needs: mate, left };
    }
    if (position.dtz === null || position.dtz === undefined) return { ...say.countNever(winner, loser, mate), tone };
    const needs = movesIn(position.dtz);
    const told =
        tone === "count"
            ? say.countArmed(winner, loser, needs, left, mate)
            : say.winsArmed(winner, loser, needs, left, mate);
    return { ...told, tone, needs, left };
}

/** The result of a move in a few words. Numbers are the moves needed after it, as the list shows the moves left beside them. */
export function tellMove(move: Move, isBare: boolean): string {
    const say = words.move;
    if (!move.category) return "";
    if (move.dtm === null || move.dtm === undefined) return say.draw;
    if (move.dtm === 1) return heapOf(move.category) === "drawn" ? say.mateLate : say.mate;
    const after = (plies: number) => movesIn(Math.abs(plies) - 1);
    if (move.zeroing) return say.takesLast(after(move.dtm));
    if (isBare) return say.toMate(after(move.dtm));
    const isDrawn = move.category === "cursed-win" || move.category === "blessed-loss";
    return move.dtz && !isDrawn ? say.toDecide(after(move.dtz)) : say.withoutCount(movesIn(move.dtm));
}

/** The three heaps that moves fall into. */
export type Heap = "win" | "drawn" | "loss" | "unjudged";

export function heapOf(category: Category | undefined): Heap {
    if (category === undefined) return "unjudged";
    return category === "win" || category === "loss" ? category : "drawn";
}
