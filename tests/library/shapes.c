#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "shapes.h"

#define OK(call) do { int code = (call); if (code) { char *e = futhark_context_get_error(ctx); fprintf(stderr, "%s: %d %s\n", #call, code, e ? e : "?"); free(e); exit(1); } } while (0)

int main(void) {
  struct futhark_context_config *cfg = futhark_context_config_new();
  futhark_context_config_set_num_threads(cfg, 4);
  struct futhark_context *ctx = futhark_context_new(cfg);
  assert(!futhark_context_get_error(ctx));
  enum { N = 300000 };
  float *xs = malloc(N * sizeof *xs);
  for (int i = 0; i < N; i++) xs[i] = (float)(i % 7);
  struct futhark_f32_1d *fxs = futhark_new_f32_1d(ctx, xs, N);
  float sum;
  OK(futhark_entry_dot(ctx, &sum, fxs, fxs));
  printf("dot %g\n", sum);

  double a[6] = {1, 2, 3, 4, 5, 6};
  struct futhark_f64_2d *fa = futhark_new_f64_2d(ctx, a, 2, 3), *fb, *fc;
  fb = futhark_new_raw_f64_2d(ctx, futhark_values_raw_f64_2d(ctx, fa), 3, 2);  // the same memory
  OK(futhark_entry_matmul(ctx, &fc, fa, fb));
  double c[4];
  OK(futhark_values_f64_2d(ctx, fc, c));
  const int64_t *shape = futhark_shape_f64_2d(ctx, fc);
  printf("matmul %lldx%lld %g %g %g %g\n", (long long)shape[0], (long long)shape[1], c[0], c[1], c[2], c[3]);
  assert(futhark_entry_matmul(ctx, &fc, fa, fa) == FUTHARK_PROGRAM_ERROR);
  char *error = futhark_context_get_error(ctx);
  printf("%s\n", error);
  free(error);

  int32_t ints[3] = {5, 6, 7}, out[3], one;
  struct futhark_i32_1d *fi = futhark_new_i32_1d(ctx, ints, 3), *alias, *cleared;
  OK(futhark_entry_same(ctx, &alias, fi));
  OK(futhark_entry_clear(ctx, &cleared, fi, 1));  // fi is shared, so it is copied
  OK(futhark_values_i32_1d(ctx, alias, out));
  printf("same %d %d %d\n", out[0], out[1], out[2]);
  OK(futhark_values_i32_1d(ctx, cleared, out));
  printf("clear %d %d %d\n", out[0], out[1], out[2]);
  futhark_free_i32_1d(ctx, fi);
  futhark_free_i32_1d(ctx, cleared);
  OK(futhark_index_i32_1d(ctx, &one, alias, 2));
  assert(one == 7 && futhark_index_i32_1d(ctx, &one, alias, 3));
  free(futhark_context_get_error(ctx));
  struct futhark_i32_1d *again;
  OK(futhark_entry_clear(ctx, &again, alias, 2));  // in place
#ifdef FUTHARK_BACKEND_multicore
  assert(futhark_values_raw_i32_1d(ctx, again) == futhark_values_raw_i32_1d(ctx, alias));
#endif
  futhark_free_i32_1d(ctx, alias);
  assert(futhark_entry_pick(ctx, &one, again, 10) == FUTHARK_PROGRAM_ERROR);
  error = futhark_context_get_error(ctx);
  printf("%s\n", error);
  free(error);
  assert(!futhark_context_get_error(ctx));
  OK(futhark_entry_pick(ctx, &one, again, 0));
  assert(one == 5);
  assert(futhark_entry_clear(ctx, &alias, again, 9) == FUTHARK_PROGRAM_ERROR);
  free(futhark_context_get_error(ctx));
  futhark_free_i32_1d(ctx, again);

  struct futhark_opaque_tup2_f32_arr1d_f32 *stats;
  OK(futhark_entry_stats(ctx, &stats, fxs));
  struct futhark_f32_1d *scan;
  OK(futhark_project_opaque_tup2_f32_arr1d_f32_0(ctx, &sum, stats));
  OK(futhark_project_opaque_tup2_f32_arr1d_f32_1(ctx, &scan, stats));
  float last;
  OK(futhark_index_f32_1d(ctx, &last, scan, N - 1));
  printf("stats %g %g\n", sum, last);
  void *bytes = NULL;
  size_t count;
  OK(futhark_store_opaque_tup2_f32_arr1d_f32(ctx, stats, &bytes, &count));
  futhark_free_opaque_tup2_f32_arr1d_f32(ctx, stats);
  stats = futhark_restore_opaque_tup2_f32_arr1d_f32(ctx, bytes);
  free(bytes);
  futhark_free_f32_1d(ctx, scan);
  OK(futhark_project_opaque_tup2_f32_arr1d_f32_1(ctx, &scan, stats));
  OK(futhark_index_f32_1d(ctx, &last, scan, N - 1));
  printf("restored %g\n", last);
  futhark_free_opaque_tup2_f32_arr1d_f32(ctx, stats);

  struct futhark_opaque_arr1d_point *ps;
  struct futhark_opaque_point *p, *q;
  OK(futhark_entry_points(ctx, &ps, fxs, scan));
  OK(futhark_index_opaque_arr1d_point(ctx, &p, ps, 5));
  float x, y;
  OK(futhark_project_opaque_point_x(ctx, &x, p));
  OK(futhark_project_opaque_point_y(ctx, &y, p));
  printf("point %g %g of %lld\n", x, y, (long long)futhark_shape_opaque_arr1d_point(ctx, ps)[0]);
  OK(futhark_new_opaque_point(ctx, &q, 3, 4));
  futhark_free_opaque_point(ctx, q);
  OK(futhark_entry_centre(ctx, &q, ps));
  futhark_free_opaque_arr1d_point(ctx, ps);
  OK(futhark_zip_opaque_arr1d_point(ctx, &ps, fxs, fxs));
  struct futhark_f32_1d *field;
  OK(futhark_project_opaque_arr1d_point_y(ctx, &field, ps));
  OK(futhark_index_f32_1d(ctx, &last, field, 13));
  printf("zipped %g\n", last);
  futhark_free_f32_1d(ctx, field);
  futhark_free_opaque_arr1d_point(ctx, ps);
  struct futhark_opaque_point *two[] = {p, q};
  OK(futhark_new_opaque_arr1d_point(ctx, &ps, two, 2));
  OK(futhark_set_opaque_arr1d_point(ctx, ps, p, 1));
  OK(futhark_project_opaque_arr1d_point_y(ctx, &field, ps));
  OK(futhark_index_f32_1d(ctx, &last, field, 1));
  printf("both %g of %lld\n", last, (long long)futhark_shape_f32_1d(ctx, field)[0]);
  futhark_free_f32_1d(ctx, field);
  futhark_free_opaque_arr1d_point(ctx, ps);
  futhark_free_opaque_point(ctx, p);
  futhark_free_opaque_point(ctx, q);

  struct futhark_opaque_shape *s, *t;
  OK(futhark_new_opaque_shape_polygon(ctx, &s, fxs, 3));
  OK(futhark_entry_grown(ctx, &t, s));
  float area;
  OK(futhark_entry_area(ctx, &area, t));
  int32_t sides;
  struct futhark_f32_1d *inside;
  OK(futhark_destruct_opaque_shape_polygon(ctx, &inside, &sides, t));
  printf("polygon %d %g %d\n", futhark_variant_opaque_shape(ctx, t), area, sides);
  futhark_free_f32_1d(ctx, inside);
  futhark_free_opaque_shape(ctx, s);
  futhark_free_opaque_shape(ctx, t);
  OK(futhark_new_opaque_shape_circle(ctx, &s, 3));
  OK(futhark_entry_grown(ctx, &t, s));
  OK(futhark_entry_area(ctx, &area, t));
  printf("circle %d %g\n", futhark_variant_opaque_shape(ctx, t), area);
  futhark_free_opaque_shape(ctx, s);
  futhark_free_opaque_shape(ctx, t);

  // Shapes in an array have a type that has no name: their corners are rows of different lengths.
  struct futhark_opaque_a7f9628bd8661145 *elems[3];
  struct futhark_opaque_arr1d_a7f9628bd8661145 *shapes;
  struct futhark_f32_1d *all;
  float areas[3];
  OK(futhark_entry_some(ctx, &shapes, 4));
  OK(futhark_index_opaque_arr1d_a7f9628bd8661145(ctx, &elems[0], shapes, 3));
  OK(futhark_index_opaque_arr1d_a7f9628bd8661145(ctx, &elems[1], shapes, 1));
  OK(futhark_index_opaque_arr1d_a7f9628bd8661145(ctx, &elems[2], shapes, 2));
  futhark_free_opaque_arr1d_a7f9628bd8661145(ctx, shapes);
  OK(futhark_new_opaque_arr1d_a7f9628bd8661145(ctx, &shapes, elems, 3));
  for (int i = 0; i < 2; i++) {
    OK(futhark_entry_areas(ctx, &all, shapes));
    OK(futhark_values_f32_1d(ctx, all, areas));
    futhark_free_f32_1d(ctx, all);
    printf("areas %g %g %g\n", areas[0], areas[1], areas[2]);
    OK(futhark_set_opaque_arr1d_a7f9628bd8661145(ctx, shapes, elems[0], 1));
  }
  assert(futhark_set_opaque_arr1d_a7f9628bd8661145(ctx, shapes, elems[1], 3));
  free(futhark_context_get_error(ctx));
  for (int i = 0; i < 3; i++) futhark_free_opaque_a7f9628bd8661145(ctx, elems[i]);
  futhark_free_opaque_arr1d_a7f9628bd8661145(ctx, shapes);
  OK(futhark_new_opaque_arr1d_a7f9628bd8661145(ctx, &shapes, NULL, 0));
  OK(futhark_entry_areas(ctx, &all, shapes));
  assert(futhark_shape_f32_1d(ctx, all)[0] == 0);
  futhark_free_f32_1d(ctx, all);
  futhark_free_opaque_arr1d_a7f9628bd8661145(ctx, shapes);
  assert(futhark_new_opaque_arr1d_a7f9628bd8661145(ctx, &shapes, elems, -1));
  free(futhark_context_get_error(ctx));

  int64_t *longs = malloc(N * sizeof *longs), n;
  for (int i = 0; i < N; i++) longs[i] = i;
  struct futhark_i64_1d *fl = futhark_new_i64_1d(ctx, longs, N), *evens, *bins;
  for (int i = 0; i < 20; i++) {
    OK(futhark_entry_evens(ctx, &evens, fl));
    n = futhark_shape_i64_1d(ctx, evens)[0];
    futhark_free_i64_1d(ctx, evens);
    OK(futhark_entry_histogram(ctx, &bins, fl));
    futhark_free_i64_1d(ctx, bins);
  }
  printf("evens %lld\n", (long long)n);
  OK(futhark_entry_look(ctx, &n, 7));
  OK(futhark_entry_all_of_it(ctx, &evens));
  printf("look %lld of %lld\n", (long long)n, (long long)futhark_shape_i64_1d(ctx, evens)[0]);
  assert(futhark_entry_look(ctx, &n, 700) == FUTHARK_PROGRAM_ERROR);
  free(futhark_context_get_error(ctx));
  OK(futhark_index_i64_1d(ctx, &n, evens, 99));
  printf("last %lld\n", (long long)n);
  futhark_free_i64_1d(ctx, evens);
  futhark_free_i64_1d(ctx, fl);

  struct futhark_opaque_tup3_bool_u8_f16 *flipped;
  OK(futhark_entry_flip(ctx, &flipped, true, 255, 0x3c00));
  bool b;
  uint8_t u;
  uint16_t h;
  OK(futhark_project_opaque_tup3_bool_u8_f16_0(ctx, &b, flipped));
  OK(futhark_project_opaque_tup3_bool_u8_f16_1(ctx, &u, flipped));
  OK(futhark_project_opaque_tup3_bool_u8_f16_2(ctx, &h, flipped));
  printf("flip %d %d %x\n", b, u, h);
  futhark_free_opaque_tup3_bool_u8_f16(ctx, flipped);

  OK(futhark_entry_depth(ctx, &n, 1000000));
  printf("depth %lld\n", (long long)n);
  struct futhark_opaque_arr2d_i64 *rows, *tail;
  OK(futhark_entry_triangle(ctx, &rows, 6));
  OK(futhark_index_opaque_arr2d_i64(ctx, &n, rows, 5, 4));
  printf("triangle %lld of %lld\n", (long long)n, (long long)futhark_shape_opaque_arr2d_i64(ctx, rows)[0]);
  assert(futhark_index_opaque_arr2d_i64(ctx, &n, rows, 3, 3));
  free(futhark_context_get_error(ctx));
  OK(futhark_entry_tail(ctx, &tail, rows));
  futhark_free_opaque_arr2d_i64(ctx, rows);
  OK(futhark_store_opaque_arr2d_i64(ctx, tail, (bytes = NULL, &bytes), &count));
  rows = futhark_restore_opaque_arr2d_i64(ctx, bytes);
  free(bytes);
  struct futhark_i64_1d *sums;
  OK(futhark_entry_row_sums(ctx, &sums, rows));
  int64_t four[4];
  OK(futhark_values_i64_1d(ctx, sums, four));
  printf("sums %lld %lld %lld %lld\n", (long long)four[0], (long long)four[1], (long long)four[2], (long long)four[3]);
  futhark_free_i64_1d(ctx, sums);
  futhark_free_opaque_arr2d_i64(ctx, rows);
  futhark_free_opaque_arr2d_i64(ctx, tail);
  futhark_free_f32_1d(ctx, scan);
  futhark_free_f32_1d(ctx, fxs);
  futhark_free_f64_2d(ctx, fa);
  futhark_free_f64_2d(ctx, fb);
  futhark_free_f64_2d(ctx, fc);
  free(xs);
  free(longs);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return 0;
}
