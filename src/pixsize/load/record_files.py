"""YAML files of catalog records, shipped or in a user's folder -> their words, each with its place."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pixsize.catalog.kinds import KINDS
from pixsize.findings import Finding, Position
from pixsize.load.files import MIB, exists, reason_of
from pixsize.load.partial_request import did_you_mean, named
from pixsize.load.positions import Positions, item, join, quoted
from pixsize.load.yaml_reader import MOST_FINDINGS, Parsed, read

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+_-]{0,119}")
"""Ids stand in messages, explanations and JSON: no blanks, nothing that a shell or a terminal interprets."""


class Entry(NamedTuple):
    """One record as it stands in its file: `words` with `kind` and `id`; `replaces` is an id, or empty.

    `path` is its place in the file: empty for a file of one record, `[0]` for the first of a list.
    """

    words: dict[str, Any]
    replaces: str
    path: str
    positions: Positions

    @property
    def id(self) -> str:
        """The record's id."""
        return str(self.words["id"])

    def position(self, where: str = "") -> Position:
        """The place of a word inside the record, such as `capacity`, or of the record itself."""
        return self.positions.value(self.below(where))

    def below(self, where: str) -> str:
        """The path in the file of a path inside the record."""
        return f"{self.path}.{where}" if self.path and where and not where.startswith("[") else self.path + where

    def finding(self, code: str, where: str, message: str, hint: str = "", at_key: bool = False) -> Finding:
        """A finding about a value inside the record, or about the word itself; it names the record."""
        position = self.positions.key(self.below(where)) if at_key else self.position(where)
        return Finding(code, f"{self.id}: {message}", "", hint, position)


def read_entries(path: Path, shown: str) -> tuple[list[Entry], list[Finding]]:
    """The records of one file that have a kind and an id, and what was found of the others."""
    return entries_of(read(path, shown, "records"))


def entries_of(parsed: Parsed) -> tuple[list[Entry], list[Finding]]:
    """The records of a parsed file, as `read_entries` returns them; it stops at the limit of findings."""
    entries: list[Entry] = []
    findings = list(parsed.findings)
    for record, where in _records(parsed.value):
        problems = [
            Finding(code, message, "", hint, parsed.positions.value(at))
            for code, at, message, hint in _trouble(record, where)
        ]
        findings += problems
        if len(findings) > MOST_FINDINGS:
            break
        if not problems:
            replaces = record.get("replaces", "")
            kept = {"kind": record["kind"], "id": record.get("id", replaces)} | {
                w: v for w, v in record.items() if w != "replaces"
            }
            entries.append(Entry(kept, replaces, where, parsed.positions))
    return entries, findings


def _records(value: object) -> Iterator[tuple[Any, str]]:
    if isinstance(value, list):
        yield from ((record, item("", index)) for index, record in enumerate(value))
    elif value is not None:
        yield value, ""


def _trouble(record: object, where: str) -> Iterator[tuple[str, str, str, str]]:
    """Why `record` are not a record: code, path, message and hint of each reason."""
    if not isinstance(record, dict):
        yield "PX203", where, "a record is a mapping of words to values", ""
        return
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        message = f"unknown kind {quoted(kind)}" if "kind" in record else "the word kind is missing"
        yield "PX203", join(where, "kind"), f"{message}; kinds are {named(KINDS)}", did_you_mean(str(kind), KINDS)
    if "id" not in record and "replaces" not in record:
        yield "PX203", where, "the word id is missing", ""
    for word in ("id", "replaces"):
        if word in record and not (isinstance(record[word], str) and _ID.fullmatch(record[word])):
            allowed = "letters, digits and `.+_-`, at most 120, the first a letter or digit"
            yield "PX203", join(where, word), f"{quoted(record[word])} is no id: {allowed}", ""


MOST_BYTES = MIB
"""Of all files together: three times the shipped catalog. To read and judge as much takes about a second."""
_MOST_FILES = 1000
_MOST_ENTRIES = 20_000
"""Below the folder, YAML files and files of any kind: against a home folder or `/` given by mistake, which would be
searched for minutes."""
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
    """The files below a folder that may hold records, but hidden ones and READMEs. _TooManyError beyond the limit."""
    folders, count = [folder], 0
    while folders:
        here = folders.pop()
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    count += 1
                    if count > _MOST_ENTRIES:
                        raise _TooManyError(f"more than {_MOST_ENTRIES:,} files lie below it: it is no catalog")
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(Path(entry.path))
                    # A link to a folder is named whatever it is called, since nothing below it is read.
                    elif not entry.name.lower().startswith("readme") or os.path.isdir(entry.path):
                        yield Path(entry.path)
        except OSError as error:
            findings.append(_unreadable(here, reason_of(error)))


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
    """Why a path is not read as a file of records; empty when it is."""
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
