"""The only reader of YAML: events -> plain values and their places. Nothing is constructed, nothing recurses.

Bare words mean what every version of YAML takes them for; where versions differ they are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import yaml

from pixsize.findings import Finding, Position
from pixsize.load import files, yaml_errors
from pixsize.load.positions import Positions, item, join, quoted
from pixsize.load.yaml_errors import tabs


class Unreadable:
    """The type of UNREADABLE, which replaces a refused value, so that the rest of the file can still be judged."""

    def __repr__(self) -> str:
        return "UNREADABLE"


UNREADABLE: Final = Unreadable()

_FIXED: dict[str, bool | None] = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    "null": None,
    "Null": None,
    "NULL": None,
    "~": None,
    "": None,
}
_SWITCHES = frozenset(("yes", "no", "on", "off", "y", "n"))
_MOST_DIGITS = 40
"""Of a number. Python takes quadratic time for long integers, and refuses them beyond 4,300 digits."""

# Read one way by YAML 1.1, another way or as text by YAML 1.2 or by readers that follow neither to the letter.
_AMBIGUOUS = (
    (r"[-+]?0[0-9_]+(?:\.[0-9_]*)?", "a leading zero makes it octal for some readers and decimal for others"),
    (r"[-+]?0[xXoObB][0-9a-fA-F_]+", "hexadecimal, octal and binary numbers are text for some readers"),
    (
        r"[-+]?[0-9][0-9_]*(?::[0-9_]+)+(?:\.[0-9_]*)?",
        "colons make it a number to the base of sixty for some readers",
    ),
    (
        r"[-+]?(?=[0-9.]*_)[0-9][0-9_]*(?:\.[0-9_]*)?",
        "`_` inside a number is skipped by some readers and text for others",
    ),
    (r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", "it is no finite number"),
    (
        r"[-+]?(?:[0-9]+(?:\.[0-9_]*)?|\.[0-9_]+)[eE][-+]?[0-9]+",
        "an exponent is a number for some readers and text for others",
    ),
    (r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?", "some readers make a date of it"),
    (r"\+[0-9]+(?:\.[0-9]*)?", "a plus sign is dropped by some readers"),
    (r"[-+]?(?:[0-9]+\.|\.[0-9]+)", "write the digits on both sides of the point"),
    (r"=|<<", "it is a key with a meaning of its own for some readers"),
)


Decimals: TypeAlias = Callable[[str], object]
"""Makes a value of a number with a point, given its digits."""


def _rounded(digits: str) -> float:
    return float(digits[:_MOST_DIGITS])


def resolve(text: str, fraction: Decimals = _rounded) -> tuple[object, str, str]:
    """The value of a bare word, and, where it is refused, the code and why: UNREADABLE, `PX009`, reason."""
    if text in _FIXED:
        return _FIXED[text], "", ""
    whole, point, decimals = text.partition(".")
    if _is_whole(whole) and not point:
        if len(text) > _MOST_DIGITS:
            return UNREADABLE, "PX108", f"a number of {len(text)} digits"
        return int(text), "", ""
    if _is_whole(whole) and decimals.isdigit() and decimals.isascii():
        return fraction(text), "", ""
    why = _why_ambiguous(text)
    return (UNREADABLE, "PX009", f"{quoted(text)} without quotes: {why}") if why else (text, "", "")


def _is_whole(text: str) -> bool:
    """Whether `text` is an integer as every reader writes one: ASCII digits, none of them a leading zero."""
    digits = text.removeprefix("-")
    return digits.isdigit() and digits.isascii() and (digits == "0" or digits[0] != "0")


def _why_ambiguous(text: str) -> str:
    if text.lower() in _SWITCHES:
        return "it is true or false for some readers and text for others"
    # Blanks stand in dates alone; most values, such as 12 TB, need none of the patterns, and none is compiled for them.
    if text[0] not in "0123456789+-.=<" or (" " in text and text[4:5] != "-"):
        return ""
    return next((why for pattern, why in _AMBIGUOUS if re.fullmatch(pattern, text)), "")


MOST_DEPTH = 32
"""Levels of nesting. Models need fewer than ten; code behind the reader walks the values recursively."""
MOST_FINDINGS = 100
"""Of a file: one mistake that stands in every line should not fill the screen."""
MOST_EVENTS = 150_000
"""Words, values and brackets of a file. A mebibyte can hold several times as many: to read them takes longer than a
user waits."""
_BLOCKS = ("|", ">")
"""The styles of block texts: libyaml and PyYAML accept different headers for them."""
_STOPS = ("PX002", "PX004", "PX010")
"""Codes of findings after which nothing of the file can be judged."""
_Node: TypeAlias = Any
_Event: TypeAlias = Any
_Loader: TypeAlias = Any
"""PyYAML's own classes, which share no useful type."""

_LOADER: _Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Top = Literal["mapping", "records"]


class Parsed(NamedTuple):
    """A file's value (None where nothing can be judged), its places, and what was found while reading it.

    The value holds UNREADABLE in place of what was refused.
    """

    value: Any
    positions: Positions
    findings: tuple[Finding, ...]


class _Frame:
    """An open mapping or list. `key` is the word whose value comes next; `drop` says that this value is not kept,
    `lost` that nothing inside the frame is, `as_key` that the frame stands where a word should.
    """

    __slots__ = ("as_key", "drop", "key", "keys", "lost", "node", "path")

    def __init__(self, node: _Node, path: str, as_key: bool, lost: bool) -> None:
        self.node, self.path, self.as_key, self.lost = node, path, as_key, lost
        self.key: str | None = None
        self.drop = False
        self.keys: dict[str, int] = {}


class _Stop(Exception):
    """Nothing behind this event can be judged."""


def read(
    path: Path, shown: str, top: Top = "mapping", decimals: Decimals = _rounded, held: bytes | None = None
) -> Parsed:
    """What the YAML file at `path` holds, with all that was found. `shown` is the path as the user gave it; `-` stands
    for standard input. `decimals` makes the numbers with a point, which are binary fractions otherwise. `held` are its
    bytes, where they were read already.
    """
    data: bytes | Finding
    if held is not None:
        data = files.bounded(held, shown)
    else:
        data = files.read_stdin() if shown == files.STDIN else files.read_bytes(path, shown)
    if isinstance(data, Finding):
        return Parsed(None, Positions(shown), (data,))
    return parse_bytes(data, shown, top, decimals)


def parse_bytes(data: bytes, shown: str, top: Top = "mapping", decimals: Decimals = _rounded) -> Parsed:
    """What the bytes of a YAML file hold."""
    text, findings = files.decode(data, shown)
    if findings:
        return Parsed(None, Positions(shown, text), findings)
    return parse(text, shown, top, decimals=decimals)


def parse(text: str, shown: str, top: Top = "mapping", loader: _Loader = None, decimals: Decimals = _rounded) -> Parsed:
    """What a YAML text holds. `top` says whether a list of mappings may stand at the top, as in a catalog."""
    positions = Positions(shown, text)
    ordered = yaml_errors.directive(text, positions)
    if ordered:
        return Parsed(None, positions, ordered)
    indented = tabs(text, positions, loader or _LOADER)
    builder = _Builder(positions, decimals)
    # Parsers disagree on misplaced tabs, not on blanks; with one of them the file is refused in any case.
    plain = text.replace("\t", " ") if indented else text
    findings = [*indented, *builder.run(plain, loader or _LOADER)]
    if indented:
        findings = [f for n, f in enumerate(findings) if n < len(indented) or f.code != "PX004"]
    places = Positions(shown, text, builder.values, builder.keys)
    if not any(f.code in _STOPS for f in findings):
        findings += (
            [] if findings and builder.root == {} else _judge_top(builder.root, top, builder.root_place, positions)
        )
    usable = not any(f.code in (*_STOPS, "PX005") for f in findings)
    return Parsed(builder.root if usable else None, places, _capped(findings))


def _capped(findings: list[Finding]) -> tuple[Finding, ...]:
    if len(findings) <= MOST_FINDINGS:
        return tuple(findings)
    last = findings[MOST_FINDINGS - 1]
    more = f"{last.message} (and {len(findings) - MOST_FINDINGS} findings more in this file)"
    shortened = Finding(last.code, more, last.where, last.hint, last.position)
    return (*findings[: MOST_FINDINGS - 1], shortened)


def _judge_top(root: object, top: Top, place: tuple[int, int], positions: Positions) -> list[Finding]:
    if isinstance(root, dict) or (top == "records" and isinstance(root, list)):
        return [] if root else [Finding("PX005", "nothing stands in the file", position=positions.at(*place))]
    wanted = "a mapping of words to values" if top == "mapping" else "a record, or a list of records"
    if root is None:
        return [Finding("PX005", f"the file is empty; it should hold {wanted}", position=Position(positions.file))]
    return [
        Finding(
            "PX005", f"at the top of the file stands no mapping; it should hold {wanted}", position=positions.at(*place)
        )
    ]


class _Builder:
    """Builds plain values from parser events. Its stack is a list: no depth of nesting can overflow Python's stack."""

    def __init__(self, positions: Positions, decimals: Decimals = _rounded) -> None:
        self.root: Any = None
        self.root_place = (1, 1)
        self.values: dict[str, tuple[int, int]] = {}
        self.keys: dict[str, tuple[int, int]] = {}
        self._positions = positions
        self._decimals = decimals
        self._findings: list[Finding] = []
        self._stack: list[_Frame] = []
        self._documents = 0
        self._text = ""
        self._handlers: dict[type, Callable[[Any], None]] = {
            yaml.DocumentStartEvent: self._document,
            yaml.AliasEvent: self._alias,
            yaml.ScalarEvent: self._scalar,
            yaml.SequenceStartEvent: self._collection,
            yaml.MappingStartEvent: self._collection,
            yaml.SequenceEndEvent: self._close,
            yaml.MappingEndEvent: self._close,
        }

    def run(self, text: str, loader: _Loader) -> list[Finding]:
        """Build `root` and the tables of places; returns what was found."""
        reader: _Loader = None
        self._text = text
        try:
            reader = loader(text)
            events = 0
            while reader.check_event():
                event = reader.get_event()
                events += 1
                if events > MOST_EVENTS:
                    self._report("PX002", f"more than {MOST_EVENTS:,} words, values and brackets up to here", event)
                    break
                handler = self._handlers.get(type(event))
                if handler is not None:
                    handler(event)
        except _Stop:
            pass
        except yaml.YAMLError as error:
            self._findings.append(yaml_errors.syntax(error, self._positions))
        except (
            ValueError,
            OverflowError,
        ):  # PyYAML's own parser makes the character before it asks whether there is one
            mark = reader.get_mark()
            self._findings.append(yaml_errors.bad_escape(text, mark.line, mark.column, self._positions))
        finally:
            if reader is not None:
                reader.dispose()
        return self._findings

    def _report(self, code: str, message: str, event: _Event, where: str = "", hint: str = "") -> None:
        position = self._positions.at(*_place(event))
        self._findings.append(Finding(code, message, where, hint, position))

    def _document(self, event: _Event) -> None:
        self._documents += 1
        if self._documents > 1:
            self._report("PX006", "a second document begins here", event)
            raise _Stop

    def _refuse_extras(self, event: _Event) -> None:
        if event.anchor is not None:
            self._report("PX008", f"the anchor &{event.anchor[:40]}", event)
        if event.tag is not None:
            self._report("PX008", f"the tag {quoted(event.tag)}", event)

    def _refuse_header(self, event: _Event) -> None:
        found = yaml_errors.bad_header(self._text, event.start_mark, self._positions)
        if found is not None:
            self._findings.append(found)
            raise _Stop

    def _alias(self, event: _Event) -> None:
        self._report("PX008", f"the alias *{event.anchor[:40]}", event)
        self._put(UNREADABLE, event)

    def _scalar(self, event: _Event) -> None:
        if event.style in _BLOCKS:
            self._refuse_header(event)
        self._refuse_extras(event)
        value: Any = event.value
        if event.style in (None, ""):
            value, code, why = resolve(event.value, self._decimals)
            if code:
                self._report(code, why, event, self._next_path())
        elif not event.value.isascii() and any("\ud800" <= char <= "\udfff" for char in event.value):
            self._report("PX004", yaml_errors.ESCAPE, event)  # libyaml stops here by itself
            raise _Stop
        self._put(UNREADABLE if event.tag is not None else value, event)

    def _collection(self, event: _Event) -> None:
        self._refuse_extras(event)
        if len(self._stack) >= MOST_DEPTH:
            self._report("PX010", f"brackets or indentation deeper than {MOST_DEPTH} levels", event)
            raise _Stop
        node: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
        as_key, path = self._wants_key(), self._next_path()
        lost = as_key or (bool(self._stack) and (self._stack[-1].lost or self._stack[-1].drop))
        if as_key:
            self._report("PX104", "a mapping or list stands where a word should", event, path)
        else:
            self._put(node, event)
        self._stack.append(_Frame(node, path, as_key=as_key, lost=lost))

    def _close(self, _event: _Event) -> None:
        if self._stack.pop().as_key:
            self._stack[-1].key, self._stack[-1].drop = "", True

    def _wants_key(self) -> bool:
        return bool(self._stack) and isinstance(self._stack[-1].node, dict) and self._stack[-1].key is None

    def _next_path(self) -> str:
        if not self._stack:
            return ""
        top = self._stack[-1]
        if isinstance(top.node, list):
            return item(top.path, len(top.node))
        return top.path if top.key is None else join(top.path, top.key)

    def _put(self, value: object, event: _Event) -> None:
        if not self._stack:
            self.root, self.root_place = value, _place(event)
            self.values[""] = _place(event)
        elif self._wants_key():
            self._take_key(value, event)
        else:
            self._take_value(value, event)

    def _take_key(self, value: object, event: _Event) -> None:
        top = self._stack[-1]
        if not isinstance(value, str):
            top.key, top.drop = "", True
            if value is not UNREADABLE:
                self._report("PX104", f"a word is text; put quotes around {quoted(event.value)}", event, top.path)
            return
        first = top.keys.setdefault(value, _place(event)[0])
        top.key, top.drop = value, value in top.node
        path = join(top.path, value)
        if top.drop:
            self._report("PX007", f"the word {quoted(value)} stands twice, first in line {first}", event, path)
        elif not top.lost:
            self.keys[path] = _place(event)

    def _take_value(self, value: object, event: _Event) -> None:
        top, path = self._stack[-1], self._next_path()
        listed = isinstance(top.node, list)
        if listed:
            top.node.append(value)
        elif not top.drop:
            top.node[top.key] = value
        if not (top.lost or top.drop):
            behind_word = not listed and isinstance(value, dict | list)
            self.values[path] = self.keys[path] if behind_word else _place(event)
        top.key, top.drop = None, False


def _place(event: _Event) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1
