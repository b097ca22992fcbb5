"""Programs in cells of a notebook."""

from __future__ import annotations

import sys

from ._norn import Program
from ._source import source


def norn(line: str, cell: str) -> Program:
    """`%%norn NAME [BACKEND]`: compiles the cell; NAME is the program then."""
    from IPython import get_ipython  # type: ignore[import-not-found, unused-ignore]

    words = line.split() or ["program"]
    program = source(cell, name="<cell>", backend=words[1] if len(words) > 1 else "auto")
    if program.warnings:
        print(program.warnings, file=sys.stderr, end="")
    get_ipython().user_ns[words[0]] = program
    return program
