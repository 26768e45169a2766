// Addresses: of a position, and of a line that leads to it, with the looks of the page.
import { inAddress } from "./api.ts";
import { isEmbedded } from "./embed.ts";
import type { Line, Node } from "./line.ts";
import { root } from "./root.ts";

/** The part of a link after the #. The server does not receive it. */
export interface Shared {
    /** Moves in SAN from the address's position on. */
    moves: string[];
    /** The number of them that have been played. */
    at: number;
    isFlipped: boolean;
    quiz: "draw" | "win" | null;
}

export const addressOf = (fen: string): string => `${root}?${isEmbedded() ? "embed&" : ""}fen=${inAddress(fen)}`;

/** The positions that lead here and those on from here. */
export function stepsOf(line: Line): Node[] {
    const steps = [...line.path];
    for (let node = line.now.onward; node && node.san !== null; node = node.onward) steps.push(node);
    return steps;
}

/** The moves of the line, as a part of an address. */
const movesOf = (line: Line): string =>
    stepsOf(line)
        .slice(1)
        .map(({ san }) => encodeURIComponent(san!))
        .join(",");

/** A link to the whole line on the board: its first position, its moves, and the current move. */
export function linkTo(line: Line, isFlipped: boolean, quiz: Shared["quiz"], language: string): string {
    const at = line.path.length - 1;
    // Who gets a puzzle is to find its moves, without those that somebody else has tried.
    const moves = quiz ? "" : movesOf(line);
    const parts = [
        moves && `line=${moves}&at=${at}`,
        isFlipped ? "flip" : "",
        quiz ? `quiz=${quiz}` : "",
        `lang=${language}`,
    ];
    return `${location.origin}${addressOf(line.root.fen)}#${parts.filter(Boolean).join("&")}`;
}

/** Reads the part after the #. */
export function readShared(hash: string): Shared {
    const parts = new URLSearchParams(hash.replace(/^#/, ""));
    const moves = (parts.get("line") ?? "").split(",").filter(Boolean);
    const quiz = parts.get("quiz");
    return {
        moves,
        at: parts.has("at") ? Number(parts.get("at")) || 0 : moves.length,
        isFlipped: parts.has("flip"),
        quiz: quiz === "draw" || quiz === "win" ? quiz : null,
    };
}

/** The moves of a link as a game that the server reads. */
export function gameOf(fen: string, moves: string[]): string {
    const isWhite = fen.split(" ")[1] !== "b";
    const number = isWhite ? "1." : "1...";
    return `[FEN "${fen}"]\n\n${number} ${moves.map((san) => san.replace(/[^\w+#=-]/g, "")).join(" ")} *`;
}
