"""A program as a library for Python does it: NumPy, JAX, PyTorch or CuPy.

    python3 bench/peers/libraries.py LIBRARY DEVICE PROGRAM RESULT SIZE... [-- RESULT SIZE...]...

The file PROGRAM.py beside this one makes the input with `make_input`, and has a function for each library that can do it, by the
library's name; `any_numpy` serves all that have NumPy's functions. Each gets the library and the input, on the device.

Prints the times of all runs in microseconds as JSON, as the C versions do, a line for each data set, and whether the result agrees with
that in the file RESULT; where there is no such file, NumPy writes it. The time is that of the work alone: inputs and results stay on the device, and the
wait for its end counts. Exit code 3: the library is not there, has no such device, or no version of the program.
"""

import importlib
import json
import pathlib
import sys
import time

import numpy as np
import values

LEAST_RUNS, MOST_RUNS = 10, 1000
WARM_UP, ENOUGH, TOO_LONG = 0.2, 1.0, 10.0
MISSING = 3


class Numpy:
    name = "numpy"

    def __init__(self, device):
        if device != "cpu":
            sys.exit(MISSING)
        self.module = np

    def put(self, array):
        return array

    def prepare(self, function):
        return function

    def wait(self, result):
        pass

    def get(self, array):
        return np.asarray(array)

    def version(self):
        return self.module.__version__


class Cupy(Numpy):
    name = "cupy"

    def __init__(self, device):
        if device != "gpu":
            sys.exit(MISSING)
        import cupy

        self.module = cupy

    def put(self, array):
        return self.module.asarray(array)

    def wait(self, result):
        self.module.cuda.Device().synchronize()

    def get(self, array):
        return self.module.asnumpy(array)


class Jax(Numpy):
    name = "jax"

    def __init__(self, device):
        import jax

        jax.config.update("jax_enable_x64", True)
        # Else products of matrices have ten bits on some GPUs.
        jax.config.update("jax_default_matmul_precision", "highest")
        try:
            self.device = jax.devices(device)[0]
        except RuntimeError:
            sys.exit(MISSING)
        self.jax, self.module = jax, jax.numpy
        jax.config.update("jax_default_device", self.device)

    def put(self, array):
        return self.jax.device_put(array, self.device)

    def prepare(self, function):
        return self.jax.jit(function)

    def wait(self, result):
        self.jax.block_until_ready(result)

    def version(self):
        return self.jax.__version__


class Pytorch(Numpy):
    name = "torch"

    def __init__(self, device):
        import torch

        if device == "gpu" and not torch.cuda.is_available():
            sys.exit(MISSING)
        torch.backends.cuda.matmul.allow_tf32 = False
        self.device, self.module = "cuda" if device == "gpu" else "cpu", torch

    def put(self, array):
        # PyTorch has few operations on numbers without a sign.
        if array.dtype == np.uint32:
            array = array.astype(np.int64)
        return self.module.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def wait(self, result):
        if self.device == "cuda":
            self.module.cuda.synchronize()

    def get(self, array):
        return array.cpu().numpy()


def as_results(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def function_of(program, library):
    """The program's version for a library."""
    named = getattr(program, library.name, None)
    return named or (None if library.name == "torch" else getattr(program, "any_numpy", None))


def run_times(run):
    warm, times = 0.0, []
    while warm < WARM_UP:
        warm += run()
    while len(times) < MOST_RUNS and sum(times) < TOO_LONG and (len(times) < LEAST_RUNS or sum(times) < ENOUGH):
        times.append(run())
    return [time * 1e6 for time in times]


def measure(library, program, result_path, sizes):
    function = function_of(program, library)
    # Sizes and flags are known when the program is compiled; arrays are its input.
    given = program.make_input(*map(int, sizes))
    arrays = [library.put(value) for value in given if isinstance(value, np.ndarray)]

    def body(*arrays):
        rest = iter(arrays)
        return function(library.module, *(next(rest) if isinstance(value, np.ndarray) else value for value in given))

    prepared = library.prepare(body)

    def run():
        begin = time.perf_counter()
        library.wait(prepared(*arrays))
        return time.perf_counter() - begin

    result = [library.get(value) for value in as_results(prepared(*arrays))]
    path = pathlib.Path(result_path)
    verified = None
    if path.exists():
        verified = values.agree(result, values.read(path), getattr(program, "MAY_DIFFER", 0))
    elif library.name == "numpy":
        path.parent.mkdir(exist_ok=True)
        values.write(path, result)
    return {"runtimes": run_times(run), "verified": verified, "version": library.version()}


def data_sets(words):
    """The lists between two dashes."""
    found = [[]]
    for word in words:
        if word == "--":
            found.append([])
        else:
            found[-1].append(word)
    return found


def main():
    name, device, program, *words = sys.argv[1:]
    kinds = {kind.__name__.lower(): kind for kind in (Numpy, Cupy, Jax, Pytorch)}
    try:
        library = kinds[name](device)
        program = importlib.import_module(program)
    except ImportError:
        sys.exit(MISSING)
    if function_of(program, library) is None:
        sys.exit(MISSING)
    for result_path, *sizes in data_sets(words):
        try:
            found = measure(library, program, result_path, sizes)
        except Exception as error:  # Whatever a library says of a data set, the others are measured.
            found = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
