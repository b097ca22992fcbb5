// Operators on f32 and f64 that C lacks, and the functions of libm under our names.
// They mean what crates/ir/src/scalar/eval says.
#ifndef NORN_FLOAT_H
#define NORN_FLOAT_H

// Whether the machine multiplies and adds in one instruction.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__FP_FAST_FMA)
#define NORN_FMA 1
#else
#define NORN_FMA 0
#endif

#define NORN_LIBM_UN(T, suffix, name, function) \
  NORN_INLINE T norn_##name##_##T(T x) { return __builtin_##function##suffix(x); }
#define NORN_LIBM_BIN(T, suffix, name, function) \
  NORN_INLINE T norn_##name##_##T(T x, T y) { return __builtin_##function##suffix(x, y); }

// T: a type; U: the integer with its bits; suffix: of its functions in libm.
#define NORN_FLOAT(T, U, suffix)                                                                \
  NORN_LIBM_UN(T, suffix, abs, fabs)                                                            \
  NORN_LIBM_UN(T, suffix, sqrt, sqrt)                                                           \
  NORN_LIBM_UN(T, suffix, cbrt, cbrt)                                                           \
  NORN_LIBM_UN(T, suffix, exp, exp)                                                             \
  NORN_LIBM_UN(T, suffix, log, log)                                                             \
  NORN_LIBM_UN(T, suffix, log2, log2)                                                           \
  NORN_LIBM_UN(T, suffix, log10, log10)                                                         \
  NORN_LIBM_UN(T, suffix, log1p, log1p)                                                         \
  NORN_LIBM_UN(T, suffix, sin, sin)                                                             \
  NORN_LIBM_UN(T, suffix, cos, cos)                                                             \
  NORN_LIBM_UN(T, suffix, tan, tan)                                                             \
  NORN_LIBM_UN(T, suffix, asin, asin)                                                           \
  NORN_LIBM_UN(T, suffix, acos, acos)                                                           \
  NORN_LIBM_UN(T, suffix, atan, atan)                                                           \
  NORN_LIBM_UN(T, suffix, sinh, sinh)                                                           \
  NORN_LIBM_UN(T, suffix, cosh, cosh)                                                           \
  NORN_LIBM_UN(T, suffix, tanh, tanh)                                                           \
  NORN_LIBM_UN(T, suffix, asinh, asinh)                                                         \
  NORN_LIBM_UN(T, suffix, acosh, acosh)                                                         \
  NORN_LIBM_UN(T, suffix, atanh, atanh)                                                         \
  NORN_LIBM_UN(T, suffix, gamma, tgamma)                                                        \
  NORN_LIBM_UN(T, suffix, lgamma, lgamma)                                                       \
  NORN_LIBM_UN(T, suffix, erf, erf)                                                             \
  NORN_LIBM_UN(T, suffix, erfc, erfc)                                                           \
  NORN_LIBM_UN(T, suffix, ceil, ceil)                                                           \
  NORN_LIBM_UN(T, suffix, floor, floor)                                                         \
  NORN_LIBM_UN(T, suffix, trunc, trunc)                                                         \
  NORN_LIBM_UN(T, suffix, round, rint)                                                          \
  NORN_LIBM_BIN(T, suffix, mod, fmod)                                                           \
  NORN_LIBM_BIN(T, suffix, pow, pow)                                                            \
  NORN_LIBM_BIN(T, suffix, atan2, atan2)                                                        \
  NORN_LIBM_BIN(T, suffix, hypot, hypot)                                                        \
  NORN_LIBM_BIN(T, suffix, nextafter, nextafter)                                                \
  NORN_LIBM_BIN(T, suffix, copysign, copysign)                                                  \
  NORN_INLINE T norn_ldexp_##T(T x, i32 y) { return __builtin_ldexp##suffix(x, y); }            \
  NORN_INLINE bool norn_isnan_##T(T x) { return x != x; }                                       \
  NORN_INLINE bool norn_isinf_##T(T x) { return __builtin_fabs##suffix(x) == __builtin_inf##suffix(); } \
  NORN_INLINE U norn_to_bits_##T(T x) {                                                         \
    U bits;                                                                                     \
    __builtin_memcpy(&bits, &x, sizeof x);                                                      \
    return bits;                                                                                \
  }                                                                                             \
  NORN_INLINE T norn_from_bits_##T(U bits) {                                                    \
    T x;                                                                                        \
    __builtin_memcpy(&x, &bits, sizeof x);                                                      \
    return x;                                                                                   \
  }                                                                                             \
  /* A NaN yields the other operand. */                                                         \
  NORN_INLINE T norn_min_##T(T x, T y) { return x != x || y < x ? y : x; }                      \
  NORN_INLINE T norn_max_##T(T x, T y) { return x != x || x < y ? y : x; }                      \
  NORN_INLINE T norn_sgn_##T(T x) { return x > 0 ? 1 : x < 0 ? -1 : x != x ? x : 0; }           \
  NORN_INLINE T norn_rsqrt_##T(T x) { return 1 / __builtin_sqrt##suffix(x); }                   \
  NORN_INLINE T norn_fma_##T(T x, T y, T z) { return __builtin_fma##suffix(x, y, z); }          \
  NORN_INLINE T norn_mad_##T(T x, T y, T z) { return NORN_FMA ? __builtin_fma##suffix(x, y, z) : x * y + z; } \
  NORN_INLINE T norn_lerp_##T(T x, T y, T z) { return x + (y - x) * norn_min_##T(norn_max_##T(z, 0), 1); } \
  NORN_INLINE T norn_asinpi_##T(T x) { return __builtin_asin##suffix(x) / NORN_PI_##T; }        \
  NORN_INLINE T norn_acospi_##T(T x) { return __builtin_acos##suffix(x) / NORN_PI_##T; }        \
  NORN_INLINE T norn_atanpi_##T(T x) { return __builtin_atan##suffix(x) / NORN_PI_##T; }        \
  NORN_INLINE T norn_atan2pi_##T(T x, T y) { return __builtin_atan2##suffix(x, y) / NORN_PI_##T; } \
  /* Exact for multiples of a half: a quarter turn at most is multiplied by pi. */              \
  static inline __attribute__((unused)) T norn_sinpi_##T(T x) {                                 \
    T turn = __builtin_fmod##suffix(x, 2);                                                      \
    turn = turn > 1 ? turn - 2 : turn < -1 ? turn + 2 : turn;                                   \
    turn = turn > (T)0.5 ? 1 - turn : turn < (T)-0.5 ? -1 - turn : turn;                        \
    return __builtin_sin##suffix(turn * NORN_PI_##T);                                           \
  }                                                                                             \
  /* Even, with period 2; near its zeros a sine has more digits. */                             \
  static inline __attribute__((unused)) T norn_cospi_##T(T x) {                                 \
    T turn = __builtin_fabs##suffix(__builtin_fmod##suffix(x, 2));                              \
    turn = turn > 1 ? 2 - turn : turn;                                                          \
    return turn < (T)0.25 ? __builtin_cos##suffix(turn * NORN_PI_##T) : norn_sinpi_##T((T)0.5 - turn); \
  }                                                                                             \
  NORN_INLINE T norn_tanpi_##T(T x) { return norn_sinpi_##T(x) / norn_cospi_##T(x); }

#define NORN_PI_f32 3.14159265358979323846f
#define NORN_PI_f64 3.14159265358979323846

NORN_FLOAT(f32, u32, f)
NORN_FLOAT(f64, u64, )

// The low bits of the number without its fraction. What no 64 bits can hold becomes the nearest that they can.
NORN_COLD u64 norn_low_bits_slow(f64 x) {
  if (x != x || __builtin_fabs(x) == __builtin_inf()) return 0;
  if (x < 0) return x <= -0x1p63 ? (u64)INT64_MIN : (u64)(i64)x;
  return x >= 0x1p64 ? UINT64_MAX : (u64)x;
}

NORN_INLINE u64 norn_low_bits(f64 x) {
  return NORN_LIKELY(__builtin_fabs(x) < 0x1p63) ? (u64)(i64)x : norn_low_bits_slow(x);
}

#endif
