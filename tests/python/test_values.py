"""Values of all types, in and out."""

import dataclasses
import unittest

import numpy as np

import norn
from common import program

p = program()


class Scalars(unittest.TestCase):
    def test_all_kinds(self):
        self.assertEqual(p.scalars(1, 2**64 - 2, 0.5, True), (2, 2**64 - 1, 1.0, False))
        self.assertEqual(p.scalars(np.int8(1), np.uint64(5), np.float16(2), np.bool_(False)), (2, 6, 4.0, True))
        self.assertEqual(p.nothing(()), ())

    def test_what_does_not_fit(self):
        for args, words in [
            ((200, 1, 1.0, True), "`a` of `scalars` must be of type i8, but 200 is not between -128 and 127"),
            ((1, -1, 1.0, True), "`b` of `scalars` must be of type u64, but -1 is not between 0 and"),
            ((1.5, 1, 1.0, True), "`a` of `scalars` must be of type i8, but is of the class `float`"),
            ((1, 1, "x", True), "must be of type f16, but is of the class `str`"),
            ((1, 1, 1.0, 3), "must be of type bool, but is of the class `int`"),
        ]:
            with self.assertRaisesRegex(norn.ArgumentError, words):
                p.scalars(*args)

    def test_names(self):
        self.assertEqual(p.point(y=2, x=1), {"x": 1.0, "y": 2.0})
        with self.assertRaisesRegex(TypeError, "needs the argument `y`"):
            p.point(1)
        with self.assertRaisesRegex(TypeError, "has no parameter `z`"):
            p.point(1, y=2, z=3)
        with self.assertRaisesRegex(TypeError, "takes 2 arguments, but got 3"):
            p.point(1, 2, 3)


class Arrays(unittest.TestCase):
    def test_in_and_out(self):
        xs = np.arange(6, dtype=np.float32)
        out = p.scale(2, xs)
        np.testing.assert_array_equal(out, 2 * xs)
        if p.backend in ("cpu", "interp"):
            self.assertIsInstance(out, np.ndarray)
            out[0] = 7
        a = np.arange(6.0).reshape(2, 3)
        np.testing.assert_allclose(p.matmul(a, a.T), a @ a.T)

    def test_any_layout(self):
        xs = np.arange(20, dtype=np.float32)
        for given in [xs[::2], xs[::-1], xs.astype(">f4"), np.asfortranarray(xs)]:
            self.assertEqual(p.total(given), given.astype(float).sum())
        a = np.arange(6.0).reshape(2, 3)
        np.testing.assert_allclose(p.matmul(a.T, a), a.T @ a)

    def test_lists(self):
        self.assertEqual(p.dot([1, 2, 3], [1.5, 2, 2]), 11.5)
        self.assertEqual(p.total([]), 0)
        self.assertEqual(p.pick([1, 2, 3], 1), 2)
        with self.assertRaisesRegex(norn.ArgumentError, "its dtype is float64 instead of int32"):
            p.pick([1.5], 0)
        with self.assertRaisesRegex(norn.ArgumentError, "its dtype is int64 instead of int32"):
            p.pick([2**40], 0)

    def test_what_does_not_fit(self):
        xs = np.ones(3)
        with self.assertRaisesRegex(norn.ArgumentError, "`xs` of `total` must be of type .*f32, but its dtype is float64"):
            p.total(xs)
        with self.assertRaisesRegex(norn.ArgumentError, r"must be of type \[\]f32, but its shape is \[1, 1\]"):
            p.total(np.ones((1, 1), "f4"))
        with self.assertRaisesRegex(norn.ArgumentError, "its dtype is complex128"):
            p.total(np.ones(3, complex))
        with self.assertRaisesRegex(norn.ArgumentError, "must be of type"):
            p.total(3)
        with self.assertRaisesRegex(norn.Failure, "dimension of size 2, but 3 was expected"):
            p.dot(np.ones(3, "f4"), np.ones(2, "f4"))

    def test_consumed_arguments_stay(self):
        xs = np.ones(5, np.float32)
        self.assertEqual(p.clear(xs, 2).tolist(), [1, 1, 0, 1, 1])
        self.assertEqual(xs.tolist(), [1] * 5)

    def test_operators(self):
        """Arrays that stay where they are compute as those of NumPy do."""
        xs = p.array(np.arange(4, dtype=np.float32))
        np.testing.assert_array_equal(xs + 1, [1, 2, 3, 4])
        np.testing.assert_array_equal(2 * xs - xs, [0, 1, 2, 3])
        np.testing.assert_array_equal(np.ones(4, np.float32) + xs, [1, 2, 3, 4])
        np.testing.assert_array_equal(xs == np.float32(2), [False, False, True, False])
        self.assertEqual((np.sqrt(xs)[-1], np.add.reduce(xs), -xs[3]), (np.sqrt(np.float32(3)), 6, -3))
        before = xs
        xs += 1
        self.assertEqual((before.tolist(), xs.tolist()), ([0, 1, 2, 3], [1, 2, 3, 4]))


@dataclasses.dataclass
class Point:
    x: float
    y: float


class Records(unittest.TestCase):
    def test_dicts_and_classes(self):
        self.assertEqual(p.norm({"x": 3, "y": 4}), 5)
        self.assertEqual(p.norm(Point(3, 4)), 5)
        q = program()
        q.use(point=Point)
        self.assertEqual(q.point(1, 2), Point(1, 2))
        with self.assertRaisesRegex(KeyError, "no record type `points`"):
            q.use(points=Point)
        out = p.statistics(np.array([1.0, 2, 6]))
        self.assertEqual(out["mean"], 3)
        self.assertEqual(out["deviations"].tolist(), [-2, -1, 3])
        with self.assertRaisesRegex(norn.ArgumentError, "has no field `y`"):
            p.norm({"x": 3})
        with self.assertRaisesRegex(norn.ArgumentError, "field `y` of the argument `p` of `norm` must be of type f32"):
            p.norm({"x": 3, "y": "4"})

    def test_arrays_of_records(self):
        wanted = {"x": [-2.0, -4.0], "y": [1.0, 3.0]}
        structured = np.array([(1, 2), (3, 4)], dtype=[("x", "f4"), ("y", "f4")])
        given = [
            [{"x": 1, "y": 2}, {"x": 3, "y": 4}],
            [Point(1, 2), Point(3, 4)],
            {"x": np.array([1, 3], "f4"), "y": np.array([2, 4], "f4")},
            structured,
        ]
        for points in given:
            out = p.turned(points)
            self.assertEqual({name: column.tolist() for name, column in out.items()}, wanted)
        self.assertEqual(p.pairs([(1, Point(2, 0)), (3, Point(4, 0))]).tolist(), [3, 7])
        ks, xs = np.array([1, 3], "i4"), np.array([2, 4], "f4")
        self.assertEqual(p.pairs((ks, {"x": xs, "y": xs})).tolist(), [3, 7])


class Irregular(unittest.TestCase):
    def test_rows_and_offsets(self):
        rows = p.triangle(4)
        self.assertEqual(rows.offsets.tolist(), [0, 0, 1, 3, 6])
        self.assertEqual(rows.values.tolist(), [0, 0, 2, 0, 3, 6])
        self.assertEqual(rows.tolist(), [[], [0], [0, 2], [0, 3, 6]])
        self.assertEqual((len(rows), rows[-1].tolist()), (4, [0, 3, 6]))
        for given in [rows, (rows.offsets, rows.values), rows.tolist(), [np.array(row, np.int64) for row in rows]]:
            self.assertEqual(p.row_sums(given).tolist(), [0, 0, 2, 9])
        self.assertEqual(p.row_sums([]).tolist(), [])
        self.assertEqual(p.row_sums([[], []]).tolist(), [0, 0])
        self.assertEqual(p.pixels([[[1, 2, 3]], [], [[4, 5, 6], [7, 8, 9]]]).tolist(), [1, 0, 11])

    def test_what_does_not_fit(self):
        with self.assertRaisesRegex(norn.ArgumentError, "its offsets do not fit its values"):
            p.row_sums((np.array([0, 5]), np.array([1, 2, 3])))
        with self.assertRaisesRegex(norn.ArgumentError, "must be of type"):
            p.row_sums((np.array([0, 3]), np.array([1.0, 2, 3])))
        with self.assertRaisesRegex(norn.ArgumentError, "must be of type"):
            p.row_sums(3)


class Sums(unittest.TestCase):
    def test_cases(self):
        self.assertEqual(p.area(norn.Case("circle", 2)), 12)
        self.assertEqual(p.area(norn.case.rectangle(2, 3)), 6)
        grown = p.grown(norn.case.rectangle(2, 3))
        self.assertEqual((grown.name, grown.values, repr(grown)), ("rectangle", (4.0, 3.0), "#rectangle 4.0 3.0"))
        self.assertEqual(p.area(grown), 12)
        match grown:
            case norn.Case("rectangle", (a, b)):
                self.assertEqual((a, b), (4, 3))
            case _:
                self.fail()
        self.assertEqual(p.grown(norn.Case("nothing")), norn.Case("nothing"))
        shapes = p.shapes(3)
        self.assertEqual(shapes, [norn.case.circle(0.0), norn.case.rectangle(1.0, 1.0), norn.case.circle(2.0)])
        self.assertEqual(p.areas(shapes).tolist(), [0, 1, 12])

    def test_what_does_not_fit(self):
        for given, words in [
            (3, "must be of type shape, but is of the class `int`"),
            (norn.Case("square", 1), "`square` is none of its constructors circle, nothing, rectangle"),
            (norn.Case("circle"), "`circle` holds 0 values instead of 1"),
            (norn.Case("circle", "x"), "The value 0 of `circle` in the argument `s` of `area` must be of type f32"),
        ]:
            with self.assertRaisesRegex(norn.ArgumentError, words):
                p.area(given)

    def test_recursive_types(self):
        leaf = norn.Case("leaf")
        tree = p.insert(p.insert(leaf, 5), 3)
        self.assertEqual(tree.name, "node")
        left, number, right = tree.values
        self.assertEqual((left.values[1], number, right), (3, 5, leaf))
        self.assertEqual(p.tree_sum(tree), 8)
        self.assertEqual(p.tree_sum(norn.case.node(leaf, 2, norn.case.node(leaf, 4, leaf))), 6)

    def test_deep_trees(self):
        deep = norn.Case("leaf")
        for i in range(100_000):
            deep = norn.Case("node", deep, 1, norn.Case("leaf"))
        self.assertEqual(p.insert(deep, 1).name, "node")
        chain = p.chain(100_000)
        self.assertEqual(chain.values[0].values[1], 99_998)
        self.assertTrue(repr(chain).startswith("#node"))


if __name__ == "__main__":
    unittest.main()
