// Sorting by digits of eight bits, from the least significant on. In a pass each thread counts the
// digits in its part; from the counts follows where it may write its elements.

#include "harness.h"

enum { DIGITS = 256 };

static int64_t n;
static uint32_t *xs, *buffers[2];
static int64_t (*counts)[DIGITS];

static void make_input(const int64_t *sizes) {
    n = sizes[0];
    xs = allocate(n * sizeof *xs);
    for (int b = 0; b < 2; b++) buffers[b] = allocate(n * sizeof *buffers[b]);
    counts = allocate(omp_get_max_threads() * sizeof *counts);
    for (int64_t i = 0; i < n; i++) xs[i] = hash_number(1, i);
}

static void pass(int shift, const uint32_t *restrict from, uint32_t *restrict to) {
    int64_t begin, end;
    thread_range(n, &begin, &end);
    int64_t *mine = counts[omp_get_thread_num()];
    memset(mine, 0, sizeof *counts);
    for (int64_t i = begin; i < end; i++) mine[(from[i] >> shift) & (DIGITS - 1)]++;
#pragma omp barrier
#pragma omp single
    {
        int64_t place = 0;
        for (int d = 0; d < DIGITS; d++) {
            for (int t = 0; t < omp_get_num_threads(); t++) {
                int64_t count = counts[t][d];
                counts[t][d] = place;
                place += count;
            }
        }
    }
    for (int64_t i = begin; i < end; i++) to[mine[(from[i] >> shift) & (DIGITS - 1)]++] = from[i];
#pragma omp barrier
}

static void work(void) {
#pragma omp parallel
    for (int p = 0; p < 4; p++) pass(8 * p, p == 0 ? xs : buffers[(p + 1) % 2], buffers[p % 2]);
}

static void write_result(FILE *file) { write_vector(file, " u32", n, buffers[1], sizeof *buffers[1]); }
