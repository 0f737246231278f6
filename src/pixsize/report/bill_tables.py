"""A bill as tables of plain cells, for CSV and for spreadsheets: text, or a number, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from pixsize.report.bill_json import number, row_values
from pixsize.report.priced_bill import Bill

Cell = str | int | float | None
Table = list[list[Cell]]

COLUMNS = (
    "item",
    "title",
    "count",
    "for",
    "rack_units",
    "part_number",
    "currency",
    "list_price",
    "discount_percent",
    "unit_price",
    "price",
    "power_w",
    "power_is",
    "weight_kg",
    "lead_days",
    "included",
    "purpose",
)
"""The words of a row, in the order of the sheet. Power and weight are those of all parts of the row."""
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell of text that begins so, a spreadsheet may take for a formula, also where the signs are full-width ones."""


def harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe stands before it where it begins like one."""
    return f"'{text}" if text.lstrip(" ").startswith(_STARTS) else text


def rows(bill: Bill) -> Table:
    """Every row of the bill, below the names of the columns."""
    return [list(COLUMNS), *_cells(bill)]


def _cells(bill: Bill) -> Iterator[list[Cell]]:
    for row in bill.rows:
        values = row_values(row)
        values["included"] = "yes" if row.included else "no"
        if row.price is not None:
            values["currency"] = bill.currency
        yield [values.get(column) for column in COLUMNS]


def by_purpose(bill: Bill) -> Table:
    """What the parts of each purpose take together, then all of them. The last row names the sums that lack a part."""
    found: Table = [["purpose", "parts", "rack_units", "price", "currency", "power_w", "weight_kg", "without a price"]]
    for purpose in bill.purposes:
        part = bill.of(purpose)
        found.append(
            [
                purpose,
                sum(r.count or 0 for r in part),
                sum(r.row.rack_units or 0 for r in part) or None,
                _sum(r.price for r in part),
                bill.currency,
                _sum(r.power_w for r in part),
                _sum(r.weight_kg for r in part),
                sum(r.price is None for r in part) or None,
            ]
        )
    sums = bill.totals
    lacking = sum(r.price is None for p in bill.purposes for r in bill.of(p))
    counts = sum(r.count or 0 for p in bill.purposes for r in bill.of(p))
    summed = {"price": sums.price, "power_w": sums.power_w, "weight_kg": sums.weight_kg}
    least = ", ".join(word for word, value in summed.items() if value is not None and word in sums.at_least)
    price, power, weight = map(_number, summed.values())
    found.append(
        [
            f"total; at least: {least}" if least else "total",
            counts,
            sums.rack_units,
            price,
            bill.currency,
            power,
            weight,
            lacking or None,
        ]
    )
    return found


def _sum(values: Iterator[Decimal | None]) -> Cell:
    known = [v for v in values if v is not None]
    return _number(sum(known, Decimal(0))) if known else None


def _number(value: Decimal | None) -> Cell:
    return None if value is None else number(value)


def ports(bill: Bill) -> Table:
    """The ports of switches and adapters."""
    found: Table = [["item", "title", "for", "ports", "used", "kept for clients", "free"]]
    return found + [[p.item, p.title, p.use, p.ports, p.used, p.kept, p.free] for p in bill.ports]


def missing(bill: Bill) -> Table:
    """What nobody gave, and what is not included."""
    found: Table = [["item", "what is missing"]]
    found += [[m.item, m.what] for m in bill.missing]
    return found + [["not included", text] for text in bill.not_included]
