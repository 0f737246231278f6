"""What is wrong with a YAML text, in the words of this project: complaints of the parser, and misplaced tabs.

libyaml takes some tabs that PyYAML's own parser refuses: outside quotes and comments none is accepted.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol, TypeAlias

import yaml

from pixsize.findings import Finding, Position
from pixsize.load.positions import Positions, quoted

_DIRECTIVE = r"(?m)^%(?!YAML +[0-9]+\.[0-9]+ *(?: #[^\n]*)?$)[^\n]*"
_GLUED = r"[|>][-+0-9]*#"
HEADER = "behind | or > stand a digit, + or - at the most, and a comment only after a blank"
ESCAPE = "what follows a backslash in this quoted text is no escape; write \\\\ for a backslash, or use single quotes"

_MISPLACED = "this line is not indented like the lines it belongs to"
# A part of libyaml's (and PyYAML's) problem, of its context, whether the place is where the context begins, our words.
_WORDS = (
    ("unknown escape", "", True, ESCAPE),
    ("Unicode character escape", "", True, ESCAPE),
    ("decimal number", "", True, ESCAPE),
    ("chomping or indentation indicators", "", False, HEADER),
    ("expected comment or line break", "", False, HEADER),
    ("", "quoted scalar", True, "this quote is not closed"),
    ("", "flow sequence", True, "this bracket is not closed, or a comma is missing inside it"),
    ("", "flow mapping", True, "this bracket is not closed, or a comma is missing inside it"),
    ("cannot start any token", "", False, "this character cannot begin a value; put quotes around the text"),
    (
        "mapping values are not allowed",
        "",
        False,
        "a colon cannot stand here: put quotes around the text, or mend the indentation of this line or the one above",
    ),
    ("could not find expected ':'", "", True, "a colon is missing behind this word"),
    ("expected key", "", False, _MISPLACED),
    ("block end", "", False, _MISPLACED),
    ("", "block collection", False, _MISPLACED),
    ("", "block mapping", False, _MISPLACED),
    ("sequence entries are not allowed", "", False, "a list cannot begin here"),
    ("'-' indicator", "", False, "a list cannot begin here"),
    ("node content", "", False, "something is missing here"),
)


class _Mark(Protocol):
    index: int
    line: int
    column: int


def directive(text: str, positions: Positions) -> tuple[Finding, ...]:
    """PX008 for the first line that gives orders to the parser, which would obey any number of them, slowly."""
    match = re.search(_DIRECTIVE, text) if "%" in text else None
    if match is None:
        return ()
    place = positions.at(text.count("\n", 0, match.start()) + 1, 1)
    return (Finding("PX008", f"a directive, {quoted(match[0])}", position=place),)


def bad_header(text: str, mark: _Mark, positions: Positions) -> Finding | None:
    """PX004 for a comment that touches the header of a block of text: of the two parsers, libyaml alone takes it."""
    match = re.compile(_GLUED).match(text, mark.index)
    if match is None:
        return None
    return Finding("PX004", HEADER, position=positions.at(mark.line + 1, mark.column + len(match[0])))


def bad_escape(text: str, line: int, column: int, positions: Positions) -> Finding:
    """PX004 for an escape whose number no character has, met at this line and column (from 0), at its opening quote."""
    lines = text.split("\n")
    before = "\n".join([*lines[:line], lines[line][:column]])
    quotes = [m.start() for m in re.finditer(r'(?<!\\)(?:\\\\)*"', before)]
    at = before.rindex('"') if not quotes else before.index('"', quotes[-1])
    return Finding(
        "PX004", ESCAPE, position=positions.at(before.count("\n", 0, at) + 1, at - before.rfind("\n", 0, at))
    )


def syntax(error: yaml.YAMLError, positions: Positions) -> Finding:
    """PX004 with the place that the parser names, or where the thing it could not finish begins."""
    problem = str(getattr(error, "problem", None) or "no YAML")
    context = str(getattr(error, "context", None) or "")
    here = _position(getattr(error, "problem_mark", None), positions)
    start = _position(getattr(error, "context_mark", None), positions) or here
    message, position = _in_words(problem, context, here or Position(positions.file), start or Position(positions.file))
    return Finding("PX004", message, position=position)


def _position(mark: _Mark | None, positions: Positions) -> Position | None:
    return positions.at(mark.line + 1, mark.column + 1) if mark is not None else None


def _in_words(problem: str, context: str, here: Position, start: Position) -> tuple[str, Position]:
    for in_problem, in_context, at_start, message in _WORDS:
        if in_problem in problem and in_context in context:
            return message, start if at_start else here
    return f"the YAML cannot be read here: {problem}", here


_MOST_TABS = 20
"""Findings about tabs in one file: a file that is indented with tabs has one in every line."""
_HINT = {"indents this line": "Indent with blanks.", "stands between words": "Write a blank."}
_Place: TypeAlias = tuple[int, int]
_Loader: TypeAlias = Any
_ParserMark: TypeAlias = Any
"""PyYAML's own classes, which share no useful type."""


class _Text(NamedTuple):
    """Where a scalar stands, from 0, and whether a tab inside is part of its text."""

    start: _Place
    end: _Place
    keeps_tabs: bool


def tabs(text: str, positions: Positions, loader: _Loader) -> tuple[Finding, ...]:
    """PX004 for every tab outside quoted texts, blocks of text and comments."""
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
            inside = _text_at((number, column), scalars, starts)
            if inside is None or not inside.keeps_tabs:
                yield number, column, "stands between words"
                break


def _scalars(text: str, loader: _Loader) -> Iterator[_Text]:
    """The texts of a file, as far as it can be read."""
    try:
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.ScalarEvent):
                start: _ParserMark = event.start_mark
                end: _ParserMark = event.end_mark
                first = (start.line + 1, 0) if event.style in ("|", ">") else (start.line, start.column)
                yield _Text(first, (end.line, end.column), event.style not in (None, ""))
    except (yaml.YAMLError, ValueError, OverflowError):
        return  # the reader says what is wrong


def _text_at(place: _Place, scalars: list[_Text], starts: list[_Place]) -> _Text | None:
    index = bisect_right(starts, place) - 1
    return scalars[index] if index >= 0 and place < scalars[index].end else None


def _comment(line: str, number: int, scalars: list[_Text], starts: list[_Place]) -> int:
    """The column at which a comment begins; the length of the line where there is none."""
    for match in re.finditer(r"(?:^|(?<=[ \t]))#", line):
        if _text_at((number, match.start()), scalars, starts) is None:
            return match.start()
    return len(line)
