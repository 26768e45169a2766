// Positions that a search found, as games of one move.
import type { FoundPosition } from "../api.ts";
import { gameText } from "../pgn-text.ts";

/** The moves that keep the result, the best first. */
export const keepingOf = ({ saving_moves, winning_moves }: FoundPosition) => saving_moves ?? winning_moves ?? [];

/** A found position, its best move and the others as variations. */
export function gameOf(found: FoundPosition): string {
    const number = found.fen.split(" ")[1] === "w" ? "1." : "1...";
    const [best, ...others] = keepingOf(found).map(({ san }) => san);
    const rest = others.map((san) => ` (${number} ${san})`).join("");
    return gameText(
        `${found.material}:${found.side}:${found.number}`,
        found.fen,
        best ? `${number} ${best}${rest}` : "",
    );
}
