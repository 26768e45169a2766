// A random sample of the positions that a search finds: one each after random places of the table.
import type { FoundPage, FoundPosition, Side } from "../api.ts";
import { keepingOf } from "./pgn.ts";

/** How often places are drawn, and requests at a time. */
const TIMES = 4;
const AT_A_TIME = 3;

const choose = (n: number, k: number): number =>
    Array.from({ length: k }, (_, at) => (n - at) / (at + 1)).reduce((product, factor) => product * factor, 1);

/** Cells of a table for one side to move: pairs of kings up to symmetry, and the squares of the other men. */
function cellsOf(material: string): number {
    const kings = /[SP]/.test(material) ? 1806 : 462;
    return material.split("v").reduce(
        (cells, men) =>
            [..."RNSMP"].reduce((product, role) => {
                const count = men.split(role).length - 1;
                return product * choose(role === "P" ? 24 : 64, count);
            }, cells),
        kings,
    );
}

/** Numbers from 0 to 1 that a seed decides, so that an address finds the same again. */
function lots(seed: number): () => number {
    let state = seed;
    return () => {
        // Mulberry32, by Tommy Ettinger, in the public domain.
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

/** The share of the legal moves that keep the result: the smaller, the harder. */
const ease = (found: FoundPosition) => keepingOf(found).length / found.legal_moves;

/** The order of difficulty. */
export const harderFirst = (a: FoundPosition, b: FoundPosition): number =>
    ease(a) - ease(b) || b.legal_moves - a.legal_moves || a.number - b.number;

/** A sample that continues: random positions. */
export class Sample {
    /** Cells that were looked through. */
    scanned = 0;
    private readonly lot: () => number;
    private readonly seen = new Set<string>();
    private readonly material: string;
    /** Cells from the first on that are drawn from, of each side to move: no position is found from there on. */
    private readonly cells: Record<Side, number>;

    constructor(material: string, side: Side | "any", seed: number) {
        this.material = material;
        const cells = cellsOf(material);
        this.cells = { white: side === "black" ? 0 : cells, black: side === "white" ? 0 : cells };
        this.lot = lots(seed);
    }

    /** A place of the table. */
    private place(): { side: Side; cell: number } {
        const { white, black } = this.cells;
        const at = Math.floor(this.lot() * (white + black));
        return at < white ? { side: "white", cell: at } : { side: "black", cell: at - white };
    }

    /**
     * More positions; `find` asks for the first one from a place on. Fewer than wanted come where there are few, or
     * where a search from a place takes longer than an answer may.
     */
    async draw(find: (cursor: string, side: Side) => Promise<FoundPage>, wanted: number): Promise<FoundPosition[]> {
        const drawn: FoundPosition[] = [];
        for (let time = 0; time < TIMES && drawn.length < wanted; time++) {
            if (this.cells.white + this.cells.black === 0) break;
            const places = Array.from({ length: wanted - drawn.length }, () => this.place());
            const pages: FoundPage[] = [];
            const work = async (from: number) => {
                for (let at = from; at < places.length; at += AT_A_TIME) {
                    const { side, cell } = places[at]!;
                    pages[at] = await find(`${this.material}:${side}:${cell}`, side);
                    // A side without positions from here on, such as one that has none, is drawn from less.
                    if (pages[at]!.saves.length === 0 && pages[at]!.cursor === null)
                        this.cells[side] = Math.min(this.cells[side], cell);
                }
            };
            await Promise.all(Array.from({ length: AT_A_TIME }, (_, from) => work(from)));
            for (const { saves, scanned } of pages) {
                this.scanned += scanned;
                for (const found of saves) {
                    const id = `${found.side}:${found.number}`;
                    if (!this.seen.has(id)) drawn.push(found);
                    this.seen.add(id);
                }
            }
        }
        return drawn;
    }
}
