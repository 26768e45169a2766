// The player's opponent: it plays the longest defence, or the reply that is hardest to answer.
import { isWhole, type KnownMove, server, type Whole } from "../api.ts";
import { type Goal, keeps } from "./task.ts";

export type Manner = "stubborn" | "tricky";

/** Replies that are weighed for their traps. */
const WEIGHED = 6;
/** The most plies of the longest defence that a trap may cost. */
const COSTS = 6;

/** The plies until the conversion or mate after a move. */
const length = ({ dtz, dtm }: KnownMove) => Math.abs(dtz ?? dtm ?? 0);

/** Replies that give nothing away and cost little. */
function candidates(position: Whole): KnownMove[] {
    const [best] = position.moves;
    if (!best) return [];
    const fair = position.moves.filter(
        (move) => move.category === best.category && Math.abs(length(move) - length(best)) <= COSTS,
    );
    return fair.slice(0, WEIGHED);
}

/** The opponent's move; null if there is none. */
export async function reply(
    position: Whole,
    goal: Goal,
    manner: Manner,
    signal: AbortSignal,
): Promise<KnownMove | null> {
    const [best] = position.moves;
    const found = manner === "tricky" ? candidates(position) : [];
    if (!best || found.length < 2) return best ?? null;
    const weighed = await Promise.all(
        found.map(async (move) => {
            const after = await server.explore(move.fen, signal);
            // A reply whose answers the tables do not judge is no trap.
            if (!isWhole(after)) return { move, share: 1 };
            const { moves } = after;
            const good = moves.filter((answer) => keeps(answer, goal)).length;
            return { move, share: moves.length === 0 ? 1 : good / moves.length };
        }),
    );
    // The first of those that leave the fewest good answers: it holds out longest.
    return weighed.reduce((hardest, each) => (each.share < hardest.share ? each : hardest)).move;
}
