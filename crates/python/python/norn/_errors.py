"""What can go wrong, as exceptions. Their text is what `norn` prints: the message, the place in the program, and help."""

from __future__ import annotations


class Error(Exception):
    """Something went wrong in Norn."""


class CompileError(Error):
    """The program has errors. The text shows them in their places."""

    def __init__(self, text: str, painted: str | None = None) -> None:
        super().__init__(text.rstrip("\n"))
        self._painted = painted or text

    def _render_traceback_(self) -> list[str]:
        # In a notebook, the places in the program are what matters, not those in Python.
        return self._painted.rstrip("\n").split("\n")


class FileError(Error, OSError):
    """The file of the program cannot be read."""


class DeviceError(Error, RuntimeError):
    """The device is not there, or does not take the program."""


class ArgumentError(Error, TypeError, ValueError):
    """The arguments are not those that the entry point takes."""


class Failure(Error, RuntimeError):
    """The program failed: an index was out of bounds, sizes did not agree, there was not enough memory.

    `message` is one sentence; the text has the place in the program and the calls that led there, too.
    """

    def __init__(self, message: str, text: str | None = None) -> None:
        super().__init__((text or message).rstrip("\n"))
        self.message = message


class Cancelled(Error):
    """The call was asked to end."""


class TimedOut(Error, TimeoutError):
    """The call took longer than it may."""


for _class in [Error, CompileError, FileError, DeviceError, ArgumentError, Failure, Cancelled, TimedOut]:
    _class.__module__ = "norn"
