// The convex hull of points in the plane: the points beyond a line are split by the one that is
// farthest from it, and both sides are done at the same time. The pass over many points is parallel too:
// chunks are counted, then packed.

#include "harness.h"
#include <float.h>

enum { CHUNK = 65536, WORTH_A_TASK = 8192 };

typedef struct {
    double x, y;
} point;

typedef struct {
    point *points;
    int64_t length;
} point_list;

static int64_t n;
static double *hull_xs, *hull_ys;
static point *points;
static point_list hull;

static void make_input(const int64_t *sizes) {
    const double radius = 8388608;
    n = sizes[0];
    points = allocate(n * sizeof *points);
    hull_xs = allocate(n * sizeof *hull_xs);
    hull_ys = allocate(n * sizeof *hull_ys);
    for (int64_t i = 0; i < n; i++) {
        double x = (hash_number(1, i) >> 8) - radius, y = (hash_number(2, i) >> 8) - radius;
        bool is_inside = x * x + y * y <= radius * radius;
        points[i] = is_inside ? (point){x, y} : (point){x / 2, y / 2};
    }
}

// Twice the area of a triangle: positive if `p` is to the left of the way from `a` to `b`.
static inline double area(point a, point b, point p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// What a chunk has beyond the line.
typedef struct {
    int64_t count;
    double farthest_area;
    point farthest;
} chunk_summary;

static chunk_summary summarise(const point *part, int64_t length, point a, point b) {
    chunk_summary found = {0, 0, a};
    for (int64_t i = 0; i < length; i++) {
        double size = area(a, b, part[i]);
        found.count += size > 0;
        if (size > found.farthest_area) found.farthest_area = size, found.farthest = part[i];
    }
    return found;
}

// Writing always and advancing sometimes is without branches that nobody could predict.
static void pack(const point *part, point a, point b, point *to, const point *end) {
    for (int64_t i = 0; to < end; i++) {
        *to = part[i];
        to += area(a, b, part[i]) > 0;
    }
}

static point_list new_list(int64_t length) {
    point_list list = {malloc((length + 1) * sizeof(point)), length};
    if (list.points == NULL) abort();
    return list;
}

// The points beyond a line, and the farthest of them.
static point_list points_beyond(point_list all, point a, point b, point *farthest) {
    int64_t chunks = (all.length + CHUNK - 1) / CHUNK;
    chunk_summary *found = malloc((chunks + 1) * sizeof *found);
    if (found == NULL) abort();
#pragma omp taskloop if (chunks > 1) grainsize(1)
    for (int64_t c = 0; c < chunks; c++)
        found[c] = summarise(all.points + c * CHUNK, min_i64(CHUNK, all.length - c * CHUNK), a, b);
    int64_t total = 0;
    double farthest_area = 0;
    for (int64_t c = 0; c < chunks; c++) {
        int64_t count = found[c].count;
        found[c].count = total;
        total += count;
        if (found[c].farthest_area > farthest_area) farthest_area = found[c].farthest_area, *farthest = found[c].farthest;
    }
    found[chunks].count = total;
    point_list beyond = new_list(total);
#pragma omp taskloop if (chunks > 1) grainsize(1)
    for (int64_t c = 0; c < chunks; c++)
        pack(all.points + c * CHUNK, a, b, beyond.points + found[c].count, beyond.points + found[c + 1].count);
    free(found);
    return beyond;
}

static point_list joined(point_list first, point_list second) {
    point_list both = new_list(first.length + second.length);
    memcpy(both.points, first.points, first.length * sizeof(point));
    memcpy(both.points + first.length, second.points, second.length * sizeof(point));
    free(first.points);
    free(second.points);
    return both;
}

// The part of the hull to the left of the way from `a` to `b`, with `a` and without `b`.
static point_list hull_beyond(point_list all, point a, point b) {
    point farthest;
    point_list beyond = points_beyond(all, a, b, &farthest);
    if (beyond.length < 2) {
        point_list part = new_list(beyond.length + 1);
        part.points[0] = a;
        if (beyond.length == 1) part.points[1] = beyond.points[0];
        free(beyond.points);
        return part;
    }
    point_list first, second;
#pragma omp task shared(first) if (beyond.length > WORTH_A_TASK)
    first = hull_beyond(beyond, a, farthest);
    second = hull_beyond(beyond, farthest, b);
#pragma omp taskwait
    free(beyond.points);
    return joined(first, second);
}

// A point with the least (sign 1) or greatest (sign -1) coordinate x.
static point extreme(double sign) {
    double least = DBL_MAX;
    int64_t at = 0;
#pragma omp parallel
    {
        int64_t from, to, my_at = 0;
        double my_least = DBL_MAX;
        thread_range(n, &from, &to);
        for (int64_t i = from; i < to; i++) {
            if (sign * points[i].x < my_least) my_least = sign * points[i].x, my_at = i;
        }
#pragma omp critical
        if (my_least < least || (my_least == least && my_at < at)) least = my_least, at = my_at;
    }
    return points[at];
}

static void work(void) {
    point left = extreme(1), right = extreme(-1);
    point_list all = {points, n};
    free(hull.points);
#pragma omp parallel
#pragma omp single
    {
        point_list first, second;
#pragma omp task shared(first)
        first = hull_beyond(all, left, right);
        second = hull_beyond(all, right, left);
#pragma omp taskwait
        hull = joined(first, second);
    }
    for (int64_t i = 0; i < hull.length; i++) hull_xs[i] = hull.points[i].x, hull_ys[i] = hull.points[i].y;
}

static void write_result(FILE *file) {
    write_vector(file, " f64", hull.length, hull_xs, sizeof *hull_xs);
    write_vector(file, " f64", hull.length, hull_ys, sizeof *hull_ys);
}
