// pow, of finite numbers that are not tiny; others go to libm. Needs exp.h and log.h.
#ifndef NORN_VMATH_POW_H
#define NORN_VMATH_POW_H

#define NORN_VMATH_POW_BY_LANES(E)                                                              \
  NORN_COLD E##xv E##xv_pow_by_lanes(E##xv x, E##xv y) {                                        \
    for (int l = 0; l < norn_##E##_lanes; l++) x[l] = norn_pow_##E(x[l], y[l]);                 \
    return x;                                                                                   \
  }
NORN_VMATH_POW_BY_LANES(f32)
NORN_VMATH_POW_BY_LANES(f64)

// The power of x, given that of its size. A number is whole if nothing is lost where there are no digits behind the point.
#define NORN_VMATH_POW_SIGNED(E, I, no_digits)                                                  \
  NORN_INLINE E##xv E##xv_pow_signed(E##xv x, E##xv y, E##xv power) {                           \
    E##xv half = y * (E)0.5;                                                                    \
    I##xv whole = (y + (E)no_digits) - (E)no_digits == y;                                       \
    I##xv odd = whole & ((half + (E)no_digits) - (E)no_digits != half);                         \
    E##xv of_zero = E##xv_select(y == 0, E##xv_splat(1), E##xv_splat((E)__builtin_inf()));      \
    power = E##xv_select(x == 0, E##xv_select(y > 0, (E##xv){0}, of_zero), power);              \
    power = E##xv_select(odd & ((I##xv)x < 0), -power, power);                                  \
    return E##xv_select((x < 0) & ~whole, E##xv_splat((E)__builtin_nan("")), power);            \
  }
NORN_VMATH_POW_SIGNED(f32, i32, 0x1.8p23)
NORN_VMATH_POW_SIGNED(f64, i64, 0x1.8p52)

// f32: in f64, half by half.
typedef f32 norn_f32xh __attribute__((vector_size(NORN_VECTOR_BYTES / 2)));

NORN_INLINE f64xv norn_pow_half(norn_f32xh x, norn_f32xh y) {
  f64xv exponent, f = f64xv_mantissa(__builtin_convertvector(x, f64xv), false, &exponent) - 1;
  f64xv log = f64xv_mad(exponent, f64xv_splat(0x1.62e42fefa39efp-1), f64xv_log_rest(f) + f);
  return f64xv_exp(__builtin_convertvector(y, f64xv) * log);
}

NORN_INLINE f32xv f32xv_pow(f32xv x, f32xv y) {
  f32xv size = f32xv_abs(x);
  i32xv positive = x > 0;
  i32xv usual = (size < __builtin_inff()) & ((f32xv_abs(y) < 0x1p22f) | (positive & (f32xv_abs(y) < __builtin_inff())));
  if (NORN_UNLIKELY(i32xv_any(~usual))) return f32xv_pow_by_lanes(x, y);
  union {
    f32xv all;
    norn_f32xh half[2];
  } base = {f32xv_select(size == 0, f32xv_splat(1), size)}, power = {y}, result;
  for (int h = 0; h < 2; h++)
    result.half[h] = __builtin_convertvector(norn_pow_half(base.half[h], power.half[h]), norn_f32xh);
  return i32xv_any(~positive) ? f32xv_pow_signed(x, y, result.all) : result.all;
}

// f64: the logarithm as a sum of two numbers. With s = f / (2 + f) it is 2s + s^3 * (2/3 + s^2 * p(s^2)).
// A rest of a product is what fma leaves when the product is subtracted; a + b with |a| > |b| has the rest (a - sum) + b.
NORN_INLINE f64xv f64xv_log_of_two_parts(f64xv x, f64xv *low) {
  f64xv exponent, m = f64xv_mantissa(x, false, &exponent);
  f64xv f = m - 1, d = m + 1, d_low = m - (d - 1), inverse = 1 / d;
  f64xv s = f * inverse, s_low = (f64xv_fma(-s, d, f) - s * d_low) * inverse;
  f64xv z = s * s, z_low = f64xv_mad(2 * s, s_low, f64xv_fma(s, s, -z));
  f64xv p = f64xv_splat(0.11724327379875762589);
  p = f64xv_mad(p, z, f64xv_splat(0.11706126434027066578));
  p = f64xv_mad(p, z, f64xv_splat(0.13334808799953699313));
  p = f64xv_mad(p, z, f64xv_splat(0.15384594886986174523));
  p = f64xv_mad(p, z, f64xv_splat(0.18181818336100042994));
  p = f64xv_mad(p, z, f64xv_splat(0.22222222221652764403));
  p = f64xv_mad(p, z, f64xv_splat(0.28571428571429371335));
  p = f64xv_mad(p, z, f64xv_splat(0.39999999999999999816));
  f64xv zp = z * p, zp_low = f64xv_mad(z_low, p, f64xv_fma(z, p, -zp));
  f64xv c = 0x1.5555555555555p-1 + zp, c_low = (0x1.5555555555555p-1 - c) + zp + (0x1.5555555555555p-55 + zp_low);
  f64xv t = s * z, t_low = f64xv_fma(s, z, -t) + (s * z_low + s_low * z);
  f64xv u = t * c, u_low = f64xv_fma(t, c, -u) + (t * c_low + t_low * c);
  f64xv a = 2 * s + u, a_low = (2 * s - a) + u + (2 * s_low + u_low);
  // The first part of log(2) has 42 bits, so that its product with an exponent is exact.
  f64xv k = exponent * 0x1.62e42fefa38p-1, sum = k + a;
  *low = (k - sum) + a + f64xv_mad(exponent, f64xv_splat(0x1.ef35793c7673p-45), a_low);
  return sum;
}

NORN_INLINE f64xv f64xv_pow(f64xv x, f64xv y) {
  f64xv size = f64xv_abs(x);
  i64xv positive = x > 0;
  i64xv usual = ((size >= 0x1p-1022) | (size == 0)) & (size < __builtin_inf()) & (f64xv_abs(y) < 0x1p50);
  if (!NORN_FMA || NORN_UNLIKELY(i64xv_any(~usual))) return f64xv_pow_by_lanes(x, y);
  f64xv low, log = f64xv_log_of_two_parts(f64xv_select(size == 0, f64xv_splat(1), size), &low);
  f64xv product = y * log, rest = f64xv_mad(y, low, f64xv_fma(y, log, -product));
  // Far away the rest does not matter, but is large.
  f64xv power = f64xv_exp_of_sum(product, f64xv_select(f64xv_abs(product) < 1024, rest, (f64xv){0}));
  return i64xv_any(~positive) ? f64xv_pow_signed(x, y, power) : power;
}

#endif
