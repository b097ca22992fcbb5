"""Bodies that attract one another. All pairs at once do not fit into memory, so bodies are done in blocks."""

from data import between

BLOCK = 1000


def make_input(n):
    return between(0, 100, 1, n), between(0, 100, 2, n), between(0, 100, 3, n), between(1, 1000, 4, n)


def move(np, places, own, masses):
    away = [all_of[None, :] - some[:, None] for all_of, some in zip(places, own)]
    square = away[0] * away[0] + away[1] * away[1] + away[2] * away[2] + 1e-4
    inverse = 1 / np.sqrt(square)
    strength = masses[None, :] * inverse * inverse * inverse
    return [some + (delta * strength).sum(1) for some, delta in zip(own, away)]


def numpy(np, xs, ys, zs, masses):
    concatenate = getattr(np, "concatenate", None) or np.cat
    places, moved = (xs, ys, zs), []
    for at in range(0, len(xs), BLOCK):
        moved.append(move(np, places, [column[at : at + BLOCK] for column in places], masses))
    return [concatenate(column) for column in zip(*moved)]


cupy = torch = numpy


def jax(np, xs, ys, zs, masses):
    from jax import lax

    places = (xs, ys, zs)
    blocks = [column.reshape(-1, min(BLOCK, len(xs))) for column in places]
    moved = lax.map(lambda own: move(np, places, own, masses), blocks)
    return [column.reshape(-1) for column in moved]
