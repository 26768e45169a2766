/*
 * Reads texts as FENs, one per line of standard input. Run it under AddressSanitizer. It fails with a sentence.
 *
 *     fens < LINES             prints the result, the FEN as it is written and the explanation of each text, by tabs
 *     fens NUMBER < LINES      reads NUMBER changed copies of each text, and compares what is read with what is
 *                              written and read again
 */
#include "drawn.h"

#define ROOM 2000

/* A text changed at a few places, in a buffer without a byte to spare. The caller frees it. */
static char *changed(const char *line) {
    static const char *const words[] = {" ", "/", "-", "0", "9", "~", "+", ";", "#", "_", "%20", "\"", "\xef\xbb\xbf", "\xe0\xb9\x91"};
    char text[ROOM + 64];
    size_t len = strlen(line);
    memcpy(text, line, len);
    for (uint64_t changes = 1 + draw_number() % 6; changes > 0; changes--) {
        size_t at = draw_number() % (len + 1), kind = draw_number() % 5;
        if (kind < 2 && len < ROOM) {
            char byte[2] = {(char)(1 + draw_number() % 255), 0};
            const char *word = kind ? words[draw_number() % (sizeof words / sizeof *words)] : byte;
            memmove(text + at + strlen(word), text + at, len - at);
            memcpy(text + at, word, strlen(word));
            len += strlen(word);
        } else if (kind == 2 && at < len) {
            text[at] = (char)(1 + draw_number() % 255);
        } else if (kind == 3 && at < len) {
            size_t cut = 1 + draw_number() % (len - at < 3 ? len - at : 3);
            memmove(text + at, text + at + cut, len - at - cut);
            len -= cut;
        } else if (kind == 4 && draw_number() % 40 == 0 && len < ROOM / 2) {
            memcpy(text + len, text, len);
            len *= 2;
        }
    }
    char *copy = (char *)malloc(len + 1);
    if (copy == NULL) complain(line, "no memory");
    memcpy(copy, text, len);
    copy[len] = 0;
    return copy;
}

static void check(const char *text) {
    char why[3000], again[3000], fen[128], cut[7] = "??????";
    MakrukPosition position, other;
    memset(&position, 0x55, sizeof position);
    memcpy(&other, &position, sizeof position);
    int32_t result = makruk_position_from_fen(text, &position), len = makruk_explain_fen(text, why, sizeof why);
    if (len != (int32_t)strlen(why)) complain(text, "another length of the explanation");
    if (makruk_explain_fen(text, cut, 5) != len || strncmp(cut, why, strlen(cut)) != 0 || cut[5] != '?')
        complain(text, "an explanation that is not cut off");
    if (result != MAKRUK_OK) {
        if (result != MAKRUK_BAD_FEN && result != MAKRUK_BAD_COUNT && result != MAKRUK_ILLEGAL_POSITION)
            complain(text, makruk_result_name(result));
        if (len == 0) complain(text, "no explanation of a failure");
        if (memcmp(&position, &other, sizeof position) != 0) complain(text, "a position changes by a failure");
        return;
    }
    if (makruk_position_to_fen(&position, fen, sizeof fen) < 0) complain(text, "a position that is none");
    if (makruk_position_from_fen(fen, &other) != MAKRUK_OK) complain(fen, "what is written is not read");
    makruk_position_to_fen(&other, again, sizeof again);
    if (strcmp(fen, again) != 0) complain(fen, again);
    makruk_explain_fen(fen, again, sizeof again);
    /* A count that cannot be is noted again; what was meant may be another if its PLY was missing. */
    char *meant = strstr(again, "; if ");
    if (meant != NULL) *meant = 0;
    if (*again && strstr(why, again) == NULL) complain(fen, again);
}

int main(int argc, char **argv) {
    char line[ROOM];
    unsigned long texts = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (argc < 2) {
            char why[3000], fen[128] = "";
            MakrukPosition position;
            int32_t result = makruk_position_from_fen(line, &position);
            if (result == MAKRUK_OK) makruk_position_to_fen(&position, fen, sizeof fen);
            makruk_explain_fen(line, why, sizeof why);
            printf("%s\t%s\t%s\n", makruk_result_name(result), fen, why);
        }
        for (long number = argc < 2 ? 0 : atol(argv[1]); number > 0; number--, texts++) {
            char *text = changed(line);
            check(text);
            free(text);
        }
    }
    if (argc > 1) printf("%lu texts\n", texts);
    return 0;
}
