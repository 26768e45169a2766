// The addresses of lessons and tasks: for Back, for a reload, and for friends.
import { inAddress } from "../api.ts";
import { root } from "../root.ts";
import { COURSE } from "./course.ts";
import { keyOf, type Task } from "./task.ts";

const LESSON = "lesson ";

/** The address of a lesson, or of a task of its own. */
export function addressOfTask({ key, fen, goal, side }: Task): string {
    if (key.startsWith(LESSON)) return `${root}?train=${key.slice(LESSON.length)}`;
    return `${root}?train&task=${inAddress(fen)}&goal=${goal}&as=${side}`;
}

/** The task of an address; null if it has none. */
export function taskIn(search: string): Task | null {
    const address = new URLSearchParams(search);
    const lesson = COURSE.find(({ name }) => name === address.get("train"));
    if (lesson) return lesson;
    const fen = address.get("task")?.replaceAll("_", " ");
    const [goal, side] = [address.get("goal"), address.get("as")];
    if (!fen || (goal !== "win" && goal !== "save")) return null;
    return { key: keyOf(fen), fen, goal, side: side === "black" ? "black" : "white" };
}
