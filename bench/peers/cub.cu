// What CUB takes for a program's work: `cub PROGRAM SIZE...`. The times of all runs in microseconds as JSON, as the C versions tell them; data
// on the GPU, the wait for the end included. Needs nvcc, which comes with CUB. Exit code 3: CUB does not have this.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/cub.cuh>
#include <vector>

static const double WARM_UP = 0.2, ENOUGH = 1.0;
static const size_t LEAST_RUNS = 15, MOST_RUNS = 1000;

struct Small {
  __device__ bool operator()(float x) const { return x < 0.5f; }
};

// The same numbers as programs/data.fut makes.
__device__ unsigned number(unsigned seed, unsigned i) {
  unsigned x = i * 0x9e3779b1u + seed * 0x85ebca77u;
  x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  x = (x ^ (x >> 12)) * 0x297a2d39u;
  return x ^ (x >> 15);
}

__global__ void fill(float *x, unsigned *keys, int *bins, int count, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = (number(1, i) >> 8) * (1.0f / (1 << 24));
  keys[i] = number(1, i);
  bins[i] = number(1, i) % count;
}

// `run` is called with no memory to say how much it needs, then with that.
template <class Run> static void measure(Run run) {
  void *memory = nullptr;
  size_t bytes = 0;
  run(memory, bytes);
  cudaMalloc(&memory, bytes);
  auto once = [&] {
    cudaDeviceSynchronize();
    auto begin = std::chrono::steady_clock::now();
    run(memory, bytes);
    cudaDeviceSynchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  for (double warm = 0; warm < WARM_UP;) warm += once();
  std::vector<double> times;
  for (double total = 0; times.size() < MOST_RUNS && (times.size() < LEAST_RUNS || total < ENOUGH);) {
    times.push_back(once());
    total += times.back();
  }
  printf("{\"runtimes\": [");
  for (size_t i = 0; i < times.size(); i++) printf("%s%.1f", i ? ", " : "", times[i] * 1e6);
  printf("]}\n");
  cudaFree(memory);
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  auto is = [&](const char *name) { return strcmp(argv[1], name) == 0; };
  int n = atoi(argv[argc - 1]), count = argc > 3 ? atoi(argv[2]) : 1;
  float *x, *y;
  unsigned *keys, *sorted;
  int *bins, *counts;
  for (void **array : {(void **)&x, (void **)&y, (void **)&keys, (void **)&sorted, (void **)&bins, (void **)&counts})
    cudaMalloc(array, (n + count + 1) * sizeof(int));
  fill<<<(n + 255) / 256, 256>>>(x, keys, bins, count, n);
  if (is("sum")) {
    measure([&](void *m, size_t &b) { cub::DeviceReduce::Sum(m, b, x, y, n); });
  } else if (is("scan")) {
    measure([&](void *m, size_t &b) { cub::DeviceScan::InclusiveSum(m, b, x, y, n); });
  } else if (is("filter")) {
    measure([&](void *m, size_t &b) { cub::DeviceSelect::If(m, b, x, y, counts, n, Small{}); });
  } else if (is("sort")) {
    measure([&](void *m, size_t &b) { cub::DeviceRadixSort::SortKeys(m, b, keys, sorted, n); });
  } else if (is("histogram")) {
    measure([&](void *m, size_t &b) { cub::DeviceHistogram::HistogramEven(m, b, bins, counts, count + 1, 0, count, n); });
  } else {
    return 3;
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
