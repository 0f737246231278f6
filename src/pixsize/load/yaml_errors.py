"""YAML's own complaints in the words of this project."""

from __future__ import annotations

import re
from typing import Protocol

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
    for in_problem, in_context, at_start, words in _WORDS:
        if in_problem in problem and in_context in context:
            return words, start if at_start else here
    return f"the YAML cannot be read here: {problem}", here
