/*
 * Prints the answers of the reader: one FEN per line on standard input, one answer per line.
 *
 *     answers FOLDERS mapped|positional|preloaded|small-cache < FENS
 *
 * An answer has the verdict, the category by makruk_probe_search() with the counts for which it holds, and the ranked
 * moves unless the line begins with "-", at some lines the best moves by each policy; or the name of a failure. On
 * standard error is how many questions about positions that are won or lost a category table decides alone, under many
 * counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "makruk_tb.h"

static void complain(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static int count_calls(void *data, uint64_t done, uint64_t all) {
    ++*(int *)data;
    return done > all;
}

static MakrukPosition with_left(const MakrukPosition *position, int32_t left) {
    MakrukPosition other = *position;
    other.limit = left > 1 ? (uint32_t)left : 1;
    other.ply = (uint32_t)((int32_t)other.limit - left);
    return other;
}

/* Questions about positions that are won or lost, and those that a category table decides. */
static unsigned long asked, decided;

/*
 * A category table gives the category that the distances make under a count, or none: a quarter of the counts each
 * time. With a pawn on the board each count is dropped.
 */
static void check_counts(const MakrukTables *tables, const MakrukPosition *position, const MakrukVerdict *verdict,
                         uint32_t flags) {
    int wins = verdict->dtm > 0, is_drawn = verdict->dtm == MAKRUK_NO_DISTANCE, is_mate = verdict->dtm == 0;
    static int turn;
    int at = turn++;
    for (int32_t left = -3; left < 140; left += 1 + (left > 8 ? left / 8 : 0)) {
        if (at++ % 4) continue;
        MakrukPosition other = with_left(position, left);
        int has_time = position->pawns || left >= abs((int)verdict->dtz) - 1;
        int is_in_time = verdict->dtz != MAKRUK_NO_DISTANCE && has_time;
        int32_t expected = is_drawn || (is_mate && !is_in_time) ? MAKRUK_DRAW
                           : wins ? (is_in_time ? MAKRUK_WIN : MAKRUK_CURSED_WIN)
                                  : (is_in_time ? MAKRUK_LOSS : MAKRUK_BLESSED_LOSS);
        int32_t found = makruk_probe_search(tables, &other, flags | MAKRUK_CATEGORY_ONLY, NULL);
        if (found != expected && found != MAKRUK_COUNT_UNDECIDED) complain("a wrong category under some count");
        asked += !is_drawn;
        decided += !is_drawn && found == expected;
    }
}

/* The search's category is the verdict's, for the count given and at both ends of the counts for which it holds. */
static void check_search(const MakrukTables *tables, const MakrukPosition *position, const MakrukVerdict *verdict,
                         uint32_t flags) {
    MakrukBounds bounds, alone;
    if (makruk_probe_search(tables, position, flags, &bounds) != verdict->category) complain("two categories");
    int32_t result = makruk_probe_search(tables, position, flags | MAKRUK_CATEGORY_ONLY, &alone);
    if (result != verdict->category && result != MAKRUK_COUNT_UNDECIDED) complain("two categories, of one table");
    if (result == verdict->category && (alone.holds_from != bounds.holds_from || alone.holds_to != bounds.holds_to))
        complain("two bounds");
    if (bounds.holds_from < verdict->bounds.holds_from || bounds.holds_to > verdict->bounds.holds_to)
        complain("bounds beyond the verdict's");
    if (position->limit == 0) return;
    int32_t given = (int32_t)position->limit - (int32_t)position->ply, ends[2] = {bounds.holds_from, bounds.holds_to};
    if (given < ends[0] || given > ends[1]) complain("bounds without the count");
    for (int i = 0; i < 2; i++) {
        MakrukVerdict there;
        int32_t left = ends[i] == MAKRUK_ANY_COUNT ? 9999 : ends[i] == -MAKRUK_ANY_COUNT ? -9998 : ends[i];
        MakrukPosition other = with_left(position, left);
        if (makruk_probe(tables, &other, &there) != MAKRUK_OK || there.category != verdict->category)
            complain("a category that does not hold for the counts that are said");
        if (makruk_probe_search(tables, &other, flags, NULL) != verdict->category) complain("two categories at an end");
    }
}

static void print_moves(const MakrukRoot *root) {
    for (uint32_t i = 0; i < root->count; i++) {
        const MakrukMove *move = &root->moves[i];
        printf(" %s %d %d %d %u %d %u %u %d %d %d", move->uci, (int)move->category, (int)move->dtm, (int)move->dtz,
               (unsigned)move->rank, (int)move->slack, (unsigned)move->limit, (unsigned)move->ply, move->capture,
               move->bares_king, move->promotion);
    }
}

/* The FEN and the position, the move by its squares and by its text, the root and its best moves agree. */
static void check_helpers(const MakrukPosition *position, const MakrukRoot *root) {
    static MakrukMove moves[MAKRUK_MAX_MOVES];
    static MakrukPosition after[MAKRUK_MAX_MOVES];
    static MakrukRoot kept;
    char fen[128], again[128];
    MakrukPosition read;
    int32_t len = makruk_position_to_fen(position, fen, sizeof fen);
    if (len != (int32_t)strlen(fen) || makruk_position_from_fen(fen, &read) != MAKRUK_OK) complain("no FEN");
    if (makruk_position_to_fen(&read, again, sizeof again) != len || strcmp(fen, again) != 0) complain("two FENs");
    if (makruk_position_to_fen(position, again, 5) != len || strlen(again) != 4) complain("a FEN is not cut off");
    int32_t count = makruk_legal_moves(position, moves, after);
    if (count != (int32_t)root->count) complain("two numbers of moves");
    for (int32_t i = 0; i < count; i++) {
        MakrukPosition by_squares = *position, by_text = *position;
        if (makruk_position_move(&by_squares, moves[i].from, moves[i].to) != MAKRUK_OK) complain("no move by its squares");
        if (makruk_position_play(&by_text, moves[i].uci) != MAKRUK_OK) complain("no move by its text");
        makruk_position_to_fen(&after[i], fen, sizeof fen);
        makruk_position_to_fen(&by_squares, again, sizeof again);
        if (strcmp(fen, again) != 0) complain("another position by the squares of a move");
        makruk_position_to_fen(&by_text, again, sizeof again);
        if (strcmp(fen, again) != 0) complain("another position by the text of a move");
    }
    kept = *root;
    int32_t keeping = makruk_root_keep_category(&kept);
    for (uint32_t i = 0; i < root->count; i++)
        if ((root->moves[i].category == root->moves[0].category) != ((int32_t)i < keeping)) complain("a wrong move is kept");
    if (keeping != (int32_t)kept.count) complain("two numbers of moves that are kept");
}

/* The best move by each policy, of some positions. */
static void print_best_moves(const MakrukTables *tables, const MakrukPosition *position) {
    static const char *const policies[] = {"safest", "fastest", "stubborn", "tricky"};
    fputs(" best", stdout);
    for (int i = 0; i < 4; i++) {
        MakrukMove move;
        int32_t result = makruk_best_move(tables, position, policies[i], &move);
        if (result != MAKRUK_OK && result != MAKRUK_NO_MOVE) complain("no best move");
        printf(" %s", result == MAKRUK_OK ? move.uci : "-");
    }
}

static void answer(const MakrukTables *tables, const char *fen, uint32_t flags) {
    static MakrukRoot root;
    static int roots;
    MakrukPosition position;
    int with_moves = *fen != '-';
    int32_t result = makruk_position_from_fen(fen + !with_moves, &position);
    if (result == MAKRUK_OK)
        result = with_moves ? makruk_probe_root(tables, &position, &root) : makruk_probe(tables, &position, &root.verdict);
    if (result != MAKRUK_OK) {
        puts(makruk_result_name(result));
        return;
    }
    const MakrukVerdict *verdict = &root.verdict;
    printf("%d %d %d %u %u %d %d %d %d %d %d", (int)verdict->category, (int)verdict->dtm, (int)verdict->dtz,
           (unsigned)verdict->limit, (unsigned)verdict->ply, (int)verdict->attacker_moves_left, (int)verdict->slack,
           (int)verdict->bounds.holds_from, (int)verdict->bounds.holds_to, verdict->checkmate, verdict->stalemate);
    if (with_moves) {
        print_moves(&root);
        check_helpers(&position, &root);
        if (roots++ % 16 == 0) print_best_moves(tables, &position);
    }
    putchar('\n');
    check_search(tables, &position, verdict, flags);
    check_counts(tables, &position, verdict, flags);
}

int main(int argc, char **argv) {
    MakrukTables *tables;
    char line[400], why[300];
    if (argc != 3) complain("usage: answers FOLDERS MODE");
    uint32_t flags = strcmp(argv[2], "positional") == 0 ? MAKRUK_STRICT | MAKRUK_POSITIONAL : MAKRUK_STRICT;
    uint32_t search_flags = 0;
    int32_t result = makruk_open(argv[1], strcmp(argv[2], "small-cache") == 0 ? 4000 : 0, flags, &tables, why, sizeof why);
    if (result != MAKRUK_OK) complain(why);
    if (strcmp(argv[2], "preloaded") == 0) {
        int calls = 0;
        if (makruk_preload(tables, "3, KRvKS", count_calls, &calls) != MAKRUK_OK || calls == 0) complain("no preload");
        if (makruk_preload(tables, NULL, NULL, NULL) != MAKRUK_OK) complain("no preload");
        search_flags = MAKRUK_IN_MEMORY;
    }
    fprintf(stderr, "%d materials, up to %d men, complete to %d\n", (int)makruk_materials(tables), (int)makruk_largest(tables),
            (int)makruk_complete(tables));
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        answer(tables, line, search_flags);
    }
    fprintf(stderr, "%lu of %lu decided\n", decided, asked);
    makruk_free(tables);
    return 0;
}
