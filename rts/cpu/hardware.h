// What a machine can do with vectors beyond arithmetic: by instructions of x86 where gcc is told that they are there,
// otherwise one lane after the other. The functions take vectors by their addresses, so that one function serves all
// types of a size; inlined, nothing is left of that. Sizes are constants, and so only one branch is left.
#ifndef NORN_HARDWARE_H
#define NORN_HARDWARE_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define NORN_GCC_X86 1
#else
#define NORN_GCC_X86 0
#endif

typedef char norn_v16qi __attribute__((vector_size(16)));
typedef int norn_v4si __attribute__((vector_size(16)));
typedef int norn_v8si __attribute__((vector_size(32)));
typedef int norn_v16si __attribute__((vector_size(64)));
typedef float norn_v8sf __attribute__((vector_size(32)));
typedef double norn_v8df __attribute__((vector_size(64)));
typedef long long norn_v2di __attribute__((vector_size(16)));
typedef long long norn_v4di __attribute__((vector_size(32)));
typedef long long norn_v8di __attribute__((vector_size(64)));

// The first bytes of a register, the others 0. A copy of fewer bytes into one goes through memory, where the machine waits for it.
NORN_INLINE norn_v16qi norn_first_bytes(const void *from, i64 bytes) {
  norn_v16qi x = {0};
  i64 eight = 0;
  i32 four = 0;
  if (bytes == 16) __builtin_memcpy(&x, from, 16);
  if (bytes == 8) {
    __builtin_memcpy(&eight, from, 8);
    x = (norn_v16qi)(norn_v2di){eight, 0};
  }
  if (bytes < 8) {
    __builtin_memcpy(&four, from, (u64)(bytes & 7));
    x = (norn_v16qi)(norn_v4si){four, 0, 0, 0};
  }
  return x;
}

// # Whether any lane of a mask holds

NORN_INLINE bool norn_any_2(const void *mask) { return *(const u16 *)mask != 0; }
NORN_INLINE bool norn_any_4(const void *mask) { return *(const u32 *)mask != 0; }
NORN_INLINE bool norn_any_8(const void *mask) { return *(const u64 *)mask != 0; }

NORN_INLINE bool norn_any_16(const void *mask) {
#if NORN_GCC_X86 && defined(__SSE4_1__)
  norn_v2di m = *(const norn_v2di *)mask;
  return !__builtin_ia32_ptestz128(m, m);
#elif NORN_GCC_X86
  return __builtin_ia32_pmovmskb128(*(const norn_v16qi *)mask) != 0;
#else
  const u64 *words = mask;
  return (words[0] | words[1]) != 0;
#endif
}

NORN_INLINE bool norn_any_32(const void *mask) {
#if NORN_GCC_X86 && defined(__AVX2__)
  norn_v4di m = *(const norn_v4di *)mask;
  return !__builtin_ia32_ptestz256(m, m);
#else
  const u64 *words = mask;
  return (words[0] | words[1] | words[2] | words[3]) != 0;
#endif
}

NORN_INLINE bool norn_any_64(const void *mask) {
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
  norn_v16si m = *(const norn_v16si *)mask;
  return __builtin_ia32_ptestmd512(m, m, (u16)-1) != 0;
#else
  const u64 *words = mask;
  return (words[0] | words[1] | words[2] | words[3] | words[4] | words[5] | words[6] | words[7]) != 0;
#endif
}

// # Floats: square root, rounding, fma, and the lesser or greater with the first operand where neither is

#define NORN_HARDWARE_LANES(E, X, N)                                                            \
  NORN_LANES_FLOAT(E, X, N, sqrt, norn_sqrt_##E(x[l]))                                          \
  NORN_LANES_FLOAT(E, X, N, floor, norn_floor_##E(x[l]))                                        \
  NORN_LANES_FLOAT(E, X, N, ceil, norn_ceil_##E(x[l]))                                          \
  NORN_LANES_FLOAT(E, X, N, trunc, norn_trunc_##E(x[l]))                                        \
  NORN_LANES_FLOAT(E, X, N, round, norn_round_##E(x[l]))                                        \
  NORN_LANES_LESS(E, X, N)                                                                      \
  NORN_LANES_FMA(E, X, N)
#define NORN_LANES_FLOAT(E, X, N, name, result)                                                 \
  NORN_INLINE E##x##X E##x##X##_##name(E##x##X x) {                                             \
    E##x##X y;                                                                                  \
    for (int l = 0; l < N; l++) y[l] = result;                                                  \
    return y;                                                                                   \
  }
#define NORN_LANES_LESS(E, X, N)                                                                \
  NORN_INLINE E##x##X E##x##X##_less(E##x##X x, E##x##X y) {                                    \
    for (int l = 0; l < N; l++) y[l] = y[l] < x[l] ? y[l] : x[l];                               \
    return y;                                                                                   \
  }                                                                                             \
  NORN_INLINE E##x##X E##x##X##_greater(E##x##X x, E##x##X y) {                                 \
    for (int l = 0; l < N; l++) y[l] = y[l] > x[l] ? y[l] : x[l];                               \
    return y;                                                                                   \
  }
#define NORN_LANES_FMA(E, X, N)                                                                 \
  NORN_INLINE E##x##X E##x##X##_fma(E##x##X x, E##x##X y, E##x##X z) {                          \
    for (int l = 0; l < N; l++) z[l] = norn_fma_##E(x[l], y[l], z[l]);                          \
    return z;                                                                                   \
  }

#define NORN_X86_f32 ps
#define NORN_X86_f64 pd
#define NORN_X86(before, E, after) NORN_X86_(before, NORN_X86_##E, after)
#define NORN_X86_(before, type, after) NORN_X86_NAME(before, type, after)
#define NORN_X86_NAME(before, type, after) __builtin_ia32_##before##type##after

// The number of a way of rounding in these instructions; 8: be silent about it.
#define NORN_X86_FLOOR 9
#define NORN_X86_CEIL 10
#define NORN_X86_TRUNC 11
#define NORN_X86_ROUND 8

// minps and maxps give their second operand where one is a NaN, or both are zero.
#define NORN_HARDWARE_SSE(E, X, N, after)                                                       \
  NORN_INLINE E##x##X E##x##X##_sqrt(E##x##X x) { return NORN_X86(sqrt, E, after)(x); }         \
  NORN_INLINE E##x##X E##x##X##_less(E##x##X x, E##x##X y) { return NORN_X86(min, E, after)(y, x); } \
  NORN_INLINE E##x##X E##x##X##_greater(E##x##X x, E##x##X y) { return NORN_X86(max, E, after)(y, x); } \
  NORN_INLINE E##x##X E##x##X##_floor(E##x##X x) { return NORN_X86(round, E, after)(x, NORN_X86_FLOOR); } \
  NORN_INLINE E##x##X E##x##X##_ceil(E##x##X x) { return NORN_X86(round, E, after)(x, NORN_X86_CEIL); } \
  NORN_INLINE E##x##X E##x##X##_trunc(E##x##X x) { return NORN_X86(round, E, after)(x, NORN_X86_TRUNC); } \
  NORN_INLINE E##x##X E##x##X##_round(E##x##X x) { return NORN_X86(round, E, after)(x, NORN_X86_ROUND); }
#define NORN_HARDWARE_FMA(E, X, N, after)                                                       \
  NORN_INLINE E##x##X E##x##X##_fma(E##x##X x, E##x##X y, E##x##X z) { return NORN_X86(vfmadd, E, after)(x, y, z); }

// The last operands: what masked lanes keep, the mask, and rounding as usual.
#define NORN_HARDWARE_AVX512(E, X, N)                                                           \
  NORN_INLINE E##x##X E##x##X##_sqrt(E##x##X x) { return NORN_X86(sqrt, E, 512_mask)(x, x, -1, 4); } \
  NORN_INLINE E##x##X E##x##X##_less(E##x##X x, E##x##X y) { return NORN_X86(min, E, 512_mask)(y, x, x, -1, 4); } \
  NORN_INLINE E##x##X E##x##X##_greater(E##x##X x, E##x##X y) { return NORN_X86(max, E, 512_mask)(y, x, x, -1, 4); } \
  NORN_INLINE E##x##X E##x##X##_floor(E##x##X x) { return NORN_X86(rndscale, E, _mask)(x, NORN_X86_FLOOR, x, -1, 4); } \
  NORN_INLINE E##x##X E##x##X##_ceil(E##x##X x) { return NORN_X86(rndscale, E, _mask)(x, NORN_X86_CEIL, x, -1, 4); } \
  NORN_INLINE E##x##X E##x##X##_trunc(E##x##X x) { return NORN_X86(rndscale, E, _mask)(x, NORN_X86_TRUNC, x, -1, 4); } \
  NORN_INLINE E##x##X E##x##X##_round(E##x##X x) { return NORN_X86(rndscale, E, _mask)(x, NORN_X86_ROUND, x, -1, 4); } \
  NORN_INLINE E##x##X E##x##X##_fma(E##x##X x, E##x##X y, E##x##X z) {                          \
    return NORN_X86(vfmadd, E, 512_mask)(x, y, z, -1, 4);                                       \
  }

#define NORN_HARDWARE_8(E, X, N) NORN_HARDWARE_LANES(E, X, N)
#if NORN_GCC_X86 && defined(__SSE4_1__) && defined(__FMA__)
#define NORN_HARDWARE_16(E, X, N) NORN_HARDWARE_SSE(E, X, N, ) NORN_HARDWARE_FMA(E, X, N, )
#elif NORN_GCC_X86 && defined(__SSE4_1__)
#define NORN_HARDWARE_16(E, X, N) NORN_HARDWARE_SSE(E, X, N, ) NORN_LANES_FMA(E, X, N)
#else
#define NORN_HARDWARE_16(E, X, N) NORN_HARDWARE_LANES(E, X, N)
#endif
#if NORN_GCC_X86 && defined(__AVX2__) && defined(__FMA__)
#define NORN_HARDWARE_32(E, X, N) NORN_HARDWARE_SSE(E, X, N, 256) NORN_HARDWARE_FMA(E, X, N, 256)
#else
#define NORN_HARDWARE_32(E, X, N) NORN_HARDWARE_LANES(E, X, N)
#endif
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
#define NORN_HARDWARE_64(E, X, N) NORN_HARDWARE_AVX512(E, X, N)
#else
#define NORN_HARDWARE_64(E, X, N) NORN_HARDWARE_LANES(E, X, N)
#endif

// # Memory. Lanes where the mask does not hold are left as they are, and their memory is not touched.

// One after the other: `size` bytes each.
NORN_INLINE bool norn_lane_holds(const void *mask, i64 size, i64 lane) {
  return ((const u8 *)mask)[lane * size] != 0;
}

NORN_INLINE void norn_copy_lane(void *to, const void *from, i64 size) {
  if (size == 1) *(u8 *)to = *(const u8 *)from;
  if (size == 2) *(u16 *)to = *(const u16 *)from;
  if (size == 4) *(u32 *)to = *(const u32 *)from;
  if (size == 8) *(u64 *)to = *(const u64 *)from;
}

NORN_INLINE i64 norn_place(const void *at, i64 width, i64 lane) {
  return width == 4 ? ((const i32 *)at)[lane] : ((const i64 *)at)[lane];
}

#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
// Eight elements of one or two bytes by the words of four bytes in which they are: an aligned word that has a byte of memory can be read as a whole. Lanes where the mask does not hold
// become 0.
NORN_INLINE void norn_gather_small(void *x, const void *from, norn_v8di at, const void *mask, i64 size) {
  typedef short v8hi __attribute__((vector_size(16)));
  norn_v8di bytes = at * size + (long long)from;
  norn_v16qi holds = norn_first_bytes(mask, 8 * size);
  u8 where = size == 1 ? (u8)__builtin_ia32_cvtb2mask128(holds) : __builtin_ia32_cvtw2mask128((v8hi)holds);
  norn_v8si words = __builtin_ia32_gatherdiv16si((norn_v8si){0}, (void *)0, bytes & ~3ll, where, 1);
  norn_v8si shifts = __builtin_convertvector((bytes & 3) * 8, norn_v8si);
  norn_v8si all = __builtin_ia32_psrlv8si(words, shifts);
  if (size == 1) {
    norn_v16qi low = __builtin_ia32_pmovdb256_mask(all, (norn_v16qi){0}, (u8)-1);
    __builtin_memcpy(x, &low, 8);
  }
  if (size == 2) {
    v8hi low = __builtin_ia32_pmovdw256_mask(all, (v8hi){0}, (u8)-1);
    __builtin_memcpy(x, &low, 16);
  }
}
#endif

NORN_INLINE void norn_gather_each(void *x, const void *from, const void *at, i64 width, const void *mask, i64 size, i64 lanes) {
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
  if (size < 4 && lanes % 8 == 0) {
    for (i64 l = 0; l < lanes; l += 8) {
      norn_v8si halves;
      norn_v8di places;
      __builtin_memcpy(&halves, (const char *)at + 4 * l, 32);
      if (width == 4) places = __builtin_convertvector(halves, norn_v8di);
      if (width == 8) __builtin_memcpy(&places, (const char *)at + 8 * l, 64);
      norn_gather_small((char *)x + size * l, from, places, (const char *)mask + size * l, size);
    }
    return;
  }
#endif
  for (i64 l = 0; l < lanes; l++)
    if (norn_lane_holds(mask, size, l)) norn_copy_lane((char *)x + l * size, (const char *)from + norn_place(at, width, l) * size, size);
}

NORN_INLINE void norn_scatter_each(void *to, const void *at, i64 width, const void *x, const void *mask, i64 size, i64 lanes) {
  for (i64 l = 0; l < lanes; l++)
    if (norn_lane_holds(mask, size, l)) norn_copy_lane((char *)to + norn_place(at, width, l) * size, (const char *)x + l * size, size);
}

#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
// Masks as bits.
NORN_INLINE u16 norn_bits_16x32(const void *mask) {
  norn_v16si m = *(const norn_v16si *)mask;
  return __builtin_ia32_ptestmd512(m, m, (u16)-1);
}
NORN_INLINE u8 norn_bits_8x64(const void *mask) {
  norn_v8di m = *(const norn_v8di *)mask;
  return __builtin_ia32_ptestmq512(m, m, (u8)-1);
}
NORN_INLINE u8 norn_bits_8x32(const void *mask) {
  return __builtin_ia32_cvtd2mask256(*(const norn_v8si *)mask);
}
#endif

#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
// Elements of one and two bytes, in registers of V whose mask has the bits of B.
#define NORN_SMALL_WHERE(V, B, S, bits, load, store)                                            \
  if ((bytes == (i64)sizeof(V) || (bytes < 16 && sizeof(V) == 16)) && size == S) {                                                   \
    V m, all;                                                                                   \
    if (sizeof(V) == 16) {                                                                      \
      norn_v16qi first = norn_first_bytes(mask, bytes), second = norn_first_bytes(x, bytes);    \
      __builtin_memcpy(&m, &first, 16);                                                         \
      __builtin_memcpy(&all, &second, 16);                                                      \
    } else {                                                                                    \
      __builtin_memcpy(&m, mask, sizeof(V));                                                    \
      __builtin_memcpy(&all, x, sizeof(V));                                                     \
    }                                                                                           \
    B where = (B)__builtin_ia32_##bits(m);                                                      \
    if (loads) {                                                                                \
      all = __builtin_ia32_##load##_mask(memory, all, where);                                   \
      __builtin_memcpy(x, &all, (u64)bytes);                                                    \
    } else                                                                                      \
      __builtin_ia32_##store##_mask(memory, all, where);                                        \
    return;                                                                                     \
  }
NORN_INLINE void norn_small_where(bool loads, void *x, void *memory, const void *mask, i64 size, i64 bytes) {
  typedef char v32qi __attribute__((vector_size(32)));
  typedef char v64qi __attribute__((vector_size(64)));
  typedef short v8hi __attribute__((vector_size(16)));
  typedef short v16hi __attribute__((vector_size(32)));
  typedef short v32hi __attribute__((vector_size(64)));
  NORN_SMALL_WHERE(norn_v16qi, u16, 1, cvtb2mask128, loaddquqi128, storedquqi128)
  NORN_SMALL_WHERE(v32qi, u32, 1, cvtb2mask256, loaddquqi256, storedquqi256)
  NORN_SMALL_WHERE(v64qi, u64, 1, cvtb2mask512, loaddquqi512, storedquqi512)
  NORN_SMALL_WHERE(v8hi, u8, 2, cvtw2mask128, loaddquhi128, storedquhi128)
  NORN_SMALL_WHERE(v16hi, u16, 2, cvtw2mask256, loaddquhi256, storedquhi256)
  NORN_SMALL_WHERE(v32hi, u32, 2, cvtw2mask512, loaddquhi512, storedquhi512)
}
#endif

NORN_INLINE void norn_load_where(void *x, const void *from, const void *mask, i64 size, i64 bytes) {
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
  if (size < 4) {
    norn_small_where(true, x, (void *)from, mask, size, bytes);
    return;
  }
  if (bytes == 64 && size == 4) {
    *(norn_v16si *)x = __builtin_ia32_loaddqusi512_mask(from, *(norn_v16si *)x, norn_bits_16x32(mask));
    return;
  }
  if (bytes == 64 && size == 8) {
    *(norn_v8di *)x = __builtin_ia32_loaddqudi512_mask(from, *(norn_v8di *)x, norn_bits_8x64(mask));
    return;
  }
#endif
#if NORN_GCC_X86 && defined(__AVX2__)
  if (bytes == 32 && size == 4) {
    *(norn_v8si *)x = __builtin_ia32_maskloadd256((const norn_v8si *)from, *(const norn_v8si *)mask);
    return;
  }
  if (bytes == 32 && size == 8) {
    *(norn_v4di *)x = __builtin_ia32_maskloadq256((const norn_v4di *)from, *(const norn_v4di *)mask);
    return;
  }
#endif
  for (i64 l = 0; l < bytes / size; l++)
    if (norn_lane_holds(mask, size, l)) norn_copy_lane((char *)x + l * size, (const char *)from + l * size, size);
}

NORN_INLINE void norn_store_where(void *to, const void *x, const void *mask, i64 size, i64 bytes) {
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
  if (size < 4) {
    norn_small_where(false, (void *)x, to, mask, size, bytes);
    return;
  }
  if (bytes == 64 && size == 4) {
    __builtin_ia32_storedqusi512_mask(to, *(const norn_v16si *)x, norn_bits_16x32(mask));
    return;
  }
  if (bytes == 64 && size == 8) {
    __builtin_ia32_storedqudi512_mask(to, *(const norn_v8di *)x, norn_bits_8x64(mask));
    return;
  }
#endif
#if NORN_GCC_X86 && defined(__AVX2__)
  if (bytes == 32 && size == 4) {
    __builtin_ia32_maskstored256((norn_v8si *)to, *(const norn_v8si *)mask, *(const norn_v8si *)x);
    return;
  }
  if (bytes == 32 && size == 8) {
    __builtin_ia32_maskstoreq256((norn_v4di *)to, *(const norn_v4di *)mask, *(const norn_v4di *)x);
    return;
  }
#endif
  for (i64 l = 0; l < bytes / size; l++)
    if (norn_lane_holds(mask, size, l)) norn_copy_lane((char *)to + l * size, (const char *)x + l * size, size);
}

NORN_INLINE void norn_gather_i64(void *x, const void *from, const void *at, const void *mask, i64 size, i64 lanes) {
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
  if (lanes == 8 && size == 8) {
    *(norn_v8di *)x = __builtin_ia32_gatherdiv8di(*(norn_v8di *)x, from, *(const norn_v8di *)at, norn_bits_8x64(mask), 8);
    return;
  }
  if (lanes == 8 && size == 4) {
    *(norn_v8si *)x = __builtin_ia32_gatherdiv16si(*(norn_v8si *)x, from, *(const norn_v8di *)at, norn_bits_8x32(mask), 4);
    return;
  }
#endif
  norn_gather_each(x, from, at, 8, mask, size, lanes);
}

NORN_INLINE void norn_gather_i32(void *x, const void *from, const void *at, const void *mask, i64 size, i64 lanes) {
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
  if (lanes == 8 && size == 8) {
    *(norn_v8di *)x = __builtin_ia32_gathersiv8di(*(norn_v8di *)x, from, *(const norn_v8si *)at, norn_bits_8x64(mask), 8);
    return;
  }
  if (lanes == 16 && size == 4) {
    *(norn_v16si *)x = __builtin_ia32_gathersiv16si(*(norn_v16si *)x, from, *(const norn_v16si *)at, norn_bits_16x32(mask), 4);
    return;
  }
#endif
  norn_gather_each(x, from, at, 4, mask, size, lanes);
}

// The last lane wins: the instructions write in their order too.
NORN_INLINE void norn_scatter_i64(void *to, const void *at, const void *x, const void *mask, i64 size, i64 lanes) {
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
  if (lanes == 8 && size == 8) {
    __builtin_ia32_scatterdiv8di(to, norn_bits_8x64(mask), *(const norn_v8di *)at, *(const norn_v8di *)x, 8);
    return;
  }
  if (lanes == 8 && size == 4) {
    __builtin_ia32_scatterdiv16si(to, norn_bits_8x32(mask), *(const norn_v8di *)at, *(const norn_v8si *)x, 4);
    return;
  }
#endif
  norn_scatter_each(to, at, 8, x, mask, size, lanes);
}

NORN_INLINE void norn_scatter_i32(void *to, const void *at, const void *x, const void *mask, i64 size, i64 lanes) {
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
  if (lanes == 8 && size == 8) {
    __builtin_ia32_scattersiv8di(to, norn_bits_8x64(mask), *(const norn_v8si *)at, *(const norn_v8di *)x, 8);
    return;
  }
  if (lanes == 16 && size == 4) {
    __builtin_ia32_scattersiv16si(to, norn_bits_16x32(mask), *(const norn_v16si *)at, *(const norn_v16si *)x, 4);
    return;
  }
#endif
  norn_scatter_each(to, at, 4, x, mask, size, lanes);
}

#endif
