// Positions that a search found, as files.
import type { FoundSave } from "../api.ts";

const bestOf = ({ saving_moves }: FoundSave) => saving_moves.map(({ san }) => san);
const idOf = ({ material, side, number }: FoundSave) => `${material}:${side}:${number}`;

function epd(saves: FoundSave[]): string {
    const line = (save: FoundSave) =>
        `${save.fen.split(" ").slice(0, 2).join(" ")} - - bm ${bestOf(save).join(" ")}; id "${idOf(save)}";`;
    return saves.map(line).join("\n");
}

function csv(saves: FoundSave[]): string {
    const rows = saves.map((save) => [
        idOf(save),
        save.fen,
        save.dtm ?? "",
        save.dtz ?? "",
        save.short_by ?? "",
        save.legal_moves,
        bestOf(save).join(" "),
    ]);
    return [["id", "fen", "dtm", "dtz", "short_by", "legal_moves", "saving_moves"], ...rows]
        .map((row) => row.join(","))
        .join("\n");
}

function pgn(saves: FoundSave[]): string {
    const game = (save: FoundSave) => {
        const number = save.fen.split(" ")[1] === "w" ? "1." : "1...";
        const [best, ...others] = bestOf(save);
        const rest = others.map((san) => ` (${number} ${san})`).join("");
        return [
            `[Event "${idOf(save)}"]`,
            '[Variant "makruk"]',
            '[SetUp "1"]',
            `[FEN "${save.fen}"]`,
            '[Result "*"]',
            "",
            `${number} ${best ?? ""}${rest} *`,
        ].join("\n");
    };
    return saves.map(game).join("\n\n");
}

export const FORMATS = { pgn, epd, csv };
export type Format = keyof typeof FORMATS;
