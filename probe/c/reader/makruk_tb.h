/*
 * makruk_tb: reads the endgame tables of Makruk (Thai chess). Two files, no dependencies.
 *
 * Licensed under either of the Apache License, Version 2.0, or the MIT License, at your option.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * SYNOPSIS
 *     cc -std=c11 -O2 engine.c makruk_tb.c            or, in C++17,
 *     c++ -std=c++17 -O2 engine.cpp -x c++ makruk_tb.c
 *
 * DESCRIPTION
 *     The tables cover positions of few men, unpromoted pawns among them. A position is a MakrukPosition: bitboards,
 *     the side to move and the count. An engine calls makruk_open() once, makruk_probe_search() in its search,
 *     makruk_probe_root() at the root and makruk_free() at its end.
 *
 *         MakrukTables *tables;
 *         char why[256];
 *         if (makruk_open("/data/makruk", 0, 0, &tables, why, sizeof why) == MAKRUK_OK) {
 *             MakrukBounds bounds;
 *             int32_t category = makruk_probe_search(tables, &position, 0, &bounds);
 *             if (category > 0) ...            (an answer, MAKRUK_LOSS to MAKRUK_WIN; not a win)
 *             makruk_free(tables);
 *         }
 *
 *     All distances and the count's figures are plies; "moves" are moves of one side. libmakruk_probe is this reader as
 *     a library.
 *
 * TABLES
 *     A material has up to three tables, each in a file of its own:
 *
 *         .category   the category under nearly every count; made for makruk_probe_search()
 *         .dtm .dtz   the distances to mate and to the conversion, for verdicts and roots; with a bare king and no pawn
 *                     .dtm is both
 *
 *     makruk_probe_search() and makruk_probe_category() ask .category. It may leave the category open if a count runs,
 *     and, with a bare king to move whose side the file omits, also if none does. Then they ask .dtz, which takes
 *     several times as long; with MAKRUK_CATEGORY_ONLY the result is MAKRUK_COUNT_UNDECIDED instead. makruk_probe() and
 *     makruk_probe_root() ask .dtm and .dtz.
 *
 * THE COUNT
 *     limit 0 means that no count runs. Such a position is judged as if the count began with the defender's next move.
 *     While a count runs, an engine carries limit and ply through its search as makruk_position_play() does: each move
 *     adds one ply, and a capture that bares a king begins another count. Children of a root are judged by the count
 *     carried on and not as positions without a count. With an unpromoted pawn of either side on the board no count
 *     runs: limit and ply are checked and then ignored, and the move that ends the last pawn (a promotion, a capture,
 *     or both) begins a count. A mate counts if ply is at most limit + 1: the one final move gave it. A mate beyond
 *     that is MAKRUK_DRAW.
 *
 *     A count belongs to the side that does not win. A FEN does not say who counts, and an engine need not know: with a
 *     bare king it is the bare king, else the side that the tables say loses. If the winner changes by a blunder, the
 *     count that runs continues for the other side.
 *
 * HASH TABLES, NULL MOVES, REPETITION
 *     The category of a position depends on limit - ply, the plies that the count has left, so a key of the board alone
 *     does not identify it. MakrukBounds says for which counts a category holds: for all with holds_from <= limit - ply
 *     <= holds_to. An entry with these two numbers and a key of the board serves every count between them. An entry of
 *     a search has no such bounds; its key must contain the count, or at least limit - ply. With a pawn on the board a
 *     category holds for every count. With limit 0, limit - ply has no meaning: read as 0 plies left, it would find an
 *     entry of MAKRUK_CURSED_WIN for a position that is won under the count that begins. Do not look up such a
 *     position, or take limit and ply from makruk_probe()'s verdict first. For the count a null move is a move: it adds
 *     one ply. Zugzwang is common with few men; do not prune by null moves in positions that the tables cover. No
 *     category depends on repetition, because a forced win never needs to repeat a position. An engine must still see
 *     that its own moves make progress: it plays the moves of the best rank, or searches among those that keep the
 *     category. A running count makes every move that keeps MAKRUK_WIN progress.
 *
 * RESULTS
 *     Functions that return int32_t return MAKRUK_OK, a category or a number on success, and a negative constant on
 *     failure. No two results have the same number. makruk_result_name() has a word for each, makruk_explain() a
 *     sentence.
 *
 * FILES
 *     makruk_open() reads header, value lists and models of each table, and compares their checksums. The rest of a
 *     file is compared when it is first read, or by makruk_preload(): 4 KiB at a time in .category files, 64 KiB in
 *     others. Damage is MAKRUK_CORRUPT_TABLE, never a crash. Files are mapped into memory where the system can;
 *     MAKRUK_POSITIONAL, and builds with MAKRUK_TB_NO_MMAP, read them by position: 128 files of a MakrukTables
 *     (MAKRUK_TB_MOST_OPEN) stay open, others are opened for each read (except on Windows). While tables are open, no
 *     process may change their files or cut them short in place. Replacing a file by renaming another over it is
 *     allowed; one that did not stay open is then MAKRUK_UNREADABLE_TABLE.
 *
 * THREADS
 *     Any number of threads may call functions with the same MakrukTables. Probes take no lock; those of mapped files
 *     allocate no memory. makruk_open() and makruk_free() are called by one thread. The reader has no global state.
 */

#ifndef MAKRUK_TB_H
#define MAKRUK_TB_H

#include <stddef.h>
#include <stdint.h>

/* The interface's own version. A change that breaks programs raises the first number, an addition the second. */
#define MAKRUK_VERSION_MAJOR 1
#define MAKRUK_VERSION_MINOR 0
#define MAKRUK_VERSION "1.0"

/* The side to move. White moves up the board. */
#define MAKRUK_WHITE 0
#define MAKRUK_BLACK 1

/* The distance of a draw. */
#define MAKRUK_NO_DISTANCE (-32768)
/* The upper bound on the number of legal moves. */
#define MAKRUK_MAX_MOVES 128
/* The bound of a category that holds for every count on one side. */
#define MAKRUK_ANY_COUNT 32767

/* Success, for functions that return no category and no number. */
#define MAKRUK_OK 0

/* Lost, also under the count. Categories are seen by the side to move, or by the side that makes a move. */
#define MAKRUK_LOSS 1
/* Lost without the count, drawn by it. */
#define MAKRUK_BLESSED_LOSS 2
/* Drawn: neither side forces mate. */
#define MAKRUK_DRAW 3
/* Won without the count, drawn by it. */
#define MAKRUK_CURSED_WIN 4
/* Won, also under the count. */
#define MAKRUK_WIN 5

/* The table of the position, or of a position that a capture or promotion leads to, is not there. */
#define MAKRUK_MISSING_TABLE (-1)
/*
 * The category depends on the distance, and the table that has it (.dtz; without pawns against a bare king .dtm) is not
 * there, or MAKRUK_CATEGORY_ONLY was asked for.
 */
#define MAKRUK_COUNT_UNDECIDED (-2)
/* No table can have such a position: it has more than seven men. */
#define MAKRUK_NOT_COVERED (-3)
/*
 * The position breaks the rules: bitboards that contradict each other, touching kings, the side not to move in check, a
 * pawn outside the third to the fifth rank from its side, more men than a side can have.
 */
#define MAKRUK_ILLEGAL_POSITION (-4)
/* The count's limit or ply is above 9999. */
#define MAKRUK_BAD_COUNT (-5)
/* The table is damaged. Other tables are not affected. */
#define MAKRUK_CORRUPT_TABLE (-6)
/* The text is not a FEN. */
#define MAKRUK_BAD_FEN (-7)
/* The move is not legal, or there is none to make. */
#define MAKRUK_NO_MOVE (-8)
/* A null pointer, or a name or number without a meaning. */
#define MAKRUK_BAD_ARGUMENT (-9)
/* There are no tables in any of the folders. */
#define MAKRUK_NO_TABLES (-10)
/* An error in this library. */
#define MAKRUK_INTERNAL_ERROR (-11)
/* The answer is not in memory, and MAKRUK_IN_MEMORY was asked for. */
#define MAKRUK_NOT_IN_MEMORY (-12)
/* The table is there, but the system cannot read it. */
#define MAKRUK_UNREADABLE_TABLE (-13)
/* The table has another version of the format, or other counting rules. */
#define MAKRUK_UNSUPPORTED_TABLE (-14)
/* The progress function has asked to stop. */
#define MAKRUK_STOPPED (-15)
/* Memory is exhausted. */
#define MAKRUK_OUT_OF_MEMORY (-16)

/* For makruk_open(): a folder that is not there or a table that cannot be used fails, instead of being left out. */
#define MAKRUK_STRICT 1u
/* For makruk_open(): files are read by position and not mapped. */
#define MAKRUK_POSITIONAL 2u
/* For makruk_probe_search(): the answer only if no byte of a file has to be read for the first time. */
#define MAKRUK_IN_MEMORY 4u

/* For makruk_probe_search(): the answer only if .category decides; else MAKRUK_COUNT_UNDECIDED. */
#define MAKRUK_CATEGORY_ONLY 8u

/* The tables of a material, as bits of makruk_has(). With a bare king and no pawn, DTM is DTZ too. */
#define MAKRUK_HAS_CATEGORY 1
#define MAKRUK_HAS_DTM 2
#define MAKRUK_HAS_DTZ 4

/* Open tables. Made by makruk_open(), ended by makruk_free(). */
typedef struct MakrukTables MakrukTables;

/* A position. Bit 0 of a bitboard is a1, bit 1 b1, bit 8 a2, bit 63 h8. */
typedef struct {
    uint64_t white;    /* White's men */
    uint64_t black;    /* Black's men */
    uint64_t kings;    /* kings (khun) of both sides */
    uint64_t rooks;    /* rooks (rua) */
    uint64_t knights;  /* knights (ma) */
    uint64_t khons;    /* khons */
    uint64_t mets;     /* mets, promoted pawns among them */
    uint64_t pawns;    /* unpromoted pawns (bia) */
    uint32_t limit;    /* the count's limit in plies, as in the FEN: 128 for board's honour; 0: no count runs */
    uint32_t ply;      /* the plies on the clock, as in the FEN; ignored if limit is 0 */
    uint32_t fullmove; /* the number of the move to be made; probes ignore it */
    uint8_t side;      /* the side to move: MAKRUK_WHITE or MAKRUK_BLACK */
} MakrukPosition;

/*
 * The counts for which a category holds: those with holds_from <= limit - ply <= holds_to. A bound of -MAKRUK_ANY_COUNT
 * or MAKRUK_ANY_COUNT means no bound.
 */
typedef struct {
    int32_t holds_from;
    int32_t holds_to;
} MakrukBounds;

/* The verdict on a position, from the side to move. Distances are signed plies: a win is positive, 0 is mated. */
typedef struct {
    int32_t category;            /* MAKRUK_LOSS to MAKRUK_WIN, under the count */
    int32_t dtm;                 /* plies to mate without a count, or MAKRUK_NO_DISTANCE */
    int32_t dtz;                 /* plies to the conversion, which settles the count (mate; a capture that bares the loser's
                                    king with enough moves left; with pawns on the board the winner's move that ends the last
                                    one, with enough moves left), or MAKRUK_NO_DISTANCE; with a bare king and no pawn the
                                    same as dtm */
    uint32_t limit;              /* the count that the verdict uses, in plies: the one given or, without, the one that begins
                                    with the defender's next move; 0 if there is none, as with pawns on the board */
    uint32_t ply;                /* the plies on the clock of that count */
    int32_t attacker_moves_left; /* the winner's moves left under that count; -1 if neither side wins or there is no count */
    int32_t slack;               /* those less the moves to the conversion: negative if the winner is short of moves;
                                    MAKRUK_NO_DISTANCE if there is no conversion or no count */
    MakrukBounds bounds;         /* the counts for which the category holds */
    uint8_t checkmate;           /* 1 if the side to move is mated; the category is MAKRUK_DRAW if the count had drawn the game */
    uint8_t stalemate;           /* 1 if it is stalemated */
} MakrukVerdict;

/* A legal move and its verdict, from the side that makes it, the move itself included: a mating move has dtm 1. */
typedef struct {
    int32_t category;    /* MAKRUK_LOSS to MAKRUK_WIN, under the root's count carried on */
    int32_t dtm;         /* plies to mate without a count, or MAKRUK_NO_DISTANCE */
    int32_t dtz;         /* plies to the conversion, or MAKRUK_NO_DISTANCE */
    uint32_t rank;       /* 0 for the best moves; moves of equal rank are equally good */
    int32_t slack;       /* the winner's moves left after the move less those to the conversion, or MAKRUK_NO_DISTANCE */
    uint32_t limit;      /* the limit of the count after the move, in plies; 0 if none runs */
    uint32_t ply;        /* the plies on the clock of that count */
    uint8_t from;        /* the square left, 0 (a1) to 63 (h8) */
    uint8_t to;          /* the square reached */
    uint8_t capture;     /* 1 if it takes a man */
    uint8_t bares_king;  /* 1 if it bares an opponent who had a man left */
    uint8_t promotion;   /* 1 if a pawn becomes a met */
    char uci[7];         /* the move in UCI notation, with a null at its end: "e2e3", with a promotion "e5e6m" */
} MakrukMove;

/* A root: its verdict, and its legal moves. */
typedef struct {
    MakrukVerdict verdict;
    uint32_t count; /* the number of moves */
    /*
     * Best first: a win by the shortest dtz and then dtm, a cursed win by the shortest dtm, a draw, a blessed loss by
     * the longest dtm, a loss by the longest dtz and then dtm. Equals have one rank and are ordered by their UCI
     * notation.
     */
    MakrukMove moves[MAKRUK_MAX_MOVES];
} MakrukRoot;

/* Called while tables are preloaded, with the bytes read and those to read in all. Any result but 0 stops. */
typedef int (*MakrukProgress)(void *data, uint64_t done, uint64_t all);

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Opens the tables in a list of folders, separated by ':' or ';' (on Windows by ';' alone). A table is taken from the
 * first folder that has it. flags are MAKRUK_STRICT and MAKRUK_POSITIONAL. cache_bytes is the memory for decoded
 * stripes; 0 is 64 MiB, 1 is none.
 *
 * Returns MAKRUK_OK and sets *tables; or MAKRUK_NO_TABLES if none of the folders has a table that can be used,
 * MAKRUK_BAD_ARGUMENT or MAKRUK_OUT_OF_MEMORY; with MAKRUK_STRICT also MAKRUK_CORRUPT_TABLE, MAKRUK_UNREADABLE_TABLE,
 * MAKRUK_UNSUPPORTED_TABLE, or MAKRUK_MISSING_TABLE if a .dtz file is there whose values need a .dtm file that is not.
 * The first size bytes of a sentence about a failure are written to why, which may be NULL; without MAKRUK_STRICT that
 * is the first table left out, or an empty text.
 */
int32_t makruk_open(const char *paths, uint64_t cache_bytes, uint32_t flags, MakrukTables **tables, char *why, size_t size);

/* Closes tables. NULL is ignored. */
void makruk_free(MakrukTables *tables);

/*
 * Reads tables into memory and compares all of their checksums, so that probes need not. what is a list, separated by
 * spaces or commas, of materials ("KRvKS", in either order of the sides) and numbers of men ("4": all of up to four
 * men); NULL is all tables. progress may be NULL.
 *
 * Returns MAKRUK_OK, MAKRUK_BAD_ARGUMENT, MAKRUK_MISSING_TABLE if a material of the list has no table, MAKRUK_STOPPED,
 * MAKRUK_CORRUPT_TABLE, MAKRUK_UNREADABLE_TABLE or MAKRUK_OUT_OF_MEMORY. The tables before a failure stay in memory.
 */
int32_t makruk_preload(MakrukTables *tables, const char *what, MakrukProgress progress, void *data);

/* The number of men of the largest material that has a table, both kings included; 0 for NULL. */
int32_t makruk_largest(const MakrukTables *tables);

/*
 * The largest number of men such that each material of up to that many men can be probed under any count: it has DTM
 * and, with both sides armed or a pawn on the board, DTZ. 2 if there is none; 0 for NULL.
 */
int32_t makruk_complete(const MakrukTables *tables);

/* The number of materials with a table; 0 for NULL. */
int32_t makruk_materials(const MakrukTables *tables);

/* The number of materials that have all tables of these kinds, such as MAKRUK_HAS_CATEGORY; 0 for NULL. */
int32_t makruk_materials_with(const MakrukTables *tables, int32_t kinds);

/*
 * The tables of a material such as "KRvKS", in either order of the sides: the bits MAKRUK_HAS_...; or
 * MAKRUK_BAD_ARGUMENT.
 */
int32_t makruk_has(const MakrukTables *tables, const char *material);

/*
 * The category of a position under its count: the probe for a search. It trusts its caller that the position is legal;
 * for any other position the answer has no meaning, or is a failure. flags are MAKRUK_IN_MEMORY and
 * MAKRUK_CATEGORY_ONLY. bounds may be NULL and are written only with a category; they may be narrower than those of
 * makruk_probe().
 *
 * Returns MAKRUK_LOSS to MAKRUK_WIN, or MAKRUK_MISSING_TABLE, MAKRUK_COUNT_UNDECIDED, MAKRUK_NOT_COVERED,
 * MAKRUK_ILLEGAL_POSITION, MAKRUK_BAD_COUNT, MAKRUK_CORRUPT_TABLE, MAKRUK_UNREADABLE_TABLE, MAKRUK_NOT_IN_MEMORY,
 * MAKRUK_OUT_OF_MEMORY or MAKRUK_BAD_ARGUMENT.
 */
int32_t makruk_probe_search(const MakrukTables *tables, const MakrukPosition *position, uint32_t flags, MakrukBounds *bounds);

/* As makruk_probe_search(), of any position: MAKRUK_ILLEGAL_POSITION or MAKRUK_BAD_COUNT if it breaks the rules. */
int32_t makruk_probe_category(const MakrukTables *tables, const MakrukPosition *position);

/* The whole verdict on a position. Returns MAKRUK_OK or a failure of makruk_probe_category(). */
int32_t makruk_probe(const MakrukTables *tables, const MakrukPosition *position, MakrukVerdict *verdict);

/*
 * A root with its legal moves, best first. Following the first move is perfect play: the winner mates within the count,
 * the loser holds out the longest. An engine that prefers to choose calls makruk_root_keep_category(); in a won
 * position it may keep only the moves with enough slack. For drawn positions see makruk_best_move().
 *
 * Returns MAKRUK_OK or a failure of makruk_probe_category(), also for the materials that captures and promotions lead
 * to. A mated or stalemated root has no moves.
 */
int32_t makruk_probe_root(const MakrukTables *tables, const MakrukPosition *position, MakrukRoot *root);

/*
 * Keeps the moves of a root that have the category of the best one, and removes the others: the moves among which an
 * engine's own search may choose. Returns the number of moves left, or MAKRUK_BAD_ARGUMENT.
 */
int32_t makruk_root_keep_category(MakrukRoot *root);

/*
 * The move that a perfect player makes. policy is its choice among moves that keep the category of the position:
 * "safest" (the first of makruk_probe_root()), "fastest" (the winner mates soonest, whatever the count), "stubborn"
 * (the loser puts off mate the longest, whatever the count) or "tricky" (the loser, and either side in a draw, leaves
 * the opponent the smallest share of replies that keep the result). NULL is "safest".
 *
 * Returns MAKRUK_OK, MAKRUK_NO_MOVE if the game is over (mate, stalemate, a count that has run out),
 * MAKRUK_OUT_OF_MEMORY, or as makruk_probe_root().
 */
int32_t makruk_best_move(const MakrukTables *tables, const MakrukPosition *position, const char *policy, MakrukMove *move);

/*
 * Explains why the probe of a position fails, in a sentence that names the table, the file, the value expected and the
 * one found; an empty text if it succeeds. The text is cut off if the buffer is too small.
 *
 * Returns the length of the sentence without the null at its end, or a negative result if the position is not legal.
 */
int32_t makruk_explain(const MakrukTables *tables, const MakrukPosition *position, char *buffer, size_t size);

/*
 * Reads a FEN: board, side to move, -, LIMIT, PLY, move number, the count in plies, or "-" if none runs, such as
 * "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78". It also reads what other programs write:
 *
 *   - khons as S, B or E, mets as M, Q, F, M~ or +M; the side as w, W, b, B, white or black; Thai digits;
 *   - fewer fields, board and side at least. The third of four fields, if it is a number, is XBoard's half-move
 *     clock: no count runs, and the fourth is the move number. The third of three, if it is a number, is the move
 *     number. A PLY that is missing is that of a count that begins now: 0, or against a bare king the plies of all men;
 *   - castling rights in the third field, such as KQkq, which are ignored;
 *   - any white space, or underscores, %20 or + in its stead; quotes and "fen" before the FEN; a byte order mark;
 *   - operations of an EPD or a comment after the fields, which are not read.
 *
 * With a pawn on the board LIMIT and PLY are checked and dropped. A count that no game reaches with these men is read
 * as given; makruk_explain_fen() says which one was likely meant. A position of chess is refused.
 *
 * Returns MAKRUK_OK, MAKRUK_BAD_FEN, MAKRUK_ILLEGAL_POSITION, MAKRUK_BAD_COUNT or MAKRUK_BAD_ARGUMENT.
 */
int32_t makruk_position_from_fen(const char *fen, MakrukPosition *position);

/*
 * Explains how makruk_position_from_fen() reads a text: why it refuses the text, or else what it dropped or assumed,
 * such as "Q was read as a met (M)"; an empty text if there was nothing of the kind. The text is cut off if the buffer
 * is too small (512 bytes are enough but for positions that break many rules).
 *
 * Returns the length of the sentence without the null at its end, or MAKRUK_BAD_ARGUMENT.
 */
int32_t makruk_explain_fen(const char *fen, char *buffer, size_t size);

/*
 * Writes a position's FEN into a buffer, cut off if it is too small (128 bytes are enough).
 *
 * Returns the length of the FEN without the null at its end, or a negative result.
 */
int32_t makruk_position_to_fen(const MakrukPosition *position, char *buffer, size_t size);

/*
 * Makes the move from one square to another, 0 (a1) to 63 (h8), and carries the count as makruk_position_play() does. A
 * pawn that reaches its sixth rank becomes a met.
 *
 * Returns MAKRUK_OK; MAKRUK_NO_MOVE if the move is not legal; or a failure of the position. The position changes only
 * on success.
 */
int32_t makruk_position_move(MakrukPosition *position, uint8_t from, uint8_t to);

/*
 * Makes a move in UCI notation, such as "e2e3" or "e5e6m", and carries the count: it runs on, or begins again if the
 * move bares a king or ends the last pawn. A position without a count and without pawns begins one with the defender's
 * next move.
 *
 * Returns MAKRUK_OK; MAKRUK_NO_MOVE if the move is not legal; or a failure of the position. The position changes only
 * on success.
 */
int32_t makruk_position_play(MakrukPosition *position, const char *move);

/*
 * The positions after the legal moves of a position, ordered by the moves' UCI notation; their counts are carried on.
 * moves and after are arrays of MAKRUK_MAX_MOVES, either may be NULL. In moves, the fields of verdicts are 0.
 *
 * Returns the number of moves, or a failure of the position.
 */
int32_t makruk_legal_moves(const MakrukPosition *position, MakrukMove *moves, MakrukPosition *after);

/* Whether the side to move is in check. 1 or 0; or MAKRUK_BAD_ARGUMENT. */
int32_t makruk_is_check(const MakrukPosition *position);

/* The name of a result: "ok", a category, or a failure in two words; "unknown" for any other number. */
const char *makruk_result_name(int32_t result);

/* The version, MAKRUK_VERSION. */
const char *makruk_version(void);

#ifdef __cplusplus
}
#endif

#endif /* MAKRUK_TB_H */
