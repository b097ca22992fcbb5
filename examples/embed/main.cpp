// As main.c: the library is compiled as C, and this as C++.
#include <iostream>
#include "dot.h"

int main() {
  float xs[]{1, 2, 3}, ys[]{4, 5, 6}, sum;
  auto *config = futhark_context_config_new();
  auto *context = futhark_context_new(config);
  auto *a = futhark_new_f32_1d(context, xs, 3), *b = futhark_new_f32_1d(context, ys, 3);
  if (futhark_entry_dot(context, &sum, a, b)) return std::cout << futhark_context_get_error(context) << "\n", 1;
  std::cout << sum << "\n";
  futhark_free_f32_1d(context, a), futhark_free_f32_1d(context, b);
  futhark_context_free(context), futhark_context_config_free(config);
}
