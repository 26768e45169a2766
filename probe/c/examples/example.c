/*
 * Asks libmakruk_probe for positions given as arguments, or for a few of its own, and plays one out.
 *
 *     make -C probe/c
 *     cc -std=c99 -I probe/c/reader probe/c/examples/example.c target/c/libmakruk_probe.a
 *     ./a.out tables/data "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"
 */
#include <stdio.h>
#include <string.h>

#include "makruk_probe.h"

static int failed(const char *what, int32_t result) {
    fprintf(stderr, "%s: %s\n", what, makruk_result_name(result));
    return 1;
}

/* Prints the verdict on a position, and its best moves. */
static int show(const MakrukTables *tables, const char *fen) {
    MakrukPosition position;
    MakrukRoot root;
    int32_t result = makruk_position_from_fen(fen, &position);
    if (result != MAKRUK_OK) return failed(fen, result);

    /* A search needs only this call. */
    int32_t category = makruk_probe_category(tables, &position);
    if (category < 0) {
        char why[400];
        makruk_explain(tables, &position, why, sizeof why);
        fprintf(stderr, "%s\n", why);
        return failed(fen, category);
    }

    result = makruk_probe_root(tables, &position, &root);
    if (result != MAKRUK_OK) return failed(fen, result);
    if (root.verdict.category != category) return failed("two answers", MAKRUK_INTERNAL_ERROR);
    printf("%s\n  %s, dtm %d, dtz %d, %d moves left\n", fen, makruk_result_name(category), (int)root.verdict.dtm,
           (int)root.verdict.dtz, (int)root.verdict.attacker_moves_left);
    for (uint32_t i = 0; i < root.count && i < 3; i++) {
        const MakrukMove *move = &root.moves[i];
        printf("  %-6s %-12s dtm %6d, dtz %6d, count %u %u\n", move->uci, makruk_result_name(move->category),
               (int)move->dtm, (int)move->dtz, (unsigned)move->limit, (unsigned)move->ply);
    }
    return 0;
}

/* Best play by both sides, the count carried along. */
static int play(const MakrukTables *tables, const char *fen) {
    MakrukPosition position;
    MakrukMove move;
    char text[128];
    int32_t result = makruk_position_from_fen(fen, &position);
    if (result != MAKRUK_OK) return failed(fen, result);
    printf("%s:", fen);
    while ((result = makruk_best_move(tables, &position, "safest", &move)) == MAKRUK_OK) {
        printf(" %s", move.uci);
        result = makruk_position_play(&position, move.uci);
        if (result != MAKRUK_OK) return failed(move.uci, result);
        if (position.limit != move.limit || position.ply != move.ply) return failed("count", MAKRUK_INTERNAL_ERROR);
    }
    if (result != MAKRUK_NO_MOVE) return failed("best move", result);
    makruk_position_to_fen(&position, text, sizeof text);
    printf("\n  %s\n", text);
    return 0;
}

int main(int argc, char **argv) {
    const char *fens[] = {"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1", "7k/8/5K2/8/8/8/8/R7 b - 32 6 1"};
    MakrukTables *tables = NULL;
    int bad = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: example FOLDER [FEN]...\n");
        return 2;
    }
    int32_t result = makruk_open(argv[1], 0, 0, &tables, NULL, 0);
    if (result != MAKRUK_OK) return failed("makruk_open", result);
    printf("libmakruk_probe %s: %d materials of up to %d men\n", makruk_version(), (int)makruk_materials(tables),
           (int)makruk_largest(tables));
    if (argc > 2) {
        for (int i = 2; i < argc; i++) bad |= show(tables, argv[i]);
    } else {
        for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) bad |= show(tables, fens[i]);
        bad |= play(tables, fens[1]);
    }
    makruk_free(tables);
    return bad;
}
