// Conversions between vectors whose elements differ in size. Until version 14, gcc takes such vectors apart element by element
// where one element is four or eight times as wide as the other, and by halves where it is twice as wide; machines do all of
// them with one instruction (pmovzx, pmovsx, pmov), or a shuffle of bytes.
#ifndef NORN_VECTOR_CONVERT_H
#define NORN_VECTOR_CONVERT_H

enum {
  NORN_KIND_i8, NORN_KIND_i16, NORN_KIND_i32, NORN_KIND_i64, NORN_KIND_u8, NORN_KIND_u16, NORN_KIND_u32, NORN_KIND_u64,
  NORN_KIND_f32, NORN_KIND_f64
};

NORN_INLINE bool norn_kind_is_int(int kind) { return kind < NORN_KIND_f32; }
NORN_INLINE bool norn_kind_is_signed(int kind) { return kind < NORN_KIND_u8; }
NORN_INLINE i64 norn_kind_bytes(int kind) { return norn_kind_is_int(kind) ? 1 << (kind & 3) : kind == NORN_KIND_f32 ? 4 : 8; }

#if NORN_GCC_X86 && defined(__AVX2__)
typedef short norn_v8hi __attribute__((vector_size(16)));
typedef short norn_v16hi __attribute__((vector_size(32)));
typedef short norn_v32hi __attribute__((vector_size(64)));
typedef char norn_v32qi __attribute__((vector_size(32)));
typedef float norn_v4sf __attribute__((vector_size(16)));
typedef float norn_v16sf __attribute__((vector_size(64)));
typedef double norn_v4df __attribute__((vector_size(32)));

// To elements of WIDE bytes from NARROW ones. What is read is at most one register, of which the first lanes count.
#define NORN_EXTEND(V, R, W, N, sx, zx, ...)                                                    \
  if (lanes * wide == (i64)sizeof(R) && wide == W && narrow == N) {                             \
    V x;                                                                                        \
    if (sizeof(V) == 16) {                                                                      \
      norn_v16qi first = norn_first_bytes(from, lanes * N);                                     \
      __builtin_memcpy(&x, &first, 16);                                                         \
    } else                                                                                      \
      __builtin_memcpy(&x, from, sizeof(V));                                                    \
    R y = sign ? (R)__builtin_ia32_pmovsx##sx(x __VA_ARGS__) : (R)__builtin_ia32_pmovzx##zx(x __VA_ARGS__); \
    __builtin_memcpy(to, &y, sizeof y);                                                         \
    return true;                                                                                \
  }
NORN_INLINE bool norn_extend(void *to, i64 wide, const void *from, i64 narrow, bool sign, i64 lanes) {
  NORN_EXTEND(norn_v16qi, norn_v8hi, 2, 1, bw128, bw128)
  NORN_EXTEND(norn_v16qi, norn_v4si, 4, 1, bd128, bd128)
  NORN_EXTEND(norn_v16qi, norn_v2di, 8, 1, bq128, bq128)
  NORN_EXTEND(norn_v8hi, norn_v4si, 4, 2, wd128, wd128)
  NORN_EXTEND(norn_v8hi, norn_v2di, 8, 2, wq128, wq128)
  NORN_EXTEND(norn_v4si, norn_v2di, 8, 4, dq128, dq128)
  NORN_EXTEND(norn_v16qi, norn_v16hi, 2, 1, bw256, bw256)
  NORN_EXTEND(norn_v16qi, norn_v8si, 4, 1, bd256, bd256)
  NORN_EXTEND(norn_v16qi, norn_v4di, 8, 1, bq256, bq256)
  NORN_EXTEND(norn_v8hi, norn_v8si, 4, 2, wd256, wd256)
  NORN_EXTEND(norn_v8hi, norn_v4di, 8, 2, wq256, wq256)
  NORN_EXTEND(norn_v4si, norn_v4di, 8, 4, dq256, dq256)
#if NORN_VECTOR_BYTES == 64
  NORN_EXTEND(norn_v32qi, norn_v32hi, 2, 1, bw512_mask, bw512_mask, , (norn_v32hi){0}, -1)
  NORN_EXTEND(norn_v16qi, norn_v16si, 4, 1, bd512_mask, bd512_mask, , (norn_v16si){0}, -1)
  NORN_EXTEND(norn_v16qi, norn_v8di, 8, 1, bq512_mask, bq512_mask, , (norn_v8di){0}, -1)
  NORN_EXTEND(norn_v16hi, norn_v16si, 4, 2, wd512_mask, wd512_mask, , (norn_v16si){0}, -1)
  NORN_EXTEND(norn_v8hi, norn_v8di, 8, 2, wq512_mask, wq512_mask, , (norn_v8di){0}, -1)
  NORN_EXTEND(norn_v8si, norn_v8di, 8, 4, dq512_mask, dq512_mask, , (norn_v8di){0}, -1)
#endif
  return false;
}

// The low bytes of elements.
#if NORN_VECTOR_BYTES == 64
#define NORN_TRUNCATION(V, R, W, N, instruction)                                                \
  if (lanes * wide == (i64)sizeof(V) && wide == W && narrow == N) {                             \
    R y = __builtin_ia32_pmov##instruction##_mask(*(const V *)from, (R){0}, -1);                \
    __builtin_memcpy(to, &y, (u64)(lanes * N));                                                 \
    return true;                                                                                \
  }
#endif
NORN_INLINE bool norn_truncate(void *to, i64 narrow, const void *from, i64 wide, i64 lanes) {
#if NORN_VECTOR_BYTES == 64
  NORN_TRUNCATION(norn_v32hi, norn_v32qi, 2, 1, wb512)
  NORN_TRUNCATION(norn_v16si, norn_v16qi, 4, 1, db512)
  NORN_TRUNCATION(norn_v16si, norn_v16hi, 4, 2, dw512)
  NORN_TRUNCATION(norn_v8di, norn_v16qi, 8, 1, qb512)
  NORN_TRUNCATION(norn_v8di, norn_v8hi, 8, 2, qw512)
  NORN_TRUNCATION(norn_v8di, norn_v8si, 8, 4, qd512)
  NORN_TRUNCATION(norn_v16hi, norn_v16qi, 2, 1, wb256)
  NORN_TRUNCATION(norn_v8si, norn_v16qi, 4, 1, db256)
  NORN_TRUNCATION(norn_v8si, norn_v8hi, 4, 2, dw256)
  NORN_TRUNCATION(norn_v4di, norn_v16qi, 8, 1, qb256)
  NORN_TRUNCATION(norn_v4di, norn_v8hi, 8, 2, qw256)
  NORN_TRUNCATION(norn_v4di, norn_v4si, 8, 4, qd256)
#else
  if (lanes * wide % 16 == 0) {
    norn_v16qi first = {0};
    for (i64 i = 0; i < 16; i++) first[i] = (char)(i % (16 * narrow / wide) / narrow * wide + i % narrow);
    for (i64 part = 0; part < lanes * wide / 16; part++) {
      norn_v16qi x;
      __builtin_memcpy(&x, (const char *)from + 16 * part, 16);
      x = __builtin_ia32_pshufb128(x, first);
      __builtin_memcpy((char *)to + 16 * narrow / wide * part, &x, (u64)(16 * narrow / wide));
    }
    return true;
  }
#endif
  return false;
}
#endif

// Whether there was an instruction for that.
NORN_INLINE bool norn_convert(void *to, int to_kind, const void *from, int from_kind, i64 lanes) {
#if NORN_GCC_X86 && defined(__AVX2__)
  i64 to_bytes = norn_kind_bytes(to_kind), from_bytes = norn_kind_bytes(from_kind);
  if (norn_kind_is_int(to_kind) && norn_kind_is_int(from_kind)) {
    if (to_bytes > from_bytes) return norn_extend(to, to_bytes, from, from_bytes, norn_kind_is_signed(from_kind), lanes);
    if (to_bytes < from_bytes) return norn_truncate(to, to_bytes, from, from_bytes, lanes);
    return false;
  }
  // Floats of small integers, by way of 32 bits.
  if (!norn_kind_is_int(to_kind) && norn_kind_is_int(from_kind) && from_bytes < 4) {
    char between[64];
    if (lanes > 16 || !norn_extend(between, 4, from, from_bytes, norn_kind_is_signed(from_kind), lanes)) return false;
    if (to_kind == NORN_KIND_f32 && lanes == 4) {
      *(norn_v4sf *)to = __builtin_convertvector(*(norn_v4si *)between, norn_v4sf);
      return true;
    }
    if (to_kind == NORN_KIND_f32 && lanes == 8) {
      *(norn_v8sf *)to = __builtin_convertvector(*(norn_v8si *)between, norn_v8sf);
      return true;
    }
    if (to_kind == NORN_KIND_f64 && lanes == 4) {
      *(norn_v4df *)to = __builtin_ia32_cvtdq2pd256(*(norn_v4si *)between);
      return true;
    }
#if NORN_VECTOR_BYTES == 64
    if (to_kind == NORN_KIND_f32 && lanes == 16) {
      *(norn_v16sf *)to = __builtin_convertvector(*(norn_v16si *)between, norn_v16sf);
      return true;
    }
    if (to_kind == NORN_KIND_f64 && lanes == 8) {
      *(norn_v8df *)to = __builtin_ia32_cvtdq2pd512_mask(*(norn_v8si *)between, (norn_v8df){0}, -1);
      return true;
    }
#endif
    return false;
  }
  if (to_kind == NORN_KIND_f64 && from_kind == NORN_KIND_i32 && lanes == 4) {
    *(norn_v4df *)to = __builtin_ia32_cvtdq2pd256(*(const norn_v4si *)from);
    return true;
  }
#endif
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
  if (to_kind == NORN_KIND_f64 && from_kind == NORN_KIND_f32 && lanes == 8) {
    *(norn_v8df *)to = __builtin_ia32_cvtps2pd512_mask(*(const norn_v8sf *)from, (norn_v8df){0}, -1, 4);
    return true;
  }
  if (to_kind == NORN_KIND_f64 && from_kind == NORN_KIND_i32 && lanes == 8) {
    *(norn_v8df *)to = __builtin_ia32_cvtdq2pd512_mask(*(const norn_v8si *)from, (norn_v8df){0}, -1);
    return true;
  }
#endif
  return false;
}

#endif
