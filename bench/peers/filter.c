// The elements below a half, in two passes: each thread counts in its part, then, knowing how many come
// before, writes.

#include "harness.h"

static int64_t n, kept_count;
static int64_t *part_counts;
static float *xs, *kept;

static void make_input(const int64_t *sizes) {
    n = sizes[0];
    xs = allocate(n * sizeof *xs);
    kept = allocate(n * sizeof *kept);
    part_counts = allocate(omp_get_max_threads() * sizeof *part_counts);
    for (int64_t i = 0; i < n; i++) xs[i] = hash_unit(1, i);
}

static void work(void) {
#pragma omp parallel
    {
        int64_t from, to, count = 0;
        thread_range(n, &from, &to);
        for (int64_t i = from; i < to; i++) count += xs[i] < 0.5f;
        part_counts[omp_get_thread_num()] = count;
#pragma omp barrier
        int64_t at = 0;
        for (int t = 0; t < omp_get_thread_num(); t++) at += part_counts[t];
        int64_t end = at + count;
        // Writing always and advancing sometimes is without branches that nobody could predict.
        for (int64_t i = from; at < end; i++) {
            kept[at] = xs[i];
            at += xs[i] < 0.5f;
        }
        if (omp_get_thread_num() == omp_get_num_threads() - 1) kept_count = end;
    }
}

static void write_result(FILE *file) { write_vector(file, " f32", kept_count, kept, sizeof *kept); }
