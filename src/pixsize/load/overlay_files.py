"""The files of a user's catalog folder, and what lies there without being one."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from pixsize.findings import Finding, Position
from pixsize.load.files import MIB, exists, reason_of

MOST_BYTES = MIB
"""Of all files together: three times the shipped catalog. To read and judge as much takes about a second."""
_MOST_FILES = 1000
_MOST_ENTRIES = 20_000
_NAMES = (".yaml", ".yml")


class _TooManyError(Exception):
    """More lies below the folder than a catalog has."""


def overlay_files(folder: Path) -> tuple[list[Path], list[Finding]]:
    """The YAML files below a folder, in the order of their paths, and PX204 for what is passed over.

    Links to folders can run in circles: not followed. Hidden entries, which editors and git leave, count for nothing,
    and a README says what the folder is. PX207 where more lies there than a catalog has; nothing is read then.
    """
    reason = _no_folder(folder)
    if reason:
        return [], [_unreadable(folder, reason)]
    found: list[Path] = []
    findings: list[Finding] = []
    try:
        for path in _below(folder, findings):
            why = _no_file(path)
            if why:
                findings.append(Finding("PX204", f"passed over: {why}", position=Position(str(path))))
            else:
                found.append(path)
            if len(found) > _MOST_FILES:
                raise _TooManyError(f"more than {_MOST_FILES:,} files of records lie below it")
    except _TooManyError as error:
        return [], [too_large(str(folder), str(error))]
    if not found and not findings:
        findings.append(Finding("PX204", "no record lies below this folder", position=Position(str(folder))))
    return sorted(found), sorted(findings, key=lambda f: f.position.file if f.position else "")


def too_large(shown: str, reason: str) -> Finding:
    """PX207 at a file or folder."""
    return Finding("PX207", f"the catalog folder is too large: {reason}", position=Position(shown))


def _below(folder: Path, findings: list[Finding]) -> Iterator[Path]:
    """What lies below a folder and is to be looked at; no more than the bound is ever listed."""
    left, seen = [folder], 0
    while left:
        here = left.pop()
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    seen += 1
                    if seen > _MOST_ENTRIES:
                        raise _TooManyError(f"more than {_MOST_ENTRIES:,} files lie below it: it is no catalog")
                    if entry.is_dir(follow_symlinks=False):
                        left += [] if entry.name.startswith(".") else [Path(entry.path)]
                    elif not _is_left_alone(entry):
                        yield Path(entry.path)
        except OSError as error:
            findings.append(_unreadable(here, reason_of(error)))


def _is_left_alone(entry: os.DirEntry[str]) -> bool:
    """Hidden entries, and a README; a link to a folder is named all the same, since nothing below it is read."""
    readme = entry.name.lower().startswith("readme") and not os.path.isdir(entry.path)
    return entry.name.startswith(".") or readme


def _no_folder(folder: Path) -> str:
    try:
        mode = folder.stat().st_mode
    except (OSError, ValueError) as error:
        return (
            "there is no such folder"
            if isinstance(error, FileNotFoundError) and not exists(folder)
            else reason_of(error)
        )
    return "" if stat.S_ISDIR(mode) else "it is no folder"


def _no_file(path: Path) -> str:
    """Why a path is no file to read; empty when it is."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "the link leads nowhere"
    except (OSError, ValueError) as error:
        return reason_of(error)
    if stat.S_ISDIR(mode):
        return "a link to a folder is not followed"
    if not stat.S_ISREG(mode):
        return "it is a pipe, a socket or a device, no file"
    return "" if path.name.lower().endswith(_NAMES) else "files of records end in .yaml or .yml"


def _unreadable(path: Path, reason: str) -> Finding:
    return Finding("PX001", f"the catalog folder cannot be read: {reason}", position=Position(str(path)))
