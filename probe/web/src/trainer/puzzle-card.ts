// The puzzles: that of the day with the days in a row, and others by theme and difficulty.
import { addressOfTask } from "../address.ts";
import { actButton, h, link } from "../dom.ts";
import { language, words } from "../language/index.ts";
import { failure } from "../failure.ts";
import { kept, keptValue } from "../store.ts";
import { choice, levelChoice } from "./choice.ts";
import type { Memory } from "./memory.ts";
import { dailyOf, loadPuzzles, type Puzzle, puzzlesOf, stars, THEMES, type Theme } from "./puzzles.ts";
import { DAY, dayOf, solvedOn, streakOn } from "./streak.ts";

const WISH = "makruk-puzzles";
/** Days whose puzzles are listed. */
const DAYS = 6;

interface Wish {
    theme: Theme | "any";
    /** 0 for any. */
    level: number;
}

export class PuzzleCard {
    /** All puzzles in the order of the days, and those whose tables are there. */
    private all: Puzzle[] = [];
    private puzzles: Puzzle[] = [];
    private error: unknown = null;
    private readonly memory: Memory;
    private readonly wish: Wish;

    constructor(memory: Memory) {
        this.memory = memory;
        this.wish = keptValue(WISH) ?? { theme: "any", level: 0 };
    }

    /** Loads the puzzles, of the materials whose tables are there. Where they cannot be had, the card says so. */
    async load(materials: readonly string[]): Promise<void> {
        this.error = null;
        try {
            this.all = await loadPuzzles();
            this.puzzles = puzzlesOf(this.all, materials);
        } catch (error) {
            this.error = error;
        }
    }

    get isLoaded(): boolean {
        return this.all.length > 0;
    }

    /** The puzzle of today; undefined where no tables of any puzzle are there. */
    get daily(): Puzzle | undefined {
        return this.dailyOf(dayOf(new Date()));
    }

    private dailyOf(day: number): Puzzle | undefined {
        const puzzle = dailyOf(this.all, this.puzzles, day);
        return puzzle && { ...puzzle, day: textOf(day) };
    }

    /** The puzzle of a day; of today if the day is none, or yet to come. */
    on(day: string | null): Puzzle | undefined {
        const number = Date.parse(`${day}T00:00Z`) / DAY;
        return number >= 0 && number < dayOf(new Date()) ? this.dailyOf(number) : this.daily;
    }

    /** The puzzle of a position, if it is one. */
    of(key: string): Puzzle | undefined {
        return this.puzzles.find((puzzle) => puzzle.key === key);
    }

    /** A puzzle was solved; true if it is that of today. */
    solved(key: string): boolean {
        if (this.daily?.key !== key) return false;
        solvedOn(dayOf(new Date()));
        return true;
    }

    /** The days in a row in a sentence; empty if there is none. */
    streak(): string {
        const { days, best } = streakOn(dayOf(new Date()));
        return days > 0 ? words.trainer.streak(days, best) : "";
    }

    private isSolved = ({ key }: Puzzle) => (this.memory.of(key)?.level ?? 0) > 0;

    private fitting(): Puzzle[] {
        const { theme, level } = this.wish;
        return this.puzzles.filter(
            (puzzle) => (theme === "any" || puzzle.theme === theme) && (level === 0 || puzzle.level === level),
        );
    }

    /** Another puzzle of the chosen theme and difficulty, one that is not solved yet if there is one. */
    another(but: string | null): Puzzle | undefined {
        const fitting = this.fitting().filter(({ key }) => key !== but);
        const fresh = fitting.filter((puzzle) => !this.isSolved(puzzle));
        const some = fresh.length > 0 ? fresh : fitting;
        return some[Math.floor(Math.random() * some.length)];
    }

    /** Whether the puzzle of today is solved. */
    get isDone(): boolean {
        return streakOn(dayOf(new Date())).day === dayOf(new Date());
    }

    /** Theme and stars of a puzzle; that of a day with its name and date. */
    title({ theme, level }: Puzzle, day?: string): string {
        const say = words.trainer;
        const about = `${say.themes[theme]} ${stars(level)}`;
        return day ? `${say.daily}, ${dateOf(day)}: ${about}` : about;
    }

    /** Links to the puzzles of the last days. */
    private earlier(begin: (puzzle: Puzzle) => void): HTMLElement {
        const today = dayOf(new Date());
        const days = Array.from({ length: DAYS }, (_, back) => this.dailyOf(today - 1 - back)!);
        const links = days.map((puzzle) => {
            const text = `${dateOf(puzzle.day!, "short")}${this.isSolved(puzzle) ? " ✓" : ""}`;
            return link(addressOfTask(puzzle), () => begin(puzzle), { "data-act": puzzle.day }, text);
        });
        return h("p", { class: "buttons earlier" }, h("span", { class: "muted" }, words.trainer.earlier), ...links);
    }

    /** The part of the trainer's view; nothing where no tables of puzzles are there. */
    draw(begin: (puzzle: Puzzle) => void, again: () => void): HTMLElement[] {
        const say = words.trainer;
        if (this.error) return [h("h2", {}, say.puzzles), ...failure(this.error, again)];
        const { daily } = this;
        if (!daily) return [];
        const another = actButton("another", say.another, () => {
            const puzzle = this.another(null);
            if (puzzle) begin(puzzle);
        });
        const status = h("span", { class: "muted", role: "status" });
        const tell = () => {
            kept.set(WISH, JSON.stringify(this.wish));
            const fitting = this.fitting();
            another.disabled = fitting.length === 0;
            status.textContent = say.solved(fitting.filter(this.isSolved).length, fitting.length);
        };
        tell();
        const days = this.streak();
        return [
            h("h2", {}, say.puzzles),
            h("p", { class: "muted" }, say.puzzlesIntro),
            h(
                "div",
                { class: "buttons" },
                actButton("daily", this.title(daily, daily.day), () => begin(daily)),
                this.isDone ? h("span", { class: "solved-today" }, `✓ ${say.doneToday}`) : null,
                days ? h("span", { class: "muted streak" }, days) : null,
            ),
            this.earlier(begin),
            h(
                "div",
                { class: "card practice" },
                choice(
                    "theme",
                    say.theme,
                    [["any", say.anyTheme], ...THEMES.map((theme) => [theme, say.themes[theme]] as const)],
                    this.wish.theme,
                    (theme) => {
                        this.wish.theme = theme;
                        tell();
                    },
                ),
                levelChoice("level", this.wish.level, (level) => {
                    this.wish.level = level;
                    tell();
                }),
                h("div", { class: "buttons" }, another, status),
            ),
        ];
    }
}

/** A day as it is written in addresses, and in the page's language. */
const textOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);
const dateOf = (day: string, month: "short" | "long" = "long") =>
    new Date(day).toLocaleDateString(language, { day: "numeric", month, timeZone: "UTC" });
