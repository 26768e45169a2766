export interface components {
    schemas: {
        /** @description One of many positions. A position that fails has an error of its own. */
        BatchItem: ({
            /** @constant */
            status: "judged";
        } & components["schemas"]["ProbedPosition"]) | ({
            /** @constant */
            status: "refused";
        } & components["schemas"]["Error"]);
        /** @description Positions to probe. */
        BatchRequest: {
            /** @description The positions, by default at most 1,000. */
            fens: string[];
            /**
             * @description Whether to list the legal moves of each.
             * @default false
             */
            moves: boolean;
        };
        /** @description A count that begins. */
        BegunCount: {
            /** @description LIMIT, in plies. */
            limit: number;
            /** @description PLY, in plies. */
            ply: number;
            /** @description The side that counts if its king is bare; `null` if either side may become the defender. */
            counts: components["schemas"]["Side"] | null;
        };
        /**
         * @description The result of a position with best play under the count, seen from the side to move (for a move: from the side that makes it). `loss`: Lost, also under the count. `blessed-loss`: Lost without the count, drawn by it. `draw`: Drawn: neither side forces mate. `cursed-win`: Won without the count, drawn by it. `win`: Won, also under the count.
         * @enum {string}
         */
        Category: "loss" | "blessed-loss" | "draw" | "cursed-win" | "win";
        /** @description The count of a position, as given and as the verdict uses it. */
        Count: {
            /** @description The rule of the count that runs. */
            rule: components["schemas"]["CountRule"];
            /** @description LIMIT of the FEN, in plies; `null` without a count. */
            limit: number | null;
            /** @description PLY of the FEN, the plies counted so far; `null` without a count. */
            ply: number | null;
            /** @description The attacker's moves left, the final one included; 0 when the count has run out. Without a count, the moves left if it begins now; `null` if neither side wins without the count, or with a pawn on the board. */
            attacker_moves_left: number | null;
        };
        /**
         * @description The rule of the count, of a position or of all positions of a material. `none`: No count runs. `board`: Board's honour: both sides still have a piece. `pieces`: Pieces' honour: a king is bare.
         * @enum {string}
         */
        CountRule: "none" | "board" | "pieces";
        /** @description A line of best play. */
        DialectMainline: {
            /** @description The moves to mate, or until the count has run out; none from a draw. */
            mainline: components["schemas"]["DialectStep"][];
            /**
             * @description The side that mates; `null` for a draw.
             * @enum {string|null}
             */
            winner: "w" | "b" | null;
            /** @description As in `DialectPosition`, of the first position. */
            dtz: number;
            /** @description As in `DialectPosition`, of the first position. */
            precise_dtz: number | null;
            /** @description Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none. */
            notes?: string[];
        };
        /** @description A move, and the position after it as the opponent sees it. */
        DialectMove: {
            /** @description UCI notation. */
            uci: string;
            /** @description SAN in the letters K R N S M, with + and #. */
            san: string;
            /** @description Whether it begins a count, whatever ran before, so that `dtz` starts again: it ends the last pawn or, without pawns, bares an armed opponent. */
            zeroing: boolean;
            /** @description Whether it captures or promotes. */
            conversion: boolean;
            /** @description Whether the side to move is mated. */
            checkmate: boolean;
            /** @description Whether it has no move and is not in check: a draw. */
            stalemate: boolean;
            /**
             * @description Makruk ends by mate alone.
             * @constant
             */
            variant_win: false;
            /**
             * @description Makruk ends by mate alone.
             * @constant
             */
            variant_loss: false;
            /** @description Whether neither side can mate any more, even if the other helps. */
            insufficient_material: boolean;
            /** @description Signed plies to the conversion that the count allows; if it allows none, to mate; -1 in mate, 0 in a draw. So its sign tells who wins without the count. `null` if unknown; a bound if the position's own table is missing. */
            dtz: number | null;
            /** @description `dtz` if it is the value of the tables; `null` if the count allows no conversion, or if it is unknown. */
            precise_dtz: number | null;
            /** @description Signed plies to mate without a count; 0 in mate and in a draw; `null` if unknown. */
            dtm: number | null;
            /** @description Plies to a win in antichess. */
            dtw: null;
            /** @description The distance of tables of the kind op1, which count moves to a capture or promotion. */
            dtc: null;
            /**
             * @description The result under the count; `unknown` without a table.
             * @enum {string}
             */
            category: "win" | "cursed-win" | "draw" | "blessed-loss" | "loss" | "unknown";
            /** @description The count, which lila-tablebase does not have; `null` without a table. */
            count: components["schemas"]["Count"] | null;
        } & (unknown & unknown & unknown & unknown & unknown & unknown);
        /** @description A position and its moves. */
        DialectPosition: {
            /** @description Whether the side to move is mated. */
            checkmate: boolean;
            /** @description Whether it has no move and is not in check: a draw. */
            stalemate: boolean;
            /**
             * @description Makruk ends by mate alone.
             * @constant
             */
            variant_win: false;
            /**
             * @description Makruk ends by mate alone.
             * @constant
             */
            variant_loss: false;
            /** @description Whether neither side can mate any more, even if the other helps. */
            insufficient_material: boolean;
            /** @description Signed plies to the conversion that the count allows; if it allows none, to mate; -1 in mate, 0 in a draw. So its sign tells who wins without the count. `null` if unknown; a bound if the position's own table is missing. */
            dtz: number | null;
            /** @description `dtz` if it is the value of the tables; `null` if the count allows no conversion, or if it is unknown. */
            precise_dtz: number | null;
            /** @description Signed plies to mate without a count; 0 in mate and in a draw; `null` if unknown. */
            dtm: number | null;
            /** @description Plies to a win in antichess. */
            dtw: null;
            /** @description The distance of tables of the kind op1, which count moves to a capture or promotion. */
            dtc: null;
            /**
             * @description The result under the count; `unknown` without a table.
             * @enum {string}
             */
            category: "win" | "cursed-win" | "draw" | "blessed-loss" | "loss" | "unknown";
            /** @description The count, which lila-tablebase does not have; `null` without a table. */
            count: components["schemas"]["Count"] | null;
            /** @description The legal moves, best first; moves whose result is unknown come after those that win. */
            moves: components["schemas"]["DialectMove"][];
            /** @description Why the tables do not know the position. Its category is still known if a move into another table is known to win. */
            error?: string;
            /** @description Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none. lila-tablebase has no such field. */
            notes?: string[];
            /**
             * @description The same in one word.
             * @enum {string}
             */
            reason?: "missing_table" | "too_many_men";
        } & (unknown & unknown & unknown & unknown & unknown & unknown);
        /** @description A move, and the distances of the position after it, seen by the opponent. */
        DialectStep: {
            /** @description UCI notation. */
            uci: string;
            /** @description SAN in the letters K R N S M, with + and #. */
            san: string;
            /** @description As in `DialectPosition`. */
            dtz: number;
            /** @description As in `DialectPosition`. */
            precise_dtz: number | null;
        };
        /** @description The reason why there is no answer, or no verdict on a position. */
        Error: {
            /** @description A sentence, for people. */
            error: string;
            /** @description The reason, for programs. */
            reason: components["schemas"]["ErrorReason"];
            /** @description The column of a mistake in a filter, from 1. */
            column?: number;
            /** @description The command that builds the table that is missing, damaged or of another version. */
            command?: string;
            /** @description The position, normalised if it can be parsed, else as given; left out if there is none, or it is said elsewhere. */
            fen?: string;
            /** @description The field that is wrong: `board`, `side`, `third`, `limit`, `ply` or `fullmove` of the FEN if one of them is, else the field of the request. */
            field?: string;
            /** @description The text that was found there. */
            found?: string;
            /** @description Every rule that the position breaks. */
            problems?: components["schemas"]["IllegalProblem"][];
            /** @description The rank of the board that is wrong, 1 to 8. */
            rank?: number;
        };
        /**
         * @description The reason of a failure, for programs. The manual of the service lists the status of each.
         * @enum {string}
         */
        ErrorReason: "bad_fen" | "illegal_position" | "too_many_men" | "bad_count" | "missing_table" | "unreadable_table" | "corrupt_table" | "internal" | "too_many_positions" | "bad_material" | "bad_pgn" | "bad_policy" | "bad_side" | "bad_filter" | "bad_cursor" | "bad_request" | "overloaded" | "deadline_exceeded" | "unauthenticated" | "shutting_down" | "too_large" | "not_found" | "method_not_allowed";
        /** @description A count save. */
        ExampleSave: {
            /** @description The position. */
            fen: string;
            /** @description The number of moves that draw. */
            drawing_moves: number;
            /** @description The number of legal moves. */
            legal_moves: number;
            /** @description Whether one of the drawing moves is a sacrifice. */
            sacrifice: boolean;
        };
        /** @description Some count saves in which few moves draw. */
        ExampleSaves: {
            /** @description The canonical name of the material. */
            material: string;
            /** @description The saves. */
            saves: components["schemas"]["ExampleSave"][];
        };
        /** @description A position with everything that a board shows about it. A position without a verdict has its legal moves. */
        Explored: {
            /** @description Whether the side to move is in check. */
            check: boolean;
            /** @description The side that counts; `null` if neither side wins. */
            counts: components["schemas"]["Side"] | null;
            /** @description Whether the count of the FEN is the winner's, who may stop it: the verdict is then that for a count that begins now. */
            count_stopped: boolean;
            /** @description The count that would begin with the defender's next move; `null` with pawns or two bare kings. */
            begins: components["schemas"]["BegunCount"] | null;
            /** @description The legal moves, best first. A move without a verdict comes before those that it may be better than. */
            moves: (({
                /** @constant */
                status: "judged";
            } & components["schemas"]["ExploredMove"]) | {
                /** @constant */
                status: "unjudged";
                /** @description UCI notation, such as `e2e3` or, for a promotion, `e5e6m`. */
                uci: string;
                /** @description SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`. */
                san: string;
                /** @description Whether the move captures a man. */
                capture: boolean;
                /** @description The position after the move. */
                fen: string;
                /** @description The table that is missing or cannot be read, such as `KRvK.dtm`; left out if it is that of the position. */
                table?: string;
                /** @description The position after the move as long as nobody has claimed board's honour; left out unless `fen` has that count begun. */
                unclaimed_fen?: string;
            })[];
            /** @description The command that builds the table that is missing, damaged or of another version. */
            command?: string;
            /** @description A sentence, for people. */
            error?: string;
            /** @description The field that is wrong: `board`, `side`, `third`, `limit`, `ply` or `fullmove` of the FEN if one of them is, else the field of the request. */
            field?: string;
            /** @description Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none. */
            notes?: string[];
            /** @description The reason, for programs. */
            reason?: components["schemas"]["ErrorReason"];
        } & (({
            /** @constant */
            status: "judged";
        } & components["schemas"]["Position"]) | {
            /** @constant */
            status: "unjudged";
            /** @description The FEN, normalised. */
            fen: string;
            /** @description The side to move. */
            side: components["schemas"]["Side"];
            /** @description Whether each side can still mate, as in a position with a verdict. */
            can_mate: {
                /** @description White's. */
                white: boolean | null;
                /** @description Black's. */
                black: boolean | null;
            };
        });
        /** @description A move and everything that the tables know about it. */
        ExploredMove: {
            /** @description UCI notation, such as `e2e3` or, for a promotion, `e5e6m`. */
            uci: string;
            /** @description SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`. */
            san: string;
            /** @description The category under the position's count carried on. */
            category: components["schemas"]["Category"];
            /** @description Signed plies to mate, without a count; `null` if neither side forces mate. */
            dtm: number | null;
            /** @description Signed plies to the conversion that the count allows; `null` if no conversion can be forced. Of a move that begins a count, 1 if the count leaves enough moves. */
            dtz: number | null;
            /** @description Whether the move captures a man. */
            capture: boolean;
            /** @description Whether a pawn becomes a met. */
            promotion: boolean;
            /** @description Whether it is a baring capture: it takes the last man that the opponent has besides the king. Without pawns it restarts the count. */
            bares_king: boolean;
            /** @description Whether the move begins a count, whatever ran before: it ends the last pawn or, without pawns, it is a baring capture. */
            begins_count: boolean;
            /** @description The attacker's moves left after the move; `null` if neither side wins without the count, or no count runs then. */
            attacker_moves_left: number | null;
            /** @description The position after the move, with the count that runs then. */
            fen: string;
            /**
             * @description The loss: the win, the draw, or time; `null` if the move is not a mistake.
             * @enum {string|null}
             */
            gave_away: "win" | "draw" | "time" | null;
            /** @description The moves lost if `gave_away` is `time`; else `null`. */
            lost_moves: number | null;
            /** @description The man that the move gives to save the draw; left out if it gives none. */
            sacrifice?: components["schemas"]["Sacrifice"];
            /** @description The position after the move as long as nobody has claimed board's honour; left out unless `fen` has that count begun. */
            unclaimed_fen?: string;
        };
        /** @description A page of positions. */
        FoundPage: {
            /** @description The positions in the order of the tables: without details (`brief`), or with those of their kind. */
            saves: components["schemas"]["FoundPosition"][];
            /** @description The cursor from which to continue; `null` at the end. */
            cursor: string | null;
            /** @description The cells of the tables that were scanned for this page, including cells that are not legal positions. */
            scanned: number;
        };
        /** @description A position that a search found. No count runs: it begins with the next move of the defender. */
        FoundPosition: {
            /** @description The canonical name of the material; White of the FEN is its first side. */
            material: string;
            /** @description The side to move. */
            side: components["schemas"]["Side"];
            /** @description The number of the position's cell in its table; all images of a position share it. */
            number: number;
            /** @description The position. */
            fen: string;
        } & (components["schemas"]["SaveDetails"] | components["schemas"]["WinDetails"] | components["schemas"]["ZugzwangDetails"] | unknown);
        /** @description A game, or the reason why it cannot be read. */
        Game: {
            /** @constant */
            status: "read";
            /** @description The number of the game, from 1. */
            game: number;
            /** @description The tags in order: pairs of a name and a value. */
            tags: [
                string,
                string
            ][];
            /**
             * @description The result.
             * @enum {string}
             */
            result: "1-0" | "0-1" | "1/2-1/2" | "*";
            /** @description The positions, the first one included. */
            positions: components["schemas"]["GamePosition"][];
            /** @description Notes in sentences: parts of the text that were dropped or assumed, a count that is supposed, a result that is not the board's. Left out if there are none. */
            notes?: string[];
        } | ({
            /** @constant */
            status: "refused";
        } & components["schemas"]["GameError"]);
        /** @description The reason why a game cannot be read. */
        GameError: {
            /** @description The number of the game, from 1. */
            game: number;
            /** @description A sentence, for people. */
            error: string;
            /**
             * @description The reason, for programs.
             * @constant
             */
            reason: "bad_pgn";
            /** @description The line of the text, from 1. */
            line: number;
            /**
             * @description The problem, for programs. `position`: the text is a position without moves.
             * @enum {string}
             */
            problem: "no_game" | "json" | "position" | "tag" | "variant" | "fen" | "move" | "promotion" | "illegal_move" | "ambiguous_move" | "open_comment" | "open_variation" | "stray_close";
            /** @description The moves that are legal, or that the text may mean, in SAN. */
            candidates?: string[];
            /** @description The text that cannot be read. */
            found?: string;
            /** @description The number of the move, such as `12.` or `12...`. */
            move?: string;
        };
        /** @description A position of a game, with or without a verdict. */
        GamePosition: {
            /** @description The plies before the position. */
            ply: number;
            /** @description The number of times that the position has occurred in the game; the third time draws the game. */
            occurrence: number;
            /** @description The move that was played; `null` in the last position. */
            played: (({
                /** @constant */
                status: "judged";
            } & components["schemas"]["PlayedMove"]) | {
                /** @constant */
                status: "unjudged";
                /** @description UCI notation. */
                uci: string;
                /** @description SAN. */
                san: string;
            }) | null;
            /** @description The command that builds the table that is missing, damaged or of another version. */
            command?: string;
            /** @description A sentence, for people. */
            error?: string;
            /** @description The field that is wrong: `board`, `side`, `third`, `limit`, `ply` or `fullmove` of the FEN if one of them is, else the field of the request. */
            field?: string;
            /** @description The reason, for programs. */
            reason?: components["schemas"]["ErrorReason"];
            /** @description The position as long as nobody has claimed board's honour; left out if `fen` is the same. */
            unclaimed_fen?: string;
        } & (({
            /** @constant */
            status: "judged";
        } & components["schemas"]["Position"]) | {
            /** @constant */
            status: "unjudged";
            /** @description The FEN, normalised. */
            fen: string;
            /** @description The side to move. */
            side: components["schemas"]["Side"];
            /** @description Whether each side can still mate, as in a position with a verdict. */
            can_mate: {
                /** @description White's. */
                white: boolean | null;
                /** @description Black's. */
                black: boolean | null;
            };
        });
        /** @description The games, in order. */
        Games: {
            /** @description The games. */
            games: components["schemas"]["Game"][];
        };
        /** @description Games to analyse. */
        GamesRequest: {
            /** @description The games: PGN, or moves in Latin or Thai notation or as squares. By default at most 1,000 positions in all. */
            pgn: string;
            /** @description The FEN of the position from which moves without any tag are played, unless they get further from the initial array. */
            from?: string;
            /**
             * @description Whether board's honour is counted only if a game's FEN has the count. Otherwise a game without one is judged as if it was counted as soon as no pawn was left.
             * @default false
             */
            unclaimed: boolean;
        };
        /** @description A rule that a position breaks. */
        IllegalProblem: {
            /** @constant */
            problem: "missing_king";
            /** @description The side. */
            side: components["schemas"]["Side"];
        } | {
            /** @constant */
            problem: "too_many";
            /** @description The side. */
            side: components["schemas"]["Side"];
            /** @description The kind of man: `king`, `rook`, `knight`, `khon`, `met` or `pawn`. */
            role: string;
            /** @description The number found. */
            found: number;
            /** @description The most that there can be. */
            most: number;
        } | {
            /** @constant */
            problem: "touching_kings";
        } | {
            /** @constant */
            problem: "opposite_check";
            /** @description The side. */
            side: components["schemas"]["Side"];
        } | {
            /** @constant */
            problem: "too_many_mets_and_pawns";
            /** @description The side. */
            side: components["schemas"]["Side"];
            /** @description The number found. */
            found: number;
            /** @description The most that there can be. */
            most: number;
        } | {
            /** @constant */
            problem: "pawn_beyond_promotion";
            /** @description The square of the pawn. */
            square: string;
        } | {
            /** @constant */
            problem: "pawn_behind_start";
            /** @description The square of the pawn. */
            square: string;
        };
        /** @description A move that keeps the result. */
        KeepingMove: {
            /** @description UCI notation, such as `e2e3` or, for a promotion, `e5e6m`. */
            uci: string;
            /** @description SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`. */
            san: string;
            /** @description Signed plies to mate without a count, from the side that moves; `null` if neither side forces mate. */
            dtm: number | null;
            /** @description Signed plies to the conversion that the count allows; `null` if no conversion can be forced. */
            dtz: number | null;
            /** @description Whether the move captures a man. */
            capture: boolean;
        };
        /** @description A verdict, and best play to the end of the game. */
        Line: {
            /** @description The FEN, normalised: Fairy-Stockfish's letters, six fields. */
            fen: string;
            /** @description The canonical name of the material. Its first side may be White or Black on the board. */
            material: string;
            /** @description The side to move. */
            side: components["schemas"]["Side"];
            /** @description The category under the count. */
            category: components["schemas"]["Category"];
            /** @description Signed plies to mate, without a count; `null` if neither side forces mate; 0 if the side to move is mated. */
            dtm: number | null;
            /** @description Signed plies to the conversion that the count allows; `null` if no conversion can be forced. It equals `dtm` with a bare king and no pawn. With a pawn on the board the conversion is mate, or the winner's move that ends the last pawn into a position won under the count that begins. */
            dtz: number | null;
            /** @description The count. */
            count: components["schemas"]["Count"];
            /** @description Whether the side to move is mated. If the count had drawn the game before the mate, the category is still a draw. */
            checkmate: boolean;
            /** @description Whether the side to move is stalemated, which draws. */
            stalemate: boolean;
            /** @description Whether each side can still mate if the other helps, whatever the count: the question that is asked when the other's flag has fallen. `false` is proven; `null` if it is not known, which happens only with pawns. If neither side can, the position is dead, and the game is drawn. */
            can_mate: {
                /** @description White's. */
                white: boolean | null;
                /** @description Black's. */
                black: boolean | null;
            };
            /** @description The moves. A drawn position has none. */
            line: components["schemas"]["LineMove"][];
            /** @description The reason why the line ends. */
            end: components["schemas"]["LineEnd"];
            /** @description Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none. */
            notes?: string[];
        };
        /**
         * @description The reason why a line ends. `checkmate`: Mate. `count_expired`: The count has run out: a draw. `draw`: Stalemate, or neither side wins any more, with or without a count: there is no best move to show. `truncated`: The line is longer than was asked for.
         * @enum {string}
         */
        LineEnd: "checkmate" | "count_expired" | "draw" | "truncated";
        /** @description A move of a line, and the position after it. */
        LineMove: {
            /** @description UCI notation, such as `e2e3` or, for a promotion, `e5e6m`. */
            uci: string;
            /** @description SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`. */
            san: string;
            /** @description The category under the position's count carried on. */
            category: components["schemas"]["Category"];
            /** @description Signed plies to mate, without a count; `null` if neither side forces mate. */
            dtm: number | null;
            /** @description Signed plies to the conversion that the count allows; `null` if no conversion can be forced. Of a move that begins a count, 1 if the count leaves enough moves. */
            dtz: number | null;
            /** @description Whether the move captures a man. */
            capture: boolean;
            /** @description Whether a pawn becomes a met. */
            promotion: boolean;
            /** @description Whether it is a baring capture: it takes the last man that the opponent has besides the king. Without pawns it restarts the count. */
            bares_king: boolean;
            /** @description Whether the move begins a count, whatever ran before: it ends the last pawn or, without pawns, it is a baring capture. */
            begins_count: boolean;
            /** @description The attacker's moves left after the move; `null` if neither side wins without the count, or no count runs then. */
            attacker_moves_left: number | null;
            /** @description The position after the move, with the count that runs then. */
            fen: string;
            /** @description The position after the move as long as nobody has claimed board's honour; left out unless `fen` has that count begun. */
            unclaimed_fen?: string;
        };
        /** @description A material, with or without tables. */
        MaterialEntry: {
            /** @description The canonical name of the material. */
            material: string;
            /** @description The number of men, both kings included. */
            men: number;
            /** @description The command that builds its tables; `null` if they are present. */
            command: string | null;
            /** @description The totals of its tables, both sides to move together; `null` if they are missing. */
            totals: components["schemas"]["MaterialTotals"] | null;
        };
        /** @description Materials by number of men, then by name. */
        MaterialList: {
            /** @description The materials. */
            materials: components["schemas"]["MaterialEntry"][];
            /** @description The SHA-256 of a line for each of their tables: what `makruk-gen manifest` prints, sorted and without the last field. A line has material, metric, bytes, and the header's checksum, which follows from every byte of the file. */
            checksum: string;
        };
        /** @description Numbers of positions, both sides to move taken together. */
        MaterialTotals: {
            /** @description The length of the files in bytes. */
            bytes: number;
            /** @description Won by White, without the count. */
            white_wins: number;
            /** @description Won by Black, without the count. */
            black_wins: number;
            /** @description Drawn without the count. */
            draws: number;
            /** @description Won also if the count begins now. */
            within_count: number;
            /** @description The longest distance to mate in moves, without a count. */
            mate_moves: number;
            /** @description The longest distance in moves to the conversion that the count allows. */
            conversion_moves: number;
        };
        /** @description A verdict, and the move of a perfect player. */
        Play: {
            /** @description The FEN, normalised: Fairy-Stockfish's letters, six fields. */
            fen: string;
            /** @description The canonical name of the material. Its first side may be White or Black on the board. */
            material: string;
            /** @description The side to move. */
            side: components["schemas"]["Side"];
            /** @description The category under the count. */
            category: components["schemas"]["Category"];
            /** @description Signed plies to mate, without a count; `null` if neither side forces mate; 0 if the side to move is mated. */
            dtm: number | null;
            /** @description Signed plies to the conversion that the count allows; `null` if no conversion can be forced. It equals `dtm` with a bare king and no pawn. With a pawn on the board the conversion is mate, or the winner's move that ends the last pawn into a position won under the count that begins. */
            dtz: number | null;
            /** @description The count. */
            count: components["schemas"]["Count"];
            /** @description Whether the side to move is mated. If the count had drawn the game before the mate, the category is still a draw. */
            checkmate: boolean;
            /** @description Whether the side to move is stalemated, which draws. */
            stalemate: boolean;
            /** @description Whether each side can still mate if the other helps, whatever the count: the question that is asked when the other's flag has fallen. `false` is proven; `null` if it is not known, which happens only with pawns. If neither side can, the position is dead, and the game is drawn. */
            can_mate: {
                /** @description White's. */
                white: boolean | null;
                /** @description Black's. */
                black: boolean | null;
            };
            /** @description The move; `null` if the game is over. */
            move: components["schemas"]["LineMove"] | null;
            /** @description Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none. */
            notes?: string[];
        };
        /** @description A move that was played in a game, with a verdict. */
        PlayedMove: {
            /** @description UCI notation, such as `e2e3` or, for a promotion, `e5e6m`. */
            uci: string;
            /** @description SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`. */
            san: string;
            /** @description The category under the position's count carried on. */
            category: components["schemas"]["Category"];
            /** @description Signed plies to mate, without a count; `null` if neither side forces mate. */
            dtm: number | null;
            /** @description Signed plies to the conversion that the count allows; `null` if no conversion can be forced. Of a move that begins a count, 1 if the count leaves enough moves. */
            dtz: number | null;
            /** @description Whether the move captures a man. */
            capture: boolean;
            /** @description Whether a pawn becomes a met. */
            promotion: boolean;
            /** @description Whether it is a baring capture: it takes the last man that the opponent has besides the king. Without pawns it restarts the count. */
            bares_king: boolean;
            /** @description Whether the move begins a count, whatever ran before: it ends the last pawn or, without pawns, it is a baring capture. */
            begins_count: boolean;
            /**
             * @description The loss: the win, the draw, or time; `null` if the move is not a mistake.
             * @enum {string|null}
             */
            gave_away: "win" | "draw" | "time" | null;
            /** @description The moves lost if `gave_away` is `time`; else `null`. */
            lost_moves: number | null;
            /** @description The best move, in SAN. */
            best: string;
        };
        /**
         * @description The choice of a perfect player among the moves that keep the category of the position. `fastest`: The winner mates soonest, by DTM. The loser plays as with `stubborn`. `safest`: The move ranked first. The winner takes the shortest way to the conversion, which leaves the most of the count unspent, then mates soonest. The loser makes the winner spend the most of it. `stubborn`: The loser puts off mate the longest, by DTM, whatever the count. The winner plays as with `safest`. `tricky`: The hardest move to answer for a human: the loser, and either side in a draw, leaves the opponent the smallest share of replies that keep the result. The winner plays as with `safest`.
         * @enum {string}
         */
        Policy: "fastest" | "safest" | "stubborn" | "tricky";
        /** @description A position and the verdict on it. */
        Position: {
            /** @description The FEN, normalised: Fairy-Stockfish's letters, six fields. */
            fen: string;
            /** @description The canonical name of the material. Its first side may be White or Black on the board. */
            material: string;
            /** @description The side to move. */
            side: components["schemas"]["Side"];
            /** @description The category under the count. */
            category: components["schemas"]["Category"];
            /** @description Signed plies to mate, without a count; `null` if neither side forces mate; 0 if the side to move is mated. */
            dtm: number | null;
            /** @description Signed plies to the conversion that the count allows; `null` if no conversion can be forced. It equals `dtm` with a bare king and no pawn. With a pawn on the board the conversion is mate, or the winner's move that ends the last pawn into a position won under the count that begins. */
            dtz: number | null;
            /** @description The count. */
            count: components["schemas"]["Count"];
            /** @description Whether the side to move is mated. If the count had drawn the game before the mate, the category is still a draw. */
            checkmate: boolean;
            /** @description Whether the side to move is stalemated, which draws. */
            stalemate: boolean;
            /** @description Whether each side can still mate if the other helps, whatever the count: the question that is asked when the other's flag has fallen. `false` is proven; `null` if it is not known, which happens only with pawns. If neither side can, the position is dead, and the game is drawn. */
            can_mate: {
                /** @description White's. */
                white: boolean | null;
                /** @description Black's. */
                black: boolean | null;
            };
            /** @description Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none. */
            notes?: string[];
        };
        /** @description The category of a position under its count. */
        PositionCategory: {
            /** @description The FEN, normalised. */
            fen: string;
            /** @description The canonical name of the material. */
            material: string;
            /** @description The side to move. */
            side: components["schemas"]["Side"];
            /** @description The category. */
            category: components["schemas"]["Category"];
            /** @description Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none. */
            notes?: string[];
        };
        /** @description A position and the verdict on it; with `moves`, the legal moves too. */
        ProbedPosition: {
            /** @description The FEN, normalised: Fairy-Stockfish's letters, six fields. */
            fen: string;
            /** @description The canonical name of the material. Its first side may be White or Black on the board. */
            material: string;
            /** @description The side to move. */
            side: components["schemas"]["Side"];
            /** @description The category under the count. */
            category: components["schemas"]["Category"];
            /** @description Signed plies to mate, without a count; `null` if neither side forces mate; 0 if the side to move is mated. */
            dtm: number | null;
            /** @description Signed plies to the conversion that the count allows; `null` if no conversion can be forced. It equals `dtm` with a bare king and no pawn. With a pawn on the board the conversion is mate, or the winner's move that ends the last pawn into a position won under the count that begins. */
            dtz: number | null;
            /** @description The count. */
            count: components["schemas"]["Count"];
            /** @description Whether the side to move is mated. If the count had drawn the game before the mate, the category is still a draw. */
            checkmate: boolean;
            /** @description Whether the side to move is stalemated, which draws. */
            stalemate: boolean;
            /** @description Whether each side can still mate if the other helps, whatever the count: the question that is asked when the other's flag has fallen. `false` is proven; `null` if it is not known, which happens only with pawns. If neither side can, the position is dead, and the game is drawn. */
            can_mate: {
                /** @description White's. */
                white: boolean | null;
                /** @description Black's. */
                black: boolean | null;
            };
            /** @description The legal moves that have verdicts, best first; left out if they were not requested. Wins come by the shortest DTZ, then DTM; cursed wins by the shortest DTM; then draws. Blessed losses come by the longest DTM, losses by the longest DTZ, then DTM. Ties are broken by UCI notation. */
            moves?: components["schemas"]["RankedMove"][];
            /** @description Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none. */
            notes?: string[];
            /** @description The other legal moves, one of which may be better than all of `moves`; left out if there are none, or if moves were not requested. */
            unknown_moves?: components["schemas"]["UnknownMove"][];
        };
        /** @description A move and its value for the side that makes it, under the position's count carried on. Distances include the move itself: a mating move has 1 ply. */
        RankedMove: {
            /** @description UCI notation, such as `e2e3` or, for a promotion, `e5e6m`. */
            uci: string;
            /** @description SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`. */
            san: string;
            /** @description The category under the position's count carried on. */
            category: components["schemas"]["Category"];
            /** @description Signed plies to mate, without a count; `null` if neither side forces mate. */
            dtm: number | null;
            /** @description Signed plies to the conversion that the count allows; `null` if no conversion can be forced. Of a move that begins a count, 1 if the count leaves enough moves. */
            dtz: number | null;
            /** @description Whether the move captures a man. */
            capture: boolean;
            /** @description Whether a pawn becomes a met. */
            promotion: boolean;
            /** @description Whether it is a baring capture: it takes the last man that the opponent has besides the king. Without pawns it restarts the count. */
            bares_king: boolean;
            /** @description Whether the move begins a count, whatever ran before: it ends the last pawn or, without pawns, it is a baring capture. */
            begins_count: boolean;
        };
        /** @description A man that a saving move gives: the capture wins without the count, but not with it. */
        Sacrifice: {
            /** @description The capture that comes closest to winning, in SAN. */
            capture: string;
            /** @description The kind of the sacrifice. */
            kind: components["schemas"]["SacrificeKind"];
            /** @description Whether the man is the one that moved; else the move abandons another. */
            offered: boolean;
            /** @description The attacker's moves to mate after the capture, without a count. */
            needed: number;
            /** @description The attacker's moves that the count leaves after the capture; `null` if no count runs then. */
            left: number | null;
        };
        /**
         * @description The three kinds of sacrifice. Only in an offer does another move keep the man. `offer`: The saving move captures nothing, and some other legal move would have kept the man. `exchange`: The saving move itself captures. `lost_anyway`: The saving move captures nothing, and after every legal move the man can be taken.
         * @enum {string}
         */
        SacrificeKind: "offer" | "exchange" | "lost_anyway";
        /** @description The man that a saving move gives: the capture wins without the count, but not with it. */
        SacrificeRecord: {
            /** @description The capture of the man, in SAN; of several the one with the shortest mate. */
            capture: string;
            /**
             * @description The man that is captured.
             * @enum {string}
             */
            given: "R" | "N" | "S" | "M" | "P";
            /** @description Whether the man is the defender's last besides the king. */
            last: boolean;
            /** @description Whether the man is the one that moved. Otherwise another is abandoned. */
            offered: boolean;
            /** @description The kind of the sacrifice. */
            kind: components["schemas"]["SacrificeKind"];
            /** @description The attacker's moves to mate after the capture, without a count. */
            needed: number;
            /** @description The attacker's moves that the count leaves after the capture; `null` if no count runs. */
            left: number | null;
        };
        /** @description The details of a count save. */
        SaveDetails: {
            /** @description Signed plies to mate, without a count: negative. */
            dtm: number | null;
            /** @description Signed plies to the conversion that the count allows; `null` if no conversion can be forced. */
            dtz: number | null;
            /** @description The moves that the attacker lacks; `null` if unknown. */
            short_by: number | null;
            /** @description Whether the side to move is in check. */
            check: boolean;
            /** @description The number of legal moves. */
            legal_moves: number;
            /** @description The moves that draw, the longest DTM first. */
            saving_moves: components["schemas"]["SavingMove"][];
        };
        /** @description The properties of a sample of the saves. A position counts once for all its images. */
        SaveSample: {
            /** @description The number of saves in the sample. */
            saves: number;
            /** @description Whether the sample contains all saves. */
            complete: boolean;
            /** @description Saves with exactly one saving move. */
            unique: number;
            /** @description Saves with a saving move that is a sacrifice. */
            by_sacrifice: number;
            /** @description Saves with a saving move that sacrifices the last man. */
            by_last_sacrifice: number;
            /** @description Numbers of saves by the moves that the attacker lacks. */
            short_by: {
                [key: string]: number;
            };
            /** @description The number of saves for which that is unknown. */
            short_by_unknown: number;
        };
        /** @description The numbers of a material's count saves. */
        SaveStatistics: {
            /** @description The canonical name of the material. White below is its first side. */
            material: string;
            /** @description With White to move. */
            white: components["schemas"]["SideSaves"];
            /** @description With Black to move. */
            black: components["schemas"]["SideSaves"];
            /** @description The properties of a sample, if one was requested. */
            sample?: components["schemas"]["SaveSample"];
        };
        /** @description A move that draws. */
        SavingMove: {
            /** @description UCI notation, such as `e2e3` or, for a promotion, `e5e6m`. */
            uci: string;
            /** @description SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`. */
            san: string;
            /** @description Signed plies to mate without a count, from the side that moves; `null` if the move draws without the count. */
            dtm: number | null;
            /** @description Whether the move captures a man. */
            capture: boolean;
            /** @description Whether the move gives check. */
            check: boolean;
            /** @description The man that the move gives; `null` if it gives none. */
            sacrifice: components["schemas"]["SacrificeRecord"] | null;
        };
        /**
         * @description The two sides. White moves up the board. `white`: The side that starts at the foot of the board; its khons and pawns step towards the eighth rank. `black`: The side that starts at the top.
         * @enum {string}
         */
        Side: "white" | "black";
        /** @description Numbers of positions with one side to move, if the count begins now. */
        SideSaves: {
            /** @description Won by the side to move, without the count. */
            win: number;
            /** @description Won also with the count. */
            win_within_count: number;
            /** @description Drawn without the count. */
            draw: number;
            /** @description Lost by the side to move, without the count. */
            loss: number;
            /** @description Lost also with the count. */
            loss_within_count: number;
            /** @description Lost without the count and drawn with it: count saves. */
            saves: number;
        };
        /** @description Numbers of distinct legal positions with one side to move, like pieces not told apart and no symmetry folded. */
        SideSummary: {
            /** @description Won by the side to move, without the count. */
            win: number;
            /** @description Drawn without the count. */
            draw: number;
            /** @description Lost by the side to move, without the count. */
            loss: number;
            /** @description The longest win in plies; `null` if there is none. */
            max_win_plies: number | null;
            /** @description The longest loss in plies; `null` if there is none. */
            max_loss_plies: number | null;
            /** @description Won also if the count begins now; `null` in the metric that does not decide the count. DTZ decides it or, with a bare king and no pawn, DTM. */
            win_within_count: number | null;
            /** @description The longest of these wins in plies; `null` if there is none, and in the other metric. */
            max_win_within_count_plies: number | null;
            /** @description Lost also if the count begins now; `null` in the metric that does not decide the count. */
            loss_within_count: number | null;
            /** @description The attacker's moves that the count leaves if it begins now and this side wins; `null` in the metric that does not decide the count, and with pawns, where no count begins. */
            win_count_moves: number | null;
            /** @description The same if this side loses. */
            loss_count_moves: number | null;
            /** @description Pairs of signed plies and a number of positions, wins first. */
            histogram: [
                number,
                number
            ][];
            /** @description Positions of the longest wins, at most ten, if `longest` was requested. Left out if the program does not know them and did not search the table: the service does not. */
            longest_win_fens?: string[];
        };
        /** @description A capture that throws the win away. */
        SpoilingCapture: {
            /** @description UCI notation, such as `e2e3`. */
            uci: string;
            /** @description SAN in the letters K R N S M, with + and #. */
            san: string;
            /** @description Whether it takes the defender's last man. */
            last: boolean;
            /** @description The attacker's moves to mate after it, without a count; `null` if it does not win without a count either. */
            needed: number | null;
            /** @description The attacker's moves that the count leaves after it; `null` with `needed`, or if no count runs. */
            left: number | null;
        };
        /** @description A table that can be opened. */
        Table: {
            /** @description The canonical name of the material. */
            material: string;
            /**
             * @description The metric of the table.
             * @enum {string}
             */
            metric: "dtm" | "dtz";
            /** @description The number of men, both kings included. */
            men: number;
            /** @description The length of the file in bytes. */
            bytes: number;
        };
        /** @description The tables that can be opened, by number of men, then by name. */
        TableList: {
            /** @description The tables. */
            tables: components["schemas"]["Table"][];
        };
        /** @description The statistics of a material's tables, with the fields of `makruk-gen info --json`. */
        TableStatistics: {
            /** @description The canonical name of the material. White below is its first side. */
            material: string;
            /** @description The number of men, both kings included. */
            men: number;
            /** @description The table of DTM. */
            dtm: components["schemas"]["TableSummary"] | null;
            /** @description The table of DTZ; `null` with a bare king and no pawn. */
            dtz: components["schemas"]["TableSummary"] | null;
        };
        /** @description The statistics of a table. */
        TableSummary: {
            /** @description The length of the file in bytes. */
            bytes: number;
            /** @description With White to move. */
            white: components["schemas"]["SideSummary"];
            /** @description With Black to move. */
            black: components["schemas"]["SideSummary"];
        };
        /** @description A legal move whose value is unknown, since a table is missing or cannot be read. */
        UnknownMove: {
            /** @description UCI notation, such as `e2e3` or, for a promotion, `e5e6m`. */
            uci: string;
            /** @description SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`. */
            san: string;
            /** @description Whether the move captures a man. */
            capture: boolean;
            /** @description The table, such as `KRvK.dtm`. */
            table: string;
            /** @description The reason in a sentence, for people. */
            error: string;
            /** @description The reason, for programs. */
            reason: components["schemas"]["ErrorReason"];
            /** @description The command that builds the table, where one does; left out otherwise. */
            command?: string;
        };
        /** @description The details of a win under the count. */
        WinDetails: {
            /** @description Plies to mate, without a count. */
            dtm: number | null;
            /** @description Plies to the conversion that the count allows. */
            dtz: number | null;
            /** @description The attacker's moves to the conversion; to mate, if a king is bare and no pawn is left. */
            needed: number;
            /** @description The attacker's moves that the count leaves; `null` with a pawn on the board, where no count runs. */
            left: number | null;
            /** @description The attacker's moves to spare, `left` less `needed`; `null` with `left`. */
            spare: number | null;
            /** @description Whether the side to move is in check. */
            check: boolean;
            /** @description The number of legal moves. */
            legal_moves: number;
            /** @description The moves that win, best first. */
            winning_moves: components["schemas"]["KeepingMove"][];
            /** @description The captures that throw the win away, best first. */
            spoiling_captures: components["schemas"]["SpoilingCapture"][];
        };
        /** @description The details of a mutual zugzwang under the count. */
        ZugzwangDetails: {
            /** @description Signed plies to mate, without a count; `null` if neither side forces mate. */
            dtm: number | null;
            /** @description Signed plies to the conversion that the count allows; `null` if no conversion can be forced. */
            dtz: number | null;
            /** @description The category under the count, for the side to move. */
            category: components["schemas"]["Category"];
            /** @description The category for the other side, if it were to move. */
            opposite: components["schemas"]["Category"];
            /** @description Whether it is a zugzwang only by the count. */
            by_count: boolean;
            /** @description Whether the side to move loses, whichever it is. */
            full: boolean;
            /** @description Whether the side to move is in check. */
            check: boolean;
            /** @description The number of legal moves. */
            legal_moves: number;
            /** @description The moves that draw, best first. */
            saving_moves: components["schemas"]["KeepingMove"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
