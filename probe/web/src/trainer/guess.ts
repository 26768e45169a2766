// Guess first: is a position won, drawn by the count, or drawn? What was wrong comes back.
import { addressOf } from "../address.ts";
import { type Explored, inAddress, isWhole, type MaterialEntry, refusalOf, server, type Whole } from "../api.ts";
import { Board } from "../board.ts";
import { actButton, h, link, redraw } from "../dom.ts";
import { words } from "../language/index.ts";
import { materialChoice } from "../material-options.ts";
import { endingName } from "../pieces.ts";
import { bareSide, hasPawns, namesAt, readFen } from "../position.ts";
import { goTo, root } from "../root.ts";
import { kept, keptValue } from "../store.ts";
import { tallyOf, tell, winnerOf } from "../told.ts";
import { explained, judgement, turn, why } from "../verdict.ts";
import { View } from "../view.ts";
import { levelChoice } from "./choice.ts";
import { Memory } from "./memory.ts";
import { LEVELS } from "./puzzles.ts";
import { type Answer, ANSWERS, answerOf, answersIn, findRiddle } from "./riddle.ts";
import { keyOf } from "./task.ts";

const WISH = "makruk-guess";
const TALLY = "makruk-guess-tally";
/** A position that was guessed wrong comes back after so many others. */
const BETWEEN = 3;

interface Wish {
    /** Empty for all, as 0 is for any difficulty. */
    material: string;
    level: number;
}

/** The guesses on this device. */
interface Tally {
    asked: number;
    wrong: number;
    /** Those right in a row, and the most ever. */
    run: number;
    best: number;
    /** The key of the position that was guessed last. */
    last?: string;
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
        this.isBack = false;
        this.draw();
        this.enter(isEntered);
        await this.run(async (signal) => {
            this.materials = (await server.materials()).materials.filter((entry) => answersIn(entry).length > 1);
            if (this.materials.some(({ material }) => material === asked)) this.wish.material = asked;
            if (asked.includes("/")) this.take(await server.explore(asked, signal), signal);
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

    private readonly another = async () => {
        await this.run((signal) => this.next(signal));
        // The button that asked for it is gone.
        if (document.activeElement === document.body) this.card.querySelector<HTMLElement>(".guesses button")?.focus();
    };

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
        this.take(found, signal);
    }

    /** Shows a position to guess, and its address; false if there is no verdict. */
    private take(position: Explored | null, { aborted }: AbortSignal): boolean {
        // Something else was asked for, or the view was left, whose address this is not any more.
        if (aborted || !this.element.isConnected) return true;
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
        const { asked, wrong, run, best, last } = tally();
        // After a reload the answer is known: a position counts once, and again if it was due.
        if (this.isBack || key !== last) {
            const isRight = answer === answerOf(position.category);
            // Another tab may have written meanwhile.
            this.memory.read();
            if (!isRight || this.memory.of(key)) this.memory.note({ key, fen: position.fen }, isRight);
            const now = isRight ? run + 1 : 0;
            const score = { wrong: wrong + Number(!isRight), run: now, best: Math.max(best, now) };
            kept.set(TALLY, JSON.stringify({ ...score, asked: asked + 1, last: key } satisfies Tally));
        }
        this.draw();
        this.card.querySelector<HTMLElement>('[data-act="another"]')?.focus();
    }

    private key({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
        const answer = ANSWERS[Number(key) - 1];
        const isFree = !ctrlKey && !metaKey && !altKey && !(target as Element).closest("select, dialog");
        if (answer && isFree && this.element.isConnected) this.guess(answer);
    }

    private draw(): void {
        const { position } = this;
        this.name(words.trainer.guess.title);
        this.board.show(position ? { squares: readFen(position.fen).squares } : {});
        const about = position ? this.about(position) : [h("p", { role: "status" }, ...this.note)];
        redraw(this.card, () => this.card.replaceChildren(...about.filter((part) => part !== null), this.form()));
        // The ending, the side to move and the count; after a guess the verdict.
        const parts = this.card.querySelectorAll(this.given ? ".head ~ .head > *" : ".head > *, .head + p");
        this.said.textContent = Array.from(parts, (part) => part.textContent).join(". ");
    }

    /** The count of a position in words. */
    private counted(position: Whole): string {
        const { squares, count, side } = readFen(position.fen);
        if (!count) return hasPawns(squares) ? words.trainer.noCount : `${words.count.title}: ${words.count.none}`;
        const bare = bareSide(squares);
        // The loser counts, whom the words do not name while both sides are armed: that is the answer.
        const { counted, limit } = tallyOf(count, bare ? bare === side : winnerOf(position) !== side);
        return words.count.counted(bare, counted, limit);
    }

    private about(position: Whole): (HTMLElement | null)[] {
        const say = words.trainer;
        const { given } = this;
        const { fen, material, side, category } = position;
        const names = { won: say.guess.won, count: words.verdict.byCount, draw: words.verdict.draw().head };
        const asked = [
            h("div", { class: "head" }, h("b", {}, endingName(material)), turn(side)),
            h("p", { class: "muted" }, ...explained(this.counted(position))),
        ];
        const { asked: all, wrong, run, best } = tally();
        const score = all > 0 ? [h("p", { class: "muted score" }, say.guess.score(run, best, wrong, all))] : [];
        if (!given) {
            const answers = ANSWERS.map((answer, at) => {
                const guess = () => this.guess(answer);
                return h("button", { "data-act": answer, onclick: guess }, h("kbd", {}, `${at + 1}`), names[answer]);
            });
            const group = { class: "guesses", role: "group", "aria-label": say.guess.title };
            return [...asked, h("div", group, ...answers), ...score];
        }
        const [head, figures, ...reasons] = judgement(tell(position));
        const isRight = given === answerOf(category);
        const told = isRight ? say.guess.right : say.guess.wrong(names[given]);
        const look = link(addressOf(fen), () => this.explore(fen), { class: "look" }, say.explore);
        return [
            ...asked,
            h("div", { class: "head" }, head, h("p", { class: `told ${isRight ? "well" : "ill"}` }, told)),
            figures!,
            h("div", { class: "buttons" }, actButton("another", say.another, this.another, "primary"), look),
            ...reasons,
            ...score,
        ];
    }

    /** The choice of the ending and of the difficulty. */
    private form(): HTMLElement {
        const { wish } = this;
        const choose = (wish: Partial<Wish>) => {
            kept.set(WISH, JSON.stringify(Object.assign(this.wish, wish)));
            void this.another();
        };
        const names = this.materials.map(({ material }) => material);
        const ofEnding = (material: string) => choose({ material });
        const endings = materialChoice("guess-material", names, wish.material, ofEnding, words.materials.all);
        const level = levelChoice("guess-level", wish.level, (level) => choose({ level }));
        return h("div", { class: "practice" }, h("div", { class: "fields" }, ...endings), level);
    }
}
