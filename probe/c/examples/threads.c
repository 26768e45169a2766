/*
 * Probes the positions of a file from several threads at once, and prints the number per second.
 *
 *     ./threads FOLDER POSITIONS THREADS
 *
 * POSITIONS is a file of FENs, one a line. All threads must find the same.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "makruk_probe.h"

enum { ROUNDS = 3, MOST_THREADS = 64 };

static const MakrukTables *tables;
static MakrukPosition *positions;
static size_t count;

typedef struct {
    pthread_t thread;
    unsigned long found[MAKRUK_WIN + 1];
    int32_t failed;
} Worker;

static void *work(void *argument) {
    Worker *worker = argument;
    memset(worker->found, 0, sizeof worker->found);
    worker->failed = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t category = makruk_probe_category(tables, &positions[i]);
        if (category < 0) {
            worker->failed = category;
            break;
        }
        worker->found[category]++;
    }
    return NULL;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    static Worker workers[MOST_THREADS];
    MakrukTables *opened = NULL;
    char line[256];
    size_t room = 0;
    double best = 0;
    int threads = argc == 4 ? atoi(argv[3]) : 0;
    if (threads < 1 || threads > MOST_THREADS) {
        fprintf(stderr, "usage: threads FOLDER POSITIONS THREADS\n");
        return 2;
    }
    int32_t result = makruk_open(argv[1], 0, 0, &opened, NULL, 0);
    FILE *file = fopen(argv[2], "r");
    if (result != MAKRUK_OK || file == NULL) {
        if (file == NULL) perror(argv[2]);
        if (result != MAKRUK_OK) fprintf(stderr, "%s: %s\n", argv[1], makruk_result_name(result));
        return 1;
    }
    tables = opened;
    while (fgets(line, sizeof line, file) != NULL) {
        if (count == room) {
            room = room ? 2 * room : 1024;
            positions = realloc(positions, room * sizeof *positions);
            if (positions == NULL) return 1;
        }
        line[strcspn(line, "\n")] = 0;
        if (makruk_position_from_fen(line, &positions[count]) != MAKRUK_OK) {
            fprintf(stderr, "%s: \"%s\" is not a position\n", argv[2], line);
            return 1;
        }
        count++;
    }
    fclose(file);
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int i = 0; i < threads; i++) {
            if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) return 1;
        }
        for (int i = 0; i < threads; i++) pthread_join(workers[i].thread, NULL);
        double rate = (double)threads * (double)count / (now() - start);
        if (rate > best) best = rate;
        for (int i = 0; i < threads; i++) {
            if (workers[i].failed || memcmp(workers[i].found, workers[0].found, sizeof workers[0].found) != 0) {
                fprintf(stderr, "threads differ: %s\n", makruk_result_name(workers[i].failed));
                return 1;
            }
        }
    }
    printf("%lu positions, categories from loss to win %lu %lu %lu %lu %lu\n", (unsigned long)count,
           workers[0].found[1], workers[0].found[2], workers[0].found[3], workers[0].found[4], workers[0].found[5]);
    printf("%d threads: %.3f million a second\n", threads, best / 1e6);
    free(positions);
    makruk_free(opened);
    return 0;
}
