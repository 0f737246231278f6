"""Reads files that users name: regular files only, up to a size limit, as UTF-8 text."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from pathlib import Path

from pixsize.findings import Finding, Position
from pixsize.load.positions import Positions

MIB = 1 << 20
"""The unit of the size limits: no file that a user names is read beyond its limit, so that none fills the memory."""

_REASONS = {
    errno.ENOENT: "there is no such file",
    errno.ENOTDIR: "a part of the path is no folder",
    errno.EACCES: "reading it is not permitted",
    errno.EPERM: "reading it is not permitted",
    errno.ELOOP: "its links run in a circle",
    errno.ENAMETOOLONG: "the name is too long",
}
_SPECIAL = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a pipe, no regular file"),
    (stat.S_ISSOCK, "it is a socket, no regular file"),
    (stat.S_ISCHR, "it is a device, no regular file"),
    (stat.S_ISBLK, "it is a device, no regular file"),
)
# What YAML calls printable, less the line breaks that only some readers know (NEL, LS, PS), the byte order mark
# inside a text, and the characters that turn the direction of writing and so show another text than they are.
_FORBIDDEN = (
    "[^\\t\\n\\r\x20-\x7e\xa0-\u200d\u2010-\u2027\u202f-\u2065"
    "\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_MOST_FINDINGS = 10
"""Of one file: a binary file would otherwise give a finding for each of its characters."""


def read_bytes(path: Path, shown: str, limit: int = MIB) -> bytes | Finding:
    """The bytes of a regular file of at most `limit`, or PX001 or PX002. `shown` is the path as the user gave it."""
    try:
        _refuse_special(os.stat(path).st_mode)  # before opening: to open a device can have effects
        data = _bounded(path, limit)
    except _NoFileError as error:
        return _unreadable(shown, str(error))
    except (OSError, ValueError) as error:
        return _unreadable(shown, reason_of(error))
    return bounded(data, shown, limit)


def bounded(data: bytes, shown: str, limit: int = MIB) -> bytes | Finding:
    """The bytes of a file, or PX002 where they are more than `limit`."""
    if len(data) <= limit:
        return data
    return Finding("PX002", f"the file is larger than {limit // MIB} MiB", position=Position(shown))


STDIN = "-"
"""What a user gives for a request that comes from standard input."""


def read_stdin(limit: int = MIB) -> bytes | Finding:
    """What comes from standard input, at most `limit` bytes, or PX001 or PX002."""
    try:
        data = sys.stdin.buffer.read(limit + 1)
    except (AttributeError, OSError, ValueError) as error:  # none at all, a folder, or one that is closed
        why = reason_of(error) if isinstance(error, OSError) else "there is no standard input"
        return _unreadable(STDIN, why)
    return bounded(data, STDIN, limit)


def exists(path: Path) -> bool:
    """Whether something lies at the path, a dangling link included. False for a path that the system refuses."""
    try:
        path.lstat()
    except (OSError, ValueError):
        return False
    return True


def reason_of(error: OSError | ValueError) -> str:
    """Why a path could not be used, in a clause."""
    if not isinstance(error, OSError):
        return "the name holds a NUL" if "null" in str(error) else "the name is no text that the system takes"
    return _REASONS.get(error.errno or 0, error.strerror or "the system refuses")


class _NoFileError(Exception):
    """The path names something other than a regular file."""


def _refuse_special(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise _NoFileError(next((why for test, why in _SPECIAL if test(mode)), "it is no regular file"))


def _bounded(path: Path, limit: int) -> bytes:
    # O_NONBLOCK: should a pipe have taken the file's place meanwhile, nothing waits for a writer.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    with os.fdopen(handle, "rb") as stream:
        info = os.fstat(handle)
        _refuse_special(info.st_mode)
        return bytes(limit + 1) if info.st_size > limit else stream.read(limit + 1)


def _unreadable(shown: str, reason: str) -> Finding:
    hint = "Give - for the file, and the text on standard input." if reason.startswith("it is a pipe") else ""
    return Finding("PX001", f"the file cannot be read: {reason}", hint=hint, position=Position(shown))


def decode(data: bytes, shown: str) -> tuple[str, tuple[Finding, ...]]:
    """The text with its line ends as `\\n`, and PX003 for what is no UTF-8. A byte order mark in front is dropped."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "", (Finding("PX003", "the file is UTF-16, not UTF-8", position=Position(shown)),)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return "", (_undecodable(data, error.start, shown),)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, _control_characters(text, shown)


def _undecodable(data: bytes, start: int, shown: str) -> Finding:
    before = data[:start].decode("utf-8-sig", "replace")
    everything = Positions(shown, data.decode("utf-8-sig", "replace").replace("\r\n", "\n"))
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return Finding("PX003", f"byte 0x{data[start]:02x} is no UTF-8", position=everything.at(line, column))


def _control_characters(text: str, shown: str) -> tuple[Finding, ...]:
    found: list[Finding] = []
    if text.replace("\n", "").replace("\t", "").isprintable():
        return ()  # stricter than the pattern, and it need not be compiled
    pattern = re.compile(_FORBIDDEN)
    places = Positions(shown, text)
    for match in pattern.finditer(text):
        before = text[: match.start()]
        position = places.at(before.count("\n") + 1, len(before) - before.rfind("\n"))
        name = "a NUL" if match[0] == "\0" else f"the control character U+{ord(match[0]):04X}"
        found.append(Finding("PX003", f"{name} in the text", position=position))
        if len(found) == _MOST_FINDINGS:
            break
    return tuple(found)
