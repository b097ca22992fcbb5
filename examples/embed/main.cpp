// As main.c: the library is compiled as C, and this as C++.
#include <iostream>
#include <vector>
#include "dot.h"

int main() {
  std::vector<float> xs{1, 2, 3}, ys{4, 5, 6};
  auto *context = futhark_context_new(futhark_context_config_new());
  auto *a = futhark_new_f32_1d(context, xs.data(), 3), *b = futhark_new_f32_1d(context, ys.data(), 3);
  float sum;
  if (futhark_entry_dot(context, &sum, a, b)) return 1;
  std::cout << sum << "\n";
}
