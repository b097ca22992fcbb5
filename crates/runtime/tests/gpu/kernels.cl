// Kernels of the tests in OpenCL C. Those in CUDA C++ are in kernels.cu, with more comments.
#pragma OPENCL FP_CONTRACT OFF
#if __OPENCL_C_VERSION__ < 300
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
typedef ulong u64;
typedef long i64;
// STATE

void fail(__global norn_state *state, int site, int operands, u64 first, u64 second) {
  if (atomic_cmpxchg((volatile __global int *)&state->failed, 0, 1)) return;
  state->site = site;
  state->operands = operands;
  state->failed_launch = state->launch;
  state->operand[0] = first;
  state->operand[1] = second;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg((volatile __global int *)&state->failed, 2);
}

#define KERNEL(name) __kernel __attribute__((reqd_work_group_size(256, 1, 1))) void name
#define FOR(i, n) for (i64 i = get_group_id(0) * 256 + get_local_id(0); i < n; i += get_num_groups(0) * 256)
#define POINTER(type, name) __global type *name = (__global type *)(name##_base + name##_offset)
#define PARAM(name) __global uchar *name##_base, i64 name##_offset

KERNEL(k_add)(__global norn_state *state, i64 n, PARAM(xs), PARAM(ys), PARAM(zs)) {
  POINTER(float, xs);
  POINTER(float, ys);
  POINTER(float, zs);
  if (state->failed) return;
  FOR(i, n) zs[i] = xs[i] + ys[i];
}

KERNEL(k_check)(__global norn_state *state, i64 n, int bound, PARAM(xs)) {
  POINTER(int, xs);
  if (state->failed) return;
  FOR(i, n) if (xs[i] >= bound) fail(state, 7, 2, (u64)i, (u64)xs[i]);
}

KERNEL(k_set)(__global norn_state *state, i64 n, int value, PARAM(xs)) {
  POINTER(int, xs);
  if (state->failed) return;
  FOR(i, n) xs[i] = value;
}

KERNEL(k_heap)(__global norn_state *state, __global uchar *heap, i64 n, i64 bytes, PARAM(sums)) {
  POINTER(i64, sums);
  if (state->failed) return;
  FOR(i, n) {
    u64 at = atom_add((volatile __global ulong *)&state->heap_next, (ulong)bytes);
    if (at + bytes > state->heap_end) {
      fail(state, NORN_OUT_OF_HEAP, 0, 0, 0);
      return;
    }
    __global uchar *own = heap + at;
    for (i64 k = 0; k < bytes; k += 64) own[k] = (uchar)i;
    i64 sum = 0;
    for (i64 k = 0; k < bytes; k += 64) sum += own[k];
    sums[i] = sum;
  }
}

KERNEL(k_scalars)(__global norn_state *state, char a, short b, int c, i64 d, float e, double f, uchar g, PARAM(to), PARAM(none)) {
  POINTER(i64, to);
  if (state->failed) return;
  if (get_group_id(0) || get_local_id(0)) return;
  to[0] = a; to[1] = b; to[2] = c; to[3] = d; to[4] = (i64)e; to[5] = (i64)f; to[6] = g; to[7] = !none_base && !none_offset;
}

KERNEL(k_reverse)(__global norn_state *state, i64 n, PARAM(xs), PARAM(ys)) {
  __local int part[256];
  POINTER(int, xs);
  POINTER(int, ys);
  if (state->failed) return;
  int thread = get_local_id(0);
  for (i64 base = get_group_id(0) * 256; base < n; base += get_num_groups(0) * 256) {
    part[thread] = xs[base + thread];
    barrier(CLK_LOCAL_MEM_FENCE);
    ys[base + thread] = part[255 - thread];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

KERNEL(k_chain)(__global norn_state *state, i64 n, PARAM(places)) {
  POINTER(int, places);
  if (state->failed) return;
  if (get_local_id(0) == 0) {
    int number = atomic_add((volatile __global int *)&places[0], 1);
    int before;
#if defined(__opencl_c_atomic_order_acq_rel) && defined(__opencl_c_atomic_scope_device)
    volatile __global atomic_int *place = (volatile __global atomic_int *)&places[1 + number];
    do before = atomic_load_explicit(place, memory_order_acquire, memory_scope_device); while (!before);
    atomic_store_explicit(place + 1, before + number, memory_order_release, memory_scope_device);
#else
    volatile __global int *place = &places[1 + number];
    do before = atomic_add(place, 0); while (!before);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(place + 1, before + number);
#endif
  }
}

KERNEL(k_spin)(__global norn_state *state, i64 rounds, PARAM(to)) {
  POINTER(int, to);
  if (state->failed) return;
  uint x = get_local_id(0);
  for (i64 i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;
  if (x == 12345u) to[0] = 1;
}
