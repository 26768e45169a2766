/*
 * Damages tables and probes them: a flipped byte, a file cut short or lengthened, and changed bytes under checksums
 * that were computed anew, as anyone can. Run it under AddressSanitizer.
 *
 *     damage FOLDER WORK NUMBER SEED FILE...
 *
 * FOLDER has the tables; the damaged files go to the folder WORK. Of changes that checksums cover, an answer is the
 * sound one or a failure with a sentence. Of changes under new checksums, any answer but a crash is right.
 */
#include "drawn.h"

#define POSITIONS 400

/* Random legal positions of a material. */
static void draw_positions(const char *name, MakrukPosition *positions) {
    for (int found = 0; found < POSITIONS;) {
        MakrukPosition position;
        draw_position(name, &position);
        position.limit = draw_number() >> 63 ? 64 : 0;
        position.ply = (uint32_t)(draw_number() % 70);
        if (check_position(&position) == MAKRUK_OK) positions[found++] = position;
    }
}

static uint8_t *read_whole(const char *folder, const char *name, size_t *len) {
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) complain(path, "cannot read");
    *len = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = (uint8_t *)malloc(*len + 64);
    if (bytes == NULL || fread(bytes, 1, *len, file) != *len) complain(path, "cannot read");
    fclose(file);
    return bytes;
}

static void write_whole(const char *folder, const char *name, const uint8_t *bytes, size_t len) {
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, len, file) != len || fclose(file) != 0) complain(path, "cannot write");
}

static void put_u32(uint8_t *bytes, uint32_t number) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(number >> (8 * i));
}

/* Computes all checksums anew, as far as the header lets find their places. */
static void seal(const Crc *crc, uint8_t *bytes, size_t len) {
    uint64_t header = u32_at(bytes + 12);
    if (header < 192 || header > len) return;
    /* The list is as long as the bytes before it need. */
    uint64_t chunk = bytes[44] == 12 ? 4096 : 65536;
    uint64_t chunks = (len - header + chunk + 3) / (chunk + 4), list = len - 4 * chunks;
    for (uint64_t i = 0; i < chunks; i++) {
        uint64_t start = header + i * chunk, end = start + chunk < list ? start + chunk : list;
        put_u32(bytes + list + 4 * i, crc32c(crc, bytes + start, end - start));
    }
    put_u32(bytes + 144, crc32c(crc, bytes + list, 4 * chunks));
    put_u32(bytes + header - 4, crc32c(crc, bytes, header - 4));
}

/* Bytes near the beginning decide most; half of the changes go there. */
static size_t place_to_change(size_t len) {
    uint64_t where = draw_number();
    size_t reach = where & 1 ? len : len < 4000 ? len : 4000;
    return (size_t)((where >> 1) % reach);
}

/* Opens the tables and probes; returns the number of failures. */
static int probe_all(const char *folders, const MakrukPosition *positions, const MakrukVerdict *sound, int is_sealed,
                     uint32_t flags) {
    MakrukTables *tables;
    char why[300];
    int failures = 0;
    int32_t result = makruk_open(folders, 20000, flags, &tables, why, sizeof why);
    if (result != MAKRUK_OK) {
        if (*why == 0) complain("a failure to open without a sentence", makruk_result_name(result));
        return 1;
    }
    failures += *why != 0;
    for (int i = 0; i < POSITIONS; i++) {
        MakrukVerdict verdict;
        MakrukRoot root;
        result = makruk_probe(tables, &positions[i], &verdict);
        if (result != MAKRUK_OK) {
            failures++;
            makruk_explain(tables, &positions[i], why, sizeof why);
            if (*why == 0) complain("a failure without a sentence", makruk_result_name(result));
        } else if (!is_sealed && (verdict.dtm != sound[i].dtm || verdict.dtz != sound[i].dtz ||
                                  verdict.category != sound[i].category)) {
            complain("damage", "a wrong verdict");
        }
        for (uint32_t search = 0; search <= MAKRUK_CATEGORY_ONLY; search += MAKRUK_CATEGORY_ONLY) {
            result = makruk_probe_search(tables, &positions[i], search, NULL);
            failures += result < 0 && result != MAKRUK_COUNT_UNDECIDED;
            if (!is_sealed && result > 0 && result != sound[i].category) complain("damage", "a wrong category");
        }
        if (i % 16 == 0) makruk_probe_root(tables, &positions[i], &root);
    }
    if (seed % 4 == 0) makruk_preload(tables, NULL, NULL, NULL);
    makruk_free(tables);
    return failures;
}

int main(int argc, char **argv) {
    if (argc < 6) complain("usage", "damage FOLDER WORK NUMBER SEED FILE...");
    static MakrukPosition positions[POSITIONS];
    static MakrukVerdict sound[POSITIONS];
    static Geometry geometry;
    char folders[2100];
    long number = atol(argv[3]), found = 0, made = 0;
    geometry_init(&geometry);
    seed = strtoull(argv[4], NULL, 10) * 2 + 1;
    /* The damaged table comes first. */
    snprintf(folders, sizeof folders, "%s;%s", argv[2], argv[1]);
    for (int file = 5; file < argc; file++) {
        MakrukTables *tables;
        size_t len;
        uint8_t *bytes = read_whole(argv[1], argv[file], &len);
        draw_positions(argv[file], positions);
        if (makruk_open(argv[1], 1, 0, &tables, NULL, 0) != MAKRUK_OK) complain(argv[1], "no tables");
        for (int i = 0; i < POSITIONS; i++)
            if (makruk_probe(tables, &positions[i], &sound[i]) != MAKRUK_OK) complain(argv[file], "no verdict");
        makruk_free(tables);
        for (long i = 0; i < number; i++) {
            uint8_t *changed = (uint8_t *)malloc(len + 64);
            size_t changed_len = len;
            int is_sealed = (int)(i % 2), kind = (int)(draw_number() % 8), failures;
            if (changed == NULL) complain("memory", "none");
            memcpy(changed, bytes, len);
            if (i == 1) {
                /* The chunks of another metric's tables, which a small table fits as well. */
                changed[44] = changed[44] == 12 ? 16 : 12;
            } else if (kind == 0) {
                changed_len = (size_t)(draw_number() % len);
            } else if (kind == 1) {
                size_t more = 1 + (size_t)(draw_number() % 60);
                memset(changed + len, 0, more);
                changed_len += more;
            } else {
                for (int times = kind < 5 ? 1 : kind; times > 0; times--) {
                    uint8_t change = (uint8_t)(1 + draw_number() % 255);
                    size_t at = place_to_change(len);
                    changed[at] = (uint8_t)(changed[at] ^ (kind % 2 ? change : 1u << (change & 7)));
                }
            }
            if (is_sealed && changed_len > 16) seal(&geometry.crc, changed, changed_len);
            if (changed_len == len && memcmp(changed, bytes, len) == 0) {
                free(changed);
                continue;
            }
            write_whole(argv[2], argv[file], changed, changed_len);
            made++;
            failures = probe_all(folders, positions, sound, is_sealed, draw_number() & 1 ? MAKRUK_POSITIONAL : 0);
            if (i == 1 && failures == 0) complain(argv[file], "chunks of another metric are accepted");
            found += failures > 0;
            free(changed);
        }
        char path[1000];
        snprintf(path, sizeof path, "%s/%s", argv[2], argv[file]);
        remove(path);
        free(bytes);
    }
    printf("%ld damaged tables, %ld found damaged\n", made, found);
    return made > 0 && found > made / 3 ? 0 : 1;
}
