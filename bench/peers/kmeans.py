"""A step of k-means clustering. Distances come from a product of matrices, as is usual with arrays."""

from data import unit


def make_input(k, d, n):
    points = unit(1, n * d).reshape(n, d)
    return points[:k].copy(), points


def nearest(np, centres, points):
    squares = (points * points).sum(1)[:, None] - 2 * points @ centres.T + (centres * centres).sum(1)[None, :]
    return squares.argmin(1)


def numpy(np, centres, points):
    k, owners = len(centres), nearest(np, centres, points)
    counts = np.bincount(owners, minlength=k)[:, None]
    sums = np.stack([np.bincount(owners, points[:, j], minlength=k) for j in range(points.shape[1])], 1)
    return np.where(counts == 0, centres, sums / np.maximum(counts, 1)).astype(np.float32)


cupy = numpy


def jax(np, centres, points):
    from jax.ops import segment_sum

    k, owners = len(centres), nearest(np, centres, points)
    counts = segment_sum(np.ones(len(points), np.float32), owners, k)[:, None]
    sums = segment_sum(points, owners, k)
    return np.where(counts == 0, centres, sums / np.maximum(counts, 1))


def torch(torch, centres, points):
    owners = nearest(torch, centres, points)
    counts = torch.bincount(owners, minlength=len(centres))[:, None]
    sums = torch.zeros_like(centres).index_add_(0, owners, points)
    return torch.where(counts == 0, centres, sums / counts.clamp(min=1))
