// Puzzles: positions in which one move alone keeps the result, as `makruk-probe research puzzles --format trainer`
// writes them. They are a file of their own, which is loaded when the trainer is opened.
import { Refusal } from "../api.ts";
import { namesAt } from "../position.ts";
import { type Task, taskAt } from "./task.ts";
import { root } from "../root.ts";

export const THEMES = ["win", "save", "give", "promote", "wait", "refuse"] as const;
export type Theme = (typeof THEMES)[number];
/** Difficulties by their number; the first stands for all. */
export const LEVELS = ["any", "easy", "medium", "hard"] as const;
export type Level = (typeof LEVELS)[number];
/** A difficulty as stars. */
export const stars = (level: number): string => "★".repeat(level) + "☆".repeat(LEVELS.length - 1 - level);

export interface Puzzle extends Task {
    theme: Theme;
    /** From 1, easy, to 3: with how many nodes an engine finds the solution. */
    level: number;
    /** The names that the material may have. */
    materials: string[];
}

function parse(line: string): Puzzle {
    const [theme, level] = line.split(" ", 2) as [Theme, string];
    const fen = line.slice(theme.length + level.length + 2);
    return {
        ...taskAt(fen, theme === "save" || theme === "give" ? "save" : "win"),
        theme,
        level: Number(level),
        materials: namesAt(fen),
    };
}

/** The build of this page: see parts.ts. */
declare const BUILD: string;

let loading: Promise<Puzzle[]> | null = null;

/** All puzzles; if they cannot be had, a refusal, and the next call asks again. */
export function loadPuzzles(): Promise<Puzzle[]> {
    loading ??= (async () => {
        const answer = await fetch(`${root}puzzles.txt?${BUILD}`);
        if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
        return (await answer.text()).trimEnd().split("\n").map(parse);
    })().catch((error: unknown) => {
        loading = null;
        throw new Refusal(String(error), "part_away");
    });
    return loading;
}

/** The puzzles whose tables are there. */
export function puzzlesOf(puzzles: readonly Puzzle[], materials: readonly string[]): Puzzle[] {
    const there = new Set(materials);
    return puzzles.filter((puzzle) => puzzle.materials.some((material) => there.has(material)));
}

/** The puzzle of a day: the list's entry for the day, or the next one whose tables are there. */
export function dailyOf(all: readonly Puzzle[], there: readonly Puzzle[], day: number): Puzzle | undefined {
    const known = new Set(there);
    const from = day % all.length;
    return [...all.slice(from), ...all.slice(0, from)].find((puzzle) => known.has(puzzle));
}
