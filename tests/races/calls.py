"""Threads of Python that call programs at once: two programs on two devices, one program from several threads, and calls that fail or are stopped. Arguments are other backends."""

import os
import sys
import threading
from pathlib import Path

# What the package starts, as the C compiler, is not watched.
os.environ.pop("LD_PRELOAD", None)

import numpy as np

import norn

PROGRAM = Path(__file__).parents[1] / "python" / "program.fut"
ROUNDS = int(os.environ.get("ROUNDS", "100"))
XS = np.arange(5000, dtype=np.float32)


def load(backend):
    try:
        return norn.load(PROGRAM, backend=backend)
    except norn.Error as error:
        print(f"left out: {backend}: {str(error).splitlines()[0]}")
        return None


def compute(program):
    """Arrays that are kept where they are, and ones that go in and out."""
    for _ in range(ROUNDS):
        kept = program.scale.kept(2, XS)
        assert abs(program.total(kept) - 24_995_000) < 100
        assert program.scale(3, XS)[7] == 21
        assert program.row_sums(program.triangle(5)).tolist() == [0, 0, 2, 9, 24]


def fail(program):
    ks = np.arange(3, dtype=np.int32)
    for _ in range(ROUNDS):
        try:
            program.pick(ks, 7)
        except norn.Failure as error:
            assert "out of bounds" in str(error)
        else:
            raise AssertionError("nothing failed")


def stop(program):
    for _ in range(ROUNDS // 10):
        try:
            program.forever.within(0.02)(1)
        except norn.TimedOut:
            pass
        else:
            raise AssertionError("nothing was stopped")


def at_once(works):
    failed = []

    def run(work, program):
        try:
            work(program)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=each) for each in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


programs = [program for program in map(load, sys.argv[1:] or ["cpu", "opencl"]) if program]
if len(programs) < 2:
    programs.append(load("interp"))
print("two programs on two devices:", ", ".join(program.backend for program in programs))
at_once([(compute, program) for program in programs])
for program in programs:
    print("one program from several threads:", program.backend)
    at_once([(compute, program), (compute, program), (fail, program), (stop, program)])
print("programs that are loaded at once")
at_once([(lambda backend: compute(load(backend)), "interp")] * 2)
sys.exit(0)
