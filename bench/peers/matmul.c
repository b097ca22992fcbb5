// The product of two matrices, in the order in which all accesses are along rows.

#include "harness.h"

static int64_t n;
static float *a, *b, *c;

static void make_input(const int64_t *sizes) {
    n = sizes[0];
    a = allocate(n * n * sizeof *a);
    b = allocate(n * n * sizeof *b);
    c = allocate(n * n * sizeof *c);
    for (int64_t i = 0; i < n * n; i++) a[i] = hash_unit(1, i), b[i] = hash_unit(2, i);
}

static void work(void) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        float *restrict row = c + i * n;
        memset(row, 0, n * sizeof *row);
        for (int64_t k = 0; k < n; k++) {
            float x = a[i * n + k];
            const float *restrict other = b + k * n;
            for (int64_t j = 0; j < n; j++) row[j] += x * other[j];
        }
    }
}

static void write_result(FILE *file) {
    int64_t shape[] = {n, n};
    write_value(file, " f32", 2, shape, c, sizeof *c);
}
