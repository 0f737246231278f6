"""The throughput figures of a system: measured where it was benchmarked, otherwise from the model."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.estimate import random_io, sequential
from pixsize.estimate.evidence import Evidence, Spread, floor_of
from pixsize.estimate.ids import DIRECTIONS, DURATIONS, PATTERNS, RANDOM, SEQUENTIAL
from pixsize.estimate.measured import Measured, merged
from pixsize.estimate.modules import Rate, Share, together
from pixsize.estimate.ranges import Range
from pixsize.estimate.system import Part, System
from pixsize.figures import Figure, Unit, weakest
from pixsize.findings import Finding

ModuleRate = Callable[[Part, str], Rate | None]
"""The rate of one module of a part for a figure, None without evidence."""

_MEASURED = (
    "This configuration was measured: the reading used, and as its range every reading that is no misprint, with half "
    "a unit of the last digit that it prints, yet not below a floor that is stated."
)


def throughput_figures(
    system: System, evidence: Evidence, catalog: Catalog
) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The sequential figures in bytes a second and the random ones in operations a second, and what is missing."""
    least = floor_of(catalog)
    found: dict[str, Figure | None] = {}
    path = sequential.Model(system, evidence, catalog, evidence.spread(SEQUENTIAL, least))
    most = path.most()
    for name in (f"{p}.{d}.{t}" for p in PATTERNS for d in DIRECTIONS for t in DURATIONS):
        figure = SEQUENTIAL + name
        found[figure] = _figure(figure, system, evidence, path.module, path.spread, "B/s", most)
    drives = random_io.Model(system, evidence, evidence.spread(RANDOM, least))
    for name in (f"{d}.{t}" for d in DIRECTIONS for t in DURATIONS):
        figure = RANDOM + name
        found[figure] = _figure(figure, system, evidence, drives.module, drives.spread, "op/s")
    return tuple(f for f in found.values() if f), missing([i for i, f in found.items() if not f], system.words.modules)


def missing(figures: list[str], where: str) -> tuple[Finding, ...]:
    """One note for all figures that nothing stands behind."""
    if not figures:
        return ()
    names = ", ".join(figures[:2]) + (f" and {len(figures) - 2} more" if len(figures) > 2 else "")
    return (Finding("PX411", f"no evidence for {names}: no measurement of the design comes near", where),)


def measured_figure(found: Measured, unit: Unit, limited_by: str | None) -> Figure:
    """The figure of exactly the system that was benchmarked: the reading used, and the range that all readings span."""
    value, low, high = found.rate.whole()
    return Figure(
        id=found.figure,
        value=value,
        low=low,
        high=high,
        unit=unit,
        basis=found.basis,
        rule=" ".join((_MEASURED, *found.doubts)),
        sources=found.cited,
        inputs=found.ids,
        limited_by=limited_by,
        readings=found.readings,
    )


def _figure(
    figure: str,
    system: System,
    evidence: Evidence,
    module: ModuleRate,
    spread: Spread,
    unit: Unit,
    most: Fraction | None = None,
) -> Figure | None:
    """The figure, None without evidence for every module of the system.

    A measurement of the very system is no evidence where a link cannot carry what it says: then the model holds, which
    has that link among its ceilings.
    """
    rates = [_of_own_size(part, module(part, figure)) for part in system.parts]
    shares = [Share(part, rate) for part, rate in zip(system.parts, rates, strict=True) if rate]
    total = _under(together(shares, spread, system.words), most) if len(shares) == len(rates) else None
    exactly = merged([m for m in evidence.of(figure) if system.is_data_of(m)])
    if exactly and (most is None or exactly.rate.value <= most):
        return measured_figure(exactly, unit, total.limit if total else None)
    return from_rate(figure, total, spread, unit) if total else None


def _under(total: Rate, most: Fraction | None) -> Rate:
    """No sum is more than what the links in front of all arrays carry together."""
    if most is None or total.range.high <= most:
        return total
    rule = f"{total.rule} The links in front of the arrays carry no more than {units.show(round(most), 'B/s')} in all."
    return total._replace(range=total.range.under(Range(most, most, most)), rule=rule)


def _of_own_size(part: Part, rate: Rate | None) -> Rate | None:
    """The rate of a module; a judgement where no document has modules of its size."""
    if rate is None or not part.own_size:
        return rate
    rule = f"{rate.rule} No document has modules of this size: it is pixsize's own."
    return rate._replace(basis=weakest((rate.basis, "estimated")), rule=rule, inputs=(*rate.inputs, part.own_size))


def from_rate(figure: str, rate: Rate, spread: Spread, unit: Unit) -> Figure:
    """A modelled rate as a figure, no stronger than the spread that its range rests on."""
    value, low, high = rate.range.whole()
    return Figure(
        id=figure,
        value=value,
        low=low,
        high=high,
        unit=unit,
        basis=weakest((rate.basis, spread.basis)),
        rule=rate.rule,
        sources=rate.sources,
        inputs=rate.inputs,
        limited_by=rate.limit or None,
    )
