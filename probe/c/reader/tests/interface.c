/*
 * Calls every function of the library, also with null pointers, short buffers and names without a meaning. It knows the
 * header alone, and fails with a sentence.
 *
 *     interface whole FOLDER             FOLDER has the tables of K+R v K+S
 *     interface category FOLDER FEN      prints the result of makruk_probe_category(), and why it fails
 *     interface search FOLDER FEN        prints the results of makruk_probe_search() with each flag, all in memory
 *     interface strict FOLDER            prints the result of a strict opening, and why it fails
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "makruk_probe.h"

/* The allocations, counted for the library as well. */
static unsigned long allocations;
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

#define ARMED "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"

#define CHECK(what) \
    if (!(what)) (void)fprintf(stderr, "line %d: " #what "\n", __LINE__), exit(1)

static MakrukTables *open_tables(const char *folder, uint32_t flags) {
    MakrukTables *tables;
    char why[300];
    CHECK(makruk_open(folder, 0, flags, &tables, why, sizeof why) == MAKRUK_OK);
    return tables;
}

static MakrukPosition at(const char *fen) {
    MakrukPosition position;
    CHECK(makruk_position_from_fen(fen, &position) == MAKRUK_OK);
    return position;
}

static int is_named(int32_t result, const char *name) {
    return strcmp(makruk_result_name(result), name) == 0;
}

static void ask_nothing(MakrukTables *tables) {
    MakrukPosition sound = at(ARMED), played = sound;
    MakrukMove move;
    char text[4] = {7, 7, 7, 7};
    CHECK(makruk_open(NULL, 0, 0, NULL, NULL, 0) == MAKRUK_BAD_ARGUMENT);
    CHECK(makruk_probe_category(NULL, &sound) == MAKRUK_BAD_ARGUMENT);
    CHECK(makruk_probe_category(tables, NULL) == MAKRUK_BAD_ARGUMENT);
    CHECK(makruk_probe_search(tables, &sound, 16, NULL) == MAKRUK_BAD_ARGUMENT);
    CHECK(makruk_probe(tables, &sound, NULL) == MAKRUK_BAD_ARGUMENT);
    CHECK(makruk_probe_root(tables, NULL, NULL) == MAKRUK_BAD_ARGUMENT);
    CHECK(makruk_best_move(tables, &sound, "brilliant", &move) == MAKRUK_BAD_ARGUMENT);
    CHECK(makruk_best_move(tables, &sound, NULL, &move) == MAKRUK_OK && strcmp(move.uci, "e2e1") == 0);
    CHECK(makruk_position_from_fen("\xff", &played) == MAKRUK_BAD_FEN);
    CHECK(makruk_position_from_fen(NULL, NULL) == MAKRUK_BAD_ARGUMENT);
    CHECK(makruk_explain_fen(NULL, text, sizeof text) == MAKRUK_BAD_ARGUMENT && makruk_explain_fen(ARMED, NULL, 0) == 0);
    CHECK(makruk_largest(NULL) == 0 && makruk_materials(NULL) == 0 && makruk_complete(NULL) == 0);
    CHECK(makruk_materials_with(NULL, MAKRUK_HAS_CATEGORY) == 0);
    CHECK(makruk_root_keep_category(NULL) == MAKRUK_BAD_ARGUMENT);
    CHECK(makruk_is_check(NULL) == MAKRUK_BAD_ARGUMENT && makruk_is_check(&sound) == 0);
    CHECK(makruk_preload(tables, "rook", NULL, NULL) == MAKRUK_BAD_ARGUMENT);
    CHECK(makruk_preload(tables, "KNvK", NULL, NULL) == MAKRUK_MISSING_TABLE);
    makruk_free(NULL);
    CHECK(is_named(99, "unknown") && is_named(MAKRUK_WIN, "win") && strcmp(makruk_version(), MAKRUK_VERSION) == 0);
    /* A buffer that is too small gets the beginning of the text. */
    CHECK(makruk_position_to_fen(&sound, text, 3) > 3 && memcmp(text, "8/\0\7", 4) == 0);
    CHECK(makruk_position_move(&played, 0, 0) == MAKRUK_NO_MOVE && makruk_position_move(&played, 64, 255) == MAKRUK_NO_MOVE);
    CHECK(makruk_position_play(&played, "e2e9") == MAKRUK_NO_MOVE && played.rooks == sound.rooks);
    CHECK(makruk_position_play(&played, "e2e3") == MAKRUK_OK);
    CHECK(played.limit == 32 && played.ply == 6 && played.side == MAKRUK_BLACK);
}

static void ask_for_materials(const MakrukTables *tables) {
    CHECK(makruk_materials(tables) == 3 && makruk_largest(tables) == 4 && makruk_complete(tables) == 2);
    CHECK(makruk_has(tables, "KSvKR") == (MAKRUK_HAS_CATEGORY | MAKRUK_HAS_DTM | MAKRUK_HAS_DTZ));
    CHECK(makruk_has(tables, "KRvK") == (MAKRUK_HAS_CATEGORY | MAKRUK_HAS_DTM));
    CHECK(makruk_has(tables, "KNvK") == 0 && makruk_has(tables, "KXvK") == MAKRUK_BAD_ARGUMENT);
    CHECK(makruk_materials_with(tables, MAKRUK_HAS_CATEGORY) == 3 && makruk_materials_with(tables, MAKRUK_HAS_DTZ) == 1);
}

static void ask_a_root(const MakrukTables *tables) {
    static MakrukRoot root;
    MakrukPosition position = at(ARMED), after[MAKRUK_MAX_MOVES];
    CHECK(makruk_probe_root(tables, &position, &root) == MAKRUK_OK && root.count == 12);
    int32_t moves = makruk_legal_moves(&position, NULL, after);
    CHECK(moves == 12);
    /* Probes of mapped files allocate nothing. */
    unsigned long before = allocations;
    for (int32_t i = 0; i < moves; i++) CHECK(makruk_probe_search(tables, &after[i], 0, NULL) > 0);
    CHECK(allocations == before);
    CHECK(makruk_root_keep_category(&root) == 4 && root.count == 4);
    for (int i = 0; i < 4; i++) CHECK(root.moves[i].category == MAKRUK_WIN);
    root.count = 1000;
    CHECK(makruk_root_keep_category(&root) == MAKRUK_BAD_ARGUMENT);
}

static int stop(void *data, uint64_t done, uint64_t all) {
    (void)data;
    return done < all;
}

/* A search reads no file where it is told not to. */
static void ask_memory(const char *folder, uint32_t flags) {
    MakrukTables *tables = open_tables(folder, flags);
    MakrukPosition position = at("8/8/8/8/8/4s1k1/4R3/K7 w - 128 85 1");
    MakrukBounds bounds;
    CHECK(makruk_probe_search(tables, &position, MAKRUK_IN_MEMORY, &bounds) == MAKRUK_NOT_IN_MEMORY);
    CHECK(makruk_preload(tables, NULL, stop, NULL) == MAKRUK_STOPPED);
    CHECK(makruk_preload(tables, "3, KSvKR", NULL, NULL) == MAKRUK_OK);
    CHECK(makruk_probe_search(tables, &position, MAKRUK_IN_MEMORY, &bounds) == MAKRUK_CURSED_WIN);
    /* DTZ is 45. */
    CHECK(bounds.holds_from == -MAKRUK_ANY_COUNT && bounds.holds_to == 43);
    makruk_free(tables);
}

static void print_category(const char *folder, const char *fen) {
    MakrukTables *tables = open_tables(folder, 0);
    MakrukPosition position = at(fen);
    char why[400];
    int32_t result = makruk_probe_category(tables, &position);
    /* A sentence explains a verdict that fails; a category may be known without one. */
    CHECK(makruk_explain(tables, &position, why, sizeof why) > 0 || result >= 0);
    printf("%s: %s\n", makruk_result_name(result), why);
    makruk_free(tables);
}

static void print_search(const char *folder, const char *fen) {
    static const uint32_t flags[] = {0, MAKRUK_IN_MEMORY, MAKRUK_CATEGORY_ONLY, MAKRUK_IN_MEMORY | MAKRUK_CATEGORY_ONLY};
    MakrukTables *tables = open_tables(folder, 0);
    MakrukPosition position = at(fen);
    CHECK(makruk_preload(tables, NULL, NULL, NULL) == MAKRUK_OK);
    for (int i = 0; i < 4; i++) puts(makruk_result_name(makruk_probe_search(tables, &position, flags[i], NULL)));
    makruk_free(tables);
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    const char *work = argv[1], *folder = argv[2];
    if (strcmp(work, "strict") == 0) {
        MakrukTables *tables;
        char why[300];
        int32_t result = makruk_open(folder, 0, MAKRUK_STRICT, &tables, why, sizeof why);
        printf("%s: %s\n", makruk_result_name(result), why);
        if (result == MAKRUK_OK) makruk_free(tables);
    } else if (strcmp(work, "category") == 0 && argc == 4) print_category(folder, argv[3]);
    else if (strcmp(work, "search") == 0 && argc == 4) print_search(folder, argv[3]);
    else {
        MakrukTables *tables = open_tables(folder, MAKRUK_STRICT);
        ask_nothing(tables);
        ask_for_materials(tables);
        ask_a_root(tables);
        makruk_free(tables);
        ask_memory(folder, 0);
        ask_memory(folder, MAKRUK_POSITIONAL);
    }
    return 0;
}
