"""Parses an array's reply, JSON or XML, into rows of fields. Replies may be hostile: every size is bounded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from pixsize.load.positions import quoted
from pixsize.load.replies import ReadBudget, ReplyError, spare_attributes

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

MOST_DEPTH = 32
"""Levels of XML elements; replies have four. Against documents that are all depth."""
MOST_ROWS = 5_000
"""Rows of one reply. The largest array has 336 drives; more than this is no reply of an array."""
MOST_ELEMENTS = 200_000
"""Of an XML file: the properties of a thousand disks, twice over."""
MOST_ATTRIBUTES = 10_000
"""Of an XML file, behind the eighth of an element; those of arrays have no more than seven."""
MOST_PARTS = 1_000
"""How many replies may stand in one file, one behind the other."""
_MOST_DIGITS = 20
"""Of a number: 64 bits have no more. Python takes quadratic time for long integers."""
_ECHO = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+(?:\n|$))*+")
"""Blanks, and lines in which the array echoes its prompt and the command. Possessive, so that it never backtracks."""
_LINE = 80
"""Characters of a number that are searched for, to point at it."""


@dataclass(slots=True)
class Row:
    """The fields of one object of a reply: `basetype` is the plural that the array files it under."""

    basetype: str
    fields: dict[str, Any]
    line: int = 1
    column: int = 1


class _Text:
    """A reply's text, and the line and column of its characters, counted from the one that was asked for last."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._index, self._line, self._begin = 0, 1, 0

    def place(self, index: int) -> tuple[int, int]:
        """The line and the column, both from 1."""
        low, high = sorted((self._index, index))
        between = self.text.count("\n", low, high)
        if between and index > self._index:
            self._begin = self.text.rindex("\n", low, high) + 1
        elif between:
            self._begin = self.text.rfind("\n", 0, index) + 1
        self._line += between if index > self._index else -between
        self._index = index
        return self._line, index - self._begin + 1


def rows_of(text: str, budget: ReadBudget | None = None) -> list[Row]:
    """Every row that matters of every reply in the text, in order; ReplyError where it is none, or far too long.

    `budget` is what this file and those behind it may hold together. TooMuchError where it is more.
    """
    start, source, budget = _skip(text, 0), _Text(text), budget or ReadBudget()
    if start == len(text):
        raise ReplyError("the file is empty")
    if text[start] not in "{<":
        raise ReplyError("neither JSON nor XML begins here", *source.place(start))
    rows: list[Row] = []
    for row in _json_rows(source, start, budget) if text[start] == "{" else _xml_rows(source, start, budget):
        rows.append(row)
        if len(rows) > MOST_ROWS:
            raise ReplyError(f"more than {MOST_ROWS:,} rows; no array reports that many", row.line, row.column)
    budget.take_rows(len(rows))
    return rows


def _skip(text: str, index: int) -> int:
    """Behind blanks, and behind the lines in which the array echoes its prompt and the command."""
    match = _ECHO.match(text, index)
    return match.end() if match else index


def _json_rows(source: _Text, index: int, budget: ReadBudget) -> Iterator[Row]:
    import json

    text, parts = source.text, 0
    budget.take_json(text)
    decoder = json.JSONDecoder(
        object_pairs_hook=_unique,
        parse_int=_whole,
        parse_float=_finite,
        parse_constant=_no_constant,
    )
    while index < len(text):
        start, parts = index, parts + 1
        _judge_parts(parts, source.place(start), budget)
        try:
            value, index = decoder.raw_decode(text, index)
        except json.JSONDecodeError as error:
            raise ReplyError(f"no JSON: {error.msg}", error.lineno, error.colno) from error
        except _UnsafeError as error:
            raise ReplyError(str(error), *source.place(max(text.find(error.needle, start), 0))) from error
        except RecursionError as error:
            raise ReplyError("the brackets are nested too deep", *source.place(start)) from error
        yield from _object_rows(value, source, start, index)
        index = _skip(text, index)


def _judge_parts(parts: int, place: tuple[int, int], budget: ReadBudget) -> None:
    budget.take_part()
    if parts > MOST_PARTS:
        raise ReplyError(f"more than {MOST_PARTS:,} replies in one file", *place)


class _UnsafeError(Exception):
    """JSON that readers understand in different ways; `needle` is the text to point at."""

    def __init__(self, message: str, needle: str) -> None:
        super().__init__(message)
        self.needle = needle


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        last = {key: number for number, (key, _) in enumerate(pairs)}
        twice = next(key for number, (key, _) in enumerate(pairs) if last[key] > number)
        raise _UnsafeError(f"the field {quoted(twice)} stands twice in one object", f'"{twice}"')
    return found


def _whole(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise _UnsafeError(f"a number of {len(text)} digits", text[:_LINE])
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise _UnsafeError("a number beyond all bounds", text[:_LINE])
    return number


def _no_constant(text: str) -> None:
    raise _UnsafeError(f"{text} is no number", text)


def _object_rows(value: object, source: _Text, start: int, end: int) -> Iterator[Row]:
    """The rows that matter of the object decoded from `start` to `end`. Its lists are named by their keys."""
    if not isinstance(value, dict):
        raise ReplyError("the reply is no object", *source.place(start))
    for basetype in [key for key in value if key in BASETYPES]:
        objects = value[basetype]
        cursor = max(source.text.find(f'"{basetype}"', start, end), start)
        place = source.place(cursor)
        for each in objects if isinstance(objects, list) else [objects]:
            if not isinstance(each, dict):
                raise ReplyError(f"{quoted(basetype)} holds something else than objects", *place)
            cursor, place = _row_place(each, source, cursor)
            yield Row(basetype, each, *place)


def _row_place(fields: dict[str, Any], source: _Text, cursor: int) -> tuple[int, tuple[int, int]]:
    """Where the row's first text stands, not far behind `cursor`: the decoder itself does not say."""
    for key in [key for key in fields if key in _NAMING]:
        value = fields[key]
        if isinstance(value, str):
            found = source.text.find(f'"{value}"', cursor, cursor + _NEAR)
            if found >= 0:
                return found + 1, source.place(found)
    return cursor, source.place(cursor)


_NEAR = 1 << 14
"""Characters behind the last row in which the next row's name is searched for. Without a bound, a reply of many rows
with names that stand nowhere would be searched to its end for each of them."""
_NAMING = frozenset(("name", "volume-name", "location", "durable-id", "response", "response-type"))
BASETYPES = {
    "disk-groups": "group",
    "volumes": "volume",
    "disks": "disk",
    "drives": "disk",
    "enclosures": "enclosure",
    "status": "status",
}
"""The plurals that matter here, in the spellings of the ME4 and of its siblings."""


@dataclass(slots=True)
class _XmlState:
    """What the parser has open: a property's name and text, rows in the making, and how deep it is."""

    rows: list[Row] = field(default_factory=list)
    open_rows: list[Row] = field(default_factory=list)
    property: str | None = None
    text: list[str] = field(default_factory=list)
    depth: int = 0
    elements: int = 0


def _xml_rows(source: _Text, index: int, budget: ReadBudget) -> Iterator[Row]:
    """The rows of one or more RESPONSE documents, one behind the other, echoed lines between them."""
    text, parts, elements = source.text, 0, 0
    if spare_attributes(text) > MOST_ATTRIBUTES:
        raise ReplyError(
            f"more than {MOST_ATTRIBUTES:,} attributes beside those that elements have", *source.place(index)
        )
    budget.take_xml(text)
    while index < len(text):
        parts += 1
        _judge_parts(parts, source.place(index), budget)
        end = text.find("</RESPONSE>", index)
        end = len(text) if end < 0 else end + len("</RESPONSE>")
        state = _parse_xml(text[index:end], source.place(index), elements)
        elements = state.elements
        yield from state.rows
        index = _skip(text, end)


def _parse_xml(text: str, start: tuple[int, int], elements: int) -> _XmlState:
    """What one document holds, which begins at this line and column of its file, behind so many elements."""
    from xml.parsers import expat

    state, parser = _XmlState(elements=elements), expat.ParserCreate()
    parser.buffer_text = True
    _wire(parser, state, start)
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise ReplyError(f"no XML: {why}", *_behind(start, error.lineno, error.offset)) from error
    finally:  # handlers and parser refer to each other, and would keep the memory of each file that was read
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = parser.ExternalEntityRefHandler = None
        parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
    return state


def _behind(start: tuple[int, int], line: int, offset: int) -> tuple[int, int]:
    """The place in the file of a parser's line (from 1) and offset (from 0) behind `start`."""
    return start[0] + line - 1, offset + (start[1] if line == 1 else 1)


def _wire(parser: XMLParserType, state: _XmlState, begin: tuple[int, int]) -> None:
    def place() -> tuple[int, int]:
        return _behind(begin, parser.CurrentLineNumber, parser.CurrentColumnNumber)

    def refuse(*_: object) -> NoReturn:
        raise ReplyError("a DTD or an entity; a reply has neither", *place())

    def start(tag: str, attributes: dict[str, str]) -> None:
        _open(state, tag, attributes, place)

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: _close(state, tag, place)
    parser.CharacterDataHandler = state.text.append


def _open(state: _XmlState, tag: str, attributes: dict[str, str], place: Callable[[], tuple[int, int]]) -> None:
    state.depth += 1
    state.elements += 1
    if state.elements > MOST_ELEMENTS:
        raise ReplyError(f"more than {MOST_ELEMENTS:,} elements; no array reports that many", *place())
    if state.depth == 1 and tag != "RESPONSE":
        raise ReplyError(f"the element {quoted(tag)} is no RESPONSE of an array", *place())
    if state.depth > MOST_DEPTH:
        raise ReplyError("the elements are nested too deep", *place())
    state.text.clear()
    if tag == "OBJECT":
        row = Row(attributes.get("basetype", ""), {}, *place())
        state.rows.append(row)
        if len(state.rows) > MOST_ROWS:
            raise ReplyError(f"more than {MOST_ROWS:,} rows; no array reports that many", *place())
        state.open_rows.append(row)
    elif tag == "PROPERTY":
        state.property = attributes.get("name", "")


def _close(state: _XmlState, tag: str, place: Callable[[], tuple[int, int]]) -> None:
    state.depth -= 1
    if tag == "OBJECT":
        state.open_rows.pop()
    elif tag == "PROPERTY" and state.property is not None and state.open_rows:
        fields = state.open_rows[-1].fields
        if state.property in fields:
            raise ReplyError(f"the property {quoted(state.property)} stands twice in one object", *place())
        fields[state.property] = "".join(state.text)
        state.property = None
    state.text.clear()
