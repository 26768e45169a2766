// A verdict in figures and words: the winner, the moves needed, the moves left by the count. The server judges.
import type { Category, Known, KnownMove, KnownPosition, Side } from "./api.ts";
import { words } from "./language/index.ts";
import type { Reason } from "./language/subjects.ts";
import { bareSide, hasPawns, other, readFen } from "./position.ts";

/** The colour of a verdict. */
export type Tone = "white" | "black" | "count" | "draw";

export interface Told {
    head: string;
    body: string;
    tone: Tone;
    /** The winner's moves needed, and those that the count leaves; both absent where there is nothing to weigh. */
    needs?: number;
    left?: number;
    /** The moves to mate without a count, where something else may settle it sooner. */
    mate?: number;
}

/** Moves counted so far, of a count in plies: the counting side is to move, or has moved. */
export const movesCounted = (ply: number, isToMove: boolean) => (isToMove ? Math.floor(ply / 2) : Math.ceil(ply / 2));

/** A count in moves: those counted, the limit, whether it has run out, and the moves that it leaves the attacker. */
export interface Tally {
    counted: number;
    limit: number;
    isOver: boolean;
    left: number;
}

/** The count of an answer, or of a FEN without one: the counting side is to move, or not. A mate may be a ply late. */
export function tallyOf(count: { limit: number; ply: number }, isToMove: boolean, isMate = false): Tally {
    const { limit, ply } = count;
    const isOver = ply > limit + Number(isMate);
    const left = isToMove ? Math.ceil((limit - ply) / 2) : Math.floor((limit - ply) / 2) + 1;
    return { counted: movesCounted(ply, isToMove), limit: Math.ceil(limit / 2), isOver, left: isOver ? 0 : left };
}

/** The number of the winner's own moves in a number of plies. */
export const movesIn = (plies: number): number => Math.ceil(Math.abs(plies) / 2);

/** The side that wins without the count; null if neither does. */
export function winnerOf(verdict: Pick<Known, "side" | "category">): Side | null {
    switch (verdict.category) {
        case "win":
        case "cursed-win":
            return verdict.side;
        case "loss":
        case "blessed-loss":
            return other(verdict.side);
        case "draw":
            return null;
    }
}

export function toneOf(verdict: Pick<Known, "side" | "category">): Tone {
    switch (verdict.category) {
        case "draw":
            return "draw";
        case "cursed-win":
        case "blessed-loss":
            return "count";
        default:
            return winnerOf(verdict)!;
    }
}

/** The result of a verdict, as a headline. */
export function headOf(tone: Tone): string {
    const say = words.verdict;
    return tone === "draw" ? say.draw().head : tone === "count" ? say.byCount : say.wins(tone);
}

/** Whether the game is over because the count that the FEN has is run out: nobody has a move left by which to mate. */
export function isRunOut(position: KnownPosition): boolean {
    const { limit, ply, attacker_moves_left: left } = position.count;
    if (!limit || !ply || position.checkmate) return false;
    const isNamed = readFen(position.fen).count !== null && !position.count_stopped;
    return tallyOf({ limit, ply }, true).isOver || (isNamed && left === 0 && toneOf(position) === "count");
}

/** Whether neither side can mate any more, even if the other helps: the game is over. */
export function isDead({ can_mate }: Pick<KnownPosition, "can_mate">): boolean {
    return can_mate.white === false && can_mate.black === false;
}

/** The moves that the loser has counted, and the limit; null if no count runs against the winner. */
function countedIn({ count: { limit, ply }, count_stopped, side }: KnownPosition, loser: Side): Reason["counted"] {
    if (!limit || count_stopped) return null;
    const tally = tallyOf({ limit, ply: ply ?? 0 }, side === loser);
    return [tally.counted, tally.limit];
}

/** A verdict as a player would say it. */
export function tell(position: KnownPosition): Told {
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
    if (isDead(position)) return { ...say.draw(), body: words.ruling.dead, tone };
    if (winner === null || position.dtm === null) return { ...say.draw(), tone };
    const without = say.without(winner, movesIn(position.dtm));
    if (tone === "count" && isRunOut(position)) return { head: say.expired, body: without, tone };
    const loser = other(winner);
    const isBare = position.begins?.counts != null;
    const plies = isBare ? position.dtm : position.dtz;
    const needs = plies === null ? null : movesIn(plies);
    const left = hasPawns(readFen(position.fen).squares) ? null : (position.count.attacker_moves_left ?? 0);
    const goal = isBare ? "mate" : left === null ? "pawn" : "piece";
    const reason = say.reason({ winner, loser, counted: countedIn(position, loser), left, needs, goal });
    return {
        head: headOf(tone),
        body: isBare ? reason : `${reason} ${without}`,
        tone,
        ...(needs !== null && left !== null && { needs, left }),
        ...(!isBare && left !== null && { mate: movesIn(position.dtm) }),
    };
}

/** A result on a square in words. */
export function tellMark(tone: Tone, moves: number | null): string {
    const isWon = tone === "white" || tone === "black";
    return headOf(tone) + (isWon ? ` · ${words.moves(moves ?? 0)}` : "");
}

/** A move that begins a count which leaves too few moves to mate, where another move wins. */
export interface TooSoon {
    san: string;
    needs: number;
    left: number;
}

/** The capture or promotion that throws a win away because a count begins with it; null if there is none. */
export function tooSoon(position: KnownPosition): TooSoon | null {
    if (position.category !== "win") return null;
    for (const move of position.moves) {
        if (move.status === "unjudged") continue;
        const { san, fen, category, dtm, attacker_moves_left: left, begins_count } = move;
        if (category !== "cursed-win" || !begins_count || !dtm || left == null) continue;
        const begun = begunAtLastPawn(position.fen, fen);
        const needs = movesIn(dtm - 1);
        if ((begun?.honour ?? "pieces") === "pieces" && needs > left) return { san, needs, left };
    }
    return null;
}

/** A count that a move has begun: its honour, and its limit in moves. */
export interface Begun {
    honour: "pieces" | "board";
    limit: number;
}

/** The count that begins with a move because it ends the last pawn; null if none does. */
export function begunAtLastPawn(before: string, after: string): Begun | null {
    const { squares, count } = readFen(after);
    if (!count || hasPawns(squares) || !hasPawns(readFen(before).squares)) return null;
    return { honour: bareSide(squares) ? "pieces" : "board", limit: Math.floor(count.limit / 2) };
}

/** The result of a move in a few words. Numbers are the moves needed after it, beside the moves left in the list. */
export function tellMove(position: Pick<KnownPosition, "fen" | "begins">, move: KnownMove): string {
    const say = words.move;
    const isBare = position.begins?.counts != null;
    if (move.dtm === null) return say.draw;
    if (move.dtm === 1) return heapOf(move.category) === "drawn" ? say.mateLate : say.mate;
    const after = (plies: number) => movesIn(Math.abs(plies) - 1);
    const begun = move.begins_count ? begunAtLastPawn(position.fen, move.fen) : null;
    if (begun) {
        const { honour, limit } = begun;
        return honour === "pieces"
            ? say.beginsPieces(limit, after(move.dtm))
            : say.beginsBoard(limit, movesIn(move.dtm));
    }
    if (move.bares_king && move.begins_count) return say.takesLast(after(move.dtm));
    if (isBare) return say.toMate(after(move.dtm));
    const isDrawn = move.category === "cursed-win" || move.category === "blessed-loss";
    if (!move.dtz || isDrawn) return say.withoutCount(movesIn(move.dtm));
    return (move.category === "win" ? say.wins : say.loses)(after(move.dtz));
}

/** The three heaps that moves fall into. */
export type Heap = "win" | "drawn" | "loss";

export function heapOf(category: Category): Heap {
    return category === "win" || category === "loss" ? category : "drawn";
}
