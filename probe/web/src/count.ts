// The count: none, or running, moved by a slider.
import type { Explored } from "./api.ts";
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { other, type Setup } from "./position.ts";
import { winnerOf } from "./told.ts";

type Count = Setup["count"];

/** FEN's fields hold no more. */
const MOST = 9999;

/** Moves counted so far, of a count in plies: the one who counts is to move, or has moved. */
const counted = (ply: number, isToMove: boolean) => (isToMove ? Math.floor(ply / 2) : Math.ceil(ply / 2));
const plyOf = (moves: number, isToMove: boolean) => Math.max(0, isToMove ? 2 * moves : 2 * moves - 1);

export class CountCard {
    readonly element: HTMLElement;
    private readonly none = h("input", { type: "radio", name: "count", id: "count-none" });
    private readonly runs = h("input", { type: "radio", name: "count", id: "count-runs" });
    private readonly slider = h("input", { type: "range", step: "1", id: "count-slider" });
    private readonly limit = h("input", { type: "number", min: "1", max: String(MOST), id: "count-limit" });
    private readonly ply = h("input", { type: "number", min: "0", max: String(MOST), id: "count-ply" });
    private readonly sentence = h("output", { class: "count-sentence", for: "count-slider" });
    private readonly effect = h("p", { class: "count-effect" });
    private readonly running = h("div", { class: "running" });
    private setup: Setup | null = null;
    private position: Explored | null = null;

    constructor(change: (count: Count) => void) {
        this.element = h("section", { class: "card count", "aria-labelledby": "count-title" });
        this.none.addEventListener("change", () => change(null));
        this.runs.addEventListener("change", () => change(this.begins()));
        this.slider.addEventListener("input", () => {
            const limit = this.setup?.count?.limit ?? 0;
            change({ limit, ply: Math.min(MOST, plyOf(Number(this.slider.value), this.isToMove())) });
        });
        for (const input of [this.limit, this.ply]) {
            input.addEventListener("change", () => {
                const whole = (box: HTMLInputElement, least: number) =>
                    Math.max(least, Math.min(MOST, Math.round(Number(box.value)) || 0));
                change({ limit: whole(this.limit, 1), ply: whole(this.ply, 0) });
            });
        }
        this.relabel();
    }

    /** Makes the labels in the language of the day. */
    relabel(): void {
        const say = words.count;
        this.slider.setAttribute("aria-label", say.slider);
        this.running.replaceChildren(
            this.sentence,
            this.slider,
            h(
                "div",
                { class: "fields" },
                h("span", { class: "muted" }, say.fields),
                h("label", {}, "LIMIT", this.limit),
                h("label", {}, "PLY", this.ply),
            ),
        );
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
        );
    }

    private begins(): Count {
        const begins = this.position?.begins;
        return begins ? { limit: begins.limit, ply: begins.ply } : { limit: 128, ply: 0 };
    }

    /** Who counts: the bare king, or whoever loses; null where nobody does. */
    private counter() {
        const winner = this.position ? winnerOf(this.position) : null;
        return this.position?.begins?.counts ?? (winner && other(winner));
    }

    private isToMove(): boolean {
        const counter = this.counter();
        return counter === null || counter === this.setup?.side;
    }

    show(setup: Setup, position: Explored | null): void {
        // While an answer is on its way the card keeps what it knows of who counts.
        this.setup = setup;
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
        if (count) {
            const limit = Math.floor(count.limit / 2);
            const now = counted(count.ply, this.isToMove());
            const begins = this.begins()!;
            const least = begins.limit === count.limit ? counted(begins.ply, this.isToMove()) : 0;
            this.slider.min = String(Math.min(least, now));
            this.slider.max = String(limit + 1);
            this.slider.value = String(now);
            const text = now > limit ? say.spent(limit) : say.counted(who, now, limit);
            this.sentence.textContent = text;
            this.slider.setAttribute("aria-valuetext", text);
            if (document.activeElement !== this.limit) this.limit.value = String(count.limit);
            if (document.activeElement !== this.ply) this.ply.value = String(count.ply);
        }
        const isOver = position?.moves.length === 0;
        if (isOver) this.effect.textContent = "";
        else if (cannot) this.effect.textContent = hasPawns ? say.pawns : say.says;
        else if (winner && left !== null) {
            this.effect.textContent = count ? say.leaves(winner, left) : say.wouldLeave(winner, other(winner), left);
        } else if (position?.category) this.effect.textContent = say.says;
    }
}
