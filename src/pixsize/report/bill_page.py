"""A bill as a page: text and Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from pixsize.report.bill import LICENCES
from pixsize.report.document import Column, Items, Page, Section, Table
from pixsize.report.ports import Ports
from pixsize.report.priced_bill import Bill, Priced
from pixsize.texts import listed, plural

ROUNDING = (
    "The discount is taken off the price of one part, which is then rounded half up to the smallest unit of the "
    "currency. All other prices are products and sums of these, and are not rounded."
)
_NAMED = {
    "price": "price",
    "power_w": "power",
    "weight_kg": "weight",
    "part_number": "part number",
    "lead_days": "lead time",
    "count": "count",
    "parts": "processors, memory and system disks",
    "length": "length of the cables",
}
"""What may be missing, in words."""
_MOST_NAMED = 12
_LONGEST_ID = 26


def page(bill: Bill) -> Page:
    """The whole bill: totals first, then rows by purpose, ports, what nobody gave, and what is not included."""
    sections = (
        Section("Bill of materials", (_rows(bill),)),
        Section("Power, weight, lead time", tuple(_extras(bill))),
        Section("Ports", (port_table(bill),) if bill.ports else ()),
        Section("What nobody gave", tuple(missing(bill))),
        Section("Not in the box", (Items(bill.not_included),)),
        Section("How prices are made", (ROUNDING,) if bill.totals.price is not None else ()),
    )
    return Page(bill.name, tuple(overview(bill)), tuple(s for s in sections if s.blocks))


def overview(bill: Bill) -> Iterator[tuple[str, str]]:
    """Price, rack space, power, weight and lead time, as far as somebody gave them."""
    sums = bill.totals
    unpriced = len({m.item for m in bill.missing if m.what == "price"})
    if sums.price is not None:
        least = "at least " if "price" in sums.at_least else ""
        lacking = f"; {_without(unpriced)}" if unpriced else ""
        yield "price", f"{least}{bill.currency} {sums.price:,}{lacking}"
    elif bill.has_parts:
        yield "price", "no part has one"
    else:
        yield "price", "none: --parts names a file with prices"
    racks = f", {plural(sums.racks, 'rack')} at least" if sums.racks else ""
    yield "rack space", f"{sums.rack_units:,} U{racks}"
    if sums.power_w is not None:
        yield "power", _power(bill, sums.power_w)
    if sums.weight_kg is not None:
        yield "weight", f"{_least(bill, 'weight_kg')}{_plain(sums.weight_kg)} kg"
    if sums.lead_days is not None:
        yield "lead time", f"{plural(sums.lead_days, 'day')} for the slowest part that has one"


def _without(parts: int) -> str:
    return "1 part has none" if parts == 1 else f"{parts:,} parts have none"


def _least(bill: Bill, word: str) -> str:
    return "at least " if word in bill.totals.at_least else ""


def _power(bill: Bill, watts: Decimal) -> str:
    """The power, and what of it is a rating: a limit, which says nothing of the draw."""
    sums = bill.totals
    if sums.nameplate_w is None:
        return f"{_least(bill, 'power_w')}{_plain(watts)} W"
    limits = f"{_plain(sums.nameplate_w)} W of it are nameplate ratings: upper limits, not what the parts draw"
    more = "; parts without a number not counted" if "power_w" in sums.at_least else ""
    return f"{_plain(watts)} W, {limits}{more}"


def _rows(bill: Bill) -> Table:
    """One table with a heading for each purpose. With prices, what a part is for stands behind what it is called."""
    has_prices = bill.totals.price is not None
    found: list[tuple[str, ...]] = []
    headings = set()
    columns = _columns(bill, has_prices)
    for purpose in bill.purposes:
        headings.add(len(found))
        found.append((_heading(bill, purpose), *[""] * (len(columns) - 1)))
        found += [_row(row, has_prices) for row in bill.of(purpose)]
    return Table(columns, tuple(found), headings=frozenset(headings))


def _columns(bill: Bill, has_prices: bool) -> tuple[Column, ...]:
    """Ids are whole where they are short: they are copied into a parts file."""
    longest = max((len(r.row.item) for r in bill.rows), default=0)
    first = (Column("count", "right"), Column("id", wraps=longest > _LONGEST_ID), Column("part", wraps=True))
    return (
        *first,
        *((Column("each", "right"), Column("price", "right")) if has_prices else (Column("for", wraps=True),)),
    )


def _heading(bill: Bill, purpose: str) -> str:
    """A purpose with what its parts cost together."""
    known = [r.price for r in bill.of(purpose) if r.price is not None]
    if not known:
        return purpose
    least = "at least " if len(known) < len(bill.of(purpose)) else ""
    return f"{purpose}: {least}{bill.currency} {sum(known, Decimal(0)):,}"


def _row(row: Priced, has_prices: bool) -> tuple[str, ...]:
    first = (f"{row.count:,}", row.row.item)
    if not has_prices:
        return (*first, row.row.title, row.row.use)
    prices = (f"{p:,}" if p is not None else "-" for p in (row.unit_price, row.price))
    return (*first, f"{row.row.title}; {row.row.use}", *prices)


def _plain(number: Decimal | int) -> str:
    """A number without zeros at the end of its decimals."""
    text = f"{number:,f}" if isinstance(number, Decimal) else f"{number:,}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _extras(bill: Bill) -> Iterator[Table | str]:
    """The parts that have a part number, power, a weight or a lead time; the heat of the power."""
    rows = []
    for row in bill.rows:
        power = f"{_plain(row.power_w)}{' (limit)' if row.nameplate else ''}" if row.power_w is not None else "-"
        weight = f"{_plain(row.weight_kg)}" if row.weight_kg is not None else "-"
        days = f"{row.lead_days:,}" if row.lead_days is not None else "-"
        number = row.part_number or "-"
        if row.included and {power, weight, days, number} != {"-"}:
            rows.append((row.row.item, number, power, weight, days))
    columns = (Column("id", wraps=True), Column("part number", wraps=True))
    right = tuple(Column(title, "right") for title in ("W", "kg", "days"))
    if rows:
        yield Table((*columns, *right), tuple(rows))
    if bill.totals.heat is not None:
        yield f"Heat of this power: {bill.totals.heat:,} Btu/h."


def port_table(bill: Bill) -> Table:
    """The ports of switches and adapters."""
    columns = (Column("device", wraps=True), Column("for", wraps=True))
    counted = (Column("ports", "right"), Column("used", "right"), Column("clients", "right"), Column("free", "right"))
    return Table((*columns, *counted), tuple(_port_row(p) for p in bill.ports))


def _port_row(ports: Ports) -> tuple[str, ...]:
    numbers = (ports.ports, ports.used, ports.kept or None, ports.free)
    return (ports.title, ports.use, *(f"{n:,}" if n is not None else "-" for n in numbers))


def missing(bill: Bill) -> Iterator[str | Items]:
    """A line for each thing that is missing: the parts that lack it, or that all do. Of prices, every part is named."""
    by_what: dict[str, list[str]] = {}
    for each in bill.missing:
        by_what.setdefault(each.what, []).append(each.item)
    items = {row.row.item for row in bill.rows if row.included and row.row.purpose != LICENCES}
    said = []
    for what, lacking in by_what.items():
        shown = len(lacking) if what == "price" else _MOST_NAMED
        named = "every part" if len(lacking) > _MOST_NAMED and items <= set(lacking) else listed(lacking, shown)
        said.append(f"{_NAMED[what]}: {named}")
    if said:
        yield Items(tuple(said))
        yield "Nothing of this counts as zero: sums are of what is known."
