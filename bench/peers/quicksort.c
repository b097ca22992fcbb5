// Quicksort in place. The smaller side becomes a task for another thread, unless it is too small for
// that; short parts are sorted by insertion.

#include "harness.h"

enum { SHORT = 24, WORTH_A_TASK = 4096 };

static int64_t n;
static int32_t *xs, *sorted;

static void make_input(const int64_t *sizes) {
    n = sizes[0];
    xs = allocate(n * sizeof *xs);
    sorted = allocate(n * sizeof *sorted);
    for (int64_t i = 0; i < n; i++) xs[i] = (int32_t)hash_number(1, i);
}

static void insertion_sort(int32_t *part, int64_t length) {
    for (int64_t i = 1; i < length; i++) {
        int32_t x = part[i];
        int64_t j = i;
        for (; j > 0 && part[j - 1] > x; j--) part[j] = part[j - 1];
        part[j] = x;
    }
}

static inline int32_t median(int32_t a, int32_t b, int32_t c) {
    if (a > b) return a < c ? a : (b > c ? b : c);
    return b < c ? b : (a > c ? a : c);
}

static void quicksort(int32_t *part, int64_t length) {
    while (length > SHORT) {
        int32_t pivot = median(part[0], part[length / 2], part[length - 1]);
        int64_t low = 0, high = length - 1;
        while (low <= high) {
            while (part[low] < pivot) low++;
            while (part[high] > pivot) high--;
            if (low > high) break;
            int32_t x = part[low];
            part[low++] = part[high];
            part[high--] = x;
        }
        // Left is part[..=high], right is part[low..].
        int32_t *smaller = part;
        int64_t smaller_length = high + 1, larger_length = length - low;
        if (smaller_length <= larger_length) {
            part += low;
            length = larger_length;
        } else {
            smaller = part + low;
            length = smaller_length;
            smaller_length = larger_length;
        }
#pragma omp task if (smaller_length > WORTH_A_TASK)
        quicksort(smaller, smaller_length);
    }
    insertion_sort(part, length);
}

static void work(void) {
    memcpy(sorted, xs, n * sizeof *xs);
#pragma omp parallel
#pragma omp single
    quicksort(sorted, n);
}

static void write_result(FILE *file) { write_vector(file, " i32", n, sorted, sizeof *sorted); }
