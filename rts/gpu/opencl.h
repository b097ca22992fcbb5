// OpenCL C 1.2: types, words, threads, and what the device can do at once.
#ifndef NORN_DIALECT_H
#define NORN_DIALECT_H

// A product is added without being rounded only where the program says so.
#pragma OPENCL FP_CONTRACT OFF

// Memory that was released may hold elements of another type next.
#define NORN_ANY_TYPE __attribute__((may_alias))

typedef char i8 NORN_ANY_TYPE;
typedef short i16 NORN_ANY_TYPE;
typedef int i32 NORN_ANY_TYPE;
typedef long i64 NORN_ANY_TYPE;
typedef uchar u8 NORN_ANY_TYPE;
typedef ushort u16 NORN_ANY_TYPE;
typedef uint u32 NORN_ANY_TYPE;
typedef ulong u64 NORN_ANY_TYPE;
typedef float f32 NORN_ANY_TYPE;
typedef size_t norn_address;

#define NORN_MOST_ELEMENTS (1l << 50)
#define INT32_MIN INT_MIN
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define UINT64_MAX ULONG_MAX

#define NORN_GLOBAL __global
#define NORN_LOCAL __local
#define NORN_SHARED __local
#define NORN_ALIGNED __attribute__((aligned(16)))
#define NORN_FUNCTION static
#define NORN_INLINE static inline
#define NORN_COLD static
#define NORN_KERNEL(size, groups) __kernel __attribute__((reqd_work_group_size(size, 1, 1))) void
#define NORN_UNLIKELY(condition) (condition)
// On a processor it helps nobody, and the compiler takes much longer.
#if defined(__NV_CL_C_VERSION) || defined(cl_nv_pragma_unroll)
#define NORN_UNROLL _Pragma("unroll")
#else
#define NORN_UNROLL
#endif

// # Numbers

NORN_INLINE i64 norn_widened(i32 x) { return x; }
NORN_INLINE f32 norn_positive_f32(f32 x) { return x != x || x < 0 ? 0 : x; }

// # Threads

NORN_INLINE i64 norn_thread(void) { return (i64)get_local_id(0); }
NORN_INLINE i64 norn_group(void) { return (i64)get_group_id(0); }
NORN_INLINE i64 norn_groups(void) { return (i64)get_num_groups(0); }
NORN_INLINE void norn_barrier(void) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }

// OpenCL 1.2 has no fence that is meant for other groups. NVIDIA's is for the own group alone, so that loads that follow may find what
// was in a cache before; AMD's is said to be.
NORN_INLINE void norn_fence(void) {
#if defined(__NV_CL_C_VERSION) || defined(cl_nv_pragma_unroll)
  asm volatile("membar.gl;" ::: "memory");
#elif defined(__AMDGCN__) && defined(__clang__)
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
#elif __OPENCL_C_VERSION__ >= 200
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
#else
  mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
}

// A pointer that may lead to what a group shares is of another type than all others: each group has a part of the scratch memory instead.
#define NORN_POOL(scratch, bytes) ((scratch) + norn_group() * (bytes))

// A kernel gets the heap as a parameter.
// A thread's own memory is in another address space, so all of it is in the heap.
#define NORN_WORKER(bytes) norn_worker norn_self = {norn_run, norn_heap, 0, 0, 0}, *w = &norn_self;
#define NORN_IN_HEAP(w, at) ((w)->heap + (at))

// After a failure nothing runs any more. Threads that meet later decide about that together: somebody may fail meanwhile.
#define NORN_BEGIN if (norn_run->failed) return;
#define NORN_BEGIN_TOGETHER                                                                     \
  __local i32 norn_stop;                                                                        \
  if (norn_thread() == 0) norn_stop = norn_run->failed;                                         \
  norn_barrier();                                                                               \
  if (norn_stop) return;

// # Numbers

#define NORN_MATH_f32(name) name
#define NORN_MATH_f64(name) name
#define NORN_AS_f32(bits) as_float(bits)
#define NORN_AS_u32(x) as_uint(x)
#define NORN_AS_f64(bits) as_double(bits)
#define NORN_AS_u64(x) as_ulong(x)

NORN_INLINE i32 norn_popc_32(u32 x) { return (i32)popcount(x); }
NORN_INLINE i32 norn_popc_64(u64 x) { return (i32)popcount(x); }
NORN_INLINE i32 norn_clz_32(u32 x) { return (i32)clz(x); }
NORN_INLINE i32 norn_clz_64(u64 x) { return (i32)clz(x); }
NORN_INLINE i64 norn_high_i64(i64 x, i64 y) { return mul_hi(x, y); }
NORN_INLINE u64 norn_high_u64(u64 x, u64 y) { return mul_hi(x, y); }

// # Words that several threads see. Only what is changed atomically is sure to be seen by other groups.

#define NORN_WORDS(U, prefix, space, SPACE)                                                     \
  NORN_INLINE U norn_swap_##U##_##space(SPACE U *place, U expected, U value) {                  \
    return prefix##cmpxchg(place, expected, value);                                             \
  }                                                                                             \
  NORN_INLINE U norn_acquire_##U##_##space(SPACE U *place) {                                    \
    U x = prefix##add(place, (U)0);                                                             \
    norn_fence();                                                                               \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE U norn_peek_##U##_##space(SPACE U *place) { return prefix##add(place, (U)0); }    \
  NORN_INLINE void norn_publish_##U##_##space(SPACE U *place, U value) {                        \
    norn_fence();                                                                               \
    prefix##xchg(place, value);                                                                 \
  }

NORN_WORDS(u32, atomic_, global, __global)
NORN_WORDS(u32, atomic_, local, __local)

// # What all tiles before have
//
// Three numbers for each tile: 0 if nothing is known, 1 if it is known how many it has, 2 if it is known how many there are up to its end;
// then these two. Only words of 32 bits are sure to be seen by other groups at once. One thread looks back, tile by tile. What a tile has is
// at most NORN_MOST_ELEMENTS, as is what all before have, so that no sum wraps around.

NORN_FUNCTION i64 norn_count_before(__global i32 *states, i64 tile, i64 own, __local i64 *shared) {
  if (norn_thread() == 0) {
    __global i64 *numbers = (__global i64 *)states;
    i64 before = 0;
    if (tile > 0) {
      numbers[3 * tile + 1] = own;
      norn_publish_u32_global((__global u32 *)(numbers + 3 * tile), 1);
    }
    for (i64 at = tile - 1; at >= 0; at--) {
      u32 known;
      do known = norn_acquire_u32_global((__global u32 *)(numbers + 3 * at));
      while (known == 0);
      before += numbers[3 * at + (known == 2 ? 2 : 1)];
      if (before > NORN_MOST_ELEMENTS) before = NORN_MOST_ELEMENTS;
      if (known == 2) break;
    }
    numbers[3 * tile + 2] = before + own;
    norn_publish_u32_global((__global u32 *)(numbers + 3 * tile), 2);
    *shared = before;
  }
  norn_barrier();
  return *shared;
}

// # Numbers that threads combine

// In the same order as with CUDA: among 32, and then with those before these.
#define NORN_SCAN(op, T, combined)                                                              \
  NORN_INLINE T norn_combine_##op##_##T(T x, T y) { return combined; }                          \
  NORN_FUNCTION T norn_scan_##op##_##T(T own, __local T *shared) {                              \
    i64 thread = norn_thread(), lane = thread & 31, warp = thread >> 5;                         \
    __local T *totals = shared + get_local_size(0);                                             \
    T all = own;                                                                                \
    for (i64 step = 1; step < 32; step *= 2) {                                                  \
      shared[thread] = all;                                                                     \
      norn_barrier();                                                                           \
      if (lane >= step) all = norn_combine_##op##_##T(shared[thread - step], all);              \
      norn_barrier();                                                                           \
    }                                                                                           \
    if (lane == 31) totals[warp] = all;                                                         \
    norn_barrier();                                                                             \
    if (warp > 0) {                                                                             \
      T before = totals[0];                                                                     \
      for (i64 i = 1; i < warp; i++) before = norn_combine_##op##_##T(before, totals[i]);       \
      all = norn_combine_##op##_##T(before, all);                                               \
    }                                                                                           \
    shared[thread] = all;                                                                       \
    norn_barrier();                                                                             \
    return all;                                                                                 \
  }

// As above, with what tiles have in place of how many.
#define NORN_LOOK_BACK(op, T, BITS, neutral)                                                    \
  NORN_FUNCTION T norn_look_back_##op##_##T(__global i32 *states, i64 tile, T own, __local T *shared) { \
    if (norn_thread() == 0) {                                                                   \
      __global u64 *numbers = (__global u64 *)states;                                             \
      T before = neutral;                                                                       \
      if (tile > 0) {                                                                           \
        numbers[3 * tile + 1] = (u64)own;                                                       \
        norn_publish_u32_global((__global u32 *)(numbers + 3 * tile), 1);                       \
      }                                                                                         \
      for (i64 at = tile - 1; at >= 0; at--) {                                                  \
        u32 known;                                                                              \
        do known = norn_acquire_u32_global((__global u32 *)(numbers + 3 * at));                 \
        while (known == 0);                                                                     \
        before = norn_combine_##op##_##T((T)numbers[3 * at + (known == 2 ? 2 : 1)], before);    \
        if (known == 2) break;                                                                  \
      }                                                                                         \
      numbers[3 * tile + 2] = (u64)norn_combine_##op##_##T(before, own);                        \
      norn_publish_u32_global((__global u32 *)(numbers + 3 * tile), 2);                         \
      *shared = before;                                                                         \
    }                                                                                           \
    norn_barrier();                                                                             \
    return *shared;                                                                             \
  }

// # The last group

NORN_FUNCTION bool norn_is_last(__global i32 *arrived, __local i32 *shared) {
  norn_barrier();
  if (norn_thread() == 0) {
    __global u32 *count = (__global u32 *)arrived;
    norn_fence();
    *shared = atomic_add(count, 1u) == (u32)(norn_groups() - 1);
    // It is 0 again when all have been here.
    if (*shared) atomic_xchg(count, 0u);
    norn_fence();
  }
  norn_barrier();
  return *shared != 0;
}

#endif
