/*
 * libmakruk_probe: the endgame tablebase of Makruk (Thai chess), for programs in C.
 *
 * SYNOPSIS
 *     #include "makruk_probe.h"
 *     cc engine.c libmakruk_probe.a -lpthread -ldl -lm      (or -lmakruk_probe)
 *
 * DESCRIPTION
 *     The tables cover positions of few men, unpromoted pawns among them. A verdict says whether a position is won, in how
 *     many plies, and whether it is won within the count. A position is a MakrukPosition: bitboards, the side to move and the
 *     count. A program fills it in, or calls makruk_position_from_fen().
 *
 *     An engine calls makruk_open() once, makruk_probe_search() in its search, makruk_probe_root() at the root, and
 *     makruk_free() at its end.
 *
 *         MakrukTables *tables;
 *         char why[256];
 *         if (makruk_open("/data/makruk:/more", 0, 0, &tables, why, sizeof why) == MAKRUK_OK) {
 *             MakrukBounds bounds;
 *             int32_t category = makruk_probe_search(tables, &position, 0, &bounds);
 *             if (category > 0) ...            (MAKRUK_LOSS to MAKRUK_WIN)
 *             makruk_free(tables);
 *         }
 *
 *     All distances and the count's figures are plies; "moves" are moves of one side. A reader of the same interface in one
 *     file of C is in the folder reader.
 *
 * THE COUNT
 *     limit 0 means that no count runs. Such a position is judged as if the count began with the defender's next move.
 *     While a count runs, an engine carries limit and ply through its search as makruk_position_play() does: each move adds
 *     one ply, and a capture that bares a king begins another count. Children of a root are judged by the count carried on
 *     and not as positions without a count. A mate counts if ply is at most limit + 1: the one final move gave it. A mate
 *     beyond that is MAKRUK_DRAW.
 *
 *     With an unpromoted pawn of either side on the board no count runs: limit and ply are checked and then ignored. The move
 *     that ends the last pawn (a promotion, a capture, or both) begins a count.
 *
 *     A count belongs to the side that does not win. A FEN does not say who counts, and an engine need not know: with a bare
 *     king it is the bare king, else the side that the tables say loses. If the winner changes by a blunder, the count that
 *     runs continues for the other side.
 *
 * HASH TABLES, NULL MOVES, REPETITION
 *     The category of a position depends on limit - ply, the plies that the count has left, so a key of the board alone does
 *     not identify it. MakrukBounds says for which counts a category holds: for all with holds_from <= limit - ply <=
 *     holds_to. An entry with these two numbers and a key of the board serves every count between them. An entry of a search
 *     has no such bounds; its key must contain the count, or at least limit - ply. With a pawn on the board a category holds
 *     for every count.
 *     For the count a null move is a move: it adds one ply. Zugzwang is common with few men; do not prune by null moves in
 *     positions that the tables cover.
 *     No category depends on repetition, because a forced win never needs to repeat a position. An engine must still see that
 *     its own moves make progress: it plays the moves of the best rank, or searches among those that keep the category. A
 *     running count makes every move that keeps MAKRUK_WIN progress.
 *
 * RESULTS
 *     Functions that return int32_t return MAKRUK_OK, a category or a number on success, and a negative constant on failure.
 *     No two results have the same number. makruk_result_name() has a word for each, makruk_explain() a sentence.
 *
 * THREADS
 *     Any number of threads may probe the same MakrukTables. makruk_open() opens every table that it finds; later probes
 *     open none of these. makruk_probe_search() allocates no memory and takes no lock if the tables of the position's captures
 *     and promotions are there as well. makruk_free() must be the last call with its tables.
 *
 * CONTRACT
 *     Pointers are NULL or aligned for their type. An input structure has every field initialised; padding need not be. Texts
 *     end with a null. An output may be uninitialised; it is written only on success. NULL where a value is needed is
 *     MAKRUK_BAD_ARGUMENT.
 *
 *     Table files are mapped into memory. While tables are open, no process may modify these files or cut them short in
 *     place; replacing a file by renaming another over it is allowed. Damage that a file already has is found by checksums:
 *     MAKRUK_CORRUPT_TABLE.
 *
 *     No function lets a Rust panic out: it returns MAKRUK_INTERNAL_ERROR.
 */

#ifndef MAKRUK_PROBE_H
#define MAKRUK_PROBE_H

#include <stddef.h>
#include <stdint.h>

/*
 The version of this interface, as makruk_version() returns it.
 */
#define MAKRUK_VERSION "1.3"

/*
 White, for MakrukPosition.side. White moves up the board.
 */
#define MAKRUK_WHITE 0

/*
 Black.
 */
#define MAKRUK_BLACK 1

/*
 The distance of a draw.
 */
#define MAKRUK_NO_DISTANCE (-32768)

/*
 The upper bound on the number of legal moves.
 */
#define MAKRUK_MAX_MOVES 128

/*
 The bound of a category that holds for every count on one side.
 */
#define MAKRUK_ANY_COUNT 32767

/*
 For makruk_probe_search(): the answer only if no byte of a file has to be read for the first time.
 */
#define MAKRUK_IN_MEMORY 4

/*
 For makruk_probe_search(): the answer only if the search table or the WDL table decides it; otherwise
 MAKRUK_COUNT_UNDECIDED. The distances are not read.
 */
#define MAKRUK_SEARCH_ONLY 8

/*
 Lost, also under the count. Categories are seen by the side to move, or by the side that makes a move.
 */
#define MAKRUK_LOSS 1

/*
 Lost without the count, drawn by it.
 */
#define MAKRUK_BLESSED_LOSS 2

/*
 Drawn: neither side forces mate.
 */
#define MAKRUK_DRAW 3

/*
 Won without the count, drawn by it.
 */
#define MAKRUK_CURSED_WIN 4

/*
 Won, also under the count.
 */
#define MAKRUK_WIN 5

/*
 Success, for functions that return no category and no number.
 */
#define MAKRUK_OK 0

/*
 The table of the position, or of a position that a capture or promotion leads to, is not there.
 */
#define MAKRUK_MISSING_TABLE (-1)

/*
 The category depends on the distance, and the table that has it (.dtz; without pawns against a bare king .dtm) is
 not there.
 */
#define MAKRUK_COUNT_UNDECIDED (-2)

/*
 No table can have such a position: it has more than seven men.
 */
#define MAKRUK_NOT_COVERED (-3)

/*
 The position breaks the rules: bitboards that contradict each other, touching kings, the side not to move in check, a pawn
 outside the third to the fifth rank from its side, more men than a side can have.
 */
#define MAKRUK_ILLEGAL_POSITION (-4)

/*
 The count's limit or ply is above 9999.
 */
#define MAKRUK_BAD_COUNT (-5)

/*
 The table is damaged. Other tables are not affected.
 */
#define MAKRUK_CORRUPT_TABLE (-6)

/*
 The text is not a FEN.
 */
#define MAKRUK_BAD_FEN (-7)

/*
 The move is not legal, or there is none to make.
 */
#define MAKRUK_NO_MOVE (-8)

/*
 A null pointer, a text that is not UTF-8, or a name or number without a meaning.
 */
#define MAKRUK_BAD_ARGUMENT (-9)

/*
 There are no tables in any of the folders.
 */
#define MAKRUK_NO_TABLES (-10)

/*
 An error in this library.
 */
#define MAKRUK_INTERNAL_ERROR (-11)

/*
 The answer is not in memory, and MAKRUK_IN_MEMORY was asked for.
 */
#define MAKRUK_NOT_IN_MEMORY (-12)

/*
 The table is there, but the system cannot read it.
 */
#define MAKRUK_UNREADABLE_TABLE (-13)

/*
 The table has another version of the format, or other counting rules.
 */
#define MAKRUK_UNSUPPORTED_TABLE (-14)

/*
 The progress function has asked to stop.
 */
#define MAKRUK_STOPPED (-15)

/*
 Memory is exhausted. No function returns it here; the reader in one file does.
 */
#define MAKRUK_OUT_OF_MEMORY (-16)

/*
 For makruk_open(): a folder that is not there or a table that cannot be used fails, instead of being left out.
 */
#define MAKRUK_STRICT 1

/*
 For makruk_open(): files are read by position and not mapped.
 */
#define MAKRUK_POSITIONAL 2

/*
 A table of makruk_has(): the category for a count that begins now.
 */
#define MAKRUK_HAS_WDL 1

/*
 Plies to mate; with a bare king and no pawn those to the conversion too.
 */
#define MAKRUK_HAS_DTM 2

/*
 Plies to the conversion.
 */
#define MAKRUK_HAS_DTZ 4

/*
 Bounds of the plies to the conversion, which decide most counts that run.
 */
#define MAKRUK_HAS_SEARCH 8

/*
 The version of this interface. A change that breaks programs raises it; it is the number in the shared library's name.
 */
#define MAKRUK_VERSION_MAJOR 1

/*
 Raised by what is added to the interface.
 */
#define MAKRUK_VERSION_MINOR 3

/*
 Open tables. Made by makruk_open(), ended by makruk_free().
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
   Unpromoted pawns (bia) of both sides.
   */
  uint64_t pawns;
  /*
   The count's limit in plies, as in the FEN: 128 for board's honour, 32 for a rook against a bare king. 0: no count runs.
   */
  uint32_t limit;
  /*
   The plies on the clock, as in the FEN; ignored if limit is 0.
   */
  uint32_t ply;
  /*
   The number of the move to be made; probes ignore it.
   */
  uint32_t fullmove;
  /*
   The side to move: MAKRUK_WHITE or MAKRUK_BLACK.
   */
  uint8_t side;
} MakrukPosition;

/*
 A legal move and its verdict, from the side that makes it, the move itself included: a mating move has dtm 1.
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
   Plies to the conversion, or MAKRUK_NO_DISTANCE.
   */
  int32_t dtz;
  /*
   0 for the best moves; moves of equal rank are equally good.
   */
  uint32_t rank;
  /*
   The winner's moves left after the move less those to the conversion, or MAKRUK_NO_DISTANCE.
   */
  int32_t slack;
  /*
   The limit of the count after the move, in plies; 0 if none runs.
   */
  uint32_t limit;
  /*
   The plies on the clock of that count.
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
   1 if it bares an opponent who had a man left.
   */
  uint8_t bares_king;
  /*
   1 if a pawn becomes a met.
   */
  uint8_t promotion;
  /*
   The move in UCI notation, with a null at its end: "e2e3", with a promotion "e5e6m".
   */
  char uci[7];
} MakrukMove;

/*
 The counts for which a category holds: those with holds_from <= limit - ply <= holds_to. A bound of -MAKRUK_ANY_COUNT or
 MAKRUK_ANY_COUNT is none.

 limit and ply are those of a count that runs. The limit 0 of a position whose count has not begun says nothing about the plies
 left: a hash table must not be asked for 0 - ply. Take the limit and the ply of the count that begins, which makruk_probe()
 gives in MakrukVerdict.
 */
typedef struct {
  /*
   The fewest plies left.
   */
  int32_t holds_from;
  /*
   The most plies left.
   */
  int32_t holds_to;
} MakrukBounds;

/*
 The verdict on a position, from the side to move. Distances are signed plies: positive wins, negative loses, 0 is mated.
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
   Plies to the conversion, which settles the count (mate; a capture that bares the loser's king with enough moves left;
   with pawns on the board the winner's move that ends the last one, with enough moves left), or MAKRUK_NO_DISTANCE. With
   a bare king and no pawn the same as dtm.
   */
  int32_t dtz;
  /*
   The limit of the count that the verdict uses, in plies; 0 if there is none, as with pawns on the board. That count is
   the one given or, without, the one that begins with the defender's next move.
   */
  uint32_t limit;
  /*
   The plies on the clock of that count.
   */
  uint32_t ply;
  /*
   The winner's moves left under that count; -1 if neither side wins or there is no count.
   */
  int32_t attacker_moves_left;
  /*
   Those less the moves to the conversion: negative if the winner is short of moves; MAKRUK_NO_DISTANCE if there is no
   conversion or no count.
   */
  int32_t slack;
  /*
   The counts for which the category holds.
   */
  MakrukBounds bounds;
  /*
   1 if the side to move is mated; the category is MAKRUK_DRAW if the count had drawn the game before.
   */
  uint8_t checkmate;
  /*
   1 if it is stalemated.
   */
  uint8_t stalemate;
} MakrukVerdict;

/*
 A root: its verdict, and its legal moves, best first.
 */
typedef struct {
  /*
   The verdict.
   */
  MakrukVerdict verdict;
  /*
   The number of moves.
   */
  uint32_t count;
  /*
   The moves. Best first: a win by the shortest dtz and then dtm, a cursed win by the shortest dtm, a draw, a blessed loss by
   the longest dtm, a loss by the longest dtz and then dtm. Equals have one rank and are ordered by their UCI notation.
   */
  MakrukMove moves[MAKRUK_MAX_MOVES];
} MakrukRoot;

/*
 Called while tables are preloaded, with the bytes read and those to read in all. Any result but 0 stops.
 */
typedef int (*MakrukProgress)(void *data, uint64_t done, uint64_t all);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The positions after the legal moves of a position, ordered by the moves' UCI notation; their counts are carried on. moves
 and after are arrays of MAKRUK_MAX_MOVES, either may be NULL. In moves, the fields of verdicts are 0.

 Returns the number of moves, or a failure of the position.

 Contract: position is NULL or a position, moves and after are NULL or have room for MAKRUK_MAX_MOVES.
 */
int32_t makruk_legal_moves(const MakrukPosition *position,
                           MakrukMove *moves,
                           MakrukPosition *after);

/*
 Reads a FEN: board, side to move, -, LIMIT, PLY, move number, the count in plies, or "-" if none runs, such as
 "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78". It also reads what other programs write:

   - khons as S, B or E, mets as M, Q, F, M~ or +M; the side as w, W, b, B, white or black; Thai digits;
   - fewer fields, board and side at least. The third of four fields, if it is a number, is XBoard's half-move clock: no count
     runs, and the fourth is the move number. The third of three, if it is a number, is the move number;
   - castling rights in the third field, such as KQkq, which are ignored;
   - any white space, or underscores, %20 or + in its stead; quotes and "fen" before the FEN; a byte order mark; links;
   - operations of an EPD or a comment after the fields, which are not read.

 With a pawn on the board LIMIT and PLY are checked and dropped. A position of chess is refused.

 Returns MAKRUK_OK, MAKRUK_BAD_FEN, MAKRUK_ILLEGAL_POSITION, MAKRUK_BAD_COUNT or MAKRUK_BAD_ARGUMENT. *position is written
 only on success.

 Contract: fen is NULL or a string, position NULL or a place for a position.
 */
int32_t makruk_position_from_fen(const char *fen,
                                 MakrukPosition *position);

/*
 Explains how makruk_position_from_fen() reads a text: why it refuses the text, or else what it dropped or assumed, such as
 "Q was read as a met (M)"; an empty text if there was nothing of the kind. The text is cut off if the buffer is too small
 (512 bytes are enough but for positions that break many rules).

 Returns the length of the sentence without the null at its end, or MAKRUK_BAD_ARGUMENT.

 Contract: fen is NULL or a string, buffer NULL or room for size bytes.
 */
int32_t makruk_explain_fen(const char *fen,
                           char *buffer,
                           size_t size);

/*
 Writes a position's FEN into a buffer, cut off if it is too small (128 bytes are enough).

 Returns the length of the FEN without the null at its end, or a negative result.

 Contract: position is NULL or a position, buffer NULL or room for size bytes.
 */
int32_t makruk_position_to_fen(const MakrukPosition *position, char *buffer, size_t size);

/*
 Makes a move in UCI notation, such as "e2e3" or "e5e6m", and carries the count: it runs on, or begins again if the move
 bares a king or ends the last pawn. A position without a count and without pawns begins one with the defender's next move.

 Returns MAKRUK_OK, or MAKRUK_NO_MOVE if the move is not legal, in which case the position does not change. A text that is
 not a move is MAKRUK_NO_MOVE as well.

 Contract: position is NULL or a position that may be changed, move NULL or a string.
 */
int32_t makruk_position_play(MakrukPosition *position,
                             const char *move);

/*
 Makes the move from one square to another, 0 (a1) to 63 (h8), and carries the count as makruk_position_play() does. A pawn that
 reaches its sixth rank becomes a met.

 Returns MAKRUK_OK, or MAKRUK_NO_MOVE if the move is not legal, in which case the position does not change.

 Contract: position is NULL or a position that may be changed.
 */
int32_t makruk_position_move(MakrukPosition *position,
                             uint8_t from,
                             uint8_t to);

/*
 Whether the side to move is in check. 1 or 0; or a failure of the position.

 Contract: position is NULL or a position.
 */
int32_t makruk_is_check(const MakrukPosition *position);

/*
 The category of a position under its count: the probe for a search. It trusts its caller that the position is legal; the
 answer of another position has no meaning. flags are MAKRUK_IN_MEMORY and MAKRUK_SEARCH_ONLY. bounds may be NULL. It allocates no memory and
 takes no lock.

 Returns MAKRUK_LOSS to MAKRUK_WIN, or MAKRUK_MISSING_TABLE, MAKRUK_COUNT_UNDECIDED, MAKRUK_NOT_COVERED,
 MAKRUK_ILLEGAL_POSITION, MAKRUK_BAD_COUNT, MAKRUK_CORRUPT_TABLE, MAKRUK_UNREADABLE_TABLE, MAKRUK_NOT_IN_MEMORY or
 MAKRUK_BAD_ARGUMENT.

 Contract: tables is NULL or comes from makruk_open(), position is NULL or a position, bounds NULL or a place for bounds.
 */
int32_t makruk_probe_search(const MakrukTables *tables,
                            const MakrukPosition *position,
                            uint32_t flags,
                            MakrukBounds *bounds);

/*
 As makruk_probe_search(), of any position: MAKRUK_ILLEGAL_POSITION or MAKRUK_BAD_COUNT if it breaks the rules.

 Contract: tables is NULL or comes from makruk_open(), position is NULL or a position.
 */
int32_t makruk_probe_category(const MakrukTables *tables,
                              const MakrukPosition *position);

/*
 The whole verdict on a position: category, distances and count.

 Returns MAKRUK_OK or a failure of makruk_probe_category(). *verdict is written only on success.

 Contract: tables is NULL or comes from makruk_open(), position is NULL or a position, verdict NULL or a place for one.
 */
int32_t makruk_probe(const MakrukTables *tables,
                     const MakrukPosition *position,
                     MakrukVerdict *verdict);

/*
 A root with its legal moves, best first. Following the first move is perfect play: the winner mates within the count, the
 loser holds out the longest. An engine that prefers to choose calls makruk_root_keep_category(); in a won
 position it may keep only the moves with enough slack. For drawn positions see makruk_best_move().

 Returns MAKRUK_OK or a failure of makruk_probe_category(), also for the materials that captures and promotions lead to. *root is written
 only on success. A mated or stalemated root has no moves.

 Contract: tables is NULL or comes from makruk_open(), position is NULL or a position, root NULL or a place for one.
 */
int32_t makruk_probe_root(const MakrukTables *tables,
                          const MakrukPosition *position,
                          MakrukRoot *root);

/*
 Keeps the moves of a root that have the category of the best one, and removes the others: the moves among which an engine's
 own search may choose. Returns the number of moves left, or MAKRUK_BAD_ARGUMENT.

 Contract: root is NULL or a root that may be changed.
 */
int32_t makruk_root_keep_category(MakrukRoot *root);

/*
 The move that a perfect player makes. policy is its choice among moves that keep the category of the position:
 "safest" (the first of makruk_probe_root()), "fastest" (the winner mates soonest, whatever the count), "stubborn" (the loser
 puts off mate the longest, whatever the count) or "tricky" (the loser, and either side in a draw, leaves the opponent the
 smallest share of replies that keep the result). NULL is "safest".

 Returns MAKRUK_OK, MAKRUK_NO_MOVE if the game is over (mate, stalemate, a count that has run out), or as
 makruk_probe_root().

 Contract: tables is NULL or comes from makruk_open(), position is NULL or a position, policy NULL or a string, move NULL or a
 place for one.
 */
int32_t makruk_best_move(const MakrukTables *tables,
                         const MakrukPosition *position,
                         const char *policy,
                         MakrukMove *move);

/*
 Explains why the probe of a position fails, in a sentence that names the table that is missing or damaged; an empty text if
 the probe succeeds. The text is cut off if the buffer is too small.

 Returns the length of the sentence without the null at its end, or a negative result if the position is not legal.

 Contract: tables is NULL or comes from makruk_open(), position is NULL or a position, buffer NULL or room for size bytes.
 */
int32_t makruk_explain(const MakrukTables *tables,
                       const MakrukPosition *position,
                       char *buffer,
                       size_t size);

/*
 The name of a result: "ok", a category, or a failure in two or three words; "unknown" for any other number. The text
 lives as long as the program.
 */
const char *makruk_result_name(int32_t result);

/*
 Opens the tables in a list of folders, separated by ':' or ';' (on Windows by ';' alone). NULL or an empty list: the
 folder that MAKRUK_TABLES names, else ./tables/data if it is there, else the user's data folder. A table is taken from the
 first folder that has it. flags are MAKRUK_STRICT and MAKRUK_POSITIONAL. cache_bytes is the memory for decoded stripes; 0
 is 64 MiB, 1 is none.

 Returns MAKRUK_OK and sets *tables; or MAKRUK_NO_TABLES if none of the folders has a table, or MAKRUK_BAD_ARGUMENT; with
 MAKRUK_STRICT also MAKRUK_CORRUPT_TABLE, MAKRUK_UNREADABLE_TABLE, MAKRUK_UNSUPPORTED_TABLE or MAKRUK_MISSING_TABLE. The
 first size bytes of a sentence about a failure are written to why, which may be NULL; without MAKRUK_STRICT that is the
 first table left out, or an empty text.

 Contract: paths is NULL or a string, tables a place for a pointer, why NULL or room for size bytes.
 */
int32_t makruk_open(const char *paths,
                    uint64_t cache_bytes,
                    uint32_t flags,
                    MakrukTables **tables,
                    char *why,
                    size_t size);

/*
 Reads tables into memory and compares all of their checksums, so that probes need not. what is a list, separated by
 spaces or commas, of materials ("KRvKS", in either order of the sides) and numbers of men ("4": all of up to four men);
 NULL is all tables. progress may be NULL.

 Returns MAKRUK_OK, MAKRUK_BAD_ARGUMENT, MAKRUK_MISSING_TABLE if a material of the list has no table, MAKRUK_STOPPED,
 MAKRUK_CORRUPT_TABLE or MAKRUK_UNREADABLE_TABLE. The tables before a failure stay in memory.

 Contract: tables is NULL or comes from makruk_open(), what is NULL or a string, progress NULL or a function that may be called
 with data.
 */
int32_t makruk_preload(const MakrukTables *tables,
                       const char *what,
                       MakrukProgress progress,
                       void *data);

/*
 Closes tables. NULL is ignored.

 Contract: tables is NULL or comes from makruk_open(), and is not used afterwards.
 */
void makruk_free(MakrukTables *tables);

/*
 The number of men of the largest material that has a table, both kings included; 0 for NULL. A search need not probe
 positions with more.

 Contract: tables is NULL or comes from makruk_open().
 */
int32_t makruk_largest(const MakrukTables *tables);

/*
 The number of materials with a table that can be opened; 0 for NULL.

 Contract: tables is NULL or comes from makruk_open().
 */
int32_t makruk_materials(const MakrukTables *tables);

/*
 The number of materials that have all tables of these kinds, such as MAKRUK_HAS_SEARCH; 0 for NULL.

 Contract: tables is NULL or comes from makruk_open().
 */
int32_t makruk_materials_with(const MakrukTables *tables, int32_t kinds);

/*
 The largest number of men such that each material of up to that many men can be probed under any count: it has DTM and, with
 both sides armed or a pawn on the board, DTZ. 2 if there is none; 0 for NULL.

 Contract: tables is NULL or comes from makruk_open().
 */
int32_t makruk_complete(const MakrukTables *tables);

/*
 The tables of a material such as "KRvKS", in either order of the sides: the bits MAKRUK_HAS_...; or MAKRUK_BAD_ARGUMENT.

 Contract: tables is NULL or comes from makruk_open(), material is NULL or a string.
 */
int32_t makruk_has(const MakrukTables *tables,
                   const char *material);

/*
 The version of the interface, such as "1.3". The text lives as long as the program.
 */
const char *makruk_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MAKRUK_PROBE_H */
