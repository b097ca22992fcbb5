// A step of k-means clustering: points are given to the nearest centre, and centres move to the mean of
// their points. Each thread has sums of its own.

#include "harness.h"
#include <math.h>

static int64_t n, k, d;
static float *points, *centres, *new_centres, *private_sums;
static int32_t *private_counts;

static void make_input(const int64_t *sizes) {
    k = sizes[0];
    d = sizes[1];
    n = sizes[2];
    points = allocate(n * d * sizeof *points);
    centres = allocate(k * d * sizeof *centres);
    new_centres = allocate(k * d * sizeof *new_centres);
    private_sums = allocate(omp_get_max_threads() * k * d * sizeof *private_sums);
    private_counts = allocate(omp_get_max_threads() * k * sizeof *private_counts);
    for (int64_t i = 0; i < n * d; i++) points[i] = hash_unit(1, i);
    memcpy(centres, points, k * d * sizeof *centres);
}

static inline int64_t nearest(const float *point) {
    int64_t best = -1;
    float least = INFINITY;
    for (int64_t c = 0; c < k; c++) {
        float distance = 0;
#pragma omp simd reduction(+ : distance)
        for (int64_t j = 0; j < d; j++) {
            float difference = point[j] - centres[c * d + j];
            distance += difference * difference;
        }
        if (distance < least) least = distance, best = c;
    }
    return best;
}

static void work(void) {
#pragma omp parallel
    {
        float *sums = private_sums + omp_get_thread_num() * k * d;
        int32_t *counts = private_counts + omp_get_thread_num() * k;
        memset(sums, 0, k * d * sizeof *sums);
        memset(counts, 0, k * sizeof *counts);
#pragma omp for
        for (int64_t i = 0; i < n; i++) {
            const float *point = points + i * d;
            int64_t owner = nearest(point);
            counts[owner]++;
            for (int64_t j = 0; j < d; j++) sums[owner * d + j] += point[j];
        }
#pragma omp for
        for (int64_t c = 0; c < k; c++) {
            int32_t count = 0;
            for (int t = 0; t < omp_get_num_threads(); t++) count += private_counts[t * k + c];
            for (int64_t j = 0; j < d; j++) {
                float sum = 0;
                for (int t = 0; t < omp_get_num_threads(); t++) sum += private_sums[(t * k + c) * d + j];
                new_centres[c * d + j] = count == 0 ? centres[c * d + j] : sum / (float)count;
            }
        }
    }
}

static void write_result(FILE *file) {
    int64_t shape[] = {k, d};
    write_value(file, " f32", 2, shape, new_centres, sizeof *new_centres);
}
