"""The text of an array's reply -> rows of fields. JSON or XML, by content; nothing in it is trusted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from pixsize.load.positions import quoted

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

MOST_DEPTH = 32
_MOST_DIGITS = 20
_ECHO = re.compile(r"(?:[ \t\r\n]|#[^\n]*(?:\n|$))*")
_LINE = 80


class ReplyError(Exception):
    """The text is no reply, or an unsafe one: what is wrong, and where."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line, self.column = line, column


@dataclass(slots=True)
class Row:
    """The fields of one object of a reply: `basetype` is the plural that the array files it under."""

    basetype: str
    fields: dict[str, Any]
    line: int = 1
    column: int = 1


def rows_of(text: str) -> list[Row]:
    """Every row of every reply in the text, in order; ReplyError where it is none."""
    start = _skip(text, 0)
    if start == len(text):
        raise ReplyError("the file is empty")
    if text[start] == "{":
        return list(_json_rows(text, start))
    if text[start] == "<":
        return list(_xml_rows(text, start))
    raise ReplyError("neither JSON nor XML begins here", *_place(text, start))


def _skip(text: str, index: int) -> int:
    """Behind blanks, and behind the lines in which the array echoes its prompt and the command."""
    match = _ECHO.match(text, index)
    return match.end() if match else index


def _place(text: str, index: int) -> tuple[int, int]:
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def _json_rows(text: str, index: int) -> Iterator[Row]:
    import json

    decoder = json.JSONDecoder(
        object_pairs_hook=_unique,
        parse_int=_whole,
        parse_float=_finite,
        parse_constant=_no_constant,
    )
    while index < len(text):
        start = index
        try:
            value, index = decoder.raw_decode(text, index)
        except json.JSONDecodeError as error:
            raise ReplyError(f"no JSON: {error.msg}", error.lineno, error.colno) from error
        except _UnsafeError as error:
            raise ReplyError(str(error), *_find(text, start, error.needle)) from error
        except RecursionError as error:
            raise ReplyError("the brackets are nested too deep", *_place(text, start)) from error
        yield from _object_rows(value, text, start)
        index = _skip(text, index)


class _UnsafeError(Exception):
    """JSON that readers understand in different ways; `needle` is the text to point at."""

    def __init__(self, message: str, needle: str) -> None:
        super().__init__(message)
        self.needle = needle


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _UnsafeError(f"the field {quoted(key)} stands twice in one object", f'"{key}"')
        found[key] = value
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


def _find(text: str, start: int, needle: str) -> tuple[int, int]:
    return _place(text, max(text.find(needle, start), 0))


def _object_rows(value: object, text: str, start: int) -> Iterator[Row]:
    """The rows of a decoded object. Its lists are named by their keys; anything else beside them is no row."""
    if not isinstance(value, dict):
        raise ReplyError("the reply is no object", *_place(text, start))
    for basetype, objects in value.items():
        line, column = _find(text, start, f'"{basetype}"')
        cursor = max(text.find(f'"{basetype}"', start), start)
        for each in objects if isinstance(objects, list) else [objects]:
            if isinstance(each, dict):
                cursor, (line, column) = _row_place(each, text, cursor)
                yield Row(basetype, each, line, column)
            elif basetype in BASETYPES:
                raise ReplyError(f"{quoted(basetype)} holds something else than objects", line, column)


def _row_place(fields: dict[str, Any], text: str, cursor: int) -> tuple[int, tuple[int, int]]:
    """Where the row's first text stands at or behind `cursor`: the decoder itself does not say."""
    for key, value in fields.items():
        if isinstance(value, str) and key in _NAMING:
            found = text.find(f'"{value}"', cursor)
            if found >= 0:
                return found + 1, _place(text, found)
    return cursor, _place(text, cursor)


_NAMING = ("name", "volume-name", "location", "durable-id", "response", "response-type")
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


def _xml_rows(text: str, index: int) -> Iterator[Row]:
    """The rows of one or more RESPONSE documents, one behind the other, echoed lines between them."""
    while index < len(text):
        end = text.find("</RESPONSE>", index)
        end = len(text) if end < 0 else end + len("</RESPONSE>")
        line, _ = _place(text, index)
        yield from _parse_xml(text[index:end], line - 1)
        index = _skip(text, end)


def _parse_xml(text: str, lines_before: int) -> list[Row]:
    from xml.parsers import expat

    state, parser = _XmlState(), expat.ParserCreate()
    parser.buffer_text = True
    _wire(parser, state, lines_before)
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise ReplyError(f"no XML: {why}", error.lineno + lines_before, error.offset + 1) from error
    return state.rows


def _wire(parser: XMLParserType, state: _XmlState, lines_before: int) -> None:
    def place() -> tuple[int, int]:
        return parser.CurrentLineNumber + lines_before, parser.CurrentColumnNumber + 1

    def refuse(*_: object) -> NoReturn:
        raise ReplyError("a DTD or an entity; a reply has neither", *place())

    def start(tag: str, attributes: dict[str, str]) -> None:
        _open(state, tag, attributes, place())

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: _close(state, tag, place())
    parser.CharacterDataHandler = state.text.append


def _open(state: _XmlState, tag: str, attributes: dict[str, str], place: tuple[int, int]) -> None:
    state.depth += 1
    if state.depth == 1 and tag != "RESPONSE":
        raise ReplyError(f"the element {quoted(tag)} is no RESPONSE of an array", *place)
    if state.depth > MOST_DEPTH:
        raise ReplyError("the elements are nested too deep", *place)
    state.text.clear()
    if tag == "OBJECT":
        row = Row(attributes.get("basetype", ""), {}, *place)
        state.rows.append(row)
        state.open_rows.append(row)
    elif tag == "PROPERTY":
        state.property = attributes.get("name", "")


def _close(state: _XmlState, tag: str, place: tuple[int, int]) -> None:
    state.depth -= 1
    if tag == "OBJECT":
        state.open_rows.pop()
    elif tag == "PROPERTY" and state.property is not None and state.open_rows:
        fields = state.open_rows[-1].fields
        if state.property in fields:
            raise ReplyError(f"the property {quoted(state.property)} stands twice in one object", *place)
        fields[state.property] = "".join(state.text)
        state.property = None
    state.text.clear()
