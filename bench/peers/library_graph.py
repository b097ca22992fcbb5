"""The number of connected components of a random graph, by SciPy."""

import numpy as np
from data import number


def make_input(n, m):
    ends = [number(seed, m).astype(np.int64) % n for seed in (1, 2)]
    return np.int64(n), *ends


def numpy(np, n, us, vs):
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(us), np.int8), (us, vs)), shape=(int(n), int(n))).tocsr()
    return np.int64(connected_components(graph, directed=False)[0])
