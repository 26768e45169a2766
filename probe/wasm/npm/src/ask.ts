// The interface of tables that answer questions, and the options of a question.
import type { Explored, Line, Position, Refused, Side } from "./answers.ts";
import type { Signal } from "./platform.ts";

/** Options of every question. */
export interface AskOptions {
    /** Cancels the question, and the fetches for it. */
    signal?: Signal | undefined;
    /** Called after each round with the number of rounds. */
    onRound?: (rounds: number) => void;
}

/** Tables that answer: a tablebase, or a substitute for one. */
export interface Answering {
    explore(fen: string, options?: AskOptions & { counts?: Side | null }): Promise<Explored>;
    line(fen: string, options?: AskOptions): Promise<Line>;
    batch(
        fens: string[],
        options?: AskOptions & { moves?: boolean },
    ): Promise<(Position | Refused)[]>;
}
