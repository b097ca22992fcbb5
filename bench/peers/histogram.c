// How often each of 1024 numbers occurs. Each thread has bins of its own, which are added in the end.

#include "harness.h"

static int64_t n, bin_count;
static int32_t *numbers, *bins, *private_bins;

static void make_input(const int64_t *sizes) {
    bin_count = sizes[0];
    n = sizes[1];
    numbers = allocate(n * sizeof *numbers);
    bins = allocate(bin_count * sizeof *bins);
    private_bins = allocate(omp_get_max_threads() * bin_count * sizeof *private_bins);
    for (int64_t i = 0; i < n; i++) numbers[i] = hash_number(1, i) % (uint32_t)bin_count;
}

static void work(void) {
#pragma omp parallel
    {
        int32_t *mine = private_bins + omp_get_thread_num() * bin_count;
        memset(mine, 0, bin_count * sizeof *mine);
#pragma omp for
        for (int64_t i = 0; i < n; i++) mine[numbers[i]]++;
#pragma omp for
        for (int64_t b = 0; b < bin_count; b++) {
            int32_t sum = 0;
            for (int t = 0; t < omp_get_num_threads(); t++) sum += private_bins[t * bin_count + b];
            bins[b] = sum;
        }
    }
}

static void write_result(FILE *file) { write_vector(file, " i32", bin_count, bins, sizeof *bins); }
