// What CUB takes for the work of some of these programs. Milliseconds, median of 15 runs, data on the GPU, the wait for the
// end included. One line for each: `work cub time`. Needs nvcc, which comes with CUB.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

static const int N = 10000000, RUNS = 15;

struct Large {
  __device__ bool operator()(float x) const { return x > 0.5f; }
};

// Numbers that look random: floats below 1, keys, and bins.
__global__ void fill(float *x, unsigned *keys, int *bins) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  unsigned h = i * 2654435761u;
  h = (h ^ (h >> 15)) * 2246822519u;
  h ^= h >> 13;
  x[i] = (h >> 8) * (1.0f / (1 << 24));
  keys[i] = h;
  bins[i] = h & 1023;
}

// `run` is called with no memory to say how much it needs, then with that.
template <class Run> static void measure(const char *work, Run run) {
  void *memory = nullptr;
  size_t bytes = 0;
  run(memory, bytes);
  cudaMalloc(&memory, bytes);
  std::vector<double> times;
  for (int i = 0; i < RUNS + 3; i++) {
    cudaDeviceSynchronize();
    auto begin = std::chrono::steady_clock::now();
    run(memory, bytes);
    cudaDeviceSynchronize();
    auto end = std::chrono::steady_clock::now();
    if (i >= 3) times.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + RUNS / 2, times.end());
  printf("%s cub %.3f\n", work, times[RUNS / 2]);
  cudaFree(memory);
}

int main() {
  float *x, *y;
  unsigned *keys, *sorted;
  int *bins, *counts;
  for (void **array : {(void **)&x, (void **)&y, (void **)&keys, (void **)&sorted, (void **)&bins, (void **)&counts})
    cudaMalloc(array, N * sizeof(int));
  fill<<<(N + 255) / 256, 256>>>(x, keys, bins);
  measure("sum", [&](void *m, size_t &b) { cub::DeviceReduce::Sum(m, b, x, y, N); });
  measure("scan", [&](void *m, size_t &b) { cub::DeviceScan::InclusiveSum(m, b, x, y, N); });
  measure("filter", [&](void *m, size_t &b) { cub::DeviceSelect::If(m, b, x, y, counts, N, Large{}); });
  measure("sort", [&](void *m, size_t &b) { cub::DeviceRadixSort::SortKeys(m, b, keys, sorted, N); });
  measure("histogram",
          [&](void *m, size_t &b) { cub::DeviceHistogram::HistogramEven(m, b, bins, counts, 1025, 0, 1024, N); });
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) printf("- CUB: %s\n", cudaGetErrorString(error));
}
