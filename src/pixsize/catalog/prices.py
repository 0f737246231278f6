"""What a user's parts file says: prices, part numbers, power, weights and lead times. Amounts are exact decimals."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.patterns import matching
from pixsize.catalog.records import Model
from pixsize.units import UnitError

_MOST_DECIMALS = 3
"""Of an amount: no currency has smaller units than a thousandth (ISO 4217)."""
_OTHER_DIGITS = dict.fromkeys(
    ("CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF"), 0
) | dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3)
"""Decimals of the currencies that have not two (ISO 4217)."""


def _amount(value: object, most: int, decimals: int = _MOST_DECIMALS) -> Decimal:
    """A number of a file as an exact decimal. Raises UnitError with PX104 or PX108."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise UnitError("PX104", "a number is needed here, without quotes, currency or unit, such as 410 or 9.5")
    number = Decimal(value)
    if not 0 <= number <= most:
        raise UnitError("PX108", f"out of range: 0 to {most:,}")
    if number != round(number, decimals):
        raise UnitError("PX108", f"more than {decimals} digits behind the point")
    return number


def _up_to(most: int, decimals: int = _MOST_DECIMALS) -> BeforeValidator:
    return BeforeValidator(lambda value: _amount(value, most, decimals))


Price = Annotated[Decimal, _up_to(100_000_000)]
Watts = Annotated[Decimal, _up_to(100_000)]
Kilograms = Annotated[Decimal, _up_to(10_000)]
Percent = Annotated[Decimal, _up_to(100)]
Days = Annotated[int, Field(ge=0, le=3650)]
Currency = Annotated[str, matching(r"[A-Z]{3}", "three capital letters (ISO 4217), such as EUR")]


def digits_of(currency: str) -> int:
    """How many digits a price in a currency has behind the point."""
    return _OTHER_DIGITS.get(currency, 2)


def own_id(item: str, catalog: Catalog) -> str:
    """The id of the record that stands for a part; its own where it has no record."""
    return catalog.id_of(item) if item in catalog else item


class Part(Model):
    """What a parts file says of one part; all numbers are those of a single one.

    `power_w` is what it draws, `nameplate_w` the rating that its maker prints: a limit. A part of the user's own has
    `title` and `count`.
    """

    title: str | None = None
    count: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    price: Price | None = None
    discount_percent: Percent | None = None
    part_number: str | None = None
    power_w: Watts | None = None
    nameplate_w: Watts | None = None
    weight_kg: Kilograms | None = None
    lead_days: Days | None = None


class Rack(Model):
    """The racks that a system is to stand in."""

    units: Annotated[int, Field(ge=1, le=100)]


class PartsFile(Model):
    """A parts file. `discount_percent` holds for every part that has none of its own."""

    currency: Currency | None = None
    discount_percent: Percent | None = None
    rack: Rack | None = None
    parts: dict[str, Any] = Field(default={})

    def part(self, item: str) -> Part | None:
        """What the file says of a part; None where it does not name it."""
        found = self.parts.get(item)
        return found if isinstance(found, Part) else None

    def by_record(self, catalog: Catalog) -> PartsFile:
        """The same with parts by the ids of the records that stand for them: an overlay may have replaced some."""
        return self.model_copy(update={"parts": {own_id(item, catalog): part for item, part in self.parts.items()}})

    def discount_of(self, part: Part) -> Decimal:
        """What is taken off the price of a part, in per cent."""
        return part.discount_percent if part.discount_percent is not None else self.discount_percent or Decimal(0)

    def unit_price(self, part: Part) -> Decimal | None:
        """The price of one part less its discount, rounded half up to the smallest unit of the currency."""
        if part.price is None:
            return None
        smallest = Decimal(1).scaleb(-digits_of(self.currency or ""))
        return (part.price * (100 - self.discount_of(part)) / 100).quantize(smallest, ROUND_HALF_UP)
