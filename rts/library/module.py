"""@NAME@: a program that norn @VERSION@ made a Python module of. It needs NumPy, and the library @LIBRARY@ beside it, but nothing of Norn.

Arrays of NumPy go in and come out without copies, unless the program runs on a GPU. Records are dictionaries, tuples are tuples, an array of records is a record of arrays, and a
value of a sum type is a Case. A value of a recursive type can be made as a Case of others, and its `case` is its outermost constructor. What else there is can be handed back.
A failure of the program is a Failure.
"""

import collections as _collections
import ctypes as _ctypes
import json as _json
import operator as _operator
import os as _os
import threading as _threading

import numpy as _np

_MANIFEST = _json.loads(r"""@MANIFEST@""")
_TYPES = _MANIFEST["types"]
_ON_HOST = _MANIFEST["backend"] == "multicore"
_C = {
    "i8": _ctypes.c_int8, "i16": _ctypes.c_int16, "i32": _ctypes.c_int32, "i64": _ctypes.c_int64,
    "u8": _ctypes.c_uint8, "u16": _ctypes.c_uint16, "u32": _ctypes.c_uint32, "u64": _ctypes.c_uint64,
    "f16": _ctypes.c_uint16, "f32": _ctypes.c_float, "f64": _ctypes.c_double, "bool": _ctypes.c_bool,
}  # fmt: skip
_DTYPES = {name: _np.dtype(name if name == "bool" else f"{name[0]}{int(name[1:]) // 8}") for name in _C}

#: A value of a sum type: the name of the constructor, and a tuple of what it holds.
Case = _collections.namedtuple("Case", "name values")


class Failure(RuntimeError):
    """The program failed."""


_library = _ctypes.CDLL(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), "@LIBRARY@"))
# What a thread is told of a failure must be of its own call.
_lock = _threading.Lock()


def _function(name, result=_ctypes.c_int):
    function = getattr(_library, name)
    function.restype = result
    return function


_pointer = _ctypes.c_void_p
_config = _pointer(_function("futhark_context_config_new", _pointer)())
_context = _pointer(_function("futhark_context_new", _pointer)(_config))
_get_error = _function("futhark_context_get_error", _pointer)


def _check(code):
    if code == 0:
        return
    message = _get_error(_context)
    text = _ctypes.string_at(message).decode() if message else "There is no memory for a value."
    raise (MemoryError if code == 3 else Failure)(text)


class _Value:
    """A value of the library, freed with this. `kept` is what it may be in the memory of."""

    def __init__(self, type, address, kept=()):
        self.type, self.address, self.kept = type, address, kept

    def __del__(self):
        if _function is not None:
            _function(_TYPES[self.type]["ops"]["free"])(_context, _pointer(self.address))

    def __repr__(self):
        return f"<{self.type}>"

    @property
    def case(self):
        """Of a value of a recursive type: the constructor, and what it holds."""
        if "sum" not in _TYPES[self.type]:
            raise AttributeError(f"values of type {self.type} have no constructors")
        return _case(self, (self,))


def _wrong(what, type, why):
    raise TypeError(f"{what} must be of type {type}, but {why}.")


def _number(what, type, x):
    dtype = _DTYPES[type]
    if dtype.kind in "iu":
        try:
            x = _operator.index(x)
        except TypeError:
            _wrong(what, type, f"is of the class `{x.__class__.__name__}`")
        limits = _np.iinfo(dtype)
        if not limits.min <= x <= limits.max:
            _wrong(what, type, f"{x} is not between {limits.min} and {limits.max}")
    elif isinstance(x, str):
        _wrong(what, type, "is of the class `str`")
    if type == "f16":
        return _C[type](int(_np.float16(x).view(_np.uint16)))
    return _C[type](x)


def _array(what, type, known, x):
    dtype = _DTYPES[known["elemtype"]]
    array = _np.asarray(x, dtype) if isinstance(x, (list, tuple)) else _np.asarray(x)
    if array.dtype != dtype:
        _wrong(what, type, f"its dtype is {array.dtype} instead of {dtype}")
    if array.ndim != known["rank"]:
        _wrong(what, type, f"its shape is {array.shape}")
    array = _np.require(array, requirements=["C", "A"])
    sizes = [_ctypes.c_int64(size) for size in array.shape]
    new = known["ops"]["new_raw" if _ON_HOST else "new"]
    made = _function(new, _pointer)(_context, _pointer(array.ctypes.data), *sizes)
    if not made:
        _check(3)
    return _Value(type, made, (array,))


def _give(what, type, x):
    """The value as the library takes it, and what has to be there as long as the call lasts."""
    if type in _C:
        return _number(what, type, x), ()
    known = _TYPES[type]
    if isinstance(x, _Value):
        if x.type != type:
            _wrong(what, type, f"is of type {x.type}")
        return _pointer(x.address), (x,)
    if known["kind"] == "array":
        value = _array(what, type, known, x)
        return _pointer(value.address), (value,)
    if "record" in known:
        return _made(type, known["record"]["new"], _fields(what, type, known["record"]["fields"], x))
    if "record_array" in known and "zip" in known["record_array"]:
        record = known["record_array"]
        return _made(type, record["zip"], _fields(what, type, record["fields"], x))
    if "sum" in known:
        for variant in known["sum"]["variants"]:
            if isinstance(x, Case) and x.name == variant["name"] and len(x.values) == len(variant["payload"]):
                parts = [_give(what, each, value) for each, value in zip(variant["payload"], x.values)]
                return _made(type, variant["construct"], parts)
    _wrong(what, type, f"is of the class `{x.__class__.__name__}`")


def _fields(what, type, fields, x):
    parts = []
    for number, field in enumerate(fields):
        name = field["name"]
        try:
            part = x[number] if name.isdigit() else x[name] if hasattr(x, "keys") else getattr(x, name)
        except (KeyError, IndexError, AttributeError):
            _wrong(what, type, f"has no field `{name}`")
        parts.append(_give(f"the field `{name}` of {what}", field["type"], part))
    return parts


def _made(type, function, parts):
    out = _pointer()
    _check(_function(function)(_context, _ctypes.byref(out), *[part for part, _ in parts]))
    kept = tuple(each for _, kept in parts for each in kept)
    value = _Value(type, out.value, kept)
    return _pointer(out.value), (value,)


class _Memory:
    """What NumPy's array is over."""

    def __init__(self, value, dtype, shape, address):
        self.value = value
        self.__array_interface__ = {"version": 3, "typestr": dtype.str, "shape": shape, "data": (address, False)}


def _take(type, out, kept):
    """A result. `kept` are the arguments, in whose memory it may be."""
    if type == "f16":
        return float(_np.uint16(out.value).view(_np.float16))
    if type in _C:
        return out.value
    value = _Value(type, out.value, kept)
    known = _TYPES[type]

    def part(function, of):
        part = (_C.get(of) or _pointer)()
        _check(_function(function)(_context, _ctypes.byref(part), _pointer(value.address)))
        return _take(of, part, kept)

    if known["kind"] == "array":
        return _taken(value, known, kept)
    record = known.get("record") or known.get("record_array")
    if record is not None and all("project" in field for field in record["fields"]):
        fields = {field["name"]: part(field["project"], field["type"]) for field in record["fields"]}
        is_tuple = all(name == str(i) for i, name in enumerate(fields))
        return tuple(fields.values()) if is_tuple else fields
    # How deep a value of a recursive type is nobody knows.
    if "sum" in known and not known["sum"].get("recursive"):
        return _case(value, kept)
    return value


def _case(value, kept):
    known = _TYPES[value.type]["sum"]
    number = _function(known["variant"])(_context, _pointer(value.address))
    variant = known["variants"][number]
    parts = [(_C.get(each) or _pointer)() for each in variant["payload"]]
    outs = [_ctypes.byref(each) for each in parts]
    _check(_function(variant["destruct"])(_context, *outs, _pointer(value.address)))
    return Case(variant["name"], tuple(_take(each, x, kept) for each, x in zip(variant["payload"], parts)))


def _taken(value, known, kept):
    ops, dtype, address = known["ops"], _DTYPES[known["elemtype"]], _pointer(value.address)
    sizes = _function(ops["shape"], _ctypes.POINTER(_ctypes.c_int64))(_context, address)
    shape = tuple(sizes[i] for i in range(known["rank"]))
    if 0 in shape:
        return _np.zeros(shape, dtype)
    if not _ON_HOST:
        array = _np.empty(shape, dtype)
        _check(_function(ops["values"])(_context, address, _pointer(array.ctypes.data)))
        return array
    begin = _function(ops["values_raw"], _pointer)(_context, address)
    array = _np.asarray(_Memory(value, dtype, shape, begin))
    arguments = [each for argument in kept for each in _arrays(argument)]
    return array.copy() if any(_np.may_share_memory(array, each) for each in arguments) else array


def _arrays(value):
    for each in value.kept:
        if isinstance(each, _Value):
            yield from _arrays(each)
        else:
            yield each


def _call(name, *args):
    entry = _MANIFEST["entry_points"][name]
    given, kept = [], []
    for param, arg in zip(entry["inputs"], args):
        value, more = _give(f"the argument `{param['name']}` of `{name}`", param["type"], arg)
        given.append(value)
        kept.extend(more)
    result = entry["output"]["type"]
    out = (_C.get(result) or _pointer)()
    with _lock:
        _check(_function(entry["cfun"])(_context, _ctypes.byref(out), *given))
    return _take(result, out, tuple(kept))
