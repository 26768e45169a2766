// A position in small.
import { h, link } from "./dom.ts";
import { words } from "./language/index.ts";
import { drawMan } from "./pieces.ts";
import { readFen } from "./position.ts";

/** The board alone. */
export function smallBoard(fen: string): HTMLElement {
    const { squares } = readFen(fen);
    const board = h("span", { class: "mini", "aria-hidden": "true" });
    for (let cell = 0; cell < 64; cell++) {
        const man = squares[cell ^ 56];
        board.append(h("span", {}, man ? drawMan(man) : null));
    }
    return board;
}

/** A board that leads somewhere, with a word below it. */
export function miniature(fen: string, caption: string, href: string, open: () => void): HTMLElement {
    const { side } = readFen(fen);
    return link(
        href,
        open,
        { class: "miniature", title: fen, "aria-label": `${words.verdict.turn(side)}, ${caption}: ${fen}` },
        smallBoard(fen),
        h("span", { class: "caption" }, h("i", { class: `dot ${side}` }), caption),
    );
}
