"""What documents print of a system beside what pixsize calculates for it: shown with the figure, never its input."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Statement
from pixsize.estimate.measured import DIMENSIONS, SERVER
from pixsize.estimate.system import Part
from pixsize.figures import Figure, Reading, Source, Unit
from pixsize.plan.records import Plan


def with_statements(
    figures: Iterable[Figure], plan: Plan, parts: Sequence[Part], catalog: Catalog
) -> tuple[Figure, ...]:
    """The figures; those that a document prints for this very system carry every printed value as a reading.

    A reading counts as used where the catalog says so and the figure agrees with it within the last digit that it
    prints: another layout or drive of the same id would make the figure a different one.
    """
    printed: dict[str, list[Statement]] = {}
    for words in catalog.raw.values():
        if words["kind"] == "statement":
            statement = catalog.get(Statement, words["id"])
            if _is_system_of(statement, plan, parts, catalog):
                printed.setdefault(statement.figure, []).append(statement)
    return tuple(_with_readings(f, printed[f.id]) if f.id in printed else f for f in figures)


def _is_system_of(statement: Statement, plan: Plan, parts: Iterable[Part], catalog: Catalog) -> bool:
    system = statement.system
    if catalog.id_of(system.design) != plan.design or system.variant not in (None, plan.variant):
        return False
    stated: Counter[tuple[str, bool, str]] = Counter()
    for module in system.storage_modules:
        stated[module.size, module.expansion, catalog.id_of(module.data_drive)] += module.count
    if system.servers is not None:
        stated[SERVER, False, catalog.id_of(system.drive)] += system.servers
    mine: Counter[tuple[str, bool, str]] = Counter()
    for part in parts:
        mine[part.kind.size, part.kind.expansion, part.kind.drive] += part.count
    return stated == mine


def _with_readings(figure: Figure, statements: Iterable[Statement]) -> Figure:
    readings = [r for s in statements if s.unit == figure.unit for r in _readings(s, figure)]
    return dataclasses.replace(figure, readings=(*figure.readings, *readings))


def _readings(statement: Statement, figure: Figure) -> Iterable[Reading]:
    for reading in statement.readings:
        value, half = _number(reading.value, statement.unit)
        agrees = abs(value - figure.value) <= half
        source = Source(reading.document, reading.place)
        yield Reading(value, reading.value, source, reading.used and agrees, reading.why)


def _number(text: str, unit: Unit) -> tuple[int, int]:
    """What is printed, and how far rounding alone may have moved it; a count is not rounded."""
    if unit not in DIMENSIONS:
        return units.parse_count(text), 0
    dimension = DIMENSIONS[unit]
    return round(units.parse(text, dimension)), units.half_last_digit(text, dimension)
