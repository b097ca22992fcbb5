"""The program that all tests use, for the backend in NORN_TEST_BACKEND, or compiled for the processor."""

import os
from pathlib import Path

import norn

PATH = Path(__file__).with_name("program.fut")
CONTEXT = norn.Context(threads=2)


def program() -> norn.Program:
    return norn.load(PATH, backend=os.environ.get("NORN_TEST_BACKEND", "cpu"), context=CONTEXT)
