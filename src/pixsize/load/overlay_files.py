"""The files of a user's catalog folder, and what lies there without being one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from pixsize.findings import Finding, Position
from pixsize.load.files import exists, reason_of

_MOST_ENTRIES = 20_000
_NAMES = (".yaml", ".yml")


def overlay_files(folder: Path) -> tuple[list[Path], list[Finding]]:
    """The YAML files below a folder, in the order of their paths, and PX204 for what is passed over.

    Links to folders can run in circles: not followed. Hidden entries, which editors and git leave, count for nothing,
    and a README says what the folder is.
    """
    reason = _no_folder(folder)
    if reason:
        return [], [_unreadable(folder, reason)]
    found: list[Path] = []
    findings: list[Finding] = []
    seen = 0
    for where, folders, files in os.walk(folder, onerror=lambda e: findings.append(_refused(e, folder))):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        seen += len(files) + len(folders)
        if seen > _MOST_ENTRIES:
            return [], [_unreadable(folder, f"more than {_MOST_ENTRIES:,} files lie below it: it is no catalog")]
        wanted = [Path(where, f) for f in files if not f.startswith(".") and not f.lower().startswith("readme")]
        wanted += [Path(where, f) for f in folders if os.path.islink(Path(where, f))]
        for path in wanted:
            why = _no_file(path)
            if why:
                findings.append(Finding("PX204", f"passed over: {why}", position=Position(str(path))))
            else:
                found.append(path)
    if not found and not findings:
        findings.append(Finding("PX204", "no record lies below this folder", position=Position(str(folder))))
    return sorted(found), sorted(findings, key=lambda f: f.position.file if f.position else "")


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


def _refused(error: OSError, folder: Path) -> Finding:
    return _unreadable(Path(error.filename or folder), reason_of(error))


def _unreadable(path: Path, reason: str) -> Finding:
    return Finding("PX001", f"the catalog folder cannot be read: {reason}", position=Position(str(path)))
