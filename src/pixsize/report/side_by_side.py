"""Systems side by side: their figures with ranges, and the best of each where the ranges lie apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pixsize.estimate import ids
from pixsize.figures import Figure
from pixsize.product import PRODUCTS
from pixsize.report.document import Column, Page, Section, Table
from pixsize.report.labels import grouped, label, span, value
from pixsize.report.printable import clean, width

SCHEMA = "pixsize.compare/1"
_MORE_IS_BETTER = (
    ids.RAW,
    ids.FORMATTED,
    ids.USABLE,
    ids.METADATA_USABLE,
    ids.FILES,
    ids.THROUGHPUT,
    ids.METADATA,
)
_LESS_IS_BETTER = (ids.RACK_UNITS, ids.POWER)
_LEFT_OUT = (
    ids.SPARES,
    ids.PARITY,
    ids.MIRROR,
    ids.ARRAY_OVERHEAD,
    ids.FILESYSTEM_OVERHEAD,
    ids.POOL_SPARE,
    ids.POOL_METADATA,
    ids.ROUNDING,
    ids.RESERVED,
)
"""Steps from raw to usable capacity: they say nothing beside those of another system."""
_MARK = "* "
_LEGEND = (
    "* stands before the best of a row: its whole range is better than those of all others that have the figure. Where "
    "no cell has it, the ranges meet, so that the evidence does not say which system is better, or only one has the "
    "figure. - is no value: the system has no such part, or nothing is known of it."
)
_INDENT = _GAP = 2
"""Columns in front of a table, and between the columns of it."""


class System(NamedTuple):
    """A system to compare: its name in the request, what the user gave for it, and its figures by id."""

    name: str
    config: str
    figures: Mapping[str, Figure]


class Row(NamedTuple):
    """A figure of all systems, None where one does not have it; `best` is the place of the best one, if any."""

    figure: str
    cells: tuple[Figure | None, ...]
    best: int | None


def from_words(name: str, words: Mapping[str, Any]) -> Figure:
    """A figure of a plan in JSON, without the way down to its sources."""
    low, middle, high = words["low"], words["value"], words["high"]
    return Figure(id=name, value=middle, low=low, high=high, unit=words["unit"], basis=words["basis"], rule="")


def system(plan: Mapping[str, Any], config: str) -> System:
    """The system of a plan in JSON."""
    return System(plan["name"], config, {i: from_words(i, words) for i, words in plan["figures"].items()})


def rows(systems: Sequence[System]) -> tuple[Row, ...]:
    """Every figure that one of the systems has, in their order."""
    known = dict.fromkeys(i for s in systems for i in s.figures)
    cells = {i: tuple(s.figures.get(i) for s in systems) for i in known}
    return tuple(Row(i, found, best(i, found)) for i, found in cells.items())


def best(figure: str, cells: Sequence[Figure | None]) -> int | None:
    """The place of the system whose whole range is better than those of all others that have the figure.

    None where ranges meet: then the evidence does not say which system is better.
    """
    own = figure.partition(".")[2] if figure.startswith(tuple(_tiers(figure))) else figure
    present = [(place, cell) for place, cell in enumerate(cells) if cell is not None]
    if len(present) < 2:
        return None
    if own.startswith(_MORE_IS_BETTER):
        first = max(present, key=lambda p: p[1].low)
        clear = all(first[1].low > cell.high for place, cell in present if place != first[0])
    elif own.startswith(_LESS_IS_BETTER):
        first = min(present, key=lambda p: p[1].high)
        clear = all(first[1].high < cell.low for place, cell in present if place != first[0])
    else:
        return None
    return first[0] if clear else None


def _tiers(figure: str) -> Iterator[str]:
    """The name of the tier in front of the figure of another tier, with its point; nothing for the main one."""
    name, _, rest = figure.partition(".")
    if rest.startswith(("capacity.", ids.THROUGHPUT)):
        yield f"{name}."


def document(systems: Sequence[System]) -> dict[str, Any]:
    """The comparison as JSON has it."""
    return {
        "schema": SCHEMA,
        "systems": [{"name": s.name, "config": s.config} for s in systems],
        "rows": [
            {
                "figure": row.figure,
                "unit": next(cell.unit for cell in row.cells if cell),
                "cells": [cell and _words(cell) for cell in row.cells],
                "best": row.best,
            }
            for row in rows(systems)
        ],
    }


def _words(figure: Figure) -> dict[str, Any]:
    return {"value": figure.value, "low": figure.low, "high": figure.high, "basis": figure.basis}


def page(systems: Sequence[System], columns: int | None = None) -> Page:
    """The comparison as a page; rates by threads and the steps down to the usable capacity are in JSON alone.

    Tables that would be wider than `columns` are divided: each part has some of the systems.
    """
    shown = {row.figure: row for row in rows(systems) if _is_shown(row.figure)}
    heads = _heads(systems)
    named = (("Capacity", _capacities(shown)), *_rates(shown, "throughput"), *_rates(shown, "metadata"))
    hardware = [(label(i.removeprefix("hardware.")), row) for i, row in shown.items() if i.startswith("hardware.")]
    found = [(title, rows) for title, rows in (*named, ("Hardware", hardware)) if rows]
    lines = {title: tuple((name, *_cells(row)) for name, row in rows) for title, rows in found}
    most = _systems_a_table(heads, [line for some in lines.values() for line in some], columns)
    sections = tuple(Section(title, tuple(_tables(heads, some, most))) for title, some in lines.items())
    last = Section("What the marks say", (_LEGEND,))
    about = tuple((head, _about(head, system)) for head, system in zip(heads, systems, strict=True))
    title = " / ".join(heads)
    short = title if columns is None or width(title) <= columns else f"{len(systems)} systems"
    return Page(short, about, (*sections, last))


def _systems_a_table(heads: Sequence[str], lines: Sequence[Sequence[str]], columns: int | None) -> int:
    """How many systems a table has room for beside the names of figures, with no word broken; at least one."""
    if columns is None:
        return len(heads)
    cells = [*heads, *(cell for _, *own in lines for cell in own)]
    cell = max((width(word) for text in cells for word in text.replace(_MARK, "*_").split()), default=0)
    room = columns - _INDENT - max(width(name) for name, *_ in lines)
    return min(max(room // (_GAP + cell), 1), len(heads))


def _tables(heads: Sequence[str], lines: Sequence[Sequence[str]], most: int) -> Iterator[Table]:
    """One table a part of the systems, `most` of them at most, the parts about equal."""
    tables = -(-len(heads) // most)
    each = -(-len(heads) // tables)
    for first in range(0, len(heads), each):
        places = range(first, min(first + each, len(heads)))
        columns = (Column("figure", wraps=most == 1), *(Column(heads[n], wraps=True) for n in places))
        yield Table(columns, tuple((name, *(cells[n] for n in places)) for name, *cells in lines))


def _is_shown(figure: str) -> bool:
    return not ids.is_by_threads(figure) and figure not in _LEFT_OUT and not figure.startswith(ids.VOLUMES)


def _heads(systems: Sequence[System]) -> tuple[str, ...]:
    """What the user gave for each system: of a path the name of the file, numbered where that is not enough."""
    names = [clean(Path(s.config).name or s.config) for s in systems]
    return tuple(f"{n} ({place})" if names.count(n) > 1 else n for place, n in enumerate(names, 1))


def _about(head: str, system: System) -> str:
    """The name of the system in its request, and the path where the head of its column is not all of it."""
    return system.name if clean(system.config) == head else f"{system.name}, {system.config}"


def _capacities(shown: Mapping[str, Row]) -> list[tuple[str, Row]]:
    found = [(i, row) for i, row in shown.items() if i.startswith("capacity.") or ".capacity." in i]
    named = [(names().get(i) or label(i.replace("capacity.", "")), row) for i, row in found]
    return [*named, *((name_of(i), row) for i, row in shown.items() if i == ids.FILES)]


def name_of(figure: str) -> str:
    """What a figure is called where it stands under no heading.

    Steps down to the usable capacity have one name in all file systems.
    """
    own = "" if figure in _LEFT_OUT else names().get(figure, "")
    return own or ("files" if figure == ids.FILES else label(figure))


@cache
def names() -> Mapping[str, str]:
    """What file systems call figures that others do not have."""
    filesystems = (product.filesystem for product in PRODUCTS.values() if product.filesystem)
    return {figure: name for each in filesystems for figure, name in each.terms.figure_names.items()}


def _rates(shown: Mapping[str, Row], kind: str) -> Iterator[tuple[str, list[tuple[str, Row]]]]:
    """The groups of rates of a kind, each with its rows and their labels."""
    sample = {i: next(cell for cell in row.cells if cell) for i, row in shown.items()}
    for title, found in grouped(sample, kind, names()).items():
        yield title, [(name, shown[figure.id]) for name, figure in found]


def _cells(row: Row) -> Iterator[str]:
    for place, cell in enumerate(row.cells):
        if cell is None:
            yield "-"
            continue
        wide = span(cell)
        mark = _MARK if place == row.best else ""
        yield f"{mark}{value(cell)}{f' ({wide})' if wide else ''}"
