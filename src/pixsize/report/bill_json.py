"""A bill as plain values in the words of `pixsize.bom/1`. What nobody gave is left out."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pixsize.report.ports import Ports
from pixsize.report.priced_bill import Bill, Priced, Totals

SCHEMA = "pixsize.bom/1"


def document(bill: Bill) -> dict[str, Any]:
    """The whole bill, in a fixed order."""
    return _given(
        {
            "schema": SCHEMA,
            "name": bill.name,
            "design": bill.design,
            "currency": bill.currency,
            "discount_percent": bill.discount,
            "rows": [row_values(r) for r in bill.rows],
            "totals": _totals(bill.totals),
            "ports": [_ports(p) for p in bill.ports],
            "missing": [{"item": m.item, "what": m.what} for m in bill.missing],
            "not_included": list(bill.not_included),
        }
    )


def row_values(row: Priced) -> dict[str, Any]:
    """A row by the words of the form."""
    return _given(
        {
            "item": row.row.item,
            "title": row.row.title,
            "count": row.count,
            "for": row.row.use,
            "purpose": row.row.purpose,
            "rack_units": row.row.rack_units,
            "part_number": row.part_number,
            "list_price": row.list_price,
            "discount_percent": row.discount_percent,
            "unit_price": row.unit_price,
            "price": row.price,
            "power_w": row.power_w,
            "power_is": ("nameplate" if row.nameplate else "draw") if row.power_w is not None else None,
            "weight_kg": row.weight_kg,
            "lead_days": row.lead_days,
            "included": row.included,
        }
    )


def number(value: Decimal) -> int | float:
    """A decimal as a number of JSON or of a spreadsheet, which has the same digits.

    Fifteen digits survive that; what would have more is refused when it is read, or as a total (PX655).
    """
    return int(value) if value == value.to_integral_value() else float(value)


def _given(words: Mapping[str, Any]) -> dict[str, Any]:
    """The words that have a value, decimals as numbers."""
    return {k: number(v) if isinstance(v, Decimal) else v for k, v in words.items() if v is not None}


def _totals(totals: Totals) -> dict[str, Any]:
    return _given(
        {
            "rack_units": totals.rack_units,
            "racks": totals.racks,
            "price": totals.price,
            "power_w": totals.power_w,
            "nameplate_w": totals.nameplate_w,
            "heat_btu_per_h": totals.heat,
            "weight_kg": totals.weight_kg,
            "lead_days": totals.lead_days,
            "at_least": list(totals.at_least),
        }
    )


def _ports(ports: Ports) -> dict[str, Any]:
    return _given(
        {
            "item": ports.item,
            "title": ports.title,
            "for": ports.use,
            "ports": ports.ports,
            "used": ports.used,
            "kept": ports.kept,
            "free": ports.free,
        }
    )
