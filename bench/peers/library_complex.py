"""The sum of a function of complex numbers."""

import numpy as np
from data import unit


def make_input(n):
    return unit(1, n).astype(np.float64), unit(2, n).astype(np.float64)


def any_numpy(np, re, im):
    z = re + 1j * im
    total = np.sum(np.sqrt(np.exp(z) / (z * z + 1)))
    return total.real, total.imag
