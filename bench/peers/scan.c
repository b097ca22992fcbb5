// The sums of all prefixes, in two passes: each thread sums its part, then, knowing the sum of
// what comes before, writes the prefixes.

#include "harness.h"

static int64_t n;
static float *xs, *prefixes, *part_sums;

static void make_input(const int64_t *sizes) {
    n = sizes[0];
    xs = allocate(n * sizeof *xs);
    prefixes = allocate(n * sizeof *prefixes);
    part_sums = allocate(omp_get_max_threads() * sizeof *part_sums);
    for (int64_t i = 0; i < n; i++) xs[i] = hash_unit(1, i);
}

static void work(void) {
#pragma omp parallel
    {
        int64_t from, to;
        thread_range(n, &from, &to);
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t i = from; i < to; i++) sum += xs[i];
        part_sums[omp_get_thread_num()] = sum;
#pragma omp barrier
        float prefix = 0;
        for (int t = 0; t < omp_get_thread_num(); t++) prefix += part_sums[t];
        for (int64_t i = from; i < to; i++) {
            prefix += xs[i];
            prefixes[i] = prefix;
        }
    }
}

static void write_result(FILE *file) { write_vector(file, " f32", n, prefixes, sizeof *prefixes); }
