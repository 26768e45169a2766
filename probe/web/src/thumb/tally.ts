// A count that an arbiter keeps without a position: the honour, the men that set the limit, and the moves called.
import { kept, keptValue } from "../store.ts";

export const PIECES = ["R", "N", "S", "M"] as const;
export type Piece = (typeof PIECES)[number];
/** The attacker's men besides the king. */
export type Men = Record<Piece, number>;
/** The most men of each kind that a side can have: mets come from pawns. */
export const MOST: Men = { R: 2, N: 2, S: 2, M: 9 };

export interface Tally {
    honour: "board" | "pieces";
    men: Men;
    /** The time of each call, in milliseconds since 1970. */
    calls: number[];
}

const KEY = "makruk-thumb";
const BOARD = 64;

export const fresh = (): Tally => ({ honour: "pieces", men: { R: 1, N: 0, S: 0, M: 0 }, calls: [] });

/** The limit of the pieces' honour: the first rule that fits. */
function limitBy({ R, N, S }: Men): number {
    if (R >= 2) return 8;
    if (R === 1) return 16;
    if (S >= 2) return 22;
    if (N >= 2) return 32;
    return S === 1 ? 44 : 64;
}

export const limitOf = ({ honour, men }: Tally): number => (honour === "board" ? BOARD : limitBy(men));

/** Men on the board, both kings included, which count as counted already. */
const menOn = (men: Men): number => 2 + PIECES.reduce((sum, piece) => sum + men[piece], 0);

/** The number from which the count continues. */
export const startOf = ({ honour, men }: Tally): number => (honour === "board" ? 0 : menOn(men));

/** The number that was called last. */
export const numberOf = (tally: Tally): number => startOf(tally) + tally.calls.length;

/** Whether the attacker has made the last move: the call after the limit ends the game. */
export const isOver = (tally: Tally): boolean => numberOf(tally) > limitOf(tally);

export const read = (): Tally => keptValue(KEY) ?? fresh();

export const write = (tally: Tally): void => kept.set(KEY, JSON.stringify(tally));
