"""Running sums and sums of segments with different lengths."""

import numpy as np
from data import number


def make_input(n):
    flags = number(1, n) % np.uint32(10) == 0
    flags[0] = True
    return flags, (number(2, n) % np.uint32(1000)).astype(np.int64)


def any_numpy(np, flags, xs):
    starts = np.flatnonzero(flags)
    sums = np.add.reduceat(xs, starts)
    before = np.repeat(np.cumsum(sums) - sums, np.diff(starts, append=len(xs)))
    return np.max(np.cumsum(xs) - before), sums
