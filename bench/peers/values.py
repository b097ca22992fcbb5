"""Results in Futhark's binary format: C writes them, and so does NumPy where there is no C."""

import numpy as np

TYPES = {" f32": np.float32, " f64": np.float64, " i32": np.int32, " i64": np.int64, " u32": np.uint32, "bool": np.bool_}
NAMES = {np.dtype(kind): name for name, kind in TYPES.items()}


def write(path, values):
    with open(path, "wb") as file:
        for value in map(np.asarray, values):
            file.write(b"b" + bytes([2, value.ndim]) + NAMES[value.dtype].encode())
            file.write(np.array(value.shape, np.int64).tobytes() + np.ascontiguousarray(value).tobytes())


def read(path):
    data, at, values = path.read_bytes(), 0, []
    while at < len(data):
        rank, kind = data[at + 2], np.dtype(TYPES[data[at + 3 : at + 7].decode()])
        at += 7
        shape = np.frombuffer(data, np.int64, rank, at)
        at += 8 * rank
        count = int(shape.prod())
        values.append(np.frombuffer(data, kind, count, at).reshape(shape))
        at += count * kind.itemsize
    return values


def agree(values, expected, may_differ):
    """Whether two results are the same, up to what a different order of additions explains. Of integers, a share may differ."""
    if len(values) != len(expected):
        return False
    for value, other in zip(values, expected):
        value = np.asarray(value)
        if value.shape != other.shape:
            return False
        if other.dtype.kind != "f":
            if np.count_nonzero(value != other) > may_differ * other.size:
                return False
        elif not np.allclose(value, other, rtol=1e-3, atol=1e-3 * max(1e-30, float(np.abs(other).max(initial=0)))):
            return False
    return True
