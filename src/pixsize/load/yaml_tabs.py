"""Tabs in YAML: libyaml takes some that PyYAML's own parser refuses. Outside quotes and comments none is accepted."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import yaml

from pixsize.findings import Finding
from pixsize.load.positions import Positions

_MOST_TABS = 20
_HINT = {"indents this line": "Indent with blanks.", "stands between words": "Write a blank."}
_Place: TypeAlias = tuple[int, int]
_Loader: TypeAlias = Any
_Mark: TypeAlias = Any
"""PyYAML's own classes, which share no useful type."""


class _Text(NamedTuple):
    """Where a scalar stands, from 0, and whether a tab inside is part of its text."""

    start: _Place
    end: _Place
    keeps_tabs: bool


def tabs(text: str, positions: Positions, loader: _Loader) -> tuple[Finding, ...]:
    """PX004 for every tab that is no part of a quoted text, a block of text or a comment."""
    if "\t" not in text:
        return ()
    found: list[Finding] = []
    for line, column, what in _misplaced(text, loader):
        message = f"a tab {what}"
        found.append(Finding("PX004", message, "", _HINT[what], positions.at(line + 1, column + 1)))
        if len(found) == _MOST_TABS:
            break
    return tuple(found)


def _misplaced(text: str, loader: _Loader) -> Iterator[tuple[int, int, str]]:
    """Line, column and offence of the first tab of every line that has a misplaced one."""
    scalars = sorted(_scalars(text.replace("\t", " "), loader))
    starts = [scalar.start for scalar in scalars]
    for number, line in enumerate(text.split("\n")):
        if "\t" not in line:
            continue
        end = _comment(line, number, scalars, starts)
        before = len(line) - len(line.lstrip(" \t"))
        for match in re.finditer("\t", line[:end]):
            column = match.start()
            if column < before:
                yield number, column, "indents this line"
                break
            inside = _at((number, column), scalars, starts)
            if inside is None or not inside.keeps_tabs:
                yield number, column, "stands between words"
                break


def _scalars(text: str, loader: _Loader) -> Iterator[_Text]:
    """The texts of a file, as far as it can be read."""
    try:
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.ScalarEvent):
                start: _Mark = event.start_mark
                end: _Mark = event.end_mark
                first = (start.line + 1, 0) if event.style in ("|", ">") else (start.line, start.column)
                yield _Text(first, (end.line, end.column), event.style not in (None, ""))
    except (yaml.YAMLError, ValueError, OverflowError):
        return  # the reader says what is wrong


def _at(place: _Place, scalars: list[_Text], starts: list[_Place]) -> _Text | None:
    index = bisect_right(starts, place) - 1
    return scalars[index] if index >= 0 and place < scalars[index].end else None


def _comment(line: str, number: int, scalars: list[_Text], starts: list[_Place]) -> int:
    """The column at which a comment begins; the length of the line where there is none."""
    for match in re.finditer(r"(?:^|(?<=[ \t]))#", line):
        if _at((number, match.start()), scalars, starts) is None:
            return match.start()
    return len(line)
