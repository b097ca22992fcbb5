// Constructors are numbered beyond what a byte can hold.
#include <assert.h>
#include <stdlib.h>
#include "cases.h"

int main(void) {
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx = futhark_context_new(cfg);
  struct futhark_opaque_cases *c7, *c99, *same;
  int32_t held;
  assert(!futhark_new_opaque_cases_c7(ctx, &c7, 5));
  assert(!futhark_new_opaque_cases_c99(ctx, &c99));
  assert(!futhark_entry_same(ctx, &same, c99));
  assert(!futhark_entry_held(ctx, &held, c7));
  printf("%d %d %d %d\n", futhark_variant_opaque_cases(ctx, c7), futhark_variant_opaque_cases(ctx, c99), futhark_variant_opaque_cases(ctx, same), (int)held);
  futhark_free_opaque_cases(ctx, c7);
  futhark_free_opaque_cases(ctx, c99);
  futhark_free_opaque_cases(ctx, same);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
}
