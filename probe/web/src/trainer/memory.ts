// The results of training, kept on the device: a task returns later, the more often it succeeded.
import { kept, keptValue } from "../store.ts";
import type { Task } from "./task.ts";

const KEY = "makruk-training";
const DAY = 24 * 60 * 60 * 1000;
/** Days until a task comes back, by how often in a row it went well. */
const DAYS = [0, 1, 3, 7, 21, 60];
/** A bound on the number of tasks. */
const MOST = 3000;

/** What is kept of a task. Of a position to guess there is no side and no goal. */
type Kept = Pick<Task, "key" | "fen"> & Partial<Task>;

export type Memo<T = Task> = T & {
    /** The number of successes in a row. */
    level: number;
    /** The time of the next repetition, in milliseconds since 1970. */
    due: number;
    tries: number;
};

export class Memory<T extends Kept = Task> {
    private readonly name: string;
    private memos = new Map<string, Memo<T>>();

    /** `name` is that under which it is kept. */
    constructor(name = KEY) {
        this.name = name;
        this.read();
    }

    /** Reads what is kept: another tab may have written meanwhile. */
    read(): void {
        this.memos = new Map((keptValue<Memo<T>[]>(this.name) ?? []).map((memo) => [memo.key, memo]));
    }

    private keep(): void {
        const memos = [...this.memos.values()].sort((a, b) => b.due - a.due).slice(0, MOST);
        kept.set(this.name, JSON.stringify(memos));
    }

    of(key: string): Memo<T> | null {
        return this.memos.get(key) ?? null;
    }

    /** Records a success or a failure of a task. */
    note({ key, fen, side, goal }: T, isGood: boolean, now = Date.now()): void {
        this.read();
        const before = this.memos.get(key);
        const tries = (before?.tries ?? 0) + 1;
        // A success before the task is due changes neither level nor date.
        const isEarly = isGood && before !== undefined && now < before.due;
        const level = isGood ? Math.min(DAYS.length - 1, (before?.level ?? 0) + (isEarly ? 0 : 1)) : 0;
        this.memos.set(key, {
            ...before,
            key,
            fen,
            side,
            goal,
            level,
            due: isEarly ? before.due : now + DAYS[level]! * DAY,
            tries,
        } as Memo<T>);
        this.keep();
    }

    /** Keeps an own mistake, which is due at once. */
    add(task: T, now = Date.now()): void {
        this.read();
        this.memos.set(task.key, { level: 0, due: now, tries: 0, ...this.memos.get(task.key), ...task });
        this.keep();
    }

    /** The own mistakes, those that are due first. */
    get mistakes(): Memo<T>[] {
        return [...this.memos.values()].filter(({ slip }) => slip).sort((a, b) => a.due - b.due);
    }

    /** The tasks that are due, the longest overdue first. */
    due(now = Date.now()): Memo<T>[] {
        return [...this.memos.values()].filter(({ due }) => due <= now).sort((a, b) => a.due - b.due);
    }

    get size(): number {
        return this.memos.size;
    }
}
