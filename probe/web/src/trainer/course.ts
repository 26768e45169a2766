// The course: ten lessons, each a position with its figures from the tables. tests/trainer.spec.ts compares each with the tables.
import type { Move, Side, Verdict } from "../api.ts";
import { other } from "../position.ts";

/** The player's task: mate in time, or hold until the count has run out. */
export type Goal = "win" | "save";

/** Does a move keep the result that the task demands? */
export const keeps = ({ category }: Move, goal: Goal): boolean =>
    goal === "win" ? category === "win" : category !== "loss" && category !== undefined;

/** A position and the task of the player. */
export interface Task {
    /** The key under which results are kept. */
    key: string;
    fen: string;
    side: Side;
    goal: Goal;
}

/** The key of a position: board, side and count, without the move number. */
export const keyOf = (fen: string): string => fen.split(" ", 5).join(" ");

export const LESSON_NAMES = [
    "rook",
    "rooks",
    "khons",
    "khonMet",
    "knightKhon",
    "knightMet",
    "take",
    "poison",
    "offer",
    "bait",
] as const;
export type LessonName = (typeof LESSON_NAMES)[number];

/** The task of a position: to win for the side that wins in time, to save the draw for the side that the count saves. */
export function taskOf({ fen, side, category }: Verdict): Task | null {
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

export interface Lesson extends Task {
    name: LessonName;
    /** The figures of the tables: the attacker's moves needed (of a win), the moves that the count leaves, the moves that keep the result. */
    needs: number | null;
    left: number;
    keeping: number;
}

const lesson = (
    name: LessonName,
    goal: Goal,
    fen: string,
    [needs, left, keeping]: [number | null, number, number],
): Lesson => ({
    key: `lesson ${name}`,
    name,
    fen,
    goal,
    side: fen.split(" ")[1] === "b" ? "black" : "white",
    needs,
    left,
    keeping,
});

export const COURSE: Lesson[] = [
    lesson("rook", "win", "8/8/k7/8/8/8/1R6/5K2 w - - 0 1", [8, 14, 16]),
    lesson("rooks", "win", "8/4k3/8/1K6/1R6/8/8/2R5 w - - 0 1", [5, 5, 6]),
    lesson("khons", "win", "k7/8/4S3/8/8/4K3/S7/8 w - - 0 1", [13, 19, 16]),
    lesson("khonMet", "win", "8/8/8/8/2M5/2kS4/8/2K5 w - - 0 1", [26, 41, 2]),
    lesson("knightKhon", "win", "8/8/8/5N2/1K6/8/k7/2S5 w - - 0 1", [7, 41, 16]),
    lesson("knightMet", "win", "8/8/k1K1M3/8/8/8/1N6/8 w - - 0 1", [13, 61, 6]),
    lesson("take", "win", "8/3K4/1R1m4/8/4k3/8/8/8 w - - 0 1", [1, 65, 15]),
    lesson("poison", "win", "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1", [23, 65, 4]),
    lesson("offer", "save", "1K6/8/5k2/8/1R6/4R3/7r/8 b - - 0 1", [null, 64, 1]),
    lesson("bait", "save", "8/8/8/2k5/8/sK6/8/1R6 b - - 0 1", [null, 64, 1]),
];
