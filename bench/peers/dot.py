"""The dot product of two vectors."""

from data import unit


def make_input(n):
    return unit(1, n), unit(2, n)


def any_numpy(np, xs, ys):
    return np.dot(xs, ys)


torch = any_numpy
