// The days in a row on which the puzzle of the day was solved, kept on the device.
import { kept, keptValue } from "../store.ts";

const KEY = "makruk-streak";
/** Milliseconds. */
export const DAY = 24 * 3600 * 1000;

export interface Streak {
    /** The last day on which it was solved. */
    day: number;
    days: number;
    best: number;
}

/** The number of a day by the device's calendar. */
export function dayOf(now: Date): number {
    return Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY);
}

const read = (): Streak => keptValue(KEY) ?? { day: -1, days: 0, best: 0 };

/** The streak on a day: it continues as long as no day is left out. */
export function streakOn(today: number): Streak {
    const streak = read();
    return streak.day >= today - 1 ? streak : { ...streak, days: 0 };
}

/** The puzzle of this day is solved. */
export function solvedOn(today: number): void {
    const { day, days, best } = streakOn(today);
    if (day === today) return;
    kept.set(KEY, JSON.stringify({ day: today, days: days + 1, best: Math.max(best, days + 1) }));
}
