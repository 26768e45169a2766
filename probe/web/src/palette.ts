// The men to place while a position is set up.
import { h, redraw } from "./dom.ts";
import type { Brush } from "./editor.ts";
import { words } from "./language/index.ts";
import { drawMan } from "./pieces.ts";
import { type Man, manOf, mirrored, ROLES, type Setup, swapped } from "./position.ts";
import type { Walk } from "./walk.ts";

export interface PaletteEvents {
    brush: (brush: Brush) => void;
    /** A man is taken with a pointer. */
    take: (event: PointerEvent, man: Man) => void;
    done: () => void;
    paste: () => void;
}

const kingsOnly = (setup: Setup): Setup => ({
    ...setup,
    count: null,
    squares: setup.squares.map((man) => (man?.toUpperCase() === "K" ? man : null)),
});
const emptied = (setup: Setup): Setup => ({ ...setup, count: null, squares: setup.squares.map(() => null) });

export class Palette {
    readonly element = h("section", { class: "palette" });
    private readonly walk: Walk;
    private readonly events: PaletteEvents;

    constructor(walk: Walk, events: PaletteEvents) {
        this.walk = walk;
        this.events = events;
        this.element.hidden = true;
    }

    show(): void {
        const { isOn, brush } = this.walk.editor;
        this.element.hidden = !isOn;
        if (isOn) redraw(this.element, () => this.draw(brush));
    }

    private draw(brush: Brush): void {
        const say = words.view;
        const { walk } = this;
        const swap = () => {
            walk.flipped = !walk.flipped;
            walk.edit(swapped);
        };
        const act = (name: string, text: string, what: () => void, kind = "small") =>
            h("button", { class: kind, onclick: what, "data-act": name }, text);
        const men = (["white", "black"] as const).map((side) =>
            h(
                "div",
                { class: "men" },
                ...ROLES.map((role) => this.pick(brush, manOf(role, side), words.man(side, role))),
            ),
        );
        this.element.setAttribute("aria-label", say.setup);
        this.element.replaceChildren(
            h("div", { class: "palette-men", role: "group", "aria-label": say.palette }, ...men),
            h(
                "div",
                { class: "buttons" },
                act("done", say.done, this.events.done, "small primary"),
                this.pick(brush, null, say.hand),
                this.pick(brush, "x", say.remove),
                act("kings", say.kings, () => walk.edit(kingsOnly)),
                act("clear", say.clear, () => walk.edit(emptied)),
                act("paste", words.fen.paste, this.events.paste),
                act("mirror", say.mirror, () => walk.edit(mirrored)),
                act("swap", say.swap, swap),
            ),
            h("p", { class: "muted hint" }, words.setupHint, h("span", { class: "keys-only" }, ` ${words.setupKeys}`)),
        );
    }

    private pick(brush: Brush, what: Brush, name: string): HTMLElement {
        const isMan = what !== null && what !== "x";
        const button = h(
            "button",
            {
                class: "small",
                title: isMan ? name : null,
                "aria-label": isMan ? name : null,
                "aria-pressed": String(brush === what),
                "data-act": `pick ${what ?? ""}`,
                onclick: () => this.events.brush(brush === what ? null : what),
            },
            isMan ? drawMan(what) : name,
        );
        if (isMan) {
            button.addEventListener("pointerdown", (event) => {
                if (event.button !== 0) return;
                // A touch is followed from here to where it ends.
                button.releasePointerCapture?.(event.pointerId);
                this.events.take(event, what);
            });
        }
        return button;
    }
}
