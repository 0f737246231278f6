"""Quantities and slot patterns as pydantic reads them: text with a unit in, exact numbers out."""

import re
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator

from pixsize import units

MOST = 10**18
"""The largest size or rate of a record: an exabyte, or one a second. More is a slip of the pen."""


def _bounded(number: int, text: object, most: int = MOST) -> int:
    if not 1 <= number <= most:
        raise ValueError(f"{str(text)[:40]!r} is out of range: more than nothing, at most {most:,} base units")
    return number


def _drive_bytes(value: object) -> int:
    number = _bounded(units.parse_whole(value, "capacity"), value)
    if "i" in str(value):
        decimal = units.decimal_bytes(number, 3)
        raise ValueError(f"{str(value)[:40]!r} is {decimal}: drives are sold in decimal units, such as 12 TB")
    return number


Bytes = Annotated[int, BeforeValidator(lambda v: units.parse_whole(v, "capacity", "8 MiB"))]
"""A size that computers count: of a block, a chunk or an inode."""
DriveBytes = Annotated[int, BeforeValidator(_drive_bytes)]
"""What a drive is sold as: decimal units, more than nothing, at most an exabyte."""
BytesPerS = Annotated[int, BeforeValidator(lambda v: _bounded(int(units.parse(v, "rate")), v))]
RackUnits = Annotated[int, BeforeValidator(lambda v: _bounded(units.parse_whole(v, "length"), v, 100))]

MOST_SLOTS = 1000
"""Of an enclosure, far above what any has; a pattern that names one twice is no longer either."""
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
        if len(slots) > MOST_SLOTS:
            raise ValueError(f"more than {MOST_SLOTS:,} slots: no enclosure has as many")
    return tuple(slots)


Slots = Annotated[tuple[int, ...], BeforeValidator(slots_of)]


def _share(value: object) -> Fraction:
    return units.parse(value, "share")


Share = Annotated[Fraction, BeforeValidator(_share)]
"""A part of one, written in per cent."""


def bound(value: object) -> int:
    """A count as it is, or the bytes of a size. Raises ValueError where the value is neither."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float):
        raise ValueError(f"{value} is no whole number, and no size with its unit")
    return units.parse_whole(value, "capacity")


Bound = Annotated[int, BeforeValidator(bound)]
"""A count, or a size in bytes written with its unit."""

SCSI_WORD = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,14}[A-Za-z0-9_-])?")
"""A word that multipath compares as a regular expression, within quotes: so none of its signs, and no quotes."""


def _scsi(value: object, most: int) -> str:
    """A word of a SCSI device of at most so many characters, or nothing."""
    text = str(value)
    if text and (len(text) > most or SCSI_WORD.fullmatch(text) is None):
        raise ValueError(
            f"{text[:40]!r} is no word of a SCSI device: letters, digits, blanks, - and _, at most {most} of them"
        )
    return text


ScsiVendor = Annotated[str, BeforeValidator(lambda v: _scsi(v, 8))]
"""What a volume says of its maker (SCSI Primary Commands, standard INQUIRY data: eight characters); or nothing."""
ScsiProduct = Annotated[str, BeforeValidator(lambda v: _scsi(v, 16))]
"""What a volume calls itself (SCSI Primary Commands, standard INQUIRY data: sixteen characters); or nothing."""
