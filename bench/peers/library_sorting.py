"""Pairs in lexicographic order."""

import numpy as np
from data import number


def make_input(n):
    return number(1, n) % np.uint32(1000), number(2, n)


def any_numpy(np, xs, ys):
    order = np.lexsort(np.stack([ys, xs]))
    return xs[order], ys[order]
