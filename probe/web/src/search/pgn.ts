// Positions that a search found, as games of one move.
import type { FoundPosition } from "../api.ts";

/** The moves that keep the result, the best first. */
export const keepingOf = ({ saving_moves, winning_moves }: FoundPosition) => saving_moves ?? winning_moves ?? [];

/** A file of games. */
export function pgn(found: FoundPosition[]): string {
    const game = (each: FoundPosition) => {
        const number = each.fen.split(" ")[1] === "w" ? "1." : "1...";
        const [best, ...others] = keepingOf(each).map(({ san }) => san);
        const rest = others.map((san) => ` (${number} ${san})`).join("");
        return [
            `[Event "${each.material}:${each.side}:${each.number}"]`,
            '[Variant "makruk"]',
            '[SetUp "1"]',
            `[FEN "${each.fen}"]`,
            '[Result "*"]',
            "",
            best ? `${number} ${best}${rest} *` : "*",
        ].join("\n");
    };
    return `${found.map(game).join("\n\n")}\n`;
}
