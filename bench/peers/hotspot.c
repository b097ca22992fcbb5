// How heat spreads over a chip whose cells give off power: many small steps of time, in which each
// cell looks at its four neighbours. Beyond the edge it is as warm as at the edge.

#include "harness.h"

static const float TO_NEIGHBOUR = 0.1f, TO_SURROUNDINGS = 0.001f, SURROUNDINGS = 80, WARMING = 0.5f;

static int64_t n, steps;
static float *start, *power, *buffers[2];
static const float *result;

static void make_input(const int64_t *sizes) {
    steps = sizes[0];
    n = sizes[1];
    start = allocate(n * n * sizeof *start);
    power = allocate(n * n * sizeof *power);
    for (int b = 0; b < 2; b++) buffers[b] = allocate(n * n * sizeof *buffers[b]);
    for (int64_t i = 0; i < n * n; i++) start[i] = hash_between(70, 90, 1, i), power[i] = hash_unit(2, i);
}

static inline float next(float here, float north, float south, float west, float east, float power) {
    return here + TO_NEIGHBOUR * (north + south + west + east - 4 * here) +
           TO_SURROUNDINGS * (SURROUNDINGS - here) + WARMING * power;
}

static void step(const float *restrict from, float *restrict to) {
#pragma omp for
    for (int64_t i = 0; i < n; i++) {
        const float *here = from + i * n, *watts = power + i * n;
        const float *north = from + max_i64(0, i - 1) * n, *south = from + min_i64(n - 1, i + 1) * n;
        float *out = to + i * n;
        int64_t last = n - 1;
        out[0] = next(here[0], north[0], south[0], here[0], here[min_i64(1, last)], watts[0]);
        for (int64_t j = 1; j < last; j++)
            out[j] = next(here[j], north[j], south[j], here[j - 1], here[j + 1], watts[j]);
        out[last] = next(here[last], north[last], south[last], here[max_i64(0, last - 1)], here[last], watts[last]);
    }
}

static void work(void) {
    result = steps == 0 ? start : buffers[(steps - 1) % 2];
#pragma omp parallel
    for (int64_t s = 0; s < steps; s++) step(s == 0 ? start : buffers[(s + 1) % 2], buffers[s % 2]);
}

static void write_result(FILE *file) {
    int64_t shape[] = {n, n};
    write_value(file, " f32", 2, shape, result, sizeof *result);
}
