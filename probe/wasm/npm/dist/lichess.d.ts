import type { Answering, AskOptions } from "./ask.ts";
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
/** A position and its moves, with the fields of lila-tablebase. */
export declare function lichess(tables: Answering, fen: string, options: AskOptions): Promise<LichessPosition>;
/** Best play to mate or to the end of the count, with the fields of lila-tablebase. */
export declare function lichessMainline(tables: Answering, fen: string, options: AskOptions): Promise<LichessLine>;
export {};
