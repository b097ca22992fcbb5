"""What each program must do at least: so many elements, bytes to and from memory, and arithmetic operations.

Bytes are those of the input and of the result, each once. Operations are those of the formula; a division, a root or an exponential
counts as one, so what has many of them cannot come near the limit of additions. Comparisons and moves count where they are the work.
"""

from collections import namedtuple

Work = namedtuple("Work", "elements bytes operations")


def spmv_entries(n):
    """About: half the rows have 4 entries, and each doubling of the length halves the number of rows."""
    return n * 4 * 17 // 2


WORK = {
    "sum": lambda n: Work(n, 4 * n, n),
    "dot": lambda n: Work(n, 8 * n, 2 * n),
    "scan": lambda n: Work(n, 8 * n, n),
    "filter": lambda n: Work(n, 6 * n, n),
    "histogram": lambda bins, n: Work(n, 4 * n + 4 * bins, n),
    "segsum": lambda n, m: Work(n * m, 4 * n * m + 4 * n, n * m),
    "sort": lambda n: Work(n, 8 * n, n * max(n, 2).bit_length()),
    "quicksort": lambda n: Work(n, 8 * n, n * max(n, 2).bit_length()),
    "quickhull": lambda n: Work(n, 16 * n, 14 * n),
    "matmul": lambda n: Work(n * n, 12 * n * n, 2 * n**3),
    "nbody": lambda n: Work(n, 28 * n, 20 * n * n),
    "blackscholes": lambda n: Work(n, 20 * n, 75 * n),
    "mandelbrot": lambda height, width, limit: Work(height * width, 4 * height * width, 70 * 7 * height * width),
    "megapar": lambda iterations, n: Work(n, 8 * n, 2 * iterations * n),
    "hotspot": lambda steps, n: Work(n * n, 12 * n * n * steps, 12 * n * n * steps),
    "kmeans": lambda k, d, n: Work(n, 4 * n * d, 3 * n * k * d),
    "spmv": lambda n: Work(spmv_entries(n), 8 * spmv_entries(n) + 12 * n, 2 * spmv_entries(n)),
}

# What tables call the programs. What their sizes are is in brackets where there are several.
TITLES = {
    "sum": "sum",
    "dot": "dot product",
    "scan": "prefix sum",
    "filter": "filter, half kept",
    "histogram": "histogram (bins x elements)",
    "segsum": "sums of rows (rows x columns)",
    "sort": "sort",
    "quicksort": "quicksort by recursion",
    "quickhull": "convex hull by quickhull",
    "matmul": "matrix product",
    "nbody": "n-body, all pairs",
    "blackscholes": "Black-Scholes",
    "mandelbrot": "Mandelbrot (height x width x limit)",
    "megapar": "long loops (iterations x elements)",
    "hotspot": "HotSpot (steps x side)",
    "kmeans": "k-means step (clusters x features x points)",
    "spmv": "sparse matrix times vector, irregular rows",
}


def of(program, label):
    """The work of a data set, whose label is its sizes; None where it is not known."""
    if program not in WORK:
        return None
    return WORK[program](*map(int, label.split(" x ")))
