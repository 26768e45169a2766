// The count as an arbiter keeps it: the counting side, the moves counted, the limit and the rule.
import type { Explored, Side } from "./api.ts";
import { h, radios, redraw } from "./dom.ts";
import { words } from "./language/index.ts";
import { hasPawns, other, type Setup } from "./position.ts";
import { movesCounted, tallyOf, winnerOf } from "./told.ts";

type Count = Setup["count"];

/** The limits of the rules, in moves. */
const LIMITS = [8, 16, 22, 32, 44, 64];
/** The limit of board's honour. */
const BOARD = 64;

/** Plies of a count, by which pychess tells whose it is: even if the counting side is to move, odd if it has moved. */
const plyOf = (moves: number, isToMove: boolean) => (isToMove ? 2 * moves : 2 * Math.max(1, moves) - 1);

/** A count in sentences: the moves counted, the words at the board, and the rule. */
export interface Counted {
    counted: string;
    spoken: string;
    honour: string;
}

export class CountCard {
    readonly element: HTMLElement;
    private readonly none = h("input", { type: "radio", name: "count", id: "count-none" });
    private readonly runs = h("input", { type: "radio", name: "count", id: "count-runs" });
    private readonly slider = h("input", { type: "range", step: "1", id: "count-slider" });
    private readonly moves = h("input", { type: "number", min: "0", required: true, id: "count-moves" });
    private readonly most = h("select", { id: "count-most" });
    private readonly sentence = h("output", { class: "count-sentence", for: "count-slider count-moves" });
    /** The count as it is called out at the board. */
    private readonly spoken = h("p", { class: "spoken" });
    private readonly honour = h("p", { class: "muted count-honour" });
    private readonly effect = h("p", { class: "count-effect" });
    private readonly who = h("div", { class: "switch", role: "radiogroup" });
    /** What the FEN's count means to others, where it differs, and what is odd about it. */
    private readonly doubt = h("p", { class: "muted count-doubt" });
    private readonly running = h("div", { class: "running" });
    /** What is typed, whose count it is, and its rule: on a phone they are folded. */
    private readonly details = h("details", { class: "running", open: !matchMedia("(max-width: 480px)").matches });
    private setup: Setup | null = null;
    private position: Explored | null = null;
    /** The chosen side that counts, if the men do not decide it. */
    private chosen: Side | null = null;
    private readonly choose: (side: Side) => void;
    private readonly thumb: () => void;

    /** `change` takes another count, `choose` the side whose count it is; `thumb` opens the count by thumb. */
    constructor(change: (count: Count) => void, choose: (side: Side) => void, thumb: () => void) {
        this.thumb = thumb;
        this.choose = (side) => {
            const { count, side: toMove } = this.setup ?? { count: null, side };
            const moves = count && movesCounted(count.ply, this.isToMove());
            choose(side);
            if (!count || moves === null) return;
            // The parity of PLY says whose count it is.
            const ply = plyOf(moves, side === toMove);
            if (ply !== count.ply) change({ ...count, ply });
        };
        this.element = h("section", { class: "card count", "aria-labelledby": "count-title" });
        const now = () => this.setup?.count ?? { limit: 0, ply: 0 };
        const count = (moves: string) => change({ ...now(), ply: plyOf(Number(moves), this.isToMove()) });
        this.none.addEventListener("change", () => change(null));
        this.runs.addEventListener("change", () => change(this.begins()));
        this.slider.addEventListener("input", () => count(this.slider.value));
        this.moves.addEventListener("change", () => this.moves.reportValidity() && count(this.moves.value));
        this.most.addEventListener("change", () => change({ ...now(), limit: 2 * Number(this.most.value) }));
        this.relabel();
    }

    /** Makes the labels in the language of the day. */
    relabel(): void {
        const say = words.count;
        this.slider.setAttribute("aria-label", say.slider);
        this.moves.setAttribute("aria-label", say.slider);
        this.most.setAttribute("aria-label", say.most);
        const [before, between, after] = say.typed;
        this.running.replaceChildren(this.sentence, this.spoken, this.slider);
        this.details.replaceChildren(
            h("summary", {}, say.details),
            h("div", { class: "fields typed" }, before!, this.moves, between!, this.most, after!),
            h("div", { class: "fields" }, h("span", { class: "muted", id: "count-who" }, say.who), this.who),
            this.doubt,
            this.honour,
        );
        this.who.setAttribute("aria-labelledby", "count-who");
        this.element.replaceChildren(
            h(
                "div",
                { class: "count-head" },
                h("h2", { class: "card-title", id: "count-title" }, say.title),
                h(
                    "div",
                    { class: "switch", role: "radiogroup", "aria-labelledby": "count-title" },
                    this.none,
                    h("label", { for: "count-none" }, say.none),
                    this.runs,
                    h("label", { for: "count-runs" }, say.runs),
                ),
            ),
            this.running,
            this.effect,
            this.details,
            h(
                "div",
                { class: "buttons" },
                h("button", { class: "small print", onclick: () => print() }, say.print),
                h("button", { class: "small", onclick: this.thumb }, words.thumb.title),
            ),
        );
    }

    /** The limits that a count can have here: a bare king's may have been set by more men than are left. */
    private limits(): number[] {
        return this.isBare() ? LIMITS : [BOARD];
    }

    private isBare(): boolean {
        return this.position?.begins?.counts != null;
    }

    private begins(): NonNullable<Count> {
        const begins = this.position?.begins;
        if (begins && this.isBare()) return { limit: begins.limit, ply: begins.ply };
        return { limit: 2 * BOARD, ply: plyOf(0, this.isToMove()) };
    }

    /** The side that counts: the bare king, else the chosen side, else the losing side; null if there is none. */
    private counter(): Side | null {
        const winner = this.position?.status === "judged" ? winnerOf(this.position) : null;
        return this.position?.begins?.counts ?? this.chosen ?? (winner && other(winner));
    }

    private isToMove(side = this.setup?.side): boolean {
        const counter = this.counter();
        return counter === null || counter === side;
    }

    /** The position with the other side to move: the moves counted stay the same. */
    turned(setup: Setup, side: Side): Setup {
        const { count } = setup;
        if (!count || setup.side === side) return { ...setup, side };
        const moves = movesCounted(count.ply, this.isToMove(setup.side));
        return { ...setup, side, count: { ...count, ply: plyOf(moves, this.isToMove(side)) } };
    }

    /** The count in a sentence; null if no count runs. */
    ruling(): Counted | null {
        if (!this.setup?.count || hasPawns(this.setup.squares)) return null;
        const text = (element: HTMLElement) => element.textContent ?? "";
        return { counted: text(this.sentence), spoken: text(this.spoken), honour: text(this.honour) };
    }

    private showWho(): void {
        const isBare = this.isBare();
        const counter = this.counter();
        const sides = (["white", "black"] as const).map((side) => [side, words.side(side)] as const);
        const options = () => radios("count-by", sides, counter, this.choose, isBare);
        redraw(this.who, () => this.who.replaceChildren(...options()));
    }

    show(setup: Setup, position: Explored | null, counter: Side | null): void {
        // While an answer is awaited, the card keeps the side that counts.
        this.setup = setup;
        this.chosen = counter;
        if (position) this.position = position;
        const say = words.count;
        const isPawnful = hasPawns(setup.squares);
        // Whatever a FEN says: while there is a pawn, nothing is counted.
        const count = isPawnful ? null : setup.count;
        const cannot = isPawnful || (position !== null && position.begins === null);
        this.none.checked = count === null;
        this.runs.checked = count !== null;
        this.runs.disabled = cannot;
        this.running.hidden = this.details.hidden = count === null;
        this.element.classList.toggle("runs", count !== null);
        const who = this.counter();
        // Without a verdict the attacker is the opponent of the side that counts.
        const judged = position?.status === "judged" ? position : null;
        const winner = judged ? winnerOf(judged) : who && other(who);
        const runs = count ?? (winner && !cannot ? this.begins() : null);
        // Without a table the count alone tells the moves left.
        const left =
            judged?.count.attacker_moves_left ?? (winner && runs ? tallyOf(runs, winner !== setup.side).left : null);
        if (count) this.showRunning(count, who);
        const isOver = position?.moves.length === 0;
        if (isOver) this.effect.textContent = "";
        else if (cannot) this.effect.textContent = isPawnful ? say.pawns : say.says;
        else if (count && winner && position?.count_stopped) {
            this.effect.textContent = `${say.stopped(winner)} ${say.wouldLeave(winner, other(winner), left ?? 0)}`;
        } else if (winner && left !== null) {
            this.effect.textContent = count ? say.leaves(winner, left) : say.wouldLeave(winner, other(winner), left);
        } else if (judged) this.effect.textContent = say.says;
    }

    private showRunning(count: NonNullable<Count>, who: Side | null): void {
        const say = words.count;
        const { counted: now, limit, isOver } = tallyOf(count, this.isToMove());
        const begins = this.begins();
        const least = begins.limit === count.limit ? movesCounted(begins.ply, this.isToMove()) : 0;
        this.slider.min = String(Math.min(least, now));
        this.slider.max = this.moves.max = String(limit + 1);
        this.slider.value = String(now);
        const text = isOver ? say.spent(limit) : say.counted(who, Math.min(now, limit), limit);
        this.sentence.textContent = text;
        this.spoken.textContent = now > least && now <= limit ? words.count.spoken(now, limit) : "";
        this.spoken.hidden = this.spoken.textContent === "";
        this.slider.setAttribute("aria-valuetext", text);
        if (document.activeElement !== this.moves) this.moves.value = String(now);
        const isPossible = this.limits().includes(count.limit / 2);
        const options = [...this.limits(), ...(isPossible ? [] : [limit])].map((moves) =>
            h("option", { selected: moves === limit }, String(moves)),
        );
        this.most.replaceChildren(...options);
        const isBare = this.isBare();
        // Two bare kings have no count.
        const hasNone = this.position !== null && this.position.begins === null;
        this.honour.textContent = hasNone || !isPossible ? "" : say.honour(isBare ? "pieces" : "board", limit);
        const reader = this.setup && (count.ply % 2 === 0 ? this.setup.side : other(this.setup.side));
        const isOthers = who !== null && reader !== null && !isBare && !hasNone && reader !== who;
        const doubts = [isPossible || hasNone ? "" : say.noLimit(this.limits()), isOthers ? say.parity(reader) : ""];
        this.doubt.textContent = doubts.filter(Boolean).join(" ");
        this.doubt.hidden = this.doubt.textContent === "";
        this.showWho();
    }
}
