// Operators on integers. All are total; arithmetic wraps around, for which it is done on unsigned numbers: to a compiler for
// devices, signed ones do not overflow. They mean what crates/ir/src/scalar/eval says.
#ifndef NORN_INT_H
#define NORN_INT_H

// What finds an element from a pointer on: 32 bits, unless some array has more elements than that (`Module::most_bytes`).
#ifdef NORN_WIDE
typedef i64 norn_index NORN_ANY_TYPE;
#else
typedef i32 norn_index NORN_ANY_TYPE;
#endif

// T: a type; U, S: the unsigned and the signed type of its width; W: one that is computed with, at least 32 bits, unsigned;
// BITS: its width; WIDE: that of W.
#define NORN_INT(T, U, S, W, BITS, WIDE)                                                        \
  NORN_INLINE T norn_add_##T(T x, T y) { return (T)((W)x + (W)y); }                             \
  NORN_INLINE T norn_sub_##T(T x, T y) { return (T)((W)x - (W)y); }                             \
  NORN_INLINE T norn_mul_##T(T x, T y) { return (T)((W)x * (W)y); }                             \
  NORN_INLINE T norn_neg_##T(T x) { return (T)(0 - (W)x); }                                     \
  NORN_INLINE T norn_shl_##T(T x, T y) { return (U)y < BITS ? (T)((W)(U)x << (W)(U)y) : (T)0; } \
  NORN_INLINE T norn_lshr_##T(T x, T y) { return (U)y < BITS ? (T)((W)(U)x >> (W)(U)y) : (T)0; } \
  NORN_INLINE T norn_ashr_##T(T x, T y) { return (T)((S)x >> ((U)y < BITS ? (i32)(U)y : BITS - 1)); } \
  NORN_INLINE T norn_min_##T(T x, T y) { return x < y ? x : y; }                                \
  NORN_INLINE T norn_max_##T(T x, T y) { return x > y ? x : y; }                                \
  NORN_INLINE T norn_mad_hi_##T(T x, T y, T z) { return norn_add_##T(norn_mul_hi_##T(x, y), z); } \
  NORN_INLINE i32 norn_popc_##T(T x) { return norn_popc_##WIDE((W)(U)x); }                      \
  NORN_INLINE i32 norn_clz_##T(T x) { return x == 0 ? BITS : norn_clz_##WIDE((W)(U)x) - (WIDE - BITS); } \
  /* Below the lowest bit that is set there are only ones in what is one less. */               \
  NORN_INLINE i32 norn_ctz_##T(T x) {                                                           \
    W bits = (W)(U)x;                                                                           \
    return x == 0 ? BITS : norn_popc_##WIDE((bits & (0 - bits)) - 1);                           \
  }                                                                                             \
  NORN_FUNCTION T norn_pow_nonnegative_##T(T x, U y) {                                          \
    T power = 1;                                                                                \
    for (; y != 0; y >>= 1) {                                                                   \
      if (y & 1) power = norn_mul_##T(power, x);                                                \
      x = norn_mul_##T(x, x);                                                                   \
    }                                                                                           \
    return power;                                                                               \
  }

// A divisor 0 yields 0, and the dividend as remainder. The least number by -1 overflows.
#define NORN_SIGNED(T, U, W, BITS, WIDE)                                                        \
  NORN_INT(T, U, T, W, BITS, WIDE)                                                              \
  NORN_INLINE T norn_abs_##T(T x) { return x < 0 ? norn_neg_##T(x) : x; }                       \
  NORN_INLINE T norn_sgn_##T(T x) { return (T)((x > 0) - (x < 0)); }                            \
  NORN_INLINE T norn_quot_##T(T x, T y) { return y == 0 ? (T)0 : y == -1 ? norn_neg_##T(x) : (T)(x / y); } \
  NORN_INLINE T norn_rem_##T(T x, T y) { return y == 0 ? x : y == -1 ? (T)0 : (T)(x % y); }     \
  NORN_INLINE T norn_div_##T(T x, T y) {                                                        \
    if (y == 0) return 0;                                                                       \
    if (y == -1) return norn_neg_##T(x);                                                        \
    T quot = (T)(x / y), rem = (T)(x - quot * y);                                               \
    return (T)(quot - (rem != 0 && (rem < 0) != (y < 0)));                                      \
  }                                                                                             \
  NORN_INLINE T norn_mod_##T(T x, T y) {                                                        \
    if (y == 0) return x;                                                                       \
    if (y == -1) return 0;                                                                      \
    T rem = (T)(x % y);                                                                         \
    return (T)(rem + (rem != 0 && (rem < 0) != (y < 0) ? y : 0));                               \
  }                                                                                             \
  NORN_INLINE T norn_pow_##T(T x, T y) { return y < 0 ? (T)0 : norn_pow_nonnegative_##T(x, (U)y); }

#define NORN_UNSIGNED(T, S, W, BITS, WIDE)                                                      \
  NORN_INT(T, T, S, W, BITS, WIDE)                                                              \
  NORN_INLINE T norn_abs_##T(T x) { return x; }                                                 \
  NORN_INLINE T norn_sgn_##T(T x) { return x != 0; }                                            \
  NORN_INLINE T norn_quot_##T(T x, T y) { return y == 0 ? (T)0 : (T)(x / y); }                  \
  NORN_INLINE T norn_rem_##T(T x, T y) { return y == 0 ? x : (T)(x % y); }                      \
  NORN_INLINE T norn_div_##T(T x, T y) { return norn_quot_##T(x, y); }                          \
  NORN_INLINE T norn_mod_##T(T x, T y) { return norn_rem_##T(x, y); }                           \
  NORN_INLINE T norn_pow_##T(T x, T y) { return norn_pow_nonnegative_##T(x, y); }

// Division by a number that is the same in a whole launch, of which the host has computed a factor (`norn_reciprocal`): 0, or a factor
// of 32 bits, above it how far the product is shifted, and the highest bit. It serves dividends of 31 bits that are not negative. The highest bit
// is a bound of the dividend rather than a condition of its own: compilers make two loops of one with a condition that all iterations share,
// eight of one with three such divisors, and then unroll each of them.
#define NORN_SERVES(x, by) ((u64)(x) < ((by) >> 32 & 2147483648u))
// FAR: how the division for all other dividends is declared. With 64 bits it is a hundred instructions, so one for a whole program.
#define NORN_BY(T, FAR)                                                                         \
  NORN_INLINE T norn_factor_##T(T x, u64 by) { return (T)((u64)(u32)x * (u32)by >> ((u32)(by >> 32) & 63)); } \
  FAR T norn_far_quot_##T(T x, T y) { return norn_quot_##T(x, y); }                             \
  FAR T norn_far_rem_##T(T x, T y) { return norn_rem_##T(x, y); }                               \
  FAR T norn_far_div_##T(T x, T y) { return norn_div_##T(x, y); }                               \
  FAR T norn_far_mod_##T(T x, T y) { return norn_mod_##T(x, y); }                               \
  NORN_INLINE T norn_quot_by_##T(T x, T y, u64 by) {                                            \
    return NORN_SERVES(x, by) ? norn_factor_##T(x, by) : norn_far_quot_##T(x, y);               \
  }                                                                                             \
  NORN_INLINE T norn_rem_by_##T(T x, T y, u64 by) {                                             \
    return NORN_SERVES(x, by) ? norn_sub_##T(x, norn_mul_##T(norn_factor_##T(x, by), y)) : norn_far_rem_##T(x, y); \
  }                                                                                             \
  NORN_INLINE T norn_div_by_##T(T x, T y, u64 by) {                                             \
    return NORN_SERVES(x, by) ? norn_factor_##T(x, by) : norn_far_div_##T(x, y);                \
  }                                                                                             \
  NORN_INLINE T norn_mod_by_##T(T x, T y, u64 by) {                                             \
    return NORN_SERVES(x, by) ? norn_sub_##T(x, norn_mul_##T(norn_factor_##T(x, by), y)) : norn_far_mod_##T(x, y); \
  }

// D: a type twice as wide.
#define NORN_HIGH(T, D, BITS) \
  NORN_INLINE T norn_mul_hi_##T(T x, T y) { return (T)((D)x * (D)y >> BITS); }

NORN_HIGH(i8, i32, 8)
NORN_HIGH(i16, i32, 16)
NORN_HIGH(i32, i64, 32)
NORN_HIGH(u8, u32, 8)
NORN_HIGH(u16, u32, 16)
NORN_HIGH(u32, u64, 32)
NORN_INLINE i64 norn_mul_hi_i64(i64 x, i64 y) { return norn_high_i64(x, y); }
NORN_INLINE u64 norn_mul_hi_u64(u64 x, u64 y) { return norn_high_u64(x, y); }

NORN_SIGNED(i8, u8, u32, 8, 32)
NORN_SIGNED(i16, u16, u32, 16, 32)
NORN_SIGNED(i32, u32, u32, 32, 32)
NORN_SIGNED(i64, u64, u64, 64, 64)
NORN_UNSIGNED(u8, i8, u32, 8, 32)
NORN_UNSIGNED(u16, i16, u32, 16, 32)
NORN_UNSIGNED(u32, i32, u32, 32, 32)
NORN_UNSIGNED(u64, i64, u64, 64, 64)

NORN_BY(i32, NORN_INLINE)
NORN_BY(i64, NORN_COLD)
NORN_BY(u32, NORN_INLINE)
NORN_BY(u64, NORN_COLD)

#endif
