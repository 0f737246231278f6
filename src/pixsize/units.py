"""Text with a unit <-> exact number. The only importer of pint, and it asks pint only about units outside its table."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pint

Dimension = Literal["capacity", "rate", "operations", "power", "length", "share"]

BASE_UNITS: dict[Dimension, str] = {
    "capacity": "B",
    "rate": "B/s",
    "operations": "op/s",
    "power": "W",
    "length": "U",
    "share": "1",
}
"""What a number of each dimension counts inside pixsize."""

_DECIMAL = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15, "E": 10**18}
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50, "Ei": 2**60}

TABLE: dict[str, tuple[Dimension, Fraction]] = (
    {p + "B": ("capacity", Fraction(f)) for p, f in (_DECIMAL | _BINARY).items()}
    | {p + "B/s": ("rate", Fraction(f)) for p, f in (_DECIMAL | _BINARY).items()}
    | {p + "b/s": ("rate", Fraction(f, 8)) for p, f in _DECIMAL.items()}
    | {p + "op/s": ("operations", Fraction(f)) for p, f in _DECIMAL.items()}
    | {p + "W": ("power", Fraction(f)) for p, f in (("", 1), ("k", 1000))}
    | {"U": ("length", Fraction(1)), "%": ("share", Fraction(1, 100))}
)
"""The common units: dimension, and how many base units one is. A test compares it with pint."""

_EXAMPLES: dict[Dimension, str] = {
    "capacity": "12 TB",
    "rate": "5.5 GB/s",
    "operations": "12.4 kop/s",
    "power": "205 W",
    "length": "5 U",
    "share": "3 %",
}

_NAMES: dict[Dimension, str] = {
    "capacity": "a capacity",
    "rate": "a rate",
    "operations": "a rate of operations",
    "power": "a power",
    "length": "a height",
    "share": "a share",
}
"""What a message calls a quantity of each dimension."""

_QUANTITY = re.compile(r"([0-9]{1,24}(?:\.[0-9]{1,12})?) ?([A-Za-z%][A-Za-z/]{0,19}|%)")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_COUNT = re.compile(r"[0-9]{1,15}|[0-9]{1,3}(?:,[0-9]{3}){1,4}")


class UnitError(ValueError):
    """Text that is no quantity of the wanted dimension; `code` is the finding it becomes."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def parse(text: object, dimension: Dimension, example: str = "") -> Fraction:
    """The number of base units that `text` says, exactly. Raises UnitError with PX104, PX105 or PX106.

    `example` is what a message shows, where the usual one of the dimension would mislead.
    """
    example, named = example or _EXAMPLES[dimension], _NAMES[dimension]
    if isinstance(text, bool) or not isinstance(text, (str, int, float)):
        raise UnitError("PX104", f"{named} is written as a number and a unit, such as {example}")
    if not isinstance(text, str) or _NUMBER.fullmatch(text):
        raise UnitError("PX105", f"a number without a unit; {named} needs one, such as {example}")
    match = _QUANTITY.fullmatch(text.strip(" "))
    if match is None:
        raise UnitError("PX104", f"{text[:40]!r} is not {named}, such as {example}")
    return Fraction(match[1]) * _factor(match[2], dimension, example)


def parse_whole(text: object, dimension: Dimension, example: str = "") -> int:
    """As `parse`, where only a whole number of base units makes sense."""
    number = parse(text, dimension, example)
    if number.denominator != 1:
        raise UnitError("PX104", f"{text} is no whole number of {BASE_UNITS[dimension]}")
    return int(number)


def parse_count(text: str) -> int:
    """A count as documents print it, `56,623,104`. Raises UnitError with PX104."""
    if not _COUNT.fullmatch(text):
        raise UnitError("PX104", f"{text[:40]!r} is no count, such as 56,623,104")
    return int(text.replace(",", ""))


def half_last_digit(text: str, dimension: Dimension) -> int:
    """Half a unit of the last digit that `text` prints, in base units: how far rounding alone may have moved it."""
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise UnitError("PX104", f"{text!r} is not {_NAMES[dimension]}")
    decimals = len(match[1].partition(".")[2])
    return int(_factor(match[2], dimension, _EXAMPLES[dimension]) / (2 * 10**decimals))


def _factor(unit: str, dimension: Dimension, example: str) -> Fraction:
    if unit not in TABLE:
        meant = next((u for u, (d, _) in TABLE.items() if d == dimension and u.lower() == unit.lower()), "")
        if meant:
            raise UnitError(
                "PX106", f"{unit} does not measure {_NAMES[dimension]}; upper and lower case matter: {meant}?"
            )
    known, factor = TABLE.get(unit) or _ask_pint(unit)
    if known != dimension:
        fitting = example.partition(" ")[2]
        raise UnitError("PX106", f"{unit} does not measure {_NAMES[dimension]}; use {fitting} or the like")
    return factor


@lru_cache(maxsize=64)
def _ask_pint(unit: str) -> tuple[str, Fraction]:
    """Dimension and factor of a unit outside the table; "another quantity" for what pixsize has no use for."""
    wanted: tuple[tuple[Dimension, str], ...] = (("capacity", "byte"), ("rate", "byte/second"), ("power", "watt"))
    try:
        quantity = _registry().Quantity(Fraction(1), unit).to_root_units()
        for dimension, base in wanted:
            one = _registry().Quantity(Fraction(1), base).to_root_units()
            # Root units, not dimensions: to pint bits have none, so that a radian would pass for a capacity.
            if quantity.units == one.units:
                return dimension, Fraction(quantity.magnitude) / Fraction(one.magnitude)
    except Exception as error:  # pint raises a dozen kinds for text that is no unit
        if not _is_known(unit):
            raise UnitError("PX106", f"{unit!r} is no unit that pixsize knows") from error
    return "another quantity", Fraction(1)


def _is_known(unit: str) -> bool:
    """Whether pint has a unit, which it may be unable to convert: a decibel, where numpy is installed."""
    try:
        _registry().parse_units(unit)
    except Exception:
        return False
    return True


@lru_cache(maxsize=1)
def _registry() -> pint.UnitRegistry[Fraction]:
    import pint

    return pint.UnitRegistry(non_int_type=Fraction)


Towards = Literal["nearest", "down", "up"]
"""Where a number is rounded to: a bound goes outwards."""


def decimal_bytes(value: int, digits: int = 2, towards: Towards = "nearest") -> str:
    """Bytes as decimal text, `4032 TB`: the unit is TB from one TB on, and never PB, so that columns compare."""
    return _scaled(value, (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3), ("B", 1)), digits, towards)


def both_bytes(value: int, towards: Towards = "nearest") -> str:
    """Bytes as decimal and binary text, side by side: `96 TB (87.31 TiB)`."""
    return f"{decimal_bytes(value, 2, towards)} ({binary_bytes(value, 2, towards)})"


def binary_bytes(value: int, digits: int = 2, towards: Towards = "nearest") -> str:
    """Bytes as binary text, `2793.97 TiB`."""
    return _scaled(value, (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("B", 1)), digits, towards)


def show(value: int, unit: str, digits: int = 2, towards: Towards = "nearest") -> str:
    """A figure's value as text with a unit that suits its size. Decimal prefixes throughout."""
    if unit == "B":
        return decimal_bytes(value, digits, towards)
    if unit == "B/s":
        return _scaled(value, (("GB/s", 10**9), ("MB/s", 10**6), ("kB/s", 10**3), ("B/s", 1)), digits, towards)
    if unit == "op/s":
        return _scaled(value, (("Mop/s", 10**6), ("kop/s", 10**3), ("op/s", 1)), digits, towards)
    if unit == "1":
        return f"{value:,}"
    return f"{value:,} {unit}"


def rough(value: int, unit: str, digits: int, towards: Towards = "nearest") -> str:
    """A rate with so many significant digits, as one says it: `165 kop/s`; all else as `show` has it."""
    if unit in ("B/s", "op/s"):
        step = 10 ** max(len(str(value)) - digits, 0)
        value = round(rounded(value, step, 0, towards)) * step
    return show(value, unit, 2, towards)


def _scaled(value: int, units: tuple[tuple[str, int], ...], digits: int, towards: Towards) -> str:
    name, factor = next((u for u in units if abs(value) >= u[1]), units[-1])
    text = grouped(rounded(value, factor, digits, towards), digits)
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {name}"


def rounded(value: int, factor: int, digits: int, towards: Towards = "nearest") -> float:
    """How many times the factor, to so many digits behind the point; of two equally near the upper one."""
    steps: int = 10**digits
    number = value * steps
    if towards == "nearest":
        return (2 * number + factor) // (2 * factor) / steps
    return (number // factor if towards == "down" else -(-number // factor)) / steps


def grouped(number: float, digits: int) -> str:
    """A number as text, with commas from five digits before the point on, as the documents print: 4032, 12,096."""
    return f"{number:,.{digits}f}" if abs(round(number, digits)) >= 10_000 else f"{number:.{digits}f}"
