// The moves of a position, by result.
import type { Explored, Move } from "./api.ts";
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { moveText } from "./notation.ts";
import { other } from "./position.ts";
import { type Heap, heapOf, tellMove } from "./told.ts";

export interface MoveEvents {
    play: (move: Move) => void;
    /** Points at a move on the board, or no longer. */
    point: (move: Move | null) => void;
}

function tags(move: Move): HTMLElement[] {
    const say = words.move;
    const tag = (kind: string, text: string, title: string) => h("span", { class: `tag ${kind}`, title }, text);
    return [
        ...(move.sacrifice ? [tag("sacrifice", say.sacrifice, "")] : []),
        ...(move.category === "blessed-loss" ? [tag("save", say.save, say.saveTitle)] : []),
        ...(move.category === "cursed-win" ? [tag("cursed", say.cursed, say.cursedTitle)] : []),
    ];
}

function row(position: Explored, move: Move, events: MoveEvents): HTMLElement {
    const say = words.move;
    const isBare = position.begins?.counts != null;
    const left = move.attacker_moves_left;
    const { sacrifice } = move;
    const button = h(
        "button",
        { type: "button", class: "move" },
        h("span", { class: "san" }, moveText(move.san)),
        h("span", { class: "worth" }, tellMove(move, isBare)),
        h("span", { class: "tags" }, ...tags(move)),
        left !== null && left !== undefined && move.dtm !== 1
            ? h("span", { class: "left", title: say.leavesLong(left) }, say.leaves(left))
            : null,
        sacrifice
            ? h(
                  "span",
                  { class: "why" },
                  say.sacrificeLong(
                      moveText(sacrifice.capture),
                      other(position.side),
                      sacrifice.needed,
                      sacrifice.left,
                  ),
              )
            : null,
    );
    button.addEventListener("click", () => events.play(move));
    for (const on of ["pointerenter", "focus"]) button.addEventListener(on, () => events.point(move));
    for (const off of ["pointerleave", "blur"]) button.addEventListener(off, () => events.point(null));
    return h("li", {}, button);
}

/** Fills the card. */
export function showMoves(card: HTMLElement, position: Explored | null, events: MoveEvents): void {
    if (!position) {
        card.replaceChildren();
        card.hidden = true;
        return;
    }
    card.hidden = false;
    const say = words.group;
    const heaps: Heap[] = ["win", "drawn", "loss", "unjudged"];
    const groups = heaps.map((heap) => {
        const moves = position.moves.filter((move) => heapOf(move.category) === heap);
        if (moves.length === 0) return null;
        const title = { win: say.win, drawn: say.drawn, loss: say.loss, unjudged: say.unjudged }[heap];
        return h(
            "section",
            { class: `heap ${heap}` },
            h("h3", {}, title, h("span", { class: "how-many" }, String(moves.length))),
            h("ol", {}, ...moves.map((move) => row(position, move, events))),
        );
    });
    card.replaceChildren(
        h("h2", { class: "card-title" }, say.title(position.side)),
        ...groups.filter((group) => group !== null),
        ...(position.moves.length === 0 ? [h("p", { class: "muted" }, say.none)] : []),
    );
}
