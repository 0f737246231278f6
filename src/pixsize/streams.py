"""Standard streams that may be closed or full: no other file gets their numbers, and write errors have a name.

It imports nothing of pixsize, and runs before everything else.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO


class StreamLost(Exception):
    """stdout takes no more data; the message says why."""


class _Raw(io.FileIO):
    """A standard stream that reports one error; what is written after that is dropped, to the end of the process."""

    def __init__(self, fd: int, complaint: str, closed_by_caller: bool) -> None:
        super().__init__(fd, "wb", closefd=False)
        self._complaint = complaint
        self._closed_by_caller = closed_by_caller
        self._lost = False

    def write(self, data: bytes) -> int:  # type: ignore[override]  # what holds it gives it buffers of bytes
        """The number of bytes written. StreamLost once for stdout; BrokenPipeError once for both."""
        if self._lost:
            return len(data)
        if self._closed_by_caller:
            return self._lose(len(data), "is closed")
        try:
            return self._taken(data)
        except BrokenPipeError:
            self._lost = True
            raise
        except OSError as error:
            return self._lose(len(data), f": {error.strerror or error}", error)

    def _taken(self, data: bytes) -> int:
        """As `write`; waits where the other end is not ready yet."""
        while True:
            count: int | None = super().write(data)
            if count is not None:
                return count
            import select

            select.select([], [self], [])

    def _lose(self, size: int, why: str, error: OSError | None = None) -> int:
        self._lost = True
        if self._complaint:
            raise StreamLost(f"{self._complaint}{'' if why.startswith(':') else ' '}{why}") from error
        return size


def guard() -> None:
    """Give the standard streams this behaviour, and put /dev/null in the place of each that the caller closed.

    Without that, the next file that is opened would get the number of stdout or stderr, and their text.
    """
    closed_out, closed_err = sys.stdout is None, sys.stderr is None
    with suppress(OSError):  # a place without /dev
        while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(number, True)
        os.close(number)
    sys.stdout = _stream(1, sys.stdout, "stdout", closed_out)
    sys.stderr = _stream(2, sys.stderr, "", closed_err)


def _stream(fd: int, plain: TextIO | None, complaint: str, closed: bool) -> TextIO:
    """The stream of this number, with the encoding and the buffering that Python gave it."""
    lowest: io.RawIOBase = _Raw(fd, complaint, closed)
    raw = io.BufferedWriter(lowest)
    if not isinstance(plain, io.TextIOWrapper):
        return io.TextIOWrapper(raw, "utf-8", "backslashreplace")
    by_line = not complaint or plain.line_buffering or plain.write_through
    return io.TextIOWrapper(raw, plain.encoding, plain.errors, line_buffering=by_line)
