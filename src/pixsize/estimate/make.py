"""The figures of a plan: those of its products, then those of every plan, in the order of the JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.measurements import DIMENSIONS, Statement
from pixsize.catalog.records import Racked
from pixsize.estimate import ids
from pixsize.estimate.evidence import Evidence, Measured, evidence_for, merged
from pixsize.estimate.ranges import Step, factor
from pixsize.estimate.rates import measured_figure
from pixsize.estimate.spreads import AGAIN, family_of
from pixsize.estimate.system import SERVER, FigureTerms, Part, System
from pixsize.figures import Figure, Reading, Source, Unit, weakest
from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.product import PRODUCTS, filesystem_of, volumes_of
from pixsize.terms import Terms

Rates = tuple[tuple[Figure, ...], tuple[Finding, ...]]


def estimate(plan: Plan, catalog: Catalog, *, by_threads: bool = True) -> tuple[dict[str, Figure], tuple[Finding, ...]]:
    """Every figure of a plan that some evidence supports, by id, and a note for each figure that has none.

    Rates by threads are half of the work; without `by_threads` they are left out.
    """
    design = catalog.get(Design, plan.design)
    filesystem, volumes = filesystem_of(design), volumes_of(design)
    evidence = evidence_for(catalog, plan.design)
    system = filesystem.system(plan, catalog)
    throughput, no_throughput = volumes.throughput(system, evidence, catalog, None)
    rates, no_rates = filesystem.metadata_rates(system, evidence, catalog, None)
    links = (*filesystem.links(system, catalog), *volumes.links(system, catalog))
    watts, no_power = power(system, evidence, catalog)
    bounded = _bounded((*throughput, *links, *rates), system, evidence, catalog)
    figures = (
        *filesystem.capacity(plan, catalog),
        *bounded,
        *(_by_threads(bounded, system, evidence, catalog) if by_threads else ()),
        *_added(plan, catalog),
        rack_units(models_of(plan), system.terms, catalog),
        *_bounded(watts, system, evidence, catalog),
    )
    # Last, since what documents print is compared with the final values.
    printed = with_statements(figures, plan, system.parts, catalog)
    return {f.id: f for f in printed}, (*no_throughput, *no_rates, *no_power)


def rates_of(system: System, wanted: Collection[str], catalog: Catalog) -> dict[str, Figure]:
    """Those of the rates `wanted` that some evidence supports, as `estimate` has them for a plan of the system."""
    design = catalog.get(Design, system.design)
    filesystem, volumes = filesystem_of(design), volumes_of(design)
    evidence = evidence_for(catalog, system.design)
    only = _with_bounds(wanted)
    throughput, _ = volumes.throughput(system, evidence, catalog, only)
    rates, _ = filesystem.metadata_rates(system, evidence, catalog, only)
    watts, _ = power(system, evidence, catalog) if ids.POWER in wanted else ((), ())
    return {f.id: f for f in _bounded((*throughput, *rates, *watts), system, evidence, catalog) if f.id in wanted}


def _with_bounds(wanted: Collection[str]) -> frozenset[str]:
    """The rates, and all that bound them or are bounded by them."""
    found = set(wanted)
    while True:
        above = {i.removesuffix(ending) + other for i in found for ending, other, _ in ABOVE if i.endswith(ending)}
        below = {i.removesuffix(other) + ending for i in found for ending, other, _ in ABOVE if i.endswith(other)}
        if above | below <= found:
            return frozenset(found)
        found |= above | below


def _added(plan: Plan, catalog: Catalog) -> Iterator[Figure]:
    """The figures of what products add to the system."""
    for addition in plan.additions:
        adds = PRODUCTS[addition.product].adds
        if adds is not None and adds.figures is not None:
            yield from adds.figures(plan, catalog)


def _by_threads(figures: Iterable[Figure], system: System, evidence: Evidence, catalog: Catalog) -> tuple[Figure, ...]:
    from pixsize.estimate.threads import thread_figures  # most runs show none

    return thread_figures({f.id: f for f in figures}, system, evidence, catalog)


def _bounded(figures: Iterable[Figure], system: System, evidence: Evidence, catalog: Catalog) -> tuple[Figure, ...]:
    """The rates, each with a range over all measurements of the system, and none above another that bounds it."""
    each = (_grown(_widened(f, system, evidence), system, evidence, catalog) for f in figures)
    wide = _lifted({f.id: f for f in each}, system, evidence, catalog)
    for lower, ending, other, why in ((i, *above) for i in tuple(wide) for above in ABOVE):
        upper = lower.removesuffix(ending) + other
        if lower.endswith(ending) and upper in wide:
            capped = _below(wide[lower], wide[upper], why)
            if capped.value == wide[lower].value:  # a value that comes from the bound tells nothing about it
                wide[upper] = _above(wide[upper], capped)
            wide[lower] = capped
    return tuple(map(_told_in_all, wide.values()))


def _lifted(wide: dict[str, Figure], system: System, evidence: Evidence, catalog: Catalog) -> dict[str, Figure]:
    """The rates, those that were not measured no lower than rates of the system that were, and that they bound.

    A measured rate that lasted was reached, and so was one of few threads: what a model says of the peak gives way.
    """
    floors = {f.id: f for f in wide.values() if f.basis == "measured"}
    for peak in [f for f in wide.values() if f.id.endswith(".peak") and f.id not in floors]:
        points = (ids.by_threads(peak.id.removesuffix(".peak"), n) for n in ids.THREADS)
        known = [m for i in points for m in evidence.measurements(i) if system.is_system_of(m)]
        highest = max((m.rate.value for m in known), default=0)
        # A peak of the very system that was measured does not hold where a link cannot carry it, nor do its points.
        if highest > peak.value and not any(map(system.is_system_of, evidence.measurements(peak.id))):
            m = next(m for m in known if m.rate.value == highest)
            ends = _again(m, peak.id, catalog)
            wide[peak.id] = floors[peak.id] = _no_less(peak, ends, f"{m.figure}, {_HERE}", (m.figure,), m.sources)
    for ending, other, _ in (*ABOVE, *ABOVE):  # twice: what was lifted lifts what bounds it
        for lower in [i for i in floors if i.endswith(ending)]:
            upper, floor = wide.get(lower.removesuffix(ending) + other), floors[lower]
            if upper is not None and upper.basis != "measured" and floor.value > upper.value:
                ends = (floor.value, floor.low, floor.high)
                wide[upper.id] = floors[upper.id] = _no_less(upper, ends, f"{lower}, {_HERE}", (lower,), floor.sources)
    return wide


_HERE = "which was measured on this system"


def _grown(figure: Figure, system: System, evidence: Evidence, catalog: Catalog) -> Figure:
    """A rate of files that is no lower than what was measured with the same metadata and a smaller data tier.

    Scaled from the nearest measurement, which may be of a larger system, it could be. Of several the one of the largest
    data tier counts: a site that measured that one slower than a smaller one is believed.
    """
    known = evidence.measurements(figure.id) if figure.id.startswith(ids.METADATA) else ()
    smaller = [m for m in known if system.outgrows(m)]
    if not smaller or any(map(system.is_system_of, known)):
        return figure
    m = max(smaller, key=lambda m: (m.groups, m.arrays, -m.rate.value, m.id))
    of = f"{m.id}, measured with the same metadata and no more arrays or servers for data"
    return _no_less(figure, _again(m, figure.id, catalog), of, m.ids, m.sources)


def _again(measured: Measured, figure: str, catalog: Catalog) -> tuple[int, int, int]:
    """Value, low and high of what was measured, as repeating it elsewhere brings them."""
    return measured.rate.after((family_of(figure, catalog).step(AGAIN), *measured.doubted)).whole()


def _no_less(
    figure: Figure, ends: tuple[int, int, int], of: str, inputs: tuple[str, ...], sources: tuple[Source, ...]
) -> Figure:
    """A rate none of whose ends is below those that are given, which are `of` something."""
    value, low, high = (max(pair) for pair in zip(ends, (figure.value, figure.low, figure.high), strict=True))
    if (value, low, high) == (figure.value, figure.low, figure.high):
        return figure
    return replace(
        figure,
        low=low,
        value=value,
        high=high,
        rule=f"{figure.rule} No less than {of}.",
        sources=tuple(dict.fromkeys((*figure.sources, *sources))),
        inputs=tuple(dict.fromkeys((*figure.inputs, *inputs))),
    )


def _told_in_all(figure: Figure) -> Figure:
    """The figure, whose rule says what its range comes to, where the steps alone do not say it: readings, weights and
    bounds widen or cap it as well.
    """
    if not 0 < figure.low < figure.high:
        return figure
    whole = factor(Step("", "", Fraction(figure.value, figure.low), Fraction(figure.high, figure.value)))
    if not whole or whole in figure.rule:
        return figure
    return replace(figure, rule=f"{figure.rule} With all that is named here, the range comes to {whole}.")


def _widened(figure: Figure, system: System, evidence: Evidence) -> Figure:
    """The figure, its range widened so that it covers measurements of the system that it was not made from."""
    others = [m for m in evidence.widths(figure.id) if system.is_system_of(m) and m.id not in figure.inputs]
    if not others:
        return figure
    ranges = [m.rate.whole() for m in others]
    names = ", ".join(m.id for m in others)
    return replace(
        figure,
        low=min(figure.low, *(low for _, low, _ in ranges)),
        high=max(figure.high, *(high for _, _, high in ranges)),
        rule=f"{figure.rule} The range covers what else was measured of this system ({names}).",
        sources=tuple(dict.fromkeys((*figure.sources, *(c for m in others for c in m.sources)))),
        inputs=(*figure.inputs, *(m.id for m in others)),
    )


_EMPTY_FIRST = "Capped by the rate of empty files: no file with data is created faster than one without."
ABOVE = (
    (".sustained", ".peak", "Capped by the peak, which nothing sustained can exceed."),
    *((f"{ids.CREATE_4K}.{t}", f"{ids.EMPTY_CREATE}.{t}", _EMPTY_FIRST) for t in ids.DURATIONS),
)
"""The ending of a figure, that of the figure which it cannot exceed, and why. In this order."""


def bounded_by(figure: str) -> tuple[str, ...]:
    """The figures whose low end can lift that of a figure, since it is no lower than theirs."""
    found = [figure.removesuffix(other) + ending for ending, other, _ in ABOVE if figure.endswith(other)]
    return tuple(dict.fromkeys((*found, *(below for each in found for below in bounded_by(each)))))


def _below(figure: Figure, bound: Figure, why: str) -> Figure:
    """A rate whose value and upper end are capped by another one: from different sources, it can lie above it.

    Where the value is capped, the low end falls by as much, and is not above that of the other.
    """
    value, high = min(figure.value, bound.value), min(figure.high, bound.high)
    if (value, high) == (figure.value, figure.high):
        return figure
    is_value = value < figure.value
    return replace(
        figure,
        low=min(figure.low * value // figure.value, bound.low) if is_value else figure.low,
        value=value,
        high=high,
        basis=weakest(("extrapolated" if is_value else "measured", figure.basis, bound.basis)),
        rule=f"{figure.rule} {why}",
        inputs=(*figure.inputs, bound.id),
        limited_by=bound.limited_by if is_value else figure.limited_by,
    )


def _above(bound: Figure, figure: Figure) -> Figure:
    """A rate whose lower end is no less than that of another one, which it cannot be below."""
    if bound.low >= figure.low:
        return bound
    rule = f"{bound.rule} No less than the low end of {figure.id}, which it bounds."
    return replace(bound, low=figure.low, rule=rule)


def models_of(plan: Plan) -> Counter[str]:
    """How many there are of each model of server, enclosure and switch."""
    models = Counter(s.model for s in plan.servers)
    models.update(e.model for a in plan.arrays for e in a.enclosures)
    models.update(s.model for s in plan.switches)
    return models


def rack_units(models: Mapping[str, int], terms: FigureTerms, catalog: Catalog) -> Figure:
    """The rack units of all servers, arrays, expansions and switches."""
    value = sum(n * catalog.get(Racked, m).rack_units for m, n in models.items())
    parts = ", ".join(f"{n:,} {catalog.record(m).title}" for m, n in models.items())
    return Figure(
        id=ids.RACK_UNITS,
        value=value,
        low=value,
        high=value,
        unit="U",
        basis=weakest(catalog.get(Racked, m).rack_units_basis for m in models),
        rule=f"The heights of all servers, arrays, expansions and switches of the plan added: {parts}.",
        sources=(terms.layout,),
        inputs=tuple(models),
    )


def power(system: System, evidence: Evidence, catalog: Catalog) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The power draw where it was measured on this very hardware; a note where it was not."""
    measured = merged([m for m in evidence.measurements(ids.POWER) if system.is_whole_of(m)])
    if measured:
        return (measured_figure(measured, "W", None, family_of(ids.POWER, catalog)),), ()
    text = "no power figure: no document gives the power draw of the parts, and the rating of a power supply is higher"
    return (), (Finding("PX407", text),)


def with_statements(
    figures: Sequence[Figure], plan: Plan, parts: Sequence[Part], catalog: Catalog
) -> tuple[Figure, ...]:
    """The figures; those that a document prints for this very system carry every printed value as a reading.

    A reading counts as used where the catalog says so and the figure agrees with it within the last digit that it
    prints: another layout or drive of the same id would make the figure a different one.
    """
    printed: dict[str, list[Statement]] = {}
    for raw in catalog.raw.values():
        if raw["kind"] == "statement":
            statement = catalog.get(Statement, raw["id"])
            if _is_system_of(statement, plan, parts, catalog):
                printed.setdefault(statement.figure, []).append(statement)
    added = {f.id: [r for s in printed.get(f.id, ()) if s.unit == f.unit for r in _readings(s, f)] for f in figures}
    return tuple(replace(f, readings=(*f.readings, *added[f.id])) if added[f.id] else f for f in figures)


def _is_system_of(statement: Statement, plan: Plan, parts: Iterable[Part], catalog: Catalog) -> bool:
    system = statement.system
    if catalog.id_of(system.design) != plan.design or system.variant not in (None, plan.variant):
        return False
    stated: Counter[tuple[str, bool, str]] = Counter()
    for module in system.storage_modules:
        stated[module.size, module.expansion, catalog.id_of(module.data_drive)] += module.count
    if system.servers is not None:
        stated[SERVER, False, catalog.id_of(system.drive)] += system.servers
    planned: Counter[tuple[str, bool, str]] = Counter()
    for part in parts:
        planned[part.kind.size, part.kind.expansion, part.kind.drive] += part.count
    return stated == planned


def _readings(statement: Statement, figure: Figure) -> Iterable[Reading]:
    for reading in statement.readings:
        value, half = _number(reading.value, statement.unit)
        agrees = abs(value - figure.value) <= half
        source = Source(reading.document, reading.place)
        yield Reading(value, reading.value, source, reading.used and agrees, reading.why)


def _number(text: str, unit: Unit) -> tuple[int, int]:
    """The printed number, and half a unit of its last digit: how far rounding may have moved it; 0 for a count."""
    if unit not in DIMENSIONS:
        return units.parse_count(text), 0
    dimension = DIMENSIONS[unit]
    return round(units.parse(text, dimension)), units.half_last_digit(text, dimension)


_CODES = {"hardware": ("PX407",), "metadata": ("PX411",), "throughput": ("PX411",)}
"""The codes that may say why a figure of a family is absent, whatever the file system."""


def reasons(figure: str, findings: Iterable[Finding], terms: Terms) -> tuple[Finding, ...]:
    """The findings that say why a figure is absent."""
    family = figure.partition(".")[0]
    codes = (*_CODES.get(family, ()), *(terms.no_rates if family == "metadata" else ()))
    return tuple(f for f in findings if f.code in codes and (f.code != "PX411" or f" {family}." in f.message))
