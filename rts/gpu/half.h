// f16: its bits; computed as f32 and rounded. They mean what crates/ir/src/scalar/eval says.
#ifndef NORN_HALF_H
#define NORN_HALF_H

typedef u16 f16;

NORN_INLINE u16 norn_to_bits_f16(f16 x) { return x; }
NORN_INLINE f16 norn_from_bits_f16(u16 bits) { return bits; }

#ifndef __OPENCL_VERSION__

NORN_INLINE f32 norn_f32_of_f16(f16 x) {
  f32 y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
  return y;
}

NORN_INLINE f16 norn_f16_of_f32(f32 x) {
  f16 y;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}

#else

NORN_FUNCTION f32 norn_f32_of_f16(f16 x) {
  u32 sign = (u32)(x & 0x8000) << 16, exponent = x >> 10 & 0x1f, fraction = x & 0x3ff;
  if (exponent == 0x1f) return norn_from_bits_f32(sign | 0x7f800000 | fraction << 13);
  if (exponent != 0) return norn_from_bits_f32(sign | (exponent + 112) << 23 | fraction << 13);
  f32 tiny = (f32)fraction * 0x1p-24f;
  return sign ? -tiny : tiny;
}

// Rounds to nearest, ties to even.
NORN_FUNCTION f16 norn_f16_of_f32(f32 x) {
  u32 bits = norn_to_bits_f32(x), size = bits & 0x7fffffff;
  u16 sign = (u16)(bits >> 16 & 0x8000);
  if (size > 0x7f800000) return sign | 0x7e00;
  // 65520 is nearer to what would follow the largest.
  if (size >= 0x477ff000) return sign | 0x7c00;
  // Beside a half, an f32 has as many digits after the point as the least of f16.
  if (size < 0x38800000) return sign | (u16)(norn_to_bits_f32(norn_from_bits_f32(size) + 0.5f) - 0x3f000000);
  // 13 of the 23 bits of the fraction go; a carry goes into the exponent, as it should.
  u32 exact = size - (112u << 23);
  return sign | (u16)((exact + 0xfff + (exact >> 13 & 1)) >> 13);
}

#endif

#ifdef NORN_DOUBLE_H
// As above.
NORN_FUNCTION f16 norn_f16_of_f64(f64 x) {
  u64 bits = norn_to_bits_f64(x);
  u16 sign = (u16)(bits >> 48 & 0x8000);
  f64 size = norn_abs_f64(x);
  if (x != x) return sign | 0x7e00;
  if (size >= 65520.0) return sign | 0x7c00;
  if (size < 0x1p-14) return sign | (u16)norn_round_f64(size * 0x1p24);
  u64 exact = (bits & (u64)INT64_MAX) - ((u64)(1023 - 15) << 52);
  return sign | (u16)((exact + 0x1ffffffffff + (exact >> 42 & 1)) >> 42);
}

// The product is exact in an f64.
NORN_INLINE f16 norn_fma_f16(f16 x, f16 y, f16 z) {
  return norn_f16_of_f64((f64)norn_f32_of_f16(x) * (f64)norn_f32_of_f16(y) + (f64)norn_f32_of_f16(z));
}
#endif

#define NORN_HALF_UN(name) \
  NORN_INLINE f16 norn_##name##_f16(f16 x) { return norn_f16_of_f32(norn_##name##_f32(norn_f32_of_f16(x))); }
#define NORN_HALF_BIN(name)                                                                     \
  NORN_INLINE f16 norn_##name##_f16(f16 x, f16 y) {                                             \
    return norn_f16_of_f32(norn_##name##_f32(norn_f32_of_f16(x), norn_f32_of_f16(y)));          \
  }
#define NORN_HALF_TRI(name)                                                                     \
  NORN_INLINE f16 norn_##name##_f16(f16 x, f16 y, f16 z) {                                      \
    return norn_f16_of_f32(norn_##name##_f32(norn_f32_of_f16(x), norn_f32_of_f16(y), norn_f32_of_f16(z))); \
  }
#define NORN_HALF_ARITHMETIC(name, operation)                                                   \
  NORN_INLINE f16 norn_##name##_f16(f16 x, f16 y) {                                             \
    return norn_f16_of_f32(norn_f32_of_f16(x) operation norn_f32_of_f16(y));                    \
  }
#define NORN_HALF_COMPARISON(name, operation) \
  NORN_INLINE bool norn_##name##_f16(f16 x, f16 y) { return norn_f32_of_f16(x) operation norn_f32_of_f16(y); }

NORN_HALF_ARITHMETIC(add, +)
NORN_HALF_ARITHMETIC(sub, -)
NORN_HALF_ARITHMETIC(mul, *)
NORN_HALF_ARITHMETIC(div, /)
NORN_HALF_COMPARISON(eq, ==)
NORN_HALF_COMPARISON(lt, <)
NORN_HALF_COMPARISON(le, <=)

NORN_HALF_UN(abs) NORN_HALF_UN(sgn) NORN_HALF_UN(sqrt) NORN_HALF_UN(rsqrt) NORN_HALF_UN(cbrt)
NORN_HALF_UN(exp) NORN_HALF_UN(log) NORN_HALF_UN(log2) NORN_HALF_UN(log10) NORN_HALF_UN(log1p)
NORN_HALF_UN(sin) NORN_HALF_UN(cos) NORN_HALF_UN(tan) NORN_HALF_UN(asin) NORN_HALF_UN(acos) NORN_HALF_UN(atan)
NORN_HALF_UN(sinpi) NORN_HALF_UN(cospi) NORN_HALF_UN(tanpi)
NORN_HALF_UN(asinpi) NORN_HALF_UN(acospi) NORN_HALF_UN(atanpi)
NORN_HALF_UN(sinh) NORN_HALF_UN(cosh) NORN_HALF_UN(tanh) NORN_HALF_UN(asinh) NORN_HALF_UN(acosh) NORN_HALF_UN(atanh)
NORN_HALF_UN(gamma) NORN_HALF_UN(lgamma) NORN_HALF_UN(erf) NORN_HALF_UN(erfc)
NORN_HALF_UN(ceil) NORN_HALF_UN(floor) NORN_HALF_UN(trunc) NORN_HALF_UN(round)
NORN_HALF_BIN(mod) NORN_HALF_BIN(pow) NORN_HALF_BIN(min) NORN_HALF_BIN(max)
NORN_HALF_BIN(atan2) NORN_HALF_BIN(atan2pi) NORN_HALF_BIN(hypot) NORN_HALF_BIN(copysign)
NORN_HALF_TRI(mad) NORN_HALF_TRI(lerp)

NORN_INLINE f16 norn_neg_f16(f16 x) { return x ^ 0x8000; }
NORN_INLINE bool norn_isnan_f16(f16 x) { return (x & 0x7fff) > 0x7c00; }
NORN_INLINE bool norn_isinf_f16(f16 x) { return (x & 0x7fff) == 0x7c00; }
NORN_INLINE f16 norn_ldexp_f16(f16 x, i32 y) { return norn_f16_of_f32(norn_ldexp_f32(norn_f32_of_f16(x), y)); }

NORN_FUNCTION f16 norn_nextafter_f16(f16 x, f16 y) {
  f32 from = norn_f32_of_f16(x), to = norn_f32_of_f16(y);
  if (from != from) return x;
  if (to != to || from == to) return y;
  if (from == 0) return (y & 0x8000) | 1;
  // Floats of one sign are in the order of their bits.
  return (from < to) == (from > 0) ? x + 1 : x - 1;
}

#endif
