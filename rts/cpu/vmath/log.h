// log, log2 and log10.
#ifndef NORN_VMATH_LOG_H
#define NORN_VMATH_LOG_H

// A positive float as 2^e * m, where m is between sqrt(1/2) and sqrt(2). Those that are too small to have all their bits
// are taken 2^23 (2^52) times as large.
#define NORN_VMATH_SPLIT(E, I, least, up, digits, middle, fraction)                             \
  /* Whether some are not positive, finite and of full size. */                                 \
  NORN_INLINE bool E##xv_unusual(E##xv x) {                                                     \
    return I##xv_any((I##xv)~((x >= least) & (x < (E)__builtin_inf())));                        \
  }                                                                                             \
  NORN_INLINE E##xv E##xv_mantissa(E##xv x, bool unusual, E##xv *exponent) {                    \
    I##xv tiny = (I##xv){0};                                                                    \
    if (NORN_UNLIKELY(unusual)) {                                                               \
      tiny = x < least;                                                                         \
      x = E##xv_select(tiny, x * up, x);                                                        \
    }                                                                                           \
    I##xv bits = (I##xv)x - middle;                                                             \
    *exponent = E##xv_of_small((bits >> digits) - (tiny & digits));                             \
    return (E##xv)((bits & fraction) + middle);                                                 \
  }                                                                                             \
  /* The results where the operand has no logarithm, or an infinite one. */                     \
  NORN_INLINE E##xv E##xv_log_at_ends(E##xv x, E##xv result) {                                  \
    E##xv end = E##xv_select(x < 0, E##xv_splat((E)__builtin_nan("")), x);                      \
    end = E##xv_select(x == 0, E##xv_splat((E)-__builtin_inf()), end);                          \
    return E##xv_select((x > 0) & (x < (E)__builtin_inf()), result, end);                       \
  }
NORN_VMATH_SPLIT(f32, i32, 0x1p-126f, 0x1p23f, 23, 0x3f3504f3, 0x7fffff)
NORN_VMATH_SPLIT(f64, i64, 0x1p-1022, 0x1p52, 52, 0x3fe6a09e667f3bcd, 0xfffffffffffff)

// log(1 + f) without f itself: -f^2/2 + f^3 * p(f).
NORN_INLINE f32xv f32xv_log_rest(f32xv f) {
  f32xv p = f32xv_splat(0.069714784953f);
  p = f32xv_mad(p, f, f32xv_splat(-0.114814069723f));
  p = f32xv_mad(p, f, f32xv_splat(0.116862220345f));
  p = f32xv_mad(p, f, f32xv_splat(-0.124255237216f));
  p = f32xv_mad(p, f, f32xv_splat(0.142489674019f));
  p = f32xv_mad(p, f, f32xv_splat(-0.166678060401f));
  p = f32xv_mad(p, f, f32xv_splat(0.200007182426f));
  p = f32xv_mad(p, f, f32xv_splat(-0.249999969448f));
  p = f32xv_mad(p, f, f32xv_splat(0.333333311704f));
  f32xv square = f * f;
  return f32xv_mad(square * f, p, -0.5f * square);
}

// With s = f / (2 + f), log(1 + f) is 2s + s^3 * p(s^2) = f - f^2/2 + s * (f^2/2 + s^2 * p(s^2)).
NORN_INLINE f64xv f64xv_log_rest(f64xv f) {
  f64xv s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
  f64xv p = f64xv_splat(0.1461780749280384681);
  p = f64xv_mad(p, z, f64xv_splat(0.15331611694570086597));
  p = f64xv_mad(p, z, f64xv_splat(0.18182892433364563543));
  p = f64xv_mad(p, z, f64xv_splat(0.22222211089368124648));
  p = f64xv_mad(p, z, f64xv_splat(0.28571428626253907338));
  p = f64xv_mad(p, z, f64xv_splat(0.3999999999989889036));
  p = f64xv_mad(p, z, f64xv_splat(0.66666666666666697077));
  return f64xv_mad(s, f64xv_mad(z, p, half), -half);
}

// The logarithm of 2 in the base, in two parts, of which the first times an exponent is exact; and that of e.
#define NORN_VMATH_LOG(E, name, two_hi, two_lo, e)                                              \
  NORN_INLINE E##xv E##xv_##name(E##xv x) {                                                     \
    bool unusual = E##xv_unusual(x);                                                            \
    E##xv exponent, f = E##xv_mantissa(x, unusual, &exponent) - 1;                              \
    E##xv rest = E##xv_log_rest(f);                                                             \
    E##xv low = E##xv_mad(exponent, E##xv_splat(two_lo), e == 1 ? rest : rest * e);             \
    E##xv result = E##xv_mad(exponent, E##xv_splat(two_hi), low + (e == 1 ? f : f * e));        \
    return NORN_UNLIKELY(unusual) ? E##xv_log_at_ends(x, result) : result;                      \
  }
NORN_VMATH_LOG(f32, log, 0x1.62e4p-1f, 0x1.7f7d1cp-20f, 1.0f)
NORN_VMATH_LOG(f32, log2, 1.0f, 0.0f, 0x1.715476p+0f)
NORN_VMATH_LOG(f32, log10, 0x1.344p-2f, 0x1.3509f8p-18f, 0x1.bcb7b2p-2f)
NORN_VMATH_LOG(f64, log, 0x1.62e42fefp-1, 0x1.473de6af278edp-34, 1.0)
NORN_VMATH_LOG(f64, log2, 1.0, 0.0, 0x1.71547652b82fep+0)
NORN_VMATH_LOG(f64, log10, 0x1.34413509p-2, 0x1.ef3fde623e256p-35, 0x1.bcb7b1526e50ep-2)

#endif
