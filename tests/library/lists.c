// Values of recursive types from outside: handed on, made, taken apart, kept longer than what they were made of, stored and restored.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "lists.h"

#define OK(call) do { int code = (call); if (code) { char *e = futhark_context_get_error(ctx); fprintf(stderr, "%s: %d %s\n", #call, code, e ? e : "?"); free(e); exit(1); } } while (0)

static struct futhark_context *ctx;

typedef struct futhark_opaque_list list;
typedef struct futhark_opaque_rose rose;
typedef struct futhark_opaque_steps steps;

static long long total(list *l) {
  int64_t sum;
  OK(futhark_entry_total(ctx, &sum, l));
  return sum;
}

// The variants are numbered in the order of their names.
enum { CONS, NIL };

static void handed_on(void) {
  list *l, *tail, *pushed;
  OK(futhark_entry_build(ctx, &l, 1000));
  OK(futhark_entry_rest(ctx, &tail, l));
  OK(futhark_entry_push(ctx, &pushed, 7, tail));
  printf("total %lld %lld %lld\n", total(l), total(tail), total(pushed));
  // What it was made of may go.
  OK(futhark_free_opaque_list(ctx, l));
  OK(futhark_free_opaque_list(ctx, tail));
  printf("alone %lld\n", total(pushed));

  list *other, *both, *longer;
  OK(futhark_entry_build(ctx, &other, 10));
  OK(futhark_entry_append(ctx, &both, other, pushed));
  OK(futhark_entry_append(ctx, &longer, both, both));
  printf("append %lld %lld\n", total(both), total(longer));
  // Of two regions, one: cells are copied.
  list *chosen;
  OK(futhark_entry_longer(ctx, &chosen, other, both));
  printf("longer %lld\n", total(chosen));
  OK(futhark_free_opaque_list(ctx, other));
  OK(futhark_free_opaque_list(ctx, both));
  OK(futhark_free_opaque_list(ctx, longer));
  OK(futhark_free_opaque_list(ctx, pushed));
  printf("chosen %lld\n", total(chosen));
  OK(futhark_free_opaque_list(ctx, chosen));
}

static void made_and_taken_apart(void) {
  list *l, *next;
  OK(futhark_new_opaque_list_nil(ctx, &l));
  for (int64_t i = 0; i < 2000; i++) {
    OK(futhark_new_opaque_list_cons(ctx, &next, i, l));
    OK(futhark_free_opaque_list(ctx, l));
    l = next;
  }
  printf("made %lld\n", total(l));
  assert(futhark_destruct_opaque_list_nil(ctx, l) == FUTHARK_PROGRAM_ERROR);
  char *error = futhark_context_get_error(ctx);
  printf("%s\n", error);
  free(error);
  long long sum = 0, count = 0;
  while (futhark_variant_opaque_list(ctx, l) == CONS) {
    int64_t x;
    OK(futhark_destruct_opaque_list_cons(ctx, &x, &next, l));
    OK(futhark_free_opaque_list(ctx, l));
    l = next;
    sum += x;
    count++;
  }
  assert(futhark_variant_opaque_list(ctx, l) == NIL);
  OK(futhark_free_opaque_list(ctx, l));
  printf("taken apart %lld %lld\n", count, sum);
}

static void arrays(void) {
  struct futhark_opaque_arr1d_list *ls, *pushed, *changed;
  struct futhark_i64_1d *sums;
  int64_t values[5];
  OK(futhark_entry_many(ctx, &ls, 5));
  OK(futhark_entry_pushed(ctx, &pushed, 100, ls));
  OK(futhark_entry_totals(ctx, &sums, pushed));
  OK(futhark_values_i64_1d(ctx, sums, values));
  OK(futhark_free_i64_1d(ctx, sums));
  for (int i = 0; i < 5; i++) printf("%lld ", (long long)values[i]);
  printf("\n");
  OK(futhark_free_opaque_arr1d_list(ctx, ls));
  // An element outlives its array.
  list *l, *other;
  OK(futhark_index_opaque_arr1d_list(ctx, &l, pushed, 4));
  OK(futhark_entry_build(ctx, &other, 20));
  // It is consumed, and has cells of two regions then.
  OK(futhark_entry_with_first(ctx, &changed, pushed, other));
  OK(futhark_free_opaque_arr1d_list(ctx, pushed));
  OK(futhark_set_opaque_arr1d_list(ctx, changed, other, 1));
  OK(futhark_entry_totals(ctx, &sums, changed));
  OK(futhark_values_i64_1d(ctx, sums, values));
  OK(futhark_free_i64_1d(ctx, sums));
  for (int i = 0; i < 5; i++) printf("%lld ", (long long)values[i]);
  printf("\n");
  OK(futhark_free_opaque_arr1d_list(ctx, changed));
  list *elems[5] = {l, other, l, other, l};
  OK(futhark_new_opaque_arr1d_list(ctx, &ls, elems, 5));
  OK(futhark_free_opaque_list(ctx, l));
  OK(futhark_free_opaque_list(ctx, other));
  OK(futhark_entry_totals(ctx, &sums, ls));
  OK(futhark_values_i64_1d(ctx, sums, values));
  OK(futhark_free_i64_1d(ctx, sums));
  for (int i = 0; i < 5; i++) printf("%lld ", (long long)values[i]);
  printf("\n");
  OK(futhark_free_opaque_arr1d_list(ctx, ls));
}

static void records(void) {
  list *l, *again;
  struct futhark_opaque_tup2_list_i32 *pair;
  int32_t k;
  OK(futhark_entry_build(ctx, &l, 4));
  OK(futhark_entry_counted(ctx, &pair, l, 41));
  OK(futhark_free_opaque_list(ctx, l));
  OK(futhark_project_opaque_tup2_list_i32_0(ctx, &again, pair));
  OK(futhark_project_opaque_tup2_list_i32_1(ctx, &k, pair));
  OK(futhark_free_opaque_tup2_list_i32(ctx, pair));
  printf("record %lld %d\n", total(again), (int)k);
  OK(futhark_free_opaque_list(ctx, again));
}

static void failures(void) {
  list *l, *bad, *out;
  OK(futhark_entry_build(ctx, &l, 3000));
  OK(futhark_new_opaque_list_cons(ctx, &bad, -1, l));
  for (int i = 0; i < 100; i++) {
    assert(futhark_entry_checked(ctx, &out, bad) == FUTHARK_PROGRAM_ERROR);
    free(futhark_context_get_error(ctx));
  }
  OK(futhark_entry_checked(ctx, &out, l));
  printf("after failures %lld %lld %lld\n", total(l), total(bad), total(out));
  OK(futhark_free_opaque_list(ctx, l));
  OK(futhark_free_opaque_list(ctx, bad));
  OK(futhark_free_opaque_list(ctx, out));
}

// Neither results that are freed nor cells of no use stay in a region for good.
static void many_calls(int count) {
  list *l, *out;
  int64_t sum = 0, all = 0;
  OK(futhark_entry_build(ctx, &l, 1000));
  for (int i = 0; i < count; i++) {
    OK(futhark_entry_push(ctx, &out, i, l));
    OK(futhark_free_opaque_list(ctx, out));
    OK(futhark_entry_scratch(ctx, &sum, l));
    all += sum;
  }
  printf("scratch %lld\n", (long long)all / count);
  // A list that grows, of which only the newest is kept.
  for (int i = 0; i < count; i++) {
    OK(futhark_entry_push(ctx, &out, 1, l));
    OK(futhark_free_opaque_list(ctx, l));
    l = out;
  }
  printf("grown %lld\n", total(l) - count);
  size_t bytes;
  OK(futhark_store_opaque_list(ctx, l, NULL, &bytes));
  printf("only what is needed is stored: %d\n", bytes < 24 * ((size_t)count + 1000));
  OK(futhark_free_opaque_list(ctx, l));
}

static void stored(void) {
  list *l, *again;
  rose *r, *rose_again;
  void *p = NULL;
  size_t n;
  OK(futhark_entry_build(ctx, &l, 5000));
  OK(futhark_store_opaque_list(ctx, l, &p, &n));
  OK(futhark_free_opaque_list(ctx, l));
  again = futhark_restore_opaque_list(ctx, p);
  free(p);
  p = NULL;
  printf("restored %lld\n", total(again));
  assert(!futhark_restore_opaque_list(ctx, "norn2\0something"));
  free(futhark_context_get_error(ctx));
  OK(futhark_free_opaque_list(ctx, again));

  int64_t before, after;
  float weight, weight_again;
  OK(futhark_entry_roses(ctx, &r, 6));
  OK(futhark_entry_leaves(ctx, &before, r));
  OK(futhark_entry_weight(ctx, &weight, r));
  OK(futhark_store_opaque_rose(ctx, r, &p, &n));
  OK(futhark_free_opaque_rose(ctx, r));
  rose_again = futhark_restore_opaque_rose(ctx, p);
  free(p);
  OK(futhark_entry_leaves(ctx, &after, rose_again));
  OK(futhark_entry_weight(ctx, &weight_again, rose_again));
  printf("roses %lld %lld, %g %g; what they share is stored once: %d\n", (long long)before, (long long)after, weight, weight_again, n < 4000);
  OK(futhark_free_opaque_rose(ctx, rose_again));
}

static void arrays_in_cells(void) {
  rose *r, *leaf, *node;
  struct futhark_u8_1d *bytes, *again;
  uint8_t values[4] = {5, 6, 7, 8}, read[4];
  bytes = futhark_new_u8_1d(ctx, values, 4);
  OK(futhark_new_opaque_rose_leaf(ctx, &leaf, 2.5, bytes));
  OK(futhark_free_u8_1d(ctx, bytes));
  OK(futhark_entry_bytes(ctx, &bytes, leaf));
  OK(futhark_values_u8_1d(ctx, bytes, read));
  OK(futhark_free_u8_1d(ctx, bytes));
  printf("bytes %d %d\n", read[0], read[3]);
  double x;
  OK(futhark_destruct_opaque_rose_leaf(ctx, &x, &again, leaf));

  int64_t leaves;
  OK(futhark_entry_roses(ctx, &r, 3));
  int32_t k;
  struct futhark_opaque_arr1d_rose *children, *mixed;
  struct futhark_opaque_arr2d_f32 *rows;
  OK(futhark_destruct_opaque_rose_rose(ctx, &k, &children, &rows, r));
  printf("children %lld of %d\n", (long long)*futhark_shape_opaque_arr1d_rose(ctx, children), (int)k);
  // A node whose children are of two regions.
  rose *elems[3];
  OK(futhark_index_opaque_arr1d_rose(ctx, &elems[0], children, 1));
  elems[1] = leaf;
  elems[2] = r;
  OK(futhark_new_opaque_arr1d_rose(ctx, &mixed, elems, 3));
  OK(futhark_new_opaque_rose_rose(ctx, &node, 9, mixed, rows));
  OK(futhark_free_opaque_rose(ctx, elems[0]));
  OK(futhark_free_opaque_rose(ctx, r));
  OK(futhark_free_opaque_rose(ctx, leaf));
  OK(futhark_free_opaque_arr1d_rose(ctx, children));
  OK(futhark_free_opaque_arr1d_rose(ctx, mixed));
  OK(futhark_free_opaque_arr2d_f32(ctx, rows));
  OK(futhark_entry_leaves(ctx, &leaves, node));
  float weight;
  OK(futhark_entry_weight(ctx, &weight, node));
  OK(futhark_free_opaque_rose(ctx, node));
  // Bytes of a cell that is gone.
  OK(futhark_values_u8_1d(ctx, again, read));
  printf("leaves %lld, weight %g, %g, byte %d\n", (long long)leaves, weight, x, read[2]);
  OK(futhark_free_u8_1d(ctx, again));
}

static void functions(void) {
  steps *none, *one, *two;
  int64_t ks[3] = {1, 2, 3}, x;
  struct futhark_i64_1d *factors = futhark_new_i64_1d(ctx, ks, 3);
  OK(futhark_entry_no_steps(ctx, &none));
  OK(futhark_entry_add_step(ctx, &one, 4, none));
  OK(futhark_entry_scale_step(ctx, &two, factors, one));
  OK(futhark_free_i64_1d(ctx, factors));
  OK(futhark_free_opaque_steps(ctx, none));
  OK(futhark_free_opaque_steps(ctx, one));
  OK(futhark_entry_run(ctx, &x, two, 10));
  void *p = NULL;
  OK(futhark_store_opaque_steps(ctx, two, &p, NULL));
  OK(futhark_free_opaque_steps(ctx, two));
  int64_t again;
  two = futhark_restore_opaque_steps(ctx, p);
  free(p);
  OK(futhark_entry_run(ctx, &again, two, 1));
  printf("functions %lld %lld\n", (long long)x, (long long)again);
  OK(futhark_free_opaque_steps(ctx, two));
}

int main(void) {
  struct futhark_context_config *cfg = futhark_context_config_new();
  futhark_context_config_set_num_threads(cfg, 4);
  ctx = futhark_context_new(cfg);
  assert(!futhark_context_get_error(ctx));
  handed_on();
  made_and_taken_apart();
  arrays();
  records();
  failures();
  many_calls(300);
  stored();
  arrays_in_cells();
  functions();
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
}
