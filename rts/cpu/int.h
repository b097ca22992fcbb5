// Operators on integers that C lacks or leaves undefined. All are total; arithmetic wraps around (-fwrapv).
// They mean what crates/ir/src/scalar/eval says.
#ifndef NORN_INT_H
#define NORN_INT_H

// T: a type; U, S: the unsigned and the signed type of its width; D: a type twice as wide; BITS: its width.
#define NORN_INT(T, U, S, D, BITS)                                                              \
  NORN_INLINE T norn_shl_##T(T x, T y) { return (U)y < BITS ? (T)((U)x << (U)y) : 0; }          \
  NORN_INLINE T norn_lshr_##T(T x, T y) { return (U)y < BITS ? (T)((U)x >> (U)y) : 0; }         \
  NORN_INLINE T norn_ashr_##T(T x, T y) { return (T)((S)x >> ((U)y < BITS ? (U)y : BITS - 1)); } \
  NORN_INLINE T norn_min_##T(T x, T y) { return x < y ? x : y; }                                \
  NORN_INLINE T norn_max_##T(T x, T y) { return x > y ? x : y; }                                \
  NORN_INLINE T norn_mul_hi_##T(T x, T y) { return (T)((D)x * (D)y >> BITS); }                  \
  NORN_INLINE T norn_mad_hi_##T(T x, T y, T z) { return (T)(norn_mul_hi_##T(x, y) + z); }       \
  NORN_INLINE i32 norn_popc_##T(T x) { return __builtin_popcountll((U)x); }                     \
  NORN_INLINE i32 norn_clz_##T(T x) { return x == 0 ? BITS : __builtin_clzll((U)x) - (64 - BITS); } \
  NORN_INLINE i32 norn_ctz_##T(T x) { return x == 0 ? BITS : __builtin_ctzll((U)x); }           \
  NORN_INLINE T norn_pow_nonnegative_##T(T x, U y) {                                            \
    T power = 1;                                                                                \
    for (; y != 0; y >>= 1) {                                                                   \
      if (y & 1) power = (T)(power * x);                                                        \
      x = (T)(x * x);                                                                           \
    }                                                                                           \
    return power;                                                                               \
  }

// A power of two that is known when C is compiled: a quotient rounded towards minus infinity is a shift, and the remainder a mask,
// which compilers do not find by themselves.
#define NORN_IS_POWER(y) (__builtin_constant_p(y) && (y) > 0 && ((y) & ((y) - 1)) == 0)

// A divisor 0 yields 0, and the dividend as remainder. The machine may trap at the least number by -1.
#define NORN_SIGNED(T, U, D, BITS)                                                              \
  NORN_INT(T, U, T, D, BITS)                                                                    \
  NORN_INLINE T norn_abs_##T(T x) { return x < 0 ? (T)-x : x; }                                 \
  NORN_INLINE T norn_sgn_##T(T x) { return (T)((x > 0) - (x < 0)); }                            \
  NORN_INLINE T norn_quot_##T(T x, T y) { return y == 0 ? 0 : y == -1 ? (T)-x : (T)(x / y); }   \
  NORN_INLINE T norn_rem_##T(T x, T y) { return y == 0 ? x : y == -1 ? 0 : (T)(x % y); }        \
  NORN_INLINE T norn_div_##T(T x, T y) {                                                        \
    if (NORN_IS_POWER(y)) return (T)(x >> __builtin_ctzll((u64)y));                             \
    if (y == 0) return 0;                                                                       \
    if (y == -1) return (T)-x;                                                                  \
    T quot = (T)(x / y), rem = (T)(x % y);                                                      \
    return (T)(quot - (rem != 0 && (rem < 0) != (y < 0)));                                      \
  }                                                                                             \
  NORN_INLINE T norn_mod_##T(T x, T y) {                                                        \
    if (NORN_IS_POWER(y)) return (T)(x & (T)(y - 1));                                           \
    if (y == 0) return x;                                                                       \
    if (y == -1) return 0;                                                                      \
    T rem = (T)(x % y);                                                                         \
    return (T)(rem + (rem != 0 && (rem < 0) != (y < 0) ? y : 0));                               \
  }                                                                                             \
  NORN_INLINE T norn_pow_##T(T x, T y) { return y < 0 ? 0 : norn_pow_nonnegative_##T(x, (U)y); }

#define NORN_UNSIGNED(T, S, D, BITS)                                                            \
  NORN_INT(T, T, S, D, BITS)                                                                    \
  NORN_INLINE T norn_abs_##T(T x) { return x; }                                                 \
  NORN_INLINE T norn_sgn_##T(T x) { return x != 0; }                                            \
  NORN_INLINE T norn_quot_##T(T x, T y) { return y == 0 ? 0 : (T)(x / y); }                     \
  NORN_INLINE T norn_rem_##T(T x, T y) { return y == 0 ? x : (T)(x % y); }                      \
  NORN_INLINE T norn_div_##T(T x, T y) { return norn_quot_##T(x, y); }                          \
  NORN_INLINE T norn_mod_##T(T x, T y) { return norn_rem_##T(x, y); }                           \
  NORN_INLINE T norn_pow_##T(T x, T y) { return norn_pow_nonnegative_##T(x, y); }

NORN_SIGNED(i8, u8, i16, 8)
NORN_SIGNED(i16, u16, i32, 16)
NORN_SIGNED(i32, u32, i64, 32)
NORN_SIGNED(i64, u64, __int128, 64)
NORN_UNSIGNED(u8, i8, u16, 8)
NORN_UNSIGNED(u16, i16, u32, 16)
NORN_UNSIGNED(u32, i32, u64, 32)
NORN_UNSIGNED(u64, i64, unsigned __int128, 64)

#endif
