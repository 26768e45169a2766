/*
 * makruk_tb: reads the endgame tables of Makruk (Thai chess). See makruk_tb.h.
 *
 * Licensed under either of the Apache License, Version 2.0, or the MIT License, at your option.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * C11 and C++17. Sections: system, bits, attacks, boards, moves, the count, failures, texts, FEN, files, checksums,
 * materials, king pairs, geometry, headers, models, decoding, the stripe cache, stored values, derived values, both
 * distances, verdicts, opening, preloading, the interface.
 */

#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef _MSC_VER
#define _CRT_SECURE_NO_WARNINGS
#endif
#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1
#endif

#include "makruk_tb.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- System ---- */

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__EMSCRIPTEN__) || defined(__wasm__)
#ifndef MAKRUK_TB_NO_MMAP
#define MAKRUK_TB_NO_MMAP
#endif
#endif
#ifndef MAKRUK_TB_NO_MMAP
#include <sys/mman.h>
#endif
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <nmmintrin.h>
#define HAS_X86_CRC 1
#define HAS_SSE2 1
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define HAS_ARM_CRC 1
#endif

/* Words that threads share. C and C++ name the same operations differently. */
#ifdef __cplusplus
#include <atomic>
typedef std::atomic<uint32_t> Shared;
typedef std::atomic<const uint8_t *> SharedBytes;
#define ACQUIRE(word) ((word).load(std::memory_order_acquire))
#define RELAXED(word) ((word).load(std::memory_order_relaxed))
#define RELEASE(word, value) ((word).store((value), std::memory_order_release))
#define EXCHANGE(word, expected, value)                                                                                   \
    ((word).compare_exchange_strong((expected), (value), std::memory_order_acq_rel, std::memory_order_relaxed))
#else
#include <stdatomic.h>
typedef _Atomic(uint32_t) Shared;
typedef _Atomic(const uint8_t *) SharedBytes;
#define ACQUIRE(word) atomic_load_explicit(&(word), memory_order_acquire)
#define RELAXED(word) atomic_load_explicit(&(word), memory_order_relaxed)
#define RELEASE(word, value) atomic_store_explicit(&(word), (value), memory_order_release)
#define EXCHANGE(word, expected, value)                                                                                   \
    atomic_compare_exchange_strong_explicit(&(word), &(expected), (value), memory_order_acq_rel, memory_order_relaxed)
#endif

#if defined(__GNUC__) || defined(__clang__)
#define COLD __attribute__((cold, noinline))
#if defined(__MINGW32__) && !defined(__clang__)
#define PRINTS(text, first) __attribute__((format(gnu_printf, text, first)))
#else
#define PRINTS(text, first) __attribute__((format(printf, text, first)))
#endif
#define INLINED inline __attribute__((always_inline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define PREFETCH(at) __builtin_prefetch((const void *)(at))
#else
#define COLD
#define INLINED inline
#define PRINTS(text, first)
#define LIKELY(x) (x)
#define PREFETCH(at) ((void)(at))
#endif

/* ---- Bits ---- */

static inline int lowest(uint64_t bits) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(bits);
#elif defined(_MSC_VER) && defined(_WIN64)
    unsigned long at;
    _BitScanForward64(&at, bits);
    return (int)at;
#else
    int at = 0;
    while (!(bits & 1)) bits >>= 1, at++;
    return at;
#endif
}

static inline int highest(uint64_t bits) {
#if defined(__GNUC__) || defined(__clang__)
    return 63 - __builtin_clzll(bits);
#elif defined(_MSC_VER) && defined(_WIN64)
    unsigned long at;
    _BitScanReverse64(&at, bits);
    return (int)at;
#else
    int at = 63;
    while (!(bits >> at & 1)) at--;
    return at;
#endif
}

static inline int bit_count(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(bits * UINT64_C(0x0101010101010101) >> 56);
}

static inline uint64_t bit(int square) { return (uint64_t)1 << square; }

static inline uint64_t flip_ranks(uint64_t bits) {
    bits = (bits >> 8 & UINT64_C(0x00ff00ff00ff00ff)) | (bits & UINT64_C(0x00ff00ff00ff00ff)) << 8;
    bits = (bits >> 16 & UINT64_C(0x0000ffff0000ffff)) | (bits & UINT64_C(0x0000ffff0000ffff)) << 16;
    return bits >> 32 | bits << 32;
}

static uint32_t u16_at(const uint8_t *bytes) { return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8; }
static uint32_t u32_at(const uint8_t *bytes) { return u16_at(bytes) | u16_at(bytes + 2) << 16; }
static uint64_t u64_at(const uint8_t *bytes) { return u32_at(bytes) | (uint64_t)u32_at(bytes + 4) << 32; }
static uint64_t u40_at(const uint8_t *bytes) { return u32_at(bytes) | (uint64_t)bytes[4] << 32; }

/* ---- Attacks ---- */

enum { ROOK, KNIGHT, KHON, MET, PAWN, KING, ROLES, PIECES = KING };
enum { WHITE, BLACK };

/* Where unpromoted pawns may stand: the third to the fifth rank from their side. */
#define PAWN_SQUARES 24
static const int FIRST_PAWN_SQUARE[2] = {16, 24};

static inline uint64_t pawn_squares(int color) { return UINT64_C(0xffffff) << FIRST_PAWN_SQUARE[color]; }

/* The ranks on which a pawn becomes a met, and those beyond. */
static inline uint64_t promotion_squares(int color) { return color == WHITE ? UINT64_C(0xffffff) << 40 : UINT64_C(0xffffff); }

#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_H UINT64_C(0x8080808080808080)
#define NOT_A (~FILE_A)
#define NOT_H (~FILE_H)
#define NOT_AB UINT64_C(0xfcfcfcfcfcfcfcfc)
#define NOT_GH UINT64_C(0x3f3f3f3f3f3f3f3f)

static inline uint64_t diagonal_attacks(uint64_t men) {
    return (men & NOT_A) << 7 | (men & NOT_H) << 9 | (men & NOT_A) >> 9 | (men & NOT_H) >> 7;
}

static inline uint64_t king_attacks(uint64_t men) {
    return diagonal_attacks(men) | men << 8 | men >> 8 | (men & NOT_A) >> 1 | (men & NOT_H) << 1;
}

static inline uint64_t knight_attacks(uint64_t men) {
    return (men & NOT_A) << 15 | (men & NOT_H) << 17 | (men & NOT_A) >> 17 | (men & NOT_H) >> 15 | (men & NOT_AB) << 6 |
           (men & NOT_GH) << 10 | (men & NOT_AB) >> 10 | (men & NOT_GH) >> 6;
}

static inline uint64_t ahead(int color, uint64_t men) { return color == WHITE ? men << 8 : men >> 8; }

static inline uint64_t khon_attacks(int color, uint64_t men) {
    return diagonal_attacks(men) | ahead(color, men);
}

static inline uint64_t pawn_attacks(int color, uint64_t men) {
    return color == WHITE ? (men & NOT_A) << 7 | (men & NOT_H) << 9 : (men & NOT_A) >> 9 | (men & NOT_H) >> 7;
}

/* The squares of a ray of ascending squares up to the first man. */
static inline uint64_t up(uint64_t ray, uint64_t occupied) {
    uint64_t men = ray & occupied;
    return ray & (men ^ (men - 1));
}

/* The squares of a ray of descending squares down to the first man. */
static inline uint64_t down(uint64_t ray, uint64_t occupied) {
    uint64_t men = ray & occupied;
    return men ? ray & ~(bit(highest(men)) - 1) : ray;
}

static inline uint64_t straight_lines(int square) {
    return UINT64_C(0xff) << (square & 56) | FILE_A << (square & 7);
}

static inline uint64_t rook_attacks(int square, uint64_t occupied) {
    uint64_t above = ~UINT64_C(0) << square << 1, below = bit(square) - 1;
    uint64_t rank = UINT64_C(0xff) << (square & 56), file = FILE_A << (square & 7);
    if (square == 63) above = 0;
    return up(rank & above, occupied) | up(file & above, occupied) | down(rank & below, occupied) |
           down(file & below, occupied);
}

static inline uint64_t attacks(int color, int role, int square, uint64_t occupied) {
    switch (role) {
    case ROOK: return rook_attacks(square, occupied);
    case KNIGHT: return knight_attacks(bit(square));
    case KHON: return khon_attacks(color, bit(square));
    case MET: return diagonal_attacks(bit(square));
    case PAWN: return pawn_attacks(color, bit(square));
    default: return king_attacks(bit(square));
    }
}

/* ---- Boards ---- */

typedef struct {
    uint64_t color[2];
    uint64_t role[ROLES];
    int turn;
} Board;

static void board_of(const MakrukPosition *position, Board *board) {
    board->color[WHITE] = position->white;
    board->color[BLACK] = position->black;
    board->role[ROOK] = position->rooks;
    board->role[KNIGHT] = position->knights;
    board->role[KHON] = position->khons;
    board->role[MET] = position->mets;
    board->role[PAWN] = position->pawns;
    board->role[KING] = position->kings;
    board->turn = position->side;
}

static inline uint64_t occupied_by_all(const Board *board) { return board->color[WHITE] | board->color[BLACK]; }

static inline int is_bare(const Board *board, int color) {
    return (board->color[color] & ~board->role[KING]) == 0;
}

/* The squares that a side attacks. A rook's line ends at an occupied square. */
static uint64_t attacked_squares(const Board *board, int by, uint64_t occupied) {
    uint64_t men = board->color[by], rooks = men & board->role[ROOK];
    uint64_t all = king_attacks(men & board->role[KING]) | knight_attacks(men & board->role[KNIGHT]) |
                   khon_attacks(by, men & board->role[KHON]) | diagonal_attacks(men & board->role[MET]) |
                   pawn_attacks(by, men & board->role[PAWN]);
    for (; rooks; rooks &= rooks - 1) all |= rook_attacks(lowest(rooks), occupied);
    return all;
}

static int in_check(const Board *board, int color) {
    uint64_t king = board->color[color] & board->role[KING];
    return (attacked_squares(board, !color, occupied_by_all(board)) & king) != 0;
}

#define MAX_COUNT_FIELD 9999

static int is_count(const MakrukPosition *position) {
    return position->limit <= MAX_COUNT_FIELD && (position->limit == 0 || position->ply <= MAX_COUNT_FIELD);
}

/* Whether a position keeps the rules; MAKRUK_OK if it does. */
static int32_t check_position(const MakrukPosition *position) {
    uint64_t roles[] = {position->kings,  position->rooks, position->knights,
                        position->khons, position->mets,  position->pawns};
    uint64_t all = 0;
    int apart = 1;
    for (int i = 0; i < 6; i++) {
        apart &= (all & roles[i]) == 0;
        all |= roles[i];
    }
    if ((position->white & position->black) || (position->white | position->black) != all || !apart)
        return MAKRUK_ILLEGAL_POSITION;
    if (position->side > 1) return MAKRUK_BAD_ARGUMENT;
    if (!is_count(position)) return MAKRUK_BAD_COUNT;
    for (int color = 0; color < 2; color++) {
        uint64_t men = color == WHITE ? position->white : position->black;
        if (bit_count(men & position->kings) != 1 || bit_count(men & position->rooks) > 2 ||
            bit_count(men & position->knights) > 2 || bit_count(men & position->khons) > 2 ||
            bit_count(men & position->pawns) > 8 || bit_count(men & (position->mets | position->pawns)) > 9 ||
            (men & position->pawns & ~pawn_squares(color)))
            return MAKRUK_ILLEGAL_POSITION;
    }
    Board board;
    board_of(position, &board);
    if (king_attacks(position->white & position->kings) & position->black & position->kings) return MAKRUK_ILLEGAL_POSITION;
    return in_check(&board, !board.turn) ? MAKRUK_ILLEGAL_POSITION : MAKRUK_OK;
}

/* ---- Moves ---- */

typedef struct {
    uint8_t from, to;
} Step;

/* Whether a pawn becomes a met with the move. */
static inline int promotes(const Board *board, Step step) {
    return (board->role[PAWN] & bit(step.from)) && (promotion_squares(board->turn) & bit(step.to));
}

/* The board after a move, the other side to move. */
static void play(const Board *board, Step step, Board *after) {
    uint64_t from = bit(step.from), to = bit(step.to);
    int mover = board->turn;
    *after = *board;
    after->color[!mover] &= ~to;
    after->color[mover] = (after->color[mover] & ~from) | to;
    for (int role = 0; role < ROLES; role++) {
        uint64_t men = board->role[role];
        after->role[role] = (men & ~(from | to)) | ((men & from) ? to : 0);
    }
    if (promotes(board, step)) {
        after->role[PAWN] &= ~to;
        after->role[MET] |= to;
    }
    after->turn = !mover;
}

/*
 * The legal moves, MAKRUK_MAX_MOVES at most. Malformed bitboards yield an arbitrary list; a legal position yields its
 * legal moves.
 */
static int legal_moves(const Board *board, Step *steps) {
    int count = 0, mover = board->turn;
    uint64_t own = board->color[mover], occupied = occupied_by_all(board), king = own & board->role[KING];
    uint64_t enemies = board->color[!mover];
    /* The king covers no square behind it from a rook. */
    uint64_t forbidden = attacked_squares(board, !mover, occupied & ~king), tried = 0;
    /* The other men's moves are tried if they may leave the king in check. */
    if (king & forbidden) tried = own & ~king;
    else if (king && (enemies & board->role[ROOK])) tried = straight_lines(lowest(king)) & own & ~king;
    for (int role = 0; role < ROLES; role++) {
        for (uint64_t men = own & board->role[role]; men; men &= men - 1) {
            int from = lowest(men);
            uint64_t to = attacks(mover, role, from, occupied) & ~own;
            if (role == KING) to &= ~forbidden;
            if (role == PAWN) to = (to & enemies) | (ahead(mover, bit(from)) & ~occupied);
            for (; to; to &= to - 1) {
                Step step = {(uint8_t)from, (uint8_t)lowest(to)};
                if (tried & bit(from)) {
                    Board after;
                    play(board, step, &after);
                    if (in_check(&after, mover)) continue;
                }
                if (count == MAKRUK_MAX_MOVES) return count;
                steps[count++] = step;
            }
        }
    }
    return count;
}

/* Steps in the order of their UCI notation. */
static int uci_order(Step step) {
    return (step.from & 7) << 9 | (step.from >> 3) << 6 | (step.to & 7) << 3 | step.to >> 3;
}

static void sort_steps(Step *steps, int count) {
    for (int i = 1; i < count; i++) {
        Step step = steps[i];
        int at = i;
        for (; at > 0 && uci_order(steps[at - 1]) > uci_order(step); at--) steps[at] = steps[at - 1];
        steps[at] = step;
    }
}

/* ---- The count ---- */

/* A running count; limit 0 is none. */
typedef struct {
    uint32_t limit, ply;
} Count;

static int is_expired(Count count) { return count.ply > count.limit; }

/* The limit of pieces' honour, in the defender's moves. */
static uint32_t pieces_limit(int rooks, int knights, int khons) {
    return rooks >= 2 ? 8 : rooks ? 16 : khons >= 2 ? 22 : knights >= 2 ? 32 : khons ? 44 : 64;
}

static uint32_t limit_against_bare(const Board *board, int attacker) {
    uint64_t men = board->color[attacker];
    return pieces_limit(bit_count(men & board->role[ROOK]), bit_count(men & board->role[KNIGHT]),
                        bit_count(men & board->role[KHON]));
}

#define BOARDS_HONOUR 64

/* The count that begins in a position, with the defender's next move. None with a pawn on the board. */
static Count count_from(const Board *board, int turn) {
    Count count = {0, 0};
    int white_bare = is_bare(board, WHITE), black_bare = is_bare(board, BLACK);
    if ((white_bare && black_bare) || board->role[PAWN]) return count;
    if (!white_bare && !black_bare) {
        count.limit = 2 * BOARDS_HONOUR;
        return count;
    }
    int defender = white_bare ? WHITE : BLACK;
    uint32_t men = (uint32_t)bit_count(occupied_by_all(board));
    count.limit = 2 * limit_against_bare(board, !defender);
    count.ply = turn == defender ? 2 * men : 2 * men - 1;
    return count;
}

static Count stepped(Count count) {
    if (count.ply < MAX_COUNT_FIELD) count.ply++;
    return count;
}

/*
 * Whether a move from `before` to `after` begins a count, whatever ran before. It does if it ends the last pawn or,
 * without pawns, takes the last man of an opponent, the mover having one.
 */
static inline int begins_count(const Board *before, const Board *after) {
    int mover = before->turn;
    if (after->role[PAWN]) return 0;
    return before->role[PAWN] != 0 || (is_bare(after, !mover) && !is_bare(before, !mover) && !is_bare(before, mover));
}

/* The count after a move from `before` to `after`. */
static Count count_after(Count count, const Board *before, const Board *after) {
    if (count.limit && is_expired(count)) return stepped(count);
    if (begins_count(before, after)) return count_from(after, after->turn);
    if (count.limit) return stepped(count);
    if (is_bare(before, before->turn)) {
        count = count_from(before, before->turn);
        return count.limit ? stepped(count) : count;
    }
    return count_from(after, after->turn);
}

static uint32_t attacker_moves_left(Count count, int attacker_to_move) {
    if (is_expired(count)) return 0;
    uint32_t plies = count.limit - count.ply;
    return attacker_to_move ? plies / 2 + 1 : (plies + 1) / 2;
}

/* The count that a position gives. With a pawn on the board none runs. */
static Count given_count(const MakrukPosition *position) {
    Count given = {position->limit, position->ply}, none = {0, 0};
    return given.limit == 0 || position->pawns ? none : given;
}

/* The count of a position, as given or as it begins there. */
static Count root_count(const MakrukPosition *position, const Board *board) {
    Count count = given_count(position);
    return count.limit ? count : count_from(board, board->turn);
}

/* ---- Failures ---- */

#define METRICS 3
enum { DTM, DTZ, CATEGORY }; /* as headers number them */
static const char *const METRIC_NAMES[METRICS] = {"dtm", "dtz", "category"};
static const char *const SIDE_NAMES[2] = {"White", "Black"};

/* One question: its tables, its flags and the place for a sentence, which may be NULL. */
typedef struct {
    const MakrukTables *tables;
    uint32_t flags;
    char *why;
    size_t size;
} Probe;

/* Writes the sentence of a failure, about a file if there is one, and returns the failure. */
COLD PRINTS(4, 5) static int32_t fail(Probe *probe, int32_t result, const char *path, const char *format, ...) {
    if (probe->why != NULL && probe->size > 0) {
        int used = path ? snprintf(probe->why, probe->size, "%s: ", path) : 0;
        if (used >= 0 && (size_t)used < probe->size) {
            va_list arguments;
            va_start(arguments, format);
            vsnprintf(probe->why + used, probe->size - (size_t)used, format, arguments);
            va_end(arguments);
        }
    }
    return result;
}

/* Adds a clause to a sentence. */
COLD PRINTS(2, 3) static void add(Probe *probe, const char *format, ...) {
    if (probe->why == NULL || probe->size == 0) return;
    size_t used = strlen(probe->why);
    if (used > 0 && probe->why[used - 1] != ' ') used += (size_t)snprintf(probe->why + used, probe->size - used, "; ");
    if (used >= probe->size) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(probe->why + used, probe->size - used, format, arguments);
    va_end(arguments);
}

/* ---- Texts ---- */

/* A piece of a text. */
typedef struct {
    const char *at;
    size_t len;
} Text;

/* The first letter of a text that is not empty, as its code point, and its bytes; UINT32_MAX if it is not UTF-8. */
static uint32_t letter_of(Text text, size_t *bytes) {
    const unsigned char *at = (const unsigned char *)text.at;
    size_t len = *at < 0xc0 ? 1 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
    uint32_t letter = len == 1 ? *at : *at & (0x7fu >> len);
    int is_sound = len <= text.len && (len > 1 || *at < 0x80);
    for (size_t i = 1; is_sound && i < len; i++) {
        is_sound = (at[i] & 0xc0) == 0x80;
        letter = letter << 6 | (at[i] & 0x3f);
    }
    *bytes = is_sound ? len : 1;
    return is_sound ? letter : UINT32_MAX;
}

/* A text without its first bytes. */
static Text rest_of(Text text, size_t bytes) {
    Text rest = {text.at + bytes, text.len - bytes};
    return rest;
}

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int is_white_space(uint32_t letter) {
    return (letter < 0x80 && is_space((char)letter)) || letter == 0x85 || letter == 0xa0 || letter == 0x1680 ||
           (letter >= 0x2000 && letter <= 0x200a) || letter == 0x2028 || letter == 0x2029 || letter == 0x202f ||
           letter == 0x205f || letter == 0x3000;
}

/* Letters without a width that copied texts contain: marks of direction, the soft hyphen, the byte order mark. */
static int is_invisible(uint32_t letter) {
    return letter == 0xad || (letter >= 0x200b && letter <= 0x200f) || (letter >= 0x202a && letter <= 0x202e) ||
           (letter >= 0x2060 && letter <= 0x2069) || letter == 0xfeff;
}

static int is_quote(uint32_t letter) {
    return letter == '"' || letter == '\'' || letter == '`' || letter == '<' || letter == '>' || letter == 0xab ||
           letter == 0xbb || (letter >= 0x2018 && letter <= 0x201e && letter != 0x201a && letter != 0x201b);
}

/* A text without white space and quotes around it, and without a comma after it. */
static Text trimmed(Text text) {
    Text kept = {text.at, 0};
    int has_begun = 0;
    for (size_t bytes; text.len > 0; text = rest_of(text, bytes)) {
        uint32_t letter = letter_of(text, &bytes);
        if (is_white_space(letter) || is_invisible(letter) || is_quote(letter)) continue;
        if (!has_begun) kept.at = text.at;
        has_begun = 1;
        if (letter != ',') kept.len = (size_t)(text.at - kept.at) + bytes;
    }
    return kept;
}

static int has_white_space(Text text) {
    for (size_t bytes; text.len > 0; text = rest_of(text, bytes))
        if (is_white_space(letter_of(text, &bytes))) return 1;
    return 0;
}

static char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter; }
static char upper(char letter) { return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter; }

/* Whether a text is a word, which is given in small letters. */
static int is_word(Text text, const char *expected) {
    size_t at = 0;
    while (at < text.len && expected[at] && lower(text.at[at]) == expected[at]) at++;
    return at == text.len && expected[at] == 0;
}

#define MAX_QUOTE 40
#define QUOTE_ROOM (9 * MAX_QUOTE + 6)

/* A text in quotes for a sentence: on one line, at most MAX_QUOTE letters. */
static const char *quoted(Text text, char *room) {
    size_t used = 0, bytes;
    room[used++] = '"';
    for (int letters = 0; text.len > 0; letters++, text = rest_of(text, bytes)) {
        uint32_t letter = letter_of(text, &bytes);
        if (letters == MAX_QUOTE) {
            used += (size_t)snprintf(room + used, 4, "...");
            break;
        }
        if (letter == '"' || letter == '\\') room[used++] = '\\';
        if (letter == UINT32_MAX) room[used++] = '?';
        else if (letter < ' ' || letter == 0x7f || (letter > ' ' && is_white_space(letter)) || is_invisible(letter))
            used += (size_t)snprintf(room + used, 10, "\\u{%x}", (unsigned)letter);
        else memcpy(room + used, text.at, bytes), used += bytes;
    }
    room[used++] = '"';
    room[used] = 0;
    return room;
}

/* ---- FEN ---- */

#define MAX_FEN_BYTES 200
#define MAX_FIELDS 7

/* A FEN's fields, the first beyond the last among them, and the text after them. */
typedef struct {
    char text[MAX_FEN_BYTES];
    Text field[MAX_FIELDS], rest;
    int count;
} Fields;

/* Castling rights of chess or of Ouk. */
static int is_castling(Text text) {
    size_t found = 0;
    while (found < text.len && strchr("KQkqDEde", text.at[found])) found++;
    return text.len >= 1 && text.len <= 4 && found == text.len;
}

/* A square on which a pawn of chess is taken en passant. */
static int is_en_passant(Text text) {
    return text.len == 2 && text.at[0] >= 'a' && text.at[0] <= 'h' && (text.at[1] == '3' || text.at[1] == '6');
}

static int is_mark(char letter) { return letter == ';' || letter == '#' || is_space(letter); }

/* Whether a text begins with an operation of an EPD, such as "bm Rxe3;", in place of a field. */
static int is_operation(Text text, int field) {
    Text word = {text.at, 0};
    while (word.len < text.len && !is_mark(text.at[word.len])) word.len++;
    char first = lower(*word.at);
    return first >= 'a' && first <= 'z' && field >= 2 && !(field == 2 && is_castling(word)) &&
           !(field == 3 && is_en_passant(word));
}

/* Whether a text begins with white space or a mark that may follow a name. */
static int is_after_name(Text text, size_t *bytes) {
    uint32_t letter = letter_of(text, bytes);
    return letter == ':' || letter == '=' || is_white_space(letter);
}

/* A text without "fen" or "position fen" before it. */
static Text without_name(Text text) {
    static const char *const names[] = {"position", "fen"};
    for (int i = 0; i < 2; i++) {
        size_t len = strlen(names[i]), bytes;
        Text head = {text.at, len};
        int is_named = text.len > len && is_word(head, names[i]) && is_after_name(rest_of(text, len), &bytes);
        if (is_named) text = rest_of(text, len);
        while ((is_named || i == 0) && text.len > 0 && is_after_name(text, &bytes)) text = rest_of(text, bytes);
    }
    return trimmed(text);
}

/* Where a + begins to stand for a blank: before the side to move, after the board. NULL if it does nowhere. */
static const char *first_plus(Text text) {
    size_t at = text.len;
    while (at > 0 && text.at[at - 1] != '/') at--;
    for (; at + 1 < text.len && memchr(text.at, '_', text.len) == NULL; at++)
        if (text.at[at] == '+' && strchr("wbWB", text.at[at + 1]) && (at + 2 == text.len || text.at[at + 2] == '+'))
            return text.at + at;
    return NULL;
}

/* The value of an escape such as %20 at the beginning of a text; 0 if there is none. */
static char unescaped(Text text) {
    int value = 0;
    if (text.len < 3 || *text.at != '%') return 0;
    for (int i = 1; i <= 2; i++) {
        char digit = lower(text.at[i]);
        if (!(digit >= '0' && digit <= '9') && !(digit >= 'a' && digit <= 'f')) return 0;
        value = 16 * value + (digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    return (char)value;
}

/* What separates the fields of a text. Without white space, underscores, escapes and + separate them, as in links. */
typedef struct {
    int is_link;
    const char *plus;
} Blanks;

/* The bytes of a blank at the beginning of a text; 0 if there is none. */
static size_t blank(const Blanks *blanks, Text text) {
    size_t bytes;
    char escape = blanks->is_link ? unescaped(text) : 0;
    uint32_t letter = letter_of(text, &bytes);
    if (escape) return escape == '_' || is_space(escape) ? 3 : 0;
    int is_plus = letter == '+' && blanks->plus != NULL && text.at >= blanks->plus;
    return is_plus || is_white_space(letter) || (blanks->is_link && letter == '_') ? bytes : 0;
}

/* The bytes of a text up to the operations of an EPD, which end with semicolons, or to a comment. */
static size_t end_of_fields(const Blanks *blanks, Text text) {
    int has_operations = memchr(text.at, ';', text.len) != NULL, is_inside = 0, field = 0;
    for (size_t at = 0, bytes; at < text.len; at += bytes) {
        Text rest = rest_of(text, at);
        if (*rest.at == ';' || *rest.at == '#') return at;
        bytes = blank(blanks, rest);
        if (bytes > 0) {
            is_inside = 0;
            continue;
        }
        if (!is_inside && has_operations && is_operation(rest, field)) return at;
        field += !is_inside;
        is_inside = 1;
        letter_of(rest, &bytes);
    }
    return text.len;
}

/* Splits a text into fields and what comes after them. Returns the bytes of the fields and of what is between them. */
static size_t split(Text text, Fields *fields) {
    Blanks blanks = {!has_white_space(text), NULL};
    if (blanks.is_link) blanks.plus = first_plus(text);
    size_t used = 0, bytes;
    Text before = {text.at, end_of_fields(&blanks, text)}, left = trimmed(before), rest = rest_of(text, before.len);
    while (rest.len > 0 && (is_mark(*rest.at) || is_white_space(letter_of(rest, &bytes))))
        rest = rest_of(rest, is_mark(*rest.at) ? 1 : bytes);
    while (rest.len > 0 && is_mark(rest.at[rest.len - 1])) rest.len--;
    fields->rest = rest;
    fields->count = 0;
    size_t all = left.len;
    int is_inside = 0;
    for (; left.len > 0; left = rest_of(left, bytes)) {
        char escape = blanks.is_link ? unescaped(left) : 0;
        uint32_t letter = letter_of(left, &bytes);
        Text shown = {escape ? &escape : left.at, bytes};
        if (escape) bytes = 3;
        size_t between = blank(&blanks, left);
        if (between > 0) {
            bytes = between;
            is_inside = 0;
        } else if (!is_invisible(letter) && (is_inside || fields->count < MAX_FIELDS) && used + shown.len <= MAX_FEN_BYTES) {
            Text empty = {fields->text + used, 0};
            if (!is_inside) fields->field[fields->count++] = empty;
            is_inside = 1;
            memcpy(fields->text + used, shown.at, shown.len);
            used += shown.len;
            fields->field[fields->count - 1].len += shown.len;
        }
    }
    return all;
}

/* A whole number in Latin or Thai digits, the largest if it is too large; -1 if the text is none. */
static int64_t number_of(Text text) {
    int64_t number = text.len > 0 ? 0 : -1;
    for (size_t bytes; text.len > 0 && number >= 0; text = rest_of(text, bytes)) {
        uint32_t letter = letter_of(text, &bytes), digit = letter >= 0xe50 ? letter - 0xe50 : letter - '0';
        number = digit > 9 ? -1 : 10 * number + digit > UINT32_MAX ? UINT32_MAX : 10 * number + digit;
    }
    return number;
}

static uint64_t *bits_of_letter(MakrukPosition *position, char letter) {
    switch (letter) {
    case 'K': return &position->kings;
    case 'R': return &position->rooks;
    case 'N': return &position->knights;
    case 'S': case 'B': case 'E': return &position->khons;
    case 'M': case 'Q': case 'F': return &position->mets;
    case 'P': return &position->pawns;
    default: return NULL;
    }
}

static int is_met(char letter) { return letter && strchr("MmQqFf", letter) != NULL; }

static int32_t read_board(Probe *probe, Text board, MakrukPosition *position) {
    char room[QUOTE_ROOM];
    int ranks = 1, rank = 8, squares = 0;
    for (size_t i = 0; i < board.len; i++) ranks += board.at[i] == '/';
    Text text = {board.at, 0};
    for (size_t i = 0; i <= board.len; i++) {
        char letter = i < board.len ? board.at[i] : '/', next = i + 1 < board.len ? board.at[i + 1] : '/';
        uint64_t *men = bits_of_letter(position, upper(letter));
        int is_mark = letter == '+' ? is_met(next) : letter == '~' && i > 0 && is_met(board.at[i - 1]);
        if (letter == '/') {
            text.len = (size_t)(board.at + i - text.at);
            if (ranks == 8 && squares != 8)
                return fail(probe, MAKRUK_BAD_FEN, NULL, "rank %d of the FEN's board, %s, has %d squares: expected 8", rank,
                            quoted(text, room), squares);
            text.at = board.at + i + 1;
            squares = 0;
            if (rank > 1) rank--;
        } else if (letter >= '1' && letter <= '8') {
            squares += letter - '0';
        } else if ((letter == '+' || letter == '~') && (is_mark || ranks != 8)) {
            continue;
        } else if (letter == '+' || letter == '~') {
            return fail(probe, MAKRUK_BAD_FEN, NULL,
                        "rank %d of the FEN's board has a \"%c\" that marks no met: expected \"M~\" or \"+M\" in either case",
                        rank, letter);
        } else if (men == NULL) {
            Text rest = {board.at + i, board.len - i};
            letter_of(rest, &rest.len);
            return fail(probe, MAKRUK_BAD_FEN, NULL,
                        "rank %d of the FEN's board has %s: expected K (king), R (rook), N (knight), S (khon; or B, E), "
                        "M (met; or Q, F) or P (pawn) in either case, or 1 to 8",
                        rank, quoted(rest, room));
        } else {
            uint64_t square = squares < 8 ? bit(8 * (rank - 1) + squares) : 0;
            *men |= square;
            *(letter == upper(letter) ? &position->white : &position->black) |= square;
            squares++;
        }
    }
    if (ranks == 8) return MAKRUK_OK;
    return fail(probe, MAKRUK_BAD_FEN, NULL, "the FEN's board has %d rank%s: expected 8, separated by /", ranks,
                ranks == 1 ? "" : "s");
}

/* A field of a FEN, or what it is read as if it is not there. */
static Text field_of(const Fields *fields, int number, const char *otherwise) {
    Text missing = {otherwise, strlen(otherwise)};
    return number < fields->count ? fields->field[number] : missing;
}

static int32_t missing_dash(Probe *probe, Text third) {
    char room[QUOTE_ROOM];
    return fail(probe, MAKRUK_BAD_FEN, NULL,
                "the FEN's third field is %s: expected - before LIMIT and PLY, as in \"- 128 10 78\", or \"- - 0 1\" without a "
                "count",
                quoted(third, room));
}

static int32_t bad_field(Probe *probe, int32_t result, const char *field, Text found, const char *expected) {
    char room[QUOTE_ROOM];
    return fail(probe, result, NULL, "the FEN's %s is %s: expected %s", field, quoted(found, room), expected);
}

/* The move number in a field. */
static int32_t read_fullmove(Probe *probe, Text field, MakrukPosition *position) {
    int64_t number = number_of(field);
    if (number < 0) return bad_field(probe, MAKRUK_BAD_FEN, "move number", field, "a whole number");
    position->fullmove = number ? (uint32_t)number : 1;
    return MAKRUK_OK;
}

/* Whether a number is one of Makruk's limits, in moves or in plies. */
static int is_limit(int64_t number) {
    return number == 8 || number == 16 || number == 22 || number == 32 || number == 44 || number == 64 || number == 88 ||
           number == 128;
}

/* The third field, if it is a number, and the next: the move number, or XBoard's half-move clock before it. */
static int32_t read_short_form(Probe *probe, const Fields *fields, MakrukPosition *position) {
    Text third = fields->field[2], last = fields->field[fields->count - 1];
    int64_t given = number_of(third);
    if (fields->count > 4) return missing_dash(probe, third);
    int32_t result = read_fullmove(probe, last, position);
    if (result != MAKRUK_OK) return result;
    if (fields->count == 3) {
        add(probe, "the third field, %u, was read as the move number", (unsigned)given);
        return MAKRUK_OK;
    }
    /* A clock is at most the plies before this move. A larger one that is a limit is a LIMIT whose dash is missing. */
    if (given >= 2 * number_of(last) && is_limit(given)) return missing_dash(probe, third);
    add(probe,
         "the four fields were read as board, side, half-move clock and move number: no count runs at move %u; a count of LIMIT "
         "%u and PLY %u is written \"- %u %u\"",
         (unsigned)position->fullmove, (unsigned)given, (unsigned)position->fullmove, (unsigned)given,
         (unsigned)position->fullmove);
    return MAKRUK_OK;
}

/* The fields after the side to move. A PLY that is missing is 0 until the position is known. */
static int32_t read_numbers(Probe *probe, const Fields *fields, MakrukPosition *position) {
    char room[QUOTE_ROOM];
    Text third = field_of(fields, 2, "-"), limit = field_of(fields, 3, "-"), ply = field_of(fields, 4, "0");
    if (number_of(third) >= 0) return read_short_form(probe, fields, position);
    if (is_castling(third)) add(probe, "the third field, %s, was ignored: Makruk has no castling", quoted(third, room));
    else if (!is_word(third, "-")) return bad_field(probe, MAKRUK_BAD_FEN, "third field", third, "-");
    if (is_en_passant(limit))
        return fail(probe, MAKRUK_BAD_FEN, NULL,
                    "this is a position of chess, not of Makruk: the fourth field is %s, a square of en passant",
                    quoted(limit, room));
    int64_t most = is_word(limit, "-") ? 0 : number_of(limit);
    int64_t gone = most == 0 && is_word(ply, "-") ? 0 : number_of(ply);
    if (most < 0 || most > MAX_COUNT_FIELD)
        return bad_field(probe, MAKRUK_BAD_COUNT, "count field LIMIT", limit, "- or a whole number of plies from 1 to 9999");
    if (gone < 0 || (most && gone > MAX_COUNT_FIELD))
        return bad_field(probe, MAKRUK_BAD_COUNT, "count field PLY", ply, "a whole number of plies from 0 to 9999");
    if (most == 0 && gone)
        add(probe, "PLY, %u, was ignored: no count runs without a LIMIT in the fourth field", (unsigned)gone);
    position->limit = (uint32_t)most;
    position->ply = most ? (uint32_t)gone : 0;
    int32_t result = read_fullmove(probe, field_of(fields, 5, "1"), position);
    if (result != MAKRUK_OK) return result;
    if (number_of(field_of(fields, 5, "1")) == 0) add(probe, "move number 0 was read as 1");
    if (fields->count < MAX_FIELDS) return MAKRUK_OK;
    return fail(probe, MAKRUK_BAD_FEN, NULL,
                "the FEN has a seventh field, %s: expected board, side, -, LIMIT, PLY and move number",
                quoted(fields->field[6], room));
}

/* The pawns of a side where Makruk has none. */
static uint64_t misplaced_pawns(const MakrukPosition *position, int color) {
    return (color == WHITE ? position->white : position->black) & position->pawns & ~pawn_squares(color);
}

/* A position of chess: pawns where Makruk has none, with letters that are chess's alone or in large number. */
static int32_t refuse_chess(Probe *probe, const Fields *fields, const MakrukPosition *position) {
    uint64_t white = misplaced_pawns(position, WHITE), pawns = white ? white : misplaced_pawns(position, BLACK);
    int is_own = 0, is_of_chess = 0;
    for (size_t i = 0; i < fields->field[0].len; i++) {
        is_own |= strchr("SsMm", fields->field[0].at[i]) != NULL;
        is_of_chess |= strchr("BbQq", fields->field[0].at[i]) != NULL;
    }
    int many = bit_count(white | misplaced_pawns(position, BLACK)) >= 4;
    if (!pawns || !(many || (is_of_chess && !is_own))) return MAKRUK_OK;
    return fail(probe, MAKRUK_BAD_FEN, NULL,
                "this is a position of chess, not of Makruk: there is a %s pawn on %c%d, where Makruk has none (White's stand "
                "on ranks 3 to 5, Black's on 6 to 4)",
                white ? "white" : "black", 'a' + lowest(pawns) % 8, lowest(pawns) / 8 + 1);
}

/* The sentence of an illegal position, with every rule that it breaks. */
static int32_t refuse_illegal(Probe *probe, const MakrukPosition *position, const Board *board) {
    static const char *const names[] = {"rook", "knight", "khon", "pawn"};
    const uint64_t roles[] = {position->rooks, position->knights, position->khons, position->pawns};
    fail(probe, MAKRUK_ILLEGAL_POSITION, NULL, "the position is illegal: ");
    for (int color = 0; color < 2; color++) {
        const char *side = SIDE_NAMES[color];
        uint64_t men = board->color[color];
        int kings = bit_count(men & position->kings), mets = bit_count(men & (position->mets | position->pawns));
        if (kings == 0) add(probe, "%s has no king", side);
        if (kings > 1) add(probe, "%s has %d kings, at most 1 is possible", side, kings);
        for (int i = 0; i < 4; i++) {
            int found = bit_count(men & roles[i]), most = i == 3 ? 8 : 2;
            if (found > most) add(probe, "%s has %d %ss, at most %d are possible", side, found, names[i], most);
        }
        if (mets > 9) add(probe, "%s has %d mets and pawns, at most 9 are possible", side, mets);
        for (uint64_t pawns = misplaced_pawns(position, color); pawns; pawns &= pawns - 1) {
            int square = lowest(pawns), is_beyond = color == WHITE ? square >= 40 : square < 24;
            add(probe, "the pawn on %c%d is %s", 'a' + square % 8, square / 8 + 1,
                is_beyond ? "on or beyond its promotion rank" : "behind the rank on which pawns begin");
        }
    }
    uint64_t own = board->color[board->turn] & position->kings, other = board->color[!board->turn] & position->kings;
    uint64_t first = other & (~other + 1);
    if (king_attacks(own & (~own + 1)) & first) add(probe, "the kings touch");
    else if (own && (attacked_squares(board, board->turn, occupied_by_all(board)) & first))
        add(probe, "%s is in check and it is not %s's move", SIDE_NAMES[!board->turn], SIDE_NAMES[!board->turn]);
    return MAKRUK_ILLEGAL_POSITION;
}

/*
 * Whether a game reaches a count in a position without pawns, where `start` would begin: by Makruk's rules or, if
 * `others`, by those of other programs. They may have every limit one move lower, a khon's limit before that of two
 * knights, or the attacker's men counted alone. A bare king may have taken rooks, knights and khons since its count
 * began.
 */
static int can_reach(Count count, Count start, const Board *board, int others) {
    int is_white_bare = is_bare(board, WHITE);
    if (count.limit < 1 || count.limit > MAX_COUNT_FIELD || count.ply > MAX_COUNT_FIELD) return 0;
    int is_boards = count.limit == 2 * BOARDS_HONOUR || (others && count.limit == 2 * BOARDS_HONOUR - 2);
    if (!is_white_bare && !is_bare(board, BLACK)) return is_boards;
    uint64_t men = board->color[is_white_bare ? BLACK : WHITE];
    int own[] = {bit_count(men & board->role[ROOK]), bit_count(men & board->role[KNIGHT]), bit_count(men & board->role[KHON])};
    for (int rooks = own[0]; rooks <= 2; rooks++)
        for (int knights = own[1]; knights <= 2; knights++)
            for (int khons = own[2]; khons <= 2; khons++) {
                uint32_t taken = (uint32_t)(rooks - own[0] + knights - own[1] + khons - own[2]);
                uint32_t limit = 2 * pieces_limit(rooks, knights, khons), ply = start.ply + 4 * taken;
                int is_lower = count.limit + 2 == limit || (limit == 64 && khons > 0 && count.limit == 88);
                if (count.limit == limit && count.ply + (others ? 2u : 0u) >= ply) return 1;
                if (others && is_lower && count.ply >= ply) return 1;
            }
    return is_boards && is_expired(count);
}

/* Drops a count that cannot run, assumes a PLY that is missing, and notes a count that no game reaches. */
static void judge_count(Probe *probe, MakrukPosition *position, const Board *board, int has_ply) {
    Count start = count_from(board, board->turn), count = {position->limit, position->ply};
    if (count.limit && position->pawns) {
        add(probe, "the count, LIMIT %u and PLY %u, was ignored: none runs with an unpromoted pawn on the board",
            (unsigned)count.limit, (unsigned)count.ply);
        position->limit = position->ply = 0;
    }
    if (!position->limit || !start.limit) return;
    if (!has_ply) position->ply = count.ply = start.ply;
    if (!has_ply && start.ply)
        add(probe, "PLY is missing and was read as %u, that of a count that begins now against a bare king", (unsigned)start.ply);
    if (can_reach(count, start, board, 1)) return;
    /* The slips by which a possible count becomes this one; those of both numbers only if both are given. */
    Count exchanged = {count.ply, count.limit}, in_moves = {2 * count.limit, 2 * count.ply};
    Count ply_in_moves = {count.limit, 2 * count.ply}, of_limit = {start.limit, count.ply}, of_ply = {count.limit, start.ply};
    Count slips[] = {exchanged, in_moves, ply_in_moves, of_limit, of_ply, start};
    static const char *const reasons[] = {"the two are exchanged", "both are in moves",    "PLY is in moves",
                                          "PLY is right",          "the count begins now", "the count begins now"};
    int at = has_ply ? 0 : 3;
    for (; at < 5; at++) {
        int is_late = is_expired(slips[at]) && !(at == 3 && is_expired(count));
        if (!(at < 4 && is_late) && can_reach(slips[at], start, board, at == 4)) break;
    }
    char limit_text[60] = "the count of these men", ply_text[40] = "";
    if (count.limit != start.limit)
        snprintf(limit_text, sizeof limit_text, "the limit of these men is %u plies%s", (unsigned)start.limit,
                 count.ply < start.ply ? " and their count" : "");
    if (count.ply < start.ply) snprintf(ply_text, sizeof ply_text, " begins at PLY %u", (unsigned)start.ply);
    add(probe, "LIMIT was read as %u plies and PLY as %u, but %s%s; if %s, write \"- %u %u\"", (unsigned)count.limit,
        (unsigned)count.ply, limit_text, ply_text, reasons[at], (unsigned)slips[at].limit, (unsigned)slips[at].ply);
}

/* Tells which letters other than Makruk's own the board has. */
static void note_letters(Probe *probe, Text board) {
    char told[100] = "", seen[] = "....";
    size_t used = 0, count = 0;
    for (size_t i = 0; i < board.len; i++) {
        char letter = upper(board.at[i]);
        if (!strchr("BEFQ", letter) || strchr(seen, letter)) continue;
        seen[count++] = letter;
        used += (size_t)snprintf(told + used, sizeof told - used, "%s%c was read as a %s", used ? ", " : "", letter,
                                 letter == 'B' || letter == 'E' ? "khon (S)" : "met (M)");
    }
    if (used) add(probe, "%s", told);
}

/* Reads a FEN. In place of a failure, the sentence has what was dropped or assumed. */
static int32_t read_fen(Probe *probe, const char *fen, MakrukPosition *position) {
    char room[QUOTE_ROOM];
    Fields fields;
    Board board;
    Text text = {fen, strlen(fen)};
    size_t bytes = split(without_name(trimmed(text)), &fields);
    if (fields.count == 0)
        return fail(probe, MAKRUK_BAD_FEN, NULL,
                    "the FEN is empty: expected a board and the side to move, such as \"8/8/8/8/8/4s1k1/4R3/K7 w\"");
    if (bytes > MAX_FEN_BYTES)
        return fail(probe, MAKRUK_BAD_FEN, NULL, "the FEN has %lu bytes: expected at most %d", (unsigned long)bytes,
                    MAX_FEN_BYTES);
    memset(position, 0, sizeof *position);
    int32_t result = read_board(probe, fields.field[0], position);
    if (result != MAKRUK_OK) return result;
    Text side = field_of(&fields, 1, "");
    if (fields.count == 1)
        return fail(probe, MAKRUK_BAD_FEN, NULL, "the FEN's side to move is missing: expected w or b after the board");
    if (is_word(side, "b") || is_word(side, "black")) position->side = MAKRUK_BLACK;
    else if (!is_word(side, "w") && !is_word(side, "white"))
        return bad_field(probe, MAKRUK_BAD_FEN, "side to move", side, "w or b");
    note_letters(probe, fields.field[0]);
    result = read_numbers(probe, &fields, position);
    if (result == MAKRUK_OK) result = refuse_chess(probe, &fields, position);
    if (result != MAKRUK_OK) return result;
    board_of(position, &board);
    if (check_position(position) != MAKRUK_OK) return refuse_illegal(probe, position, &board);
    judge_count(probe, position, &board, fields.count > 4);
    if (fields.rest.len > 0) add(probe, "the text after the position, %s, was not read", quoted(fields.rest, room));
    return MAKRUK_OK;
}

/* ---- Files ---- */

#define MAX_BLOCK 65535u

/* The files that are read by position and stay open: some systems allow a program 256. */
#ifndef MAKRUK_TB_MOST_OPEN
#define MAKRUK_TB_MOST_OPEN 128
#endif

/* An open file. `bytes` is NULL if it is read by position. */
typedef struct {
    SharedBytes bytes;
    uint64_t size;
    int is_mapped;
#ifdef _WIN32
    HANDLE handle;
#else
    int handle; /* -1 if the file is mapped, or opened for each read */
    const char *path;
    struct stat about;
#endif
} File;

#ifdef _WIN32
static int open_file(File *file, const char *path, int positional, char *error, size_t size) {
    wchar_t wide[1024];
    LARGE_INTEGER length;
    file->handle = INVALID_HANDLE_VALUE;
    if (!MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 1024)) return 0;
    file->handle = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                               FILE_ATTRIBUTE_NORMAL, NULL);
    if (file->handle == INVALID_HANDLE_VALUE) {
        DWORD code = GetLastError();
        if (code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND) return 0;
        snprintf(error, size, "cannot open the file: error %lu", (unsigned long)code);
        return -1;
    }
    if (!GetFileSizeEx(file->handle, &length)) {
        snprintf(error, size, "cannot read the file's size: error %lu", (unsigned long)GetLastError());
        return -1;
    }
    file->size = (uint64_t)length.QuadPart;
#ifndef MAKRUK_TB_NO_MMAP
    if (!positional && file->size > 0 && file->size <= SIZE_MAX) {
        HANDLE mapping = CreateFileMappingW(file->handle, NULL, PAGE_READONLY, 0, 0, NULL);
        if (mapping != NULL) {
            RELEASE(file->bytes, (const uint8_t *)MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0));
            CloseHandle(mapping);
            file->is_mapped = RELAXED(file->bytes) != NULL;
        }
    }
#else
    (void)positional;
#endif
    return 1;
}

static void close_file(File *file) {
    const uint8_t *bytes = RELAXED(file->bytes);
    if (file->is_mapped) UnmapViewOfFile(bytes);
    else free((void *)(uintptr_t)bytes);
    if (file->handle != INVALID_HANDLE_VALUE) CloseHandle(file->handle);
}

/* Reads bytes of a file that is not in memory. */
static int read_at(const File *file, uint64_t at, uint8_t *to, size_t len) {
    while (len > 0) {
        OVERLAPPED where;
        DWORD got = 0, part = len > 1u << 30 ? 1u << 30 : (DWORD)len;
        memset(&where, 0, sizeof where);
        where.Offset = (DWORD)at;
        where.OffsetHigh = (DWORD)(at >> 32);
        if (!ReadFile(file->handle, to, part, &got, &where) || got == 0) return 0;
        at += got;
        to += got;
        len -= got;
    }
    return 1;
}
#else
static int open_file(File *file, const char *path, int positional, char *error, size_t size) {
    file->path = path;
    file->handle = open(path, O_RDONLY | O_CLOEXEC);
    if (file->handle < 0) {
        if (errno == ENOENT || errno == ENOTDIR) return 0;
        snprintf(error, size, "cannot open the file: %s", strerror(errno));
        return -1;
    }
    if (fstat(file->handle, &file->about) != 0 || !S_ISREG(file->about.st_mode)) {
        snprintf(error, size, "expected a regular file");
        return -1;
    }
    file->size = (uint64_t)file->about.st_size;
#ifndef MAKRUK_TB_NO_MMAP
    if (!positional && file->size > 0 && file->size <= SIZE_MAX) {
        void *map = mmap(NULL, (size_t)file->size, PROT_READ, MAP_SHARED, file->handle, 0);
        if (map != MAP_FAILED) {
            RELEASE(file->bytes, (const uint8_t *)map);
            file->is_mapped = 1;
            close(file->handle);
            file->handle = -1;
        }
    }
#else
    (void)positional;
#endif
    return 1;
}

static void close_file(File *file) {
    void *bytes = (void *)(uintptr_t)RELAXED(file->bytes);
#ifndef MAKRUK_TB_NO_MMAP
    if (file->is_mapped) munmap(bytes, (size_t)file->size);
    else free(bytes);
#else
    free(bytes);
#endif
    if (file->handle >= 0) close(file->handle);
}

/* From now on, a file that is read by position is opened for each read. */
static void let_go(File *file) {
    if (file->handle >= 0) close(file->handle);
    file->handle = -1;
}

/* Opens a file that was let go; -1 if another one has taken its place. */
static int open_again(const File *file) {
    struct stat about;
    int handle = open(file->path, O_RDONLY | O_CLOEXEC);
    if (handle < 0) return -1;
    if (fstat(handle, &about) == 0 && about.st_dev == file->about.st_dev && about.st_ino == file->about.st_ino &&
        about.st_size == file->about.st_size && about.st_mtime == file->about.st_mtime)
        return handle;
    close(handle);
    return -1;
}

/* Reads bytes of a file that is not in memory. */
static int read_at(const File *file, uint64_t at, uint8_t *to, size_t len) {
    int handle = file->handle >= 0 ? file->handle : open_again(file);
    while (handle >= 0 && len > 0) {
        ssize_t got = pread(handle, to, len, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        at += (uint64_t)got;
        to += got;
        len -= (size_t)got;
    }
    if (file->handle < 0 && handle >= 0) close(handle);
    return len == 0;
}
#endif

/* ---- Checksums: CRC-32C ---- */

/*
 * Bytes of a lane. Where there is an instruction, three lanes are computed at a time, so that an instruction need not
 * wait for the one before. Three lanes fit into 4 KiB, the least number of bytes that have a checksum of their own.
 */
#define LANE 1360

typedef struct {
    uint32_t table[8][256];
    uint32_t behind[4][256]; /* by byte of a checksum: its value after LANE more zeros */
    int is_hardware;
} Crc;

static void crc_init(Crc *crc) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t word = byte;
        for (int i = 0; i < 8; i++) word = word >> 1 ^ ((word & 1) ? UINT32_C(0x82f63b78) : 0);
        crc->table[0][byte] = word;
    }
    for (int row = 1; row < 8; row++)
        for (int byte = 0; byte < 256; byte++) {
            uint32_t word = crc->table[row - 1][byte];
            crc->table[row][byte] = word >> 8 ^ crc->table[0][word & 255];
        }
#ifdef HAS_X86_CRC
    crc->is_hardware = __builtin_cpu_supports("sse4.2") != 0;
    for (int at = 0; at < 32; at++) {
        /* The checksum is linear: that of a byte is the sum of those of its bits. */
        uint32_t word = UINT32_C(1) << at, step = 1u << (at & 7);
        for (int i = 0; i < LANE; i++) word = word >> 8 ^ crc->table[0][word & 255];
        for (uint32_t byte = step; byte < 2 * step; byte++)
            crc->behind[at >> 3][byte] = word ^ (byte == step ? 0 : crc->behind[at >> 3][byte - step]);
    }
#endif
}

#ifdef HAS_X86_CRC
static uint32_t behind_lane(const Crc *crc, uint32_t word) {
    return crc->behind[0][word & 255] ^ crc->behind[1][word >> 8 & 255] ^ crc->behind[2][word >> 16 & 255] ^
           crc->behind[3][word >> 24];
}

__attribute__((target("sse4.2"))) static uint32_t crc_by_instruction(const Crc *crc, const uint8_t *bytes, uint64_t len) {
    uint64_t word = UINT32_C(0xffffffff);
    for (; len >= 3 * LANE; len -= 3 * LANE, bytes += 3 * LANE) {
        uint64_t second = 0, third = 0;
        for (int at = 0; at < LANE; at += 8) {
            uint64_t next[3];
            memcpy(&next[0], bytes + at, 8);
            memcpy(&next[1], bytes + LANE + at, 8);
            memcpy(&next[2], bytes + 2 * LANE + at, 8);
            word = _mm_crc32_u64(word, next[0]);
            second = _mm_crc32_u64(second, next[1]);
            third = _mm_crc32_u64(third, next[2]);
        }
        word = behind_lane(crc, behind_lane(crc, (uint32_t)word) ^ (uint32_t)second) ^ (uint32_t)third;
    }
    for (; len >= 8; len -= 8, bytes += 8) {
        uint64_t next;
        memcpy(&next, bytes, 8);
        word = _mm_crc32_u64(word, next);
    }
    for (; len > 0; len--) word = _mm_crc32_u8((uint32_t)word, *bytes++);
    return ~(uint32_t)word;
}
#endif

static uint32_t crc32c(const Crc *crc, const uint8_t *bytes, uint64_t len) {
    uint32_t word = UINT32_C(0xffffffff);
#ifdef HAS_X86_CRC
    if (crc->is_hardware) return crc_by_instruction(crc, bytes, len);
#elif defined(HAS_ARM_CRC)
    for (; len >= 8; len -= 8, bytes += 8) word = __crc32cd(word, u64_at(bytes));
#endif
    for (; len >= 8; len -= 8, bytes += 8) {
        uint32_t low = word ^ u32_at(bytes), high = u32_at(bytes + 4);
        word = crc->table[7][low & 255] ^ crc->table[6][low >> 8 & 255] ^ crc->table[5][low >> 16 & 255] ^
               crc->table[4][low >> 24] ^ crc->table[3][high & 255] ^ crc->table[2][high >> 8 & 255] ^
               crc->table[1][high >> 16 & 255] ^ crc->table[0][high >> 24];
    }
    for (; len > 0; len--) word = word >> 8 ^ crc->table[0][(word ^ *bytes++) & 255];
    return ~word;
}

/* ---- Materials ---- */

#define MAX_MEN 7
#define MAX_PIECES (MAX_MEN - 2)
#define MAX_MATERIALS 1313

/* The order of names. */
static const char ROLE_LETTERS[] = "RNSMP";
/* The order of the layout of files. */
static const uint8_t LAYOUT_ORDER[PIECES] = {PAWN, ROOK, KNIGHT, KHON, MET};

/* The men of a role and colour, in the colours of the material's name. */
typedef struct {
    uint8_t color, role, count;
} Axis;

/* A material; its symmetry is 1 if there are all eight images, 0 if left and right alone can be exchanged. */
typedef struct {
    uint8_t counts[2][PIECES];
    uint8_t men, has_dtz, has_pawns, symmetry, axes;
    Axis axis[MAX_PIECES];
    char name[16];
} Material;

/* The squares that a man may stand on: the first, and their number. */
typedef struct {
    uint8_t first, squares;
} Region;

static Region region_of(int color, int role) {
    Region region = {0, 64};
    if (role == PAWN) {
        region.first = (uint8_t)FIRST_PAWN_SQUARE[color];
        region.squares = PAWN_SQUARES;
    }
    return region;
}

typedef struct Table Table;

/* A material's key in a board's colours; 0 marks an empty slot, which two bare kings never look for. */
typedef struct {
    uint32_t key;
    uint16_t material;
    uint8_t is_flipped;
} Slot;

#define SLOT_BITS 13
#define SLOTS (1u << SLOT_BITS)

/* No count is above MAX_PIECES, so three bits hold each of the ten. */
static uint32_t key_of_counts(uint8_t (*counts)[PIECES]) {
    uint32_t key = 0;
    for (int color = 0; color < 2; color++)
        for (int role = 0; role < PIECES; role++) key = key << 3 | counts[color][role];
    return key;
}

/* The key of a board; 0 also if it has more men than a table. */
static uint32_t key_of_board(const Board *board) {
    uint32_t key = 0;
    int men = 0;
    for (int color = 0; color < 2; color++)
        for (int role = 0; role < PIECES; role++) {
            int count = bit_count(board->color[color] & board->role[role]);
            men += count;
            key = key << 3 | (uint32_t)(count & 7);
        }
    return men <= MAX_PIECES ? key : 0;
}

static uint32_t slot_of(uint32_t key) { return key * UINT32_C(0x9e3779b1) >> (32 - SLOT_BITS); }

static int total_of(const uint8_t *counts) {
    int total = 0;
    for (int role = 0; role < PIECES; role++) total += counts[role];
    return total;
}

/* Whether the first side comes first in a name. With equal sides it does. */
static int is_canonical(uint8_t (*counts)[PIECES]) {
    int white = total_of(counts[0]), black = total_of(counts[1]);
    if (white != black) return white > black;
    return memcmp(counts[0], counts[1], PIECES) >= 0;
}

static void name_material(Material *material) {
    char *at = material->name;
    for (int color = 0; color < 2; color++) {
        if (color) *at++ = 'v';
        *at++ = 'K';
        for (int role = 0; role < PIECES; role++)
            for (int i = 0; i < material->counts[color][role]; i++) *at++ = ROLE_LETTERS[role];
    }
    *at = 0;
}

static void lay_out(Material *material) {
    material->men = (uint8_t)(2 + total_of(material->counts[0]) + total_of(material->counts[1]));
    material->has_pawns = material->counts[0][PAWN] + material->counts[1][PAWN] > 0;
    material->has_dtz = material->has_pawns || total_of(material->counts[1]) > 0;
    material->symmetry = !material->has_pawns && material->counts[0][KHON] + material->counts[1][KHON] == 0;
    for (int place = 0; place < PIECES; place++)
        for (int color = 0; color < 2; color++) {
            uint8_t role = LAYOUT_ORDER[place];
            Axis axis = {(uint8_t)color, role, material->counts[color][role]};
            if (axis.count > 0) material->axis[material->axes++] = axis;
        }
    name_material(material);
}

/* ---- King pairs ---- */

/* The slab of a pair of kings and the transform that brings it home; -1 if the kings touch. */
typedef struct {
    int16_t slab;
    uint8_t transform;
} Fold;

/* Lookup tables for all materials, computed when tables are opened. */
typedef struct {
    Crc crc;
    uint32_t choose[65][MAX_PIECES + 1];
    uint8_t image[8][64];
    Fold fold[2][64 * 64]; /* by symmetry: left-right, all eight */
    uint8_t pair[2][1806][2];
    uint32_t pairs[2];
} Geometry;

static int image_of(int transform, int square) {
    if (transform & 1) square ^= 7;
    if (transform & 2) square ^= 56;
    if (transform & 4) square = (square & 7) << 3 | square >> 3;
    return square;
}

static int is_home(int symmetry, int white, int black) {
    int file = white & 7, rank = white >> 3;
    if (file > 3) return 0;
    if (!symmetry) return 1;
    return rank < file || (rank == file && black >> 3 <= (black & 7));
}

static void geometry_init(Geometry *geometry) {
    crc_init(&geometry->crc);
    for (int n = 0; n <= 64; n++)
        for (int k = 0; k <= MAX_PIECES; k++)
            geometry->choose[n][k] =
                k == 0 ? 1 : n == 0 ? 0 : geometry->choose[n - 1][k - 1] + geometry->choose[n - 1][k];
    for (int transform = 0; transform < 8; transform++)
        for (int square = 0; square < 64; square++)
            geometry->image[transform][square] = (uint8_t)image_of(transform, square);
    for (int symmetry = 0; symmetry < 2; symmetry++) {
        int16_t home[64 * 64];
        for (int white = 0; white < 64; white++)
            for (int black = 0; black < 64; black++) {
                int touch = ((king_attacks(bit(white)) | bit(white)) & bit(black)) != 0;
                home[64 * white + black] = -1;
                if (touch || !is_home(symmetry, white, black)) continue;
                uint32_t slab = geometry->pairs[symmetry]++;
                geometry->pair[symmetry][slab][WHITE] = (uint8_t)white;
                geometry->pair[symmetry][slab][BLACK] = (uint8_t)black;
                home[64 * white + black] = (int16_t)slab;
            }
        for (int white = 0; white < 64; white++)
            for (int black = 0; black < 64; black++) {
                Fold fold = {-1, 0};
                for (int transform = 0; transform < (symmetry ? 8 : 2) && fold.slab < 0; transform++) {
                    fold.slab = home[64 * image_of(transform, white) + image_of(transform, black)];
                    fold.transform = (uint8_t)transform;
                }
                geometry->fold[symmetry][64 * white + black] = fold;
            }
    }
}

/* ---- Tables ---- */

enum { OMITTED, CONSTANT, BLOCKS };
#define MAX_VALUES 2048
#define MAX_STRIPES 8
#define SYMBOLS 24
#define ESCAPE (SYMBOLS - 1)
#define SYMBOL_BITS 14 /* the frequencies of symbols add up to 2 to this power, */
#define CODE_BITS 12   /* those of codes to this one */
#define GROUP 64 /* the blocks of a group: a word has a bit for each */

/*
 * A value as a number: the better for the side to move, the greater. A win in n plies is FAR - n, a loss in n is n -
 * FAR, a draw 0.
 */
#define FAR_AWAY (1 << 20)
#define MATED (-FAR_AWAY)

static int32_t plies_of(int32_t value) { return FAR_AWAY - (value < 0 ? -value : value); }

/* The values of category tables for wins and losses without a conversion. */
#define NEVER_WINS (FAR_AWAY - 65535)
#define NEVER_LOSES (65534 - FAR_AWAY)

/*
 * A value: a distance is one number twice. In a category table the distance to the conversion is between two numbers,
 * both draws or of one side.
 */
typedef struct {
    int32_t worst, best;
} Interval;

/* A side's model: frequencies of symbols in each context. */
typedef struct {
    uint16_t mode;
    int is_moved; /* neighbours' codes are moved with their reference */
    uint32_t counts[4];                /* of buckets, and of the clusters of each table */
    uint8_t *bucket;                   /* by code */
    uint8_t *cluster_of[3];            /* by first context and bucket; by second context and cluster; and so with the third */
    uint16_t first[256];               /* the frequency of the first symbol of each cluster, often all that is needed */
    uint16_t (*clusters)[SYMBOLS + 1]; /* the start of each symbol's interval, and the end */
    uint16_t *codes;                   /* for each bucket, the start of each code's interval, and the end */
} Model;

/* The contexts of each table of a model. */
static const uint32_t CONTEXTS[3] = {3200, 45, 100};

/* One side to move of a table. */
typedef struct {
    uint8_t storage, axis, block_stripes;
    uint32_t value_count;
    Interval *values; /* by code, ascending as the file has them */
    int has_wins, longest_win; /* in plies */
    uint64_t model_at, model_len, blocks_at, blocks_len, index_at, index_len;
    /* The stripes. The fast piece is the last man of its axis; the others are the fixed pieces. */
    int fast_man, fast_color, fast_role, fixed, digits, like_start, like_end;
    uint8_t fixed_color[MAX_PIECES], fixed_role[MAX_PIECES], digit[MAX_PIECES];
    Region region[MAX_PIECES]; /* by digit, as the number of values */
    uint32_t sets[MAX_PIECES], stripes, slab_blocks;
    int is_dense; /* its stripes have many bytes: a processor cannot guess their symbols */
    uint64_t blocks;
    Model model;
} Side;

struct Table {
    File file;
    const Material *material;
    int metric, number, men_listed;
    uint32_t checksum, reference_checksum;
    const Table *reference;
    uint64_t body, list_at;
    uint32_t chunk_bits, chunks; /* a checksum is that of a chunk of 1 << chunk_bits bytes */
    uint32_t *checksums;
    Shared *verified; /* a word for each chunk: 1 if its bytes were as they should be */
    Side side[2];
    char *path;
};

/* The state of a table that a folder has or lacks: MAKRUK_OK, or why it cannot be used. */
typedef struct {
    Table *table;
    char *why;
    int32_t result;
} Entry;

/*
 * A place of the stripe cache, one line of a processor's cache. It has a stripe's 64 codes, five in a word; or, of a
 * table with more than 64 values, half a stripe's, four in a word. Its version is odd while it is written.
 */
typedef struct {
    Shared version, key[2], words[13];
} Place;

#define LINE 64
/* Neighbouring stripes have neighbouring places. */
#define NEIGHBOURS 8

struct MakrukTables {
    Geometry geometry;
    Material materials[MAX_MATERIALS];
    int material_count;
    Slot slots[SLOTS];
    Entry entries[MAX_MATERIALS][METRICS];
    char **folders;
    int folder_count, table_count;
    Place *places;
    void *room; /* of the places, which are aligned */
    uint64_t place_count;
};

/* The bytes before the end of a chunk, from the header on. */
static uint64_t end_of_chunk(const Table *table, uint64_t chunk) {
    uint64_t end = (chunk + 1) << table->chunk_bits, all = table->list_at - table->body;
    return end < all ? end : all;
}

/* Compares the checksum of a chunk. */
COLD static int32_t check_chunk(Probe *probe, const Table *table, uint64_t chunk) {
    uint64_t start = table->body + (chunk << table->chunk_bits), len = table->body + end_of_chunk(table, chunk) - start;
    const uint8_t *bytes = ACQUIRE(((Table *)(uintptr_t)table)->file.bytes);
    uint8_t *room = NULL;
    if (bytes == NULL) {
        room = (uint8_t *)malloc((size_t)len);
        if (room == NULL) return fail(probe, MAKRUK_OUT_OF_MEMORY, table->path, "no memory for %u bytes", (unsigned)len);
        if (!read_at(&table->file, start, room, (size_t)len)) {
            free(room);
            return fail(probe, MAKRUK_UNREADABLE_TABLE, table->path, "cannot read %u bytes at offset %llu", (unsigned)len,
                        (unsigned long long)start);
        }
    }
    uint32_t found = crc32c(&probe->tables->geometry.crc, room ? room : bytes + start, len);
    free(room);
    if (found != table->checksums[chunk])
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path,
                    "the checksum of the %u bytes at offset %llu is wrong: expected %08lx, found %08lx", (unsigned)len,
                    (unsigned long long)start, (unsigned long)table->checksums[chunk], (unsigned long)found);
    RELEASE(table->verified[chunk], 1);
    return MAKRUK_OK;
}

/*
 * The bytes of a table between header and list, their checksums compared. `room` has `len` bytes, for files that are
 * not in memory.
 */
static inline int32_t view(Probe *probe, const Table *table, uint64_t at, uint32_t len, uint8_t *room,
                           const uint8_t **bytes) {
    static const uint8_t no_bytes = 0;
    if (len == 0) {
        *bytes = &no_bytes; /* a place that pointers may be made from, unlike NULL */
        return MAKRUK_OK;
    }
    const uint8_t *all = ACQUIRE(((Table *)(uintptr_t)table)->file.bytes);
    if (all == NULL && (probe->flags & MAKRUK_IN_MEMORY)) return MAKRUK_NOT_IN_MEMORY;
    uint64_t last = (at + len - 1 - table->body) >> table->chunk_bits;
    for (uint64_t chunk = (at - table->body) >> table->chunk_bits; chunk <= last; chunk++) {
        if (LIKELY(ACQUIRE(table->verified[chunk]))) continue;
        if (probe->flags & MAKRUK_IN_MEMORY) return MAKRUK_NOT_IN_MEMORY;
        int32_t result = check_chunk(probe, table, chunk);
        if (result != MAKRUK_OK) return result;
    }
    if (all != NULL) {
        *bytes = all + at;
        return MAKRUK_OK;
    }
    *bytes = room;
    if (read_at(&table->file, at, room, len)) return MAKRUK_OK;
    return fail(probe, MAKRUK_UNREADABLE_TABLE, table->path, "cannot read %lu bytes at offset %llu", (unsigned long)len,
                (unsigned long long)at);
}

/* ---- Models ---- */

/* Reads a model's bytes one after the other. */
typedef struct {
    const uint8_t *bytes;
    uint64_t len, at;
} Reader;

static int take(Reader *reader, int bytes, uint32_t *number) {
    if (reader->len - reader->at < (uint64_t)bytes) return 0;
    *number = bytes == 1 ? reader->bytes[reader->at] : u16_at(reader->bytes + reader->at);
    reader->at += (uint64_t)bytes;
    return 1;
}

/* Reads frequencies from 1, which add up to 2 to the power `bits`, as the starts of intervals and their end. */
static int take_frequencies(Reader *reader, uint32_t count, int bits, uint16_t *starts) {
    uint32_t sum = 0, frequency, all = UINT32_C(1) << bits;
    for (uint32_t i = 0; i < count; i++) {
        starts[i] = (uint16_t)sum;
        if (!take(reader, 2, &frequency) || frequency == 0 || (sum += frequency) > all) return 0;
    }
    starts[count] = (uint16_t)sum;
    return sum == all;
}

/* Reads a model; returns the name of the invalid part, or NULL. */
static const char *read_model(Reader *reader, uint32_t values, Model *model) {
    uint32_t number, bound = 0, *clusters = model->counts + 1;
    if (!take(reader, 2, &number) || number >= values) return "mode code";
    model->mode = (uint16_t)number;
    if (!take(reader, 1, &number) || number > 1) return "moved neighbours";
    model->is_moved = (int)number;
    if (!take(reader, 1, &number) || number + 1 > 64 || number + 1 > values) return "number of buckets";
    model->counts[0] = number + 1;
    for (int table = 0; table < 3; table++) {
        if (!take(reader, 1, &number)) return "number of clusters";
        clusters[table] = number + 1;
    }
    model->bucket = (uint8_t *)calloc(values, 1);
    model->clusters = (uint16_t(*)[SYMBOLS + 1]) malloc(clusters[2] * sizeof *model->clusters);
    model->codes = (uint16_t *)malloc((size_t)model->counts[0] * (values + 1) * sizeof *model->codes);
    if (!model->bucket || !model->clusters || !model->codes) return "memory";
    for (uint32_t bucket = 1; bucket < model->counts[0]; bucket++) {
        if (!take(reader, 2, &number) || number <= bound || number >= values) return "bucket";
        bound = number;
        memset(model->bucket + bound, (int)bucket, values - bound);
    }
    for (uint32_t cluster = 0; cluster < clusters[2]; cluster++) {
        if (!take_frequencies(reader, SYMBOLS, SYMBOL_BITS, model->clusters[cluster])) return "frequencies of symbols";
        model->first[cluster] = model->clusters[cluster][1];
    }
    for (uint32_t bucket = 0; bucket < model->counts[0]; bucket++)
        if (!take_frequencies(reader, values, CODE_BITS, model->codes + bucket * (values + 1))) return "frequencies of codes";
    for (int table = 0; table < 3; table++) {
        uint32_t count = model->counts[table], all = count * CONTEXTS[table];
        uint8_t *cluster_of = model->cluster_of[table] = (uint8_t *)malloc(all);
        if (cluster_of == NULL) return "memory";
        for (uint32_t context = 0; context < all;) {
            uint32_t cluster, run;
            if (!take(reader, 1, &cluster) || cluster >= clusters[table]) return "cluster of a context";
            if (!take(reader, 1, &run) || run + 1 > all - context) return "run of contexts";
            /* Frequent contexts lie together, whatever the bucket or cluster before. */
            for (uint32_t end = context + run + 1; context < end; context++)
                cluster_of[context % CONTEXTS[table] * count + context / CONTEXTS[table]] = (uint8_t)cluster;
        }
    }
    return reader->at == reader->len ? NULL : "end";
}

/* ---- Headers ---- */

static const uint8_t MAGIC[8] = {0x89, 'M', 'K', 'T', 0x0d, 0x0a, 0x1a, 0x0a};
#define FIXED_HEADER 188
#define MAX_HEADER (FIXED_HEADER + 12 * 2 * MAX_VALUES + 4)

COLD static int32_t wrong(Probe *probe, const Table *table, const char *field, uint64_t offset, uint64_t expected,
                          uint64_t found) {
    return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "%s at offset %llu: expected %llu, found %llu", field,
                (unsigned long long)offset, (unsigned long long)expected, (unsigned long long)found);
}

/* A text of printable ASCII filled up with zeros; its length, or -1. */
static int text_len(const uint8_t *bytes, int room) {
    int len = 0;
    while (len < room && bytes[len]) {
        if (bytes[len] < ' ' || bytes[len] > '~') return -1;
        len++;
    }
    for (int i = len; i < room; i++)
        if (bytes[i]) return -1;
    return len;
}

static int is_text(const uint8_t *bytes, int room, const char *text) {
    int len = text_len(bytes, room);
    return len == (int)strlen(text) && memcmp(bytes, text, (size_t)len) == 0;
}

/* The number of a value as the file has it; 0 if there is no such value. */
static int number_of_value(uint32_t raw, int32_t *number) {
    int32_t plies = (int32_t)(raw & 0xffff);
    uint32_t kind = raw >> 16;
    if (kind > 2 || (kind == 0 && plies) || (kind == 1 && plies % 2 == 0) || (kind == 2 && plies % 2)) return 0;
    *number = kind == 0 ? 0 : kind == 1 ? FAR_AWAY - plies : plies - FAR_AWAY;
    return 1;
}

static uint32_t raw_of_number(int32_t number) {
    return number == 0 ? 0 : number > 0 ? UINT32_C(0x10000) + (uint32_t)(FAR_AWAY - number)
                                        : UINT32_C(0x20000) + (uint32_t)(number + FAR_AWAY);
}

/* The value of a code. A class of a category table has its distance, and others above that of the class before it. */
static Interval interval_of(int metric, int32_t value, int32_t before) {
    Interval interval = {value, value};
    if (metric != CATEGORY || value == NEVER_WINS || value == NEVER_LOSES) return interval;
    if (value > 0) interval.best = before > 0 ? before - 2 : FAR_AWAY - 1;
    if (value < 0) interval.worst = before < 0 ? before + 2 : MATED;
    return interval;
}

static int32_t read_values(Probe *probe, Table *table, int color, const uint8_t *header, uint64_t at) {
    Side *side = &table->side[color];
    uint32_t raw_before = 0;
    int32_t before = 0;
    side->values = (Interval *)malloc(side->value_count * sizeof *side->values);
    if (!side->values) return fail(probe, MAKRUK_OUT_OF_MEMORY, table->path, "no memory for values");
    for (uint32_t i = 0; i < side->value_count; i++) {
        int32_t value;
        uint32_t raw = u32_at(header + at + 12 * i);
        if (!number_of_value(raw, &value) || (i > 0 && raw <= raw_before))
            return fail(probe, MAKRUK_CORRUPT_TABLE, table->path,
                        "value at offset %llu: expected ascending values of a %s table, found %08lx",
                        (unsigned long long)(at + 12 * i), METRIC_NAMES[table->metric], (unsigned long)raw);
        side->values[i] = interval_of(table->metric, value, before);
        side->has_wins |= value > 0;
        if (value > 0 && plies_of(value) > side->longest_win) side->longest_win = plies_of(value);
        raw_before = raw;
        before = value;
    }
    return MAKRUK_OK;
}

/* The mean length in bytes from which a stripe is dense. */
#define DENSE_STRIPE 8

/* The stripes of a side whose fast piece is the last man of an axis. */
static void cut_stripes(const Geometry *geometry, const Material *material, Side *side) {
    int man = 0;
    side->stripes = 1;
    for (int at = 0; at < material->axes; at++) {
        const Axis *axis = &material->axis[at];
        int fixed = axis->count - (at == side->axis);
        if (at == side->axis) {
            side->fast_man = man + axis->count - 1;
            side->fast_color = axis->color;
            side->fast_role = axis->role;
            side->like_start = side->fixed;
            side->like_end = side->fixed + fixed;
        }
        man += axis->count;
        if (fixed == 0) continue;
        Region region = region_of(axis->color, axis->role);
        side->region[side->digits] = region;
        side->sets[side->digits] = geometry->choose[region.squares][fixed];
        side->stripes *= side->sets[side->digits];
        side->digit[side->digits++] = (uint8_t)fixed;
        for (int i = 0; i < fixed; i++) {
            side->fixed_color[side->fixed] = axis->color;
            side->fixed_role[side->fixed++] = axis->role;
        }
    }
    side->slab_blocks = (side->stripes + side->block_stripes - 1u) / side->block_stripes;
    side->blocks = (uint64_t)side->slab_blocks * geometry->pairs[material->symmetry];
    side->is_dense = side->blocks_len / DENSE_STRIPE >= (uint64_t)side->stripes * geometry->pairs[material->symmetry];
}

static int32_t read_side(Probe *probe, Table *table, int color, const uint8_t *header) {
    const Geometry *geometry = &probe->tables->geometry;
    Side *side = &table->side[color];
    uint64_t at = 156 + 16 * (uint64_t)color;
    const uint8_t *bytes = header + at;
    side->storage = bytes[0];
    side->axis = bytes[1];
    side->block_stripes = bytes[2];
    side->model_len = u32_at(bytes + 4);
    side->blocks_len = u64_at(bytes + 8);
    if (side->value_count == 1 ? side->storage != CONSTANT : side->storage != OMITTED && side->storage != BLOCKS)
        return wrong(probe, table, "storage", at, side->value_count == 1 ? CONSTANT : BLOCKS, side->storage);
    if (bytes[3]) return wrong(probe, table, "reserved byte", at + 3, 0, bytes[3]);
    if (side->storage != BLOCKS) {
        if (side->axis || side->block_stripes || side->model_len || side->blocks_len)
            return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "side without blocks at offset %u: expected zeros",
                        (unsigned)at + 1);
        return MAKRUK_OK;
    }
    if (side->axis >= table->material->axes)
        return wrong(probe, table, "axis of the fast piece", at + 1, table->material->axes - 1u, side->axis);
    if (side->block_stripes < 1 || side->block_stripes > MAX_STRIPES)
        return wrong(probe, table, "stripes per block", at + 2, MAX_STRIPES, side->block_stripes);
    if (side->blocks_len >> 40) return wrong(probe, table, "length of blocks", at + 8, 0, side->blocks_len);
    cut_stripes(geometry, table->material, side);
    side->index_len = 5 * ((side->blocks + GROUP - 1) / GROUP + 1);
    return MAKRUK_OK;
}

/* Checks the fields of a header, whose checksum holds. */
static int32_t read_header(Probe *probe, Table *table, const uint8_t *header, uint32_t len) {
    const Geometry *geometry = &probe->tables->geometry;
    const Material *material = table->material;
    int symmetry = material->symmetry;
    for (int color = 0; color < 2; color++) {
        uint32_t values = u32_at(header + 148 + 4 * color);
        if (values < 1 || values > MAX_VALUES)
            return wrong(probe, table, "number of values", 148 + 4 * (uint64_t)color, MAX_VALUES, values);
        table->side[color].value_count = values;
    }
    uint64_t expected = FIXED_HEADER + 4 + 12 * (uint64_t)(table->side[0].value_count + table->side[1].value_count);
    if (len != expected) return wrong(probe, table, "header length", 12, expected, len);
    if (header[46] != table->metric)
        return wrong(probe, table, "metric", 46, (uint64_t)table->metric, header[46]);
    if (!is_text(header + 48, 32, material->name))
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "material at offset 48: expected %s", material->name);
    uint64_t slab_len = 1;
    char axes[MAX_PIECES + 1];
    int letters = 0;
    for (int at = 0; at < material->axes; at++) {
        const Axis *axis = &material->axis[at];
        slab_len *= geometry->choose[region_of(axis->color, axis->role).squares][axis->count];
        for (int i = 0; i < axis->count; i++)
            axes[letters++] = (char)(ROLE_LETTERS[axis->role] + (axis->color == BLACK ? 'a' - 'A' : 0));
    }
    axes[letters] = 0;
    table->chunk_bits = table->metric == CATEGORY ? 12 : 16;
    if (header[44] != table->chunk_bits) return wrong(probe, table, "chunk", 44, table->chunk_bits, header[44]);
    if (header[45]) return wrong(probe, table, "unused byte", 45, 0, header[45]);
    if (header[47] != symmetry) return wrong(probe, table, "symmetry", 47, (uint64_t)symmetry, header[47]);
    if (u64_at(header + 24) != geometry->pairs[symmetry])
        return wrong(probe, table, "number of slabs", 24, geometry->pairs[symmetry], u64_at(header + 24));
    if (u64_at(header + 32) != slab_len) return wrong(probe, table, "slab length", 32, slab_len, u64_at(header + 32));
    if (!is_text(header + 128, 16, axes))
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "axes at offset 128: expected %s", axes);
    if (text_len(header + 80, 16) < 1) return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "rules at offset 80: no text");
    if (text_len(header + 96, 32) < 1)
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "generator at offset 96: no text");
    /* DTM knows no count, so its tables serve under all rules. */
    if (table->metric != DTM && !is_text(header + 80, 16, "makruk"))
        return fail(probe, MAKRUK_UNSUPPORTED_TABLE, table->path, "counting rules: expected makruk, found %.16s",
                    (const char *)header + 80);
    table->reference_checksum = u32_at(header + 40);
    if (table->reference_checksum && table->metric != DTZ)
        return wrong(probe, table, "reference", 40, 0, table->reference_checksum);
    uint64_t at = FIXED_HEADER;
    for (int color = 0; color < 2; color++) {
        int32_t result = read_values(probe, table, color, header, at);
        at += 12 * (uint64_t)table->side[color].value_count;
        if (result == MAKRUK_OK) result = read_side(probe, table, color, header);
        if (result != MAKRUK_OK) return result;
    }
    if (table->side[WHITE].storage == OMITTED && table->side[BLACK].storage == OMITTED)
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "neither side to move is stored");
    return MAKRUK_OK;
}

/* The sections follow the header without gaps. */
static int32_t place_sections(Probe *probe, Table *table, const uint8_t *header, uint32_t len) {
    uint64_t at = len;
    table->body = at;
    for (int color = 0; color < 2; color++) table->side[color].model_at = at, at += table->side[color].model_len;
    for (int color = 0; color < 2; color++) table->side[color].blocks_at = at, at += table->side[color].blocks_len;
    for (int color = 0; color < 2; color++) table->side[color].index_at = at, at += table->side[color].index_len;
    table->list_at = at;
    uint64_t chunks = (at - table->body + (UINT64_C(1) << table->chunk_bits) - 1) >> table->chunk_bits;
    at += 4 * chunks;
    if (u64_at(header + 16) != at) return wrong(probe, table, "file length", 16, at, u64_at(header + 16));
    if (table->file.size != at)
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "the file is %s: expected %llu bytes, found %llu",
                    table->file.size < at ? "cut short" : "too long", (unsigned long long)at,
                    (unsigned long long)table->file.size);
    table->chunks = (uint32_t)chunks;
    return MAKRUK_OK;
}

/* Bytes of a file whose checksums are not in the list. */
static int32_t read_raw(Probe *probe, const Table *table, uint64_t at, uint64_t len, uint8_t *to) {
    const uint8_t *all = RELAXED(((Table *)(uintptr_t)table)->file.bytes);
    if (table->file.size < at || table->file.size - at < len)
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "the file is cut short: expected %llu bytes, found %llu",
                    (unsigned long long)(at + len), (unsigned long long)table->file.size);
    if (all != NULL) {
        memcpy(to, all + at, (size_t)len);
        return MAKRUK_OK;
    }
    if (read_at(&table->file, at, to, (size_t)len)) return MAKRUK_OK;
    return fail(probe, MAKRUK_UNREADABLE_TABLE, table->path, "cannot read %llu bytes at offset %llu", (unsigned long long)len,
                (unsigned long long)at);
}

static int32_t read_checksums(Probe *probe, Table *table, uint32_t expected) {
    const Crc *crc = &probe->tables->geometry.crc;
    uint8_t *list = (uint8_t *)malloc(4 * (size_t)table->chunks + 1);
    table->checksums = (uint32_t *)malloc(((size_t)table->chunks + 1) * sizeof *table->checksums);
    table->verified = (Shared *)calloc((size_t)table->chunks + 1, sizeof *table->verified);
    int32_t result = MAKRUK_OK;
    if (!list || !table->checksums || !table->verified)
        result = fail(probe, MAKRUK_OUT_OF_MEMORY, table->path, "no memory for checksums");
    if (result == MAKRUK_OK) result = read_raw(probe, table, table->list_at, 4 * (uint64_t)table->chunks, list);
    if (result == MAKRUK_OK) {
        uint32_t found = crc32c(crc, list, 4 * (uint64_t)table->chunks);
        if (found != expected)
            result = fail(probe, MAKRUK_CORRUPT_TABLE, table->path,
                          "the checksum of the list at offset %llu is wrong: expected %08lx, found %08lx",
                          (unsigned long long)table->list_at, (unsigned long)expected, (unsigned long)found);
    }
    for (uint32_t i = 0; result == MAKRUK_OK && i < table->chunks; i++) table->checksums[i] = u32_at(list + 4 * i);
    free(list);
    return result;
}

static int32_t read_models(Probe *probe, Table *table) {
    for (int color = 0; color < 2; color++) {
        Side *side = &table->side[color];
        if (side->storage != BLOCKS) continue;
        uint32_t len = (uint32_t)side->model_len;
        uint8_t *room = (uint8_t *)malloc((size_t)len + 1);
        Reader reader = {NULL, len, 0};
        if (room == NULL) return fail(probe, MAKRUK_OUT_OF_MEMORY, table->path, "no memory for a model");
        int32_t result = view(probe, table, side->model_at, len, room, &reader.bytes);
        const char *field = result == MAKRUK_OK ? read_model(&reader, side->value_count, &side->model) : NULL;
        if (field != NULL)
            result = fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "%s's model is invalid at offset %llu: %s",
                          SIDE_NAMES[color], (unsigned long long)(side->model_at + reader.at), field);
        free(room);
        if (result != MAKRUK_OK) return result;
    }
    return MAKRUK_OK;
}

/* Reads the parts of a table before its blocks. `start` has 16 bytes. */
static int32_t read_sections(Probe *probe, Table *table, const uint8_t *start) {
    uint32_t len = u32_at(start + 12);
    if (len < FIXED_HEADER + 4 + 24 || len > MAX_HEADER) return wrong(probe, table, "header length", 12, MAX_HEADER, len);
    uint8_t *header = (uint8_t *)malloc(len);
    if (header == NULL) return fail(probe, MAKRUK_OUT_OF_MEMORY, table->path, "no memory for a header");
    int32_t result = read_raw(probe, table, 0, len, header);
    if (result == MAKRUK_OK) {
        uint32_t found = crc32c(&probe->tables->geometry.crc, header, len - 4);
        table->checksum = u32_at(header + len - 4);
        if (found != table->checksum)
            result = fail(probe, MAKRUK_CORRUPT_TABLE, table->path,
                          "the checksum of the header is wrong: expected %08lx, found %08lx",
                          (unsigned long)table->checksum, (unsigned long)found);
    }
    if (result == MAKRUK_OK) result = read_header(probe, table, header, len);
    if (result == MAKRUK_OK) result = place_sections(probe, table, header, len);
    if (result == MAKRUK_OK) result = read_checksums(probe, table, u32_at(header + 144));
    if (result == MAKRUK_OK) result = read_models(probe, table);
    free(header);
    return result;
}

/* The version of the format. */
#define FORMAT_VERSION 6

/* Reads a table up to its blocks. */
static int32_t read_table(Probe *probe, Table *table) {
    uint8_t start[16];
    if (table->file.size < sizeof start)
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "the file is cut short: expected a header, found %llu bytes",
                    (unsigned long long)table->file.size);
    int32_t result = read_raw(probe, table, 0, sizeof start, start);
    if (result != MAKRUK_OK) return result;
    if (memcmp(start, MAGIC, sizeof MAGIC) != 0)
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "the file is not a table: expected \\x89MKT at its start");
    uint32_t version = u32_at(start + 8);
    if (version == FORMAT_VERSION) return read_sections(probe, table, start);
    return fail(probe, MAKRUK_UNSUPPORTED_TABLE, table->path,
                version < FORMAT_VERSION ? "version of the format: expected %u, found %lu; `makruk-gen build %s` makes the table anew"
                                         : "version of the format: expected %u, found %lu, a newer one than that of this reader",
                (unsigned)FORMAT_VERSION, (unsigned long)version, table->material->name);
}

/* ---- Decoding ---- */

#define NONE 0xffffu

/* Features of a stripe, each a set of squares. */
typedef struct {
    uint64_t legal, attacked, defended, attacking;
} Features;

/* The squares strictly between two squares of one rank or file. */
static uint64_t between(int a, int b) { return rook_attacks(a, bit(b)) & rook_attacks(b, bit(a)); }

/* The features of the stripe with these kings and fixed pieces, a side to move. */
static void features_of(const Side *side, int turn, const uint8_t *kings, const uint8_t *fixed, Features *out) {
    uint64_t occupied = bit(kings[0]) | bit(kings[1]), by[2], attacking = 0;
    int own = side->fast_color;
    for (int i = 0; i < side->fixed; i++) {
        if (occupied & bit(fixed[i])) {
            memset(out, 0, sizeof *out);
            return;
        }
        occupied |= bit(fixed[i]);
    }
    uint64_t legal = ~occupied & (side->fast_role == PAWN ? pawn_squares(own) : ~UINT64_C(0));
    if (side->like_end > side->like_start) legal &= ~(bit(fixed[side->like_end - 1]) - 1);
    by[0] = king_attacks(bit(kings[0]));
    by[1] = king_attacks(bit(kings[1]));
    int king = kings[!turn];
    for (int i = 0; i < side->fixed; i++) {
        int color = side->fixed_color[i], role = side->fixed_role[i];
        uint64_t attacked = attacks(color, role, fixed[i], occupied);
        by[color] |= attacked;
        if (color != own) attacking |= attacks(!own, side->fast_role, fixed[i], occupied);
        /* The side that is not to move must not be in check; only a rook's check can be blocked. */
        if (color == turn && (attacked & bit(king))) legal &= role == ROOK ? between(fixed[i], king) : 0;
    }
    if (own == turn) legal &= ~attacks(!own, side->fast_role, king, occupied);
    out->legal = legal;
    out->attacked = by[!own];
    out->defended = by[own];
    out->attacking = attacking;
}

/* The squares of a stripe's fixed pieces. */
static void fixed_squares(const Geometry *geometry, const Side *side, uint32_t stripe, uint8_t *squares) {
    int end = side->fixed;
    for (int at = side->digits - 1; at >= 0; at--) {
        int count = side->digit[at];
        uint32_t rank = stripe % side->sets[at];
        stripe /= side->sets[at];
        for (int k = count; k >= 1; k--) {
            int place = side->region[at].squares - 1;
            if (k == 1) place = (int)rank;
            else
                while (geometry->choose[place][k] > rank) place--;
            rank -= geometry->choose[place][k];
            squares[end - count + k - 1] = (uint8_t)(side->region[at].first + place);
        }
        end -= count;
    }
}

/* The bits of a byte as the lowest bits of eight bytes. */
static inline uint64_t spread(uint64_t byte) {
    uint64_t bits = (byte & 255) * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return (bits + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
}

/* The class of each square without a reference, a byte each: 4 times its kind, and whether neighbours have it too. */
static inline void classes_of(const Features *features, int is_compared, uint64_t *classes) {
    uint64_t a = features->attacked, d = features->defended, g = features->attacking, below = 0, left = 0;
    if (is_compared) {
        below = ~((a ^ a << 8) | (d ^ d << 8) | (g ^ g << 8)) & ~UINT64_C(0xff);
        left = ~((a ^ a << 1) | (d ^ d << 1) | (g ^ g << 1)) & NOT_A;
    }
    for (int rank = 0; rank < 8; rank++) {
        int at = 8 * rank;
        classes[rank] = spread(below >> at) | spread(left >> at) << 1 | spread(a >> at) << 2 | spread(d >> at) << 3 |
                        spread(g >> at) << 4;
    }
}

/* The state of the range decoder and the codes last seen in a block. */
typedef struct {
    uint32_t state;
    const uint8_t *next, *end;
    uint16_t by_kind[8], by_reference[256];
} Block;

static inline void take_bytes(Block *block) {
    while (block->state < (UINT32_C(1) << 24) && block->next < block->end) block->state = block->state << 8 | *block->next++;
}

/* Takes a symbol. In a dense stripe a processor cannot guess whether bytes follow, so there is no branch. */
static inline void take_interval(Block *block, uint32_t start, uint32_t frequency, int bits, int is_dense) {
    block->state = frequency * (block->state >> bits) + (block->state & ((UINT32_C(1) << bits) - 1)) - start;
    if (is_dense && LIKELY(block->end - block->next >= 2)) {
        uint32_t fresh = 8 * ((uint32_t)(block->state < (UINT32_C(1) << 24)) + (uint32_t)(block->state < (UINT32_C(1) << 16)));
        block->state = block->state << fresh | ((uint32_t)block->next[0] << 8 | block->next[1]) >> (16 - fresh);
        block->next += fresh / 8;
    } else {
        take_bytes(block);
    }
}

/* The symbol whose interval contains a number. */
static inline uint32_t symbol_at(const uint16_t *starts, uint32_t slot, int is_dense) {
#ifdef HAS_SSE2
    if (is_dense) {
        __m128i number = _mm_set1_epi16((short)slot);
        __m128i low = _mm_cmpgt_epi16(_mm_loadu_si128((const __m128i *)(const void *)(starts + 1)), number);
        __m128i middle = _mm_cmpgt_epi16(_mm_loadu_si128((const __m128i *)(const void *)(starts + 9)), number);
        __m128i high = _mm_cmpgt_epi16(_mm_loadu_si128((const __m128i *)(const void *)(starts + 17)), number);
        uint32_t first = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, middle));
        return (uint32_t)lowest((uint64_t)(first | (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(high, high)) << 16));
    }
#endif
    (void)is_dense;
    uint32_t symbol = 0;
    while (symbol < ESCAPE && starts[symbol + 1] <= slot) symbol++;
    return symbol;
}

/* The difference of a code from the predictor, from -2 to 2, plus 2. */
static inline uint32_t difference(uint32_t code, uint32_t predictor) {
    int32_t d = (int32_t)code - (int32_t)predictor + 2;
    d = d < 0 ? 0 : d;
    return (uint32_t)(d > 4 ? 4 : d);
}

/* How a code compares with its predictor: 0 the same, 1 above, 2 below. */
static inline uint32_t error_of(uint32_t code, uint32_t predictor) {
    return (uint32_t)(code > predictor) + 2 * (uint32_t)(code < predictor);
}

/* The places of a rank among the codes last seen, with two files before the board and two after it. */
#define SEEN_RANK 12

/* The part of the third context that the rank gives. */
static const uint8_t RANK_GROUPS[8] = {0, 1, 1, 2, 2, 2, 3, 3};

/* What a symbol adds, modulo 2^16, to its candidate, which is the predictor from the sixth symbol on. */
static const uint16_t STEPS[SYMBOLS] = {0,      0, 0,      0, 0,      1, 0xffff, 2, 0xfffe, 3, 0xfffd, 4,
                                        0xfffc, 5, 0xfffb, 6, 0xfffa, 7, 0xfff9, 8, 0xfff8, 9, 0xfff7, 0};

/* The code that is as far from a reference as another code is from its own, 0 at least; none if there is no code. */
static inline uint32_t shifted(uint32_t code, uint32_t from, uint32_t to) {
    int32_t found = (int32_t)code + (int32_t)to - (int32_t)from;
    return code == NONE ? NONE : (uint32_t)(found < 0 ? 0 : found);
}

/*
 * Decodes the codes of some squares of a stripe, ascending. Any bytes give some codes, which may be beyond the list.
 * There are branches for stripes of few bytes, where processors guess well what follows; in a dense stripe they would
 * guess wrong.
 */
static INLINED void decode_stripe(const Side *side, const Features *features, uint64_t squares, const uint16_t *reference,
                                 Block *block, uint16_t *codes, int is_dense) {
    const Model *model = &side->model;
    uint32_t mode = model->mode, values = side->value_count;
    int has_buckets = model->counts[0] > 1;
    int rank = 0;
    /*
     * The codes last seen on each file, for each rank on it or below, and the reference's there; those of each kind on
     * the file or beside it; how the last code of each file was predicted. Two ranks and files of none are before the
     * board.
     */
    uint16_t seen[10 * SEEN_RANK], reference_seen[10 * SEEN_RANK], near_kind[10][8];
    uint8_t errors[9] = {0};
    uint64_t classes[8];
    classes_of(features, reference == NULL, classes);
    memset(seen, 0xff, 3 * SEEN_RANK * sizeof *seen);
    if (reference != NULL) memset(reference_seen, 0xff, 3 * SEEN_RANK * sizeof *seen);
    if (reference == NULL) memset(near_kind, 0xff, sizeof near_kind);
    for (; squares; squares &= squares - 1) {
        int square = lowest(squares), file = (square & 7) + 1;
        uint32_t class_ = (uint32_t)(classes[square >> 3] >> (8 * (square & 7))) & 31, kind = class_ >> 2;
        while (rank < square >> 3) {
            int start = (++rank + 2) * SEEN_RANK;
            memcpy(seen + start, seen + start - SEEN_RANK, SEEN_RANK * sizeof *seen);
            if (reference != NULL) memcpy(reference_seen + start, reference_seen + start - SEEN_RANK, SEEN_RANK * sizeof *seen);
        }
        int place = (rank + 2) * SEEN_RANK + file + 1;
        uint16_t *at = seen + place, *there = reference_seen + place;
        uint32_t north = at[0], west = at[-1], north_east = at[1], north_west = at[-SEEN_RANK - 1];
        uint32_t far_north = at[-2 * SEEN_RANK], of_kind = block->by_kind[kind], predictor = of_kind, here = 0;
        if (reference != NULL) {
            here = reference[square];
            uint32_t known = block->by_reference[here & 255], north_code = north, west_code = west;
            class_ = (kind & 1) | (kind >> 2) << 1 | (uint32_t)(there[0] == here) << 2 | (uint32_t)(there[-1] == here) << 3 |
                     (uint32_t)(known != NONE) << 4;
            if (model->is_moved) {
                north = shifted(north, there[0], here);
                west = shifted(west, there[-1], here);
                north_west = shifted(north_west, there[-SEEN_RANK - 1], here);
                north_east = shifted(north_east, there[1], here);
                far_north = shifted(far_north, there[-2 * SEEN_RANK], here);
            }
            there[0] = (uint16_t)here;
            if (known != NONE) predictor = known;
            else if (model->is_moved && north_code != NONE && north_code != 0) predictor = north;
            else if (model->is_moved && west_code != NONE && west_code != 0) predictor = west;
        } else if (near_kind[file][kind] != NONE) {
            predictor = near_kind[file][kind];
        }
        if (north == NONE) north = west != NONE ? west : predictor != NONE ? predictor : mode;
        if (west == NONE) west = north;
        if (north_west == NONE) north_west = north;
        if (north_east == NONE) north_east = north;
        if (predictor == NONE) predictor = north;
        uint32_t context = (class_ * 5 + difference(north, predictor)) * 5 + difference(west, predictor), bucket = 0;
        context = context * 4 + (uint32_t)(north_west == north) + 2 * (uint32_t)(north_east == north);
        if (has_buckets && predictor < values) bucket = model->bucket[predictor];
        if (far_north == NONE) far_north = north;
        uint32_t second = (errors[file] * 3u + errors[file - 1]) * 5 + difference(north_east, predictor), third;
        if (reference == NULL) {
            uint32_t far_west = at[-2] == NONE ? west : at[-2];
            third = difference(far_west, predictor) * 5 + difference(far_north, predictor);
            third = third * 4 + RANK_GROUPS[rank];
        } else {
            int32_t beyond = (int32_t)predictor - (int32_t)here;
            third = (uint32_t)(beyond < -3 ? 0 : beyond > 3 ? 6 : beyond + 3) * 3;
            third = (third + error_of(of_kind == NONE ? predictor : of_kind, predictor)) * 3 + error_of(far_north, predictor);
        }
        uint32_t number = model->cluster_of[0][context * model->counts[0] + bucket];
        number = model->cluster_of[1][second * model->counts[1] + number];
        number = model->cluster_of[2][third * model->counts[2] + number];
        uint32_t symbol = 0, slot = block->state & ((1 << SYMBOL_BITS) - 1), start = 0, frequency = model->first[number];
        if (is_dense || slot >= frequency) {
            const uint16_t *cluster = model->clusters[number];
            symbol = symbol_at(cluster, slot, is_dense);
            start = cluster[symbol];
            frequency = (uint32_t)cluster[symbol + 1] - start;
        }
        take_interval(block, start, frequency, SYMBOL_BITS, is_dense);
        uint32_t code;
        if (symbol == ESCAPE) {
            const uint16_t *codes_of = model->codes + bucket * (values + 1);
            uint32_t end = values;
            slot = block->state & ((1 << CODE_BITS) - 1);
            for (code = 0; end - code > 1;) {
                uint32_t half = (code + end) / 2;
                if (codes_of[half] <= slot) code = half;
                else end = half;
            }
            take_interval(block, codes_of[code], (uint32_t)codes_of[code + 1] - codes_of[code], CODE_BITS, is_dense);
        } else {
            uint32_t candidates[6] = {predictor, north, west, north_east, mode, predictor};
            code = candidates[symbol < 5 ? symbol : 5] + STEPS[symbol];
        }
        code &= 0xffff;
        at[0] = block->by_kind[kind] = (uint16_t)code;
        errors[file] = (uint8_t)error_of(code, predictor);
        if (reference != NULL) block->by_reference[here & 255] = (uint16_t)code;
        else near_kind[file - 1][kind] = near_kind[file][kind] = near_kind[file + 1][kind] = (uint16_t)code;
        codes[square] = (uint16_t)code;
    }
}

/* A stripe of a block: its features, and its codes once they are decoded. */
typedef struct {
    Features features;
    uint16_t codes[64];
} Stripe;

/* The part of a block that has some positions: its stripes up to the last of theirs, with the squares of that one. */
typedef struct {
    uint64_t block;
    int stripes;
    uint64_t last_squares;
    Stripe *stripe;
} Part;

typedef uint16_t Codes[MAX_STRIPES][64];

/* Bytes of a table. */
typedef struct {
    uint64_t at, len;
} Span;

/* Has the processor fetch bytes of a table that is in memory, while other work is done. */
static inline void prefetch_bytes(const Table *table, uint64_t at) {
    const uint8_t *all = RELAXED(((Table *)(uintptr_t)table)->file.bytes);
    if (all != NULL) PREFETCH(all + at);
}

/* The same for the place of a block's group. */
static inline void prefetch_index(const Table *table, int color, uint64_t number) {
    prefetch_bytes(table, table->side[color].index_at + 5 * (number / GROUP));
}

/* The bytes of the group that has a block. */
static inline int32_t find_group(Probe *probe, const Table *table, int color, uint64_t number, Span *found) {
    const Side *side = &table->side[color];
    uint64_t group = number / GROUP;
    uint8_t room[10];
    const uint8_t *index;
    int32_t result = view(probe, table, side->index_at + 5 * group, 10, room, &index);
    if (result != MAKRUK_OK) return result;
    uint64_t from = u40_at(index), to = u40_at(index + 5);
    if (from >= to || to > side->blocks_len)
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "%s's group %llu: expected bytes within %llu, found %llu to %llu",
                    SIDE_NAMES[color], (unsigned long long)group, (unsigned long long)side->blocks_len,
                    (unsigned long long)from, (unsigned long long)to);
    found->at = side->blocks_at + from;
    found->len = to - from;
    prefetch_bytes(table, found->at);
    return MAKRUK_OK;
}

/* The bytes of a block, by those of its group. */
static inline int32_t find_block(Probe *probe, const Table *table, int color, uint64_t number, Span *span) {
    uint64_t group = number / GROUP, at = span->at, room_left = span->len;
    uint32_t place = (uint32_t)(number % GROUP), start = 0;
    uint8_t room[1 + 8 * 16];
    const uint8_t *head;
    int32_t result = view(probe, table, at, 1, room, &head);
    if (result != MAKRUK_OK) return result;
    uint32_t width = head[0], head_len = 1 + 8 * width, length = 0;
    if (width > 16 || room_left < head_len)
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "%s's group %llu: expected a width of 0 to 16, found %u",
                    SIDE_NAMES[color], (unsigned long long)group, (unsigned)width);
    result = view(probe, table, at, head_len, room, &head);
    if (result != MAKRUK_OK) return result;
    uint64_t before = (UINT64_C(1) << place) - 1;
    for (uint32_t bit = 0; bit < width; bit++) {
        uint64_t word = u64_at(head + 1 + 8 * bit);
        start += (uint32_t)bit_count(word & before) << bit;
        length += (uint32_t)(word >> place & 1) << bit;
    }
    if (length > room_left - head_len || start > room_left - head_len - length)
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "%s's block %llu: expected %llu bytes at most, found %lu at %lu",
                    SIDE_NAMES[color], (unsigned long long)number, (unsigned long long)(room_left - head_len),
                    (unsigned long)length, (unsigned long)start);
    span->at = at + head_len + start;
    span->len = length;
    prefetch_bytes(table, span->at);
    return MAKRUK_OK;
}

/*
 * Decodes a part of a block whose bytes are known. Without `codes` it is that of a table without reference, and the
 * part's stripes get the codes; with `codes` the stripes have the codes of the reference.
 */
static int32_t decode(Probe *probe, const Table *table, int color, const Part *part, const Span *span, uint16_t (*codes)[64]) {
    const Side *side = &table->side[color];
    Block block;
    uint8_t *room = NULL;
    /* Every symbol is the first, and all codes are as predicted. */
    if (span->len == 0 && !side->model.is_moved) {
        for (int i = 0; i < part->stripes; i++) {
            uint16_t *to = codes != NULL ? codes[i] : part->stripe[i].codes;
            for (int square = 0; square < 64; square++) to[square] = side->model.mode;
        }
        return MAKRUK_OK;
    }
    if (ACQUIRE(((Table *)(uintptr_t)table)->file.bytes) == NULL) {
        room = (uint8_t *)malloc(MAX_BLOCK);
        if (room == NULL) return fail(probe, MAKRUK_OUT_OF_MEMORY, table->path, "no memory for a block");
    }
    int32_t result = view(probe, table, span->at, (uint32_t)span->len, room, &block.next);
    if (result == MAKRUK_OK) {
        block.state = 0;
        block.end = block.next + span->len;
        for (int i = 0; i < 4 && block.next < block.end; i++) block.state = block.state << 8 | *block.next++;
        memset(block.by_kind, 0xff, sizeof block.by_kind);
        if (codes != NULL) memset(block.by_reference, 0xff, sizeof block.by_reference);
        for (int i = 0; i < part->stripes; i++) {
            Stripe *stripe = &part->stripe[i];
            uint64_t squares = stripe->features.legal & (i + 1 == part->stripes ? part->last_squares : ~UINT64_C(0));
            uint16_t *to = codes != NULL ? codes[i] : stripe->codes;
            memset(to, 0, sizeof stripe->codes);
            if (side->is_dense && codes != NULL) decode_stripe(side, &stripe->features, squares, stripe->codes, &block, to, 1);
            else if (side->is_dense) decode_stripe(side, &stripe->features, squares, NULL, &block, to, 1);
            else if (codes != NULL) decode_stripe(side, &stripe->features, squares, stripe->codes, &block, to, 0);
            else decode_stripe(side, &stripe->features, squares, NULL, &block, to, 0);
        }
    }
    free(room);
    return result;
}

/* ---- The stripe cache ---- */

static int is_wide(const Side *side) { return side->value_count > 64; }

/* The key of the place for a square of a stripe. */
static uint64_t cache_key(const Table *table, int color, uint64_t stripe, int square) {
    if (is_wide(&table->side[color])) stripe = 2 * stripe + (uint64_t)(square >> 5);
    return ((uint64_t)table->number + 1) << 48 | (uint64_t)color << 47 | (stripe & ((UINT64_C(1) << 47) - 1));
}

static Place *place_of(const MakrukTables *tables, uint64_t key) {
    uint64_t hash = (key / NEIGHBOURS) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93) >> 32;
    return &tables->places[(hash * (tables->place_count / NEIGHBOURS) >> 32) * NEIGHBOURS + key % NEIGHBOURS];
}

/* The code of a square of a stripe; -1 if the stripe is not here. */
static int cached(const MakrukTables *tables, const Table *table, int color, uint64_t stripe, int square) {
    uint64_t key = cache_key(table, color, stripe, square);
    Place *place = place_of(tables, key);
    uint32_t version = ACQUIRE(place->version);
    if ((version & 1) || ACQUIRE(place->key[0]) != (uint32_t)key || ACQUIRE(place->key[1]) != (uint32_t)(key >> 32)) return -1;
    int code;
    if (is_wide(&table->side[color])) {
        code = (int)(ACQUIRE(place->words[(square & 31) >> 2]) >> (8 * (square & 3)) & 255);
    } else {
        int word = square * 205 >> 10; /* square / 5 */
        code = (int)(ACQUIRE(place->words[word]) >> (6 * (square - 5 * word)) & 63);
    }
    return RELAXED(place->version) == version ? code : -1;
}

static void fill(const MakrukTables *tables, uint64_t key, const uint32_t *words, int count) {
    Place *place = place_of(tables, key);
    uint32_t version = RELAXED(place->version);
    /* Not if another thread writes there. */
    if ((version & 1) || !EXCHANGE(place->version, version, version + 1)) return;
    RELEASE(place->key[0], (uint32_t)key);
    RELEASE(place->key[1], (uint32_t)(key >> 32));
    for (int i = 0; i < count; i++) RELEASE(place->words[i], words[i]);
    RELEASE(place->version, version + 2);
}

/* Keeps a stripe. */
static void keep(const MakrukTables *tables, const Table *table, int color, uint64_t stripe, const uint16_t *codes) {
    uint32_t words[16];
    if (is_wide(&table->side[color])) {
        for (int i = 0; i < 16; i++) {
            const uint16_t *four = codes + 4 * i;
            words[i] = (uint32_t)(four[0] & 255) | (uint32_t)(four[1] & 255) << 8 | (uint32_t)(four[2] & 255) << 16 |
                       (uint32_t)(four[3] & 255) << 24;
        }
        fill(tables, cache_key(table, color, stripe, 0), words, 8);
        fill(tables, cache_key(table, color, stripe, 32), words + 8, 8);
        return;
    }
    for (int i = 0; i < 12; i++) {
        const uint16_t *five = codes + 5 * i;
        words[i] = (uint32_t)(five[0] & 63) | (uint32_t)(five[1] & 63) << 6 | (uint32_t)(five[2] & 63) << 12 |
                   (uint32_t)(five[3] & 63) << 18 | (uint32_t)(five[4] & 63) << 24;
    }
    words[12] = (uint32_t)(codes[60] & 63) | (uint32_t)(codes[61] & 63) << 6 | (uint32_t)(codes[62] & 63) << 12 |
                (uint32_t)(codes[63] & 63) << 18;
    fill(tables, cache_key(table, color, stripe, 0), words, 13);
}

/* ---- Stored values ---- */

/* A board in the colours of its material's name. */
typedef struct {
    const Material *material;
    const Entry *entries;
    Board board;
} Oriented;

/* Finds the material of a board. Two bare kings have none. */
static int32_t orient(Probe *probe, const Board *board, Oriented *out) {
    const MakrukTables *tables = probe->tables;
    uint32_t key = key_of_board(board);
    for (uint32_t at = slot_of(key);; at = (at + 1) % SLOTS) {
        const Slot *slot = &tables->slots[at];
        if (key == 0 || slot->key == 0)
            return fail(probe, MAKRUK_NOT_COVERED, NULL, "the tables cover up to %d men", MAX_MEN);
        if (slot->key != key) continue;
        out->material = &tables->materials[slot->material];
        out->entries = tables->entries[slot->material];
        out->board = *board;
        if (slot->is_flipped) {
            out->board.color[WHITE] = flip_ranks(board->color[BLACK]);
            out->board.color[BLACK] = flip_ranks(board->color[WHITE]);
            for (int role = 0; role < ROLES; role++) out->board.role[role] = flip_ranks(board->role[role]);
            out->board.turn = !board->turn;
        }
        return MAKRUK_OK;
    }
}

/* A position's address: the slab and the men's squares in it, like men ascending. */
typedef struct {
    int slab;
    uint8_t squares[MAX_PIECES];
} Address;

/* Returns 0 for kings and pawns that no legal position has. */
static int address_of(const Geometry *geometry, const Oriented *oriented, Address *address) {
    const Board *board = &oriented->board;
    const Material *material = oriented->material;
    uint64_t white = board->color[WHITE] & board->role[KING], black = board->color[BLACK] & board->role[KING];
    if (!white || !black) return 0;
    Fold fold = geometry->fold[material->symmetry][64 * lowest(white) + lowest(black)];
    if (fold.slab < 0) return 0;
    address->slab = fold.slab;
    const uint8_t *image = geometry->image[fold.transform];
    int man = 0;
    for (int at = 0; at < material->axes; at++) {
        int start = man, color = material->axis[at].color, role = material->axis[at].role;
        uint64_t men = board->color[color] & board->role[role];
        if (role == PAWN && (men & ~pawn_squares(color))) return 0;
        for (; men && man < MAX_PIECES; men &= men - 1) {
            uint8_t square = image[lowest(men)];
            int place = man++;
            for (; place > start && address->squares[place - 1] > square; place--)
                address->squares[place] = address->squares[place - 1];
            address->squares[place] = square;
        }
    }
    return 1;
}

/* The stripe of an address, its fixed pieces and the fast piece's square. */
static uint32_t stripe_of(const Geometry *geometry, const Side *side, const Address *address, uint8_t *fixed, int *square) {
    uint32_t stripe = 0;
    int at = 0, man = 0;
    for (int i = 0; i <= side->fixed; i++)
        if (i != side->fast_man) fixed[at++] = address->squares[i];
    *square = address->squares[side->fast_man];
    for (int digit = 0; digit < side->digits; digit++) {
        uint32_t rank = 0;
        int first = side->region[digit].first;
        for (int i = 0; i < side->digit[digit]; i++) rank += geometry->choose[fixed[man + i] - first][i + 1];
        man += side->digit[digit];
        stripe = stripe * side->sets[digit] + rank;
    }
    return stripe;
}

COLD static int32_t beyond(Probe *probe, const Table *table, int color, int slab, uint32_t code) {
    return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "%s, slab %d: expected a code below %lu, found %lu",
                SIDE_NAMES[color], slab, (unsigned long)table->side[color].value_count, (unsigned long)code);
}

/* Where blocks have a position. */
typedef struct {
    int slab, square;
    uint32_t stripe;
    uint64_t number; /* of the stripe in the table */
    uint8_t fixed[MAX_PIECES];
} Site;

/* The site of a position, if its side has blocks. */
static int32_t site_of(Probe *probe, const Side *side, const Oriented *oriented, Site *site) {
    const Geometry *geometry = &probe->tables->geometry;
    Address address;
    if (!address_of(geometry, oriented, &address))
        return fail(probe, MAKRUK_ILLEGAL_POSITION, NULL, "the kings touch, or a king is missing, or a pawn is out of place");
    if (side->storage != BLOCKS) return MAKRUK_OK;
    site->slab = address.slab;
    site->stripe = stripe_of(geometry, side, &address, site->fixed, &site->square);
    site->number = (uint64_t)address.slab * side->stripes + site->stripe;
    return MAKRUK_OK;
}

static int is_kept(const MakrukTables *tables, const Side *side) { return tables->places != NULL && side->value_count <= 256; }

/* Has the processor fetch the place of a site's stripe, while other work is done. */
static inline void prefetch(const MakrukTables *tables, const Table *table, int color, const Site *site) {
    if (is_kept(tables, &table->side[color])) PREFETCH(place_of(tables, cache_key(table, color, site->number, site->square)));
}

/* The features of a part of a block; the site is on its last stripe. */
static void read_features(const Geometry *geometry, const Table *table, int color, const Site *site, Part *part) {
    const Side *side = &table->side[color];
    const uint8_t *kings = geometry->pair[table->material->symmetry][site->slab];
    uint32_t first = site->stripe + 1 - (uint32_t)part->stripes;
    for (int i = 0; i + 1 < part->stripes; i++) {
        uint8_t other[MAX_PIECES];
        fixed_squares(geometry, side, first + (uint32_t)i, other);
        features_of(side, color, kings, other, &part->stripe[i].features);
    }
    features_of(side, color, kings, site->fixed, &part->stripe[part->stripes - 1].features);
}

/* The part of a block up to a site, without features. */
static Part part_of(const Side *side, const Site *site, Stripe *stripe) {
    uint32_t in_slab = site->stripe / side->block_stripes;
    Part part = {(uint64_t)site->slab * side->slab_blocks + in_slab, (int)(site->stripe - in_slab * side->block_stripes) + 1,
                 ~UINT64_C(0) >> (63 - site->square), stripe};
    return part;
}

/* Keeps the stripes of a part, which are whole; `number` is that of the last. */
static void keep_stripes(const MakrukTables *tables, const Table *table, int color, const Part *part, uint64_t number,
                         uint16_t (*codes)[64]) {
    if (!is_kept(tables, &table->side[color])) return;
    number -= (uint64_t)part->stripes - 1;
    for (int i = 0; i < part->stripes; i++)
        keep(tables, table, color, number + (uint64_t)i, codes != NULL ? codes[i] : part->stripe[i].codes);
}

/* Decodes a part of a block whose group's bytes are known. */
static int32_t decode_in_group(Probe *probe, const Table *table, int color, const Part *part, Span *span, uint16_t (*codes)[64]) {
    int32_t result = find_block(probe, table, color, part->block, span);
    return result == MAKRUK_OK ? decode(probe, table, color, part, span, codes) : result;
}

/* The code of a position, decoded. */
static int32_t decoded_code(Probe *probe, const Table *table, const Oriented *oriented, const Site *site, uint32_t *found) {
    const MakrukTables *tables = probe->tables;
    int color = oriented->board.turn;
    const Side *side = &table->side[color];
    const Table *reference = table->reference;
    Stripe stripes[MAX_STRIPES];
    Codes codes;
    Span span;
    Part part = part_of(side, site, stripes);
    int has_reference = table->reference_checksum != 0, is_blocks = 0;
    if (has_reference && reference == NULL)
        return fail(probe, MAKRUK_MISSING_TABLE, table->path, "the table that it refers to is not open");
    /* Stripes that are kept have to be whole. */
    if (is_kept(tables, side)) part.last_squares = ~UINT64_C(0);
    int32_t result = find_group(probe, table, color, part.block, &span);
    if (result != MAKRUK_OK) return result;
    read_features(&tables->geometry, table, color, site, &part);
    if (has_reference) {
        is_blocks = reference->side[color].storage == BLOCKS;
        for (int i = 0; !is_blocks && i < part.stripes; i++) memset(stripes[i].codes, 0, sizeof stripes[i].codes);
        Span first;
        if (is_blocks) result = find_group(probe, reference, color, part.block, &first);
        if (is_blocks && result == MAKRUK_OK) result = decode_in_group(probe, reference, color, &part, &first, NULL);
        if (result != MAKRUK_OK) return result;
    }
    result = decode_in_group(probe, table, color, &part, &span, has_reference ? codes : NULL);
    if (result != MAKRUK_OK) return result;
    uint32_t code = has_reference ? codes[part.stripes - 1][site->square] : stripes[part.stripes - 1].codes[site->square];
    if (code >= side->value_count) return beyond(probe, table, color, site->slab, code);
    if (is_kept(tables, side)) {
        keep_stripes(tables, table, color, &part, site->number, has_reference ? codes : NULL);
        if (is_blocks) keep_stripes(tables, reference, color, &part, site->number, NULL);
    }
    *found = code;
    return MAKRUK_OK;
}

/* The code of a position in a table that stores its side, at its site. */
static int32_t code_at(Probe *probe, const Table *table, const Oriented *oriented, const Site *site, uint32_t *found) {
    int color = oriented->board.turn;
    const Side *side = &table->side[color];
    *found = 0;
    if (side->storage == CONSTANT) return MAKRUK_OK;
    int code = is_kept(probe->tables, side) ? cached(probe->tables, table, color, site->number, site->square) : -1;
    if (code < 0) return decoded_code(probe, table, oriented, site, found);
    if ((uint32_t)code >= side->value_count) return beyond(probe, table, color, site->slab, (uint32_t)code);
    *found = (uint32_t)code;
    return MAKRUK_OK;
}

static int32_t stored_code(Probe *probe, const Table *table, const Oriented *oriented, uint32_t *found) {
    Site site;
    int32_t result = site_of(probe, &table->side[oriented->board.turn], oriented, &site);
    return result == MAKRUK_OK ? code_at(probe, table, oriented, &site, found) : result;
}

/* ---- Derived values ---- */

/*
 * The value of a move to the side that makes it, by the value after it: DTM, DTZ (DTM if a king is bare), or a bound of
 * the distance to the conversion. The limit of `begun` is 0 if the move begins no count. An attacker's move that begins
 * one is the conversion if the count leaves time for what follows; the distance goes on through the defender's. Without
 * time there is no conversion.
 */
static inline int32_t value_of_move(int metric, int32_t after, Count begun) {
    if (after == 0) return 0;
    if (metric == CATEGORY && after == NEVER_WINS) return NEVER_LOSES;
    if (metric != DTM && begun.limit > 0) {
        int32_t plies = plies_of(after), left = (int32_t)attacker_moves_left(begun, after > 0);
        if (plies > 0 && (plies + 1) / 2 > left) return metric == DTZ ? 0 : after < 0 ? NEVER_WINS : NEVER_LOSES;
        if (after < 0) return FAR_AWAY - 1;
    }
    return after > 0 ? 1 - after : -1 - after;
}

/* The count that a move begins; limit 0 is none. */
static inline Count count_begun(const Board *before, const Board *after) {
    Count none = {0, 0};
    return begins_count(before, after) ? count_from(after, after->turn) : none;
}

/* The value of a position without moves: mate, or stalemate. */
static int32_t without_moves(const Board *board) { return in_check(board, board->turn) ? MATED : 0; }

/* Reads the value of the position after a move, and the count that the move begins. */
typedef int32_t ReadAfter(Probe *probe, void *moves, int number, int metric, Interval *after, Count *begun);

/*
 * One ply of minimax: the best value of the moves of a position. The distance of the best move is the best of all
 * distances, so its bounds are the best of all bounds. A move that draws ends the search if `draw_ends`.
 */
static INLINED int32_t best_of(Probe *probe, const Board *board, void *moves, int count, ReadAfter *read, int metric,
                               int draw_ends, Interval *best) {
    best->worst = best->best = count > 0 ? INT32_MIN : without_moves(board);
    for (int i = 0; i < count; i++) {
        Interval after = {0, 0};
        Count begun = {0, 0};
        int32_t result = read(probe, moves, i, metric, &after, &begun);
        if (result != MAKRUK_OK) return result;
        int32_t worst = value_of_move(metric, after.best, begun), most = value_of_move(metric, after.worst, begun);
        if (worst > best->worst) best->worst = worst;
        if (most > best->best) best->best = most;
        if (draw_ends && most == 0) break;
    }
    return MAKRUK_OK;
}

/* A derived distance must be in the list of the side. */
static int32_t check_listed(Probe *probe, const Table *table, int color, int32_t value) {
    const Side *side = &table->side[color];
    uint32_t raw = raw_of_number(value), low = 0, high = side->value_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2, listed = raw_of_number(side->values[middle].worst);
        if (listed == raw) return MAKRUK_OK;
        if (listed < raw) low = middle + 1;
        else high = middle;
    }
    return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "%s to move: its moves make a value that it does not list",
                SIDE_NAMES[color]);
}

/* Why a table cannot be asked. */
COLD static int32_t unusable(Probe *probe, const Oriented *oriented, int metric) {
    const Entry *entry = &oriented->entries[metric];
    if (entry->result == MAKRUK_MISSING_TABLE)
        return fail(probe, MAKRUK_MISSING_TABLE, NULL, "no table %s.%s", oriented->material->name, METRIC_NAMES[metric]);
    return fail(probe, entry->result, NULL, "%s", entry->why ? entry->why : "the table cannot be used");
}

/* The metric whose table has a distance: under pieces' honour DTM serves as DTZ. */
static int metric_of(const Material *material, int metric) { return metric == DTZ && !material->has_dtz ? DTM : metric; }

/* A position after a move, in the colours of its material's name; its table and site, if that has blocks of it. */
typedef struct {
    Oriented oriented;
    Site site;
    const Table *table;
    Count begun; /* by the move; limit 0 is none */
    int has_bare_kings;
} Child;

/* Finds a position after a move before it is read, so that memory is fetched while others are found. */
static INLINED int32_t find_child(Probe *probe, const Oriented *parent, Step step, int metric, Child *child) {
    const Board *before = &parent->board;
    Board *after = &child->oriented.board;
    int mover = before->turn;
    play(before, step, after);
    child->oriented.material = parent->material;
    child->oriented.entries = parent->entries;
    child->begun = count_begun(before, after);
    child->has_bare_kings = is_bare(after, !mover) && is_bare(after, mover);
    child->table = NULL;
    if (child->has_bare_kings) return MAKRUK_OK;
    if (after->color[!mover] != before->color[!mover] || promotes(before, step)) {
        Board other = *after;
        int32_t result = orient(probe, &other, &child->oriented);
        if (result != MAKRUK_OK) return result;
    }
    const Entry *entry = &child->oriented.entries[metric_of(child->oriented.material, metric)];
    int turn = after->turn;
    if (entry->result != MAKRUK_OK || entry->table->side[turn].storage != BLOCKS) return MAKRUK_OK;
    child->table = entry->table;
    int32_t result = site_of(probe, &child->table->side[turn], &child->oriented, &child->site);
    if (result == MAKRUK_OK) prefetch(probe->tables, child->table, turn, &child->site);
    return result;
}

static int32_t oriented_value(Probe *probe, const Oriented *oriented, int metric, Interval *value);

#define AT_A_TIME 8

/* The positions after the moves of one, some of which are found at a time. */
typedef struct {
    const Oriented *before;
    const Step *steps;
    int count, found, draw_ends;
    Child child[AT_A_TIME];
} Children;

static int32_t read_child(Probe *probe, void *moves, int number, int metric, Interval *after, Count *begun) {
    Children *all = (Children *)moves;
    /* If a draw ends the search, the first move often does. */
    int end = number == all->found ? number + (all->draw_ends && number == 0 ? 1 : AT_A_TIME) : 0;
    for (; all->found < end && all->found < all->count; all->found++) {
        Child *found = &all->child[all->found % AT_A_TIME];
        int32_t result = find_child(probe, all->before, all->steps[all->found], metric, found);
        if (result != MAKRUK_OK) return result;
    }
    const Child *child = &all->child[number % AT_A_TIME];
    *begun = child->begun;
    if (child->has_bare_kings) return MAKRUK_OK;
    if (child->table == NULL) return oriented_value(probe, &child->oriented, metric, after);
    uint32_t code;
    int32_t result = code_at(probe, child->table, &child->oriented, &child->site, &code);
    if (result == MAKRUK_OK) *after = child->table->side[child->oriented.board.turn].values[code];
    return result;
}

/* The value of a position whose side a table omits: that of its best move. */
static int32_t derived_value(Probe *probe, const Table *table, const Oriented *oriented, int metric, Interval *value) {
    const Board *board = &oriented->board;
    Step steps[MAKRUK_MAX_MOVES];
    int count = legal_moves(board, steps), draw_ends = metric == CATEGORY && !table->side[board->turn].has_wins;
    Children all;
    all.before = oriented;
    all.steps = steps;
    all.count = count;
    all.found = 0;
    all.draw_ends = draw_ends;
    /* A side that cannot win draws at best, and mostly by a capture. */
    for (int i = 1; draw_ends && i < count; i++)
        if (board->color[!board->turn] & bit(steps[i].to)) {
            Step first = steps[0];
            steps[0] = steps[i];
            steps[i] = first;
        }
    int32_t result = best_of(probe, board, &all, count, read_child, metric, draw_ends, value);
    return result == MAKRUK_OK && metric != CATEGORY ? check_listed(probe, table, board->turn, value->best) : result;
}

/* The value of a position of a material that has a table, in the colours of its name. */
static int32_t oriented_value(Probe *probe, const Oriented *oriented, int metric, Interval *value) {
    metric = metric_of(oriented->material, metric);
    const Entry *entry = &oriented->entries[metric];
    uint32_t code;
    if (entry->result != MAKRUK_OK) return unusable(probe, oriented, metric);
    const Side *side = &entry->table->side[oriented->board.turn];
    if (side->storage == OMITTED) return derived_value(probe, entry->table, oriented, metric, value);
    int32_t result = stored_code(probe, entry->table, oriented, &code);
    if (result == MAKRUK_OK) *value = side->values[code];
    return result;
}

/* The same, for a distance. */
static int32_t oriented_distance(Probe *probe, const Oriented *oriented, int metric, int32_t *distance) {
    Interval value = {0, 0};
    int32_t result = oriented_value(probe, oriented, metric, &value);
    *distance = value.best;
    return result;
}

/* Mate and stalemate need no table. */
static int32_t unless_stuck(const Board *board, int32_t result, int32_t *value) {
    Step steps[MAKRUK_MAX_MOVES];
    if (result == MAKRUK_NOT_COVERED || legal_moves(board, steps) > 0) return result;
    *value = without_moves(board);
    return MAKRUK_OK;
}

/* ---- Both distances ---- */

/* The value of a code, decoded. */
static int32_t value_of_code(Probe *probe, const Table *table, int color, int slab, uint32_t code, int32_t *value) {
    const Side *side = &table->side[color];
    if (code >= side->value_count) return beyond(probe, table, color, slab, code);
    *value = side->values[code].best;
    return MAKRUK_OK;
}

/* The value at a site, if its stripe is kept. Returns whether it is. */
static int kept_value(const MakrukTables *tables, const Table *table, int color, const Site *site, int32_t *value) {
    const Side *side = &table->side[color];
    int code = is_kept(tables, side) ? cached(tables, table, color, site->number, site->square) : -1;
    if (code < 0 || (uint32_t)code >= side->value_count) return 0;
    *value = side->values[code].best;
    return 1;
}

/* Whether both tables of distances have blocks of a side, and DTZ refers to DTM. */
static int are_joint(const Entry *entries, int color) {
    const Table *dtm = entries[DTM].table, *dtz = entries[DTZ].table;
    return entries[DTM].result == MAKRUK_OK && entries[DTZ].result == MAKRUK_OK && dtz->reference == dtm &&
           dtm->side[color].storage == BLOCKS && dtz->side[color].storage == BLOCKS;
}

/* Both distances of a position whose tables are joint. DTZ is not read where neither side wins. */
static int32_t stored_distances(Probe *probe, const Oriented *oriented, int32_t *dtm, int32_t *dtz) {
    const MakrukTables *tables = probe->tables;
    int color = oriented->board.turn;
    const Table *first = oriented->entries[DTM].table, *second = oriented->entries[DTZ].table;
    Site site;
    Span span;
    Stripe stripes[MAX_STRIPES];
    Codes codes;
    int32_t result = site_of(probe, &first->side[color], oriented, &site);
    if (result != MAKRUK_OK) return result;
    Part part = part_of(&first->side[color], &site, stripes);
    *dtz = 0;
    if (kept_value(tables, first, color, &site, dtm) && (*dtm == 0 || kept_value(tables, second, color, &site, dtz)))
        return MAKRUK_OK;
    prefetch_index(second, color, part.block);
    if (tables->places != NULL) part.last_squares = ~UINT64_C(0);
    /* The groups are fetched while features are read; DTZ's if it can be found at once. */
    result = find_group(probe, first, color, part.block, &span);
    if (result != MAKRUK_OK) return result;
    Span later;
    Probe at_once = {tables, probe->flags | MAKRUK_IN_MEMORY, NULL, 0};
    int is_found = find_group(&at_once, second, color, part.block, &later) == MAKRUK_OK;
    read_features(&tables->geometry, first, color, &site, &part);
    result = decode_in_group(probe, first, color, &part, &span, NULL);
    if (result == MAKRUK_OK)
        result = value_of_code(probe, first, color, site.slab, stripes[part.stripes - 1].codes[site.square], dtm);
    if (result != MAKRUK_OK) return result;
    if (tables->places != NULL) keep_stripes(tables, first, color, &part, site.number, NULL);
    if (*dtm == 0) return MAKRUK_OK;
    if (!is_found) result = find_group(probe, second, color, part.block, &later);
    if (result == MAKRUK_OK) result = decode_in_group(probe, second, color, &part, &later, codes);
    if (result == MAKRUK_OK)
        result = value_of_code(probe, second, color, site.slab, codes[part.stripes - 1][site.square], dtz);
    if (result == MAKRUK_OK && tables->places != NULL) keep_stripes(tables, second, color, &part, site.number, codes);
    return result;
}

/* A position after a move. Both distances are read, in a part of a block that others share, or alone. */
typedef struct {
    Child child;
    int32_t distance[2];
    uint8_t is_known[2]; /* each distance */
    uint8_t part, is_capture;
} After;

/* A part of a block, for the positions that share it, in the tables of both distances. */
typedef struct {
    const Entry *entries;
    const Site *last; /* of a position on its last stripe */
    Part part;
    Span span;
    uint8_t color, is_wanted;
} SharedPart;

/* The most parts that are decoded together, with at most two stripes each on average. The others are read alone. */
#define PARTS 24
#define ALONE PARTS

/* The positions after the moves of one, and the order in which they are read. */
typedef struct {
    int count, parts;
    After after[MAKRUK_MAX_MOVES], *order[MAKRUK_MAX_MOVES];
    SharedPart part[PARTS];
    Stripe stripes[2 * PARTS];
} Afters;

/* Finds the part of a block for a position after a move, and makes it one of those that are read together. */
static void share_part(const MakrukTables *tables, Afters *all, After *after) {
    const Child *child = &after->child;
    const Entry *entries = child->oriented.entries;
    int turn = child->oriented.board.turn;
    Part own = part_of(&child->table->side[turn], &child->site, NULL);
    if (tables->places != NULL) own.last_squares = ~UINT64_C(0);
    for (int i = 0; i < all->parts; i++) {
        SharedPart *shared = &all->part[i];
        if (shared->part.block != own.block || shared->entries != entries || shared->color != turn) continue;
        after->part = (uint8_t)i;
        if (own.stripes > shared->part.stripes ||
            (own.stripes == shared->part.stripes && own.last_squares > shared->part.last_squares)) {
            shared->part = own;
            shared->last = &child->site;
        }
        return;
    }
    if (all->parts == PARTS) return;
    SharedPart *shared = &all->part[all->parts];
    shared->entries = entries;
    shared->last = &child->site;
    shared->part = own;
    shared->color = (uint8_t)turn;
    shared->is_wanted = 1;
    after->part = (uint8_t)all->parts++;
    prefetch_index(child->table, turn, own.block);
    if (are_joint(entries, turn)) prefetch_index(entries[DTZ].table, turn, own.block);
}

/* Finds a position after a move. DTM may be known then. */
static int32_t find_after(Probe *probe, const Oriented *parent, Step step, Afters *all, After *found) {
    Child *child = &found->child;
    int32_t result = find_child(probe, parent, step, DTM, child);
    if (result != MAKRUK_OK) return result;
    found->is_capture = (parent->board.color[!parent->board.turn] & bit(step.to)) != 0;
    found->part = ALONE;
    found->distance[DTM] = found->distance[DTZ] = 0;
    found->is_known[DTM] = found->is_known[DTZ] = (uint8_t)child->has_bare_kings;
    if (child->table != NULL) {
        found->is_known[DTM] =
            (uint8_t)kept_value(probe->tables, child->table, child->oriented.board.turn, &child->site, &found->distance[DTM]);
        if (!found->is_known[DTM]) share_part(probe->tables, all, found);
    } else if (!child->has_bare_kings && child->oriented.entries[DTM].result != MAKRUK_OK) {
        return unusable(probe, &child->oriented, DTM);
    }
    return MAKRUK_OK;
}

/* Finds the bytes of the blocks of the parts that are wanted, in the tables of a metric. */
static int32_t find_blocks(Probe *probe, Afters *all, int metric) {
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < all->parts; i++) {
            SharedPart *shared = &all->part[i];
            const Table *table = shared->entries[metric].table;
            if (!shared->is_wanted) continue;
            int32_t result = pass == 0 ? find_group(probe, table, shared->color, shared->part.block, &shared->span)
                                       : find_block(probe, table, shared->color, shared->part.block, &shared->span);
            if (result != MAKRUK_OK) return result;
            if (pass == 0 && metric == DTM)
                read_features(&probe->tables->geometry, table, shared->color, shared->last, &shared->part);
            if (pass == 1) shared->is_wanted = 0;
        }
    return MAKRUK_OK;
}

/* Gives the shared parts stripes, and finds the bytes of their blocks in the tables of DTM. */
static int32_t find_parts(Probe *probe, Afters *all) {
    int stripes = 0, count = 0;
    for (; count < all->parts; count++) {
        SharedPart *shared = &all->part[count];
        if (stripes + shared->part.stripes > 2 * PARTS) break;
        shared->part.stripe = &all->stripes[stripes];
        stripes += shared->part.stripes;
    }
    for (int i = 0; i < all->count; i++)
        if (all->after[i].part >= count) all->after[i].part = ALONE;
    all->parts = count;
    return find_blocks(probe, all, DTM);
}

/* Reads a distance of the positions that share a part; DTZ after DTM. */
static int32_t read_part(Probe *probe, Afters *all, int number, int metric) {
    const SharedPart *shared = &all->part[number];
    const Table *table = shared->entries[metric].table;
    const Side *side = &table->side[shared->color];
    Codes of_dtz, *codes = metric == DTZ ? &of_dtz : NULL;
    int32_t result = decode(probe, table, shared->color, &shared->part, &shared->span, codes ? *codes : NULL);
    if (result == MAKRUK_OK && probe->tables->places != NULL)
        keep_stripes(probe->tables, table, shared->color, &shared->part, shared->last->number, codes ? *codes : NULL);
    for (int i = 0; result == MAKRUK_OK && i < all->count; i++) {
        After *after = &all->after[i];
        const Site *site = &after->child.site;
        if (after->part != number) continue;
        uint32_t place = site->stripe % side->block_stripes;
        uint32_t code = (codes ? (*codes)[place] : shared->part.stripe[place].codes)[site->square];
        after->is_known[metric] = 1;
        result = value_of_code(probe, table, shared->color, site->slab, code, &after->distance[metric]);
    }
    return result;
}

static int32_t read_after(Probe *probe, void *moves, int number, int metric, Interval *value, Count *begun) {
    Afters *all = (Afters *)moves;
    After *after = all->order[number];
    int32_t *distance = &after->distance[metric], result = MAKRUK_OK;
    if (!after->is_known[metric])
        result = after->part != ALONE ? read_part(probe, all, after->part, metric)
                                      : oriented_distance(probe, &after->child.oriented, metric, distance);
    after->is_known[metric] = 1;
    value->worst = value->best = *distance;
    *begun = after->child.begun;
    return result;
}

/* Whether a move mates. */
static int has_mate(const Afters *all) {
    for (int i = 0; i < all->count; i++) {
        const Board *after = &all->after[i].child.oriented.board;
        Step steps[MAKRUK_MAX_MOVES];
        if (in_check(after, after->turn) && legal_moves(after, steps) == 0) return 1;
    }
    return 0;
}

/*
 * Reads DTM after the moves, and returns the best. Omitted sides hardly ever win: if a list has no wins other than
 * mates by the next move, a drawing move ends the search, unless there is a mate.
 */
static int32_t best_dtm(Probe *probe, const Board *board, Afters *all, const Side *side, int32_t *dtm) {
    int may_end = side->longest_win <= 1, count = 0;
    Interval best;
    /* A side that hardly wins draws mostly by a capture. */
    for (int pass = may_end ? 0 : 1; pass < 2; pass++)
        for (int i = 0; i < all->count; i++)
            if (!may_end || all->after[i].is_capture != pass) all->order[count++] = &all->after[i];
    int32_t result = best_of(probe, board, all, count, read_after, DTM, may_end, &best);
    *dtm = best.best;
    if (result == MAKRUK_OK && may_end && best.best == 0 && side->longest_win > 0 && has_mate(all)) *dtm = FAR_AWAY - 1;
    return result;
}

/* Reads DTZ after the moves that may be the best, the best DTM being known, and returns the best. */
static int32_t best_dtz(Probe *probe, const Board *board, Afters *all, int32_t dtm, int32_t *dtz) {
    int count = 0;
    Interval best;
    for (int i = 0; i < all->count; i++) {
        After *after = &all->after[i];
        const Oriented *oriented = &after->child.oriented;
        const Entry *entries = oriented->entries;
        int turn = oriented->board.turn, at = count;
        int32_t own = after->distance[DTM], *known = &after->distance[DTZ];
        /* DTZ has no other winner than DTM. */
        if (dtm > 0 && own >= 0) continue;
        /* Where neither side wins, there is no conversion. */
        if (own == 0 || !oriented->material->has_dtz) *known = own, after->is_known[DTZ] = 1;
        else if (!are_joint(entries, turn)) after->part = ALONE;
        else after->is_known[DTZ] = (uint8_t)kept_value(probe->tables, entries[DTZ].table, turn, &after->child.site, known);
        if (after->part != ALONE && !after->is_known[DTZ]) all->part[after->part].is_wanted = 1;
        for (count++; at > 0 && all->order[at - 1]->distance[DTM] > own; at--) all->order[at] = all->order[at - 1];
        all->order[at] = after;
    }
    int32_t result = find_blocks(probe, all, DTZ);
    /* A side that loses draws at best: the longest resistance is read first. */
    if (result == MAKRUK_OK) result = best_of(probe, board, all, count, read_after, DTZ, dtm < 0, &best);
    *dtz = result == MAKRUK_OK ? best.best : 0;
    return result;
}

/* Both distances of a position whose side both tables omit: those of its best moves. */
static int32_t derived_distances(Probe *probe, const Oriented *oriented, int32_t *dtm, int32_t *dtz) {
    const Board *board = &oriented->board;
    const Table *first = oriented->entries[DTM].table;
    Step steps[MAKRUK_MAX_MOVES];
    Afters all;
    all.parts = 0;
    all.count = legal_moves(board, steps);
    *dtm = *dtz = 0;
    int32_t result = MAKRUK_OK;
    for (int i = 0; result == MAKRUK_OK && i < all.count; i++)
        result = find_after(probe, oriented, steps[i], &all, &all.after[i]);
    if (result == MAKRUK_OK) result = find_parts(probe, &all);
    if (result == MAKRUK_OK) result = best_dtm(probe, board, &all, &first->side[board->turn], dtm);
    if (result == MAKRUK_OK) result = check_listed(probe, first, board->turn, *dtm);
    if (result != MAKRUK_OK || *dtm == 0) return result;
    *dtz = *dtm;
    if (!oriented->material->has_dtz) return MAKRUK_OK;
    if (oriented->entries[DTZ].result != MAKRUK_OK) return unusable(probe, oriented, DTZ);
    /* A mate by the next move is the conversion. */
    if (all.count > 0 && *dtm != FAR_AWAY - 1) result = best_dtz(probe, board, &all, *dtm, dtz);
    return result == MAKRUK_OK ? check_listed(probe, oriented->entries[DTZ].table, board->turn, *dtz) : result;
}

/* Whether a category table that stores the side to move has a draw, which most positions are. */
static int is_known_draw(Probe *probe, const Oriented *oriented) {
    const Entry *entry = &oriented->entries[CATEGORY];
    const Side *side = entry->result == MAKRUK_OK ? &entry->table->side[oriented->board.turn] : NULL;
    uint32_t code;
    return side != NULL && side->storage != OMITTED && stored_code(probe, entry->table, oriented, &code) == MAKRUK_OK &&
           side->values[code].worst == 0;
}

/* Both distances of a position of a material that has a table, in the colours of its name. */
static int32_t oriented_distances(Probe *probe, const Oriented *oriented, int32_t *dtm, int32_t *dtz) {
    const Entry *entries = oriented->entries;
    int color = oriented->board.turn, has_dtz = oriented->material->has_dtz;
    if (entries[DTM].result == MAKRUK_OK) {
        int is_omitted = entries[DTM].table->side[color].storage == OMITTED;
        if (is_omitted && is_known_draw(probe, oriented)) return *dtm = *dtz = 0, MAKRUK_OK;
        if (is_omitted && (!has_dtz || entries[DTZ].result != MAKRUK_OK || entries[DTZ].table->side[color].storage == OMITTED))
            return derived_distances(probe, oriented, dtm, dtz);
        if (are_joint(entries, color)) return stored_distances(probe, oriented, dtm, dtz);
    }
    int32_t result = oriented_distance(probe, oriented, DTM, dtm);
    *dtz = *dtm;
    return result == MAKRUK_OK && *dtm != 0 && has_dtz ? oriented_distance(probe, oriented, DTZ, dtz) : result;
}

/* Both distances. DTZ is not read where neither side wins. */
static int32_t distances_of(Probe *probe, const Board *board, int32_t *dtm, int32_t *dtz) {
    Oriented oriented;
    *dtm = *dtz = 0;
    if (is_bare(board, WHITE) && is_bare(board, BLACK)) return MAKRUK_OK;
    int32_t result = orient(probe, board, &oriented);
    if (result == MAKRUK_OK) result = oriented_distances(probe, &oriented, dtm, dtz);
    if (result == MAKRUK_OK) return result;
    result = unless_stuck(board, result, dtm);
    *dtz = *dtm;
    return result;
}

/* ---- Verdicts ---- */

static int32_t flipped(int32_t category) { return MAKRUK_LOSS + MAKRUK_WIN - category; }

/*
 * The category of a position under a count, and the counts for which it holds. The winner is in time if the count has
 * at least the plies to the conversion less one: `limit - ply >= |dtz| - 1`, whichever side is to move; or if no count
 * runs.
 */
static int32_t judge(int32_t dtm, int32_t dtz, Count count, MakrukBounds *bounds) {
    int32_t left = (int32_t)count.limit - (int32_t)count.ply;
    bounds->holds_from = -MAKRUK_ANY_COUNT;
    bounds->holds_to = MAKRUK_ANY_COUNT;
    if (dtm == 0) return MAKRUK_DRAW;
    if (dtz == 0) return dtm > 0 ? MAKRUK_CURSED_WIN : MAKRUK_BLESSED_LOSS;
    if (count.limit == 0) return dtm > 0 ? MAKRUK_WIN : MAKRUK_LOSS;
    int32_t least = plies_of(dtz) - 1;
    if (left >= least) {
        bounds->holds_from = least;
        return dtm > 0 ? MAKRUK_WIN : MAKRUK_LOSS;
    }
    bounds->holds_to = least - 1;
    if (dtm == MATED) return MAKRUK_DRAW; /* the count had drawn the game before the mate */
    return dtm > 0 ? MAKRUK_CURSED_WIN : MAKRUK_BLESSED_LOSS;
}

/* The category by an interval of the distance to the conversion; 0 if the distance itself decides. */
static int32_t judge_interval(const Board *board, Interval interval, Count count, MakrukBounds *bounds) {
    bounds->holds_from = -MAKRUK_ANY_COUNT;
    bounds->holds_to = MAKRUK_ANY_COUNT;
    if (interval.worst == 0) return MAKRUK_DRAW;
    if (count.limit == 0) count = count_from(board, board->turn);
    int wins = interval.worst > 0;
    int32_t left = (int32_t)count.limit - (int32_t)count.ply;
    int32_t slow = wins ? interval.worst : interval.best, quick = wins ? interval.best : interval.worst;
    int32_t never = wins ? NEVER_WINS : NEVER_LOSES, not_in_time = wins ? MAKRUK_CURSED_WIN : MAKRUK_BLESSED_LOSS;
    if (quick == never) return not_in_time;
    if (count.limit == 0) return slow == never ? 0 : wins ? MAKRUK_WIN : MAKRUK_LOSS;
    if (slow != never && left >= plies_of(slow) - 1) {
        bounds->holds_from = plies_of(slow) - 1;
        return wins ? MAKRUK_WIN : MAKRUK_LOSS;
    }
    if (left > plies_of(quick) - 2) return 0;
    bounds->holds_to = plies_of(quick) - 2;
    return slow == MATED ? MAKRUK_DRAW : not_in_time; /* the count had drawn the game before the mate */
}

/* The category of a board under its count, by its category table if that decides it, else by the distances. */
static int32_t category_of(Probe *probe, const Board *board, Count count, MakrukBounds *bounds) {
    Oriented oriented;
    int32_t dtm = 0, dtz = 0;
    bounds->holds_from = -MAKRUK_ANY_COUNT;
    bounds->holds_to = MAKRUK_ANY_COUNT;
    if (is_bare(board, WHITE) && is_bare(board, BLACK)) return MAKRUK_DRAW;
    int32_t result = orient(probe, board, &oriented);
    if (result != MAKRUK_OK) return result;
    int needs_dtz = oriented.material->has_dtz;
    int32_t has_category = oriented.entries[CATEGORY].result, has_dtm = oriented.entries[DTM].result;
    int32_t has_dtz = has_dtm != MAKRUK_OK || !needs_dtz ? has_dtm : oriented.entries[DTZ].result;
    int is_short = (probe->flags & MAKRUK_CATEGORY_ONLY) != 0, asks_dtz = has_dtz == MAKRUK_OK && !is_short;
    int undecided = 0;
    if (has_category == MAKRUK_OK) {
        Interval interval;
        result = oriented_value(probe, &oriented, CATEGORY, &interval);
        if (result == MAKRUK_OK) {
            int32_t category = judge_interval(board, interval, count, bounds);
            if (category) return category;
            undecided = 1;
        } else if (result == MAKRUK_NOT_IN_MEMORY || (result != MAKRUK_MISSING_TABLE && !asks_dtz)) {
            return result;
        }
    }
    if (asks_dtz) {
        result = undecided ? oriented_distances(probe, &oriented, &dtm, &dtz) : distances_of(probe, board, &dtm, &dtz);
        if (result != MAKRUK_OK) return result;
        if (count.limit == 0) count = count_from(board, board->turn);
        return judge(dtm, dtz, count, bounds);
    }
    if (is_short && (undecided || has_category == MAKRUK_OK || has_dtm == MAKRUK_OK))
        return fail(probe, MAKRUK_COUNT_UNDECIDED, NULL, "no category table of %s decides", oriented.material->name);
    if (undecided)
        return fail(probe, MAKRUK_COUNT_UNDECIDED, NULL, "no table %s.%s, and the category depends on the distance",
                    oriented.material->name, needs_dtz ? "dtz" : "dtm");
    for (int metric = 0; metric < METRICS; metric++) {
        const Entry *entry = &oriented.entries[metric];
        if (entry->result != MAKRUK_OK && entry->result != MAKRUK_MISSING_TABLE && (metric != DTZ || needs_dtz))
            return unusable(probe, &oriented, metric);
    }
    result = oriented_distance(probe, &oriented, DTM, &dtm);
    if (result != MAKRUK_OK) return result;
    if (dtm == 0) return MAKRUK_DRAW;
    if (dtm == MATED) return judge(MATED, MATED, count.limit ? count : count_from(board, board->turn), bounds);
    return fail(probe, MAKRUK_COUNT_UNDECIDED, NULL, "no table %s.dtz, and the category depends on the distance",
                oriented.material->name);
}

static int32_t signed_plies(int32_t value) {
    return value == 0 ? MAKRUK_NO_DISTANCE : value > 0 ? plies_of(value) : -plies_of(value);
}

/* The winner's moves left less those to the conversion; the winner is to move or not. */
static int32_t slack_of(Count count, int32_t dtz) {
    if (dtz == 0 || count.limit == 0) return MAKRUK_NO_DISTANCE;
    return (int32_t)attacker_moves_left(count, dtz > 0) - (plies_of(dtz) + 1) / 2;
}

static int32_t verdict_on(Probe *probe, const MakrukPosition *position, const Board *board, MakrukVerdict *verdict) {
    int32_t dtm, dtz, result = distances_of(probe, board, &dtm, &dtz);
    if (result != MAKRUK_OK) {
        MakrukBounds bounds;
        /* The failure in terms of the category, if that fails too. */
        int32_t category = category_of(probe, board, given_count(position), &bounds);
        return category < 0 ? category : result;
    }
    Count count = root_count(position, board);
    Step steps[MAKRUK_MAX_MOVES];
    memset(verdict, 0, sizeof *verdict);
    verdict->category = judge(dtm, dtz, count, &verdict->bounds);
    verdict->dtm = signed_plies(dtm);
    verdict->dtz = signed_plies(dtz);
    verdict->limit = count.limit;
    verdict->ply = count.ply;
    verdict->attacker_moves_left = dtm == 0 || count.limit == 0 ? -1 : (int32_t)attacker_moves_left(count, dtm > 0);
    verdict->slack = slack_of(count, dtz);
    verdict->checkmate = dtm == MATED;
    verdict->stalemate = dtm == 0 && legal_moves(board, steps) == 0;
    return MAKRUK_OK;
}

static void write_uci(Step step, int is_promotion, char *uci) {
    uci[0] = (char)('a' + (step.from & 7));
    uci[1] = (char)('1' + (step.from >> 3));
    uci[2] = (char)('a' + (step.to & 7));
    uci[3] = (char)('1' + (step.to >> 3));
    if (is_promotion) uci[4] = 'm';
}

/* A move's squares and count, without its verdict. */
static void describe_move(const Board *board, const Board *after, Step step, Count count, MakrukMove *move) {
    uint64_t men = board->color[!board->turn];
    memset(move, 0, sizeof *move);
    move->from = step.from;
    move->to = step.to;
    move->limit = count.limit;
    move->ply = count.limit ? count.ply : 0;
    move->capture = (men & bit(step.to)) != 0;
    move->bares_king = move->capture && is_bare(after, after->turn);
    move->promotion = (uint8_t)promotes(board, step);
    write_uci(step, move->promotion, move->uci);
}

static int32_t rank_move(Probe *probe, const Board *board, Count root, Step step, MakrukMove *move) {
    Board after;
    MakrukBounds bounds;
    int32_t dtm, dtz;
    play(board, step, &after);
    int32_t result = distances_of(probe, &after, &dtm, &dtz);
    if (result != MAKRUK_OK) return result;
    Count count = count_after(root, board, &after);
    describe_move(board, &after, step, count, move);
    if (root.limit && is_expired(root)) {
        /* The game was drawn before the move, and a mate does not change that. */
        move->category = dtm == 0 ? MAKRUK_DRAW : dtm < 0 ? MAKRUK_CURSED_WIN : MAKRUK_BLESSED_LOSS;
    } else {
        move->category = flipped(judge(dtm, dtz, count, &bounds));
    }
    Count begun = count_begun(board, &after);
    int32_t own_dtm = value_of_move(DTM, dtm, begun), own_dtz = value_of_move(DTZ, dtz, begun);
    move->slack = own_dtz == 0 ? MAKRUK_NO_DISTANCE : slack_of(count, dtz);
    move->dtm = signed_plies(own_dtm);
    move->dtz = signed_plies(own_dtz);
    return MAKRUK_OK;
}

/* A number that is smaller for a better move of the same category. */
static int64_t order_of(const MakrukMove *move) {
    int64_t dtm = move->dtm == MAKRUK_NO_DISTANCE ? 65535 : move->dtm < 0 ? -move->dtm : move->dtm;
    int64_t dtz = move->dtz == MAKRUK_NO_DISTANCE ? 65535 : move->dtz < 0 ? -move->dtz : move->dtz;
    switch (move->category) {
    case MAKRUK_WIN: return dtz << 20 | dtm;
    case MAKRUK_CURSED_WIN: return dtm;
    case MAKRUK_BLESSED_LOSS: return -dtm;
    case MAKRUK_LOSS: return -(dtz << 20 | dtm);
    default: return 0;
    }
}

static int is_better(const MakrukMove *a, const MakrukMove *b) {
    return a->category != b->category ? a->category > b->category : order_of(a) < order_of(b);
}

/* Sorts moves, which are in the order of their UCI notation, and gives them ranks. */
static void rank_moves(MakrukMove *moves, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        MakrukMove move = moves[i];
        uint32_t at = i;
        for (; at > 0 && is_better(&move, &moves[at - 1]); at--) moves[at] = moves[at - 1];
        moves[at] = move;
    }
    for (uint32_t i = 1; i < count; i++) moves[i].rank = moves[i - 1].rank + (uint32_t)is_better(&moves[i - 1], &moves[i]);
}

/* ---- Opening ---- */

static void free_table(Table *table) {
    if (table == NULL) return;
    close_file(&table->file);
    for (int color = 0; color < 2; color++) {
        Side *side = &table->side[color];
        free(side->values);
        free(side->model.bucket);
        for (int each = 0; each < 3; each++) free(side->model.cluster_of[each]);
        free(side->model.clusters);
        free(side->model.codes);
    }
    free(table->checksums);
    free((void *)table->verified);
    free(table->path);
    free((void *)table);
}

static int add_materials(MakrukTables *tables) {
    uint8_t sides[MAX_MATERIALS][PIECES];
    int count = 0;
    for (int men = 0; men <= MAX_PIECES; men++)
        for (int r = 0; r <= 2; r++)
            for (int n = 0; n <= 2; n++)
                for (int s = 0; s <= 2; s++)
                    for (int m = men - r - n - s; m >= 0 && count < MAX_MATERIALS; m--) {
                        uint8_t side[PIECES] = {(uint8_t)r, (uint8_t)n, (uint8_t)s, (uint8_t)m, (uint8_t)(men - r - n - s - m)};
                        memcpy(sides[count++], side, PIECES);
                    }
    for (int white = 0; white < count; white++)
        for (int black = 0; black < count; black++) {
            Material material;
            memset(&material, 0, sizeof material);
            memcpy(material.counts[0], sides[white], PIECES);
            memcpy(material.counts[1], sides[black], PIECES);
            int men = total_of(sides[white]) + total_of(sides[black]);
            if (men < 1 || men > MAX_PIECES || !is_canonical(material.counts)) continue;
            if (tables->material_count == MAX_MATERIALS) return 0;
            lay_out(&material);
            int number = tables->material_count++;
            tables->materials[number] = material;
            for (int metric = 0; metric < METRICS; metric++) tables->entries[number][metric].result = MAKRUK_MISSING_TABLE;
            for (int flip = 0; flip < 2; flip++) {
                uint8_t counts[2][PIECES];
                memcpy(counts[flip], material.counts[0], PIECES);
                memcpy(counts[!flip], material.counts[1], PIECES);
                if (flip && memcmp(counts[0], counts[1], PIECES) == 0) continue;
                uint32_t at = slot_of(key_of_counts(counts));
                while (tables->slots[at].key) at = (at + 1) % SLOTS;
                tables->slots[at].key = key_of_counts(counts);
                tables->slots[at].material = (uint16_t)number;
                tables->slots[at].is_flipped = (uint8_t)flip;
            }
        }
    return 1;
}

static char *copy_of(const char *text, size_t len) {
    char *copy = (char *)malloc(len + 1);
    if (copy != NULL) {
        memcpy(copy, text, len);
        copy[len] = 0;
    }
    return copy;
}

static int is_separator(char c) {
#ifndef _WIN32
    if (c == ':') return 1;
#endif
    return c == ';';
}

static int32_t add_folders(MakrukTables *tables, const char *paths) {
    for (const char *at = paths; *at;) {
        size_t len = 0, skip;
        while (at[len] && !is_separator(at[len])) len++;
        skip = len + (at[len] != 0);
        while (len > 0 && is_space(*at)) at++, len--, skip--;
        while (len > 0 && is_space(at[len - 1])) len--;
        if (len > 0) {
            char **folders = (char **)realloc(tables->folders, ((size_t)tables->folder_count + 1) * sizeof *folders);
            if (folders == NULL) return MAKRUK_OUT_OF_MEMORY;
            tables->folders = folders;
            folders[tables->folder_count] = copy_of(at, len);
            if (folders[tables->folder_count] == NULL) return MAKRUK_OUT_OF_MEMORY;
            tables->folder_count++;
        }
        at += skip;
    }
    return tables->folder_count > 0 ? MAKRUK_OK : MAKRUK_BAD_ARGUMENT;
}

/* A DTZ table whose blocks refer to the DTM table of its material. */
static int32_t find_reference(Probe *probe, Table *table, const Entry *dtm) {
    if (table->reference_checksum == 0) return MAKRUK_OK;
    if (dtm->result != MAKRUK_OK)
        return fail(probe, dtm->result, table->path, "it refers to the table %s.dtm, which %s", table->material->name,
                    dtm->result == MAKRUK_MISSING_TABLE ? "is missing" : "cannot be used");
    const Table *reference = dtm->table;
    if (reference->checksum != table->reference_checksum)
        return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "it refers to another %s.dtm: expected %08lx, found %08lx",
                    table->material->name, (unsigned long)table->reference_checksum, (unsigned long)reference->checksum);
    for (int color = 0; color < 2; color++) {
        const Side *own = &table->side[color], *other = &reference->side[color];
        if (own->storage != BLOCKS || other->storage == CONSTANT) continue;
        if (other->storage != BLOCKS || own->axis != other->axis || own->block_stripes != other->block_stripes)
            return fail(probe, MAKRUK_CORRUPT_TABLE, table->path, "%s's blocks do not fit those of the table that it refers to",
                        SIDE_NAMES[color]);
    }
    table->reference = reference;
    return MAKRUK_OK;
}

/* Opens a table in a folder. MAKRUK_MISSING_TABLE if it has none. */
static int32_t open_table(Probe *probe, const char *folder, int material, int metric, uint32_t flags, Table **opened) {
    MakrukTables *tables = (MakrukTables *)(uintptr_t)probe->tables;
    const char *name = tables->materials[material].name;
    size_t len = strlen(folder) + strlen(name) + strlen(METRIC_NAMES[metric]) + 3;
    char error[160] = "";
    Table *table = (Table *)calloc(1, sizeof *table);
    char *path = (char *)malloc(len);
    if (table == NULL || path == NULL) {
        free((void *)table);
        free(path);
        return fail(probe, MAKRUK_OUT_OF_MEMORY, NULL, "no memory for a table");
    }
    snprintf(path, len, "%s/%s.%s", folder, name, METRIC_NAMES[metric]);
    table->path = path;
    table->material = &tables->materials[material];
    table->metric = metric;
    table->number = tables->table_count;
    int32_t result = MAKRUK_MISSING_TABLE;
    int found = open_file(&table->file, path, (flags & MAKRUK_POSITIONAL) != 0, error, sizeof error);
    if (found < 0) result = fail(probe, MAKRUK_UNREADABLE_TABLE, path, "%s", error);
    if (found > 0) result = read_table(probe, table);
    if (result == MAKRUK_OK && metric == DTZ) result = find_reference(probe, table, &tables->entries[material][DTM]);
    if (result != MAKRUK_OK) {
        free_table(table);
        return result;
    }
#ifndef _WIN32
    if (tables->table_count >= MAKRUK_TB_MOST_OPEN) let_go(&table->file);
#endif
    tables->table_count++;
    *opened = table;
    return MAKRUK_OK;
}

static int material_of_name(const MakrukTables *tables, const char *text, size_t len);

static void mark_file(const MakrukTables *tables, const char *name, uint8_t *there) {
    const char *dot = strchr(name, '.');
    if (dot == NULL) return;
    int material = material_of_name(tables, name, (size_t)(dot - name));
    if (material < 0 || strncmp(name, tables->materials[material].name, (size_t)(dot - name)) != 0) return;
    for (int metric = 0; metric < METRICS; metric++)
        if (strcmp(dot + 1, METRIC_NAMES[metric]) == 0) there[material] = (uint8_t)(there[material] | 1u << metric);
}

/* Marks the tables whose files a folder has: bit m of a material is metric m. 0 if the folder cannot be read. */
#ifdef _WIN32
static int list_folder(const MakrukTables *tables, const char *folder, uint8_t *there) {
    wchar_t pattern[1024];
    char name[MAX_PATH * 3];
    WIN32_FIND_DATAW file;
    int len = MultiByteToWideChar(CP_UTF8, 0, folder, -1, pattern, 1000);
    if (len == 0) return 0;
    memcpy(pattern + len - 1, L"\\*", 3 * sizeof *pattern);
    HANDLE found = FindFirstFileW(pattern, &file);
    if (found == INVALID_HANDLE_VALUE) return 0;
    do
        if (WideCharToMultiByte(CP_UTF8, 0, file.cFileName, -1, name, sizeof name, NULL, NULL)) mark_file(tables, name, there);
    while (FindNextFileW(found, &file));
    FindClose(found);
    return 1;
}
#else
static int list_folder(const MakrukTables *tables, const char *folder, uint8_t *there) {
    const struct dirent *file;
    DIR *opened = opendir(folder);
    if (opened == NULL) return 0;
    while ((file = readdir(opened)) != NULL) mark_file(tables, file->d_name, there);
    closedir(opened);
    return 1;
}
#endif

/*
 * Opens the tables that the folders have. The first that cannot be used is explained in `why`; with MAKRUK_STRICT it
 * ends the opening.
 */
static int32_t open_listed(MakrukTables *tables, const uint8_t *there, uint32_t flags, char *why, size_t size) {
    char sentence[512];
    Probe probe = {tables, 0, sentence, sizeof sentence};
    int has_failed = 0;
    for (int material = 0; material < tables->material_count; material++)
        for (int metric = 0; metric < METRICS; metric++) {
            Entry *entry = &tables->entries[material][metric];
            sentence[0] = 0;
            for (int i = 0; i < tables->folder_count && entry->result == MAKRUK_MISSING_TABLE; i++) {
                if (!(there[i * MAX_MATERIALS + material] >> metric & 1)) continue;
                entry->result = open_table(&probe, tables->folders[i], material, metric, flags, &entry->table);
                if (entry->result == MAKRUK_MISSING_TABLE && sentence[0]) break; /* it is there, but its reference is not */
            }
            if (entry->result == MAKRUK_OK || (entry->result == MAKRUK_MISSING_TABLE && !sentence[0])) continue;
            if (entry->result == MAKRUK_OUT_OF_MEMORY) return entry->result;
            entry->why = copy_of(sentence, strlen(sentence));
            if (!has_failed && why != NULL && size > 0) snprintf(why, size, "%s", sentence);
            has_failed = 1;
            if (flags & MAKRUK_STRICT) return entry->result;
        }
    if (tables->table_count > 0) return MAKRUK_OK;
    if (!has_failed && why != NULL && size > 0) snprintf(why, size, "there are no tables in %s", tables->folders[0]);
    return MAKRUK_NO_TABLES;
}

/* Opens all tables of the folders. */
static int32_t open_tables(MakrukTables *tables, uint32_t flags, char *why, size_t size) {
    uint8_t *there = (uint8_t *)calloc((size_t)tables->folder_count, MAX_MATERIALS);
    if (there == NULL) return MAKRUK_OUT_OF_MEMORY;
    for (int i = 0; i < tables->folder_count; i++)
        if (!list_folder(tables, tables->folders[i], there + i * MAX_MATERIALS) && (flags & MAKRUK_STRICT)) {
            Probe strict = {tables, 0, why, size};
            free(there);
            return fail(&strict, MAKRUK_NO_TABLES, tables->folders[i], "cannot read the folder");
        }
    int32_t result = open_listed(tables, there, flags, why, size);
    free(there);
    return result;
}

/* ---- Preloading ---- */

/* The bytes after which progress is reported. */
#define STEP (UINT64_C(4) << 20)

/* Reads a file into memory, where it is not mapped, and compares its checksums. */
static int32_t preload_table(Probe *probe, Table *table, MakrukProgress progress, void *data, uint64_t *done, uint64_t all) {
    if (RELAXED(table->file.bytes) == NULL) {
        uint8_t *bytes = table->file.size <= SIZE_MAX ? (uint8_t *)malloc((size_t)table->file.size) : NULL;
        if (bytes == NULL) return fail(probe, MAKRUK_OUT_OF_MEMORY, table->path, "no memory for the file");
        if (!read_at(&table->file, 0, bytes, (size_t)table->file.size)) {
            free(bytes);
            return fail(probe, MAKRUK_UNREADABLE_TABLE, table->path, "cannot read the file");
        }
        const uint8_t *expected = NULL;
        if (!EXCHANGE(table->file.bytes, expected, (const uint8_t *)bytes)) free(bytes);
        for (uint32_t chunk = 0; chunk < table->chunks; chunk++) RELEASE(table->verified[chunk], 0);
    }
    for (uint32_t chunk = 0; chunk < table->chunks; chunk++) {
        int32_t result = check_chunk(probe, table, chunk);
        if (result != MAKRUK_OK) return result;
        uint64_t checked = end_of_chunk(table, chunk);
        if (progress != NULL && checked % STEP == 0 && progress(data, *done + checked, all)) return MAKRUK_STOPPED;
    }
    *done += table->file.size;
    return progress != NULL && progress(data, *done, all) ? MAKRUK_STOPPED : MAKRUK_OK;
}

/* The number of the material with a name, in either order of the sides; -1 if the text is none. */
static int material_of_name(const MakrukTables *tables, const char *text, size_t len) {
    uint8_t counts[2][PIECES];
    size_t at = 0;
    memset(counts, 0, sizeof counts);
    for (int color = 0; color < 2; color++) {
        if (color && (at >= len || upper(text[at++]) != 'V')) return -1;
        if (at >= len || upper(text[at++]) != 'K') return -1;
        for (; at < len && upper(text[at]) != 'V'; at++) {
            switch (upper(text[at])) {
            case 'R': counts[color][ROOK]++; break;
            case 'N': counts[color][KNIGHT]++; break;
            case 'S': case 'B': case 'E': counts[color][KHON]++; break;
            case 'M': case 'Q': case 'F': counts[color][MET]++; break;
            case 'P': counts[color][PAWN]++; break;
            default: return -1;
            }
            if (total_of(counts[color]) > MAX_PIECES) return -1;
        }
    }
    uint32_t key = at == len ? key_of_counts(counts) : 0;
    if (key == 0) return -1;
    for (uint32_t slot = slot_of(key); tables->slots[slot].key; slot = (slot + 1) % SLOTS)
        if (tables->slots[slot].key == key) return tables->slots[slot].material;
    return -1;
}

/* Marks the materials that a list names. */
static int32_t select_materials(const MakrukTables *tables, const char *what, uint8_t *selected) {
    if (what == NULL) {
        memset(selected, 1, (size_t)tables->material_count);
        return MAKRUK_OK;
    }
    while (*what) {
        size_t len = 0;
        if (is_space(*what) || *what == ',') {
            what++;
            continue;
        }
        while (what[len] && !is_space(what[len]) && what[len] != ',') len++;
        Text word = {what, len};
        int64_t men = number_of(word);
        if (men >= 0) {
            for (int i = 0; i < tables->material_count; i++) selected[i] |= tables->materials[i].men <= men;
        } else {
            int material = material_of_name(tables, what, len), is_there = 0;
            if (material < 0) return MAKRUK_BAD_ARGUMENT;
            for (int metric = 0; metric < METRICS; metric++) is_there |= tables->entries[material][metric].table != NULL;
            if (!is_there) return MAKRUK_MISSING_TABLE;
            selected[material] = 1;
        }
        what += len;
    }
    return MAKRUK_OK;
}

/* ---- The interface ---- */

/* Makes the stripe cache; none of few bytes. */
static int32_t add_places(MakrukTables *tables, uint64_t bytes) {
    uint64_t count = bytes / (sizeof(Place) * NEIGHBOURS) * NEIGHBOURS;
    if (count == 0) return MAKRUK_OK;
    if (count > UINT32_MAX || count > (SIZE_MAX - LINE) / sizeof(Place)) return MAKRUK_OUT_OF_MEMORY;
    tables->room = calloc((size_t)count * sizeof(Place) + LINE, 1);
    if (tables->room == NULL) return MAKRUK_OUT_OF_MEMORY;
    tables->places = (Place *)(((uintptr_t)tables->room + LINE - 1) / LINE * LINE);
    tables->place_count = count;
#ifdef MADV_HUGEPAGE
    /* Places are read in no order, so with pages of 4 KiB each page would have to be looked up again. */
    uintptr_t huge = (uintptr_t)2 << 20, start = ((uintptr_t)tables->room + huge - 1) / huge * huge;
    uintptr_t end = (uintptr_t)(tables->places + count) / huge * huge;
    if (start < end) (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
#endif
    return MAKRUK_OK;
}

int32_t makruk_open(const char *paths, uint64_t cache_bytes, uint32_t flags, MakrukTables **tables, char *why, size_t size) {
    if (why != NULL && size > 0) *why = 0;
    if (tables == NULL) return MAKRUK_BAD_ARGUMENT;
    *tables = NULL;
    if (paths == NULL || (flags & ~(MAKRUK_STRICT | MAKRUK_POSITIONAL))) return MAKRUK_BAD_ARGUMENT;
    MakrukTables *opened = (MakrukTables *)calloc(1, sizeof *opened);
    if (opened == NULL) return MAKRUK_OUT_OF_MEMORY;
    geometry_init(&opened->geometry);
    int32_t result = add_materials(opened) ? add_folders(opened, paths) : MAKRUK_INTERNAL_ERROR;
    if (result == MAKRUK_OK) result = add_places(opened, cache_bytes == 0 ? UINT64_C(64) << 20 : cache_bytes);
    if (result == MAKRUK_OK) result = open_tables(opened, flags, why, size);
    if (result == MAKRUK_OK) *tables = opened;
    else makruk_free(opened);
    return result;
}

void makruk_free(MakrukTables *tables) {
    if (tables == NULL) return;
    for (int material = 0; material < tables->material_count; material++)
        for (int metric = 0; metric < METRICS; metric++) {
            free_table(tables->entries[material][metric].table);
            free(tables->entries[material][metric].why);
        }
    for (int i = 0; i < tables->folder_count; i++) free(tables->folders[i]);
    free(tables->folders);
    free(tables->room);
    free(tables);
}

int32_t makruk_preload(MakrukTables *tables, const char *what, MakrukProgress progress, void *data) {
    uint8_t selected[MAX_MATERIALS];
    uint64_t done = 0, all = 0;
    if (tables == NULL) return MAKRUK_BAD_ARGUMENT;
    memset(selected, 0, sizeof selected);
    int32_t result = select_materials(tables, what, selected);
    if (result != MAKRUK_OK) return result;
    for (int material = 0; material < tables->material_count; material++)
        for (int metric = 0; metric < METRICS; metric++) {
            const Table *table = tables->entries[material][metric].table;
            if (selected[material] && table != NULL) all += table->file.size;
        }
    Probe probe = {tables, 0, NULL, 0};
    for (int material = 0; material < tables->material_count; material++)
        for (int metric = 0; metric < METRICS; metric++) {
            Table *table = tables->entries[material][metric].table;
            if (!selected[material] || table == NULL) continue;
            result = preload_table(&probe, table, progress, data, &done, all);
            if (result != MAKRUK_OK) return result;
        }
    return MAKRUK_OK;
}

static int32_t bits_of(const MakrukTables *tables, int material) {
    const Entry *entries = tables->entries[material];
    return (entries[CATEGORY].table ? MAKRUK_HAS_CATEGORY : 0) | (entries[DTM].table ? MAKRUK_HAS_DTM : 0) |
           (entries[DTZ].table ? MAKRUK_HAS_DTZ : 0);
}

int32_t makruk_largest(const MakrukTables *tables) {
    int32_t largest = 0;
    for (int i = 0; tables != NULL && i < tables->material_count; i++)
        if (bits_of(tables, i) && tables->materials[i].men > largest) largest = tables->materials[i].men;
    return largest;
}

int32_t makruk_complete(const MakrukTables *tables) {
    if (tables == NULL) return 0;
    int32_t complete = MAX_MEN;
    for (int i = 0; i < tables->material_count; i++) {
        int32_t bits = bits_of(tables, i);
        int is_whole = (bits & MAKRUK_HAS_DTM) && (!tables->materials[i].has_dtz || (bits & MAKRUK_HAS_DTZ));
        if (!is_whole && tables->materials[i].men - 1 < complete) complete = tables->materials[i].men - 1;
    }
    return complete;
}

int32_t makruk_materials(const MakrukTables *tables) {
    int32_t materials = 0;
    for (int i = 0; tables != NULL && i < tables->material_count; i++) materials += bits_of(tables, i) != 0;
    return materials;
}

int32_t makruk_materials_with(const MakrukTables *tables, int32_t kinds) {
    int32_t materials = 0;
    for (int i = 0; tables != NULL && i < tables->material_count; i++) {
        int32_t bits = bits_of(tables, i);
        materials += bits != 0 && (bits & kinds) == kinds;
    }
    return materials;
}

int32_t makruk_has(const MakrukTables *tables, const char *material) {
    if (tables == NULL || material == NULL) return MAKRUK_BAD_ARGUMENT;
    int number = material_of_name(tables, material, strlen(material));
    return number < 0 ? MAKRUK_BAD_ARGUMENT : bits_of(tables, number);
}

int32_t makruk_probe_search(const MakrukTables *tables, const MakrukPosition *position, uint32_t flags, MakrukBounds *bounds) {
    MakrukBounds found;
    if (tables == NULL || position == NULL || position->side > 1 || (flags & ~(MAKRUK_IN_MEMORY | MAKRUK_CATEGORY_ONLY)))
        return MAKRUK_BAD_ARGUMENT;
    /* A man of both colours would leave its material by a move that is not a capture. */
    if ((position->white & position->black) || !(position->white & position->kings) || !(position->black & position->kings))
        return MAKRUK_ILLEGAL_POSITION;
    if (!is_count(position)) return MAKRUK_BAD_COUNT;
    Probe probe = {tables, flags, NULL, 0};
    Board board;
    board_of(position, &board);
    int32_t category = category_of(&probe, &board, given_count(position), &found);
    if (category > 0 && bounds != NULL) *bounds = found;
    return category;
}

int32_t makruk_probe_category(const MakrukTables *tables, const MakrukPosition *position) {
    if (tables == NULL || position == NULL) return MAKRUK_BAD_ARGUMENT;
    int32_t result = check_position(position);
    return result == MAKRUK_OK ? makruk_probe_search(tables, position, 0, NULL) : result;
}

/* Checks a caller's position, and makes it a board. */
static int32_t asked(const MakrukTables *tables, const MakrukPosition *position, Board *board) {
    if (tables == NULL || position == NULL) return MAKRUK_BAD_ARGUMENT;
    int32_t result = check_position(position);
    if (result != MAKRUK_OK) return result;
    board_of(position, board);
    return MAKRUK_OK;
}

int32_t makruk_probe(const MakrukTables *tables, const MakrukPosition *position, MakrukVerdict *verdict) {
    Board board;
    MakrukVerdict found;
    Probe probe = {tables, 0, NULL, 0};
    int32_t result = asked(tables, position, &board);
    if (result == MAKRUK_OK) result = verdict_on(&probe, position, &board, &found);
    if (result == MAKRUK_OK && verdict == NULL) result = MAKRUK_BAD_ARGUMENT;
    if (result == MAKRUK_OK) *verdict = found;
    return result;
}

int32_t makruk_probe_root(const MakrukTables *tables, const MakrukPosition *position, MakrukRoot *root) {
    Board board;
    MakrukVerdict verdict;
    MakrukMove moves[MAKRUK_MAX_MOVES];
    Step steps[MAKRUK_MAX_MOVES];
    Probe probe = {tables, 0, NULL, 0};
    int32_t result = asked(tables, position, &board);
    if (result == MAKRUK_OK) result = verdict_on(&probe, position, &board, &verdict);
    if (result != MAKRUK_OK) return result;
    int count = legal_moves(&board, steps);
    sort_steps(steps, count);
    Count running = root_count(position, &board);
    for (int i = 0; i < count; i++) {
        result = rank_move(&probe, &board, running, steps[i], &moves[i]);
        if (result != MAKRUK_OK) return result;
    }
    if (root == NULL) return MAKRUK_BAD_ARGUMENT;
    rank_moves(moves, (uint32_t)count);
    root->verdict = verdict;
    root->count = (uint32_t)count;
    memcpy(root->moves, moves, (size_t)count * sizeof *moves);
    return MAKRUK_OK;
}

int32_t makruk_root_keep_category(MakrukRoot *root) {
    if (root == NULL || root->count > MAKRUK_MAX_MOVES) return MAKRUK_BAD_ARGUMENT;
    uint32_t count = 0; /* the best moves come first */
    while (count < root->count && root->moves[count].category == root->moves[0].category) count++;
    root->count = count;
    return (int32_t)count;
}

enum { SAFEST, FASTEST, STUBBORN, TRICKY, POLICIES };

static int policy_of(const char *name) {
    static const char *const names[POLICIES] = {"safest", "fastest", "stubborn", "tricky"};
    int policy = SAFEST;
    while (name != NULL && policy < POLICIES && strcmp(name, names[policy])) policy++;
    return policy;
}

/* The index of the move after which the smallest share of the opponent's replies keeps the result; or a failure. */
static int32_t hardest_move(const MakrukTables *tables, const MakrukPosition *position, const MakrukRoot *root) {
    MakrukRoot *replies = (MakrukRoot *)malloc(sizeof *replies);
    if (replies == NULL) return MAKRUK_OUT_OF_MEMORY;
    int32_t best = 0, result = MAKRUK_OK;
    uint32_t best_kept = 0, best_all = 0;
    for (uint32_t i = 0; i < root->count && result == MAKRUK_OK; i++) {
        MakrukPosition after = *position;
        result = makruk_position_move(&after, root->moves[i].from, root->moves[i].to);
        if (result == MAKRUK_OK) result = makruk_probe_root(tables, &after, replies);
        if (result != MAKRUK_OK) break;
        uint32_t all = replies->count ? replies->count : 1; /* without a reply nothing can go wrong */
        uint32_t kept = replies->count ? (uint32_t)makruk_root_keep_category(replies) : 1;
        if (i > 0 && kept * best_all >= best_kept * all) continue;
        best = (int32_t)i;
        best_kept = kept;
        best_all = all;
    }
    free(replies);
    return result == MAKRUK_OK ? best : result;
}

/* The place of the move that puts off mate the longest, or with `soonest` the least; the first of equals. */
static int32_t move_by_dtm(const MakrukRoot *root, int soonest) {
    int32_t best = 0;
    for (int32_t i = 1; i < (int32_t)root->count; i++) {
        int32_t more = abs((int)root->moves[i].dtm) - abs((int)root->moves[best].dtm);
        if (soonest ? more < 0 : more > 0) best = i;
    }
    return best;
}

int32_t makruk_best_move(const MakrukTables *tables, const MakrukPosition *position, const char *policy, MakrukMove *move) {
    Board board;
    int32_t result = asked(tables, position, &board), chosen = policy_of(policy), place = 0;
    if (result != MAKRUK_OK) return result;
    if (chosen == POLICIES) return MAKRUK_BAD_ARGUMENT;
    Count count = root_count(position, &board);
    if (count.limit && is_expired(count)) return MAKRUK_NO_MOVE;
    MakrukRoot *root = (MakrukRoot *)malloc(sizeof *root);
    if (root == NULL) return MAKRUK_OUT_OF_MEMORY;
    result = makruk_probe_root(tables, position, root);
    if (result == MAKRUK_OK && root->count == 0) result = MAKRUK_NO_MOVE;
    if (result == MAKRUK_OK && move == NULL) result = MAKRUK_BAD_ARGUMENT;
    if (result == MAKRUK_OK) {
        int wins = root->moves[0].category > MAKRUK_DRAW, loses = root->moves[0].category < MAKRUK_DRAW;
        makruk_root_keep_category(root);
        if (chosen == FASTEST && wins) place = move_by_dtm(root, 1);
        else if ((chosen == FASTEST || chosen == STUBBORN) && loses) place = move_by_dtm(root, 0);
        else if (chosen == TRICKY && !wins) place = hardest_move(tables, position, root);
        if (place < 0) result = place;
    }
    if (result == MAKRUK_OK) {
        *move = root->moves[place];
        move->rank = 0;
    }
    free(root);
    return result;
}

int32_t makruk_explain(const MakrukTables *tables, const MakrukPosition *position, char *buffer, size_t size) {
    Board board;
    MakrukVerdict verdict;
    char sentence[512] = "";
    Probe probe = {tables, 0, sentence, sizeof sentence};
    int32_t result = asked(tables, position, &board);
    if (result != MAKRUK_OK) return result;
    if (verdict_on(&probe, position, &board, &verdict) == MAKRUK_OK) sentence[0] = 0;
    if (buffer != NULL && size > 0) snprintf(buffer, size, "%s", sentence);
    return (int32_t)strlen(sentence);
}

int32_t makruk_position_from_fen(const char *fen, MakrukPosition *position) {
    MakrukPosition read;
    Probe probe = {NULL, 0, NULL, 0};
    if (fen == NULL || position == NULL) return MAKRUK_BAD_ARGUMENT;
    int32_t result = read_fen(&probe, fen, &read);
    if (result == MAKRUK_OK) *position = read;
    return result;
}

int32_t makruk_explain_fen(const char *fen, char *buffer, size_t size) {
    MakrukPosition read;
    char sentence[2048] = "";
    Probe probe = {NULL, 0, sentence, sizeof sentence};
    if (fen == NULL) return MAKRUK_BAD_ARGUMENT;
    read_fen(&probe, fen, &read);
    if (buffer != NULL && size > 0) snprintf(buffer, size, "%s", sentence);
    return (int32_t)strlen(sentence);
}

int32_t makruk_position_to_fen(const MakrukPosition *position, char *buffer, size_t size) {
    static const char letters[] = "KRNSMP";
    char text[160];
    size_t len = 0;
    if (position == NULL) return MAKRUK_BAD_ARGUMENT;
    int32_t result = check_position(position);
    if (result != MAKRUK_OK) return result;
    const uint64_t roles[6] = {position->kings,  position->rooks, position->knights,
                               position->khons, position->mets,  position->pawns};
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            uint64_t square = bit(8 * rank + file);
            int role = 0;
            while (role < 6 && !(roles[role] & square)) role++;
            if (role == 6) {
                empty++;
                continue;
            }
            if (empty) text[len++] = (char)('0' + empty);
            empty = 0;
            text[len++] = (char)(position->white & square ? letters[role] : letters[role] - 'A' + 'a');
        }
        if (empty) text[len++] = (char)('0' + empty);
        if (rank) text[len++] = '/';
    }
    char limit[12] = "-";
    int is_running = position->limit && !position->pawns;
    if (is_running) snprintf(limit, sizeof limit, "%u", (unsigned)position->limit);
    unsigned fullmove = position->fullmove ? (unsigned)position->fullmove : 1;
    snprintf(text + len, sizeof text - len, " %c - %s %u %u", position->side == MAKRUK_WHITE ? 'w' : 'b', limit,
             is_running ? (unsigned)position->ply : 0, fullmove);
    if (buffer != NULL && size > 0) snprintf(buffer, size, "%s", text);
    return (int32_t)strlen(text);
}

static void position_of(const Board *board, Count count, uint32_t fullmove, MakrukPosition *position) {
    memset(position, 0, sizeof *position);
    position->white = board->color[WHITE];
    position->black = board->color[BLACK];
    position->kings = board->role[KING];
    position->rooks = board->role[ROOK];
    position->knights = board->role[KNIGHT];
    position->khons = board->role[KHON];
    position->mets = board->role[MET];
    position->pawns = board->role[PAWN];
    position->limit = count.limit;
    position->ply = count.limit ? count.ply : 0;
    position->fullmove = fullmove;
    position->side = (uint8_t)board->turn;
}

int32_t makruk_legal_moves(const MakrukPosition *position, MakrukMove *moves, MakrukPosition *after) {
    Board board, next;
    Step steps[MAKRUK_MAX_MOVES];
    if (position == NULL) return MAKRUK_BAD_ARGUMENT;
    int32_t result = check_position(position);
    if (result != MAKRUK_OK) return result;
    board_of(position, &board);
    uint32_t fullmove = position->fullmove ? position->fullmove : 1;
    if (board.turn == BLACK && fullmove < UINT32_MAX) fullmove++;
    int count = legal_moves(&board, steps);
    sort_steps(steps, count);
    for (int i = 0; i < count; i++) {
        play(&board, steps[i], &next);
        Count running = count_after(root_count(position, &board), &board, &next);
        if (moves != NULL) describe_move(&board, &next, steps[i], running, &moves[i]);
        if (after != NULL) position_of(&next, running, fullmove, &after[i]);
    }
    return count;
}

/* Whether a text names the move `uci`: the letter of a promotion may be left out, or be that of another lettering. */
static int names_move(const char *move, const char *uci) {
    if (strncmp(move, uci, 4) != 0) return 0;
    if (move[4] == '\0') return 1;
    return uci[4] != '\0' && move[5] == '\0' && strchr("mqfMQF", move[4]) != NULL;
}

int32_t makruk_position_move(MakrukPosition *position, uint8_t from, uint8_t to) {
    MakrukMove moves[MAKRUK_MAX_MOVES];
    MakrukPosition after[MAKRUK_MAX_MOVES];
    if (position == NULL) return MAKRUK_BAD_ARGUMENT;
    int32_t count = makruk_legal_moves(position, moves, after);
    for (int32_t i = 0; i < count; i++)
        if (moves[i].from == from && moves[i].to == to) {
            *position = after[i];
            return MAKRUK_OK;
        }
    return count < 0 ? count : MAKRUK_NO_MOVE;
}

int32_t makruk_position_play(MakrukPosition *position, const char *move) {
    MakrukMove moves[MAKRUK_MAX_MOVES];
    if (position == NULL || move == NULL) return MAKRUK_BAD_ARGUMENT;
    int32_t count = makruk_legal_moves(position, moves, NULL);
    for (int32_t i = 0; i < count; i++)
        if (names_move(move, moves[i].uci)) return makruk_position_move(position, moves[i].from, moves[i].to);
    return count < 0 ? count : MAKRUK_NO_MOVE;
}

int32_t makruk_is_check(const MakrukPosition *position) {
    Board board;
    if (position == NULL || position->side > 1) return MAKRUK_BAD_ARGUMENT;
    board_of(position, &board);
    return in_check(&board, board.turn);
}

const char *makruk_result_name(int32_t result) {
    static const char *const good[] = {"ok", "loss", "blessed-loss", "draw", "cursed-win", "win"};
    static const char *const bad[] = {"missing table",   "count undecided", "not covered",      "illegal position",
                                      "bad count",       "corrupt table",   "bad FEN",          "no move",
                                      "bad argument",    "no tables",       "internal error",   "not in memory",
                                      "unreadable table", "unsupported table", "stopped",       "out of memory"};
    if (result >= 0 && result <= MAKRUK_WIN) return good[result];
    return result < 0 && result >= MAKRUK_OUT_OF_MEMORY ? bad[-result - 1] : "unknown";
}

const char *makruk_version(void) { return MAKRUK_VERSION; }
