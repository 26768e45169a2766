import type { components } from "./schemas.ts";
type Schemas = components["schemas"];
/** Fields that tell this answer from another by their absence. */
type Without<K extends string> = {
    [Field in K]?: undefined;
};
export type Side = Schemas["Side"];
export type Category = Schemas["Category"];
export type Count = Schemas["Count"];
/** Why a position has no verdict. */
export type Unjudged = Pick<Schemas["Error"], "error" | "reason" | "command" | "field">;
/** A rule that an illegal position breaks: `details.problems` of an `illegal_position`. */
export type IllegalProblem = Schemas["IllegalProblem"];
/** A position and its verdict. Distances are signed plies from the side to move; null means that there is none. */
export type Position = Schemas["ProbedPosition"] & Without<"error" | "reason">;
/** A position with its legal moves, best first; `unknown_moves` are those whose tables are missing. */
export type PositionWithMoves = Position & {
    moves: Move[];
};
/** A position that has no verdict, and why. */
export type Refused = Unjudged & {
    fen: string;
} & Without<"category" | "moves">;
/** A move, seen by the side that makes it. */
export type Move = Schemas["RankedMove"];
export type LineMove = Schemas["LineMove"];
export type Line = Schemas["Line"];
export type Mistake = Pick<Schemas["PlayedMove"], "gave_away" | "lost_moves">;
export type PlayedMove = Schemas["PlayedMove"];
/** A move that was played where the tables do not judge it. */
export type UnjudgedMove = {
    uci: string;
    san: string;
} & Without<"category" | "gave_away" | "lost_moves" | "best">;
type Place = Pick<Schemas["GamePosition"], "ply" | "occurrence" | "unclaimed_fen">;
/** A position of a game that has a verdict. `played` is null in the last position. */
export type JudgedGamePosition = Schemas["Position"] & Without<"error" | "reason" | "moves"> & Place & {
    played: PlayedMove | UnjudgedMove | null;
};
/** A position of a game that has none. */
export type UnjudgedGamePosition = Unjudged & {
    fen: string;
    side: Side;
} & Without<"category"> & Place & {
    played: UnjudgedMove | null;
};
/** A position of a game: one with `error` has no verdict. */
export type GamePosition = JudgedGamePosition | UnjudgedGamePosition;
/** A game that was read. */
export type ReadGame = Omit<Exclude<Schemas["Game"], Schemas["GameError"]>, "positions"> & {
    positions: GamePosition[];
} & Without<"error">;
/** A game that cannot be read. */
export type UnreadableGame = Schemas["GameError"] & Without<"positions">;
/** A game: one with `error` cannot be read. */
export type Game = ReadGame | UnreadableGame;
export type Sacrifice = Schemas["Sacrifice"];
/** A move of an explored position with its value. */
export type JudgedExploredMove = Schemas["ExploredMove"];
/** A legal move without a value; `table` is the one that it needs if that is another than the position's. */
export type LegalMove = Exclude<Schemas["Explored"]["moves"][number], JudgedExploredMove> & Without<"category">;
/** A move of an explored position: one with `category` is judged. */
export type ExploredMove = JudgedExploredMove | LegalMove;
type Board = Pick<Schemas["Explored"], "notes" | "check" | "counts" | "count_stopped" | "begins"> & {
    moves: ExploredMove[];
};
/** A position with its verdict. */
export type JudgedExplored = Board & Schemas["Position"] & Without<"error" | "reason">;
/** A position without a verdict, or some of whose moves have none. */
export type UnjudgedExplored = Board & {
    fen: string;
    side: Side;
} & Partial<Omit<Schemas["Position"], "fen" | "side">> & Unjudged;
/** All that a page shows about a position: one with `error` has no verdict, or some of its moves have none. */
export type Explored = JudgedExplored | UnjudgedExplored;
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
