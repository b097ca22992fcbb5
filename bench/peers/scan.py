"""The sums of all prefixes."""

from data import unit


def make_input(n):
    return (unit(1, n),)


def any_numpy(np, xs):
    return np.cumsum(xs)


def torch(torch, xs):
    return torch.cumsum(xs, 0)
