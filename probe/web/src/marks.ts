// Results that stand on the squares of a board: of each legal move, or with one man on each square.
import type { BatchItem, Explored, Known } from "./api.ts";
import { s } from "./dom.ts";
import { mayStand, type Setup, squareOf, writeFen } from "./position.ts";
import { movesIn, type Tone, toneOf } from "./told.ts";

/** A result: where a side wins, with its moves. */
export interface Mark {
    tone: Tone;
    moves: number | null;
}
/** By square. */
export type Marks = (Mark | null)[];

const INK: Record<Tone, { fill: string; line: string; text: string }> = {
    white: { fill: "#fdf6e6", line: "#4a321c", text: "#2a2018" },
    black: { fill: "#33221a", line: "#1a100a", text: "#f3dfbd" },
    count: { fill: "#f6cf7c", line: "#7a4a00", text: "#4a2d00" },
    draw: { fill: "#f0d5a8", line: "#7a4c22", text: "#4b2e14" },
};

/** A mark in a square one unit wide: shapes say what colours do. On a man it is small, in a corner. */
export function drawMark({ tone, moves }: Mark, hasMan: boolean): SVGElement {
    const { fill, line, text } = INK[tone];
    const paint = { fill, stroke: line, "stroke-width": 0.035 };
    let shape: SVGElement | null = s("circle", { r: 0.3, ...paint });
    if (tone === "count") shape = s("path", { d: "M0-.36L.36 0L0 .36L-.36 0Z", ...paint });
    else if (tone === "draw" && !hasMan) shape = null;
    const said = moves === null ? "=" : String(moves);
    const size = tone === "draw" ? 0.5 : 0.3;
    return s(
        "g",
        { class: `mark ${tone}`, transform: hasMan ? "translate(.78 .24) scale(.6)" : "translate(.5 .5)" },
        shape,
        s(
            "text",
            {
                y: size * 0.36,
                fill: text,
                "font-size": size,
                "font-weight": 700,
                "font-family": "system-ui, sans-serif",
                "text-anchor": "middle",
            },
            said,
        ),
    );
}

/** A verdict, or that of a move for the side that makes it, as a mark. */
function markOf(verdict: Pick<Known, "side" | "category">, plies: number | null): Mark {
    const tone = toneOf(verdict);
    return { tone, moves: tone === "white" || tone === "black" ? movesIn(plies ?? 0) : null };
}

/** The result of the best move to each square. The numbers are those of the list of moves. */
export function marksOfMoves({ side, moves }: Explored): Marks {
    const marks: Marks = new Array(64).fill(null);
    for (const move of moves) {
        if (move.status === "unjudged") continue;
        const { category, dtz, dtm } = move;
        marks[squareOf(move.uci.slice(2))] ??= markOf({ side, category }, Math.max(0, Math.abs(dtz ?? dtm ?? 1) - 1));
    }
    return marks;
}

/** The positions with a man on each square where he may stand, by their squares. */
export function mapOf(setup: Setup, from: number): [square: number, fen: string][] {
    const man = setup.squares[from]!;
    return setup.squares.flatMap((other, square): [number, string][] => {
        if ((other && square !== from) || !mayStand(man, square)) return [];
        const squares = setup.squares.map((is, at) => (at === square ? man : at === from ? null : is));
        return [[square, writeFen({ ...setup, squares })]];
    });
}

/** The marks of a map: none where the position is illegal. Another refusal is that of the map. */
export function marksOfMap(
    map: [square: number, fen: string][],
    items: BatchItem[],
): Marks | Extract<BatchItem, { status: "refused" }> {
    const marks: Marks = new Array(64).fill(null);
    for (const [at, item] of items.entries()) {
        if (item.status === "judged") marks[map[at]![0]] = markOf(item, item.dtz ?? item.dtm);
        else if (item.reason !== "illegal_position") return item;
    }
    return marks;
}
