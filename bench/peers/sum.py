"""The sum of an array."""

from data import unit


def make_input(n):
    return (unit(1, n),)


def any_numpy(np, xs):
    return np.sum(xs)


torch = any_numpy
