"""Made-up data for the peers in Python: the same numbers as programs/data.fut and harness.h make."""

import numpy as np


def number(seed, n, first=0):
    """The numbers of the sequence that a seed names."""
    with np.errstate(over="ignore"):
        x = np.arange(first, first + n, dtype=np.int64).astype(np.uint32) * np.uint32(0x9E3779B1)
        x += np.uint32(seed * 0x85EBCA77 & 0xFFFFFFFF)
        x = (x ^ (x >> np.uint32(15))) * np.uint32(0x2C1B3C6D)
        x = (x ^ (x >> np.uint32(12))) * np.uint32(0x297A2D39)
    return x ^ (x >> np.uint32(15))


def unit(seed, n):
    """From 0 to 1, without 1."""
    return (number(seed, n) >> np.uint32(8)).astype(np.float32) * np.float32(1 / 16777216)


def between(low, high, seed, n):
    return np.float32(low) + unit(seed, n) * np.float32(high - low)
