// The tools around the board: walking through the line, turning the board, setting up, and the position as text.
import { copy, h, radios, redraw, toolIcon } from "./dom.ts";
import { words } from "./language/index.ts";
import { moveText, numberText } from "./notation.ts";
import type { Walk } from "./walk.ts";
import { readFen, type Setup } from "./position.ts";

/** What a tap on the board does: moves a man, sets up, or shows results. */
export type Mode = "play" | "setup" | "results";

export interface ToolEvents {
    mode: (mode: Mode) => void;
    /** The mode of the board. */
    modeNow: () => Mode;
    side: (side: Setup["side"]) => void;
    enter: (fen: string) => void;
    paste: () => void;
    /** A link to all that is on the board. */
    link: () => string;
    /** Hands the board as a picture to another program. */
    share: () => void;
    /** The same with the line; null if there is none to be drawn. */
    animation: () => (() => void) | null;
}

const icons = {
    start: "M4 5v14M20 5l-11 7 11 7z",
    back: "M17 5l-11 7 11 7z",
    forward: "M7 5l11 7-11 7z",
    end: "M20 5v14M4 5l11 7-11 7z",
    flip: "M8 20V6M4 9l4-4 4 4M16 4v14M12 15l4 4 4-4",
    best: "M9 21h6M9 17.500c0-3-3-4.500-3-8.500a6 6 0 0 1 12 0c0 4-3 5.500-3 8.500z",
};

const icon = (name: keyof typeof icons) => toolIcon(icons[name], name);

export class Tools {
    readonly bar = h("div", { class: "toolbar", role: "toolbar" });
    /** A hint after an action that is not possible. */
    readonly note = h("div", { class: "note", role: "status" });
    readonly text = h("section", { class: "card position-text" });
    private readonly fen = h("input", {
        id: "fen",
        type: "text",
        spellcheck: "false",
        autocomplete: "off",
        autocapitalize: "off",
    });
    private readonly problem = h("p", { class: "problem-text", id: "fen-problem", role: "alert" });
    private readonly events: ToolEvents;
    private readonly walk: Walk;
    /** Shown only if the line has moves. */
    private animation = h("button", { hidden: true });

    constructor(walk: Walk, events: ToolEvents) {
        this.walk = walk;
        this.events = events;
        this.fen.addEventListener("change", () => events.enter(this.fen.value));
        this.fen.addEventListener("keydown", (event) => {
            if (event.key === "Enter") events.enter(this.fen.value);
        });
        this.fen.addEventListener("focus", () => this.fen.select());
        this.relabel();
    }

    /** Shows the problem of the typed FEN; an empty list clears it. */
    refuse(why: (Node | string)[]): void {
        this.problem.replaceChildren(...why);
        if (why.length > 0) this.fen.setAttribute("aria-invalid", "true");
        else this.fen.removeAttribute("aria-invalid");
    }

    relabel(): void {
        const say = words.fen;
        const status = h("span", { class: "status", role: "status" });
        const copying = (name: string, text: () => string) => {
            const button = h("button", { class: "small" }, name);
            button.addEventListener("click", async () => {
                status.textContent = (await copy(text())) ? say.copied : say.notCopied;
                setTimeout(() => (status.textContent = ""), 2000);
            });
            return button;
        };
        const animate = () => this.events.animation()?.();
        const { hidden } = this.animation;
        this.animation = h("button", { class: "small", hidden, onclick: animate }, say.animation);
        this.text.replaceChildren(
            h("label", { for: "fen", class: "card-title" }, say.label),
            this.fen,
            this.problem,
            h(
                "div",
                { class: "buttons" },
                h("button", { class: "small primary", onclick: this.events.paste }, say.paste),
                copying(say.copy, () => this.fen.value),
                copying(say.copyPgn, () => this.walk.line.pgn(this.walk.loaded?.game)),
                copying(say.copyMoves, () => this.walk.line.text(moveText, numberText)),
                copying(say.copyLink, this.events.link),
                h("button", { class: "small", onclick: this.events.share }, say.share),
                this.animation,
                status,
            ),
        );
    }

    show(): void {
        const { line } = this.walk;
        this.animation.hidden = this.events.animation() === null;
        if (document.activeElement !== this.fen) {
            this.fen.value = line.now.fen;
            this.refuse([]);
        }
        this.note.textContent = "";
        redraw(this.bar, () => this.showBar());
    }

    private showBar(): void {
        const say = words.view;
        const { events, walk } = this;
        const { line } = walk;
        const isSetup = walk.editor.isOn;
        const setup = readFen(walk.fen);
        const tool = (name: keyof typeof icons, title: string, act: () => void, off = false) =>
            h(
                "button",
                { class: "icon", title, "aria-label": title, disabled: off, onclick: act, "data-act": name },
                icon(name),
            );
        const [isFirst, isLast] = [line.back === null, line.forward === null];
        const sides = (["white", "black"] as const).map((side) => [side, words.side(side)] as const);
        this.bar.setAttribute("aria-label", say.tools);
        this.bar.replaceChildren(
            h(
                "div",
                { class: "group" },
                tool("start", say.start, () => walk.go("start"), isFirst),
                tool("back", say.back, () => walk.go("back"), isFirst),
                tool("forward", say.forward, () => walk.go("forward"), isLast),
                tool("end", say.end, () => walk.go("end"), isLast),
                tool("best", say.best, () => walk.best(), isSetup),
                tool("flip", say.flip, () => walk.flip()),
            ),
            h(
                "div",
                { class: "switch mode", role: "radiogroup", "aria-label": say.mode },
                ...radios(
                    "mode",
                    [
                        ["play", say.play],
                        ["setup", say.setup],
                        ["results", words.results.mode],
                    ],
                    events.modeNow(),
                    events.mode,
                ),
            ),
            h(
                "div",
                { class: "switch to-move", role: "radiogroup", "aria-label": say.tomove },
                ...radios("side", sides, setup.side, events.side),
            ),
        );
    }
}
