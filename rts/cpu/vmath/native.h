// The widest vectors that the machine has, f32xv and f64xv with their integers, for which the functions of vmath are
// written. They are within 4 units in the last place, and give what libm gives at zeros, infinities and NaNs. What is
// rare or too long for vectors is left to libm, lane by lane.
#ifndef NORN_VMATH_NATIVE_H
#define NORN_VMATH_NATIVE_H

#define NORN_NATIVE_INT(E, U, S)         \
  NORN_TYPE_WHOLE(E, v, , S)             \
  NORN_TYPE_WHOLE(U, v, , S)             \
  NORN_MOVES_WHOLE(E, E, v, , S)         \
  NORN_SIGNED_VECTOR_WHOLE(E, E, U, v, , S) \
  NORN_MASK_WHOLE(E, v, , S)
#define NORN_NATIVE_FLOAT(E, M, U, N, S) \
  NORN_TYPE_WHOLE(E, v, , S)             \
  NORN_MOVES_WHOLE(E, M, v, , S)         \
  NORN_FLOAT_VECTOR_WHOLE(E, M, U, v, N, , S)
#define NORN_NATIVE(N, H, S)             \
  NORN_NATIVE_INT(i32, u32, S)           \
  NORN_NATIVE_INT(i64, u64, S)           \
  NORN_NATIVE_FLOAT(f32, i32, u32, N, S) \
  NORN_NATIVE_FLOAT(f64, i64, u64, H, S) \
  enum { norn_f32_lanes = N, norn_f64_lanes = H };

#if NORN_VECTOR_BYTES == 64
NORN_NATIVE(16, 8, 64)
#elif NORN_VECTOR_BYTES == 32
NORN_NATIVE(8, 4, 32)
#else
NORN_NATIVE(4, 2, 16)
#endif

#define NORN_LIBM_LANES(E, name)                                                                \
  NORN_COLD E##xv E##xv_##name##_by_lanes(E##xv x) {                                            \
    for (int l = 0; l < norn_##E##_lanes; l++) x[l] = norn_##name##_##E(x[l]);                  \
    return x;                                                                                   \
  }

// A sum with this number at the end is rounded to an integer, which is in the low bits of the sum.
#define NORN_ROUND_f32 0x1.8p23f
#define NORN_ROUND_f64 0x1.8p52

NORN_INLINE i32xv f32xv_low_bits(f32xv sum) { return (i32xv)sum - (i32)0x4b400000; }
NORN_INLINE i64xv f64xv_low_bits(f64xv sum) { return (i64xv)sum - (i64)0x4338000000000000; }

NORN_INLINE f32xv f32xv_of_small(i32xv x) { return __builtin_convertvector(x, f32xv); }
NORN_INLINE f64xv f64xv_of_small(i64xv x) { return (f64xv)(x + (i64)0x4338000000000000) - NORN_ROUND_f64; }

// # From these to vectors of any number of lanes: a smaller one is a part of such a vector, a larger one has halves

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
