/*
 * The reader itself, with random numbers and positions for tests of its parts, and the end of a test that fails.
 */
#include "../makruk_tb.c"

static uint64_t seed = 88172645463325252u;

static uint64_t draw_number(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static void complain(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

/* A position of a material, which may break the rules. It has no count. Pawns stand where they may. */
static inline void draw_position(const char *name, MakrukPosition *position) {
    uint64_t all = 0;
    int is_black = 0;
    memset(position, 0, sizeof *position);
    for (const char *letter = name; *letter && *letter != '.'; letter++) {
        uint64_t square;
        if (*letter == 'v') {
            is_black = 1;
            continue;
        }
        uint64_t squares = *letter == 'P' ? pawn_squares(is_black) : ~UINT64_C(0);
        do square = bit((int)(draw_number() >> 58));
        while ((square & all) || !(square & squares));
        all |= square;
        *(is_black ? &position->black : &position->white) |= square;
        *bits_of_letter(position, *letter) |= square;
    }
    position->side = (uint8_t)(draw_number() >> 63);
}
