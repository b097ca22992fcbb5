"""The sums of rows."""

from data import unit


def make_input(n, m):
    return (unit(1, n * m).reshape(n, m),)


def any_numpy(np, rows):
    return np.sum(rows, 1)


torch = any_numpy
