"""What a catalog record must keep beyond the types of its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pixsize import units
from pixsize.catalog.records import (
    Constant,
    Drive,
    Enclosure,
    Layout,
    LayoutGroup,
    Limit,
    Measurement,
    ModuleSize,
    Record,
)
from pixsize.figures import Unit
from pixsize.load.names import character

Trouble = tuple[str, str]
"""Path in the record, and what is wrong there."""

_DIMENSIONS: dict[Unit, units.Dimension] = {
    "B": "capacity",
    "B/s": "rate",
    "op/s": "operations",
    "W": "power",
    "U": "length",
}
_MOST_SLOTS = 1000
_MOST_ARRAYS = 64


def trouble(record: Record) -> Iterator[Trouble]:
    """Everything that a plan could not be made with."""
    judge = _JUDGES.get(type(record))
    if judge is not None:
        yield from judge(record)


def control_characters(words: object, path: str = "") -> Iterator[Trouble]:
    """Texts that a terminal or a file would obey rather than show. Line breaks are welcome in notes."""
    if isinstance(words, str):
        bad = next((c for c in words if not c.isprintable() and c != "\n"), "")
        if bad:
            yield path, f"{character(bad)} in the text"
    elif isinstance(words, list):
        for index, each in enumerate(words):
            yield from control_characters(each, f"{path}[{index}]")
    elif isinstance(words, dict):
        for word, each in words.items():
            yield from control_characters(each, f"{path}.{word}" if path else str(word))
            yield from ((path, why) for _, why in control_characters(str(word)))


def _of_drive(drive: Drive) -> Iterator[Trouble]:
    if drive.capacity_bytes <= 0:
        yield "capacity", "a drive holds something"


def _of_enclosure(enclosure: Enclosure) -> Iterator[Trouble]:
    if not 1 <= enclosure.slots <= _MOST_SLOTS:
        yield "slots", f"an enclosure has 1 to {_MOST_SLOTS} slots"


def _of_size(size: ModuleSize) -> Iterator[Trouble]:
    if not 1 <= size.arrays <= _MOST_ARRAYS:
        yield "arrays", f"a module has 1 to {_MOST_ARRAYS} arrays"


def _of_limit(limit: Limit) -> Iterator[Trouble]:
    if limit.value < 0:
        yield "value", "a limit is no negative number"


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
    if sum(reading.used for reading in measurement.readings) != 1:
        yield "readings", "exactly one reading is used"
    dimension = _DIMENSIONS.get(measurement.unit)
    for index, reading in enumerate(measurement.readings if dimension else ()):
        try:
            units.parse(reading.value, dimension or "share")
        except units.UnitError as error:
            yield f"readings[{index}].value", str(error)


_JUDGES: dict[type[Record], Callable[[Any], Iterator[Trouble]]] = {
    Drive: _of_drive,
    Enclosure: _of_enclosure,
    ModuleSize: _of_size,
    Limit: _of_limit,
    Constant: _of_constant,
    Layout: _of_layout,
    Measurement: _of_measurement,
}
