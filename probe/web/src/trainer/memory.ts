// The results of training, kept on the device: a task returns later, the more often it succeeded.
import type { Task } from "./task.ts";

const KEY = "makruk-training";
const DAY = 24 * 60 * 60 * 1000;
/** Days until a task comes back, by how often in a row it went well. */
const DAYS = [0, 1, 3, 7, 21, 60];
/** A bound on the number of tasks. */
const MOST = 3000;

export interface Memo extends Task {
    /** The number of successes in a row. */
    level: number;
    /** The time of the next repetition, in milliseconds since 1970. */
    due: number;
    tries: number;
}

const isMemo = (value: unknown): value is Memo => {
    const memo = value as Memo;
    return (
        typeof memo === "object" &&
        memo !== null &&
        typeof memo.key === "string" &&
        typeof memo.fen === "string" &&
        (memo.side === "white" || memo.side === "black") &&
        (memo.goal === "win" || memo.goal === "save") &&
        [memo.level, memo.due, memo.tries].every((number) => Number.isFinite(number))
    );
};

export class Memory {
    private memos = new Map<string, Memo>();

    constructor() {
        try {
            this.take(JSON.parse(localStorage.getItem(KEY) ?? "[]"));
        } catch {
            // The stored text is not a list of memos: training starts over.
        }
    }

    /** Takes memos in; of two of one task the one tried more often stays. False if it is not a list of memos. */
    private take(value: unknown): boolean {
        if (!Array.isArray(value) || !value.every(isMemo)) return false;
        for (const { key, fen, side, goal, level, due, tries } of value) {
            const known = this.memos.get(key);
            if (known && known.tries >= tries) continue;
            const whole = Math.max(0, Math.min(DAYS.length - 1, Math.round(level)));
            this.memos.set(key, { key, fen, side, goal, level: whole, due, tries });
        }
        return true;
    }

    private keep(): void {
        const memos = [...this.memos.values()].sort((a, b) => b.due - a.due).slice(0, MOST);
        try {
            localStorage.setItem(KEY, JSON.stringify(memos));
        } catch {
            // Then it lasts as long as the page.
        }
    }

    of(key: string): Memo | null {
        return this.memos.get(key) ?? null;
    }

    /** Records a success or a failure of a task. */
    note({ key, fen, side, goal }: Task, isGood: boolean, now = Date.now()): void {
        const before = this.memos.get(key);
        const tries = (before?.tries ?? 0) + 1;
        // A success before the task is due changes neither level nor date.
        const isEarly = isGood && before !== undefined && now < before.due;
        const level = isGood ? Math.min(DAYS.length - 1, (before?.level ?? 0) + (isEarly ? 0 : 1)) : 0;
        this.memos.set(key, {
            key,
            fen,
            side,
            goal,
            level,
            due: isEarly ? before.due : now + DAYS[level]! * DAY,
            tries,
        });
        this.keep();
    }

    /** The tasks that are due, the longest overdue first. */
    due(now = Date.now()): Memo[] {
        return [...this.memos.values()].filter(({ due }) => due <= now).sort((a, b) => a.due - b.due);
    }

    get size(): number {
        return this.memos.size;
    }

    /** All of it as a file's text. */
    text(): string {
        return JSON.stringify({ makruk: "training", version: 1, memos: [...this.memos.values()] }, null, 1);
    }

    /** Takes in a file that another device wrote; false if it is not such a file. */
    read(text: string): boolean {
        try {
            const file = JSON.parse(text) as { makruk?: string; memos?: unknown };
            const isTaken = file.makruk === "training" && this.take(file.memos);
            if (isTaken) this.keep();
            return isTaken;
        } catch {
            return false;
        }
    }
}
