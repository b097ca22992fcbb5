"""What limits Norn on a GPU, for the table in bench/README.md: times in milliseconds that were measured by hand on an H200."""

LIMITS = {
    "sum": "two launches and a wait, 0.015 together; bytes alone are 0.010",
    "dot": "two launches and a wait, as `sum`; by hand 0.033, and 0.007 to bring the result",
    "scan": "three kernels, so that the order of additions is fixed",
    "filter": "tiles that wait for those before them: without that 0.031, and 0.012 to bring the count",
    "histogram": "atomics in shared memory",
    "blackscholes": "precise division and square root",
    "nbody": "about 22 instructions for a pair",
    "mandelbrot": "threads of a warp that wait for the longest",
    "matmul": "64-bit indices: with 32 bits the same kernel takes 3.20",
    "hotspot": "launches: one for each step",
    "kmeans": "distances 0.21, sums of points 0.11",
    "spmv": "waits for sizes, and scans over lengths",
    "segsum": "of few long rows, sums over threads for every 2048 elements",
    "sort": "sorts tiles by four bits at a time, with barriers in sums over threads",
    "quicksort": "about 70 launches and 18 waits for each of 41 levels",
    "quickhull": "583 launches and 130 waits",
}
