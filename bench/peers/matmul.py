"""The product of two matrices."""

from data import unit


def make_input(n):
    return unit(1, n * n).reshape(n, n), unit(2, n * n).reshape(n, n)


def any_numpy(np, a, b):
    return a @ b


torch = any_numpy
