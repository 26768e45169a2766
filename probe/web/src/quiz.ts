// A position to solve: find the draw, or the win.
import type { KnownMove, Side } from "./api.ts";
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import type { Node } from "./line.ts";
import { moveText } from "./notation.ts";
import { heapOf } from "./told.ts";

export interface Quiz {
    kind: "draw" | "win";
    fen: string;
    /** It is solved, or the moves were asked for. */
    isOpen: boolean;
    /** Puzzles of the same kind that follow. */
    more: string[];
}

/** Whether a move solves it. */
export const solves = (quiz: Quiz, move: KnownMove): boolean =>
    heapOf(move.category) === (quiz.kind === "draw" ? "drawn" : "win");

/** The task of the puzzle; after a wrong move, a word about it. */
export function quizCard(
    quiz: Quiz,
    side: Side,
    played: Node | null,
    open: () => void,
    again: () => void,
): HTMLElement[] {
    const say = words.quiz;
    const show = h("button", { type: "button", onclick: open }, say.show);
    if (!played) return [h("h2", {}, say[quiz.kind](side)), h("p", { class: "muted" }, say.hint), show];
    return [
        h("h2", {}, say.wrong(moveText(played.san ?? ""), quiz.kind)),
        h(
            "div",
            { class: "buttons" },
            h("button", { type: "button", class: "primary", onclick: again }, say.again),
            show,
        ),
    ];
}
