"""Writes the fixtures beside this file. Needs numpy; the tests do not."""

import io
import pathlib
import zipfile

import numpy as np
from numpy.lib import format as npy

here = pathlib.Path(__file__).parent

for name in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]:
    for order, word in [("<", "little"), (">", "big")]:
        dtype = np.dtype(order + name)
        info = np.iinfo(dtype)
        np.save(here / f"{name}_{word}.npy", np.array([0, 1, 100, info.min, info.max], dtype))

for name in ["f2", "f4", "f8"]:
    for order, word in [("<", "little"), (">", "big")]:
        numbers = [0.0, -0.0, 1.5, -2.25, 0.1, np.inf, -np.inf, np.nan]
        np.save(here / f"{name}_{word}.npy", np.array(numbers, order + name))

np.save(here / "bool.npy", np.array([[True, False, True], [False, False, True]]))
np.save(here / "scalar.npy", np.int32(42))
np.save(here / "empty.npy", np.zeros((3, 0, 2), np.float32))
cube = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
np.save(here / "row_major.npy", cube)
np.save(here / "column_major.npy", np.asfortranarray(cube))
np.save(here / "column_major_big.npy", np.asfortranarray(cube.astype(">i4")))
for version in [(1, 0), (2, 0), (3, 0)]:
    with open(here / f"version_{version[0]}.npy", "wb") as file:
        npy.write_array(file, cube, version)

np.save(here / "complex.npy", np.array([1j]))
np.save(here / "structured.npy", np.array([(1, 2.0)], [("a", "i4"), ("b", "f8")]))
np.save(here / "text.npy", np.array(["abc"]))

arrays = {"cube": cube, "x": np.float64(0.5), "flags": np.array([True, False])}
np.savez(here / "stored.npz", **arrays)
np.savez_compressed(here / "deflated.npz", **arrays)
with zipfile.ZipFile(here / "mixed.npz", "w") as archive:
    archive.comment = b"a comment"
    archive.writestr("readme.txt", "not an array")
    for name, method in [("a", zipfile.ZIP_STORED), ("b", zipfile.ZIP_DEFLATED)]:
        file = io.BytesIO()
        np.save(file, np.arange(3, dtype=np.uint8))
        archive.writestr(zipfile.ZipInfo(name + ".npy"), file.getvalue(), method)
