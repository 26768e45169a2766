// Addresses: of a position, of a task, and of a line that leads to it, with the looks of the page.
import { inAddress } from "./api.ts";
import { isEmbedded } from "./embed.ts";
import type { Line, Node } from "./line.ts";
import { root } from "./root.ts";
import type { Task } from "./trainer/task.ts";

/** What a link says besides its position. Its moves are after the #, and the server does not receive them. */
export interface Shared {
    /** Moves in SAN from the address's position on. */
    moves: string[];
    /** The number of them that have been played. */
    at: number;
    isFlipped: boolean;
}

export const addressOf = (fen: string): string => `${root}?${isEmbedded() ? "embed&" : ""}fen=${inAddress(fen)}`;

const LESSON = "lesson ";

/** The address of a lesson, or of a task of its own: for Back, for a reload, and for friends. */
export function addressOfTask({ key, fen, goal, side, day }: Task): string {
    if (day) return `${root}?train=daily&day=${day}`;
    if (key.startsWith(LESSON)) return `${root}?train=${key.slice(LESSON.length)}`;
    return `${root}?train&task=${inAddress(fen)}&goal=${goal}&as=${side}`;
}

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
export function linkTo(line: Line, isFlipped: boolean, language: string): string {
    const at = line.path.length - 1;
    const moves = movesOf(line);
    const parts = [isFlipped ? "flip" : "", moves && `line=${moves}&at=${at}`].filter(Boolean).join("&");
    return `${location.origin}${addressOf(line.root.fen)}&lang=${language}${parts && `#${parts}`}`;
}

/** Reads what a link says. */
export function readShared(link: string): Shared {
    const parts = new URLSearchParams(link.replace(/[?#]/g, "&"));
    const moves = (parts.get("line") ?? "").split(",").filter(Boolean);
    return {
        moves,
        at: parts.has("at") ? Number(parts.get("at")) || 0 : moves.length,
        isFlipped: parts.has("flip"),
    };
}

/** The moves of a link as a game that the server reads. */
export function gameOf(fen: string, moves: string[]): string {
    const isWhite = fen.split(" ")[1] !== "b";
    const number = isWhite ? "1." : "1...";
    return `[FEN "${fen}"]\n\n${number} ${moves.map((san) => san.replace(/[^\w+#=-]/g, "")).join(" ")} *`;
}
