"""The elements below a half. JAX has no arrays whose size depends on data in compiled functions."""

from data import unit


def make_input(n):
    return (unit(1, n),)


def numpy(np, xs):
    return xs[xs < 0.5]


cupy = torch = numpy
