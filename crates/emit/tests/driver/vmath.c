// How far the functions of vmath are from libm in a wider type, in units in the last place: one line for each function, type and
// range of operands, with the worst operand. Stands behind a program that uses all of them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAMPLES 65536

static u64 random_word(void) {
  static u64 state = 88172645463325252ull;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// Between -1 and 1.
static f64 random_number(void) { return (f64)(i64)random_word() * 0x1p-63; }

static f64 distance_f32(f32 found, f64 wanted) {
  f32 rounded = (f32)wanted;
  if (isnan(wanted)) return isnan(found) ? 0 : INFINITY;
  if (found == rounded) return rounded == 0 && signbit(found) != signbit(rounded) ? INFINITY : 0;
  if (isinf(rounded)) return fabsf(found) == 0x1.fffffep127f ? 1 : INFINITY;
  int exponent;
  frexp(wanted, &exponent);
  f64 unit = ldexp(1, exponent - 24);
  return fabs(found - wanted) / (unit < 0x1p-149 ? 0x1p-149 : unit);
}

static f64 distance_f64(f64 found, long double wanted) {
  f64 rounded = (f64)wanted;
  if (isnan(wanted)) return isnan(found) ? 0 : INFINITY;
  if (found == rounded) return rounded == 0 && signbit(found) != signbit(rounded) ? INFINITY : 0;
  if (isinf(rounded)) return fabs(found) == 0x1.fffffffffffffp1023 ? 1 : INFINITY;
  int exponent;
  frexpl(wanted, &exponent);
  long double unit = ldexpl(1, exponent - 53);
  return (f64)(fabsl(found - wanted) / (unit < 0x1p-1074L ? 0x1p-1074L : unit));
}

static f32 x_f32[SAMPLES], y_f32[SAMPLES];
static f64 x_f64[SAMPLES], y_f64[SAMPLES];

// Any bits at all; numbers up to 100, up to a million, near 1; and always those at the edges.
static void fill(int range) {
  static const f64 scale[] = {0, 100, 1e6, 0.3};
  for (int i = 0; i < SAMPLES; i++) {
    u64 a = random_word(), b = random_word();
    f64 x = random_number() * scale[range] + (range == 3), y = random_number() * 20;
    if (i % 2 == 0) y = rint(y);
    x_f32[i] = (f32)x, y_f32[i] = (f32)y, x_f64[i] = x, y_f64[i] = y;
    if (range == 0) {
      memcpy(&x_f32[i], &a, 4), memcpy(&y_f32[i], &b, 4);
      memcpy(&x_f64[i], &a, 8), memcpy(&y_f64[i], &b, 8);
    }
  }
  static const f64 edges[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 0x1p-149, -0x1p-149, 0x1p-126, 0x1p-1022, 0x1p-1074, -0x1p-1074,
                              88.7, 88.8, -103.9, -104.5, 709.78, 709.79, -745.1, -745.2, 2, 0.5, 3, -2, -3, 8191, 1048575};
  int count = sizeof edges / sizeof *edges;
  for (int i = 0; i < count * count; i++) {
    x_f32[i] = (f32)edges[i % count], y_f32[i] = (f32)edges[i / count];
    x_f64[i] = edges[i % count], y_f64[i] = edges[i / count];
  }
}

#define CHECK(E, W, name, call, reference)                                                      \
  {                                                                                             \
    f64 worst = 0;                                                                              \
    int at = 0;                                                                                 \
    for (int i = 0; i < SAMPLES; i += norn_##E##_lanes) {                                       \
      E##xv x = E##xv_load(x_##E + i), y = E##xv_load(y_##E + i), found = call;                 \
      for (int l = 0; l < norn_##E##_lanes; l++) {                                              \
        W a = x[l], b = y[l];                                                                   \
        f64 far = distance_##E(found[l], reference);                                            \
        if (far > worst) worst = far, at = i + l;                                               \
      }                                                                                         \
    }                                                                                           \
    printf("%g %s %s of %a %a\n", worst, #E, #name, (f64)x_##E[at], (f64)y_##E[at]);            \
  }
#define CHECK_UN(name)                                 \
  CHECK(f32, f64, name, f32xv_##name(x), name(a))    \
  CHECK(f64, long double, name, f64xv_##name(x), name##l(a))

int main(void) {
  for (int range = 0; range < 4; range++) {
    fill(range);
    CHECK_UN(exp)
    CHECK_UN(log)
    CHECK_UN(log2)
    CHECK_UN(log10)
    CHECK_UN(sin)
    CHECK_UN(cos)
    CHECK_UN(tan)
    CHECK(f32, f64, pow, f32xv_pow(x, y), pow(a, b))
    CHECK(f64, long double, pow, f64xv_pow(x, y), powl(a, b))
  }
}
