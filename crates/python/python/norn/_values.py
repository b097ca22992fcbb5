"""Values that NumPy has no form for, and the way of Python's own values to NumPy's."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Union

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ._norn import Array, Case

#: What an array parameter takes: an array of NumPy, of a library that speaks DLPack, of a program, or a list of numbers.
ArrayLike = Union["np.ndarray[Any, Any]", Array, "list[Any]", Any]


def _give_operators() -> None:
    """`xs + 1` is what NumPy makes of it, as `np.add(xs, 1)` is. There is no `xs += 1` in place: others may have the array."""
    for name, operator in vars(NDArrayOperatorsMixin).items():
        in_place = name.startswith("__i") and name != "__invert__"
        if inspect.isfunction(operator) and not in_place:
            setattr(Array, name, operator)

    def of_numpy(_: Array, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        return getattr(ufunc, method)(*(x.numpy() if isinstance(x, Array) else x for x in inputs), **named)

    setattr(Array, "__array_ufunc__", of_numpy)
    setattr(Array, "__hash__", None)


_give_operators()


class Irregular:
    """An array whose rows differ in length.

    `values` are the elements of all rows, one after the other, and row `i` is `values[offsets[i]:offsets[i + 1]]`. If rows have rows of different
    lengths themselves, `values` is irregular, too. `shape` has the dimensions before the irregular one.
    """

    __slots__ = ("shape", "offsets", "values")

    def __init__(self, shape: Sequence[int], offsets: np.ndarray[Any, Any], values: Any) -> None:
        self.shape = tuple(shape)
        self.offsets = offsets
        self.values = values

    @classmethod
    def of_rows(cls, rows: Any, dtype: Any = None) -> Irregular:
        """The array with these rows."""
        rows = [np.asarray(row, dtype) for row in rows]
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        full = [row for row in rows if len(row)] or rows[:1]
        return cls((len(rows),), offsets, np.concatenate(full) if full else np.zeros(0, dtype or float))

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: int) -> Any:
        if len(self.shape) != 1:
            raise TypeError("rows are found by an index only if there is one dimension before the irregular one")
        index = range(len(self))[index]
        begin, end = self.offsets[index], self.offsets[index + 1]
        return _rows(self.values, int(begin), int(end))

    def tolist(self) -> list[Any]:
        """The rows as lists."""
        return [row.tolist() for row in self]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Irregular):
            return NotImplemented
        same = self.shape == other.shape and np.array_equal(self.offsets, other.offsets)
        if not same or isinstance(self.values, Irregular) != isinstance(other.values, Irregular):
            return False
        if isinstance(self.values, Irregular):
            return bool(self.values == other.values)
        return np.array_equal(self.values, other.values)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<norn.Irregular with {len(self.offsets) - 1} rows>"


def _rows(values: Any, begin: int, end: int) -> Any:
    """Some rows of an array, which may be irregular itself."""
    if not isinstance(values, Irregular):
        return values[begin:end]
    width = int(np.prod(values.shape[1:], dtype=np.int64))
    offsets = values.offsets[begin * width : end * width + 1]
    inner = _rows(values.values, int(offsets[0]), int(offsets[-1]))
    return Irregular((end - begin, *values.shape[1:]), offsets - offsets[0], inner)


class _Constructors:
    """`case.circle(2.0)` is `Case("circle", 2.0)`."""

    def __getattr__(self, name: str) -> Callable[..., Case]:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *values: Case(name, *values)


case = _Constructors()


class _Type(str):
    """A type of a program, which is not shown in quotes."""

    def __repr__(self) -> str:
        return str(self)


def signature(params: list[tuple[str, str]], result: str) -> inspect.Signature:
    """What `help` shows of an entry point."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    taken = []
    for number, (name, type) in enumerate(params):
        name = name if name.isidentifier() else f"arg{number}"
        taken.append(inspect.Parameter(name, kind, annotation=_Type(type)))
    return inspect.Signature(taken, return_annotation=_Type(result))


def as_plain(x: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An array whose elements are side by side. An array of another type stays what it is; numbers in lists are converted if they stay the same."""
    if isinstance(x, np.ndarray):
        same = x.dtype == dtype or x.dtype.newbyteorder("=") == dtype
        return np.require(x, dtype, ["C", "A"]).reshape(x.shape) if same else x
    found = np.asarray(x)
    if found.dtype == dtype:
        return np.require(found, requirements=["C", "A"])
    if found.size == 0:
        return found.astype(dtype)
    kinds = {"b": "b", "i": "iuf", "u": "iuf", "f": "f"}.get(found.dtype.kind, "")
    if isinstance(x, (list, tuple)) and dtype.kind in kinds:
        converted = found.astype(dtype)
        if dtype.kind == "f" or np.array_equal(converted, found):
            return converted
    return found


def flatten(x: Any, irregular: list[bool], dtype: np.dtype[Any]) -> tuple[list[int | None], list[Any], Any]:
    """The dimensions of an irregular array, None where it is irregular, the offsets for each of those, and the values."""
    dims: list[int | None] = []
    levels, outermost = [], True
    while True in irregular:
        at = irregular.index(True)
        irregular = [False] + irregular[at + 1 :]
        x = _irregular(x, at, irregular, dtype)
        dims += [*(x.shape if outermost else x.shape[1:]), None]
        levels.append(np.ascontiguousarray(x.offsets, np.int64))
        x, outermost = x.values, False
    values = as_plain(x, dtype)
    dims += values.shape if outermost else values.shape[1:]
    return dims, levels, values


def _irregular(x: Any, rank: int, rest: list[bool], dtype: np.dtype[Any]) -> Irregular:
    if isinstance(x, Irregular):
        if len(x.shape) != rank:
            raise ValueError(f"it has {len(x.shape)} dimensions before the irregular one instead of {rank}")
        return x
    if isinstance(x, tuple) and len(x) == 2 and rank == 1:
        offsets = np.asarray(x[0])
        if offsets.ndim == 1 and offsets.dtype.kind in "iu" and len(offsets) > 0:
            return Irregular((len(offsets) - 1,), offsets, x[1])
    shape: list[int] = []
    rows = [x]
    for _ in range(rank):
        shape.append(len(rows[0]) if rows else 0)
        if any(len(row) != shape[-1] for row in rows):
            raise ValueError("the rows of a regular dimension differ in length")
        rows = [inner for row in rows for inner in row]
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    if True in rest:
        return Irregular(shape, offsets, [inner for row in rows for inner in row])
    full = [as_plain(row, dtype) for row in rows if len(row)]
    return Irregular(shape, offsets, np.concatenate(full) if full else np.zeros((0,) * len(rest), dtype))
