"""How often each number occurs."""

import numpy as np
from data import number


def make_input(bins, n):
    return bins, (number(1, n) % np.uint32(bins)).astype(np.int32)


def numpy(np, bins, numbers):
    return np.bincount(numbers, minlength=bins).astype(np.int32)


cupy = numpy


def jax(np, bins, numbers):
    return np.bincount(numbers, length=bins).astype(np.int32)


def torch(torch, bins, numbers):
    return torch.bincount(numbers, minlength=bins).to(torch.int32)
