// Bodies that attract one another, each of them all others: one step.

#include "harness.h"
#include <math.h>

static const float SOFTENING = 1e-4f;

static int64_t n;
static float *xs, *ys, *zs, *masses, *new_xs, *new_ys, *new_zs;

static void make_input(const int64_t *sizes) {
    n = sizes[0];
    xs = allocate(n * sizeof *xs);
    ys = allocate(n * sizeof *ys);
    zs = allocate(n * sizeof *zs);
    masses = allocate(n * sizeof *masses);
    new_xs = allocate(n * sizeof *new_xs);
    new_ys = allocate(n * sizeof *new_ys);
    new_zs = allocate(n * sizeof *new_zs);
    for (int64_t i = 0; i < n; i++) {
        xs[i] = hash_between(0, 100, 1, i);
        ys[i] = hash_between(0, 100, 2, i);
        zs[i] = hash_between(0, 100, 3, i);
        masses[i] = hash_between(1, 1000, 4, i);
    }
}

static void work(void) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int64_t j = 0; j < n; j++) {
            float dx = xs[j] - xs[i], dy = ys[j] - ys[i], dz = zs[j] - zs[i];
            float square = dx * dx + dy * dy + dz * dz + SOFTENING;
            float inverse = 1 / sqrtf(square);
            float strength = masses[j] * inverse * inverse * inverse;
            ax += dx * strength;
            ay += dy * strength;
            az += dz * strength;
        }
        new_xs[i] = xs[i] + ax;
        new_ys[i] = ys[i] + ay;
        new_zs[i] = zs[i] + az;
    }
}

static void write_result(FILE *file) {
    write_vector(file, " f32", n, new_xs, sizeof *new_xs);
    write_vector(file, " f32", n, new_ys, sizeof *new_ys);
    write_vector(file, " f32", n, new_zs, sizeof *new_zs);
}
