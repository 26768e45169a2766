// Positions to guess: won, drawn by the count, or drawn. They are thrown at random, and the tables judge them.
import { type Category, type Explored, isWhole, type MaterialEntry, server, type Whole } from "../api.ts";
import { readFen, writeFen } from "../position.ts";
import { movesIn, tell } from "../told.ts";
import { throwMen } from "./practice.ts";

export const ANSWERS = ["won", "count", "draw"] as const;
export type Answer = (typeof ANSWERS)[number];

export function answerOf(category: Category): Answer {
    if (category === "draw") return "draw";
    return category === "win" || category === "loss" ? "won" : "count";
}

/** The least and the most moves between those needed and those that the count leaves, by difficulty from 1 to 3. */
const GAPS = [
    [8, 15],
    [3, 7],
    [0, 2],
] as const;

/** Positions asked about at a time, and how often for an answer. */
const THROWN = 24;
const TIMES = 5;
/** How often an ending is drawn and tried for an answer. */
const ENDINGS = 6;
/** A result that fewer positions of an ending have is seldom found by throwing men. */
const COMMON = 0.02;

const some = <T>(of: readonly T[]): T | undefined => of[Math.floor(Math.random() * of.length)];
const between = (least: number, most: number) => least + Math.floor(Math.random() * (most - least + 1));
const isPawnless = (material: string) => !material.includes("P");

/** The answers that an ending has often enough. Without a pawn a running count makes each win a draw by the count. */
export function answersIn({ material, totals }: MaterialEntry): Answer[] {
    if (!totals) return [];
    const wins = totals.white_wins + totals.black_wins;
    const positions = { won: totals.within_count, count: wins - totals.within_count, draw: totals.draws };
    if (isPawnless(material)) positions.count = wins;
    return ANSWERS.filter((answer) => positions[answer] > COMMON * (wins + totals.draws));
}

/** Whether a position is of a difficulty. Where no two numbers are compared a decided one is hard, a draw is of all. */
function isOf(level: number, position: Whole): boolean {
    const { needs, left } = tell(position);
    const gap = needs === undefined || left === undefined ? null : Math.abs(needs - left);
    const [least, most] = GAPS[level - 1]!;
    if (gap === null) return position.category === "draw" || level === GAPS.length;
    return gap >= least && gap <= most;
}

/** The position with a count that leaves so many moves more than these; null if none does. */
function counted(position: Explored, needs: number, gap: number): string | null {
    if (position.status === "unjudged" || !position.begins) return null;
    const { fen, begins } = position;
    // A count that begins now, with the winner or the loser to move, leaves this and perhaps one more.
    const used = Math.ceil((begins.limit - begins.ply) / 2) - needs - gap;
    if (used < 0 || needs + gap < 1) return null;
    return writeFen({ ...readFen(fen), count: { limit: begins.limit, ply: begins.ply + 2 * used } });
}

/** A position of an ending with this answer, of this difficulty; null if none is found. */
async function draw(material: string, answer: Answer, level: number, signal: AbortSignal): Promise<Whole | null> {
    const [first = "", second = ""] = material.split("v");
    const [least, most] = GAPS[level - 1]!;
    const isFit = (category: Category) =>
        isPawnless(material) ? (category === "draw") === (answer === "draw") : answerOf(category) === answer;
    for (let time = 0; time < TIMES; time++) {
        const fens = Array.from({ length: THROWN }, () => {
            const [white, black] = Math.random() < 0.5 ? [first, second] : [second, first];
            return throwMen([...white, ...black.toLowerCase()], Math.random() < 0.5 ? "white" : "black");
        });
        const judged = (await server.batch(fens, signal)).filter((item) => item.status === "judged");
        const found = some(
            judged.filter(({ category, checkmate, stalemate }) => !checkmate && !stalemate && isFit(category)),
        );
        let position = found && (await server.explore(found.fen, signal));
        if (position && isPawnless(material)) {
            // A draw has a count like those of the decided positions, so that no count gives the answer away.
            const like = answer === "draw" ? some(judged.filter(({ dtm }) => dtm)) : found;
            const needs = like ? movesIn(like.dtz ?? like.dtm ?? 0) : between(1, 30);
            const isShort = answer === "count" || (answer === "draw" && Math.random() < 0.5);
            const fen = counted(position, needs, isShort ? -between(Math.max(1, least), most) : between(least, most));
            position = fen === null ? undefined : await server.explore(fen, signal);
        }
        if (!position || !isWhole(position) || answerOf(position.category) !== answer) continue;
        // A man that can be taken makes a draw plain.
        const isPlain = answer === "draw" && level > 1 && position.moves[0]?.capture;
        if (isOf(level, position) && !isPlain) return position;
    }
    return null;
}

/** A position to guess, of one of the endings; null if none is found. Its answer is drawn first, each as likely. */
export async function findRiddle(endings: MaterialEntry[], level: number, signal: AbortSignal): Promise<Whole | null> {
    const pawnless = endings.filter(({ material }) => isPawnless(material));
    // With a pawn nothing is counted: unless no other ending is wanted, such positions are hard ones.
    const isCounted = pawnless.length > 0 && (level < GAPS.length || Math.random() < 0.5);
    const among = isCounted ? pawnless : endings;
    const answers = ANSWERS.map((answer) => ({ answer, at: Math.random() })).sort((a, b) => a.at - b.at);
    for (const { answer } of answers) {
        const fitting = among.filter((entry) => answersIn(entry).includes(answer));
        // Not every ending has each difficulty: another answer takes the place of one that is not found in these tries.
        for (let time = 0; time < ENDINGS && fitting.length > 0; time++) {
            const { material } = some(fitting)!;
            const found = await draw(material, answer, isPawnless(material) ? level : GAPS.length, signal);
            if (found) return found;
        }
    }
    return null;
}
