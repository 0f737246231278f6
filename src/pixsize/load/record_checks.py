"""Judges a catalog record by itself, beyond the types of its words; lists the other records that it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from pixsize import units
from pixsize.catalog.designs import ModuleSize
from pixsize.catalog.measurements import DIMENSIONS, MeasuredSystem, Measurement, StatedSystem, Statement
from pixsize.catalog.records import Choice, Constant, Layout, LayoutGroup, Limit, Record, Ref
from pixsize.estimate import ids
from pixsize.load.names import character
from pixsize.load.positions import item, join, quoted
from pixsize.quantities import MOST

Trouble = tuple[str, str]
"""Path in the record, and what is wrong there."""

_PARAGRAPHS = frozenset(("note", "why", "doubt"))
"""Words with a text of several lines."""
_NEEDED = frozenset(("title", "place", "publisher"))
"""Words with a text that is shown alone."""
_LONGEST_TEXT = 2000
_LONGEST_PARAGRAPH = 20_000
"""Characters of a text and of a paragraph, several times the longest shipped: longer ones would flood tables, run books
and the terminal."""
_SIZE = r"[a-z][a-z0-9_-]{0,30}"


def trouble(record: Record) -> Iterator[Trouble]:
    """What is wrong with a record by itself, beyond the types of its words: no plan could be made with it."""
    judge = _JUDGES.get(type(record))
    if judge is not None:
        yield from judge(record)


def bad_texts(words: object, path: str = "", word: str = "") -> Iterator[Trouble]:
    """Texts with control characters, empty texts, and texts that are too long: the path of each, and why.

    Line breaks are welcome where a text is a paragraph; everywhere else it is one line of a table or a comment.
    """
    if isinstance(words, str):
        yield from ((path, why) for why in [_text_trouble(words, word)] if why)
    elif isinstance(words, list):
        for index, each in enumerate(words):
            yield from bad_texts(each, f"{path}[{index}]", word)
    elif isinstance(words, dict):
        for key, each in words.items():
            where = join(path, str(key))
            yield from bad_texts(each, where, str(key))
            yield from ((where, f"in the word itself: {why}") for why in [_text_trouble(str(key), "")] if why)


def _text_trouble(text: str, word: str) -> str:
    """Why a text may not stand behind a word; empty when it may."""
    breaks = "\n" if word in _PARAGRAPHS else ""
    bad = next((c for c in text if not c.isprintable() and c not in breaks), "")
    if bad:
        return f"{character(bad)} in the text"
    if not text.strip() and (text or word in _NEEDED):
        return "nothing stands here"
    longest = _LONGEST_PARAGRAPH if word in _PARAGRAPHS else _LONGEST_TEXT
    return f"longer than {longest:,} characters" if len(text) > longest else ""


def _of_size(size: ModuleSize) -> Iterator[Trouble]:
    if not re.fullmatch(_SIZE, size.size):
        yield (
            "size",
            f"{quoted(size.size)} is no name of a size: a small letter, then at most 30 of a-z, 0-9, `_` and `-`",
        )


def _of_limit(limit: Limit) -> Iterator[Trouble]:
    if not 0 <= limit.value <= MOST:
        yield "value", f"{limit.value:,} is out of range: a limit is no negative number, and no larger than an exabyte"


def _of_choice(choice: Choice) -> Iterator[Trouble]:
    if not choice.values or any(not 0 < value <= MOST for value in choice.values):
        yield "values", "a choice has values, each more than nothing and at most an exabyte"
    if list(choice.values) != sorted(set(choice.values)):
        yield "values", "the values stand once each, the smallest first"


def _of_constant(constant: Constant) -> Iterator[Trouble]:
    if not constant.low <= constant.value <= constant.high:
        yield "value", "low, value and high are not in this order"


def _of_layout(layout: Layout) -> Iterator[Trouble]:
    used: set[int] = set()
    for path, slots in _slots_of(layout.groups, layout.spares):
        if any(slot >= layout.slots for slot in slots):
            yield path, f"a slot past the last, {layout.slots - 1}"
        if used.intersection(slots) or len(set(slots)) < len(slots):
            yield path, "a slot has two uses"
        used.update(slots)


def _slots_of(groups: tuple[LayoutGroup, ...], spares: tuple[int, ...] | None) -> Iterator[tuple[str, tuple[int, ...]]]:
    for index, group in enumerate(groups):
        yield from ((f"groups[{index}].slots[{number}]", slots) for number, slots in enumerate(group.slots))
    if spares is not None:
        yield "spares", spares


def _of_measurement(measurement: Measurement) -> Iterator[Trouble]:
    """What is wrong with a measurement. One that no figure can use is refused: its author expects that it counts."""
    yield from _of_readings(measurement)
    if measurement.system is None and measurement.trust == "calibration":
        yield "system", "a record for calibration says what system was measured; without one it serves for width alone"
    if measurement.system is None:
        return
    yield from _of_system(measurement.system)
    unit = ids.MEASURABLE.get(measurement.figure)
    if unit is None:
        yield (
            "figure",
            f"no measurement sets {quoted(measurement.figure)}; figures to measure are {ids.MEASURABLE_TEXT}",
        )
    elif unit != measurement.unit:
        yield "unit", f"{measurement.figure} is measured in {unit}"
    if measurement.threads and not measurement.figure.endswith(".peak"):
        yield "threads", "threads are those of a peak; what so many threads reach is a figure of its own, ...threads_8"
    elif measurement.threads and max(measurement.threads.at, default=0) > measurement.threads.most:
        yield "threads.most", "the most threads that ran are no fewer than those at the peak"


def _of_system(system: MeasuredSystem | StatedSystem) -> Iterator[Trouble]:
    """A system is made of modules, or of servers with drives of their own; its file system has its own words."""
    if bool(system.storage_modules) == (system.servers is not None):
        yield "system", "a system has storage_modules, or servers with a pool: one of the two"
    elif system.servers is not None and not system.drive:
        yield "system.drive", "the drive of the servers is missing"


def _of_readings(measurement: Measurement | Statement) -> Iterator[Trouble]:
    if sum(reading.used for reading in measurement.readings) != 1:
        yield "readings", "exactly one reading is used"
    dimension = DIMENSIONS.get(measurement.unit)
    for index, reading in enumerate(measurement.readings):
        try:
            number = units.parse(reading.value, dimension) if dimension else units.parse_count(reading.value)
            if number <= 0:
                yield f"readings[{index}].value", "a reading is more than nothing"
        except units.UnitError as error:
            yield f"readings[{index}].value", str(error)


def _of_statement(statement: Statement) -> Iterator[Trouble]:
    yield from _of_readings(statement)
    yield from _of_system(statement.system)


_JUDGES: dict[type[Record], Callable[[Any], Iterator[Trouble]]] = {
    ModuleSize: _of_size,
    Limit: _of_limit,
    Choice: _of_choice,
    Constant: _of_constant,
    Layout: _of_layout,
    Measurement: _of_measurement,
    Statement: _of_statement,
}


Reference = tuple[str, str, tuple[str, ...]]
"""Path in the naming record, id named, and the kinds that it may be of."""


def references(model: BaseModel, path: str = "") -> Iterator[Reference]:
    """Every id that a record names, of whatever product: its fields say so by `Ref`.

    Empty text is no id where a field may be left out; where a record has to name one, it names no record.
    """
    for name, field in type(model).model_fields.items():
        annotation: Any = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
        value = getattr(model, name)
        if value != "" or field.is_required():
            yield from _named(value, annotation, join(path, field.alias or name))


def _named(value: object, annotation: Any, path: str) -> Iterator[Reference]:  # noqa: ANN401  any type of a field
    """The ids in a value; where its type is one of several, those that the types which fit it speak of."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if isinstance(value, BaseModel):
        yield from references(value, path)
    elif origin is Annotated:
        for kinds in (each.kinds for each in annotation.__metadata__ if isinstance(each, Ref)):
            yield from ((path, text, kinds) for text in [value] if isinstance(text, str))
        yield from _named(value, inner[0], path)
    elif origin in (Union, UnionType):
        for one in inner:
            yield from _named(value, one, path)
    elif origin is tuple and isinstance(value, tuple):
        types = inner if inner[-1] is not Ellipsis else inner[:1] * len(value)
        for index, (each, one) in enumerate(zip(value, types, strict=True)):
            yield from _named(each, one, item(path, index))
    elif origin is dict and isinstance(value, dict):
        for key, each in value.items():
            yield from _named(key, inner[0], join(path, str(key)))
            yield from _named(each, inner[1], join(path, str(key)))
