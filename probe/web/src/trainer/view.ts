// The trainer's view: the course, the tasks to repeat, practice, and the bout on the board.
import { addressOfTask } from "../address.ts";
import { refusalOf, server, type MaterialEntry } from "../api.ts";
import { actButton, fold, h, link, redraw } from "../dom.ts";
import { words } from "../language/index.ts";
import { materialChoice } from "../material-options.ts";
import { smallBoard } from "../miniature.ts";
import { drawMan, endingName } from "../pieces.ts";
import { namesAt, squareOf } from "../position.ts";
import { explained, why } from "../verdict.ts";
import { goTo, root } from "../root.ts";
import { Bout, type KeptBout } from "./bout.ts";
import { choice } from "./choice.ts";
import { COURSE, COURSE_OF, type Group, GROUPS, type Lesson } from "./course.ts";
import { type Goal, slipText, type Task, taskAt } from "./task.ts";
import { Memory } from "./memory.ts";
import { drawNotebook, readMistakes } from "./notebook.ts";
import { findTask, type Wish } from "./practice.ts";
import { PuzzleCard } from "./puzzle-card.ts";
import { Ring } from "./ring.ts";
import { taskIn } from "./task-address.ts";
import { View } from "../view.ts";

export interface TrainerEvents {
    /** Shows a position in the explorer. */
    explore: (fen: string) => void;
    /** Shows the view in which results are guessed. */
    guess: () => void;
}

export class TrainerView extends View {
    private readonly memory = new Memory();
    private readonly events: TrainerEvents;
    private readonly puzzles = new PuzzleCard(this.memory);
    private readonly ring: Ring;
    private materials: MaterialEntry[] = [];
    /** Whether it is known which tables are there. */
    private isPrepared = false;
    private wish: Wish = { material: "KRvK", goal: "win", side: "white", spare: 3 };
    private bout: Bout | null = null;
    private lesson: Lesson | null = null;
    private note: (Node | string)[] = [];
    private finding = new AbortController();

    constructor(events: TrainerEvents) {
        super("trainer");
        this.events = events;
        this.ring = new Ring({
            play: (from, to) => {
                const { bout } = this;
                const move = bout?.position?.moves.find(
                    ({ uci }) => squareOf(uci) === from && squareOf(uci.slice(2)) === to,
                );
                if (bout && move) this.run(bout.play(move));
            },
            begin: (task) => this.begin(task, task.key === this.bout?.task.key ? this.more : []),
            another: ({ key }) => {
                const [next, ...rest] = this.more;
                const puzzle = this.puzzles.of(key) && this.puzzles.another(key);
                if (next) this.begin(next, rest);
                else if (puzzle) this.begin(puzzle);
                else void this.practise();
            },
            close: () => this.close(),
            due: () => this.due(),
            result: (bout) => this.result(bout),
            progress: ({ key }) => this.progress(key),
            isThere: (task) => this.isThere(task),
            explore: events.explore,
        });
    }

    /** Shows the bout of the address, or the course. */
    show(isEntered: boolean): void {
        this.memory.read();
        this.recall();
        this.draw();
        this.enter(isEntered);
        if (this.isPrepared && this.puzzles.isLoaded) this.wantsDaily();
        else void this.prepare();
    }

    /** Fetches the list of the endings and the puzzles. */
    private async prepare(): Promise<void> {
        try {
            const { materials } = await server.materials();
            this.materials = materials.filter(({ totals }) => totals);
            this.isPrepared = true;
            await this.puzzles.load(this.materials.map(({ material }) => material));
            if (!this.wantsDaily()) this.draw();
        } catch (error) {
            this.tell(error);
        }
    }

    relabel(): void {
        this.draw();
    }

    /** Whether the table of a task is there; as long as nobody knows, it may be. */
    private isThere({ fen }: Task): boolean {
        const names = namesAt(fen);
        return !this.isPrepared || this.materials.some(({ material }) => names.includes(material));
    }

    /** The tasks to repeat whose tables are there. */
    private due(): Task[] {
        return this.memory.due().filter((task) => this.isThere(task));
    }

    private tell(error: unknown): void {
        this.note = why(refusalOf(error));
        this.draw();
    }

    private run(work: Promise<void>): void {
        const { bout } = this;
        work.catch((error: unknown) => {
            if (this.bout === bout && !isAbort(error)) this.tell(error);
        });
    }

    /** The tasks that follow. */
    private more: Task[] = [];

    /** Begins a bout, in an entry of its own of the browser's history: Back returns to the course. */
    begin(task: Task, more: Task[] = []): void {
        this.more = more;
        if (task.slip) this.memory.add(task);
        // One bout after the other is one entry.
        goTo(addressOfTask(task), entryOf(task), boutOf(history.state) !== undefined);
        this.start(task, (bout) => bout.begin());
    }

    /** Begins the puzzle of the day that the address names, unless it is begun; the address gets the day. */
    private wantsDaily(): boolean {
        const address = new URLSearchParams(location.search);
        const puzzle = address.get("train") === "daily" && this.puzzles.on(address.get("day"));
        if (!puzzle) return false;
        if (this.bout?.task.day === puzzle.day) return false;
        goTo(addressOfTask(puzzle), entryOf(puzzle), true);
        this.start(puzzle, (bout) => bout.begin());
        return true;
    }

    /** Shows the bout of the browser's history, or the course. */
    private recall(): void {
        const kept = boutOf(history.state);
        const task = kept?.task ?? taskIn(location.search);
        if (!task) {
            this.bout?.end();
            this.bout = null;
        } else if (this.bout?.task.key !== task.key) {
            this.start(task, (bout) => {
                if (!kept) {
                    history.replaceState(entryOf(task), "");
                    return bout.begin();
                }
                // Its result was kept when it ended.
                if (kept.ending) this.noted.add(bout);
                return bout.resume(kept);
            });
        }
    }

    private start(task: Task, play: (bout: Bout) => Promise<void>): void {
        this.bout?.end();
        this.note = [];
        this.lesson = COURSE.find(({ key }) => key === task.key) ?? null;
        this.bout = new Bout(task, () => this.changed());
        this.run(play(this.bout));
        scrollTo(0, 0);
        // On a phone on its side the board takes the whole height.
        if (innerHeight < 500) this.ring.element.scrollIntoView();
    }

    private close(): void {
        this.bout?.end();
        this.bout = null;
        this.note = [];
        goTo(`${root}?train`);
        this.draw();
        this.title.focus();
    }

    /** Handles a change of the bout; when it is over, its result is kept. */
    private changed(): void {
        const { bout } = this;
        if (!bout) return;
        const kept = bout.kept();
        // The view may have been left meanwhile.
        if (kept && boutOf(history.state)) history.replaceState({ bout: kept }, "");
        if (bout.ending && !this.noted.has(bout)) {
            this.noted.add(bout);
            this.memory.note(bout.task, bout.isGood);
            if (bout.isReached) this.puzzles.solved(bout.task.key);
            // The first mistake is worth repeating: the others follow from it.
            const [first] = bout.slips;
            if (first && first.fen !== bout.task.fen) this.memory.note(taskAt(first.fen, bout.task.goal), false);
        }
        this.draw();
    }

    private readonly noted = new WeakSet<Bout>();

    private async practise(): Promise<void> {
        this.finding.abort();
        this.finding = new AbortController();
        const { signal } = this.finding;
        this.note = [words.trainer.searching];
        this.draw();
        try {
            const task = await findTask(this.wish, signal);
            if (signal.aborted) return;
            if (task) {
                this.begin(task);
            } else {
                this.note = [words.trainer.nothingFits];
                this.draw();
            }
        } catch (error) {
            if (!signal.aborted) this.tell(error);
        }
    }

    private draw(): void {
        this.name(this.heading());
        this.element.classList.toggle("in-bout", this.bout !== null);
        redraw(this.element, () => {
            if (!this.bout) return this.drawCourse();
            this.ring.show(this.bout, this.lesson, this.note);
            const isShown = this.element.contains(this.ring.element);
            if (!isShown) this.element.replaceChildren(this.title, this.ring.element);
        });
    }

    /** The name of the lesson, or of the puzzle. */
    private heading(): string {
        const say = words.trainer;
        if (this.bout && this.lesson) return say.lessons[this.lesson.name].title;
        const puzzle = this.bout && this.puzzles.of(this.bout.task.key);
        return puzzle ? this.puzzles.title(puzzle, this.bout?.task.day) : say.title;
    }

    /** How a task went, without its moves: what was found, and the mistakes and hints. */
    private result({ played, slips, hinted, isReached }: Bout): string {
        const marks = "●".repeat(Math.min(played, 12)) + "○".repeat(Math.min(slips.length + hinted, 12));
        return [this.heading(), `${isReached ? "✓" : "✗"} ${marks}`, this.puzzles.streak()].filter(Boolean).join(" · ");
    }

    /** How many lessons of the group are known, or of the course if it is done, which have a picture at their end. */
    private progress(key: string): (Node | string)[] | null {
        const say = words.trainer;
        const group = GROUPS.find((group) => COURSE_OF[group].some((lesson) => lesson.key === key));
        if (!group) return null;
        const isDone = COURSE.every(this.isKnown);
        const lessons = isDone ? COURSE : COURSE_OF[group];
        const known = lessons.filter(this.isKnown).length;
        const men = isDone ? "RNSKMP" : known === lessons.length ? "K" : "";
        const picture = men ? [h("span", { class: "medal" }, ...[...men].map(drawMan))] : [];
        return [...picture, `${isDone ? `★ ${say.course}` : say.groups[group]}: ${say.solved(known, lessons.length)}`];
    }

    private isKnown = ({ key }: Task) => (this.memory.of(key)?.level ?? 0) > 0;

    /** What comes next, and its name: a task to repeat, a lesson, the puzzle of the day, another puzzle. */
    private next(): [string, Task] | null {
        const say = words.trainer;
        const [due] = this.due();
        if (due) return [say.due(this.due().length), due];
        const lesson = COURSE.find((each) => this.isThere(each) && !this.isKnown(each));
        if (lesson) return [say.lessons[lesson.name].title, lesson];
        const { daily } = this.puzzles;
        if (daily && !this.puzzles.isDone) return [say.daily, daily];
        const another = this.puzzles.another(null);
        return another ? [say.another, another] : null;
    }

    private drawCourse(): void {
        const say = words.trainer;
        const next = this.next();
        const open = GROUPS.find((group) => COURSE_OF[group].some(({ key }) => key === next?.[1].key));
        this.element.replaceChildren(
            this.title,
            h("p", { class: "muted" }, say.intro),
            h("p", { class: "problem-text", role: "status" }, ...this.note),
            ...(next ? [actButton("go-on", `${say.goOn}: ${next[0]}`, () => this.begin(next[1]), "primary")] : []),
            h("p", { class: "muted" }, say.comesBack),
            h("h2", {}, say.course),
            h("div", { class: "groups" }, ...GROUPS.map((group) => this.group(group, group === open))),
            h("h2", {}, say.guess.title),
            h("p", { class: "muted" }, ...explained(say.guess.intro)),
            h(
                "p",
                { class: "lessons" },
                link(`${root}?guess`, this.events.guess, { class: "lesson", "data-act": "guess" }, say.begin),
            ),
            ...this.puzzles.draw(
                (puzzle) => this.begin(puzzle),
                () => void this.prepare(),
            ),
            ...drawNotebook(
                this.memory.mistakes,
                (memo) => this.taskButton(memo, `${slipText(memo)} ${memo.game}`),
                (file) => void this.read(file),
            ),
            h("h2", {}, say.practice),
            this.practiceForm(),
            h("p", { class: "muted" }, say.remembered(this.memory.size)),
        );
    }

    /** A group of lessons: the position of the next one, how many are known, and the list. */
    private group(group: Group, isOpen: boolean): HTMLElement {
        const say = words.trainer;
        const lessons = COURSE_OF[group];
        // Lessons without tables cannot be solved here.
        const there = lessons.filter((lesson) => this.isThere(lesson));
        const known = there.filter(this.isKnown).length;
        const shown = lessons.find((lesson) => !this.isKnown(lesson)) ?? lessons[0]!;
        const progress = h("progress", { max: there.length || 1, value: known, "aria-label": say.groups[group] });
        const about = [h("b", {}, say.groups[group]), progress, say.solved(known, there.length)];
        return fold(
            `group ${group}`,
            "card group",
            isOpen,
            [smallBoard(shown.fen), h("span", { class: "of-group" }, ...about)],
            h("ol", { class: "lessons" }, ...lessons.map((lesson) => h("li", {}, this.lessonButton(lesson)))),
        );
    }

    /** Adds the mistakes of a file to the notebook. */
    private async read(file: Blob): Promise<void> {
        try {
            this.note = [await readMistakes(this.memory, file)];
            this.draw();
        } catch (error) {
            this.tell(error);
        }
    }

    private lessonButton(lesson: Lesson): HTMLElement {
        return this.taskButton(lesson, `${COURSE.indexOf(lesson) + 1}. ${words.trainer.lessons[lesson.name].title}`);
    }

    private taskButton(task: Task, title: string): HTMLElement {
        const say = words.trainer;
        const memo = this.memory.of(task.key);
        const isThere = this.isThere(task);
        const level = isThere ? (memo?.level ?? 0) : 0;
        const lack = `${words.error.missing_table}: ${endingName(namesAt(task.fen)[0]!)}`;
        const state = !isThere ? lack : level > 0 ? say.known(level) : memo ? say.again : "";
        const content = [title, h("span", { class: `level${level > 0 ? " known" : ""}` }, state)];
        const props = { class: "lesson", "data-act": task.key };
        return isThere
            ? link(addressOfTask(task), () => this.begin(task), props, ...content)
            : h("button", { ...props, disabled: true }, ...content);
    }

    private practiceForm(): HTMLElement {
        const say = words.trainer;
        const { wish } = this;
        const fitting = this.materials.filter((entry) => fits(entry, wish.goal));
        if (fitting[0] && !fitting.some((entry) => entry.material === wish.material))
            wish.material = fitting[0].material;
        const names = fitting.map(({ material }) => material);
        const choose = (material: string) => (wish.material = material);
        const spare = [0, 1, 3, 6].map((n): [string, string] => [String(n), words.verdict.spare(n)]);
        const form = h(
            "form",
            { class: "card practice" },
            h("div", { class: "fields" }, ...materialChoice("practice-material", names, wish.material, choose)),
            choice(
                "practice-goal",
                say.task,
                named(["win", "save"] as const, (goal) => say.goals[goal]),
                wish.goal,
                (goal) => {
                    wish.goal = goal;
                    this.draw();
                },
            ),
            choice(
                "practice-side",
                say.side,
                named(["white", "black"] as const, words.side),
                wish.side,
                (side) => (wish.side = side),
            ),
            choice(
                "practice-spare",
                say.spare,
                [...spare, ["any", say.natural]],
                String(wish.spare ?? "any"),
                (value) => (wish.spare = value === "any" ? null : Number(value)),
            ),
            h(
                "button",
                { type: "submit", class: "primary", "data-act": "practise", disabled: this.materials.length === 0 },
                say.begin,
            ),
        );
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            void this.practise();
        });
        return form;
    }
}

/** Values of a choice with their names. */
const named = <T extends string>(values: readonly T[], name: (value: T) => string): [T, string][] =>
    values.map((value) => [value, name(value)]);

/** Wins of fewer positions than this share are not found by throwing men on the board. */
const COMMON = 0.02;

/** Whether an ending has positions to practise. */
function fits({ totals }: MaterialEntry, goal: Goal): boolean {
    if (!totals) return false;
    const wins = totals.white_wins + totals.black_wins;
    if (goal === "save") return totals.within_count < wins;
    return totals.within_count > 0 && totals.white_wins / (wins + totals.draws) > COMMON;
}

/** An entry of the browser's history with a bout that begins. */
const entryOf = (task: Task): { bout: KeptBout } => ({
    bout: { task, fen: task.fen, slips: [], hinted: 0, played: 0, ending: null },
});

const boutOf = (state: unknown): KeptBout | undefined => (state as { bout?: KeptBout } | null)?.bout;

const isAbort = (error: unknown) => error instanceof DOMException && error.name === "AbortError";
