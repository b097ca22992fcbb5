// Tunables, profiles and the log of a library. Libraries for the processor have no tunables.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuned.h"

#define N 40
#define M 300

static int64_t data[N][M];

// How often a text contains another.
static int occurrences(const char *text, const char *part) {
  int count = 0;
  while ((text = strstr(text, part))) text += strlen(part), count++;
  return count;
}

// The kernels that ran, each as often as it was launched.
static int events(struct futhark_context *ctx) {
  char *report = futhark_context_report(ctx);
  assert(report && !strncmp(report, "{\"memory\":{\"host\":", 18));
  int count = occurrences(report, "\"duration\":");
  assert(count == occurrences(report, "\"provenance\":\"tuned.fut:"));
  free(report);
  return count;
}

static void call(struct futhark_context *ctx) {
  struct futhark_i64_2d *xss = futhark_new_i64_2d(ctx, &data[0][0], N, M), *sums;
  struct futhark_i64_1d *large;
  struct futhark_opaque_tup2_arr2d_i64_arr1d_i64 *both;
  assert(!futhark_entry_rows(ctx, &both, xss));
  assert(!futhark_project_opaque_tup2_arr2d_i64_arr1d_i64_0(ctx, &sums, both));
  assert(!futhark_project_opaque_tup2_arr2d_i64_arr1d_i64_1(ctx, &large, both));
  int64_t *found = malloc(sizeof data);
  assert(!futhark_values_i64_2d(ctx, sums, found));
  assert(!futhark_context_sync(ctx));
  for (int i = 0; i < N; i++)
    for (int64_t j = 0, sum = 0; j < M; j++) {
      sum += data[i][j];
      assert(found[i * M + j] == sum * data[i][M - 1]);
    }
  assert(futhark_shape_i64_1d(ctx, large)[0] == N - 1);
  free(found);
  futhark_free_i64_2d(ctx, xss);
  futhark_free_i64_2d(ctx, sums);
  futhark_free_i64_1d(ctx, large);
  futhark_free_opaque_tup2_arr2d_i64_arr1d_i64(ctx, both);
  struct futhark_i64_1d *xs = futhark_new_i64_1d(ctx, &data[0][0], N * M);
  int64_t hash, expected = 7, sum = 0;
  for (int i = 0; i < N * M; i++) sum += data[i / M][i % M], expected = (expected * 31 + sum) % 1000003;
  assert(!futhark_entry_hash(ctx, &hash, xs));
  assert(hash == expected);
  futhark_free_i64_1d(ctx, xs);
}

// How many kernels run, with all tunables of a kind set to a value.
static int kernels(const char *ending, size_t value) {
  struct futhark_context_config *cfg = futhark_context_config_new();
  futhark_context_config_set_profiling(cfg, 1);
  for (int i = 0; i < futhark_get_tuning_param_count(); i++) {
    const char *name = futhark_get_tuning_param_name(i);
    assert(!strcmp(futhark_get_tuning_param_class(i), "threshold"));
    if (ending && strstr(name, ending)) assert(!futhark_context_config_set_tuning_param(cfg, name, value));
  }
  struct futhark_context *ctx = futhark_context_new(cfg);
  call(ctx);
  int count = events(ctx);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return count;
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) data[i][j] = i ? (i + j) % 7 + 1 : 0;

  struct futhark_context_config *cfg = futhark_context_config_new();
  assert(futhark_context_config_set_tuning_param(cfg, "rows.1.nothing", 1));
  assert(!futhark_get_tuning_param_name(-1) && !futhark_get_tuning_param_class(1000));
  futhark_context_config_free(cfg);
  assert(kernels(NULL, 0) > 0);
  int outer = kernels(".outer", 0), inner = kernels(".outer", SIZE_MAX);
  int groups = kernels(".groups", 0), here = kernels(".processor", 0), there = kernels(".processor", SIZE_MAX);
#ifdef FUTHARK_BACKEND_multicore
  assert(futhark_get_tuning_param_count() == 0);
  assert(outer == inner && groups == inner && here == inner && there == inner);
#else
  assert(futhark_get_tuning_param_count() >= 4);
  assert(outer < inner && groups != inner && here < there);
#endif
  printf("each version computes the same\n");

  // What is paused is not measured, and the log has a line for each call.
  cfg = futhark_context_config_new();
  futhark_context_config_set_profiling(cfg, 1);
  futhark_context_config_set_logging(cfg, 1);
  struct futhark_context *ctx = futhark_context_new(cfg);
  FILE *log = tmpfile();
  futhark_context_set_logging_file(ctx, log);
  assert(events(ctx) == 0);
  futhark_context_pause_profiling(ctx);
  call(ctx);
  assert(events(ctx) == 0);
  futhark_context_unpause_profiling(ctx);
  call(ctx);
  int once = events(ctx);
  call(ctx);
  assert(once > 0 && events(ctx) == 2 * once);
  fflush(log);
  rewind(log);
  char line[512];
  int lines = 0;
  while (fgets(line, sizeof line, log)) lines += !strncmp(line, "call of rows: ", 14);
  assert(lines == 3);
  fclose(log);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  printf("what was measured is reported\n");

  // Without profiling there is nothing to report but memory.
  cfg = futhark_context_config_new();
  futhark_context_config_set_debugging(cfg, 1);
  ctx = futhark_context_new(cfg);
  futhark_context_set_logging_file(ctx, NULL);
  call(ctx);
  assert(events(ctx) == 0);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  printf("nothing else is\n");
}
