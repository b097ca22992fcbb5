"""Norn: purely functional nested data-parallel programs, on processors and GPUs.

    import norn, numpy as np

    program = norn.load("dot.fut")
    program.dot(np.ones(3, "f4"), np.ones(3, "f4"))

`load` compiles a file, `source` a text, and `function` makes one function of a text. Arrays of NumPy go in and come out without copies; those of
PyTorch, JAX, CuPy and others go in where they are, and what comes out is taken by their `from_dlpack`.
"""

from typing import Any

from ._errors import ArgumentError, Cancelled, CompileError, DeviceError, Error, Failure, FileError, TimedOut
from ._norn import Array, Case, Context, Entry, Opaque, Program, __version__
from ._source import function, load, source
from ._values import ArrayLike, Irregular, case

__all__ = [
    "ArgumentError",
    "Array",
    "ArrayLike",
    "Cancelled",
    "Case",
    "CompileError",
    "Context",
    "DeviceError",
    "Entry",
    "Error",
    "Failure",
    "FileError",
    "Irregular",
    "Opaque",
    "Program",
    "TimedOut",
    "case",
    "function",
    "load",
    "source",
]


def load_ipython_extension(ipython: Any) -> None:
    """`%load_ext norn` defines `%%norn NAME`: the cell is a program, which NAME is then."""
    from ._jupyter import norn

    ipython.register_magic_function(norn, "cell")
