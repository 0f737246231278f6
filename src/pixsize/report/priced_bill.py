"""A bill with what a parts file says of its rows: prices, power, weights, totals, and what nobody gave.

Amounts are exact decimals. A price is rounded once, for one part (`PartsFile.unit_price`); all else is products and
sums of it. What nobody gave is absent, never zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from pixsize.catalog.prices import Part, PartsFile
from pixsize.report.bill import CABLES, LICENCES, OWN, PURPOSES, Row
from pixsize.report.ports import Ports

_NO_PART = Part()
_BTU_AN_HOUR = Decimal("3.412142")
"""Of a watt (1 Btu is 1055.05585 J)."""
MOST_PRICE = 10**12
"""Above it a total is a mistake; below it a number of JSON or of a spreadsheet holds every digit of it."""


class Priced(NamedTuple):
    """A row with what the parts file says of it, of all its parts together; None where nobody says it.

    `nameplate` says that the power is a rating, which is an upper limit, not the draw.
    """

    row: Row
    count: int | None  # type: ignore[assignment]  # as in Row
    included: bool
    part_number: str | None = None
    unit_price: Decimal | None = None
    price: Decimal | None = None
    list_price: Decimal | None = None
    discount_percent: Decimal | None = None
    power_w: Decimal | None = None
    nameplate: bool = False
    weight_kg: Decimal | None = None
    lead_days: int | None = None

    @property
    def lacks(self) -> Iterator[str]:
        """The words of a parts file that nobody gave, and that the row could have."""
        if self.count is None:
            yield "count"
        if not self.included:
            return
        own = self.row.purpose == OWN
        held: dict[str, object] = {"price": self.price, "part_number": self.part_number}
        if not own:
            held["lead_days"] = self.lead_days
        if not own and self.row.purpose not in (LICENCES, CABLES):
            held["power_w"] = self.power_w
        if not own and self.row.purpose != LICENCES:
            held["weight_kg"] = self.weight_kg
        yield from (word for word, value in held.items() if value is None)


class Missing(NamedTuple):
    """Something that nobody gave: the id of a part, and what of it."""

    item: str
    what: str


class Totals(NamedTuple):
    """Sums over what is included and has a number; None where nothing has one.

    `at_least` are the sums that some part is missing in. `nameplate_w` is what ratings make up of the power.
    """

    rack_units: int
    price: Decimal | None
    power_w: Decimal | None
    nameplate_w: Decimal | None
    weight_kg: Decimal | None
    lead_days: int | None
    racks: int | None
    at_least: tuple[str, ...]

    @property
    def heat(self) -> int | None:
        """The heat of the power, in Btu an hour: all that a system draws becomes heat."""
        return None if self.power_w is None else int((self.power_w * _BTU_AN_HOUR).to_integral_value())


class Bill(NamedTuple):
    """A whole bill."""

    name: str
    design: str
    currency: str | None
    discount: Decimal | None
    rows: tuple[Priced, ...]
    totals: Totals
    missing: tuple[Missing, ...]
    ports: tuple[Ports, ...]
    not_included: tuple[str, ...]
    has_parts: bool

    def of(self, purpose: str) -> tuple[Priced, ...]:
        """The rows of a purpose that are included."""
        return tuple(r for r in self.rows if r.row.purpose == purpose and r.included)

    @property
    def purposes(self) -> tuple[str, ...]:
        """The purposes that have rows, in their order."""
        return tuple(purpose for purpose in PURPOSES if self.of(purpose))


def priced(rows: Iterable[Row], words: PartsFile | None) -> tuple[Priced, ...]:
    """The rows, and behind them the user's own parts, each with what the parts file says of it."""
    known = tuple(rows)
    ids = {row.item for row in known}
    if words is None:
        return tuple(Priced(row, row.count, row.included) for row in known)
    own = (
        Row(item, part.title, part.count, "by the parts file", OWN)
        for item, part in words.parts.items()
        if item not in ids and part.title is not None and part.count is not None
    )
    return tuple(_one(row, words) for row in (*known, *own))


def _one(row: Row, words: PartsFile) -> Priced:
    part = words.part(row.item) or _NO_PART
    count = part.count if row.count is None else row.count
    found = Priced(row, count, row.included or count is not None, part.part_number, lead_days=part.lead_days)
    if count is None:
        return found
    unit, watts = words.unit_price(part), part.power_w if part.power_w is not None else part.nameplate_w
    less = words.discount_of(part) if unit is not None else Decimal(0)
    return found._replace(
        unit_price=unit,
        price=_times(unit, count),
        list_price=part.price if less else None,
        discount_percent=less or None,
        power_w=_times(watts, count),
        nameplate=part.power_w is None and watts is not None,
        weight_kg=_times(part.weight_kg, count),
    )


def _times(each: Decimal | None, count: int) -> Decimal | None:
    return None if each is None else each * count


def missing(rows: Sequence[Priced], bare: Iterable[str], uncounted: Iterable[str]) -> tuple[Missing, ...]:
    """What nobody gave, once for each id.

    `bare` are models of servers of which nobody says what is in them, `uncounted` cables that nobody counts. Lengths of
    cables are never known.
    """
    found = [Missing(r.row.item, what) for r in rows for what in r.lacks]
    found += [Missing(model, "parts") for model in bare]
    found += [Missing(r.row.item, "length") for r in rows if r.row.purpose == CABLES]
    found += [Missing(item, "count") for item in uncounted]
    return tuple(dict.fromkeys(found))


def totals(rows: Sequence[Priced], words: PartsFile | None, lacking: Iterable[Missing]) -> Totals:
    """The sums of a bill."""
    inside = [r for r in rows if r.included]
    units = sum(r.row.rack_units or 0 for r in inside)
    lacks = {word for r in inside for word in r.lacks}
    rack = words.rack.units if words and words.rack else None
    days = [r.lead_days for r in inside if r.lead_days is not None]
    sums = ("price", "power_w", "weight_kg")
    left_out = {r.row.item for r in rows if not r.included}
    unknown = any(what in ("parts", "count") and item not in left_out for item, what in lacking)
    return Totals(
        rack_units=units,
        price=_sum(r.price for r in inside),
        power_w=_sum(r.power_w for r in inside),
        nameplate_w=_sum(r.power_w for r in inside if r.nameplate),
        weight_kg=_sum(r.weight_kg for r in inside),
        lead_days=max(days, default=None),
        racks=None if rack is None else -(-units // rack),
        at_least=tuple(s for s in sums if s in lacks or unknown),
    )


def _sum(values: Iterable[Decimal | None]) -> Decimal | None:
    """The sum of what is there; None where nothing is."""
    known = [v for v in values if v is not None]
    return sum(known, Decimal(0)) if known else None
