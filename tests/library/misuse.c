// Mistakes of callers: each is an error that the context reports, and after all of them the library works.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "misuse.h"

static struct futhark_context *ctx;

// Prints the error of a call that was refused.
static void report(const char *what, int refused) {
  char *error = futhark_context_get_error(ctx);
  printf("%s: %s\n", what, !refused ? "it was accepted" : error ? error : "there is no message");
  free(error);
}

#define REFUSED(what, call) report(what, (call) == FUTHARK_PROGRAM_ERROR)
#define NOTHING(what, call) report(what, !(call))
#define OK(call) do { if (call) { report(#call, 1); exit(1); } } while (0)

static void wrong_arrays(struct futhark_f64_1d *three, struct futhark_f64_1d *two) {
  double number = 0;
  struct futhark_f64_1d *made = NULL;
  struct futhark_i32_2d *matrix;
  int32_t cells[6] = {1, 2, 3, 4, 5, 6};
  puts("arrays");
  NOTHING("a negative length", futhark_new_f64_1d(ctx, &number, -1));
  NOTHING("a length that overflows", futhark_new_f64_1d(ctx, &number, INT64_MAX / 4));
  NOTHING("a product of lengths that overflows", futhark_new_i32_2d(ctx, cells, (int64_t)1 << 40, (int64_t)1 << 40));
  NOTHING("no data", futhark_new_f64_1d(ctx, NULL, 3));
  NOTHING("no data to use in place", futhark_new_raw_f64_1d(ctx, 0, 3));
  matrix = futhark_new_i32_2d(ctx, cells, 2, 3);
  REFUSED("an index behind the end", futhark_index_f64_1d(ctx, &number, three, 3));
  REFUSED("a negative index", futhark_index_f64_1d(ctx, &number, three, -1));
  REFUSED("an index in the wrong dimension", futhark_index_i32_2d(ctx, cells, matrix, 2, 0));
  REFUSED("the index of nothing", futhark_index_f64_1d(ctx, &number, NULL, 0));
  REFUSED("no place for an element", futhark_index_f64_1d(ctx, NULL, three, 0));
  REFUSED("no place for the elements", futhark_values_f64_1d(ctx, three, NULL));
  NOTHING("the shape of nothing", futhark_shape_f64_1d(ctx, NULL));
  REFUSED("the sum of nothing", futhark_entry_total(ctx, &number, NULL));
  REFUSED("no place for a result", futhark_entry_total(ctx, NULL, three));
  REFUSED("a matrix instead of a vector", futhark_entry_total(ctx, &number, (struct futhark_f64_1d *)matrix));
  REFUSED("different lengths", futhark_entry_dot(ctx, &number, three, two));
  REFUSED("the second of two is missing", futhark_entry_dot(ctx, &number, three, NULL));
  made = futhark_new_f64_1d(ctx, NULL, 0);
  REFUSED("the first of no elements", futhark_entry_cleared(ctx, &made, made));
  OK(futhark_values_f64_1d(ctx, made, NULL));
  futhark_free_f64_1d(ctx, made);
  struct futhark_i64_1d *squares;
  REFUSED("a negative number of elements", futhark_entry_squares(ctx, &squares, -5));
  struct futhark_opaque_arr2d_i64 *triangle;
  int64_t element;
  OK(futhark_entry_triangle(ctx, &triangle, 4));
  REFUSED("an index behind the end of a short row", futhark_index_opaque_arr2d_i64(ctx, &element, triangle, 1, 1));
  futhark_free_opaque_arr2d_i64(ctx, triangle);
  futhark_free_i32_2d(ctx, matrix);
}

static void wrong_records(struct futhark_f64_1d *three, struct futhark_f64_1d *two) {
  double number;
  struct futhark_opaque_arr1d_point *points;
  struct futhark_opaque_point *point, *elements[3];
  puts("records");
  REFUSED("no place for a record", futhark_new_opaque_point(ctx, NULL, 1, 2));
  OK(futhark_new_opaque_point(ctx, &point, 3, 4));
  REFUSED("a field of nothing", futhark_project_opaque_point_x(ctx, &number, NULL));
  REFUSED("no place for a field", futhark_project_opaque_point_x(ctx, NULL, point));
  REFUSED("arrays of different lengths", futhark_zip_opaque_arr1d_point(ctx, &points, three, two));
  REFUSED("an array that is missing", futhark_zip_opaque_arr1d_point(ctx, &points, three, NULL));
  elements[0] = elements[2] = point;
  elements[1] = NULL;
  REFUSED("an element that is missing", futhark_new_opaque_arr1d_point(ctx, &points, elements, 3));
  elements[1] = (struct futhark_opaque_point *)three;
  REFUSED("an element of another type", futhark_new_opaque_arr1d_point(ctx, &points, elements, 3));
  REFUSED("no elements", futhark_new_opaque_arr1d_point(ctx, &points, NULL, 3));
  REFUSED("less than no elements", futhark_new_opaque_arr1d_point(ctx, &points, elements, -3));
  elements[1] = point;
  OK(futhark_new_opaque_arr1d_point(ctx, &points, elements, 3));
  REFUSED("an index behind the end", futhark_index_opaque_arr1d_point(ctx, &elements[0], points, 3));
  REFUSED("a change behind the end", futhark_set_opaque_arr1d_point(ctx, points, point, 3));
  REFUSED("a change to nothing", futhark_set_opaque_arr1d_point(ctx, points, NULL, 0));
  REFUSED("an array instead of a record", futhark_entry_length_of(ctx, &number, (struct futhark_opaque_point *)points));
  futhark_free_opaque_arr1d_point(ctx, points);
  futhark_free_opaque_point(ctx, point);
}

static void wrong_constructors(struct futhark_f64_1d *three) {
  double number;
  int64_t first;
  struct futhark_opaque_shape *circle, *polygon;
  struct futhark_opaque_list *nil, *rest;
  struct futhark_f64_1d *sides;
  puts("constructors");
  OK(futhark_new_opaque_shape_circle(ctx, &circle, 2));
  OK(futhark_new_opaque_shape_polygon(ctx, &polygon, three));
  REFUSED("a circle is no polygon", futhark_destruct_opaque_shape_polygon(ctx, &sides, circle));
  REFUSED("a polygon is no circle", futhark_destruct_opaque_shape_circle(ctx, &number, polygon));
  REFUSED("a polygon of nothing", futhark_new_opaque_shape_polygon(ctx, &circle, NULL));
  if (futhark_variant_opaque_shape(ctx, NULL) == -1) report("the constructor of nothing", 1);
  OK(futhark_new_opaque_list_nil(ctx, &nil));
  REFUSED("an empty list has no first element", futhark_destruct_opaque_list_cons(ctx, &first, &rest, nil));
  REFUSED("the rest of a list is missing", futhark_new_opaque_list_cons(ctx, &rest, 1, NULL));
  if (futhark_variant_opaque_list(ctx, NULL) == -1) report("the constructor of no list", 1);
  REFUSED("a shape instead of a list", futhark_entry_sum(ctx, &first, (struct futhark_opaque_list *)circle));
  futhark_free_opaque_list(ctx, nil);
  futhark_free_opaque_shape(ctx, circle);
  futhark_free_opaque_shape(ctx, polygon);
}

// Each byte that is damaged is noticed, whatever it stands for.
static void wrong_bytes(struct futhark_f64_1d *three) {
  struct futhark_opaque_shape *polygon, *again;
  struct futhark_opaque_list *list, *longer;
  void *stored = NULL;
  size_t count, damaged = 0;
  double area;
  int64_t sum;
  puts("bytes");
  OK(futhark_new_opaque_shape_polygon(ctx, &polygon, three));
  REFUSED("nothing is stored", futhark_store_opaque_shape(ctx, NULL, &stored, &count));
  NOTHING("nothing is restored", futhark_restore_opaque_shape(ctx, NULL));
  NOTHING("other bytes", futhark_restore_opaque_shape(ctx, "another file"));
  OK(futhark_store_opaque_shape(ctx, polygon, &stored, &count));
  NOTHING("a value of another type", futhark_restore_opaque_list(ctx, stored));
  for (size_t i = 0; i < count; i++) {
    ((unsigned char *)stored)[i] ^= 0x41;
    again = futhark_restore_opaque_shape(ctx, stored);
    ((unsigned char *)stored)[i] ^= 0x41;
    damaged += !again;
    free(futhark_context_get_error(ctx));
    futhark_free_opaque_shape(ctx, again);
  }
  printf("%s damaged bytes of a polygon are noticed\n", damaged == count ? "all" : "not all");
  again = futhark_restore_opaque_shape(ctx, stored);
  OK(futhark_entry_area(ctx, &area, again));
  futhark_free_opaque_shape(ctx, again);
  futhark_free_opaque_shape(ctx, polygon);
  free(stored);

  OK(futhark_new_opaque_list_nil(ctx, &list));
  for (int64_t i = 0; i < 10; i++) {
    OK(futhark_entry_push(ctx, &longer, i, list));
    futhark_free_opaque_list(ctx, list);
    list = longer;
  }
  stored = NULL;
  damaged = 0;
  OK(futhark_store_opaque_list(ctx, list, &stored, &count));
  for (size_t i = 0; i < count; i++) {
    ((unsigned char *)stored)[i] ^= 0x80;
    longer = futhark_restore_opaque_list(ctx, stored);
    ((unsigned char *)stored)[i] ^= 0x80;
    damaged += !longer;
    free(futhark_context_get_error(ctx));
    futhark_free_opaque_list(ctx, longer);
  }
  printf("%s damaged bytes of a list are noticed\n", damaged == count ? "all" : "not all");
  longer = futhark_restore_opaque_list(ctx, stored);
  OK(futhark_entry_sum(ctx, &sum, longer));
  printf("%g %d\n", area, (int)sum);
  futhark_free_opaque_list(ctx, longer);
  futhark_free_opaque_list(ctx, list);
  free(stored);
}

// A configuration belongs to one context; what cannot be a context can only be freed.
static void wrong_contexts(struct futhark_context_config *cfg) {
  double data[] = {1, 2, 3};
  struct futhark_context *first = ctx;
  puts("contexts");
  printf("no tuning parameter: %d\n", futhark_context_config_set_tuning_param(cfg, "nothing", 1));
  printf("there are as many: %d\n", !futhark_get_tuning_param_name(-1) && !futhark_get_tuning_param_name(futhark_get_tuning_param_count()));
  ctx = futhark_context_new(cfg);
  NOTHING("an array in no context", futhark_new_f64_1d(ctx, data, 3));
  NOTHING("an array after an error", futhark_new_f64_1d(ctx, data, 3));
  report("no context to wait for", futhark_context_sync(ctx));
  futhark_context_free(ctx);
  ctx = first;
}

#ifndef FUTHARK_BACKEND_multicore
// A file of compiled kernels that is not there.
static void wrong_kernels(struct futhark_context_config *cfg) {
  struct futhark_context *first = ctx;
  futhark_context_config_set_unified_memory(cfg, 0);
#ifdef FUTHARK_BACKEND_opencl
  futhark_context_config_load_binary_from(cfg, "/nowhere/kernels");
#else
  futhark_context_config_load_ptx_from(cfg, "/nowhere/kernels");
#endif
  ctx = futhark_context_new(cfg);
  char *error = futhark_context_get_error(ctx);
  assert(error && strstr(error, "/nowhere/kernels"));
  free(error);
  futhark_context_free(ctx);
  ctx = first;
}
#endif

int main(void) {
  double data[] = {1, 2, 3}, number;
  struct futhark_context_config *cfg = futhark_context_config_new();
  futhark_context_config_set_num_threads(cfg, -3);
  ctx = futhark_context_new(cfg);
  struct futhark_f64_1d *three = futhark_new_f64_1d(ctx, data, 3), *two = futhark_new_f64_1d(ctx, data, 2);
  wrong_arrays(three, two);
  wrong_records(three, two);
  wrong_constructors(three);
  wrong_bytes(three);
  wrong_contexts(cfg);
  OK(futhark_entry_dot(ctx, &number, three, three));
  printf("%g\n", number);
  futhark_free_f64_1d(ctx, two);
  futhark_free_f64_1d(ctx, three);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
#ifndef FUTHARK_BACKEND_multicore
  cfg = futhark_context_config_new();
  wrong_kernels(cfg);
  futhark_context_config_free(cfg);
#endif
}
