// Positions that a search found, as files.
import type { FoundPosition } from "../api.ts";

/** The moves that keep the result, the best first. */
export const keepingOf = ({ saving_moves, winning_moves }: FoundPosition) => saving_moves ?? winning_moves ?? [];
const bestOf = (found: FoundPosition) => keepingOf(found).map(({ san }) => san);
const idOf = ({ material, side, number }: FoundPosition) => `${material}:${side}:${number}`;

function epd(found: FoundPosition[]): string {
    const line = (each: FoundPosition) => {
        const best = bestOf(each);
        const moves = best.length > 0 ? ` bm ${best.join(" ")};` : "";
        return `${each.fen.split(" ").slice(0, 2).join(" ")} - -${moves} id "${idOf(each)}";`;
    };
    return found.map(line).join("\n");
}

/** Columns that only some kinds of positions have. */
const COLUMNS = ["short_by", "needed", "left", "spare", "category", "opposite", "by_count", "full"] as const;

function csv(found: FoundPosition[]): string {
    const columns = COLUMNS.filter((column) => found.some((each) => each[column] !== undefined));
    const moves = found[0]?.winning_moves ? "winning_moves" : "saving_moves";
    const rows = found.map((each) => [
        idOf(each),
        each.fen,
        each.dtm ?? "",
        each.dtz ?? "",
        ...columns.map((column) => each[column] ?? ""),
        each.legal_moves,
        bestOf(each).join(" "),
    ]);
    return [["id", "fen", "dtm", "dtz", ...columns, "legal_moves", moves], ...rows]
        .map((row) => row.join(","))
        .join("\n");
}

function pgn(found: FoundPosition[]): string {
    const game = (each: FoundPosition) => {
        const number = each.fen.split(" ")[1] === "w" ? "1." : "1...";
        const [best, ...others] = bestOf(each);
        const rest = others.map((san) => ` (${number} ${san})`).join("");
        return [
            `[Event "${idOf(each)}"]`,
            '[Variant "makruk"]',
            '[SetUp "1"]',
            `[FEN "${each.fen}"]`,
            '[Result "*"]',
            "",
            best ? `${number} ${best}${rest} *` : "*",
        ].join("\n");
    };
    return found.map(game).join("\n\n");
}

export const FORMATS = { pgn, epd, csv };
export type Format = keyof typeof FORMATS;
