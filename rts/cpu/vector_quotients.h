// Quotients and remainders of vectors of integers. No machine divides them lane by lane, and to do one lane after the other takes as long
// as it does without vectors. Doubles are exact up to 2^53, and machines have their quotients: whole numbers become doubles, the quotient is rounded to
// the nearest whole number, which is at most one beyond the one that is asked for, and the sign of the remainder tells whether it is.
//
// It works for all numbers of 32 bits, and for those of 64 bits whose magnitude is below 2^50, as that of all indices. A divisor
// that is the same in all lanes (`_by`) becomes a factor, 1 / y: its rounding moves the quotient by less than a quarter, so it holds there, too. A
// power of two that is known when C is compiled becomes a shift or a mask.
//
// Where a number is larger, or a divisor is 0, each lane does what it would do by itself.
#ifndef NORN_VECTOR_QUOTIENTS_H
#define NORN_VECTOR_QUOTIENTS_H

typedef i64 norn_lanes __attribute__((vector_size(NORN_VECTOR_BYTES)));
typedef double norn_doubles __attribute__((vector_size(NORN_VECTOR_BYTES)));
enum { NORN_WORDS = NORN_VECTOR_BYTES / 8 };

// Added to a double below 2^51, its low bits are the number rounded to a whole one.
#define NORN_WHOLE 0x1.8p52
#define NORN_WHOLE_BITS 0x4338000000000000ll
#define NORN_WHOLE_LIMIT ((i64)1 << 50)

NORN_INLINE bool norn_any_word(norn_lanes mask) {
#if NORN_VECTOR_BYTES == 64
  return norn_any_64(&mask);
#elif NORN_VECTOR_BYTES == 32
  return norn_any_32(&mask);
#else
  return norn_any_16(&mask);
#endif
}

// So many lanes, of 32 or 64 bits; the others are `rest`.
NORN_INLINE norn_lanes norn_lanes_of(const void *from, int kind, i64 lanes, i64 rest) {
  norn_lanes x = (norn_lanes){0} + rest;
  if (norn_kind_bytes(kind) == 8) {
    __builtin_memcpy(&x, from, (u64)(lanes * 8));
    return x;
  }
#if NORN_GCC_X86 && defined(__AVX2__)
  if (lanes == NORN_WORDS) {
    norn_extend(&x, 8, from, 4, norn_kind_is_signed(kind), lanes);
    return x;
  }
#endif
  for (i64 l = 0; l < lanes; l++) x[l] = norn_kind_is_signed(kind) ? (i64)((const i32 *)from)[l] : (i64)((const u32 *)from)[l];
  return x;
}

NORN_INLINE void norn_lanes_to(void *to, int kind, norn_lanes x, i64 lanes) {
  if (norn_kind_bytes(kind) == 8) {
    __builtin_memcpy(to, &x, (u64)(lanes * 8));
    return;
  }
#if NORN_GCC_X86 && defined(__AVX2__)
  if (lanes == NORN_WORDS) {
    norn_truncate(to, 4, &x, 8, lanes);
    return;
  }
#endif
  for (i64 l = 0; l < lanes; l++) ((u32 *)to)[l] = (u32)x[l];
}

NORN_INLINE norn_lanes norn_beyond(norn_lanes x, int kind) {
  typedef u64 words __attribute__((vector_size(NORN_VECTOR_BYTES)));
  if (norn_kind_is_signed(kind)) return (norn_lanes)((words)(x + NORN_WHOLE_LIMIT) >= (u64)(2 * NORN_WHOLE_LIMIT));
  return (norn_lanes)((words)x >= (u64)NORN_WHOLE_LIMIT);
}

// Towards minus infinity (`floors`) or zero. If `uniform`, there is one divisor for all lanes. Whether it could be done.
NORN_INLINE bool norn_quotients(
    void *to, const void *from, const void *by, bool uniform, int kind, i64 lanes, bool floors, bool remainder) {
  i64 size = norn_kind_bytes(kind);
  norn_doubles y, factor = {0};
  if (size < 4) return false;
  if (uniform) {
    i64 all = size == 8 ? *(const i64 *)by : norn_kind_is_signed(kind) ? (i64)*(const i32 *)by : (i64)*(const u32 *)by;
    if (NORN_UNLIKELY(all == 0 || all >= NORN_WHOLE_LIMIT || all <= -NORN_WHOLE_LIMIT)) return false;
    y = (norn_doubles){0} + (double)all;
    factor = (norn_doubles){0} + 1 / (double)all;
  }
  for (i64 first = 0; first < lanes; first += NORN_WORDS) {
    i64 part = lanes - first < NORN_WORDS ? lanes - first : NORN_WORDS;
    norn_lanes bits = norn_lanes_of((const char *)from + first * size, kind, part, 0);
    norn_lanes beyond = size == 8 ? norn_beyond(bits, kind) : (norn_lanes){0};
    if (!uniform) {
      norn_lanes y_bits = norn_lanes_of((const char *)by + first * size, kind, part, 1);
      beyond |= (norn_lanes)(y_bits == 0);
      if (size == 8) beyond |= norn_beyond(y_bits, kind);
      y = (norn_doubles)(y_bits + NORN_WHOLE_BITS) - NORN_WHOLE;
    }
    if ((size == 8 || !uniform) && NORN_UNLIKELY(norn_any_word(beyond))) return false;
    norn_doubles x = (norn_doubles)(bits + NORN_WHOLE_BITS) - NORN_WHOLE;
    norn_doubles quotient = uniform ? x * factor : x / y;
    quotient = (quotient + NORN_WHOLE) - NORN_WHOLE;
    norn_doubles rest = x - quotient * y;
    // The remainder has the sign of the divisor if the quotient was rounded down, and else that of the dividend.
    norn_lanes wrong = (norn_lanes)(rest != 0) & ((norn_lanes)(rest < 0) ^ (floors ? (norn_lanes)(y < 0) : (norn_lanes)(x < 0)));
    norn_doubles step = (norn_doubles){0} + 1;
    if (!floors) {
      norn_lanes sign = ((norn_lanes)x ^ (norn_lanes)y) & ((norn_lanes){0} + (-9223372036854775807ll - 1));
      step = (norn_doubles)((norn_lanes)step | sign);
    }
    step = (norn_doubles)((norn_lanes)step & wrong);
    norn_doubles result = remainder ? rest + step * y : quotient - step;
    norn_lanes_to((char *)to + first * size, kind, (norn_lanes)(result + NORN_WHOLE) - NORN_WHOLE_BITS, part);
  }
  return true;
}

#define NORN_QUOTIENTS(E, N, H, S)                                                              \
  NORN_BY_FORM(NORN_QUOTIENT, S)(E, N, N, H, div, true, false)                                  \
  NORN_BY_FORM(NORN_QUOTIENT, S)(E, N, N, H, mod, true, true)                                   \
  NORN_BY_FORM(NORN_QUOTIENT, S)(E, N, N, H, quot, false, false)                                \
  NORN_BY_FORM(NORN_QUOTIENT, S)(E, N, N, H, rem, false, true)

#define NORN_QUOTIENT_WHOLE(E, X, N, H, name, floors, remainder)                                \
  NORN_INLINE E##x##X E##x##X##_##name(E##x##X x, E##x##X y) {                                  \
    E##x##X z;                                                                                  \
    if (NORN_LIKELY(norn_quotients(&z, &x, &y, false, NORN_KIND_##E, N, floors, remainder))) return z; \
    for (int l = 0; l < N; l++) z[l] = norn_##name##_##E(x[l], y[l]);                           \
    return z;                                                                                   \
  }                                                                                             \
  NORN_INLINE E##x##X E##x##X##_##name##_by(E##x##X x, E y) {                                   \
    if (__builtin_constant_p(y) && y > 0 && (y & (y - 1)) == 0) {                               \
      E##x##X up = {0}; /* Towards zero, negative numbers are rounded up. */                    \
      if (!floors && (E)-1 < 0) up = (x >> (E)(8 * sizeof(E) - 1)) & (E)(y - 1);                \
      return remainder ? ((x + up) & (E)(y - 1)) - up : ((x + up) >> (E)__builtin_ctzll((u64)y)); \
    }                                                                                           \
    E##x##X z;                                                                                  \
    if (NORN_LIKELY(norn_quotients(&z, &x, &y, true, NORN_KIND_##E, N, floors, remainder))) return z; \
    for (int l = 0; l < N; l++) z[l] = norn_##name##_##E(x[l], y);                              \
    return z;                                                                                   \
  }

#define NORN_QUOTIENT_HALVES(E, X, N, H, name, floors, remainder)                               \
  NORN_INLINE E##x##X E##x##X##_##name(E##x##X x, E##x##X y) {                                  \
    return (E##x##X){E##x##H##_##name(x.lo, y.lo), E##x##H##_##name(x.hi, y.hi)};               \
  }                                                                                             \
  NORN_INLINE E##x##X E##x##X##_##name##_by(E##x##X x, E y) {                                   \
    return (E##x##X){E##x##H##_##name##_by(x.lo, y), E##x##H##_##name##_by(x.hi, y)};           \
  }

#endif
