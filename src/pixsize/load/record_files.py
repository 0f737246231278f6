"""YAML files of catalog records -> their words, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pixsize.catalog.kinds import KINDS
from pixsize.findings import Finding, Position
from pixsize.load.draft import did_you_mean, named
from pixsize.load.positions import Positions, item, join, quoted
from pixsize.load.yaml_reader import MOST_FINDINGS, Parsed, read

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+_-]{0,119}")


class Entry(NamedTuple):
    """One record as its file words it: `words` hold `kind` and `id`, `replaces` is what it stands for, if anything.

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
        return self.positions.of(self.below(where))

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
    """The records of a file that was read, as `read_entries` returns them; no more findings than anybody reads."""
    entries: list[Entry] = []
    findings = list(parsed.findings)
    for words, where in _records(parsed.value):
        problems = [
            Finding(code, message, "", hint, parsed.positions.of(at))
            for code, at, message, hint in _trouble(words, where)
        ]
        findings += problems
        if len(findings) > MOST_FINDINGS:
            break
        if not problems:
            replaces = words.get("replaces", "")
            kept = {"kind": words["kind"], "id": words.get("id", replaces)} | {
                w: v for w, v in words.items() if w != "replaces"
            }
            entries.append(Entry(kept, replaces, where, parsed.positions))
    return entries, findings


def _records(value: object) -> Iterator[tuple[Any, str]]:
    if isinstance(value, list):
        yield from ((words, item("", index)) for index, words in enumerate(value))
    elif value is not None:
        yield value, ""


def _trouble(words: object, where: str) -> Iterator[tuple[str, str, str, str]]:
    """What keeps words from being a record: code, path, message, hint."""
    if not isinstance(words, dict):
        yield "PX203", where, "a record is a mapping of words to values", ""
        return
    kind = words.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        message = f"unknown kind {quoted(kind)}" if "kind" in words else "the word kind is missing"
        yield "PX203", join(where, "kind"), f"{message}; kinds are {named(KINDS)}", did_you_mean(str(kind), KINDS)
    if "id" not in words and "replaces" not in words:
        yield "PX203", where, "the word id is missing", ""
    for word in ("id", "replaces"):
        if word in words and not (isinstance(words[word], str) and _ID.fullmatch(words[word])):
            allowed = "letters, digits and `.+_-`, at most 120, the first a letter or digit"
            yield "PX203", join(where, word), f"{quoted(words[word])} is no id: {allowed}", ""
