"""The places of rendered files: what stands there, and whether it may be written."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from pixsize.findings import Finding, Position

CLOSED = "is not writable"
_FEW = 16
"""Files that are flushed at a time."""
_STACK_BYTES = 256 * 1024
"""Of a thread that only flushes: the usual 8 MiB each would be a great part of a small address space."""
_NO_FOLDER_FLUSH = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
"""What file systems say that flush no folders."""


class Refused(Exception):
    """The folder cannot be used as it is; carries the finding."""

    def __init__(self, code: str, path: Path, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.finding = Finding(code, message, hint=hint, position=Position(str(path)))


def refusals(out: Path, paths: Iterable[str]) -> Iterator[Finding]:
    """A finding for each part of a path that is no folder of its own in this file system, or whose place is taken."""
    device = out.stat().st_dev
    seen: set[str] = set()
    for path in paths:
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            part = "/".join(parts[:depth])
            if part not in seen:
                seen.add(part)
                why = _unusable(out / part, device, is_file=depth == len(parts))
                if why:
                    yield Finding("PX603", f"{part} {why}", position=Position(str(out / part)))


def _unusable(path: Path, device: int, *, is_file: bool) -> str:
    try:
        info = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if stat.S_ISLNK(info.st_mode):
        return "is a link, and could lead out of the folder"
    if is_file:
        return "" if stat.S_ISREG(info.st_mode) else "is no plain file"
    if not stat.S_ISDIR(info.st_mode):
        return "is no folder"
    if info.st_dev != device:
        return "is another file system"
    return "" if os.access(path, os.W_OK | os.X_OK) else CLOSED


def digest(path: Path) -> str | None:
    """The SHA-256 of the file; None where there is none."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return None


def sha256(text: str) -> str:
    """The digest that a file with this text has."""
    return hashlib.sha256(text.encode()).hexdigest()


def put(place: Path, text: str, mode: int) -> None:
    """A new file with this text; the user's umask takes from the mode what it takes from any file."""
    with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(text.encode())


def flush_each(paths: Iterable[Path]) -> None:
    """`flush` of every path that is there. Many at once: a disk writes the changes of many files in one go."""
    there = [path for path in paths if os.path.lexists(path)]
    if len(there) > _FEW:
        # Where the system gives no more threads (a limit on them, or on address space), one after the other will do.
        with suppress(RuntimeError):
            _flush_at_once(there)
            return
    for path in there:
        flush(path)


def _flush_at_once(there: Sequence[Path]) -> None:
    """`flush` of every path, some at a time. RuntimeError where no thread can be started."""
    import threading
    from concurrent.futures import ThreadPoolExecutor

    usual = threading.stack_size(_STACK_BYTES)
    try:
        with ThreadPoolExecutor(_FEW) as pool:
            list(pool.map(flush, there))
    finally:
        threading.stack_size(usual)


def flush(path: Path) -> None:
    """Have a file's text on the disk, or the names in a folder, before this returns. Raises OSError.

    What its owner may write and not read, under a strange umask, is left to the system.
    """
    try:
        handle = os.open(path, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if not path.is_dir() or error.errno not in _NO_FOLDER_FLUSH:
            raise
    finally:
        os.close(handle)


def folders(out: Path, paths: Iterable[str]) -> list[Path]:
    """Every folder between `out` and the files, `out` last; each once."""
    found: dict[Path, None] = {}
    for path in paths:
        below = (out / path).parent
        while below != out:
            found[below] = None
            below = below.parent
    return [*found, out]


def prune(out: Path, paths: Iterable[str]) -> None:
    """Remove the folders of these files that are empty, or hold nothing but such; never `out`."""
    for folder in sorted(folders(out, paths)[:-1], key=lambda f: len(f.parts), reverse=True):
        with suppress(OSError):
            os.rmdir(folder)
