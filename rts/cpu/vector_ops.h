// Operators on vectors, conversions, and lanes combined. The parameters of macros are those of vector.h.
#ifndef NORN_VECTOR_OPS_H
#define NORN_VECTOR_OPS_H

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

#endif
