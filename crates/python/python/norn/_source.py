"""Programs from files and from texts."""

from __future__ import annotations

import inspect
import os
import textwrap
from collections.abc import Callable
from typing import Any, overload

from ._norn import Context, Entry, Program


def load(path: str | os.PathLike[str], *, backend: str = "auto", context: Context | None = None) -> Program:
    """Compiles the program in a file. Its entry points are functions of the result.

    `backend` is "auto" (the best there is), "cpu", "cuda", "opencl" or "interp"; a `Context` says which device, how many threads, how much memory.
    """
    return Program(os.fspath(path), backend=backend, context=context)


def source(
    text: str, *, name: str | os.PathLike[str] = "<source>", backend: str = "auto", context: Context | None = None
) -> Program:
    """Compiles the program with this text, which messages call `name`. Its imports are relative to `name`."""
    return Program(os.fspath(name), text, backend=backend, context=context)


@overload
def function(
    given: str | Callable[..., Any], *, entry: str | None = None, backend: str = "auto", context: Context | None = None
) -> Entry: ...
@overload
def function(
    given: None = None, *, entry: str | None = None, backend: str = "auto", context: Context | None = None
) -> Callable[[Callable[..., Any]], Entry]: ...
def function(
    given: str | Callable[..., Any] | None = None,
    *,
    entry: str | None = None,
    backend: str = "auto",
    context: Context | None = None,
) -> Entry | Callable[[Callable[..., Any]], Entry]:
    """One function of a text in Norn.

        dot = norn.function("entry dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)")

    Without `entry`, it is the entry point `main`, or the only one. As a decorator, the text is that of the function's documentation, and the entry point has the
    function's name; messages show the places in the file that this is in:

        @norn.function
        def dot(xs, ys):
            "entry dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)"
    """
    if given is None:
        return lambda later: function(later, entry=entry, backend=backend, context=context)
    if isinstance(given, str):
        program = source(textwrap.dedent(given), backend=backend, context=context)
        return _choose(program, entry)
    if not given.__doc__:
        raise TypeError(f"the documentation of {given.__name__} must be a program")
    name, text = _in_place(given)
    program = source(text, name=name, backend=backend, context=context)
    return _choose(program, entry or given.__name__)


def _choose(program: Program, entry: str | None) -> Entry:
    names = program.entries
    if entry is None:
        entry = "main" if "main" in names or len(names) != 1 else names[0]
    chosen: Entry = getattr(program, entry)
    return chosen


def _in_place(given: Callable[..., Any]) -> tuple[str, str]:
    """The file of a function, and its documentation at the lines where it is there."""
    text = given.__doc__ or ""
    try:
        lines, first = inspect.getsourcelines(given)
        file = inspect.getsourcefile(given) or "<source>"
    except (OSError, TypeError):
        return "<source>", textwrap.dedent(text)
    whole = "".join(lines)
    at = whole.find(text)
    if at < 0:
        return file, textwrap.dedent(text)
    before = whole[:at]
    column = at - (before.rfind("\n") + 1)
    return file, "\n" * (first - 1 + before.count("\n")) + " " * column + text
