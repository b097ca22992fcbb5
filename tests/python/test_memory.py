"""Where arrays are, who holds them, and that nothing is left of calls."""

import gc
import os
import sys
import unittest

import numpy as np

import norn
from common import program

p = program()
GIGABYTE = 1 << 30


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def address(xs):
    return xs.__array_interface__["data"][0]


class Offered:
    """An array of a library that speaks DLPack and nothing else."""

    def __init__(self, xs):
        self.xs = xs

    def __dlpack__(self, **named):
        return self.xs.__dlpack__(**named)

    def __dlpack_device__(self):
        return self.xs.__dlpack_device__()


@unittest.skipUnless(p.backend == "cpu", "on a GPU arrays are moved")
class Shared(unittest.TestCase):
    def test_a_gigabyte_is_not_copied(self):
        xs = np.ones(GIGABYTE // 4, np.float32)
        self.assertEqual(p.array(xs).address, address(xs))
        p.total(xs[:1000])
        before = resident()
        self.assertEqual(p.total(xs), float(len(xs)))
        self.assertLess(resident() - before, GIGABYTE // 8)
        out = p.scale(2, xs)
        self.assertLess(resident() - before, GIGABYTE + GIGABYTE // 8)
        self.assertEqual((address(out), out.nbytes), (out.base.address, GIGABYTE))
        self.assertEqual((out[0], out[-1]), (2, 2))
        del out
        gc.collect()

    def test_what_is_shared_is_kept(self):
        xs = np.arange(100_000, dtype=np.float32)
        where = address(xs)
        kept = p.array(xs)
        count = sys.getrefcount(xs)
        del xs
        self.assertEqual((kept.address, p.total(kept[:4])), (where, 6))
        view = kept.numpy()
        self.assertFalse(view.flags.writeable)
        del kept
        self.assertEqual(view[-1], 99_999)
        self.assertGreater(count, 2)

    def test_dlpack(self):
        xs = np.arange(1000, dtype=np.float32)
        kept = p.array(Offered(xs))
        self.assertEqual(kept.address, address(xs))
        self.assertEqual(p.total(Offered(xs)), p.total(xs))
        back = np.from_dlpack(kept)
        self.assertEqual(address(back), address(xs))
        before = sys.getrefcount(xs)
        del kept, back
        self.assertLess(sys.getrefcount(xs), before)
        with self.assertRaisesRegex(norn.ArgumentError, "make it contiguous"):
            p.total(Offered(xs[::2]))
        with self.assertRaisesRegex(norn.ArgumentError, "its dtype is float64 instead of float32"):
            p.total(Offered(np.ones(3)))
        # A capsule that nobody takes.
        for _ in range(100):
            p.array(xs).__dlpack__()


class Kept(unittest.TestCase):
    def test_arrays_go_from_program_to_program(self):
        text = "entry twice [n] (xs: [n]f32) : [n]f32 = map (* 2) xs"
        first, second = (norn.source(text, backend=p.backend) for _ in range(2))
        xs = np.arange(100_000, dtype=np.float32)
        once = first.twice.kept(xs)
        self.assertEqual(second.twice(once)[7], 28)
        # Programs without a context share one, with its devices.
        self.assertEqual(second.array(once).address, once.address)

    def test_arrays_of_programs(self):
        xs = p.array(np.arange(10, dtype=np.float32))
        self.assertEqual((xs.shape, xs.ndim, xs.size, xs.nbytes, len(xs)), ((10,), 1, 10, 40, 10))
        self.assertEqual(xs.dtype, np.float32)
        self.assertEqual(np.asarray(xs).sum(), 45)
        self.assertEqual(np.asarray(xs, np.float64).dtype, np.float64)
        self.assertEqual((xs[3], list(xs)[-1], xs.tolist()[1]), (3, 9, 1))
        self.assertEqual(p.total(xs), 45)
        self.assertIn("float32(10,)", repr(xs))


class Consumed(unittest.TestCase):
    def test_what_is_donated_is_overwritten(self):
        state = p.scale.kept(1, np.ones(100_000, np.float32))
        where = state.address
        for i in range(5):
            last, state = state, p.clear.kept(state.donate(), i)
            # With a GPU, the processor sets single elements.
            if p.backend == "cpu":
                self.assertEqual(state.address, where)
        self.assertEqual(p.total(state), 99_995)
        with self.assertRaisesRegex(ValueError, "was donated to a call"):
            p.total(last)
        self.assertIn("donated", repr(last))
        # Somebody else looks at it.
        view = np.asarray(state)
        self.assertEqual(p.clear(state.donate(), 7)[7], 0)
        self.assertEqual(view[7], 1)
        with self.assertRaisesRegex(norn.ArgumentError, "its dtype is float32 instead of int32"):
            p.pick(p.array(np.ones(3, np.float32)).donate(), 0)

    def test_what_is_not_ours_is_copied(self):
        xs = np.ones(100_000, np.float32)
        self.assertEqual(p.clear(p.array(xs).donate(), 3)[3], 0)
        self.assertEqual(xs[3], 1)


class Calls(unittest.TestCase):
    def test_ten_thousand_leave_nothing(self):
        xs, ks = np.ones(20_000, np.float32), np.arange(3, dtype=np.int32)
        shapes = [norn.case.circle(1.0), norn.case.rectangle(1.0, 2.0)]
        points = {"x": xs, "y": xs}

        def round(i):
            p.scale(2, xs)
            p.turned(points)
            p.row_sums((np.array([0, 3]), np.arange(3)))
            p.grown(shapes[i % 2]).values
            try:
                p.pick(ks, i % 4)
            except norn.Failure:
                pass
            try:
                p.total(ks)
            except norn.ArgumentError:
                pass

        calls = 2000 if p.backend == "cpu" else 200
        for i in range(calls // 4):
            round(i)
        gc.collect()
        before, counts = resident(), (sys.getrefcount(xs), sys.getrefcount(ks))
        for i in range(calls):
            round(i)
        gc.collect()
        self.assertEqual((sys.getrefcount(xs), sys.getrefcount(ks)), counts)
        self.assertLess(resident() - before, 16 << 20)


if __name__ == "__main__":
    unittest.main()
