/*
 * Probes beside the ordinary: folders with few tables, materials with few of theirs, counts that a category table
 * leaves open, and boards that no game has. Run it under AddressSanitizer. It fails with a sentence.
 *
 *     edges opening FOLDER RESULT     opens the folder with a full stack; with MAKRUK_STRICT the result is RESULT
 *     edges categories FOLDER < FENS  prints the result and its bounds of each FEN
 *     edges open-counts FOLDER        makes the intervals of category tables wide, and asks about every count
 *     edges boards FOLDER NUMBER      probes boards whose bitboards contradict each other, and other input that is none
 *     edges pawns FOLDER              pawns where they may stand and where not, and stripes
 */
#include "drawn.h"

/* Leaves bytes on the stack, so that what is read before it is written is not 0. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((noinline))
#endif
static void fill_stack(int byte) {
    volatile char bytes[20000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)byte;
}

static MakrukTables *open_folder(const char *folder) {
    MakrukTables *tables;
    char why[300];
    if (makruk_open(folder, 0, 0, &tables, why, sizeof why) != MAKRUK_OK) complain(folder, why);
    return tables;
}

/* Without MAKRUK_STRICT the folder opens. If a table is left out, a sentence says why; otherwise there is none. */
static void try_opening(const char *folder, const char *expected) {
    static const int bytes[] = {0xee, 0, 'x', 0xee};
    for (int i = 0; i < 4; i++)
        for (uint32_t flags = 0; flags <= MAKRUK_STRICT; flags++) {
            MakrukTables *tables;
            char why[300];
            fill_stack(bytes[i]);
            int32_t result = makruk_open(folder, 0, flags, &tables, why, sizeof why);
            const char *name = makruk_result_name(result);
            if (strcmp(name, flags ? expected : "ok") != 0) complain(name, why);
            if ((*why == 0) != (strcmp(expected, "ok") == 0)) complain("another sentence", why);
            makruk_free(tables);
        }
}

/* The search's category; bounds are written with a category, and only then. */
static int32_t search(const MakrukTables *tables, const MakrukPosition *position, uint32_t flags, MakrukBounds *bounds) {
    bounds->holds_from = 77777;
    bounds->holds_to = -77777;
    int32_t result = makruk_probe_search(tables, position, flags, bounds);
    int is_written = bounds->holds_from != 77777 || bounds->holds_to != -77777;
    if (is_written != (result > 0)) complain("bounds", makruk_result_name(result));
    if (strcmp(makruk_result_name(result), "unknown") == 0) complain("a result", "without a name");
    return result;
}

static void print_categories(const MakrukTables *tables) {
    char line[400];
    while (fgets(line, sizeof line, stdin)) {
        MakrukPosition position;
        MakrukBounds bounds;
        line[strcspn(line, "\r\n")] = 0;
        if (makruk_position_from_fen(line, &position) != MAKRUK_OK) complain(line, "no position");
        int32_t result = search(tables, &position, 0, &bounds);
        printf("%d %d %d\n", (int)result, result > 0 ? (int)bounds.holds_from : 0, result > 0 ? (int)bounds.holds_to : 0);
    }
}

/* A material with tables, in turn. */
static int next_material(const MakrukTables *tables, int wanted) {
    static int at;
    for (int tries = 0; tries < tables->material_count; tries++) {
        at = (at + 1) % tables->material_count;
        if (bits_of(tables, at) && (bits_of(tables, at) & wanted) == wanted) return at;
    }
    complain("tables", "none of the kind");
    return 0;
}

/* Makes an interval as wide as a sound one can be, but for those that have no conversion or are a mate. */
static void widen(MakrukTables *tables) {
    for (int material = 0; material < tables->material_count; material++) {
        Table *table = tables->entries[material][CATEGORY].table;
        for (int color = 0; table != NULL && color < 2; color++)
            for (uint32_t i = 0; table->side[color].storage != OMITTED && i < table->side[color].value_count; i++) {
                Interval *interval = &table->side[color].values[i];
                if (interval->worst > NEVER_WINS) interval->worst = FAR_AWAY - 2001, interval->best = FAR_AWAY - 1;
                else if (interval->best < NEVER_LOSES && interval->best != MATED)
                    interval->worst = 2 - FAR_AWAY, interval->best = 2002 - FAR_AWAY;
            }
    }
}

/* What a category table leaves open the distances decide. */
static void ask_open_counts(MakrukTables *tables) {
    unsigned long asked = 0, open = 0;
    widen(tables);
    for (int tries = 0; tries < 6000; tries++) {
        const Material *material = &tables->materials[next_material(tables, MAKRUK_HAS_CATEGORY | MAKRUK_HAS_DTM)];
        MakrukPosition position;
        Board board;
        Probe probe = {tables, 0, NULL, 0};
        int32_t dtm = 0, dtz = 0;
        draw_position(material->name, &position);
        if (check_position(&position) != MAKRUK_OK) continue;
        board_of(&position, &board);
        if (distances_of(&probe, &board, &dtm, &dtz) != MAKRUK_OK) complain(material->name, "no distances");
        for (int32_t left = -3 + tries % 3; left <= 140; left += 3) {
            Count count = {(uint32_t)(left > 1 ? left : 1), (uint32_t)((left > 1 ? left : 1) - left)};
            Count judged = count;
            if (left > 137) count.limit = count.ply = 0; /* no count */
            if (count.limit == 0 || position.pawns) judged = count_from(&board, board.turn);
            MakrukBounds bounds, exact;
            int32_t expected = judge(dtm, dtz, judged, &exact);
            position.limit = count.limit;
            position.ply = count.ply;
            if (search(tables, &position, 0, &bounds) != expected) complain(material->name, "a wrong category");
            if (bounds.holds_from < exact.holds_from || bounds.holds_to > exact.holds_to)
                complain(material->name, "bounds for counts that have another category");
            int32_t found = search(tables, &position, MAKRUK_CATEGORY_ONLY, &bounds);
            asked++;
            open += found == MAKRUK_COUNT_UNDECIDED;
            if (found != expected && found != MAKRUK_COUNT_UNDECIDED) complain(material->name, "a wrong category by its table");
            if (found > 0 && (bounds.holds_from < exact.holds_from || bounds.holds_to > exact.holds_to))
                complain(material->name, "bounds for counts that have another category, by its table");
        }
    }
    if (open == 0 || open == asked) complain("open counts", "none or all");
    printf("%lu of %lu open\n", open, asked);
}

static void expect(const MakrukTables *tables, const MakrukPosition *position, int32_t expected, const char *what) {
    MakrukBounds bounds;
    int32_t found = search(tables, position, 0, &bounds);
    if (found != expected) complain(what, makruk_result_name(found));
}

/* Counts that are none, a side that is none, men that are too many, kings that are missing. */
static void try_bad_input(const MakrukTables *tables, const MakrukPosition *sound) {
    static const uint32_t counts[][2] = {{10000, 0},           {UINT32_MAX, 0}, {UINT32_MAX, UINT32_MAX},
                                         {UINT32_C(1) << 31, 5}, {64, 10000},     {0x7fffffff, 0x80000000u}};
    MakrukPosition position = *sound;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        position.limit = counts[i][0];
        position.ply = counts[i][1];
        expect(tables, &position, MAKRUK_BAD_COUNT, "a count that is none");
    }
    position = *sound;
    MakrukBounds bounds;
    int32_t without_ply = search(tables, &position, 0, &bounds);
    for (int i = 0; i < 2; i++) {
        position.ply = i ? UINT32_C(1) << 31 : UINT32_MAX; /* ignored without a limit */
        if (search(tables, &position, 0, &bounds) != without_ply) complain("no limit", "and a ply that matters");
    }
    position.side = 2;
    expect(tables, &position, MAKRUK_BAD_ARGUMENT, "a side that is none");
    position = *sound;
    for (int square = 0; bit_count(position.white | position.black) <= MAX_MEN; square++) {
        if ((position.white | position.black) & bit(square)) continue;
        position.white |= bit(square);
        position.mets |= bit(square);
    }
    expect(tables, &position, MAKRUK_NOT_COVERED, "eight men");
    position = *sound;
    position.kings &= position.white;
    expect(tables, &position, MAKRUK_ILLEGAL_POSITION, "a king that is missing");
}

/* The bitboards of a position. */
#define BOARDS 8

static void try_boards(const MakrukTables *tables, long number) {
    unsigned long answers = 0, refused = 0;
    for (long i = 0; i < number; i++) {
        const Material *material = &tables->materials[next_material(tables, 0)];
        MakrukPosition position;
        MakrukMove moves[MAKRUK_MAX_MOVES];
        MakrukBounds bounds;
        draw_position(material->name, &position);
        if (i % 64 == 0 && check_position(&position) == MAKRUK_OK) try_bad_input(tables, &position);
        uint64_t *boards[] = {&position.white, &position.black,  &position.kings, &position.rooks,
                              &position.knights, &position.khons, &position.mets, &position.pawns};
        /* Of half of the boards a white man goes to the square of a black one, and the numbers of men stay. */
        uint64_t white = position.white & ~position.kings, black = position.black & ~position.kings;
        int meets = white && black && draw_number() % 2;
        uint64_t from = meets ? bit(lowest(white)) : 0, to = meets ? bit(lowest(black)) : 0;
        for (size_t board = 0; board < BOARDS; board++)
            if (*boards[board] & from) *boards[board] = (*boards[board] & ~from) | to;
        /* Changes land on the squares of men, or anywhere. */
        for (uint64_t changes = meets ? 0 : 1 + draw_number() % 4; changes > 0; changes--) {
            int square = (int)(draw_number() >> 58);
            uint64_t men = position.white | position.black;
            for (int tries = 0; draw_number() % 4 && tries < 64 && !(men & bit(square)); tries++)
                square = (int)(draw_number() >> 58);
            *boards[(draw_number() >> 20) % BOARDS] ^= bit(square);
        }
        position.limit = draw_number() & 1 ? 128 : 0;
        position.ply = (uint32_t)(draw_number() % 140);
        for (uint32_t flags = 0; flags <= MAKRUK_CATEGORY_ONLY; flags += MAKRUK_CATEGORY_ONLY) {
            fill_stack(0xee);
            int32_t result = search(tables, &position, flags, &bounds);
            answers += result > 0;
            refused += result == MAKRUK_ILLEGAL_POSITION;
        }
        int32_t expected = check_position(&position);
        if ((makruk_probe_category(tables, &position) == MAKRUK_ILLEGAL_POSITION) != (expected == MAKRUK_ILLEGAL_POSITION))
            complain("a board", "is illegal for one probe alone");
        makruk_legal_moves(&position, moves, NULL);
        makruk_is_check(&position);
    }
    if (answers == 0 || refused == 0) complain("boards", "none refused or none answered");
    printf("%ld boards, %lu answers, %lu refused\n", number, answers, refused);
}

static MakrukPosition position_at(const char *fen) {
    MakrukPosition position;
    if (makruk_position_from_fen(fen, &position) != MAKRUK_OK) complain(fen, "no position");
    return position;
}

static void expect_fen(const char *fen, int32_t expected) {
    MakrukPosition position;
    int32_t found = makruk_position_from_fen(fen, &position);
    if (found != expected) complain(fen, makruk_result_name(found));
}

/* The number of a stripe gives back the squares of its fixed pieces: up to seven men, each of them the fast piece. */
static void try_stripes(const MakrukTables *tables) {
    const Geometry *geometry = &tables->geometry;
    Probe probe = {tables, 0, NULL, 0};
    unsigned long found = 0, asked = 0;
    while (found < 20000 && asked++ < 4000000) {
        const Material *material = &tables->materials[draw_number() % (uint64_t)tables->material_count];
        MakrukPosition position;
        Board board;
        Oriented oriented;
        Address address;
        Side side;
        uint8_t fixed[MAX_PIECES], again[MAX_PIECES];
        int square;
        draw_position(material->name, &position);
        if (check_position(&position) != MAKRUK_OK) continue;
        board_of(&position, &board);
        if (orient(&probe, &board, &oriented) != MAKRUK_OK || oriented.material != material)
            complain(material->name, "another material");
        if (!address_of(geometry, &oriented, &address)) complain(material->name, "no address");
        memset(&side, 0, sizeof side);
        side.axis = (uint8_t)(draw_number() % material->axes);
        side.block_stripes = 1;
        cut_stripes(geometry, material, &side);
        uint32_t stripe = stripe_of(geometry, &side, &address, fixed, &square);
        if (stripe >= side.stripes) complain(material->name, "a stripe beyond the last");
        fixed_squares(geometry, &side, stripe, again);
        if (memcmp(fixed, again, (size_t)side.fixed) != 0) complain(material->name, "other squares");
        uint64_t reach = side.fast_role == PAWN ? pawn_squares(side.fast_color) : ~UINT64_C(0);
        if (!(reach & bit(square))) complain(material->name, "a pawn's square");
        found += material->has_pawns;
    }
    if (found < 20000) complain("stripes", "too few positions");
}

static void try_pawns(const MakrukTables *tables) {
    for (int rank = 0; rank < 8; rank++)
        for (int color = 0; color < 2; color++) {
            MakrukPosition position = position_at("7k/8/8/8/8/8/8/K7 w - - 0 1");
            position.pawns = bit(8 * rank + 3);
            *(color ? &position.black : &position.white) |= position.pawns;
            int is_right = color ? rank >= 3 && rank <= 5 : rank >= 2 && rank <= 4;
            if (check_position(&position) != (is_right ? MAKRUK_OK : MAKRUK_ILLEGAL_POSITION))
                complain("a pawn", "on some rank");
            if (makruk_probe_category(tables, &position) != (is_right ? MAKRUK_DRAW : MAKRUK_ILLEGAL_POSITION))
                complain("a pawn", "has another category");
        }
    expect_fen("7k/8/8/8/PPPPPPPP/8/8/K6M w - - 0 1", MAKRUK_OK);
    expect_fen("7k/8/8/8/PPPPPPPP/P7/8/K7 w - - 0 1", MAKRUK_ILLEGAL_POSITION);
    expect_fen("7k/8/8/8/PPPPPPPP/8/8/K5MM w - - 0 1", MAKRUK_ILLEGAL_POSITION);
    expect_fen("8/8/8/3k4/4P3/8/8/K7 w - - 0 1", MAKRUK_ILLEGAL_POSITION); /* the side not to move in check */
    expect_fen("8/8/8/3k4/4P3/8/8/K7 b - - 0 1", MAKRUK_OK);
    /* A count that is given is checked and dropped. */
    expect_fen("7k/8/8/8/3P4/8/8/K7 w - 10000 5", MAKRUK_BAD_COUNT);
    expect_fen("7k/8/8/8/3P4/8/8/K7 w - 128 x", MAKRUK_BAD_COUNT);
    if (position_at("7k/8/8/8/3P4/8/8/K7 w - 128 5").limit != 0) complain("a count", "with a pawn");
    MakrukPosition given = position_at("7k/8/8/8/3P4/8/8/K7 w - - 0 1");
    given.limit = 10000;
    expect(tables, &given, MAKRUK_BAD_COUNT, "a count that is none, with a pawn");
    given = position_at("8/8/8/3P4/8/4k3/8/K7 w - - 0 1");
    const char *const wrong[] = {"", "d5", "d5d6n", "d5d6mm", "d5d6 ", "a1a2m"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (makruk_position_play(&given, wrong[i]) != MAKRUK_NO_MOVE) complain(wrong[i], "a text that is not a move is played");
}

int main(int argc, char **argv) {
    if (argc < 3) complain("usage", "edges opening|categories|open-counts|boards|pawns FOLDER [RESULT|NUMBER]");
    if (strcmp(argv[1], "opening") == 0 && argc > 3) {
        try_opening(argv[2], argv[3]);
        return 0;
    }
    MakrukTables *tables = open_folder(argv[2]);
    if (strcmp(argv[1], "categories") == 0) print_categories(tables);
    else if (strcmp(argv[1], "open-counts") == 0) ask_open_counts(tables);
    else if (strcmp(argv[1], "boards") == 0 && argc > 3) try_boards(tables, atol(argv[3]));
    else if (strcmp(argv[1], "pawns") == 0) try_pawns(tables), try_stripes(tables);
    else complain("usage", "no such work");
    makruk_free(tables);
    return 0;
}
