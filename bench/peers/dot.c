// The dot product of two vectors.

#include "harness.h"

static int64_t n;
static float *xs, *ys, product;

static void make_input(const int64_t *sizes) {
    n = sizes[0];
    xs = allocate(n * sizeof *xs);
    ys = allocate(n * sizeof *ys);
    for (int64_t i = 0; i < n; i++) xs[i] = hash_unit(1, i), ys[i] = hash_unit(2, i);
}

static void work(void) {
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int64_t i = 0; i < n; i++) sum += xs[i] * ys[i];
    product = sum;
}

static void write_result(FILE *file) { write_value(file, " f32", 0, NULL, &product, sizeof product); }
