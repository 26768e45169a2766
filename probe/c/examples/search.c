/*
 * The search, root and hash table of an engine with tables, in as few lines as possible.
 *
 *     cc -std=c11 -O2 -I probe/c/reader probe/c/examples/search.c probe/c/reader/makruk_tb.c -o search
 *     ./search tables/data "8/8/4k3/3s4/8/2R1K3/4N3/8 w - 128 0 1" 5
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "makruk_tb.h"

enum { WIN = 10000, CURSED = 1, MOST_PLIES = 64, ENTRIES = 1 << 16 };

/* An answer of the tables for some counts: a category. Its value depends on the ply at which the search meets it. */
typedef struct {
    uint64_t key;
    MakrukBounds holds;
    int32_t category;
} Entry;

static MakrukTables *tables;
static Entry entries[ENTRIES];
static uint64_t path[MOST_PLIES + 1], hits, nodes;

/* The board and the side to move; the count is not part of it. */
static uint64_t key_of(const MakrukPosition *p) {
    uint64_t bits[] = {p->white, p->black, p->kings, p->rooks, p->knights, p->khons, p->mets, p->side}, key = 0;
    for (int i = 0; i < 8; i++) {
        key = (key ^ bits[i]) * UINT64_C(0x9e3779b97f4a7c15);
        key ^= key >> 29;
    }
    return key;
}

/* The value of a category, from the side to move; a win the sooner the better. */
static int32_t value_of(int32_t category, int ply) {
    static const int32_t values[] = {0, -WIN, -CURSED, 0, CURSED, WIN};
    int32_t value = values[category];
    return value == WIN ? value - ply : value == -WIN ? value + ply : value;
}

static int32_t search(const MakrukPosition *position, int depth, int ply, int32_t alpha, int32_t beta) {
    MakrukPosition after[MAKRUK_MAX_MOVES];
    MakrukBounds holds = {0, 0};
    int32_t left = position->limit ? (int32_t)position->limit - (int32_t)position->ply : 0, best = -WIN;
    uint64_t key = key_of(position);
    Entry *entry = &entries[key % ENTRIES];
    nodes++;
    /* A position that was on the board before draws; the tables need not know. */
    for (int i = ply - 2; i >= 0; i -= 2)
        if (path[i] == key) return 0;
    path[ply] = key;
    /* An entry serves all counts that its bounds contain. Without a count nothing is known of the plies left; with a
       pawn on the board no count runs, and a category holds for all. */
    if ((position->limit || position->pawns) && entry->key == key && entry->category > 0 && entry->holds.holds_from <= left &&
        left <= entry->holds.holds_to)
        return value_of(entry->category, ply);
    /* Far from the root, only answers in memory: the first read of a file costs more than it saves. */
    int32_t category = makruk_probe_search(tables, position, depth < 2 ? MAKRUK_IN_MEMORY : 0, &holds);
    if (category > 0) {
        Entry found = {key, holds, category};
        hits++;
        *entry = found;
        return value_of(category, ply);
    }
    int32_t count = makruk_legal_moves(position, NULL, after);
    if (count <= 0) return makruk_is_check(position) == 1 ? -WIN + ply : 0; /* mate or stalemate */
    if (left < 0 || depth == 0 || ply == MOST_PLIES) return 0; /* drawn by the count, or unknown */
    for (int32_t i = 0; i < count && alpha < beta; i++) {
        int32_t value = -search(&after[i], depth - 1, ply + 1, -beta, -alpha);
        if (value > best) best = value;
        if (value > alpha) alpha = value;
    }
    return best;
}

int main(int argc, char **argv) {
    static MakrukRoot root;
    MakrukPosition position, after[MAKRUK_MAX_MOVES];
    MakrukMove moves[MAKRUK_MAX_MOVES];
    char why[256];
    if (argc != 4) {
        fprintf(stderr, "usage: search FOLDER FEN DEPTH\n");
        return 2;
    }
    int32_t result = makruk_open(argv[1], 0, MAKRUK_STRICT, &tables, why, sizeof why);
    if (result != MAKRUK_OK) {
        fprintf(stderr, "%s: %s\n", makruk_result_name(result), why);
        return 1;
    }
    printf("complete to %d men\n", (int)makruk_complete(tables));
    result = makruk_preload(tables, "3", NULL, NULL);
    if (result == MAKRUK_OK) result = makruk_position_from_fen(argv[2], &position);
    if (result != MAKRUK_OK) {
        fprintf(stderr, "%s\n", makruk_result_name(result));
        return 1;
    }
    /* At the root the tables rank the moves; the engine may choose among those of the best rank. */
    if (makruk_probe_root(tables, &position, &root) == MAKRUK_OK) {
        printf("%s", makruk_result_name(root.verdict.category));
        if (root.verdict.slack != MAKRUK_NO_DISTANCE) printf(", slack %d", (int)root.verdict.slack);
        putchar(':');
        for (uint32_t i = 0; i < root.count && root.moves[i].rank == 0; i++) printf(" %s", root.moves[i].uci);
        puts("");
    } else {
        int32_t best = -WIN - 1, at = 0, count = makruk_legal_moves(&position, moves, after);
        if (count <= 0) {
            fprintf(stderr, "%s\n", count < 0 ? makruk_result_name(count) : "no legal moves");
            return 1;
        }
        path[0] = key_of(&position);
        for (int32_t i = 0; i < count; i++) {
            int32_t value = -search(&after[i], atoi(argv[3]) - 1, 1, -WIN, -best);
            if (value > best) best = value, at = i;
        }
        printf("%s %d, %s\n", moves[at].uci, (int)best, hits ? "with tables" : "without");
    }
    makruk_free(tables);
    return 0;
}
