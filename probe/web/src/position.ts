// A FEN as squares to draw and to set up. There are no rules here: the server decides which positions are legal.
import type { Side } from "./api.ts";

export type Role = "K" | "R" | "N" | "S" | "M" | "P";
export const ROLES: Role[] = ["K", "R", "N", "S", "M", "P"];
/** A man: upper case is White's. */
export type Man = string;

export const roleOf = (man: Man): Role => man.toUpperCase() as Role;
export const sideOf = (man: Man): Side => (man === man.toUpperCase() ? "white" : "black");
export const manOf = (role: Role, side: Side): Man => (side === "white" ? role : role.toLowerCase());
export const other = (side: Side): Side => (side === "white" ? "black" : "white");

/** Square 0 is a1, 63 is h8. */
export const nameOf = (square: number): string => "abcdefgh"[square % 8]! + (Math.floor(square / 8) + 1);
export const squareOf = (name: string): number => "abcdefgh".indexOf(name[0]!) + 8 * (Number(name[1]) - 1);

/** The squares that a move leads from and to. */
export const squaresOf = (uci: string): [from: number, to: number] => [squareOf(uci), squareOf(uci.slice(2))];

/** The letters that other programs write, as ours. */
const LETTERS: Record<string, Role> = { B: "S", E: "S", Q: "M", F: "M" };

export interface Setup {
    squares: (Man | null)[];
    side: Side;
    /** LIMIT and PLY in plies; null where no count runs. */
    count: { limit: number; ply: number } | null;
    move: number;
}

/** Reads a FEN as far as possible; the server reports its errors. A text without eight ranks of men has no board. */
export function readFen(fen: string): Setup {
    const [board = "", side, , limit = "-", ply = "0", move = "1"] = fen.trim().split(/\s+/);
    const squares: (Man | null)[] = new Array(64).fill(null);
    const isBoard = /^([1-8krnsmpbeqf~+]+(\/|$)){8}$/i.test(board);
    (isBoard ? board : "")
        .split("/")
        .slice(0, 8)
        .forEach((rank, from) => {
            let file = 0;
            for (const letter of rank) {
                if (letter >= "1" && letter <= "8") {
                    file += Number(letter);
                } else if (letter !== "~" && file < 8) {
                    const upper = letter.toUpperCase();
                    const role = LETTERS[upper] ?? (upper as Role);
                    if (ROLES.includes(role))
                        squares[8 * (7 - from) + file] = letter === upper ? role : role.toLowerCase();
                    file += 1;
                }
            }
        });
    const runs = Number(limit) > 0;
    return {
        squares,
        side: side === "b" ? "black" : "white",
        count: runs ? { limit: Number(limit), ply: Number(ply) || 0 } : null,
        move: Math.max(1, Number(move) || 1),
    };
}

export function writeFen({ squares, side, count, move }: Setup): string {
    const ranks = [];
    for (let rank = 7; rank >= 0; rank--) {
        let text = "";
        let empty = 0;
        for (const man of squares.slice(8 * rank, 8 * rank + 8)) {
            if (!man) {
                empty += 1;
                continue;
            }
            text += (empty || "") + man;
            empty = 0;
        }
        ranks.push(text + (empty || ""));
    }
    const fields = count ? `${count.limit} ${count.ply}` : "- 0";
    return `${ranks.join("/")} ${side === "white" ? "w" : "b"} - ${fields} ${move}`;
}

/** The same seen in a mirror: files a to h become h to a. */
export function mirrored(setup: Setup): Setup {
    return { ...setup, squares: setup.squares.map((_, square) => setup.squares[square ^ 7]!) };
}

/** The same with colours swapped: ranks turn with them, for the sake of the men that know forward. */
export function swapped(setup: Setup): Setup {
    const turned = (man: Man | null) => man && manOf(roleOf(man), other(sideOf(man)));
    return {
        ...setup,
        side: other(setup.side),
        squares: setup.squares.map((_, square) => turned(setup.squares[square ^ 56]!)),
    };
}

/** The men of both sides, as a material's name has them: `KRvKS`. */
export function materialOf(squares: (Man | null)[]): string {
    const men = (side: Side) =>
        ROLES.map((role) => role.repeat(squares.filter((man) => man === manOf(role, side)).length)).join("");
    return `${men("white")}v${men("black")}`;
}

/** The two names that a material may have, of which the tables have one; from either, with its men in any order. */
export function namesOf(material: string): string[] {
    const sides = material.toUpperCase().split("V");
    const [one, other] = sides.map((men) => ROLES.map((role) => role.repeat(men.split(role).length - 1)).join(""));
    return [`${one}v${other}`, `${other}v${one}`];
}

/** The names of a position's material. */
export const namesAt = (fen: string): string[] => namesOf(materialOf(readFen(fen).squares));

/** Whether either side has an unpromoted pawn. While one does, nothing is counted. */
export const hasPawns = (squares: (Man | null)[]): boolean =>
    squares.some((man) => man !== null && roleOf(man) === "P");

/** The side that has nothing but its king, if there is one. */
export const bareSide = (squares: (Man | null)[]): Side | null =>
    (["white", "black"] as const).find(
        (side) => squares.filter((man) => man !== null && sideOf(man) === side).length === 1,
    ) ?? null;

/** The ranks of a side's unpromoted pawns, from 1: they begin on the third from their side and promote on the sixth. */
export const PAWN_RANKS: Record<Side, readonly [number, number]> = { white: [3, 5], black: [4, 6] };

/** Whether a man may stand on a square. */
export function mayStand(man: Man, square: number): boolean {
    const [least, most] = PAWN_RANKS[sideOf(man)];
    const rank = Math.floor(square / 8) + 1;
    return roleOf(man) !== "P" || (rank >= least && rank <= most);
}

export const countMen = (squares: (Man | null)[]): number => squares.filter(Boolean).length;
