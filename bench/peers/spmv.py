"""A sparse matrix times a vector, with rows of very different lengths."""

import numpy as host
from data import number, unit


def make_input(n):
    zeros = 31 - host.floor(host.log2(host.maximum(number(1, n), 1).astype(host.float64))).astype(host.int64)
    lengths = 4 << host.minimum(16, zeros)
    m = int(lengths.sum())
    starts = host.cumsum(lengths) - lengths
    rows = host.repeat(host.arange(n), lengths)
    return n, starts, rows, (number(2, m) % host.uint32(n)).astype(host.int32), unit(3, m), unit(4, n)


def numpy(np, n, starts, rows, columns, values, vector):
    # No row is empty.
    return np.add.reduceat(values * vector[columns], starts)


def jax(np, n, starts, rows, columns, values, vector):
    from jax.ops import segment_sum

    return segment_sum(values * vector[columns], rows, n, indices_are_sorted=True)


def torch(torch, n, starts, rows, columns, values, vector):
    return torch.zeros_like(vector).index_add_(0, rows, values * vector[columns.long()])
