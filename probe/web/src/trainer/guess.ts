// Guess first: is a position won, drawn by the count, or drawn? What was wrong comes back.
import { addressOf } from "../address.ts";
import { inAddress, isWhole, type MaterialEntry, refusalOf, server, type Whole } from "../api.ts";
import { Board } from "../board.ts";
import { actButton, h, link, redraw } from "../dom.ts";
import { words } from "../language/index.ts";
import { materialChoice } from "../material-options.ts";
import { endingName } from "../pieces.ts";
import { bareSide, hasPawns, namesAt, readFen } from "../position.ts";
import { goTo, root } from "../root.ts";
import { kept, keptValue } from "../store.ts";
import { tallyOf, tell } from "../told.ts";
import { explained, judgement, turn, why } from "../verdict.ts";
import { View } from "../view.ts";
import { choice } from "./choice.ts";
import { Memory } from "./memory.ts";
import { LEVELS, stars } from "./puzzles.ts";
import { type Answer, ANSWERS, answerOf, answersIn, findRiddle } from "./riddle.ts";
import { keyOf } from "./task.ts";

const WISH = "makruk-guess";
const TALLY = "makruk-guess-tally";
/** A position that was guessed wrong comes back after so many others. */
const BETWEEN = 3;

interface Wish {
    /** Empty for all. */
    material: string;
    /** 0 for any. */
    level: number;
}

/** The guesses on this device. */
interface Tally {
    asked: number;
    wrong: number;
    /** Those right in a row, and the most ever. */
    run: number;
    best: number;
}

const tally = (): Tally => keptValue(TALLY) ?? { asked: 0, wrong: 0, run: 0, best: 0 };

export class GuessView extends View {
    private readonly board = new Board({});
    private readonly card = h("section", { class: "card bout" });
    private readonly said = h("p", { class: "offscreen", role: "status", "aria-live": "polite" });
    private readonly memory = new Memory<{ key: string; fen: string }>("makruk-guesses");
    private readonly wish: Wish = keptValue(WISH) ?? { material: "", level: 0 };
    private readonly explore: (fen: string) => void;
    private materials: MaterialEntry[] = [];
    private position: Whole | null = null;
    private given: Answer | null = null;
    private note: (Node | string)[] = [];
    /** Whether the position came back. */
    private isBack = false;
    /** The keys of the last positions. */
    private readonly last: string[] = [];
    private asking = new AbortController();

    /** `explore` shows a position in the explorer. */
    constructor(explore: (fen: string) => void) {
        super("trainer in-bout");
        this.explore = explore;
        this.element.append(
            this.title,
            h("div", { class: "ring" }, h("div", { class: "at-board" }, this.board.element), this.card, this.said),
        );
        addEventListener("keydown", (event) => this.key(event));
    }

    /** Shows the position or the ending of the address, or another position. */
    async show(isEntered: boolean): Promise<void> {
        const asked = (new URLSearchParams(location.search).get("guess") ?? "").replaceAll("_", " ");
        this.draw();
        this.enter(isEntered);
        await this.run(async (signal) => {
            this.materials = (await server.materials()).materials.filter((entry) => answersIn(entry).length > 1);
            if (this.materials.some(({ material }) => material === asked)) this.wish.material = asked;
            if (asked.includes("/")) this.take(await server.explore(asked, signal));
            else await this.next(signal);
        });
    }

    relabel(): void {
        this.draw();
    }

    /** Asks for something to show. What was asked before is dropped. */
    private async run(ask: (signal: AbortSignal) => Promise<void>): Promise<void> {
        this.asking.abort();
        const { signal } = (this.asking = new AbortController());
        [this.position, this.given, this.note] = [null, null, [words.trainer.searching]];
        this.draw();
        try {
            await ask(signal);
        } catch (error) {
            if (signal.aborted) return;
            this.note = why(refusalOf(error));
        }
        if (!signal.aborted) this.draw();
    }

    private readonly another = () => void this.run((signal) => this.next(signal));

    /** One that was guessed wrong, if it is time, or a new one. */
    private async next(signal: AbortSignal): Promise<void> {
        const { material, level } = this.wish;
        this.memory.read();
        const known = new Set(this.materials.map(({ material }) => material));
        const isFit = (name: string) => (material ? name === material : known.has(name));
        const due = this.memory.due().filter(({ key, fen }) => !this.last.includes(key) && namesAt(fen).some(isFit));
        // After one that came back, there is a new one.
        this.isBack = !this.isBack && due.length > 0;
        if (this.isBack && this.take(await server.explore(due[0]!.fen, signal), signal)) return;
        const endings = this.materials.filter((entry) => !material || entry.material === material);
        const found = await findRiddle(endings, level || 1 + Math.floor(Math.random() * (LEVELS.length - 1)), signal);
        if (!signal.aborted) this.take(found, signal);
    }

    /** Shows a position to guess, and its address; false if there is no verdict. */
    private take(position: Awaited<ReturnType<typeof server.explore>> | null, signal?: AbortSignal): boolean {
        if (signal?.aborted) return true;
        this.note = [words.trainer.nothingFits];
        if (!position || !isWhole(position)) return false;
        [this.position, this.note] = [position, []];
        goTo(`${root}?guess=${inAddress(position.fen)}`, null, true);
        this.last.unshift(keyOf(position.fen));
        this.last.splice(BETWEEN);
        return true;
    }

    private guess(answer: Answer): void {
        const { position, given } = this;
        if (!position || given) return;
        this.given = answer;
        const key = keyOf(position.fen);
        const isRight = answer === answerOf(position.category);
        // Another tab may have written meanwhile.
        this.memory.read();
        if (!isRight || this.memory.of(key)) this.memory.note({ key, fen: position.fen }, isRight);
        const { asked, wrong, run, best } = tally();
        const now = isRight ? run + 1 : 0;
        const counted = { asked: asked + 1, wrong: wrong + Number(!isRight), run: now, best: Math.max(best, now) };
        kept.set(TALLY, JSON.stringify(counted));
        this.draw();
        this.card.querySelector<HTMLElement>('[data-act="another"]')?.focus();
    }

    private key(event: KeyboardEvent): void {
        const on = event.target as Element;
        if (!this.element.isConnected || event.ctrlKey || event.metaKey || event.altKey || on.closest("select, dialog"))
            return;
        const answer = ANSWERS[Number(event.key) - 1];
        if (answer) this.guess(answer);
        else if (event.key === "Enter" && this.given && !on.closest("button, a, input")) this.another();
    }

    private draw(): void {
        const { position } = this;
        this.name(words.trainer.guess.title);
        const setup = position && readFen(position.fen);
        this.board.show(setup ? { squares: setup.squares } : {});
        const about = position ? this.about(position) : [h("p", { role: "status" }, ...this.note)];
        redraw(this.card, () => this.card.replaceChildren(...about.filter((part) => part !== null), this.form()));
        this.said.textContent = (this.given && this.card.querySelectorAll(".head")[1]?.textContent) ?? "";
    }

    private about(position: Whole): (HTMLElement | null)[] {
        const say = words.trainer;
        const { given } = this;
        const names = { won: say.guess.won, count: words.verdict.byCount, draw: words.verdict.draw().head };
        const setup = readFen(position.fen);
        const bare = bareSide(setup.squares);
        const { count } = setup;
        const tallied = count && tallyOf(count, bare === setup.side);
        const asked = [
            h("div", { class: "head" }, h("b", {}, endingName(position.material)), turn(position.side)),
            h(
                "p",
                { class: "muted" },
                ...explained(
                    tallied
                        ? words.count.counted(bare, tallied.counted, tallied.limit)
                        : hasPawns(setup.squares)
                          ? say.noCount
                          : `${words.count.title}: ${words.count.none}`,
                ),
            ),
        ];
        const { asked: all, wrong, run, best } = tally();
        const score = all > 0 ? [h("p", { class: "muted score" }, say.guess.score(run, best, wrong, all))] : [];
        if (!given) {
            const answers = ANSWERS.map((answer, at) =>
                h(
                    "button",
                    { "data-act": answer, onclick: () => this.guess(answer) },
                    h("kbd", {}, `${at + 1}`),
                    names[answer],
                ),
            );
            return [
                ...asked,
                h("div", { class: "guesses", role: "group", "aria-label": say.guess.title }, ...answers),
                ...score,
            ];
        }
        const { fen } = position;
        const [head, figures, ...reasons] = judgement(tell(position));
        const isRight = given === answerOf(position.category);
        const told = isRight ? say.guess.right : say.guess.wrong(names[given]);
        return [
            ...asked,
            h("div", { class: "head" }, head, h("p", { class: `told ${isRight ? "well" : "ill"}` }, told)),
            figures!,
            h(
                "div",
                { class: "buttons" },
                actButton("another", say.another, this.another, "primary"),
                link(addressOf(fen), () => this.explore(fen), { class: "look" }, say.explore),
            ),
            ...reasons,
            ...score,
        ];
    }

    /** The choice of the ending and of the difficulty. */
    private form(): HTMLElement {
        const say = words.trainer;
        const { wish } = this;
        const chosen =
            <F extends keyof Wish>(field: F) =>
            (value: string) => {
                wish[field] = (field === "level" ? Number(value) : value) as Wish[F];
                kept.set(WISH, JSON.stringify(wish));
                this.another();
            };
        const names = this.materials.map(({ material }) => material);
        return h(
            "div",
            { class: "practice" },
            h(
                "div",
                { class: "fields" },
                ...materialChoice("guess-material", names, wish.material, chosen("material"), words.materials.all),
            ),
            choice(
                "guess-level",
                say.difficulty,
                LEVELS.map(
                    (name, level) =>
                        [
                            String(level),
                            level > 0 ? stars(level) : say.difficulties[name],
                            say.difficulties[name],
                        ] as const,
                ),
                String(wish.level),
                chosen("level"),
            ),
        );
    }
}
