// How fast this machine reads memory, and how fast it multiplies and adds, with all cores: the roofs of the roofline. Prints both as JSON.

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FLOATS = 1 << 26, LANES = 128, STEPS = 4000000, TRIES = 5 };

static double bytes_per_second(const float *x) {
    double begin = omp_get_wtime();
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int64_t i = 0; i < FLOATS; i++) sum += x[i];
    double end = omp_get_wtime();
    // The sum is used, so that it is computed.
    return sum < 0 ? 0 : sizeof *x * (double)FLOATS / (end - begin);
}

static double operations_per_second(void) {
    double begin = omp_get_wtime();
    float sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        // So many values at once that none waits for the one before it.
        float values[LANES];
        for (int i = 0; i < LANES; i++) values[i] = i;
        for (int step = 0; step < STEPS; step++) {
#pragma omp simd
            for (int i = 0; i < LANES; i++) values[i] = values[i] * 0.999f + 1.0f;
        }
        for (int i = 0; i < LANES; i++) sum += values[i];
    }
    double end = omp_get_wtime();
    return sum < 0 ? 0 : 2.0 * LANES * STEPS * omp_get_max_threads() / (end - begin);
}

int main(void) {
    float *x = malloc(sizeof *x * FLOATS);
    if (x == NULL) return 1;
#pragma omp parallel for
    for (int64_t i = 0; i < FLOATS; i++) x[i] = 1;
    double bytes = 0, operations = 0;
    for (int i = 0; i < TRIES; i++) {
        double next = bytes_per_second(x);
        bytes = next > bytes ? next : bytes;
        next = operations_per_second();
        operations = next > operations ? next : operations;
    }
    printf("{\"bytes\": %.4g, \"operations\": %.4g}\n", bytes, operations);
    free(x);
    return 0;
}
