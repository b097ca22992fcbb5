// Operators on f32 and f64 by the functions of the device, under our names. They mean what crates/ir/src/scalar/eval says.
#ifndef NORN_FLOAT_H
#define NORN_FLOAT_H

#define NORN_MATH_UN(T, name, function) \
  NORN_INLINE T norn_##name##_##T(T x) { return NORN_MATH_##T(function)(x); }
#define NORN_MATH_BIN(T, name, function) \
  NORN_INLINE T norn_##name##_##T(T x, T y) { return NORN_MATH_##T(function)(x, y); }

// T: a type; U: the integer with its bits.
#define NORN_FLOAT(T, U)                                                                        \
  NORN_MATH_UN(T, abs, fabs)                                                                    \
  NORN_MATH_UN(T, sqrt, sqrt)                                                                   \
  NORN_MATH_UN(T, rsqrt, rsqrt)                                                                 \
  NORN_MATH_UN(T, cbrt, cbrt)                                                                   \
  NORN_MATH_UN(T, exp, exp)                                                                     \
  NORN_MATH_UN(T, log, log)                                                                     \
  NORN_MATH_UN(T, log2, log2)                                                                   \
  NORN_MATH_UN(T, log10, log10)                                                                 \
  NORN_MATH_UN(T, log1p, log1p)                                                                 \
  NORN_MATH_UN(T, sin, sin)                                                                     \
  NORN_MATH_UN(T, cos, cos)                                                                     \
  NORN_MATH_UN(T, tan, tan)                                                                     \
  NORN_MATH_UN(T, asin, asin)                                                                   \
  NORN_MATH_UN(T, acos, acos)                                                                   \
  NORN_MATH_UN(T, atan, atan)                                                                   \
  NORN_MATH_UN(T, sinh, sinh)                                                                   \
  NORN_MATH_UN(T, cosh, cosh)                                                                   \
  NORN_MATH_UN(T, tanh, tanh)                                                                   \
  NORN_MATH_UN(T, asinh, asinh)                                                                 \
  NORN_MATH_UN(T, acosh, acosh)                                                                 \
  NORN_MATH_UN(T, atanh, atanh)                                                                 \
  NORN_MATH_UN(T, gamma, tgamma)                                                                \
  NORN_MATH_UN(T, lgamma, lgamma)                                                               \
  NORN_MATH_UN(T, erf, erf)                                                                     \
  NORN_MATH_UN(T, erfc, erfc)                                                                   \
  NORN_MATH_UN(T, ceil, ceil)                                                                   \
  NORN_MATH_UN(T, floor, floor)                                                                 \
  NORN_MATH_UN(T, trunc, trunc)                                                                 \
  NORN_MATH_UN(T, round, rint)                                                                  \
  NORN_MATH_BIN(T, mod, fmod)                                                                   \
  NORN_MATH_BIN(T, pow, pow)                                                                    \
  NORN_MATH_BIN(T, atan2, atan2)                                                                \
  NORN_MATH_BIN(T, hypot, hypot)                                                                \
  NORN_MATH_BIN(T, nextafter, nextafter)                                                        \
  NORN_MATH_BIN(T, copysign, copysign)                                                          \
  NORN_INLINE T norn_ldexp_##T(T x, i32 y) { return NORN_MATH_##T(ldexp)(x, y); }               \
  NORN_INLINE U norn_to_bits_##T(T x) { return NORN_AS_##U(x); }                                \
  NORN_INLINE T norn_from_bits_##T(U bits) { return NORN_AS_##T(bits); }                        \
  NORN_INLINE bool norn_isnan_##T(T x) { return x != x; }                                       \
  NORN_INLINE bool norn_isinf_##T(T x) { return x == x && x - x != 0; }                         \
  /* A NaN yields the other operand. */                                                         \
  NORN_INLINE T norn_min_##T(T x, T y) { return x != x || y < x ? y : x; }                      \
  NORN_INLINE T norn_max_##T(T x, T y) { return x != x || x < y ? y : x; }                      \
  NORN_INLINE T norn_sgn_##T(T x) { return x > 0 ? (T)1 : x < 0 ? (T)-1 : x != x ? x : (T)0; }  \
  NORN_INLINE T norn_fma_##T(T x, T y, T z) { return NORN_MATH_##T(fma)(x, y, z); }             \
  NORN_INLINE T norn_mad_##T(T x, T y, T z) { return NORN_MATH_##T(fma)(x, y, z); }             \
  NORN_INLINE T norn_lerp_##T(T x, T y, T z) { return x + (y - x) * norn_min_##T(norn_max_##T(z, 0), 1); } \
  NORN_INLINE T norn_asinpi_##T(T x) { return norn_asin_##T(x) / NORN_PI_##T; }                 \
  NORN_INLINE T norn_acospi_##T(T x) { return norn_acos_##T(x) / NORN_PI_##T; }                 \
  NORN_INLINE T norn_atanpi_##T(T x) { return norn_atan_##T(x) / NORN_PI_##T; }                 \
  NORN_INLINE T norn_atan2pi_##T(T x, T y) { return norn_atan2_##T(x, y) / NORN_PI_##T; }       \
  /* Exact for multiples of a half: a quarter turn at most is multiplied by pi. */              \
  NORN_FUNCTION T norn_sinpi_##T(T x) {                                                         \
    T turn = norn_mod_##T(x, 2);                                                                \
    turn = turn > 1 ? turn - 2 : turn < -1 ? turn + 2 : turn;                                   \
    turn = turn > (T)0.5f ? 1 - turn : turn < (T)-0.5f ? -1 - turn : turn;                      \
    return norn_sin_##T(turn * NORN_PI_##T);                                                    \
  }                                                                                             \
  /* Even, with period 2; near its zeros a sine has more digits. */                             \
  NORN_FUNCTION T norn_cospi_##T(T x) {                                                         \
    T turn = norn_abs_##T(norn_mod_##T(x, 2));                                                  \
    turn = turn > 1 ? 2 - turn : turn;                                                          \
    return turn < (T)0.25f ? norn_cos_##T(turn * NORN_PI_##T) : norn_sinpi_##T((T)0.5f - turn); \
  }                                                                                             \
  NORN_INLINE T norn_tanpi_##T(T x) { return norn_sinpi_##T(x) / norn_cospi_##T(x); }           \
  /* The low bits of the number without its fraction. What no 64 bits can hold becomes the nearest that they can. */ \
  NORN_INLINE u64 norn_low_bits_##T(T x) {                                                      \
    if (norn_abs_##T(x) < (T)0x1p63f) return (u64)(i64)x;                                       \
    if (x != x || x - x != 0) return 0;                                                         \
    if (x < 0) return (u64)INT64_MIN;                                                      \
    return x >= (T)0x1p64f ? UINT64_MAX : (u64)x;                                          \
  }

#define NORN_PI_f32 3.14159265358979323846f
#define NORN_PI_f64 3.14159265358979323846

NORN_FLOAT(f32, u32)
#ifdef NORN_DOUBLE_H
NORN_FLOAT(f64, u64)
#endif

#endif
