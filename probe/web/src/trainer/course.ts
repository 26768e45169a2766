// The course: lessons, each a position with its figures, which tests/trainer.spec.ts compares with the tables.
import type { Goal, Task } from "./task.ts";

export const LESSON_NAMES = [
    "rook",
    "edge",
    "cage",
    "rooks",
    "rooksNet",
    "khons",
    "khonsStep",
    "khonMet",
    "khonMetCorner",
    "knightKhon",
    "knightKhonOpen",
    "knightMet",
    "knightMetCorner",
    "take",
    "chase",
    "poison",
    "offer",
    "offerCheck",
    "rookStep",
    "bait",
    "metBait",
    "promote",
    "hold",
    "giveaway",
    "khonsPawn",
    "rooksPawn",
] as const;
export type LessonName = (typeof LESSON_NAMES)[number];

export interface Lesson extends Task {
    name: LessonName;
    /**
     * The figures of the tables: the moves that the attacker needs to win, those that the count leaves (none with a
     * pawn), and the moves that keep the result.
     */
    needs: number | null;
    left: number | null;
    keeping: number;
}

const lesson = (
    name: LessonName,
    goal: Goal,
    fen: string,
    [needs, left, keeping]: [number | null, number | null, number],
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

/** The parts of the course: against a bare king, with men on both sides, and with the last pawn. */
export const GROUPS = ["bare", "sacrifice", "pawn"] as const;
export type Group = (typeof GROUPS)[number];

export const COURSE_OF: Record<Group, Lesson[]> = {
    bare: [
        lesson("rook", "win", "8/8/k7/8/8/8/1R6/5K2 w - - 0 1", [8, 14, 16]),
        lesson("edge", "win", "8/8/8/8/8/1R2K3/8/6k1 w - - 0 1", [3, 14, 17]),
        lesson("cage", "win", "8/8/3k4/1R6/8/8/8/5K2 w - - 0 1", [14, 14, 4]),
        lesson("rooks", "win", "8/4k3/8/1K6/1R6/8/8/2R5 w - - 0 1", [5, 5, 6]),
        lesson("rooksNet", "win", "8/4K3/8/8/8/8/5RR1/7k w - - 0 1", [3, 5, 1]),
        lesson("khons", "win", "k7/8/4S3/8/8/4K3/S7/8 w - - 0 1", [13, 19, 16]),
        lesson("khonsStep", "win", "8/8/8/8/S7/8/S1K5/k7 w - - 0 1", [5, 19, 1]),
        lesson("khonMet", "win", "8/8/8/8/2M5/2kS4/8/2K5 w - - 0 1", [26, 41, 2]),
        lesson("khonMetCorner", "win", "8/2k1S3/2M5/K7/8/8/8/8 w - - 0 1", [7, 41, 1]),
        lesson("knightKhon", "win", "8/8/8/5N2/1K6/8/k7/2S5 w - - 0 1", [7, 41, 16]),
        lesson("knightKhonOpen", "win", "K7/8/8/8/3N1S2/8/8/3k4 w - - 0 1", [21, 41, 14]),
        lesson("knightMet", "win", "8/8/k1K1M3/8/8/8/1N6/8 w - - 0 1", [13, 61, 6]),
        lesson("knightMetCorner", "win", "8/8/8/8/7K/3M4/7N/6k1 w - - 0 1", [5, 61, 1]),
    ],
    sacrifice: [
        lesson("take", "win", "8/3K4/1R1m4/8/4k3/8/8/8 w - - 0 1", [1, 65, 15]),
        lesson("chase", "win", "R7/8/7k/8/8/8/m7/K7 w - - 0 1", [3, 65, 13]),
        lesson("poison", "win", "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1", [23, 65, 4]),
        lesson("offer", "save", "1K6/8/5k2/8/1R6/4R3/7r/8 b - - 0 1", [null, 64, 1]),
        lesson("offerCheck", "save", "6k1/8/8/3R4/8/1R5K/6r1/8 b - - 0 1", [null, 64, 1]),
        lesson("rookStep", "save", "8/2k5/8/8/2R5/1r6/2K5/8 b - - 0 1", [null, 64, 1]),
        lesson("bait", "save", "8/8/8/2k5/8/sK6/8/1R6 b - - 0 1", [null, 64, 1]),
        lesson("metBait", "save", "8/8/8/3k4/5K1m/8/5R2/8 b - - 0 1", [null, 64, 1]),
    ],
    pawn: [
        lesson("promote", "win", "8/8/2R5/3P4/K2k4/8/8/8 w - - 0 1", [5, null, 12]),
        lesson("hold", "win", "8/1R6/6p1/7K/5k2/8/8/8 w - - 0 1", [5, null, 2]),
        lesson("giveaway", "save", "8/8/8/2k5/Rp6/8/K7/8 b - - 0 1", [null, null, 1]),
        lesson("khonsPawn", "win", "8/8/5k2/7p/6SS/8/3K4/8 w - - 0 1", [8, null, 4]),
        lesson("rooksPawn", "win", "8/8/5k2/7p/8/6RR/3K4/8 w - - 0 1", [3, null, 24]),
    ],
};

export const COURSE: Lesson[] = GROUPS.flatMap((group) => COURSE_OF[group]);
