// Uses the library that `norn build` makes of dot.fut: docs/src/c.md says how both are compiled.
#include <stdio.h>
#include "dot.h"

int main(void) {
  float xs[] = {1, 2, 3}, ys[] = {4, 5, 6}, sum;
  struct futhark_context_config *config = futhark_context_config_new();
  struct futhark_context *context = futhark_context_new(config);
  struct futhark_f32_1d *a = futhark_new_f32_1d(context, xs, 3), *b = futhark_new_f32_1d(context, ys, 3);
  if (futhark_entry_dot(context, &sum, a, b)) return puts(futhark_context_get_error(context)), 1;
  printf("%g\n", sum);
  futhark_free_f32_1d(context, a), futhark_free_f32_1d(context, b);
  futhark_context_free(context), futhark_context_config_free(config);
}
