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

#endif
