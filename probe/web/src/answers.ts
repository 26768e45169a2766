// The server's answers about positions, and the request under way.
import { boardIn } from "./fen.ts";
import { type Explored, type Glimpse, type Known, Refusal, refusalOf, server, type Side } from "./api.ts";

/** An answer; null while there is none yet. */
export type State = Explored | Refusal | null;

/** Positions whose answers are kept. */
const KEPT = 500;

const keyOf = (fen: string, counter: Side | null) => `${fen} ${counter ?? ""}`;

const known = new Map<string, Explored | Refusal>();

function keep(fen: string, counter: Side | null, answer: Explored | Refusal): void {
    if (known.size >= KEPT) known.clear();
    known.set(keyOf(fen, counter), answer);
}

/** Reads a FEN that somebody gives: the answer, or the refusal. On the board it is not asked for again. */
export async function read(fen: string): Promise<Explored | Refusal> {
    const answer = await server.explore(fen, new AbortController().signal).catch(refusalOf);
    keep(answer instanceof Refusal ? boardIn(fen) : answer.fen, null, answer);
    return answer;
}

export class Answers {
    private asked = new AbortController();

    /** The answer, if it is known. */
    of(fen: string, counter: Side | null): State {
        const key = keyOf(fen, counter);
        const answer = known.get(key) ?? null;
        // A missing table may be added: what was said of it is shown once.
        if (answer && !(answer instanceof Refusal) && answer.error) known.delete(key);
        return answer;
    }

    /** Drops the request under way. */
    drop(): void {
        this.asked.abort();
    }

    /**
     * Asks for a position in which this side's count runs. An earlier request is dropped. A refusal counts as an
     * answer. `early` gets the verdict where it is there before the moves.
     */
    ask(
        fen: string,
        counter: Side | null,
        early: (verdict: Known | Glimpse) => void,
        heard: (answer: Explored | Refusal) => void,
    ): void {
        this.drop();
        this.asked = new AbortController();
        const { signal } = this.asked;
        server
            .explore(fen, signal, counter, (verdict) => !signal.aborted && early(verdict))
            .catch((error: unknown) => {
                if (error instanceof Refusal) return error;
                throw error;
            })
            .then((answer) => {
                keep(fen, counter, answer);
                if (!(answer instanceof Refusal)) keep(answer.fen, counter, answer);
                if (!signal.aborted) heard(answer);
            })
            .catch((error: unknown) => {
                if (!signal.aborted) heard(new Refusal(String(error), "unreadable"));
            });
    }
}
