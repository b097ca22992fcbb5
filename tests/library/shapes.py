"""What a Python module of shapes.fut does."""

import gc

import numpy as np
import shapes

xs = np.arange(5, dtype=np.float32)
print(shapes.dot(xs, xs), shapes.dot([1, 2], [3, 4]))
print(shapes.matmul(np.eye(2), np.arange(4.0).reshape(2, 2)).tolist())
ks = np.arange(4, dtype=np.int32)
same = shapes.same(ks)
same[0] = 7
cleared = shapes.clear(ks, 2)
print(ks.tolist(), cleared.tolist(), shapes.pick(ks, 1))
total, sums = shapes.stats(xs)
print(total, sums.tolist())
points = shapes.points(xs, 2 * xs)
print(points["y"].tolist(), shapes.centre(points))
print(shapes.area(shapes.Case("polygon", ([1.5, 2], 3))), shapes.grown(shapes.Case("circle", (2,))))
print(shapes.flip(True, 254, 1.5), shapes.evens(np.arange(7)).tolist(), len(shapes.all_of_it()))
print(shapes.row_sums(shapes.triangle(4)).tolist())
for wrong in [
    lambda: shapes.pick(ks, 9),
    lambda: shapes.dot(xs, np.ones(5)),
    lambda: shapes.dot(xs, np.ones((1, 5), np.float32)),
    lambda: shapes.flip(True, 300, 1.5),
    lambda: shapes.centre({"x": xs}),
    lambda: shapes.area(3),
]:
    try:
        wrong()
    except (shapes.Failure, TypeError) as error:
        print(type(error).__name__, str(error).split("\n")[0])
big = shapes.stats(np.ones(1 << 20, np.float32))[1]
gc.collect()
print(big[-1])
print(shapes.dot.__doc__)
