// Vectors: several values of one type side by side, and what is done with them lane by lane.
//
// A vector of N elements of type E is ExN. If it fits into a register of the machine it is a vector of the compiler
// (WHOLE), which then knows what to do with it; otherwise it is two vectors of half as many lanes (HALVES), as the compiler would keep
// it in memory and take it apart element by element. What is to be done with vectors is always a function.
//
// A mask is a vector of signed integers, 0 where it does not hold and -1 where it does. It may be as wide as
// any type; comparing gives one that is as wide as what was compared.
//
// The macros here make types and functions for one E and N. In their parameters M is the mask's element, U the unsigned integer
// of the same width, X what the type is called by after its x (its lanes), H half the lanes, S its size in bytes.
#ifndef NORN_VECTOR_H
#define NORN_VECTOR_H

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define NORN_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define NORN_VECTOR_BYTES 32
#else
#define NORN_VECTOR_BYTES 16
#endif

#define NORN_FORM_2 WHOLE
#define NORN_FORM_4 WHOLE
#define NORN_FORM_8 WHOLE
#define NORN_FORM_16 WHOLE
#if NORN_VECTOR_BYTES >= 32
#define NORN_FORM_32 WHOLE
#else
#define NORN_FORM_32 HALVES
#endif
#if NORN_VECTOR_BYTES >= 64
#define NORN_FORM_64 WHOLE
#else
#define NORN_FORM_64 HALVES
#endif
#define NORN_FORM_128 HALVES
#define NORN_FORM_256 HALVES
#define NORN_FORM_512 HALVES

#define NORN_JOIN_NAMES(x, y) x##y
#define NORN_NAME(x, y) NORN_JOIN_NAMES(x, y)
#define NORN_BY_FORM(macro, S) NORN_NAME(macro##_, NORN_FORM_##S)

#define NORN_COUNT_1 0
#define NORN_COUNT_2 NORN_COUNT_1, 1
#define NORN_COUNT_4 NORN_COUNT_2, 2, 3
#define NORN_COUNT_8 NORN_COUNT_4, 4, 5, 6, 7
#define NORN_COUNT_16 NORN_COUNT_8, 8, 9, 10, 11, 12, 13, 14, 15
#define NORN_COUNT_32 NORN_COUNT_16, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define NORN_COUNT_64                                                                           \
  NORN_COUNT_32, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, \
      55, 56, 57, 58, 59, 60, 61, 62, 63
// The lanes of the second half.
#define NORN_SECOND_1 1
#define NORN_SECOND_2 2, 3
#define NORN_SECOND_4 4, 5, 6, 7
#define NORN_SECOND_8 8, 9, 10, 11, 12, 13, 14, 15
#define NORN_SECOND_16 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define NORN_SECOND_32                                                                          \
  32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, \
      59, 60, 61, 62, 63

// # Types

#define NORN_TYPE(E, N, H, S) NORN_BY_FORM(NORN_TYPE, S)(E, N, H, S)
#define NORN_TYPE_WHOLE(E, N, H, S) typedef E E##x##N __attribute__((vector_size(S)));
#define NORN_TYPE_HALVES(E, N, H, S) \
  typedef struct {                   \
    E##x##H lo, hi;                  \
  } E##x##N;
// What the compiler has no vectors of.
#define NORN_TYPE_ARRAY(E, N) \
  typedef struct {            \
    E at[N];                  \
  } E##x##N;

// # Moving

#define NORN_MOVES(E, M, N, H, S) NORN_BY_FORM(NORN_MOVES, S)(E, M, N, H, S) NORN_ARITHMETIC_LANES(E, N)

#define NORN_MOVES_WHOLE(E, M, X, H, S)                                                         \
  NORN_INLINE E##x##X E##x##X##_splat(E x) { return x - (E##x##X){0}; }                         \
  NORN_INLINE E##x##X E##x##X##_load(const E *from) {                                           \
    E##x##X x;                                                                                  \
    __builtin_memcpy(&x, from, S);                                                              \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE void E##x##X##_store(E *to, E##x##X x) { __builtin_memcpy(to, &x, S); }           \
  NORN_INLINE E E##x##X##_lane(E##x##X x, i64 lane) { return x[lane]; }                         \
  NORN_INLINE E##x##X E##x##X##_select(M##x##X mask, E##x##X x, E##x##X y) {                    \
    return (E##x##X)((mask & (M##x##X)x) | (~mask & (M##x##X)y));                               \
  }

#define NORN_MOVES_HALVES(E, M, N, H, S)                                                        \
  NORN_INLINE E##x##N E##x##N##_splat(E x) { return (E##x##N){E##x##H##_splat(x), E##x##H##_splat(x)}; } \
  NORN_INLINE E##x##N E##x##N##_load(const E *from) {                                           \
    return (E##x##N){E##x##H##_load(from), E##x##H##_load(from + H)};                           \
  }                                                                                             \
  NORN_INLINE void E##x##N##_store(E *to, E##x##N x) {                                          \
    E##x##H##_store(to, x.lo);                                                                  \
    E##x##H##_store(to + H, x.hi);                                                              \
  }                                                                                             \
  NORN_INLINE E E##x##N##_lane(E##x##N x, i64 lane) {                                           \
    return lane < H ? E##x##H##_lane(x.lo, lane) : E##x##H##_lane(x.hi, lane - H);              \
  }                                                                                             \
  NORN_INLINE E##x##N E##x##N##_select(M##x##N mask, E##x##N x, E##x##N y) {                    \
    return (E##x##N){E##x##H##_select(mask.lo, x.lo, y.lo), E##x##H##_select(mask.hi, x.hi, y.hi)}; \
  }

#define NORN_MOVES_ARRAY(E, M, N)                                                               \
  NORN_INLINE E##x##N E##x##N##_load(const E *from) {                                           \
    E##x##N x;                                                                                  \
    __builtin_memcpy(&x, from, sizeof x);                                                       \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE void E##x##N##_store(E *to, E##x##N x) { __builtin_memcpy(to, &x, sizeof x); }    \
  NORN_INLINE E##x##N E##x##N##_splat(E x) {                                                    \
    E##x##N all;                                                                                \
    for (int l = 0; l < N; l++) all.at[l] = x;                                                  \
    return all;                                                                                 \
  }                                                                                             \
  NORN_INLINE E E##x##N##_lane(E##x##N x, i64 lane) { return x.at[lane]; }                      \
  NORN_INLINE E##x##N E##x##N##_select(M##x##N mask, E##x##N x, E##x##N y) {                    \
    M m[N];                                                                                     \
    M##x##N##_store(m, mask);                                                                   \
    for (int l = 0; l < N; l++) x.at[l] = m[l] ? x.at[l] : y.at[l];                             \
    return x;                                                                                   \
  }

// 0, 1, 2, ..
#define NORN_ARITHMETIC_LANES(E, N)                                                             \
  NORN_INLINE E##x##N E##x##N##_lanes(void) {                                                   \
    static const E lanes[N] = {NORN_COUNT_##N};                                                 \
    return E##x##N##_load(lanes);                                                               \
  }

// The two halves, and both together.
#define NORN_SPLIT(E, N, H, S) NORN_BY_FORM(NORN_SPLIT, S)(E, N, H)
#define NORN_SPLIT_HALVES(E, N, H)                                                              \
  NORN_INLINE E##x##H E##x##N##_lo(E##x##N x) { return x.lo; }                                  \
  NORN_INLINE E##x##H E##x##N##_hi(E##x##N x) { return x.hi; }                                  \
  NORN_INLINE E##x##N E##x##N##_join(E##x##H lo, E##x##H hi) { return (E##x##N){lo, hi}; }
#if defined(__clang__) || __GNUC__ >= 12
#define NORN_SPLIT_WHOLE(E, N, H)                                                               \
  NORN_INLINE E##x##H E##x##N##_lo(E##x##N x) { return __builtin_shufflevector(x, x, NORN_COUNT_##H); } \
  NORN_INLINE E##x##H E##x##N##_hi(E##x##N x) { return __builtin_shufflevector(x, x, NORN_SECOND_##H); } \
  NORN_INLINE E##x##N E##x##N##_join(E##x##H lo, E##x##H hi) {                                  \
    return __builtin_shufflevector(lo, hi, NORN_COUNT_##N);                                     \
  }
#else
#define NORN_SPLIT_WHOLE(E, N, H)                                                               \
  NORN_INLINE E##x##H E##x##N##_lo(E##x##N x) {                                                 \
    E##x##H half;                                                                               \
    __builtin_memcpy(&half, &x, sizeof half);                                                   \
    return half;                                                                                \
  }                                                                                             \
  NORN_INLINE E##x##H E##x##N##_hi(E##x##N x) {                                                 \
    E##x##H half;                                                                               \
    __builtin_memcpy(&half, (char *)&x + sizeof half, sizeof half);                             \
    return half;                                                                                \
  }                                                                                             \
  NORN_INLINE E##x##N E##x##N##_join(E##x##H lo, E##x##H hi) {                                  \
    E##x##N x;                                                                                  \
    __builtin_memcpy(&x, &lo, sizeof lo);                                                       \
    __builtin_memcpy((char *)&x + sizeof lo, &hi, sizeof hi);                                   \
    return x;                                                                                   \
  }
#endif

// # Operators, on halves

#define NORN_HALVES_UN(R, E, N, H, name) \
  NORN_INLINE R##x##N E##x##N##_##name(E##x##N x) { return (R##x##N){E##x##H##_##name(x.lo), E##x##H##_##name(x.hi)}; }
#define NORN_HALVES_BIN(R, E, N, H, name)                                                       \
  NORN_INLINE R##x##N E##x##N##_##name(E##x##N x, E##x##N y) {                                  \
    return (R##x##N){E##x##H##_##name(x.lo, y.lo), E##x##H##_##name(x.hi, y.hi)};               \
  }
#define NORN_HALVES_TRI(R, E, N, H, name)                                                       \
  NORN_INLINE R##x##N E##x##N##_##name(E##x##N x, E##x##N y, E##x##N z) {                       \
    return (R##x##N){E##x##H##_##name(x.lo, y.lo, z.lo), E##x##H##_##name(x.hi, y.hi, z.hi)};   \
  }

#define NORN_WHOLE_COMPARISONS(E, M, X)                                                         \
  NORN_INLINE M##x##X E##x##X##_eq(E##x##X x, E##x##X y) { return (M##x##X)(x == y); }          \
  NORN_INLINE M##x##X E##x##X##_lt(E##x##X x, E##x##X y) { return (M##x##X)(x < y); }           \
  NORN_INLINE M##x##X E##x##X##_le(E##x##X x, E##x##X y) { return (M##x##X)(x <= y); }
#define NORN_HALVES_COMPARISONS(E, M, N, H)                                                     \
  NORN_HALVES_BIN(M, E, N, H, eq) NORN_HALVES_BIN(M, E, N, H, lt) NORN_HALVES_BIN(M, E, N, H, le)

#define NORN_WHOLE_ARITHMETIC(E, X)                                                             \
  NORN_INLINE E##x##X E##x##X##_neg(E##x##X x) { return -x; }                                   \
  NORN_INLINE E##x##X E##x##X##_add(E##x##X x, E##x##X y) { return x + y; }                     \
  NORN_INLINE E##x##X E##x##X##_sub(E##x##X x, E##x##X y) { return x - y; }                     \
  NORN_INLINE E##x##X E##x##X##_mul(E##x##X x, E##x##X y) { return x * y; }
#define NORN_HALVES_ARITHMETIC(E, N, H)                                                         \
  NORN_HALVES_UN(E, E, N, H, neg) NORN_HALVES_BIN(E, E, N, H, add)                              \
  NORN_HALVES_BIN(E, E, N, H, sub) NORN_HALVES_BIN(E, E, N, H, mul)

// # Integers

#define NORN_SIGNED_VECTOR(E, M, U, N, H, S) NORN_BY_FORM(NORN_SIGNED_VECTOR, S)(E, M, U, N, H, S)
#define NORN_UNSIGNED_VECTOR(E, M, U, N, H, S) NORN_BY_FORM(NORN_UNSIGNED_VECTOR, S)(E, M, U, N, H, S)
#define NORN_SIGNED_VECTOR_HALVES NORN_INT_HALVES
#define NORN_UNSIGNED_VECTOR_HALVES NORN_INT_HALVES

#define NORN_SIGNED_VECTOR_WHOLE(E, M, U, X, H, S)                                              \
  NORN_INT_WHOLE(E, M, U, X)                                                                    \
  NORN_INLINE E##x##X E##x##X##_abs(E##x##X x) {                                                \
    E##x##X negative = x < 0;                                                                   \
    return (x ^ negative) - negative;                                                           \
  }                                                                                             \
  NORN_INLINE E##x##X E##x##X##_sgn(E##x##X x) { return (x < 0) - (x > 0); }
#define NORN_UNSIGNED_VECTOR_WHOLE(E, M, U, X, H, S)                                            \
  NORN_INT_WHOLE(E, M, U, X)                                                                    \
  NORN_INLINE E##x##X E##x##X##_abs(E##x##X x) { return x; }                                    \
  NORN_INLINE E##x##X E##x##X##_sgn(E##x##X x) { return (E##x##X)(x != 0) & 1; }

#define NORN_INT_WHOLE(E, M, U, X)                                                              \
  NORN_WHOLE_ARITHMETIC(E, X)                                                                   \
  NORN_WHOLE_COMPARISONS(E, M, X)                                                               \
  NORN_INLINE E##x##X E##x##X##_not(E##x##X x) { return ~x; }                                   \
  NORN_INLINE E##x##X E##x##X##_and(E##x##X x, E##x##X y) { return x & y; }                     \
  NORN_INLINE E##x##X E##x##X##_or(E##x##X x, E##x##X y) { return x | y; }                      \
  NORN_INLINE E##x##X E##x##X##_xor(E##x##X x, E##x##X y) { return x ^ y; }                     \
  NORN_INLINE E##x##X E##x##X##_min(E##x##X x, E##x##X y) { return E##x##X##_select((M##x##X)(x < y), x, y); } \
  NORN_INLINE E##x##X E##x##X##_max(E##x##X x, E##x##X y) { return E##x##X##_select((M##x##X)(x > y), x, y); } \
  NORN_INLINE E##x##X E##x##X##_shl(E##x##X x, E##x##X y) {                                     \
    U##x##X by = (U##x##X)y;                                                                    \
    return (E##x##X)(((U##x##X)x << (by & (8 * sizeof(E) - 1))) & (U##x##X)(by < 8 * sizeof(E))); \
  }                                                                                             \
  NORN_INLINE E##x##X E##x##X##_lshr(E##x##X x, E##x##X y) {                                    \
    U##x##X by = (U##x##X)y;                                                                    \
    return (E##x##X)(((U##x##X)x >> (by & (8 * sizeof(E) - 1))) & (U##x##X)(by < 8 * sizeof(E))); \
  }                                                                                             \
  NORN_INLINE E##x##X E##x##X##_ashr(E##x##X x, E##x##X y) {                                    \
    U##x##X by = (U##x##X)y, beyond = (U##x##X)(by >= 8 * sizeof(E));                           \
    return (E##x##X)((M##x##X)x >> (M##x##X)((by | beyond) & (8 * sizeof(E) - 1)));             \
  }

#define NORN_INT_HALVES(E, M, U, N, H, S)                                                       \
  NORN_HALVES_ARITHMETIC(E, N, H)                                                               \
  NORN_HALVES_COMPARISONS(E, M, N, H)                                                           \
  NORN_HALVES_UN(E, E, N, H, not) NORN_HALVES_UN(E, E, N, H, abs) NORN_HALVES_UN(E, E, N, H, sgn) \
  NORN_HALVES_BIN(E, E, N, H, and) NORN_HALVES_BIN(E, E, N, H, or) NORN_HALVES_BIN(E, E, N, H, xor) \
  NORN_HALVES_BIN(E, E, N, H, min) NORN_HALVES_BIN(E, E, N, H, max)                             \
  NORN_HALVES_BIN(E, E, N, H, shl) NORN_HALVES_BIN(E, E, N, H, lshr) NORN_HALVES_BIN(E, E, N, H, ashr)

// # Floats

#define NORN_FLOAT_VECTOR(E, M, U, N, H, S) NORN_BY_FORM(NORN_FLOAT_VECTOR, S)(E, M, U, N, N, H, S)

// What is left out is in hardware.h: square roots, rounding, fma and `less`, which is y where y < x and x elsewhere.
#define NORN_FLOAT_VECTOR_WHOLE(E, M, U, X, N, H, S)                                            \
  NORN_WHOLE_ARITHMETIC(E, X)                                                                   \
  NORN_WHOLE_COMPARISONS(E, M, X)                                                               \
  NORN_HARDWARE_##S(E, X, N)                                                                    \
  NORN_INLINE U##x##X E##x##X##_to_bits(E##x##X x) { return (U##x##X)x; }                       \
  NORN_INLINE E##x##X U##x##X##_from_bits(U##x##X x) { return (E##x##X)x; }                     \
  NORN_INLINE E##x##X E##x##X##_div(E##x##X x, E##x##X y) { return x / y; }                     \
  NORN_INLINE E##x##X E##x##X##_copysign(E##x##X x, E##x##X y) {                                \
    U sign = (U)1 << (8 * sizeof(E) - 1);                                                       \
    return (E##x##X)(((U##x##X)x & ~sign) | ((U##x##X)y & sign));                               \
  }                                                                                             \
  NORN_INLINE E##x##X E##x##X##_abs(E##x##X x) {                                                \
    return (E##x##X)((U##x##X)x & ~((U)1 << (8 * sizeof(E) - 1)));                              \
  }                                                                                             \
  NORN_INLINE M##x##X E##x##X##_isnan(E##x##X x) { return (M##x##X)(x != x); }                  \
  NORN_INLINE M##x##X E##x##X##_isinf(E##x##X x) { return (M##x##X)(E##x##X##_abs(x) == (E)__builtin_inf()); } \
  NORN_INLINE E##x##X E##x##X##_min(E##x##X x, E##x##X y) {                                     \
    return E##x##X##_select((M##x##X)(x != x), y, E##x##X##_less(x, y));                        \
  }                                                                                             \
  NORN_INLINE E##x##X E##x##X##_max(E##x##X x, E##x##X y) {                                     \
    return E##x##X##_select((M##x##X)(x != x), y, E##x##X##_greater(x, y));                     \
  }                                                                                             \
  NORN_INLINE E##x##X E##x##X##_sgn(E##x##X x) {                                                \
    E##x##X one = E##x##X##_copysign(E##x##X##_splat(1), x);                                    \
    E##x##X size = E##x##X##_select((M##x##X)(x == 0), (E##x##X){0}, one);                      \
    return E##x##X##_select((M##x##X)(x != x), x, size);                                        \
  }                                                                                             \
  NORN_INLINE E##x##X E##x##X##_rsqrt(E##x##X x) { return 1 / E##x##X##_sqrt(x); }              \
  NORN_INLINE E##x##X E##x##X##_mad(E##x##X x, E##x##X y, E##x##X z) {                          \
    return NORN_FMA ? E##x##X##_fma(x, y, z) : x * y + z;                                       \
  }                                                                                             \
  NORN_INLINE E##x##X E##x##X##_lerp(E##x##X x, E##x##X y, E##x##X z) {                         \
    return x + (y - x) * E##x##X##_min(E##x##X##_max(z, (E##x##X){0}), E##x##X##_splat(1));     \
  }

#define NORN_FLOAT_VECTOR_HALVES(E, M, U, N, N_, H, S)                                          \
  NORN_HALVES_ARITHMETIC(E, N, H)                                                               \
  NORN_HALVES_COMPARISONS(E, M, N, H)                                                           \
  NORN_HALVES_UN(U, E, N, H, to_bits) NORN_HALVES_UN(E, U, N, H, from_bits)                     \
  NORN_HALVES_UN(M, E, N, H, isnan) NORN_HALVES_UN(M, E, N, H, isinf)                           \
  NORN_HALVES_UN(E, E, N, H, abs) NORN_HALVES_UN(E, E, N, H, sgn)                               \
  NORN_HALVES_UN(E, E, N, H, sqrt) NORN_HALVES_UN(E, E, N, H, rsqrt)                            \
  NORN_HALVES_UN(E, E, N, H, floor) NORN_HALVES_UN(E, E, N, H, ceil)                            \
  NORN_HALVES_UN(E, E, N, H, trunc) NORN_HALVES_UN(E, E, N, H, round)                           \
  NORN_HALVES_BIN(E, E, N, H, div) NORN_HALVES_BIN(E, E, N, H, copysign)                        \
  NORN_HALVES_BIN(E, E, N, H, min) NORN_HALVES_BIN(E, E, N, H, max)                             \
  NORN_HALVES_TRI(E, E, N, H, fma) NORN_HALVES_TRI(E, E, N, H, mad) NORN_HALVES_TRI(E, E, N, H, lerp)

// # Any function of scalars, one lane after the other. `result` is an expression of x, y and z.

#define NORN_LANES_UN(R, E, N, name, result)                                                    \
  NORN_INLINE R##x##N E##x##N##_##name(E##x##N xs) {                                            \
    E in[N];                                                                                    \
    R out[N];                                                                                   \
    E##x##N##_store(in, xs);                                                                    \
    for (int l = 0; l < N; l++) {                                                               \
      E x = in[l];                                                                              \
      out[l] = result;                                                                          \
    }                                                                                           \
    return R##x##N##_load(out);                                                                 \
  }
#define NORN_LANES_BIN(R, E, F, N, name, result)                                                \
  NORN_INLINE R##x##N E##x##N##_##name(E##x##N xs, F##x##N ys) {                                \
    E in[N];                                                                                    \
    F by[N];                                                                                    \
    R out[N];                                                                                   \
    E##x##N##_store(in, xs);                                                                    \
    F##x##N##_store(by, ys);                                                                    \
    for (int l = 0; l < N; l++) {                                                               \
      E x = in[l];                                                                              \
      F y = by[l];                                                                              \
      out[l] = result;                                                                          \
    }                                                                                           \
    return R##x##N##_load(out);                                                                 \
  }
#define NORN_LANES_TRI(E, N, name, result)                                                      \
  NORN_INLINE E##x##N E##x##N##_##name(E##x##N xs, E##x##N ys, E##x##N zs) {                    \
    E in[N], by[N], and[N];                                                                     \
    E##x##N##_store(in, xs);                                                                    \
    E##x##N##_store(by, ys);                                                                    \
    E##x##N##_store(and, zs);                                                                   \
    for (int l = 0; l < N; l++) {                                                               \
      E x = in[l], y = by[l], z = and[l];                                                       \
      in[l] = result;                                                                           \
    }                                                                                           \
    return E##x##N##_load(in);                                                                  \
  }

// # Conversions. SE and SR are the sizes of the two types.

#define NORN_CONVERT(R, E, N, H, SR, SE) NORN_CONVERT_FORMS(NORN_FORM_##SR, NORN_FORM_##SE, R, E, N, H)
#define NORN_CONVERT_FORMS(FR, FE, R, E, N, H) NORN_CONVERT_FORMS_(FR, FE, R, E, N, H)
#define NORN_CONVERT_FORMS_(FR, FE, R, E, N, H) NORN_CONVERT_##FR##_##FE(R, E, N, H)
#define NORN_CONVERT_WHOLE_WHOLE(R, E, N, H)                                                    \
  NORN_INLINE R##x##N E##x##N##_as_##R(E##x##N x) {                                             \
    R##x##N y;                                                                                  \
    if (norn_convert(&y, NORN_KIND_##R, &x, NORN_KIND_##E, N)) return y;                        \
    return __builtin_convertvector(x, R##x##N);                                                 \
  }
#define NORN_CONVERT_BY_HALVES(R, E, N, H)                                                      \
  NORN_INLINE R##x##N E##x##N##_as_##R(E##x##N x) {                                             \
    return R##x##N##_join(E##x##H##_as_##R(E##x##N##_lo(x)), E##x##H##_as_##R(E##x##N##_hi(x))); \
  }
#define NORN_CONVERT_WHOLE_HALVES NORN_CONVERT_BY_HALVES
#define NORN_CONVERT_HALVES_WHOLE NORN_CONVERT_BY_HALVES
#define NORN_CONVERT_HALVES_HALVES NORN_CONVERT_BY_HALVES

// Floats to integers by way of the signed integers V (with masks M), if all are within their limits.
#define NORN_TRUNCATE(R, E, V, M, N, limit)                                                     \
  NORN_INLINE R##x##N E##x##N##_to_##R(E##x##N xs) {                                            \
    M##x##N within = E##x##N##_lt(E##x##N##_abs(xs), E##x##N##_splat(limit));                   \
    if (NORN_LIKELY(!M##x##N##_any(M##x##N##_not(within)))) return V##x##N##_as_##R(E##x##N##_as_##V(xs)); \
    E in[N];                                                                                    \
    R out[N];                                                                                   \
    E##x##N##_store(in, xs);                                                                    \
    for (int l = 0; l < N; l++) out[l] = (R)norn_low_bits(in[l]);                               \
    return R##x##N##_load(out);                                                                 \
  }

// # All lanes combined

#define NORN_COMBINE(E, N, H, name, result)                                                     \
  NORN_INLINE E E##x##N##_combine_##name(E##x##N v) {                                           \
    return E##x##H##_combine_##name(E##x##H##_##name(E##x##N##_lo(v), E##x##N##_hi(v)));        \
  }
#define NORN_COMBINE_2(E, name, result)                                                         \
  NORN_INLINE E E##x2_combine_##name(E##x2 v) {                                                 \
    E x = E##x2_lane(v, 0), y = E##x2_lane(v, 1);                                               \
    return result;                                                                              \
  }
// Neighbours first, for an operator that is not commutative.
#define NORN_COMBINE_IN_ORDER(E, N, name, result)                                               \
  NORN_INLINE E E##x##N##_combine_##name(E##x##N v) {                                           \
    E at[N];                                                                                    \
    E##x##N##_store(at, v);                                                                     \
    for (int step = 1; step < N; step *= 2)                                                     \
      for (int l = 0; l < N; l += 2 * step) {                                                   \
        E x = at[l], y = at[l + step];                                                          \
        at[l] = result;                                                                         \
      }                                                                                         \
    return at[0];                                                                               \
  }

// # Masks

#define NORN_MASK(M, N, H, S) NORN_BY_FORM(NORN_MASK, S)(M, N, H, S)
#define NORN_MASK_WHOLE(M, X, H, S) \
  NORN_INLINE bool M##x##X##_any(M##x##X mask) { return norn_any_##S(&mask); }
#define NORN_MASK_HALVES(M, N, H, S) \
  NORN_INLINE bool M##x##N##_any(M##x##N mask) { return M##x##H##_any(M##x##H##_or(mask.lo, mask.hi)); }

// # Memory, at neighbouring places, where a mask holds

#define NORN_MASKED(E, M, N, H, S) NORN_BY_FORM(NORN_MASKED, S)(E, M, N, H, S)
#define NORN_MASKED_WHOLE(E, M, X, N, S)                                                        \
  NORN_INLINE E##x##X E##x##X##_load_where(const E *from, M##x##X mask) {                       \
    E##x##X x = {0};                                                                            \
    norn_load_where(&x, from, &mask, sizeof(E), S);                                             \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE void E##x##X##_store_where(E *to, E##x##X x, M##x##X mask) {                      \
    norn_store_where(to, &x, &mask, sizeof(E), S);                                              \
  }
#define NORN_MASKED_HALVES(E, M, N, H, S)                                                       \
  NORN_INLINE E##x##N E##x##N##_load_where(const E *from, M##x##N mask) {                       \
    return (E##x##N){E##x##H##_load_where(from, mask.lo), E##x##H##_load_where(from + H, mask.hi)}; \
  }                                                                                             \
  NORN_INLINE void E##x##N##_store_where(E *to, E##x##N x, M##x##N mask) {                      \
    E##x##H##_store_where(to, x.lo, mask.lo);                                                   \
    E##x##H##_store_where(to + H, x.hi, mask.hi);                                               \
  }
#define NORN_MASKED_ARRAY(E, M, N)                                                              \
  NORN_INLINE E##x##N E##x##N##_load_where(const E *from, M##x##N mask) {                       \
    E##x##N x = {0};                                                                            \
    norn_load_where(&x, from, &mask, sizeof(E), sizeof x);                                      \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE void E##x##N##_store_where(E *to, E##x##N x, M##x##N mask) {                      \
    norn_store_where(to, &x, &mask, sizeof(E), sizeof x);                                       \
  }

// # Memory, at places by a vector of integers I, which has the size SI

#define NORN_GATHER(E, M, I, N, H, S, SI) NORN_GATHER_FORMS(NORN_FORM_##S, NORN_FORM_##SI, E, M, I, N, H)
#define NORN_GATHER_FORMS(FE, FI, E, M, I, N, H) NORN_GATHER_FORMS_(FE, FI, E, M, I, N, H)
#define NORN_GATHER_FORMS_(FE, FI, E, M, I, N, H) NORN_GATHER_##FE##_##FI(E, M, I, N, H)
#define NORN_GATHER_WHOLE_WHOLE(E, M, I, N, H)                                                  \
  NORN_INLINE E##x##N E##x##N##_gather_##I(const E *from, I##x##N at, M##x##N mask) {           \
    E##x##N x = {0};                                                                            \
    norn_gather_##I(&x, from, &at, &mask, sizeof(E), N);                                        \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE void E##x##N##_scatter_##I(E *to, I##x##N at, E##x##N x, M##x##N mask) {          \
    norn_scatter_##I(to, &at, &x, &mask, sizeof(E), N);                                         \
  }
#define NORN_GATHER_BY_HALVES(E, M, I, N, H)                                                    \
  NORN_INLINE E##x##N E##x##N##_gather_##I(const E *from, I##x##N at, M##x##N mask) {           \
    return E##x##N##_join(E##x##H##_gather_##I(from, I##x##N##_lo(at), M##x##N##_lo(mask)),     \
                          E##x##H##_gather_##I(from, I##x##N##_hi(at), M##x##N##_hi(mask)));    \
  }                                                                                             \
  NORN_INLINE void E##x##N##_scatter_##I(E *to, I##x##N at, E##x##N x, M##x##N mask) {          \
    E##x##H##_scatter_##I(to, I##x##N##_lo(at), E##x##N##_lo(x), M##x##N##_lo(mask));           \
    E##x##H##_scatter_##I(to, I##x##N##_hi(at), E##x##N##_hi(x), M##x##N##_hi(mask));           \
  }
#define NORN_GATHER_WHOLE_HALVES NORN_GATHER_BY_HALVES
#define NORN_GATHER_HALVES_WHOLE NORN_GATHER_BY_HALVES
#define NORN_GATHER_HALVES_HALVES NORN_GATHER_BY_HALVES
#define NORN_GATHER_ARRAY(E, M, I, N)                                                           \
  NORN_INLINE E##x##N E##x##N##_gather_##I(const E *from, I##x##N at, M##x##N mask) {           \
    E##x##N x = {0};                                                                            \
    norn_gather_each(&x, from, &at, sizeof(I), &mask, sizeof(E), N);                            \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE void E##x##N##_scatter_##I(E *to, I##x##N at, E##x##N x, M##x##N mask) {          \
    norn_scatter_each(to, &at, sizeof(I), &x, &mask, sizeof(E), N);                             \
  }

// # Functions of vmath.h, which are for the widest vectors of the machine: a smaller one is part of such a vector

#if NORN_VECTOR_BYTES == 64
#define NORN_FILL_64 ALL
#define NORN_FILL_32 PART
#define NORN_FILL_16 PART
#elif NORN_VECTOR_BYTES == 32
#define NORN_FILL_64 HALVES
#define NORN_FILL_32 ALL
#define NORN_FILL_16 PART
#else
#define NORN_FILL_64 HALVES
#define NORN_FILL_32 HALVES
#define NORN_FILL_16 ALL
#endif
#define NORN_FILL_8 PART
#define NORN_FILL_128 HALVES
#define NORN_FILL_256 HALVES
#define NORN_FILL_512 HALVES

#define NORN_MATH_UN(E, N, H, S, name) NORN_NAME(NORN_MATH_UN_, NORN_FILL_##S)(E, N, H, name)
#define NORN_MATH_UN_HALVES(E, N, H, name) NORN_HALVES_UN(E, E, N, H, name)
#define NORN_MATH_UN_ALL(E, N, H, name) \
  NORN_INLINE E##x##N E##x##N##_##name(E##x##N x) { return E##xv_##name(x); }
#define NORN_MATH_UN_PART(E, N, H, name)                                                        \
  NORN_INLINE E##x##N E##x##N##_##name(E##x##N x) {                                             \
    union {                                                                                     \
      E##xv all;                                                                                \
      E##x##N part;                                                                             \
    } in = {0}, out;                                                                            \
    in.part = x;                                                                                \
    out.all = E##xv_##name(in.all);                                                             \
    return out.part;                                                                            \
  }
#define NORN_MATH_BIN(E, N, H, S, name) NORN_NAME(NORN_MATH_BIN_, NORN_FILL_##S)(E, N, H, name)
#define NORN_MATH_BIN_HALVES(E, N, H, name) NORN_HALVES_BIN(E, E, N, H, name)
#define NORN_MATH_BIN_ALL(E, N, H, name) \
  NORN_INLINE E##x##N E##x##N##_##name(E##x##N x, E##x##N y) { return E##xv_##name(x, y); }
#define NORN_MATH_BIN_PART(E, N, H, name)                                                       \
  NORN_INLINE E##x##N E##x##N##_##name(E##x##N x, E##x##N y) {                                  \
    union {                                                                                     \
      E##xv all;                                                                                \
      E##x##N part;                                                                             \
    } in = {0}, by = {0}, out;                                                                  \
    in.part = x;                                                                                \
    by.part = y;                                                                                \
    out.all = E##xv_##name(in.all, by.all);                                                     \
    return out.part;                                                                            \
  }

#endif
