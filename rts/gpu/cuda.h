// CUDA C++ as NVRTC compiles it, which has no headers: types, words, threads, and what the device can do at once.
//
// NVRTC contracts a product and a sum to one instruction (--fmad=true, its default).
#ifndef NORN_DIALECT_H
#define NORN_DIALECT_H

// Not all that is here is used.
#pragma nv_diag_suppress 177

// NVRTC does not conclude from types that places differ.
#define NORN_ANY_TYPE

typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float f32;
typedef u64 norn_address;

#define NORN_MOST_ELEMENTS (1ll << 50)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MAX 9223372036854775807ll
#define INT64_MIN (-9223372036854775807ll - 1)
#define UINT64_MAX 18446744073709551615ull

#define NORN_GLOBAL
#define NORN_LOCAL
#define NORN_SHARED __shared__
#define NORN_ALIGNED __attribute__((aligned(16)))
#define NORN_FUNCTION static __device__
#define NORN_INLINE static __device__ __forceinline__
#define NORN_COLD static __device__ __noinline__
// So many groups should fit on a processor at the same time, which limits registers.
#define NORN_KERNEL(size, groups) extern "C" __global__ void __launch_bounds__(size, groups)
#define NORN_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define NORN_UNROLL _Pragma("unroll")

// # Numbers

// Before 13.4, the compiler makes `(i64)a + 1` of `(i64)(i32)((u32)a + 1)` where it has `(i64)a` at hand (seen with 13.0): wrong where the sum wraps around. It does
// not see through this.
#if __CUDACC_VER_MAJOR__ < 13 || (__CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ < 4)
NORN_INLINE i64 norn_widened(i32 x) {
  i64 wide;
  asm("cvt.s64.s32 %0, %1;" : "=l"(wide) : "r"(x));
  return wide;
}
#else
NORN_INLINE i64 norn_widened(i32 x) { return x; }
#endif

// The assembler (seen with 13.0 and 13.4) makes a sum that saturates of `max(min(x, 1), 0)`: 0 if x is NaN, in place of 1. It does not see
// through this way to write `max(x, 0)`.
NORN_INLINE f32 norn_positive_f32(f32 x) {
  f32 y;
  asm("{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.f32 %0, %2, %1, p; }" : "=f"(y) : "f"(x), "f"(0.0f));
  return y;
}

// # Threads

NORN_INLINE i64 norn_thread(void) { return threadIdx.x; }
NORN_INLINE i64 norn_group(void) { return blockIdx.x; }
NORN_INLINE i64 norn_groups(void) { return gridDim.x; }
NORN_INLINE void norn_barrier(void) { __syncthreads(); }
NORN_INLINE void norn_fence(void) { __threadfence(); }

// What the threads of a group share and have pointers to. How much there is, a launch says.
extern __shared__ __align__(16) u8 norn_pool[];
#define NORN_POOL(scratch, bytes) norn_pool

// Addresses are all that is needed to find the heap. What a thread has of its own lies in local memory, where the words of neighbouring
// threads are neighbours: they reach the same place of their arrays at once.
#define NORN_WORKER(bytes) \
  __align__(32) u8 norn_own[bytes]; \
  norn_worker norn_self = {norn_run, 0, 0, norn_own, bytes}, *w = &norn_self;
// A block that lives no longer than the text around it.
#define NORN_OWN(name, bytes) __align__(32) u8 name[bytes]
#define NORN_IN_HEAP(w, at) ((u8 *)(at))

// After a failure nothing runs any more. Threads that meet later decide about that together: somebody may fail meanwhile.
#define NORN_BEGIN if (norn_run->failed) return;
#define NORN_BEGIN_TOGETHER if (__syncthreads_or(norn_run->failed)) return;

// # Numbers

#define NORN_MATH_f32(name) name##f
#define NORN_MATH_f64(name) name
#define NORN_AS_f32(bits) __uint_as_float(bits)
#define NORN_AS_u32(x) __float_as_uint(x)
#define NORN_AS_f64(bits) __longlong_as_double((i64)(bits))
#define NORN_AS_u64(x) (u64)__double_as_longlong(x)

NORN_INLINE i32 norn_popc_32(u32 x) { return __popc(x); }
NORN_INLINE i32 norn_popc_64(u64 x) { return __popcll(x); }
NORN_INLINE i32 norn_clz_32(u32 x) { return __clz((i32)x); }
NORN_INLINE i32 norn_clz_64(u64 x) { return __clzll((i64)x); }
NORN_INLINE i64 norn_high_i64(i64 x, i64 y) { return __mul64hi(x, y); }
NORN_INLINE u64 norn_high_u64(u64 x, u64 y) { return __umul64hi(x, y); }

// # Words that several threads see

#define NORN_WORDS(U, space)                                                                    \
  NORN_INLINE U norn_swap_##U##_##space(U *place, U expected, U value) {                        \
    return atomicCAS(place, expected, value);                                                   \
  }                                                                                             \
  NORN_INLINE U norn_acquire_##U##_##space(U *place) { return norn_load_##U(place); }           \
  NORN_INLINE U norn_peek_##U##_##space(U *place) { return norn_glance_##U(place); }            \
  NORN_INLINE void norn_publish_##U##_##space(U *place, U value) { norn_store_##U(place, value); }

#if __CUDA_ARCH__ >= 700
#define NORN_ORDERED(U, bits, letter)                                                           \
  NORN_INLINE U norn_load_##U(U *place) {                                                       \
    U x;                                                                                        \
    asm volatile("ld.acquire.gpu." bits " %0, [%1];" : "=" letter(x) : "l"(place) : "memory");  \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE U norn_glance_##U(U *place) {                                                     \
    U x;                                                                                        \
    asm volatile("ld.relaxed.gpu." bits " %0, [%1];" : "=" letter(x) : "l"(place) : "memory");  \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE void norn_store_##U(U *place, U x) {                                              \
    asm volatile("st.release.gpu." bits " [%0], %1;" : : "l"(place), letter(x) : "memory");     \
  }
#else
#define NORN_ORDERED(U, bits, letter)                                                           \
  NORN_INLINE U norn_load_##U(U *place) {                                                       \
    U x = *(volatile U *)place;                                                                 \
    __threadfence();                                                                            \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE U norn_glance_##U(U *place) { return *(volatile U *)place; }                      \
  NORN_INLINE void norn_store_##U(U *place, U x) {                                              \
    __threadfence();                                                                            \
    *(volatile U *)place = x;                                                                   \
  }
#endif

NORN_ORDERED(u32, "b32", "r")
NORN_ORDERED(u64, "b64", "l")
NORN_WORDS(u32, global)
NORN_WORDS(u32, local)
NORN_WORDS(u64, global)
NORN_WORDS(u64, local)

// # What all tiles before have
//
// In a word: 0, if nothing is known; four times the number of a tile's own and 1; four times that of all up to its end and 2. The first 32
// threads look at 32 tiles at a time, back to the first that knows the latter (Merrill and Garland 2016). What a tile has is at most
// NORN_MOST_ELEMENTS, as is what all before have, so that no sum wraps around.

NORN_INLINE void norn_tell(u64 *word, u64 value) {
#if __CUDA_ARCH__ >= 700
  asm volatile("st.relaxed.gpu.b64 [%0], %1;" : : "l"(word), "l"(value) : "memory");
#else
  *(volatile u64 *)word = value;
#endif
}

NORN_FUNCTION i64 norn_count_before(i32 *states, i64 tile, i64 own, i64 *shared) {
  u64 *words = (u64 *)states;
  if (threadIdx.x < 32) {
    i64 lane = threadIdx.x, before = 0;
    if (lane == 0) norn_tell(words + tile, (u64)own << 2 | (tile == 0 ? 2 : 1));
    for (i64 last = tile - 1; last >= 0; last -= 32) {
      i64 at = last - lane;
      // Before the first there is nothing.
      u64 word = 2;
      if (at >= 0) {
        do word = norn_glance_u64(words + at);
        while ((word & 3) == 0);
      }
      u32 ends = __ballot_sync(0xffffffff, (word & 3) == 2);
      i64 count = ends != 0 && lane >= __ffs((i32)ends) ? 0 : (i64)(word >> 2);
      for (i32 step = 16; step > 0; step /= 2) count += __shfl_xor_sync(0xffffffff, count, step);
      before += count;
      if (before > NORN_MOST_ELEMENTS) before = NORN_MOST_ELEMENTS;
      if (ends != 0) break;
    }
    if (lane == 0) {
      if (tile > 0) norn_tell(words + tile, (u64)(before + own) << 2 | 2);
      *shared = before;
    }
  }
  norn_barrier();
  return *shared;
}

// # Numbers that threads combine

// Each has what comes before it among 32, and then what those before these have: two barriers.
#define NORN_SCAN(op, T, combined)                                                              \
  NORN_INLINE T norn_combine_##op##_##T(T x, T y) { return combined; }                          \
  NORN_INLINE T norn_scan_##op##_##T(T own, T *shared) {                                        \
    u32 thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;                           \
    T *totals = shared + blockDim.x;                                                            \
    T all = own;                                                                                \
    NORN_UNROLL                                                                                 \
    for (u32 step = 1; step < 32; step *= 2) {                                                  \
      T before = __shfl_up_sync(0xffffffff, all, step);                                         \
      if (lane >= step) all = norn_combine_##op##_##T(before, all);                             \
    }                                                                                           \
    if (lane == 31) totals[warp] = all;                                                         \
    norn_barrier();                                                                             \
    if (warp > 0) {                                                                             \
      T before = totals[0];                                                                     \
      /* There are 8 in a group of 256, which are loaded at once. */                             \
      NORN_UNROLL                                                                               \
      for (u32 i = 1; i < 8; i++) {                                                             \
        if (i < warp) before = norn_combine_##op##_##T(before, totals[i]);                      \
      }                                                                                         \
      for (u32 i = 8; i < warp; i++) before = norn_combine_##op##_##T(before, totals[i]);       \
      all = norn_combine_##op##_##T(before, all);                                               \
    }                                                                                           \
    shared[thread] = all;                                                                       \
    norn_barrier();                                                                             \
    return all;                                                                                 \
  }

// What a tile tells is in words as above. 64 bits are in two words, which belong together if they tell the same of how far the tile is.
NORN_INLINE void norn_tell_32(u64 *words, i64 tile, u64 bits, u64 known) {
  norn_tell(words + tile, (u64)(u32)bits << 2 | known);
}

NORN_INLINE u64 norn_tile_state_32(u64 *words, i64 tile, u64 *bits) {
  u64 word = norn_glance_u64(words + tile);
  *bits = word >> 2;
  return word & 3;
}

NORN_INLINE void norn_tell_64(u64 *words, i64 tile, u64 bits, u64 known) {
  norn_tell(words + 2 * tile, (u64)(u32)bits << 2 | known);
  norn_tell(words + 2 * tile + 1, bits >> 32 << 2 | known);
}

NORN_INLINE u64 norn_tile_state_64(u64 *words, i64 tile, u64 *bits) {
  u64 low = norn_glance_u64(words + 2 * tile), high = norn_glance_u64(words + 2 * tile + 1);
  *bits = low >> 2 | high >> 2 << 32;
  return (low & 3) == (high & 3) ? low & 3 : 0;
}

#define NORN_LOOK_BACK(op, T, BITS, neutral)                                                    \
  NORN_FUNCTION T norn_look_back_##op##_##T(i32 *states, i64 tile, T own, T *shared) {            \
    u64 *words = (u64 *)states;                                                                   \
    if (threadIdx.x < 32) {                                                                     \
      i64 lane = threadIdx.x;                                                                   \
      T before = neutral;                                                                       \
      if (lane == 0) norn_tell_##BITS(words, tile, (u64)own, tile == 0 ? 2 : 1);                \
      for (i64 last = tile - 1; last >= 0; last -= 32) {                                        \
        i64 at = last - lane;                                                                   \
        /* Before the first there is nothing. */                                                \
        u64 known = 2, bits = 0;                                                                \
        if (at >= 0) {                                                                          \
          do known = norn_tile_state_##BITS(words, at, &bits);                                  \
          while (known == 0);                                                                   \
        }                                                                                       \
        u32 ends = __ballot_sync(0xffffffff, known == 2);                                       \
        T value = at < 0 || (ends != 0 && lane >= __ffs((i32)ends)) ? (T)neutral : (T)bits;     \
        for (i32 step = 16; step > 0; step /= 2)                                                \
          value = norn_combine_##op##_##T(value, __shfl_xor_sync(0xffffffff, value, step));     \
        before = norn_combine_##op##_##T(value, before);                                        \
        if (ends != 0) break;                                                                   \
      }                                                                                         \
      if (lane == 0) {                                                                          \
        if (tile > 0) norn_tell_##BITS(words, tile, (u64)norn_combine_##op##_##T(before, own), 2); \
        *shared = before;                                                                       \
      }                                                                                         \
    }                                                                                           \
    norn_barrier();                                                                             \
    return *shared;                                                                             \
  }

// # The last group

// How many have been here is 0 again when all have.
NORN_INLINE u32 norn_arrive(u32 *arrived) {
#if __CUDA_ARCH__ >= 700
  u32 before;
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
               : "=r"(before) : "l"(arrived), "r"(gridDim.x - 1) : "memory");
  return before;
#else
  __threadfence();
  u32 before = atomicInc(arrived, gridDim.x - 1);
  __threadfence();
  return before;
#endif
}

NORN_INLINE bool norn_is_last(i32 *arrived, i32 *shared) {
  norn_barrier();
  if (threadIdx.x == 0) *shared = norn_arrive((u32 *)arrived) == gridDim.x - 1;
  norn_barrier();
  return *shared != 0;
}

NORN_INLINE u64 norn_heap_add(u64 *place, u64 bytes) { return atomicAdd(place, bytes); }

// The same for many threads at once: one thread of a warp adds what all that have come here need.
NORN_FUNCTION u64 norn_words_add(u64 *place, u64 words) {
#if __CUDA_ARCH__ >= 700
  u32 same = __match_any_sync(__activemask(), (u64)place), lane = threadIdx.x & 31;
  u64 before = 0, all = 0;
  for (u32 rest = same; rest != 0; rest &= rest - 1) {
    u32 other = (u32)__ffs((i32)rest) - 1;
    u64 asked = __shfl_sync(same, words, (i32)other);
    if (other < lane) before += asked;
    all += asked;
  }
  i32 leader = __ffs((i32)same) - 1;
  u64 begin = 0;
  if ((i32)lane == leader) begin = atomicAdd(place, all);
  return __shfl_sync(same, begin, leader) + before;
#else
  return atomicAdd(place, words);
#endif
}

#endif
