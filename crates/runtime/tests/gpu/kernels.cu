// Kernels of the tests in CUDA C++. Those in OpenCL C are in kernels.cl.
typedef unsigned long long u64;
typedef long long i64;
// STATE

__device__ void fail(norn_state *state, int site, int operands, u64 first, u64 second) {
  if (atomicCAS(&state->failed, 0, 1)) return;
  state->site = site;
  state->operands = operands;
  state->failed_launch = state->launch;
  state->operand[0] = first;
  state->operand[1] = second;
  __threadfence();
  atomicExch(&state->failed, 2);
}

#define KERNEL(name) extern "C" __global__ void __launch_bounds__(256) name
#define FOR(i, n) for (i64 i = blockIdx.x * (i64)256 + threadIdx.x; i < n; i += gridDim.x * (i64)256)

KERNEL(k_add)(norn_state *state, i64 n, const float *xs, const float *ys, float *zs) {
  if (state->failed) return;
  FOR(i, n) zs[i] = xs[i] + ys[i];
}

KERNEL(k_check)(norn_state *state, i64 n, int bound, int *xs) {
  if (state->failed) return;
  FOR(i, n) if (xs[i] >= bound) fail(state, 7, 2, (u64)i, (u64)xs[i]);
}

KERNEL(k_set)(norn_state *state, i64 n, int value, int *xs) {
  if (state->failed) return;
  FOR(i, n) xs[i] = value;
}

// Each of n threads allocates some bytes, fills them and sums them up.
KERNEL(k_heap)(norn_state *state, i64 n, i64 bytes, i64 *sums) {
  if (state->failed) return;
  FOR(i, n) {
    u64 at = atomicAdd((unsigned long long *)&state->heap_next, (unsigned long long)bytes);
    if (at + bytes > state->heap_end) {
      fail(state, NORN_OUT_OF_HEAP, 0, 0, 0);
      return;
    }
    unsigned char *own = (unsigned char *)at;
    for (i64 k = 0; k < bytes; k += 64) own[k] = (unsigned char)i;
    i64 sum = 0;
    for (i64 k = 0; k < bytes; k += 64) sum += own[k];
    sums[i] = sum;
  }
}

KERNEL(k_scalars)(norn_state *state, signed char a, short b, int c, i64 d, float e, double f, unsigned char g, i64 *to, int *none) {
  if (state->failed) return;
  if (blockIdx.x || threadIdx.x) return;
  to[0] = a; to[1] = b; to[2] = c; to[3] = d; to[4] = (i64)e; to[5] = (i64)f; to[6] = g; to[7] = !none;
}

// Each group turns its part around, by way of memory that it shares.
KERNEL(k_reverse)(norn_state *state, i64 n, const int *xs, int *ys) {
  __shared__ int part[256];
  if (state->failed) return;
  for (i64 base = blockIdx.x * (i64)256; base < n; base += gridDim.x * (i64)256) {
    part[threadIdx.x] = xs[base + threadIdx.x];
    __syncthreads();
    ys[base + threadIdx.x] = part[255 - threadIdx.x];
    __syncthreads();
  }
}

// Groups in the order in which they start: each waits for the one before. places[0] counts, places[1 + k] is 1 + the sum of what
// the groups before group k have brought along.
KERNEL(k_chain)(norn_state *state, i64 n, int *places) {
  __shared__ int number;
  if (state->failed) return;
  if (threadIdx.x == 0) {
    number = atomicAdd(&places[0], 1);
    volatile int *place = &places[1 + number];
    int before;
    do before = *place; while (!before);
    __threadfence();
    int after = before + number;
    __threadfence();
    *(volatile int *)&places[2 + number] = after;
  }
}

KERNEL(k_spin)(norn_state *state, i64 rounds, int *to) {
  if (state->failed) return;
  unsigned x = threadIdx.x;
  for (i64 i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;
  if (x == 12345u) to[0] = 1;
}

KERNEL(k_trap)(norn_state *state, int *nowhere) {
  *(volatile int *)((u64)nowhere + ((u64)1 << 44)) = 1;
}
