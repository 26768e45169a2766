/*
 * libmakruk_probe: the endgame tablebase of Makruk (Thai chess), for programs in C.
 *
 * SYNOPSIS
 *     #include "makruk_probe.h"
 *     cc engine.c libmakruk_probe.a -lpthread -ldl -lm      (or -lmakruk_probe)
 *
 * DESCRIPTION
 *     The tables cover positions without unpromoted pawns. They tell whether a position is won, in how many plies, and
 *     whether it is won within the count. A position is a MakrukPosition: bitboards, the side to move and the count,
 *     made by hand or by makruk_position_from_fen().
 *
 *     An engine calls makruk_init() once, makruk_probe_category() in its search, makruk_probe_root() at the root, and
 *     makruk_free() at its end.
 *
 *         MakrukTables *tables;
 *         if (makruk_init("/data/makruk:/more", 0, &tables) == MAKRUK_OK) {
 *             int category = makruk_probe_category(tables, &position);
 *             if (category >= 0) ...            (MAKRUK_LOSS to MAKRUK_WIN)
 *         }
 *
 *     All distances and the count's figures are plies; "moves" are moves of one side.
 *
 * THE COUNT
 *     limit 0 says that none runs. Such a position is judged as if the count began with the defender's next move. While a
 *     count runs, an engine carries limit and ply through its search as makruk_position_play() does: each move adds one
 *     ply, and a capture that bares a king begins another count. Children of a root are judged by the count carried on
 *     and not as positions without a count.
 *
 * RESULTS
 *     Functions that return int32_t return 0 or more when all is well and one of the negative MAKRUK_ constants when not.
 *     makruk_result_name() has a word for each of them, makruk_explain() a sentence.
 *
 * THREADS
 *     Any number of threads may probe the same MakrukTables. makruk_init() opens all tables, so that probes open none.
 *     makruk_probe_category() allocates no memory and takes no lock. makruk_free() must be the last call with its tables.
 *
 * SAFETY
 *     No function lets a Rust panic out: it returns MAKRUK_INTERNAL_ERROR. A null pointer is MAKRUK_BAD_ARGUMENT. Table
 *     files are mapped: they may be replaced by renaming, but not cut short or written over while they are in use.
 *     Damage that is there is found by checksums: MAKRUK_CORRUPT_TABLE.
 */

#ifndef MAKRUK_PROBE_H
#define MAKRUK_PROBE_H

#include <stddef.h>
#include <stdint.h>

/*
 White, for MakrukPosition.side. White moves up the board.
 */
#define MAKRUK_WHITE 0

/*
 Black.
 */
#define MAKRUK_BLACK 1

/*
 The value of a distance where there is none: a draw.
 */
#define MAKRUK_NO_DISTANCE -32768

/*
 More than a position has legal moves.
 */
#define MAKRUK_MAX_MOVES 128

/*
 Lost, also under the count. Categories are seen by the side to move, or by the side that makes a move.
 */
#define MAKRUK_LOSS 0

/*
 Lost without the count, drawn by it.
 */
#define MAKRUK_BLESSED_LOSS 1

/*
 Drawn: nobody forces mate.
 */
#define MAKRUK_DRAW 2

/*
 Won without the count, drawn by it.
 */
#define MAKRUK_CURSED_WIN 3

/*
 Won, also under the count.
 */
#define MAKRUK_WIN 4

/*
 All is well, for functions that have nothing else to say.
 */
#define MAKRUK_OK 0

/*
 The table that has the answer is not there.
 */
#define MAKRUK_MISSING_TABLE -1

/*
 It depends on the distance whether the count leaves time for a win, and the table that has it (`.dtz`, against a bare king
 `.dtm`) is not there.
 */
#define MAKRUK_COUNT_UNDECIDED -2

/*
 No table can have such a position: it has unpromoted pawns, or more than seven men.
 */
#define MAKRUK_NOT_COVERED -3

/*
 The position breaks the rules: bitboards that contradict each other, touching kings, the side not to move in check.
 */
#define MAKRUK_ILLEGAL_POSITION -4

/*
 The count's limit or ply is above 9999.
 */
#define MAKRUK_BAD_COUNT -5

/*
 The table is damaged. Others are not concerned.
 */
#define MAKRUK_CORRUPT_TABLE -6

/*
 The text is no FEN.
 */
#define MAKRUK_BAD_FEN -7

/*
 The move is not legal, or there is none to make.
 */
#define MAKRUK_NO_MOVE -8

/*
 A null pointer, a text that is no UTF-8, or a number that names nothing.
 */
#define MAKRUK_BAD_ARGUMENT -9

/*
 There are no tables in any of the folders.
 */
#define MAKRUK_NO_TABLES -10

/*
 A mistake in this library.
 */
#define MAKRUK_INTERNAL_ERROR -11

/*
 Open tables. Made by makruk_init(), ended by makruk_free().
 */
typedef struct MakrukTables MakrukTables;

/*
 A position. Bit 0 of a bitboard is a1, bit 1 b1, bit 8 a2, bit 63 h8.
 */
typedef struct {
  /*
   White's men.
   */
  uint64_t white;
  /*
   Black's men.
   */
  uint64_t black;
  /*
   Kings (khun) of both sides.
   */
  uint64_t kings;
  /*
   Rooks (rua) of both sides.
   */
  uint64_t rooks;
  /*
   Knights (ma) of both sides.
   */
  uint64_t knights;
  /*
   Khons of both sides.
   */
  uint64_t khons;
  /*
   Mets of both sides, promoted pawns among them.
   */
  uint64_t mets;
  /*
   Unpromoted pawns (bia) of both sides. No table has such a position.
   */
  uint64_t pawns;
  /*
   The count's limit in plies, as in the FEN: 128 for board's honour, 32 for a rook against a bare king. 0: none runs.
   */
  uint32_t limit;
  /*
   The plies on the clock, as in the FEN; of no account where limit is 0.
   */
  uint32_t ply;
  /*
   The number of the move to be made, of no account to probes.
   */
  uint32_t fullmove;
  /*
   The side to move: MAKRUK_WHITE or MAKRUK_BLACK.
   */
  uint8_t side;
} MakrukPosition;

/*
 What a position is worth, from the side to move. Distances are signed plies: positive wins, negative loses, 0 is mated.
 */
typedef struct {
  /*
   MAKRUK_LOSS to MAKRUK_WIN, under the count.
   */
  int32_t category;
  /*
   Plies to mate without a count, or MAKRUK_NO_DISTANCE.
   */
  int32_t dtm;
  /*
   Plies to the event that settles the count (mate, or a capture that bares the loser with enough moves left), or
   MAKRUK_NO_DISTANCE. With a bare king the same as dtm.
   */
  int32_t dtz;
  /*
   The count it is judged by, in plies; 0 where the rules have none. It is the one given or, without, the one that begins
   with the defender's next move.
   */
  uint32_t limit;
  /*
   The plies on that count's clock.
   */
  uint32_t ply;
  /*
   The winner's moves left under that count; -1 where nobody wins.
   */
  int32_t attacker_moves_left;
  /*
   1 if the side to move is mated.
   */
  uint8_t checkmate;
  /*
   1 if it is stalemated.
   */
  uint8_t stalemate;
} MakrukVerdict;

/*
 A legal move and what it is worth to the side that makes it, the move itself included: a mating move has dtm 1.
 */
typedef struct {
  /*
   MAKRUK_LOSS to MAKRUK_WIN, under the root's count carried on.
   */
  int32_t category;
  /*
   Plies to mate without a count, or MAKRUK_NO_DISTANCE.
   */
  int32_t dtm;
  /*
   Plies to the event that settles the count, or MAKRUK_NO_DISTANCE.
   */
  int32_t dtz;
  /*
   The count after the move, in plies; 0 where none runs.
   */
  uint32_t limit;
  /*
   The plies on its clock.
   */
  uint32_t ply;
  /*
   The square left, 0 (a1) to 63 (h8).
   */
  uint8_t from;
  /*
   The square reached.
   */
  uint8_t to;
  /*
   1 if it takes a man.
   */
  uint8_t capture;
  /*
   1 if it bares an opponent who had a piece left.
   */
  uint8_t zeroing;
  /*
   The move in UCI notation, with a null at its end.
   */
  char uci[8];
} MakrukMove;

/*
 A root: its worth, and its legal moves, best first.
 */
typedef struct {
  /*
   What it is worth.
   */
  MakrukVerdict verdict;
  /*
   How many moves there are.
   */
  uint32_t count;
  /*
   The moves. Best first: a win by the shortest dtz and then dtm, a cursed win by the shortest dtm, a draw, a blessed loss by
   the longest dtm, a loss by the longest dtz and then dtm.
   */
  MakrukMove moves[MAKRUK_MAX_MOVES];
} MakrukRoot;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Reads a FEN: board, side to move, -, LIMIT, PLY, move number, the count in plies and "-" where none runs, such as
 "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78". Khons may be S, B or E, mets M, Q or F.

 Returns MAKRUK_OK, MAKRUK_BAD_FEN, MAKRUK_ILLEGAL_POSITION, MAKRUK_BAD_COUNT or MAKRUK_BAD_ARGUMENT; *position is written
 only if all is well.

 # Safety

 `fen` is NULL or a string, `position` NULL or a place for a position.
 */
int32_t makruk_position_from_fen(const char *fen,
                                 MakrukPosition *position);

/*
 Writes a position's FEN into a buffer, cut off if it is too small (128 bytes are enough).

 Returns the length of the FEN without the null at its end, or a negative result.

 # Safety

 `position` is NULL or a position, `buffer` NULL or room for `size` bytes.
 */
int32_t makruk_position_to_fen(const MakrukPosition *position, char *buffer, size_t size);

/*
 Makes a move in UCI notation, such as "e2e3", and carries the count: it runs on, or begins anew where the move bares a king
 or takes the last pawn off. A position without a count begins one with the defender's next move.

 Returns MAKRUK_OK, or MAKRUK_NO_MOVE if the move is not legal; the position then stays as it is.

 # Safety

 `position` is NULL or a position that may be changed, `move` NULL or a string.
 */
int32_t makruk_position_play(MakrukPosition *position,
                             const char *move);

/*
 The category of a position under its count: the probe for a search. It allocates no memory and takes no lock.

 Returns MAKRUK_LOSS to MAKRUK_WIN, or MAKRUK_MISSING_TABLE, MAKRUK_COUNT_UNDECIDED, MAKRUK_NOT_COVERED,
 MAKRUK_ILLEGAL_POSITION, MAKRUK_BAD_COUNT, MAKRUK_CORRUPT_TABLE or MAKRUK_BAD_ARGUMENT.

 # Safety

 `tables` is NULL or comes from makruk_init(), `position` is NULL or a position.
 */
int32_t makruk_probe_category(const MakrukTables *tables,
                              const MakrukPosition *position);

/*
 All that is known of a position: category, distances and count.

 Returns MAKRUK_OK or what makruk_probe_category() returns when it fails; *verdict is written only if all is well.

 # Safety

 `tables` is NULL or comes from makruk_init(), `position` is NULL or a position, `verdict` NULL or a place for one.
 */
int32_t makruk_probe(const MakrukTables *tables,
                     const MakrukPosition *position,
                     MakrukVerdict *verdict);

/*
 A root with its legal moves, best first. Following the first move is perfect play: the winner mates within the count, the
 loser holds out the longest. For drawn positions see makruk_best_move().

 Returns MAKRUK_OK or what makruk_probe_category() returns when it fails, also for the sets that captures lead to; *root is
 written only if all is well. A mated or stalemated root has no moves.

 # Safety

 `tables` is NULL or comes from makruk_init(), `position` is NULL or a position, `root` NULL or a place for one.
 */
int32_t makruk_probe_root(const MakrukTables *tables,
                          const MakrukPosition *position,
                          MakrukRoot *root);

/*
 The move that a perfect player makes. `policy` names how it chooses among moves that keep what the position is worth:
 "safest" (the first of makruk_probe_root()), "fastest" (the winner mates soonest, whatever the count), "stubborn" (the loser
 puts off mate the longest, whatever the count) or "tricky" (the loser, and anyone in a draw, leaves the opponent the smallest
 share of replies that keep what he has). NULL is "safest".

 Returns MAKRUK_OK, MAKRUK_NO_MOVE if the game is over (mate, stalemate, a count that has run out), or as
 makruk_probe_root().

 # Safety

 `tables` is NULL or comes from makruk_init(), `position` is NULL or a position, `policy` NULL or a string, `move` NULL or a
 place for one.
 */
int32_t makruk_best_move(const MakrukTables *tables,
                         const MakrukPosition *position,
                         const char *policy,
                         MakrukMove *move);

/*
 Why a position can't be probed, in a sentence that names the table that is missing or damaged and what to do; an empty text
 if it can. The text is cut off if the buffer is too small.

 Returns the length of the sentence without the null at its end, or a negative result if the position is none.

 # Safety

 `tables` is NULL or comes from makruk_init(), `position` is NULL or a position, `buffer` NULL or room for `size` bytes.
 */
int32_t makruk_explain(const MakrukTables *tables,
                       const MakrukPosition *position,
                       char *buffer,
                       size_t size);

/*
 The name of a result: a category, or what is wrong in two words. "unknown" for a number that is neither. The text lives
 as long as the program.
 */
const char *makruk_result_name(int32_t result);

/*
 Opens the tables in a list of folders, separated by ':' or ';' (on Windows by ';' alone). NULL or an empty list: the
 folder that MAKRUK_TABLES names, else ./tables/data if it is there, else the user's data folder. A table is taken from the
 first folder that has it. `cache_bytes` is the memory for decoded boards; 0 is 64 MiB, 1 is none.

 Returns MAKRUK_OK and sets *tables, or MAKRUK_NO_TABLES if none of the folders has a table, or MAKRUK_BAD_ARGUMENT.

 # Safety

 `paths` is NULL or a string, `tables` a place for a pointer.
 */
int32_t makruk_init(const char *paths,
                    uint64_t cache_bytes,
                    MakrukTables **tables);

/*
 Closes tables. NULL is nothing to close.

 # Safety

 `tables` is NULL or comes from makruk_init(), and nobody uses it any more.
 */
void makruk_free(MakrukTables *tables);

/*
 The men of the largest set that has a table, both kings included; 0 for NULL. A search need not probe beyond.

 # Safety

 `tables` is NULL or comes from makruk_init().
 */
int32_t makruk_largest(const MakrukTables *tables);

/*
 How many sets have a table that can be opened; 0 for NULL.

 # Safety

 `tables` is NULL or comes from makruk_init().
 */
int32_t makruk_sets(const MakrukTables *tables);

/*
 The library's version, such as "0.1.0". The text lives as long as the program.
 */
const char *makruk_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MAKRUK_PROBE_H */
