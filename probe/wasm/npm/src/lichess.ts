// The answers with the fields of lila-tablebase, for programs that know those: as the service's /makruk gives them.
import type { Explored, ExploredMove, Position, Refused, Unjudged } from "./answers.ts";
import type { Answering, AskOptions } from "./ask.ts";
import { ProbeError } from "./error.ts";
import type { components } from "./schemas.ts";

type Schemas = components["schemas"];

/** The fields of a position, seen by its side to move. */
export type LichessStanding = Omit<LichessMove, "uci" | "san" | "zeroing" | "conversion">;
/** A move, and the position after it as the opponent sees it: a move to `loss` wins. */
export type LichessMove = Schemas["DialectMove"];
/** A position and its moves, best first. */
export type LichessPosition = Schemas["DialectPosition"];
/** A line of best play. */
export type LichessLine = Schemas["DialectMainline"];

type Answer = Position | Refused;

/** A position that the tables do not know. */
const UNKNOWN = { dtz: null, precise_dtz: null, dtm: null, category: "unknown", count: null } as const;
/** Mate and stalemate need no table. */
const MATED = { dtz: -1, precise_dtz: -1, dtm: 0, category: "loss", count: null } as const;
const STALEMATE = { dtz: 0, precise_dtz: 0, dtm: 0, category: "draw", count: null } as const;

const isJudged = (answer: object): answer is Omit<Position, "moves"> => "category" in answer;

function standing(fen: string, fields: Partial<LichessStanding>): LichessStanding {
    const men = boardOf(fen).replace(/k/gi, "");
    return {
        checkmate: false,
        stalemate: false,
        variant_win: false,
        variant_loss: false,
        insufficient_material: men.length === 0 || (men.length === 1 && /[nmp]/i.test(men)),
        ...UNKNOWN,
        dtw: null,
        dtc: null,
        ...fields,
    };
}

function judged({ fen, dtm, dtz, category, checkmate, stalemate, count }: Omit<Position, "moves">): LichessStanding {
    const precise = checkmate ? -1 : dtm === null ? 0 : dtz;
    return standing(fen, {
        checkmate,
        stalemate,
        dtz: precise ?? dtm,
        precise_dtz: precise,
        dtm: dtm ?? 0,
        // A mate that came after the count had drawn the game.
        category: checkmate && category === "draw" ? "blessed-loss" : category,
        count,
    });
}

/** The letters of the men in a FEN. */
const boardOf = (fen: string): string => fen.split(" ")[0]!.replace(/[^a-z]/gi, "");
const hasPawn = (fen: string): boolean => /p/i.test(boardOf(fen));
/** Whether the side to move, or the other, has only its king. */
const isBare = (fen: string, ofMover: boolean): boolean =>
    !((fen.split(" ")[1] === "w") === ofMover ? /[A-JL-Z]/ : /[a-jl-z]/).test(boardOf(fen));

/** Whether a move begins a count: it ends the last pawn or, without pawns, bares an armed opponent. */
function beginsCount(before: string, move: ExploredMove): boolean {
    if ("begins_count" in move) return move.begins_count;
    if (hasPawn(before)) return !hasPawn(move.fen);
    return move.capture && !isBare(before, true) && !isBare(before, false) && isBare(move.fen, true);
}

/** A position that the tables do not know, unless it is mate or stalemate. */
async function unjudged(tables: Answering, fen: string, why: Unjudged, options: AskOptions): Promise<LichessStanding> {
    if (why.reason !== "missing_table" && why.reason !== "too_many_men") throw new ProbeError(why.reason, why.error);
    // If a table is missing, the position stays unknown. With too many men for any table, the moves show mate and stalemate.
    if (why.reason === "missing_table") return standing(fen, UNKNOWN);
    const { moves, check } = await tables.explore(fen, options);
    if (moves.length > 0) return standing(fen, UNKNOWN);
    return check ? standing(fen, { ...MATED, checkmate: true }) : standing(fen, { ...STALEMATE, stalemate: true });
}

/** Plies of a move to the side that makes it, from those of the position after it. */
const before = (after: number): number => (after > 0 ? -after - 1 : 1 - after);

/** The distances of a known move, seen by the side that makes it. */
function ofMove(move: LichessMove): { dtm: number; dtz: number | null } {
    if (move.category === "draw") return { dtm: 0, dtz: null };
    const dtm = before(move.dtm!);
    const onward = move.checkmate ? 1 : move.precise_dtz === null ? null : before(move.precise_dtz);
    if (!move.zeroing) return { dtm, dtz: onward };
    // The move begins another count: it is the conversion, or it comes too late.
    if (move.category === "loss") return { dtm, dtz: 1 };
    return { dtm, dtz: move.category === "win" ? onward : null };
}

const WORTH = { loss: 0, unknown: 1, "blessed-loss": 2, draw: 3, "cursed-win": 4, win: 5 };

/** Best first, as the tables rank moves; those that are not known come after those that win. */
function compare(a: LichessMove, b: LichessMove): number {
    const by = (key: (move: LichessMove) => number): number => key(a) - key(b);
    const plies = (value: number | null): number => (value === null ? 65535 : Math.abs(value));
    const [dtz, dtm] = [(move: LichessMove) => plies(ofMove(move).dtz), (move: LichessMove) => plies(ofMove(move).dtm)];
    const worth = by((move) => WORTH[move.category]);
    if (worth !== 0) return worth;
    const order = {
        loss: () => by(dtz) || by(dtm),
        "blessed-loss": () => by(dtm),
        "cursed-win": () => -by(dtm),
        win: () => -by(dtz) || -by(dtm),
        draw: () => 0,
        unknown: () => 0,
    }[a.category]();
    return order || (a.uci < b.uci ? -1 : 1);
}

/** The verdict that a move gives a position whose own table is missing: `dtz` is a bound. */
function atLeast(fen: string, best: LichessMove): LichessStanding {
    const flipped = {
        loss: "win",
        "blessed-loss": "cursed-win",
        draw: "draw",
        "cursed-win": "blessed-loss",
        win: "loss",
    };
    const category = flipped[best.category as keyof typeof flipped] as LichessStanding["category"];
    const { dtm, dtz } = ofMove(best);
    return standing(fen, { dtz: dtz ?? dtm, category });
}

/** A position and its moves, with the fields of lila-tablebase. */
export async function lichess(tables: Answering, fen: string, options: AskOptions): Promise<LichessPosition> {
    const explored: Explored = await tables.explore(fen.includes(" ") ? fen : fen.replaceAll("_", " "), options);
    const answers: Answer[] = await tables.batch(
        explored.moves.map((move) => move.fen),
        options,
    );
    const move = async (made: ExploredMove, at: number): Promise<LichessMove> => {
        const answer = answers[at]!;
        const after = isJudged(answer) ? judged(answer) : await unjudged(tables, made.fen, answer as Unjudged, options);
        return {
            uci: made.uci,
            san: made.san,
            zeroing: beginsCount(explored.fen, made),
            conversion: made.capture || made.uci.length > 4,
            ...after,
        };
    };
    const moves = await Promise.all(explored.moves.map(move));
    // Without a verdict on every move they come in no order.
    if ("reason" in explored) moves.sort(compare);
    if (isJudged(explored)) return { ...judged(explored), moves };
    const { error, reason } = explored;
    const [best] = moves;
    const isBounded = best && (best.category === "loss" || moves.every((move) => move.category !== "unknown"));
    const root = isBounded ? atLeast(explored.fen, best) : await unjudged(tables, explored.fen, explored, options);
    // No position is explored without a verdict for any other reason.
    return { ...root, error, reason: reason as NonNullable<LichessPosition["reason"]>, moves };
}

/** Best play to mate or to the end of the count, with the fields of lila-tablebase. */
export async function lichessMainline(tables: Answering, fen: string, options: AskOptions): Promise<LichessLine> {
    const line = await tables.line(fen.includes(" ") ? fen : fen.replaceAll("_", " "), options);
    const answers: Answer[] = await tables.batch(
        line.line.map((move) => move.fen),
        options,
    );
    const mainline = line.line.map(({ uci, san }, at) => {
        const { dtz, precise_dtz } = judged(answers[at] as Position);
        return { uci, san, dtz: dtz!, precise_dtz };
    });
    const { dtz, precise_dtz } = judged(line);
    const isWhite = (line.side === "white") === (mainline.length % 2 === 1);
    return { mainline, winner: line.end !== "checkmate" ? null : isWhite ? "w" : "b", dtz: dtz!, precise_dtz };
}
