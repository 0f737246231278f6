"""Quantities and slot patterns as pydantic reads them: text with a unit in, exact numbers out."""

import re
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator

from pixsize import units

Bytes = Annotated[int, BeforeValidator(lambda v: units.parse_whole(v, "capacity"))]
BytesPerS = Annotated[int, BeforeValidator(lambda v: int(units.parse(v, "rate")))]
RackUnits = Annotated[int, BeforeValidator(lambda v: units.parse_whole(v, "length"))]

_PATTERN = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3})(?:/([0-9]{1,2}))?)?")


def slots_of(text: object) -> tuple[int, ...]:
    """The zero-based slots that a pattern names: `0-18/2` is every second from 0 to 18, `0,12` two, `80-83` four."""
    slots: list[int] = []
    for part in str(text).split(","):
        match = _PATTERN.fullmatch(part)
        if match is None:
            raise ValueError(f"{part!r} is no slot, range or range with a step")
        first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
        if last < first or step < 1:
            raise ValueError(f"{part!r} runs backwards or stands still")
        slots.extend(range(first, last + 1, step))
    return tuple(slots)


Slots = Annotated[tuple[int, ...], BeforeValidator(slots_of)]


def _share(value: object) -> Fraction:
    return units.parse(value, "share")


Share = Annotated[Fraction, BeforeValidator(_share)]
"""A part of one, written in per cent."""


def _bound(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return units.parse_whole(value, "capacity")


Bound = Annotated[int, BeforeValidator(_bound)]
"""A count, or a size in bytes written with its unit."""
