// The count as an arbiter keeps it: the counting side, the moves counted, the limit and the rule.
import type { Explored, Side } from "./api.ts";
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { other, type Setup } from "./position.ts";
import { winnerOf } from "./told.ts";

type Count = Setup["count"];

/** FEN's fields hold no more. */
const MOST = 9999;
/** The limits of the rules, in moves. */
const LIMITS = [8, 16, 22, 32, 44, 64];

/** Moves counted so far, of a count in plies: the counting side is to move, or has moved. */
const counted = (ply: number, isToMove: boolean) => (isToMove ? Math.floor(ply / 2) : Math.ceil(ply / 2));
const plyOf = (moves: number, isToMove: boolean) => Math.max(0, isToMove ? 2 * moves : 2 * moves - 1);

/** A whole number that was typed; null if it is none, or out of bounds. */
function typed(input: HTMLInputElement, least: number, most: number): number | null {
    const value = Number(input.value);
    return input.value.trim() !== "" && Number.isInteger(value) && value >= least && value <= most ? value : null;
}

const figure = (id: string, least: number) =>
    h("input", { type: "number", inputmode: "numeric", min: String(least), max: String(MOST), id });

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
    private readonly moves = figure("count-moves", 0);
    private readonly most = figure("count-most", 1);
    private readonly limit = figure("count-limit", 1);
    private readonly ply = figure("count-ply", 0);
    private readonly sentence = h("output", { class: "count-sentence", for: "count-slider count-moves" });
    /** The count as it is called out at the board. */
    private readonly spoken = h("p", { class: "spoken" });
    private readonly honour = h("p", { class: "muted count-honour" });
    private readonly effect = h("p", { class: "count-effect" });
    private readonly derive = h("button", { type: "button", class: "small" });
    private readonly who = h("div", { class: "switch", role: "radiogroup" });
    private readonly running = h("div", { class: "running" });
    private setup: Setup | null = null;
    private position: Explored | null = null;
    /** The chosen side that counts, if the men do not decide it. */
    private chosen: Side | null = null;
    private readonly choose: (side: Side) => void;

    /** `change` takes another count, `choose` the side whose count it is. */
    constructor(change: (count: Count) => void, choose: (side: Side) => void) {
        this.choose = choose;
        this.element = h("section", { class: "card count", "aria-labelledby": "count-title" });
        const now = () => this.setup?.count ?? { limit: 0, ply: 0 };
        const set = (limit: number, ply: number) => change({ limit: Math.min(MOST, limit), ply: Math.min(MOST, ply) });
        const count = (moves: number) => set(now().limit, plyOf(moves, this.isToMove()));
        /** Takes a number, or restores the former one. */
        const take = (input: HTMLInputElement, least: number, most: number, act: (value: number) => void) =>
            input.addEventListener("change", () => {
                const value = typed(input, least, most);
                if (value === null) this.fill(input);
                else act(value);
            });
        this.none.addEventListener("change", () => change(null));
        this.runs.addEventListener("change", () => change(this.begins()));
        this.slider.addEventListener("input", () => count(Number(this.slider.value)));
        take(this.moves, 0, MOST / 2, count);
        take(this.most, 1, MOST / 2, (moves) => set(2 * moves, now().ply));
        take(this.limit, 1, MOST, (limit) => set(limit, now().ply));
        take(this.ply, 0, MOST, (ply) => set(now().limit, ply));
        this.derive.addEventListener("click", () => change(this.begins()));
        this.relabel();
    }

    /** Makes the labels in the language of the day. */
    relabel(): void {
        const say = words.count;
        this.slider.setAttribute("aria-label", say.slider);
        this.moves.setAttribute("aria-label", say.slider);
        this.most.setAttribute("aria-label", say.most);
        const [before, between, after] = say.typed;
        this.running.replaceChildren(
            this.sentence,
            this.spoken,
            this.slider,
            h("div", { class: "fields typed" }, before!, this.moves, between!, this.most, after!, this.derive),
            h("div", { class: "fields" }, h("span", { class: "muted", id: "count-who" }, say.who), this.who),
            this.honour,
            h(
                "div",
                { class: "fields" },
                h("span", { class: "muted" }, say.fields),
                h("label", {}, "LIMIT", this.limit),
                h("label", {}, "PLY", this.ply),
            ),
        );
        this.most.setAttribute("list", "count-limits");
        this.running.append(
            h("datalist", { id: "count-limits" }, ...LIMITS.map((moves) => h("option", { value: moves }))),
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
            h("button", { type: "button", class: "small print", onclick: () => print() }, say.print),
        );
    }

    private begins(): Count {
        const begins = this.position?.begins;
        return begins ? { limit: begins.limit, ply: begins.ply } : { limit: 128, ply: 0 };
    }

    /** The side that counts: the bare king, else the chosen side, else the losing side; null if there is none. */
    private counter(): Side | null {
        const winner = this.position ? winnerOf(this.position) : null;
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
        const moves = counted(count.ply, this.isToMove(setup.side));
        return { ...setup, side, count: { ...count, ply: plyOf(moves, this.isToMove(side)) } };
    }

    /** The count in a sentence; null if no count runs. */
    ruling(): Counted | null {
        if (!this.setup?.count) return null;
        const text = (element: HTMLElement) => element.textContent ?? "";
        return { counted: text(this.sentence), spoken: text(this.spoken), honour: text(this.honour) };
    }

    /** Updates a field to the current value. */
    private fill(input: HTMLInputElement): void {
        const count = this.setup?.count;
        if (!count) return;
        const values = new Map([
            [this.moves, counted(count.ply, this.isToMove())],
            [this.most, Math.floor(count.limit / 2)],
            [this.limit, count.limit],
            [this.ply, count.ply],
        ]);
        input.value = String(values.get(input) ?? "");
    }

    private showWho(): void {
        const isBare = this.position?.begins?.counts != null;
        const counter = this.counter();
        const isFocused = this.who.contains(document.activeElement);
        const options = (["white", "black"] as const).flatMap((side) => {
            const id = `count-by-${side}`;
            const radio = h("input", { type: "radio", name: "count-by", id, disabled: isBare });
            radio.checked = counter === side;
            radio.addEventListener("change", () => this.choose(side));
            return [radio, h("label", { for: id, class: `side ${side}` }, words.side(side))];
        });
        this.who.replaceChildren(...options);
        if (isFocused) this.who.querySelector<HTMLElement>("input:checked")?.focus();
    }

    show(setup: Setup, position: Explored | null, counter: Side | null): void {
        // While an answer is awaited, the card keeps the side that counts.
        this.setup = setup;
        this.chosen = counter;
        if (position) this.position = position;
        const say = words.count;
        const count = setup.count;
        const hasPawns = setup.squares.some((man) => man?.toUpperCase() === "P");
        const cannot = hasPawns || (position !== null && position.begins === null);
        this.none.checked = count === null;
        this.runs.checked = count !== null;
        this.runs.disabled = cannot;
        this.running.hidden = count === null;
        const who = this.counter();
        const winner = position ? winnerOf(position) : null;
        const left = position?.count?.attacker_moves_left ?? null;
        if (count) this.showRunning(count, who);
        const isOver = position?.moves.length === 0;
        if (isOver) this.effect.textContent = "";
        else if (cannot) this.effect.textContent = hasPawns ? say.pawns : say.says;
        else if (count && winner && position?.count_stopped) {
            this.effect.textContent = `${say.stopped(winner)} ${say.wouldLeave(winner, other(winner), left ?? 0)}`;
        } else if (winner && left !== null) {
            this.effect.textContent = count ? say.leaves(winner, left) : say.wouldLeave(winner, other(winner), left);
        } else if (position?.category) this.effect.textContent = say.says;
    }

    private showRunning(count: NonNullable<Count>, who: Side | null): void {
        const say = words.count;
        const limit = Math.floor(count.limit / 2);
        const now = counted(count.ply, this.isToMove());
        const begins = this.begins()!;
        const least = begins.limit === count.limit ? counted(begins.ply, this.isToMove()) : 0;
        this.slider.min = String(Math.min(least, now));
        this.slider.max = String(limit + 1);
        this.slider.value = String(now);
        const text = now > limit ? say.spent(limit) : say.counted(who, now, limit);
        this.sentence.textContent = text;
        this.spoken.textContent = now > 0 && now <= limit ? words.trainer.spoken(now, limit) : "";
        this.spoken.hidden = this.spoken.textContent === "";
        this.slider.setAttribute("aria-valuetext", text);
        for (const input of [this.moves, this.most, this.limit, this.ply]) {
            if (document.activeElement !== input) this.fill(input);
        }
        const isBare = this.position?.begins?.counts != null;
        this.derive.textContent = say.derive(Math.floor(begins.limit / 2));
        this.derive.hidden = !isBare || begins.limit === count.limit;
        this.honour.textContent = say.honour(isBare ? "pieces" : "board", limit);
        this.showWho();
    }
}
