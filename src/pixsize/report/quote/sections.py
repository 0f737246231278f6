"""A quote as pages of sections: two pages for a customer, then the appendix.

The writers of HTML, Markdown and DOCX draw these; the workbook reads the record itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Literal, NamedTuple

from pixsize import units
from pixsize.report import labels
from pixsize.report.bill_page import missing, port_table
from pixsize.report.document import Column, Items, Table
from pixsize.report.priced_bill import Bill, Priced
from pixsize.report.quote.contents import Measure, Quote, price_of
from pixsize.report.quote.racks import Rack
from pixsize.report.waterfall import ends, sizes
from pixsize.texts import plural

MOST_RACKS = 12
"""Racks that are drawn and listed; a workbook has all of them."""


class Facts(NamedTuple):
    """Names and values, one a line."""

    rows: tuple[tuple[str, str], ...]


class Ranges(NamedTuple):
    """Quantities with their ranges, below the titles of the columns. `legend` says how to read the bars."""

    titles: tuple[str, ...]
    measures: tuple[Measure, ...]
    legend: str

    def table(self) -> Table:
        """The same without bars."""
        name, low, value, high, basis = self.titles
        right = (Column(low, "right", style="strong"), Column(value, "right"), Column(high, "right"))
        rows = tuple((m.name, m.low, m.value, m.high, m.basis) for m in self.measures)
        return Table((Column(name, wraps=True), *right, Column(basis, wraps=True)), rows)


class Picture(NamedTuple):
    """A picture of a part of the quote, in words for who cannot see it, and as a table for forms without pictures."""

    kind: Literal["waterfall", "racks", "topology"]
    about: str
    instead: Table


Block = str | Items | Table | Facts | Ranges | Picture


class Part(NamedTuple):
    """A heading, by its word in the template, and what stands below it."""

    id: str
    title: str
    blocks: tuple[Block, ...]


class Pages(NamedTuple):
    """The whole quote: its head, the parts for the customer and those of the appendix."""

    title: str
    head: Facts
    introduction: tuple[str, ...]
    parts: tuple[Part, ...]
    appendix: str
    further: tuple[Part, ...]
    closing: tuple[str, ...]


def pages(quote: Quote) -> Pages:
    """The sections of a quote. A part that has nothing to say is left out."""
    words = quote.words
    first = (
        Part("system", words.heading("system"), (Facts(quote.system),)),
        Part("holds", words.heading("holds"), tuple(_ranges(quote, quote.holds, words.note("bars")))),
        Part("does", words.heading("does"), tuple(_does(quote))),
        Part("price", words.heading("price"), tuple(_price(quote))),
        Part("needs", words.heading("needs"), (Facts(quote.needs),)),
        Part("assumed", words.heading("assumed"), (Items(quote.assumed),)),
        Part("left_out", words.heading("left_out"), (Items(quote.left_out),)),
    )
    further = tuple(Part(name, words.heading(name), tuple(blocks)) for name, blocks in _appendix(quote))
    return Pages(
        words("title"),
        Facts(tuple(head(quote))),
        words.lists["introduction"],
        tuple(p for p in first if p.blocks),
        words.heading("appendix"),
        tuple(p for p in further if p.blocks),
        words.lists["closing"],
    )


def head(quote: Quote) -> Iterator[tuple[str, str]]:
    """Whom the quote is for and from, its dates, and what it was made with."""
    words = quote.words
    yield words.label("system"), quote.name
    given = (
        ("customer", quote.head.customer),
        ("sender", words("sender")),
        ("date", quote.head.date),
        ("valid_until", quote.head.valid_until),
    )
    yield from ((words.label(word), text) for word, text in given if text)
    yield words.label("made_with"), f"pixsize {quote.version}"
    yield words.label("request"), quote.digest


def _ranges(quote: Quote, measures: tuple[Measure, ...], legend: str) -> Iterator[Block]:
    words = quote.words
    titles = tuple(words.label(w) for w in ("quantity", "plan_with", "expected", "at_most", "basis"))
    if measures:
        yield Ranges(titles, measures, legend)


def _does(quote: Quote) -> Iterator[Block]:
    words = quote.words
    best = f" {words.note('best')}" if any(m.figure is None for m in quote.does) else ""
    if quote.does:
        yield from _ranges(quote, quote.does, words.note("scales"))
        yield words.note("sustained") + best
    if quote.unknown:
        yield f"{words.note('unknown')}: {'; '.join(quote.unknown)}."


def money(bill: Bill, amount: Decimal | None) -> str:
    """A price with its currency; a dash where there is none."""
    return "-" if amount is None else f"{bill.currency} {amount:,}"


def _price(quote: Quote) -> Iterator[Block]:
    """What the parts of each purpose cost, and all of them; nothing where no part has a price."""
    bill, words = quote.bill, quote.words
    if bill.totals.price is None:
        return
    rows = [(purpose, _sum(quote, *price_of(bill, purpose))) for purpose in bill.purposes]
    rows.append((words.label("together"), _sum(quote, bill.totals.price, "price" in bill.totals.at_least)))
    yield Table((Column(""), Column(words.label("price"), "right")), tuple(rows), strong=frozenset({len(rows) - 1}))
    lacking = f" {words.note('prices_missing')}" if "price" in bill.totals.at_least else ""
    yield words.note("prices") + lacking


def _sum(quote: Quote, amount: Decimal | None, is_part: bool) -> str:
    least = f"{quote.words.label('at_least')} " if is_part and amount is not None else ""
    return least + money(quote.bill, amount)


# The appendix


def _appendix(quote: Quote) -> Iterator[tuple[str, Iterator[Block]]]:
    yield "waterfall", _waterfall(quote)
    yield "topology", _topology(quote)
    yield "racks", _racks(quote)
    yield "bill", _bill(quote)
    yield "missing", missing(quote.bill) if quote.bill.has_parts else iter(())
    yield "ports", iter((port_table(quote.bill),) if quote.bill.ports else ())
    yield "figures", _figures(quote)
    yield "findings", _findings(quote)
    yield "sources", _sources(quote)


def _waterfall(quote: Quote) -> Iterator[Block]:
    rows = tuple((s.name if s.is_there else f"- {s.name}", *sizes(s.figure, not s.is_there)) for s in quote.steps)
    strong = frozenset(n for n, s in enumerate(quote.steps) if s.is_there)
    columns = (Column(""), Column("TB", "right"), Column("TiB", "right"))
    if rows:
        first, last = quote.steps[0].figure, quote.steps[-1].figure
        about = f"{units.decimal_bytes(first.value)}, {units.decimal_bytes(last.value)}"
        yield Picture("waterfall", about, Table(columns, rows, strong=strong))


def _topology(quote: Quote) -> Iterator[Block]:
    net = quote.topology
    by_id = {k.id: k for k in (*net.networks, *net.servers, *net.arrays)}
    switches = {k.id: f"{k.role} ({k.count:,} x {k.title})" if k.title else k.role for k in net.networks}
    called = {i: switches.get(i) or f"{plural(k.count, k.role)} ({k.title})" for i, k in by_id.items()}
    rows = tuple((called[x.start], called[x.end], x.network, f"{x.cables:,}" if x.cables else "-") for x in net.lines)
    columns = (Column("from", wraps=True), Column("to", wraps=True), Column("network"), Column("cables", "right"))
    yield Picture("topology", "; ".join(called.values()), Table(columns, rows))
    yield quote.words.note("topology") + ("" if net.is_counted else f" {quote.words.note('no_cables')}")


def _racks(quote: Quote) -> Iterator[Block]:
    shown = quote.racks[:MOST_RACKS]
    rows: list[tuple[str, ...]] = []
    headings = set()
    for number, rack in enumerate(shown, 1):
        headings.add(len(rows))
        rows.append((rack_title(number, rack), "", ""))
        rows += [(units_of(b.at, b.units), b.name, b.title) for b in reversed(rack.boxes)]
    columns = (Column("U", "right"), Column("name"), Column("device", wraps=True))
    about = "; ".join(rack_title(n, r) for n, r in enumerate(shown, 1))
    yield Picture("racks", about, Table(columns, tuple(rows), headings=frozenset(headings)))
    more = len(quote.racks) - len(shown)
    yield quote.words.note("racks") + (f" {plural(more, 'more rack')}: see the workbook." if more else "")


def rack_title(number: int, rack: Rack) -> str:
    """A rack by its number and what is used of it."""
    return f"Rack {number}: {rack.used} of {rack.height} U used"


def units_of(at: int, count: int) -> str:
    """The units that a device takes, counted from the bottom."""
    return f"{at}" if count == 1 else f"{at} to {at + count - 1}"


def _bill(quote: Quote) -> Iterator[Block]:
    bill = quote.bill
    has_prices = bill.totals.price is not None
    rows: list[tuple[str, ...]] = []
    headings = set()
    for purpose in bill.purposes:
        headings.add(len(rows))
        rows.append((purpose, *[""] * (5 if has_prices else 3)))
        rows += [_bill_row(r, has_prices) for r in bill.of(purpose)]
    first = (Column("part", wraps=True), Column("for", wraps=True), Column("id"), Column("count", "right"))
    columns = (*first, *((Column("each", "right"), Column(f"{bill.currency}", "right")) if has_prices else ()))
    strong: frozenset[int] = frozenset()
    if has_prices:
        total = bill.totals.price
        strong = frozenset({len(rows)})
        least = f"{quote.words.label('at_least')} " if "price" in bill.totals.at_least else ""
        rows.append((quote.words.label("together"), "", "", "", "", f"{least}{total:,}"))
    yield Table(columns, tuple(rows), headings=frozenset(headings), strong=strong)
    if not has_prices:
        yield quote.words.note("bill_without_prices")


def _bill_row(row: Priced, has_prices: bool) -> tuple[str, ...]:
    first = (row.row.title, row.row.use, row.part_number or row.row.item, f"{row.count:,}")
    prices = (f"{p:,}" if p is not None else "-" for p in (row.unit_price, row.price))
    return (*first, *prices) if has_prices else first


def _figures(quote: Quote) -> Iterator[Block]:
    rows = tuple(
        (
            c.figure.id,
            labels.value(c.figure),
            labels.span(c.figure) or (f"{ends(c.figure)} TB" if c.figure.unit == "B" and ends(c.figure) else ""),
            quote.words(f"bases.{c.figure.basis}"),
            ", ".join(map(str, c.sources)),
        )
        for c in quote.figures
    )
    words = quote.words
    right = (Column(words.label("expected"), "right"), Column(words.label("range"), "right"))
    columns = (Column(words.label("quantity"), wraps=True), *right, Column(words.label("basis"), wraps=True))
    yield Table((*columns, Column(words.heading("sources"), wraps=True)), rows)


def _findings(quote: Quote) -> Iterator[Block]:
    said = [
        f"{f.code}: {f.message}" + (f" (accepted: {f.accepted})" if f.accepted else "")
        for f in quote.findings
        if f.severity in ("warning", "note")
    ]
    if said:
        yield Items(tuple(dict.fromkeys(said)))


def _sources(quote: Quote) -> Iterator[Block]:
    rows = tuple((f"{n}", text) for n, text in enumerate(quote.sources, 1))
    yield Table((Column("", "right"), Column(quote.words.heading("sources"), wraps=True)), rows)
