/*
 * Probes the same tables from many threads, with a stripe cache of few places, and compares with one thread's answers.
 * Run it under ThreadSanitizer.
 *
 *     threads FOLDERS mapped|positional THREADS < FENS
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "makruk_tb.h"

#define MOST 20000
#define MOST_THREADS 16

static MakrukTables *tables;
static MakrukPosition positions[MOST];
static int32_t expected[MOST];
static size_t count;

static void *probe_all(void *argument) {
    size_t start = *(const size_t *)argument, wrong = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = (start + i) % count;
        uint32_t flags = i % 5 == 0 ? MAKRUK_IN_MEMORY : 0;
        int32_t found = makruk_probe_search(tables, &positions[at], flags, NULL);
        wrong += found != expected[at] && !(flags && found == MAKRUK_NOT_IN_MEMORY);
        if (start == 0 && i == count / 2) wrong += makruk_preload(tables, "3", NULL, NULL) != MAKRUK_OK;
    }
    return wrong ? tables : NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[MOST_THREADS];
    size_t starts[MOST_THREADS], wrong = 0;
    char line[400];
    if (argc != 4 || atoi(argv[3]) < 1 || atoi(argv[3]) > MOST_THREADS) return 2;
    size_t wanted = (size_t)atoi(argv[3]);
    uint32_t flags = strcmp(argv[2], "positional") == 0 ? MAKRUK_POSITIONAL : 0;
    while (count < MOST && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (makruk_position_from_fen(line, &positions[count]) == MAKRUK_OK) count++;
    }
    if (count == 0 || makruk_open(argv[1], 1, flags, &tables, NULL, 0) != MAKRUK_OK) return 2;
    for (size_t i = 0; i < count; i++) expected[i] = makruk_probe_search(tables, &positions[i], 0, NULL);
    makruk_free(tables);
    if (makruk_open(argv[1], 10000, flags, &tables, NULL, 0) != MAKRUK_OK) return 2;
    for (size_t i = 0; i < wanted; i++) {
        starts[i] = i * count / wanted;
        if (pthread_create(&threads[i], NULL, probe_all, &starts[i]) != 0) return 2;
    }
    for (size_t i = 0; i < wanted; i++) {
        void *result;
        pthread_join(threads[i], &result);
        wrong += result != NULL;
    }
    makruk_free(tables);
    printf("%lu positions, %lu threads\n", (unsigned long)count, (unsigned long)wanted);
    return wrong ? 1 : 0;
}
