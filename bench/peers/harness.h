// What the C versions share: made-up data, timing, results as files.
//
//     ./dot RESULT SIZE...
//
// makes the input of these sizes (the same numbers as data.fut makes), runs the work until its time
// is known, prints the times in microseconds as JSON, and writes the result in Futhark's binary
// format to the file RESULT, with which `norn bench` compares its own.
//
// A program includes this file and defines `make_input`, `work` and `write_result`. What `work` writes
// into is allocated once, in `make_input`: the time is that of the work alone.

#include <inttypes.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void make_input(const int64_t *sizes);
static void work(void);
static void write_result(FILE *file);

// Enough runs for a median, for so long that what else the machine does evens out.
enum { LEAST_RUNS = 10, MOST_RUNS = 1000 };
static const double WARM_UP = 0.2, ENOUGH = 1.0, TOO_LONG = 10.0;

// Numbers that look random: the i-th of the sequence that a seed names.
static inline uint32_t hash_number(uint32_t seed, int64_t i) {
    uint32_t x = (uint32_t)i * 0x9e3779b1u + seed * 0x85ebca77u;
    x = (x ^ (x >> 15)) * 0x2c1b3c6du;
    x = (x ^ (x >> 12)) * 0x297a2d39u;
    return x ^ (x >> 15);
}

// From 0 to 1, without 1. Of 24 bits, so that the conversion is exact.
static inline float hash_unit(uint32_t seed, int64_t i) {
    return (float)(hash_number(seed, i) >> 8) * (1.0f / 16777216.0f);
}

static inline float hash_between(float low, float high, uint32_t seed, int64_t i) {
    return low + hash_unit(seed, i) * (high - low);
}

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

static void *allocate(int64_t bytes) {
    // Whole cache lines and vectors.
    void *memory = aligned_alloc(64, (bytes / 64 + 1) * 64);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    memset(memory, 0, bytes);
    return memory;
}

// The part of 0..n that belongs to a thread.
static inline void thread_range(int64_t n, int64_t *from, int64_t *to) {
    int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    *from = n * thread / threads;
    *to = n * (thread + 1) / threads;
}

// `type` has four characters, such as " f32" or "bool".
static void write_value(FILE *file, const char *type, int rank, const int64_t *shape, const void *data,
                        int64_t element_bytes) {
    int64_t count = 1;
    fputc('b', file);
    fputc(2, file);
    fputc(rank, file);
    fwrite(type, 1, 4, file);
    if (rank > 0) fwrite(shape, sizeof(int64_t), rank, file);
    for (int i = 0; i < rank; i++) count *= shape[i];
    fwrite(data, element_bytes, count, file);
}

static inline void write_vector(FILE *file, const char *type, int64_t n, const void *data, int64_t element_bytes) {
    write_value(file, type, 1, &n, data, element_bytes);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static double time_of_run(void) {
    double start = seconds_now();
    work();
    return seconds_now() - start;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s RESULT SIZE...\n", argv[0]);
        return 1;
    }
    int64_t sizes[8] = {0};
    for (int i = 2; i < argc && i < 10; i++) sizes[i - 2] = atoll(argv[i]);
    make_input(sizes);

    double warm = 0;
    do warm += time_of_run();
    while (warm < WARM_UP);
    static double times[MOST_RUNS];
    int runs = 0;
    double total = 0;
    while (runs < MOST_RUNS && total < TOO_LONG && (runs < LEAST_RUNS || total < ENOUGH)) {
        times[runs] = time_of_run();
        total += times[runs++];
    }
    printf("{\"threads\": %d, \"runtimes\": [", omp_get_max_threads());
    for (int i = 0; i < runs; i++) printf("%s%.1f", i ? ", " : "", times[i] * 1e6);
    printf("]}\n");

    FILE *file = fopen(argv[1], "wb");
    if (file == NULL) {
        perror(argv[1]);
        return 1;
    }
    write_result(file);
    return fclose(file) != 0;
}
