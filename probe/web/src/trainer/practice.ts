// Positions to practise: random setups, of which those that fit by the tables are kept.
import { isWhole, type KnownPosition, server, type Side } from "../api.ts";
import { mayStand, other, readFen, roleOf, type Setup, swapped, writeFen } from "../position.ts";
import { movesIn, winnerOf } from "../told.ts";
import { type Goal, keyOf, type Task } from "./task.ts";

export interface Wish {
    material: string;
    goal: Goal;
    /** The player's side, if it can be so. */
    side: Side;
    /** Moves that the count leaves beyond those needed; null leaves the count as it begins. */
    spare: number | null;
}

/** Positions asked about at a time, and how often. */
const THROWN = 60;
const TIMES = 5;

/** A position with these men on random squares. */
export function throwMen(men: string[], side: Side): string {
    const free = Array.from({ length: 64 }, (_, square) => square);
    const squares: Setup["squares"] = new Array(64).fill(null);
    // Pawns first: there are always squares left for them.
    const isPawn = (man: string) => roleOf(man) === "P";
    for (const man of [...men.filter(isPawn), ...men.filter((man) => !isPawn(man))]) {
        const fitting = free.filter((square) => mayStand(man, square));
        const square = fitting[Math.floor(Math.random() * fitting.length)]!;
        free.splice(free.indexOf(square), 1);
        squares[square] = man;
    }
    return writeFen({ squares, side, count: null, move: 1 });
}

/** A count with this number of moves to spare; a count that begins now if that leaves fewer. */
function tightened(position: KnownPosition, wish: Wish): string {
    const { count, begins, fen } = position;
    const needs = movesIn((begins?.counts ? position.dtm : position.dtz) ?? 0);
    const left = needs + (wish.spare ?? 0);
    const now = count.attacker_moves_left ?? 0;
    if (wish.spare === null || !begins || wish.goal !== "win" || left >= now) return fen;
    // The count runs in plies: each of the attacker's moves less is two of them.
    const fields = fen.split(" ");
    fields[3] = String(begins.limit);
    fields[4] = String(begins.ply + 2 * (now - left));
    return fields.join(" ");
}

/** A position of an ending that fits; null if none is found. */
export async function findTask(wish: Wish, signal: AbortSignal): Promise<Task | null> {
    const [first = "", second = ""] = wish.material.split("v");
    // The attacker gets the first side of the material.
    const category = wish.goal === "win" ? "win" : "blessed-loss";
    for (let time = 0; time < TIMES; time++) {
        const own = wish.goal === "win" ? first : second;
        const rest = wish.goal === "win" ? second : first;
        const as = (men: string, side: Side) => [...men].map((man) => (side === "white" ? man : man.toLowerCase()));
        const men = [...as(own, wish.side), ...as(rest, other(wish.side))];
        const fens = Array.from({ length: THROWN }, () => throwMen(men, wish.side));
        const found = (await server.batch(fens, signal))
            .filter((each) => each.status === "judged")
            .filter((each) => each.category === category && each.dtm);
        // A random one of the longer half.
        const sorted = found.sort((a, b) => Math.abs(b.dtm!) - Math.abs(a.dtm!));
        const some = sorted[Math.floor(Math.random() * Math.ceil(sorted.length / 2))];
        if (!some) continue;
        const position = await server.explore(some.fen, signal);
        if (position.status === "unjudged") continue;
        const fen = tightened(position, wish);
        const judged = await server.explore(fen, signal);
        if (!isWhole(judged)) continue;
        const isFit = wish.goal === "win" ? judged.category === "win" : winnerOf(judged) === other(wish.side);
        if (isFit) return { key: keyOf(fen), fen, side: wish.side, goal: wish.goal };
    }
    return wish.goal === "save" ? savedTask(wish, signal) : null;
}

/** One of the saves that the server lists, if random setups find none. */
async function savedTask(wish: Wish, signal: AbortSignal): Promise<Task | null> {
    const { saves } = await server.saves(wish.material, signal);
    const some = saves[Math.floor(Math.random() * saves.length)];
    if (!some) return null;
    const setup = readFen(some.fen);
    const fen = setup.side === wish.side ? some.fen : writeFen(swapped(setup));
    return { key: keyOf(fen), fen, side: wish.side, goal: wish.goal };
}
