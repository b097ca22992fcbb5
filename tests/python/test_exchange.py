"""Arrays of libraries that have C functions for them (DLPack 1.3), as PyTorch does. The library here is made of ctypes."""

import ctypes
import unittest
from ctypes import CFUNCTYPE, POINTER, c_int, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

import numpy as np

import norn
from common import program

p = program()


class Tensor(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("device", c_int), ("number", c_int), ("rank", c_int)]
    _fields_ += [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]
    _fields_ += [("dims", POINTER(c_int64)), ("strides", c_void_p), ("offset", c_uint64)]


class Versioned(ctypes.Structure):
    pass


Deleter = CFUNCTYPE(None, POINTER(Versioned))
Versioned._fields_ = [("version", c_uint32 * 2), ("context", c_void_p), ("deleter", Deleter), ("flags", c_uint64), ("tensor", Tensor)]
Give = CFUNCTYPE(c_int, ctypes.py_object, POINTER(POINTER(Versioned)))
Take = CFUNCTYPE(c_int, POINTER(Versioned), POINTER(c_void_p))
Stream = CFUNCTYPE(c_int, c_int, c_int, POINTER(c_void_p))


class Table(ctypes.Structure):
    pass


Table._fields_ = [
    *[("version", c_uint32 * 2), ("older", POINTER(Table)), ("allocate", c_void_p), ("give", Give)],
    *[("take", Take), ("look", c_void_p), ("stream", Stream)],
]

given = {}


@Deleter
def take_back(versioned):
    del given[ctypes.addressof(versioned.contents)]


@Give
def give(array, out):
    if array.device == 0:
        return -1
    dims = (c_int64 * array.xs.ndim)(*array.xs.shape)
    data = array.xs.__array_interface__["data"][0]
    tensor = Tensor(data, array.device, 0, array.xs.ndim, 2, array.xs.itemsize * 8, 1, dims, None, 0)
    versioned = Versioned((1, 3), None, take_back, 0, tensor)
    given[ctypes.addressof(versioned)] = (versioned, dims, array.xs)
    out[0] = ctypes.pointer(versioned)
    return 0


@Stream
def stream(device, number, out):
    out[0] = None
    return 0


@Take
def take(versioned, out):
    tensor = versioned.contents.tensor
    if tensor.rank > 1:
        return -1
    array = Offered(None)
    array.taken = ctypes.addressof(versioned.contents)
    array.address, array.shape = tensor.data, tuple(tensor.dims[i] for i in range(tensor.rank))
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(array))
    out[0] = id(array)
    return 0


def capsule(table):
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [c_void_p, ctypes.c_char_p, c_void_p]
    return make(ctypes.addressof(table), NAME, None)


NAME = b"dlpack_exchange_api"
table = Table((1, 3), None, None, give, take, None, stream)
newer = Table((2, 0), ctypes.pointer(table), None, Give(), Take(), None, Stream())


class Offered:
    """Without `__dlpack__`, to see that it is not used."""

    __dlpack_c_exchange_api__ = capsule(table)

    def __init__(self, xs, device=1):
        self.xs, self.device, self.taken = xs, device, None

    def __del__(self):
        if self.taken:
            versioned = Versioned.from_address(self.taken)
            versioned.deleter(ctypes.pointer(versioned))


class Newer(Offered):
    __dlpack_c_exchange_api__ = capsule(newer)


class Derived(Offered):
    requires_grad = True

    def __dlpack__(self, **_):
        raise BufferError("detach it")

    def __dlpack_device__(self):
        return (1, 0)


class Exchange(unittest.TestCase):
    def test_in_and_back(self):
        xs = np.arange(1000, dtype=np.float32)
        for kind in [Offered, Newer]:
            self.assertEqual(p.total(kind(xs)), 499500)
            self.assertEqual(given, {})
        held = norn.source("entry id (x: i32) = x", backend="cpu").array(Offered(xs))
        self.assertEqual(held.address, xs.__array_interface__["data"][0])
        self.assertEqual(len(given), 1)
        del held
        self.assertEqual(given, {})

    def test_results_of_its_class(self):
        q = norn.source("entry double [n] (xs: [n]f32) = map (* 2) xs  entry square (n: i64) = tabulate_2d n n (+)", backend="cpu")
        xs = np.arange(1000, dtype=np.float32)
        for kind in [Offered, Newer]:
            ys = q.double.into(kind)(Offered(xs))
            self.assertEqual(ys.shape, (1000,))
            self.assertEqual(ctypes.c_float.from_address(ys.address + 4 * 999).value, 1998)
            kept = q.double.kept(xs)
            self.assertEqual(kept.into(kind).address, kept.address)
        with self.assertRaisesRegex(BufferError, "does not take it"):
            q.square.into(Offered)(3)
        # A class without such functions has `from_dlpack` beside it.
        self.assertEqual(q.square.kept(3).into(np.ndarray).tolist(), [[0, 1, 2], [1, 2, 3], [2, 3, 4]])
        with self.assertRaisesRegex(TypeError, "no function makes"):
            q.square.into(unittest.TestCase)(3)

    def test_what_does_not_fit(self):
        xs = np.arange(10, dtype=np.float32)
        for bad, why in [
            (Offered(xs.astype(np.float64)), "its dtype is float64 instead of float32"),
            (Offered(xs.reshape(2, 5)), "its shape is"),
            (Offered(xs, 8), "DLPack's kind 8"),
        ]:
            with self.assertRaisesRegex(norn.ArgumentError, why):
                p.total(bad)
        for bad, why in [(Offered(xs, 0), "its library does not share it"), (Derived(xs), "detach it")]:
            with self.assertRaisesRegex(BufferError, why):
                p.total(bad)
        self.assertEqual(given, {})


if __name__ == "__main__":
    unittest.main()
