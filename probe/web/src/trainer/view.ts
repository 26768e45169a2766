// The trainer's view: the course, what is to be repeated, practice, and the bout on the board.
import { addressOf } from "../address.ts";
import { refusalOf, server, type SetEntry } from "../api.ts";
import { type Arrow, Board } from "../board.ts";
import { h } from "../dom.ts";
import { words } from "../language/index.ts";
import { moveText, squareText } from "../notation.ts";
import { manOf, nameOf, readFen, squareOf } from "../position.ts";
import { why } from "../verdict.ts";
import { Bout, type Slip } from "./bout.ts";
import { COURSE, type Lesson, type Task } from "./course.ts";
import { failedAt, Memory } from "./memory.ts";
import type { Manner } from "./opponent.ts";
import { findTask, type Wish } from "./practice.ts";

const SETTINGS = "makruk-trainer";

interface Settings {
    manner: Manner;
    isStrict: boolean;
}

export interface TrainerEvents {
    /** Shows a position with all that the tables say of it. */
    explore: (fen: string) => void;
}

export class TrainerView {
    readonly element = h("div", { class: "trainer" });
    private readonly events: TrainerEvents;
    private readonly memory = new Memory();
    private readonly settings: Settings;
    private readonly title = h("h1", { tabindex: "-1" });
    private readonly board: Board;
    private readonly said = h("p", { class: "offscreen", role: "status", "aria-live": "polite" });
    private readonly card = h("section", { class: "card bout" });
    private sets: SetEntry[] = [];
    private wish: Wish = { material: "KRvK", goal: "win", side: "white", spare: 3 };
    private bout: Bout | null = null;
    private lesson: Lesson | null = null;
    private note: (Node | string)[] = [];
    private finding = new AbortController();

    constructor(events: TrainerEvents) {
        this.events = events;
        this.settings = { manner: "stubborn", isStrict: true, ...kept() };
        this.board = new Board({
            move: (from, to) => {
                const move = this.bout?.position?.moves.find(
                    ({ uci }) => squareOf(uci) === from && squareOf(uci.slice(2)) === to,
                );
                if (move) this.run(this.bout!.play(move));
            },
            place: () => {},
            drop: () => {},
            refuse: () => {},
        });
    }

    /** Shows the course; a bout that was going on goes on. */
    show(isEntered = false): void {
        this.draw();
        if (isEntered) this.title.focus({ preventScroll: true });
        if (this.sets.length > 0) return;
        server
            .sets()
            .then(({ sets }) => {
                this.sets = sets.filter(({ totals }) => totals && totals.within_count > 0);
                if (!this.bout) this.draw();
            })
            .catch((error: unknown) => this.tell(error));
    }

    relabel(): void {
        this.draw();
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

    private begin(task: Task): void {
        this.bout?.end();
        this.note = [];
        this.lesson = COURSE.find(({ key }) => key === task.key) ?? null;
        this.bout = new Bout(task, this.settings, () => this.changed());
        this.run(this.bout.begin());
        scrollTo(0, 0);
    }

    private close(): void {
        this.bout?.end();
        this.bout = null;
        this.note = [];
        this.draw();
        this.title.focus();
    }

    /** Something happened in the bout; when it is over, what it taught is kept. */
    private changed(): void {
        const { bout } = this;
        if (!bout) return;
        if (bout.ending && !this.noted.has(bout)) {
            this.noted.add(bout);
            this.memory.note(bout.task, bout.isGood);
            for (const { fen } of bout.slips) {
                const task = failedAt(fen, bout.task.goal);
                if (fen !== bout.task.fen) this.memory.note(task, false);
            }
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
        const say = words.trainer;
        this.title.textContent = this.bout && this.lesson ? say.lessons[this.lesson.name].title : say.title;
        document.title = `${this.title.textContent} · ${words.title}`;
        const focused = this.element.contains(document.activeElement)
            ? (document.activeElement as HTMLElement).dataset.act
            : null;
        if (this.bout) this.drawBout(this.bout);
        else this.drawCourse();
        if (focused) this.element.querySelector<HTMLElement>(`[data-act="${focused}"]:not(:disabled)`)?.focus();
    }

    private button(act: string, text: string, what: () => void, kind = ""): HTMLButtonElement {
        return h("button", { type: "button", class: kind || null, "data-act": act, onclick: what }, text);
    }

    private drawCourse(): void {
        const say = words.trainer;
        const due = this.memory.due();
        const lessons = COURSE.map((lesson, at) => {
            const memo = this.memory.of(lesson.key);
            const { title } = say.lessons[lesson.name];
            const button = this.button(lesson.key, `${at + 1}. ${title}`, () => this.begin(lesson), "lesson");
            const level = memo?.level ?? 0;
            button.append(
                h(
                    "span",
                    { class: `level${level > 0 ? " known" : ""}` },
                    memo ? (level > 0 ? say.known(level) : say.again) : say.fresh,
                ),
            );
            return h("li", {}, button);
        });
        this.element.replaceChildren(
            this.title,
            h("p", { class: "muted" }, say.intro),
            h("p", { class: "problem-text", role: "status" }, ...this.note),
            h("h2", {}, say.course),
            h("ol", { class: "lessons" }, ...lessons),
            h("h2", {}, say.due(due.length)),
            due.length > 0
                ? this.button("due", say.repeat, () => this.begin(due[0]!), "primary")
                : h("p", { class: "muted" }, say.nothingDue),
            h("h2", {}, say.practice),
            this.practiceForm(),
            h("h2", {}, say.settings),
            this.settingsForm(),
            h("h2", {}, say.record),
            this.record(),
        );
    }

    private choice<T extends string>(
        name: string,
        label: string,
        options: [T, string][],
        chosen: T,
        choose: (value: T) => void,
    ): HTMLElement {
        const radios = options.flatMap(([value, text]) => {
            const id = `${name}-${value}`;
            const radio = h("input", { type: "radio", name, id });
            radio.checked = value === chosen;
            radio.addEventListener("change", () => choose(value));
            return [radio, h("label", { for: id }, text)];
        });
        return h(
            "div",
            { class: "fields" },
            h("span", { class: "muted", id: `${name}-label` }, label),
            h("div", { class: "switch wrap", role: "radiogroup", "aria-labelledby": `${name}-label` }, ...radios),
        );
    }

    private practiceForm(): HTMLElement {
        const say = words.trainer;
        const { wish } = this;
        const material = h(
            "select",
            { id: "practice-material", "data-act": "material" },
            ...this.sets.map(({ material }) =>
                h("option", { value: material, selected: material === wish.material }, material),
            ),
        );
        material.addEventListener("change", () => (wish.material = material.value));
        const spare = [0, 1, 3, 6].map((n): [string, string] => [String(n), words.verdict.spare(n)]);
        const form = h(
            "form",
            { class: "card practice" },
            h("div", { class: "fields" }, h("label", { for: "practice-material" }, words.sets.name), material),
            this.choice(
                "practice-goal",
                say.task,
                [
                    ["win", say.goals.win],
                    ["save", say.goals.save],
                ],
                wish.goal,
                (goal) => (wish.goal = goal),
            ),
            this.choice(
                "practice-side",
                say.side,
                [
                    ["white", words.side("white")],
                    ["black", words.side("black")],
                ],
                wish.side,
                (side) => (wish.side = side),
            ),
            this.choice(
                "practice-spare",
                say.spare,
                [...spare, ["any", say.natural]],
                String(wish.spare ?? "any"),
                (value) => (wish.spare = value === "any" ? null : Number(value)),
            ),
            h(
                "button",
                { type: "submit", class: "primary", "data-act": "practise", disabled: this.sets.length === 0 },
                say.begin,
            ),
        );
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            void this.practise();
        });
        return form;
    }

    private settingsForm(): HTMLElement {
        const say = words.trainer;
        const { settings } = this;
        const keep = () => {
            try {
                localStorage.setItem(SETTINGS, JSON.stringify(settings));
            } catch {
                // Then it holds as long as the page.
            }
        };
        return h(
            "div",
            { class: "card practice" },
            this.choice(
                "manner",
                say.opponent,
                [
                    ["stubborn", say.manners.stubborn],
                    ["tricky", say.manners.tricky],
                ],
                settings.manner,
                (manner) => {
                    settings.manner = manner;
                    keep();
                },
            ),
            this.choice(
                "strict",
                say.mistakes,
                [
                    ["now", say.atOnce],
                    ["end", say.atEnd],
                ],
                settings.isStrict ? "now" : "end",
                (when) => {
                    settings.isStrict = when === "now";
                    keep();
                },
            ),
        );
    }

    private record(): HTMLElement {
        const say = words.trainer;
        const file = h("input", {
            type: "file",
            accept: ".json,application/json",
            hidden: true,
            "aria-label": say.read,
        });
        file.addEventListener("change", async () => {
            const text = (await file.files?.[0]?.text()) ?? "";
            this.note = [this.memory.read(text) ? say.taken(this.memory.size) : say.notTaken];
            this.draw();
        });
        const save = () => {
            const address = URL.createObjectURL(new Blob([this.memory.text()], { type: "application/json" }));
            const link = h("a", { href: address, download: "makruk-training.json" });
            link.click();
            setTimeout(() => URL.revokeObjectURL(address), 1000);
        };
        return h(
            "div",
            { class: "buttons" },
            h("span", { class: "muted" }, say.remembered(this.memory.size)),
            this.button("export", say.write, save, "small"),
            this.button("import", say.read, () => file.click(), "small"),
            file,
        );
    }

    private drawBout(bout: Bout): void {
        this.drawBoard(bout);
        this.card.replaceChildren(...this.about(bout));
        if (!this.element.contains(this.board.element)) {
            this.element.replaceChildren(
                this.title,
                h("div", { class: "ring" }, h("div", { class: "at-board" }, this.board.element), this.card),
                this.said,
            );
        }
        const text = this.card.querySelector(".told")?.textContent ?? "";
        if (this.said.textContent !== text) this.said.textContent = text;
    }

    private drawBoard(bout: Bout): void {
        const { position, task, last, hints } = bout;
        const setup = readFen(position?.fen ?? task.fen);
        const isMine = position?.side === task.side && !bout.isThinking && !bout.ending;
        const moves = isMine ? position.moves : [];
        const best = hints > 0 && isMine ? bout.best : null;
        const king = setup.squares.indexOf(manOf("K", setup.side));
        const arrows: Arrow[] =
            best && hints >= 3 ? [{ from: squareOf(best.uci), to: squareOf(best.uci.slice(2)), kind: "shown" }] : [];
        this.board.show({
            squares: setup.squares,
            flipped: task.side === "black",
            last: last ? [squareOf(last.uci), squareOf(last.uci.slice(2))] : [],
            check: position?.check && king >= 0 ? king : null,
            setup: false,
            targets: (from) =>
                moves.filter(({ uci }) => squareOf(uci) === from).map(({ uci }) => squareOf(uci.slice(2))),
            mayLift: (from) => moves.some(({ uci }) => squareOf(uci) === from),
            brush: null,
            arrows,
        });
    }

    /** The card beside the board. */
    private about(bout: Bout): HTMLElement[] {
        const say = words.trainer;
        const { task, ending, position } = bout;
        const told = (text: string, kind = "") => h("p", { class: `told ${kind}` }, text);
        const parts: HTMLElement[] = [];
        const { lesson } = this;
        if (lesson) parts.push(h("p", {}, say.lessons[lesson.name].text(lesson.needs ?? 0, lesson.left)));
        parts.push(h("p", { class: "goal" }, say.goal(task.goal, task.side)));
        const count = this.spoken(bout);
        if (count) parts.push(h("p", { class: "spoken" }, count));
        if (this.note.length > 0) parts.push(h("p", { class: "problem-text", role: "alert" }, ...this.note));
        if (ending) {
            const isWell = ending !== "missed" && ending !== "left";
            parts.push(told(say.endings[ending], isWell ? "well" : "ill"));
            if (bout.slips.length > 0) parts.push(this.slips(bout.slips));
            else if (isWell) parts.push(h("p", {}, bout.hinted > 0 ? say.withHints(bout.hinted) : say.clean));
        } else if (bout.slip) {
            parts.push(told(say.slip(moveText(bout.slip.played), task.goal), "ill"));
        } else if (bout.isThinking) {
            parts.push(told(position ? say.thinking : words.verdict.waiting));
        } else {
            parts.push(told(bout.last ? say.replied(moveText(bout.last.san)) : say.yourMove(task.side)));
        }
        const hint = this.hint(bout);
        if (hint) parts.push(h("p", { class: "hint", role: "status" }, hint));
        parts.push(h("div", { class: "buttons" }, ...this.acts(bout)));
        return parts;
    }

    private acts(bout: Bout): HTMLElement[] {
        const say = words.trainer;
        const { task, ending, position } = bout;
        const due = this.memory.due().find(({ key }) => key !== task.key);
        const at = COURSE.findIndex(({ key }) => key === task.key);
        const next = at >= 0 ? COURSE[at + 1] : undefined;
        if (!ending) {
            const hint = this.button("hint", say.hint, () => bout.hint());
            hint.disabled = bout.isThinking || bout.hints >= 3;
            return [
                hint,
                this.button("again", say.restart, () => this.begin(task)),
                this.button("give-up", say.giveUp, () => bout.giveUp()),
                this.button("close", say.toCourse, () => this.close()),
            ];
        }
        return [
            ...(next && bout.isGood ? [this.button("next", say.next, () => this.begin(next), "primary")] : []),
            this.button("again", say.restart, () => this.begin(task), bout.isGood ? "" : "primary"),
            ...(due ? [this.button("due", say.repeat, () => this.begin(due))] : []),
            ...(this.lesson || due ? [] : [this.button("practise", say.another, () => void this.practise())]),
            this.button("explore", say.explore, () =>
                this.events.explore(bout.slips[0]?.fen ?? position?.fen ?? task.fen),
            ),
            this.button("close", say.toCourse, () => this.close()),
        ];
    }

    /** The count as it is called out: by whoever counts, when it is made. */
    private spoken({ position }: Bout): string | null {
        const { limit, ply } = position?.count ?? {};
        if (!limit || !position) return null;
        const counter = position.begins?.counts;
        const isToMove = counter
            ? counter === position.side
            : position.category === "loss" || position.category === "blessed-loss";
        const moves = isToMove ? Math.floor((ply ?? 0) / 2) : Math.ceil((ply ?? 0) / 2);
        return moves > 0 ? words.trainer.spoken(moves, Math.floor(limit / 2)) : null;
    }

    private hint(bout: Bout): string | null {
        const say = words.trainer;
        const { best, hints, position } = bout;
        if (hints === 0 || !best || !position || bout.isThinking || bout.ending) return null;
        const man = readFen(position.fen).squares[squareOf(best.uci)];
        const name = man ? words.roles[man.toUpperCase() as keyof typeof words.roles] : "";
        if (hints === 1) return say.hints.man(name);
        if (hints === 2) return say.hints.to(squareText(nameOf(squareOf(best.uci.slice(2)))));
        return say.hints.move(moveText(best.san));
    }

    private slips(slips: Slip[]): HTMLElement {
        const say = words.trainer;
        const shown = slips.map(({ fen, played, held }) => {
            const link = h("a", { href: addressOf(fen) }, say.look);
            link.addEventListener("click", (event) => {
                event.preventDefault();
                this.events.explore(fen);
            });
            const names = held.slice(0, 4).map(moveText).join(", ");
            return h("li", {}, `${played ? say.played(moveText(played)) : ""} ${say.held(names)} `, link);
        });
        return h("ul", { class: "slip-list" }, ...shown);
    }
}

const isAbort = (error: unknown) => error instanceof DOMException && error.name === "AbortError";

function kept(): Partial<Settings> {
    try {
        const { manner, isStrict } = JSON.parse(localStorage.getItem(SETTINGS) ?? "{}") as Partial<Settings>;
        return {
            ...((manner === "stubborn" || manner === "tricky") && { manner }),
            ...(typeof isStrict === "boolean" && { isStrict }),
        };
    } catch {
        return {};
    }
}
