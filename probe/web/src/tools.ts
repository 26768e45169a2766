// What stands around the board: moving through the line, turning the board, setting up, and the position as text.
import { copy, h } from "./dom.ts";
import { words } from "./language/index.ts";
import type { Line } from "./line.ts";
import { drawMan } from "./pieces.ts";
import { type Man, manOf, readFen, ROLES, type Setup } from "./position.ts";

export type Brush = Man | "x" | null;

export interface ToolEvents {
    go: (to: "start" | "back" | "forward" | "end") => void;
    jump: (at: number) => void;
    flip: () => void;
    edit: (change: (setup: Setup) => Setup, kind: string) => void;
    mirror: () => void;
    swap: () => void;
    setup: (on: boolean) => void;
    brush: (brush: Brush) => void;
    /** A man is taken from the palette with a pointer. */
    take: (event: PointerEvent, man: Man) => void;
    enter: (fen: string) => void;
    paste: () => void;
}

const icons = {
    start: "M4 5v14M20 5l-11 7 11 7z",
    back: "M17 5l-11 7 11 7z",
    forward: "M7 5l11 7-11 7z",
    end: "M20 5v14M4 5l11 7-11 7z",
    flip: "M8 20V6M4 9l4-4 4 4M16 4v14M12 15l4 4 4-4",
    mirror: "M12 3v18M8 8l-5 4 5 4zM16 8l5 4-5 4z",
    swap: "M12 4a8 8 0 0 0 0 16 8 8 0 0 0 0-16zM12 4v16M14.7 5v14M17.3 6.500v11",
};

function icon(name: keyof typeof icons): SVGSVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("class", `tool-icon ${name}`);
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", icons[name]);
    svg.append(path);
    return svg;
}

export class Tools {
    readonly bar = h("div", { class: "toolbar", role: "toolbar" });
    readonly palette = h("div", { class: "palette" });
    /** A word of help, when something was tried that cannot be. */
    readonly note = h("p", { class: "note", role: "status" });
    readonly moves = h("div", { class: "line", role: "group", translate: "no" });
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
    private line: Line | null = null;

    constructor(events: ToolEvents) {
        this.events = events;
        this.fen.addEventListener("change", () => events.enter(this.fen.value));
        this.fen.addEventListener("keydown", (event) => {
            if (event.key === "Enter") events.enter(this.fen.value);
        });
        this.fen.addEventListener("focus", () => this.fen.select());
        this.relabel();
    }

    /** Says what is wrong with the FEN that was typed; nothing if it is well. */
    refuse(sentence: string | null): void {
        this.problem.textContent = sentence ?? "";
        if (sentence) this.fen.setAttribute("aria-invalid", "true");
        else this.fen.removeAttribute("aria-invalid");
    }

    relabel(): void {
        const say = words.fen;
        const status = h("span", { class: "status", role: "status" });
        const copying = (name: string, text: () => string) => {
            const button = h("button", { type: "button", class: "small" }, name);
            button.addEventListener("click", async () => {
                status.textContent = (await copy(text())) ? say.copied : say.notCopied;
                setTimeout(() => (status.textContent = ""), 2000);
            });
            return button;
        };
        this.text.replaceChildren(
            h("label", { for: "fen", class: "card-title" }, say.label),
            this.fen,
            this.problem,
            h(
                "div",
                { class: "buttons" },
                h("button", { type: "button", class: "small primary", onclick: this.events.paste }, say.paste),
                copying(say.copy, () => this.fen.value),
                copying(say.copyPgn, () => this.line?.pgn() ?? ""),
                copying(say.copyLink, () => location.href),
                status,
            ),
        );
    }

    show(line: Line, isSetup: boolean, brush: Brush): void {
        this.line = line;
        const setup = readFen(line.now.fen);
        if (document.activeElement !== this.fen) {
            this.fen.value = line.now.fen;
            this.refuse(null);
        }
        this.note.textContent = "";
        this.showBar(line, setup, isSetup);
        this.showPalette(isSetup, brush);
        this.showMoves(line, isSetup);
    }

    private showBar(line: Line, setup: Setup, isSetup: boolean): void {
        const say = words.view;
        const { events } = this;
        const tool = (name: keyof typeof icons, title: string, act: () => void, off = false) =>
            h(
                "button",
                {
                    type: "button",
                    class: "icon",
                    title,
                    "aria-label": title,
                    disabled: off,
                    onclick: act,
                    "data-tool": name,
                },
                icon(name),
            );
        const [isFirst, isLast] = [line.at === 0, line.at === line.nodes.length - 1];
        const option = (name: string, on: boolean, label: string, act: () => void, kind = "") => {
            const id = `${name}-${label}`;
            const radio = h("input", { type: "radio", name, id, checked: on, class: "switch-input" });
            radio.checked = on;
            radio.addEventListener("change", act);
            return [radio, h("label", { for: id, class: kind }, label)];
        };
        const toMove = (side: "white" | "black") =>
            option(
                "side",
                setup.side === side,
                words.side(side),
                () => events.edit((now) => ({ ...now, side }), "side"),
                `side ${side}`,
            );
        const focus =
            (document.activeElement as HTMLElement | null)?.dataset?.tool ??
            (document.activeElement as HTMLElement | null)?.id;
        this.bar.setAttribute("aria-label", say.board);
        this.bar.replaceChildren(
            h(
                "div",
                { class: "group" },
                tool("start", say.start, () => events.go("start"), isFirst),
                tool("back", say.back, () => events.go("back"), isFirst),
                tool("forward", say.forward, () => events.go("forward"), isLast),
                tool("end", say.end, () => events.go("end"), isLast),
            ),
            h(
                "div",
                { class: "switch", role: "radiogroup", "aria-label": say.mode },
                ...option("mode", !isSetup, say.play, () => events.setup(false)),
                ...option("mode", isSetup, say.setup, () => events.setup(true)),
            ),
            h(
                "div",
                { class: "switch", role: "radiogroup", "aria-label": say.tomove },
                ...toMove("white"),
                ...toMove("black"),
            ),
            h(
                "div",
                { class: "group" },
                tool("flip", say.flip, events.flip),
                tool("mirror", say.mirror, events.mirror),
                tool("swap", say.swap, events.swap),
            ),
        );
        // What had the keyboard keeps it.
        if (focus) this.bar.querySelector<HTMLElement>(`[data-tool="${focus}"], [id="${focus}"]`)?.focus();
    }

    private showPalette(isSetup: boolean, brush: Brush): void {
        this.palette.hidden = !isSetup;
        if (!isSetup) return;
        const say = words.view;
        const { events } = this;
        const pick = (what: Brush, name: string, content: Node | string) => {
            const button = h(
                "button",
                {
                    type: "button",
                    class: "small",
                    title: name,
                    "aria-label": name,
                    "aria-pressed": String(brush === what),
                },
                content,
            );
            button.addEventListener("click", () => events.brush(brush === what ? null : what));
            if (what !== null && what !== "x") {
                button.addEventListener("pointerdown", (event) => {
                    if (event.button !== 0) return;
                    // A touch is followed from here to where it ends.
                    button.releasePointerCapture?.(event.pointerId);
                    events.take(event, what);
                });
            }
            return button;
        };
        const keepKings = (setup: Setup) => ({
            ...setup,
            count: null,
            squares: setup.squares.map((man) => (man?.toUpperCase() === "K" ? man : null)),
        });
        const men = (["white", "black"] as const).map((side) =>
            h(
                "div",
                { class: "men" },
                ...ROLES.map((role) => pick(manOf(role, side), words.man(side, role), drawMan(manOf(role, side)))),
            ),
        );
        this.palette.replaceChildren(
            h("div", { class: "palette-men", role: "group", "aria-label": say.palette }, ...men),
            h(
                "div",
                { class: "buttons" },
                pick(null, say.hand, say.hand),
                pick("x", say.remove, say.remove),
                h(
                    "button",
                    { type: "button", class: "small", onclick: () => events.edit(keepKings, "board") },
                    say.kings,
                ),
                h(
                    "button",
                    {
                        type: "button",
                        class: "small",
                        onclick: () =>
                            events.edit(
                                (setup) => ({ ...setup, count: null, squares: setup.squares.map(() => null) }),
                                "board",
                            ),
                    },
                    say.clear,
                ),
            ),
            h("p", { class: "muted hint" }, words.setupHint),
        );
    }

    private showMoves(line: Line, isSetup: boolean): void {
        const { root, end } = line;
        this.moves.setAttribute("aria-label", words.view.line);
        if (end - root < 2) {
            this.moves.replaceChildren(isSetup ? "" : h("span", { class: "muted" }, words.playHint));
            return;
        }
        const start = readFen(line.nodes[root]!.fen);
        let number = start.move;
        let white = start.side === "white";
        const parts: Node[] = [];
        let current: HTMLElement | null = null;
        for (let at = root + 1; at < end; at++) {
            const node = line.nodes[at]!;
            if (white || at === root + 1)
                parts.push(h("span", { class: "number" }, white ? `${number}.` : `${number}…`));
            const kind = node.judged?.gave_away ? ` slip ${node.judged.gave_away}` : "";
            const mark = node.judged?.gave_away ? { win: "??", draw: "??", time: "?!" }[node.judged.gave_away] : "";
            const button = h(
                "button",
                {
                    type: "button",
                    class: `step${kind}`,
                    "aria-current": at === line.at ? "step" : null,
                    onclick: () => this.events.jump(at),
                },
                node.san! + mark,
            );
            if (at === line.at) current = button;
            parts.push(button);
            if (node.end) parts.push(h("span", { class: "line-end" }, words.verdict.lineEnd[node.end]));
            if (!white) number += 1;
            white = !white;
        }
        this.moves.replaceChildren(...parts);
        if (current) this.moves.scrollTop = current.offsetTop - this.moves.offsetTop - 40;
        else this.moves.scrollTop = 0;
    }
}

/** A move's squares. */
export const squaresOf = (uci: string | null): string[] => (uci ? [uci.slice(0, 2), uci.slice(2, 4)] : []);
