// A sparse matrix times a vector, in the format of compressed rows. Rows differ much in length, so they
// are handed out a few at a time.

#include "harness.h"

static int64_t n, entry_count;
static int64_t *starts;
static int32_t *columns;
static float *values, *vector, *product;

static void make_input(const int64_t *sizes) {
    n = sizes[0];
    starts = allocate((n + 1) * sizeof *starts);
    for (int64_t i = 0; i < n; i++) {
        uint32_t number = hash_number(1, i);
        starts[i + 1] = starts[i] + ((int64_t)4 << min_i64(16, number == 0 ? 32 : __builtin_clz(number)));
    }
    entry_count = starts[n];
    columns = allocate(entry_count * sizeof *columns);
    values = allocate(entry_count * sizeof *values);
    vector = allocate(n * sizeof *vector);
    product = allocate(n * sizeof *product);
    for (int64_t i = 0; i < entry_count; i++) {
        columns[i] = hash_number(2, i) % (uint32_t)n;
        values[i] = hash_unit(3, i);
    }
    for (int64_t i = 0; i < n; i++) vector[i] = hash_unit(4, i);
}

static void work(void) {
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t j = starts[i]; j < starts[i + 1]; j++) sum += values[j] * vector[columns[j]];
        product[i] = sum;
    }
}

static void write_result(FILE *file) { write_vector(file, " f32", n, product, sizeof *product); }
