import type { components } from "./schemas.ts";
type Schemas = components["schemas"];
/** Those of some answers, or of some moves, that have a verdict: `Judged<Explored>`. */
export type Judged<T> = Extract<T, {
    status: "judged";
}>;
export type Side = Schemas["Side"];
export type Category = Schemas["Category"];
export type Count = Schemas["Count"];
/** A rule that an illegal position breaks: `details.problems` of an `illegal_position`. */
export type IllegalProblem = Schemas["IllegalProblem"];
/** A position and its verdict. Distances are signed plies from the side to move; null means that there is none. */
export type Position = Schemas["ProbedPosition"];
/** A position with its legal moves, best first; `unknown_moves` are those whose tables are missing. */
export type PositionWithMoves = Position & {
    moves: Move[];
};
/** One of many positions: with its verdict, or with the reason why it has none. */
export type BatchItem<P = Position> = ({
    status: "judged";
} & P) | Extract<Schemas["BatchItem"], {
    status: "refused";
}>;
/** A move, seen by the side that makes it. */
export type Move = Schemas["RankedMove"];
export type LineMove = Schemas["LineMove"];
export type Line = Schemas["Line"];
/** A game, or the reason why it cannot be read. */
export type Game = Schemas["Game"];
export type ReadGame = Extract<Game, {
    status: "read";
}>;
/** A position of a game. One without a verdict has `error`. `played` is null in the last position. */
export type GamePosition = Schemas["GamePosition"];
export type PlayedMove = NonNullable<GamePosition["played"]>;
/** All that a page shows about a position. With `error` it has no verdict, or some of its moves have none. */
export type Explored = Schemas["Explored"];
/** A move of an explored position. One without a verdict has `table` if it needs another than the position's. */
export type ExploredMove = Explored["moves"][number];
export type Sacrifice = Schemas["Sacrifice"];
/** A move with the fields of lila-tablebase: the position after it as the opponent sees it. A move to `loss` wins. */
export type LichessMove = Schemas["DialectMove"];
/** The fields of a position, seen by its side to move. */
export type LichessStanding = Omit<LichessMove, "uci" | "san" | "zeroing" | "conversion">;
/** A position and its moves, best first. */
export type LichessPosition = Schemas["DialectPosition"];
/** A line of best play. */
export type LichessLine = Schemas["DialectMainline"];
/** The category alone. */
export type PositionCategory = Schemas["PositionCategory"];
export {};
