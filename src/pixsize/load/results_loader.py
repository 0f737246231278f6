"""A folder of what benchmarks printed -> files with their runs. Names do not matter, and no link is followed."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pixsize.acceptance.points import Ignored, ResultFile
from pixsize.findings import Finding, Position
from pixsize.load import files
from pixsize.load.positions import quoted
from pixsize.results.reading import read

_MOST_BYTES = 16 * files.MIB
"""Of one file: mdtest with -v -v writes some MiB."""
_MOST_TOGETHER = 256 * files.MIB
_MOST_FILES = 5_000
_DEEPEST = 8
_DESCRIPTION = b'{"schema": "pixsize.bench/1"'
"""How a file begins that describes the output beside it: hosts, settings and the command."""
_LONGEST_LINE = 1 << 16
"""Characters of a line: no tool prints one that long but in JSON, whose lines are not matched."""


class Results(NamedTuple):
    """The files of a folder that were read, and those that could not be."""

    files: tuple[ResultFile, ...]
    unreadable: tuple[Ignored, ...]


def load_results(folder: Path) -> tuple[Results, tuple[Finding, ...]]:
    """Every file below a folder, in the order of their names; PX692 where there is none such, or too many."""
    found: list[ResultFile] = []
    unreadable: list[Ignored] = []
    together = 0
    try:
        entries = list(_below(folder, "", 0))
    except (OSError, ValueError) as error:
        return Results((), ()), (_refused(folder, f"the folder cannot be read: {files.reason_of(error)}"),)
    if len(entries) > _MOST_FILES:
        return Results((), ()), (_refused(folder, f"more than {_MOST_FILES:,} files lie below the folder"),)
    names = {name.rpartition("/")[2] for name, why in entries if not why}
    for name, why in entries:
        data = why or _bytes(folder / name, _shown(name))
        if isinstance(data, str):
            unreadable.append(Ignored(_shown(name), data))
            continue
        together += len(data)
        if together > _MOST_TOGETHER:
            return Results((), ()), (_refused(folder, f"the files hold more than {_MOST_TOGETHER >> 20} MiB together"),)
        if _describes(data) in names:
            continue
        one = _read(_shown(name), data)
        (found if isinstance(one, ResultFile) else unreadable).append(one)  # type: ignore[arg-type]  # of its own kind
    return Results(tuple(found), tuple(unreadable)), ()


def _describes(data: bytes) -> str | None:
    """The name of the output that a file of `render bench` stands beside; None for any other file."""
    if not data.startswith(_DESCRIPTION) or len(data) > _LONGEST_LINE * 16:
        return None
    try:
        words = json.loads(data)
    except (ValueError, RecursionError):
        return None
    output = words.get("output") if isinstance(words, dict) else None
    return output if isinstance(output, str) else None


def _below(folder: Path, start: str, depth: int) -> Iterator[tuple[str, str]]:
    """The entries below a folder by their path from it, each with why it is not read; empty where it is."""
    for count, entry in enumerate(sorted(os.scandir(folder / start), key=lambda e: e.name)):
        if count > _MOST_FILES:
            break
        name = f"{start}{entry.name}"
        mode = entry.stat(follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            yield name, "a symbolic link, which is not followed"
        elif not stat.S_ISDIR(mode):
            yield name, "" if stat.S_ISREG(mode) else "no regular file: a pipe, a socket or a device"
        elif depth >= _DEEPEST:
            yield name, f"a folder more than {_DEEPEST} levels down"
        else:
            try:
                yield from _below(folder, f"{name}/", depth + 1)
            except OSError as error:
                yield name, f"a folder that cannot be read: {files.reason_of(error)}"


def _bytes(path: Path, shown: str) -> bytes | str:
    data = files.read_bytes(path, shown, _MOST_BYTES)
    return data.message if isinstance(data, Finding) else data


def _read(name: str, data: bytes) -> ResultFile | Ignored:
    if b"\0" in data[: 1 << 16]:
        return Ignored(name, "binary data: a NUL in the text")
    text, wrong = files.decode(data, name)
    if wrong:
        return Ignored(name, wrong[0].message)
    if any(len(line) > _LONGEST_LINE for line in text.split("\n")) and not text.lstrip().startswith("{"):
        return Ignored(name, f"a line of more than {_LONGEST_LINE:,} characters: no output of a tool")
    found = read(text)
    return ResultFile(name, hashlib.sha256(data).hexdigest(), found.runs, found.unread)


def _shown(name: str) -> str:
    return name if name.isprintable() else quoted(name)


def _refused(folder: Path, message: str) -> Finding:
    return Finding("PX692", message, position=Position(str(folder)))
