// The moves of a position, by result.
import type { Explored, KnownMove, Move, Side } from "./api.ts";
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { moveText } from "./notation.ts";
import { countMen, hasPawns, other, readFen, sideOf } from "./position.ts";
import { type Heap, heapOf, movesIn, tellMove } from "./told.ts";

export interface MoveEvents {
    play: (move: Move) => void;
    /** Points at a move on the board, or no longer. */
    point: (move: Move | null) => void;
}

/** `isPlain`: all moves of the heap are draws by the count, and the position is: the heap and the verdict say it. */
function tags(move: KnownMove, isPlain: boolean): HTMLElement[] {
    const say = words.move;
    const tag = (kind: string, text: string, title: string) => h("span", { class: `tag ${kind}`, title }, text);
    return [
        ...(move.sacrifice ? [tag("sacrifice", say.sacrifice, "")] : []),
        ...(move.category === "blessed-loss" ? [tag("save", say.save, say.saveTitle)] : []),
        ...(move.category === "cursed-win" && !isPlain
            ? [tag("cursed", say.cursed(move.attacker_moves_left), say.cursedTitle)]
            : []),
    ];
}

/** The number of moves that a win or a loss takes after a move. */
function brief({ category, dtz, dtm }: KnownMove): string {
    const isDecided = category === "win" || category === "loss";
    return isDecided ? String(movesIn(Math.max(0, Math.abs(dtz ?? dtm ?? 1) - 1))) : "";
}

/** The men on the board after a sacrifice is taken, if that bares the king and so begins a count; else null. */
function menAfter(fen: string, { capture }: KnownMove): number | null {
    const { squares, side } = readFen(fen);
    const men = (of: Side) => squares.filter((man) => man && sideOf(man) === of);
    return men(side).length === 2 && !hasPawns(men(other(side))) ? countMen(squares) - (capture ? 2 : 1) : null;
}

/** What the row of a move says about its value. */
function worth(position: Explored, move: KnownMove, isPlain: boolean): (HTMLElement | null)[] {
    const say = words.move;
    const { attacker_moves_left: left, sacrifice } = move;
    return [
        h("span", { class: "worth" }, tellMove(position, move)),
        // On a phone the number alone stands beside the move.
        h("span", { class: "brief", "aria-hidden": "true" }, brief(move)),
        h("span", { class: "tags" }, ...tags(move, isPlain)),
        left !== null && move.dtm !== 1 && move.category !== "cursed-win"
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
                      menAfter(position.fen, move),
                  ),
              )
            : null,
    ];
}

function row(position: Explored, move: Move, isPlain: boolean, events: MoveEvents): HTMLElement {
    const isJudged = move.status === "judged";
    const value = isJudged ? worth(position, move, isPlain) : [];
    const button = h("button", { class: "move" }, h("span", { class: "san" }, moveText(move.san)), ...value);
    button.addEventListener("click", () => events.play(move));
    for (const on of ["pointerenter", "focus"]) button.addEventListener(on, () => events.point(move));
    for (const off of ["pointerleave", "blur"]) button.addEventListener(off, () => events.point(null));
    // On a phone only these take a row of their own.
    const isLong = isJudged && (move.sacrifice || move.begins_count || move.category === "blessed-loss");
    return h("li", { class: isLong ? "long" : null }, button);
}

/** Fills the card; `isAwaited` says that the moves of a position that has its verdict are still to come. */
export function showMoves(card: HTMLElement, position: Explored | null, isAwaited: boolean, events: MoveEvents): void {
    if (!position) {
        card.replaceChildren(...(isAwaited ? [h("p", { class: "muted" }, words.verdict.waiting)] : []));
        card.hidden = !isAwaited;
        return;
    }
    card.hidden = false;
    const say = words.group;
    const heaps: (Heap | "unjudged")[] = ["win", "drawn", "loss", "unjudged"];
    const heapOfMove = (move: Move) => (move.status === "judged" ? heapOf(move.category) : "unjudged");
    const isCursed = (what: Explored | Move) => what.status === "judged" && what.category === "cursed-win";
    const groups = heaps.map((heap) => {
        const moves = position.moves.filter((move) => heapOfMove(move) === heap);
        if (moves.length === 0) return null;
        const isPlain = isCursed(position) && moves.every(isCursed);
        const title = { win: say.win, drawn: say.drawn, loss: say.loss, unjudged: say.unjudged }[heap];
        return h(
            "section",
            { class: `heap ${heap}` },
            h("h3", {}, title, h("span", { class: "how-many" }, String(moves.length))),
            h("ol", {}, ...moves.map((move) => row(position, move, isPlain, events))),
        );
    });
    card.replaceChildren(
        h("h2", { class: "card-title" }, say.title(position.side)),
        ...groups.filter((group) => group !== null),
        ...(position.moves.length === 0 ? [h("p", { class: "muted" }, say.none)] : []),
    );
}
