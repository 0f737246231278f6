"""A quote as a workbook: the sheets of the bill behind those of the quote, every number a number in a stated unit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pixsize.figures import Figure
from pixsize.report import bill_xlsx
from pixsize.report.bill_tables import Cell, Table
from pixsize.report.quote.contents import Measure, Quote
from pixsize.report.quote.sections import head

_UNITS = {"B": ("TB", 10**12), "B/s": ("GB/s", 10**9), "op/s": ("op/s", 1), "1": ("", 1), "W": ("W", 1), "U": ("U", 1)}
"""The unit of a sheet for each unit of a figure, and how many of it that is."""


def draw(quote: Quote) -> bytes:
    """The sheets `quote`, `figures`, `capacity`, `racks`, `connections`, `sources` and those of the bill."""
    date: dict[str, Any] = {"created": datetime.fromisoformat(quote.head.date)} if quote.head.date else {}
    views: dict[str, Table] = {
        "quote": [["what", "says"], *_quote(quote)],
        "holds and does": [_MEASURED, *map(_measure, (*quote.holds, *quote.does))],
        "capacity": [["step", "TB", "TiB", "basis"], *_capacity(quote)],
        **bill_xlsx.sheets(quote.bill),
        "racks": [["rack", "lowest unit", "units", "name", "device"], *_racks(quote)],
        "connections": [["from", "to", "network", "cables"], *_connections(quote)],
        "figures": [["figure", "unit", "low", "value", "high", "basis", "sources"], *_figures(quote)],
        "sources": [["number", "document and place"], *(_row(n, s) for n, s in enumerate(quote.sources, 1))],
    }
    return bill_xlsx.workbook(quote.bill, f"{quote.words('title')}: {quote.name}", views, **date)


def _row(*cells: Cell) -> list[Cell]:
    return [*cells]


def _quote(quote: Quote) -> Iterator[list[Cell]]:
    """The head and the texts of the pages for a customer."""
    words = quote.words
    yield from (_row(name, text) for name, text in head(quote))
    for word, rows in (("system", quote.system), ("needs", quote.needs)):
        yield [words.heading(word), None]
        yield from (_row(name, text) for name, text in rows)
    for word, texts in (("assumed", quote.assumed), ("left_out", quote.left_out)):
        yield [words.heading(word), None]
        yield from (_row(None, text) for text in texts)


_MEASURED: list[Cell] = ["quantity", "unit", "plan with", "expected", "at most", "basis"]


def _measure(measure: Measure) -> list[Cell]:
    """A quantity as numbers; where only a peak is known, its text stands in place of the expected value."""
    figure = measure.figure
    if figure is None:
        return [measure.name, None, None, measure.value, None, measure.basis]
    return [measure.name, *_range(figure), measure.basis]


def _range(figure: Figure) -> list[Cell]:
    """The unit, and a range in it as numbers."""
    unit, divisor = _UNITS[figure.unit]
    ends = (figure.low, figure.value, figure.high)
    return [unit or None, *(n if divisor == 1 else n / divisor for n in ends)]


def _capacity(quote: Quote) -> Iterator[list[Cell]]:
    for step in quote.steps:
        size = step.figure.value if step.is_there else -step.figure.value
        yield [step.name, size / 10**12, size / 2**40, step.figure.basis]


def _racks(quote: Quote) -> Table:
    return [
        [number, box.at, box.units, box.name, box.title]
        for number, rack in enumerate(quote.racks, 1)
        for box in rack.boxes
    ]


def _connections(quote: Quote) -> Table:
    return [[line.start, line.end, line.network, line.cables or None] for line in quote.topology.lines]


def _figures(quote: Quote) -> Iterator[list[Cell]]:
    for figure, sources in quote.figures:
        yield [figure.id, *_range(figure), figure.basis, ", ".join(map(str, sources))]
