// For each point of a part of the plane, after how many steps it is known not to belong to
// Mandelbrot's set.
//
// Rounding decides for a few points, so that products must be rounded before they are added.
// flags: -ffp-contract=off

#include "harness.h"

static int64_t height, width;
static int32_t limit, *counts;

static void make_input(const int64_t *sizes) {
    height = sizes[0];
    width = sizes[1];
    limit = sizes[2];
    counts = allocate(height * width * sizeof *counts);
}

static inline int32_t steps(float a, float b) {
    float x = 0, y = 0;
    int32_t i = 0;
    while (i < limit && x * x + y * y < 4) {
        float next = x * x - y * y + a;
        y = 2 * x * y + b;
        x = next;
        i++;
    }
    return i;
}

static void work(void) {
    float dx = 3.0f / (float)width, dy = 2.5f / (float)height;
#pragma omp parallel for schedule(dynamic, 4)
    for (int64_t i = 0; i < height; i++) {
        for (int64_t j = 0; j < width; j++) counts[i * width + j] = steps(-2.25f + j * dx, -1.25f + i * dy);
    }
}

static void write_result(FILE *file) {
    int64_t shape[] = {height, width};
    write_value(file, " i32", 2, shape, counts, sizeof *counts);
}
