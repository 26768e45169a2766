// The lesson or the task that an address names.
import { COURSE } from "./course.ts";
import { keyOf, type Task } from "./task.ts";

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
