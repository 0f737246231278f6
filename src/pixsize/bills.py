"""The bill of a plan with what a parts file says of it: `bom`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pixsize.findings import Finding, has_errors
from pixsize.workflow import Checked, Given, Tell, check, silent

if TYPE_CHECKING:
    from pixsize.load.parts_loader import LoadedParts
    from pixsize.report.bill import Row
    from pixsize.report.priced_bill import Bill

# Rooms are imported where they are used, as in `workflow`.


class Billed(NamedTuple):
    """A bill, or None when a finding forbids it. `rack` is how many units a rack has, where the parts file says it."""

    findings: tuple[Finding, ...]
    bill: Bill | None
    example: Path | None
    rack: int | None = None


def bom(given: Given, parts: str | None, tell: Tell = silent) -> Billed:
    """The bill of a request; `parts` is the path of a parts file. Everything that is wrong is found at once."""
    return bill_of(check(given, tell), parts, tell)


def bill_of(checked: Checked, parts: str | None, tell: Tell = silent) -> Billed:
    """The bill of a request that is checked, as `bom`."""
    loaded, found = _parts(parts, tell)
    if has_errors((*checked.findings, *found)):
        return Billed((*checked.findings, *found), None, checked.example)
    tell("counting")
    bill, more = _bill(checked, loaded)
    found = (*checked.findings, *found, *more)
    rack = loaded.words.rack.units if loaded and loaded.words.rack else None
    return Billed(found, None if has_errors(found) else bill, checked.example, rack)


def _parts(path: str | None, tell: Tell) -> tuple[LoadedParts | None, tuple[Finding, ...]]:
    if path is None:
        return None, ()
    from pixsize.load.parts_loader import load_parts

    tell("reading the parts file")
    return load_parts(path)


def _bill(checked: Checked, parts: LoadedParts | None) -> tuple[Bill | None, tuple[Finding, ...]]:
    """The bill of an allowed plan, and what does not fit between it and the parts file."""
    from pixsize.catalog.designs import Design
    from pixsize.product import filesystem_of
    from pixsize.report import bill as counted
    from pixsize.report import priced_bill
    from pixsize.report.ports import ports

    if checked.plan is None or checked.catalog is None or checked.loaded is None:
        return None, ()
    plan, catalog = checked.plan, checked.catalog
    filesystem, request = filesystem_of(catalog.get(Design, plan.design)), checked.loaded.request
    words = parts.words.by_record(catalog) if parts else None
    found = counted.rows(plan, catalog)
    rows = priced_bill.priced(found, words)
    lacking = priced_bill.missing(rows, counted.bare(plan, catalog), counted.uncounted(plan))
    made = priced_bill.Bill(
        plan.name,
        plan.design,
        words.currency if words else None,
        words.discount_percent if words else None,
        rows,
        priced_bill.totals(rows, words, lacking),
        lacking,
        ports(plan, filesystem.fabric(request), filesystem.client_ports(request), catalog),
        counted.not_included(plan, catalog),
        parts is not None,
    )
    return made, tuple(_misfits(made, found, parts, checked))


def _misfits(made: Bill, rows: tuple[Row, ...], parts: LoadedParts | None, checked: Checked) -> Iterator[Finding]:
    """What does not fit between the parts file and the bill."""
    from pixsize.load.parts_loader import Known, judge_parts
    from pixsize.report.priced_bill import MOST_PRICE

    if parts is None or checked.catalog is None:
        return
    known = Known({r.item for r in rows if r.count is not None}, {r.item for r in rows if r.count is None})
    yield from judge_parts(parts, known, checked.catalog)
    total = made.totals.price
    if total is not None and total > MOST_PRICE:
        message = f"{total:,} {made.currency} together; a bill is at most {MOST_PRICE:,}"
        yield parts.finding("PX655", "parts", message, at_key=True)
