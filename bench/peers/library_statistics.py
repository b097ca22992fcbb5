"""Mean, deviation, skewness and kurtosis, and some quantiles."""

import numpy as np
from data import unit


def make_input(n):
    return (unit(1, n).astype(np.float64) ** 2,)


def any_numpy(np, xs):
    mean, deviation = np.mean(xs), np.std(xs)
    z = (xs - mean) / deviation
    square = z * z
    return (
        mean,
        np.std(xs, ddof=1),
        np.mean(square * z),
        np.mean(square * square) - 3,
        np.quantile(xs, np.asarray([0.25, 0.5, 0.75])),
    )
