import type { Explored, Line, Position, Refused, Side } from "./answers.ts";
import type { Signal } from "./platform.ts";
/** Options of every question. */
export interface AskOptions {
    /** Gives the question up, and whatever is fetched for it. */
    signal?: Signal | undefined;
    /** Told after each round how many there were. */
    onRound?: (rounds: number) => void;
}
/** Tables that answer: a tablebase, or what stands for one. */
export interface Answering {
    explore(fen: string, options?: AskOptions & {
        counts?: Side | null;
    }): Promise<Explored>;
    line(fen: string, options?: AskOptions): Promise<Line>;
    batch(fens: string[], options?: AskOptions & {
        moves?: boolean;
    }): Promise<(Position | Refused)[]>;
}
