"""Rates by number of threads: what a few threads of the clients reach of a plan's peak.

The points that documents print are a curve; that of another system is scaled to the peak of the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Measurement
from pixsize.estimate.curves import Found, Point, at, lawful, scaled, threads_in_words
from pixsize.estimate.evidence import JUDGEMENT, Evidence, Measured, merged
from pixsize.estimate.ids import (
    CREATE_4K,
    EMPTY_CREATE,
    SEQUENTIAL,
    THREADS,
    THREADS_OF,
    THROUGHPUT,
    by_threads,
)
from pixsize.estimate.ranges import Range, Step, factor, quadrature, rounded, told
from pixsize.estimate.spreads import AGAIN, Family, family_of
from pixsize.estimate.system import Difference, System
from pixsize.figures import Figure, weakest

SCALED = Difference("size", "another system, scaled to its peak")
POINTS = Difference("size", "points of another system, scaled to the peak of this one")
CLIENTS = "client threads"
"""The limit of a rate below the peak, where no unlike modules set that."""


class Test(NamedTuple):
    """The points that were printed of one system, by threads, and its peak, where that was measured."""

    points: tuple[tuple[int, Measured], ...]
    peak: Measured | None
    most: int

    @property
    def under_peak(self) -> tuple[tuple[int, Measured, Range], ...]:
        """The points up to the peak; one above it, which another measurement of the system has, tells that so many
        threads bring the peak.
        """
        return tuple((n, m, m.rate.under(self.peak.rate)) for n, m in self.points) if self.peak else ()

    @property
    def rising(self) -> tuple[tuple[int, Measured, Range], ...]:
        """The points below the peak: they tell what threads bring, whatever the peak of another system is."""
        return tuple(p for p in self.under_peak if self.peak and p[1].rate.value != self.peak.rate.value)


class Bounded(NamedTuple):
    """What a number of threads reaches of a plan's peak, its range, and the steps that the range allows for."""

    found: Found
    bounds: Range
    steps: tuple[Step, ...]


def thread_figures(
    figures: Mapping[str, Figure], system: System, evidence: Evidence, catalog: Catalog
) -> tuple[Figure, ...]:
    """The rates by threads of every peak among the figures that documents print points for.

    Which there are depends on the design and its evidence alone: all plans of a design have the same.
    """
    found = {
        figure.id: figure
        for stem in THREADS_OF
        if f"{stem}.peak" in figures
        for figure in _curve(stem, figures, system, evidence, catalog)
    }
    return tuple(_no_slower(f, found.get(f.id.replace(EMPTY_CREATE, CREATE_4K))) for f in found.values())


def _no_slower(figure: Figure, other: Figure | None) -> Figure:
    """The rate of empty files, which are created no slower than files with data."""
    if other is None or (other.low <= figure.low and other.value <= figure.value and other.high <= figure.high):
        return figure
    value = max(figure.value, other.value)
    return replace(
        figure,
        value=value,
        low=max(figure.low, other.low),
        high=max(figure.high, other.high),
        basis=weakest((figure.basis, other.basis, "extrapolated" if value > figure.value else "exact")),
        rule=f"{figure.rule} It is no lower than that of files with data, {other.id}.",
        sources=tuple(dict.fromkeys((*figure.sources, *other.sources))),
        inputs=(*figure.inputs, other.id),
    )


def _curve(
    stem: str, figures: Mapping[str, Figure], system: System, evidence: Evidence, catalog: Catalog
) -> Iterator[Figure]:
    """The figures of one rate, from the fewest threads to the most."""
    own, others = _tests(stem, bool(system.arrays), evidence, catalog)
    counts = _counts(own, others)
    if not counts:
        return
    peak, sustained = figures[f"{stem}.peak"], figures.get(f"{stem}.sustained")
    most = Range(Fraction(peak.low), Fraction(peak.value), Fraction(peak.high))
    family = family_of(f"{stem}.peak", catalog)
    below, above = (
        [_along(test, counts, own, others, system, most, family) for test in tests]
        for tests in _nearest(own, system, most)
    )
    highest = (_one_of(each, max) for each in zip(*below, strict=True))
    lowest = (_one_of(each, min) for each in zip(highest, *above, strict=True))
    found = [_past(each, f) for each, f in zip(zip(*below, *above, strict=True), lowest, strict=True)]
    ranges = [f.bounds for f in found]
    if sustained:
        ranges = [r._replace(low=min(r.low, Fraction(sustained.low))) for r in ranges]
    ranges = lawful(counts, ranges, most, sequential=stem.startswith(SEQUENTIAL))
    # What few threads reach is scaled to the peak: unlike modules that pace the peak pace it, too.
    is_paced = stem.startswith(THROUGHPUT) and len(system.parts) > 1
    for n, what, bounds in zip(counts, found, ranges, strict=True):
        figure = _figure(by_threads(stem, n), what, bounds, (peak, sustained), family)
        yield replace(figure, limited_by=peak.limited_by) if is_paced else figure


def _along(
    near: Test,
    counts: Sequence[int],
    own: Sequence[Test],
    others: Sequence[Test],
    system: System,
    peak: Range,
    family: Family,
) -> list[Bounded]:
    """What each number of threads reaches by the curve of one system, scaled to each end of a plan's peak."""
    tested = near.peak.rate.value if near.peak else peak.value
    points = _points(near, own, others, system, tested, family)
    curves = [scaled(points, end / tested if near.peak else Fraction(1)) for end in peak]
    doubts = tuple(dict.fromkeys(doubt for _, m in near.points for doubt in m.doubted))
    steps = (*family.steps(()), *_size(near, system, peak, family), *doubts)
    factors = Range(1 / quadrature(s.down for s in steps), Fraction(1), quadrature(s.up for s in steps))
    return [_bounded(n, curves, peak, steps, factors) for n in counts]


def _one_of(found: Sequence[Bounded], which: Callable[..., Any]) -> Bounded:
    """The highest or the lowest of what several curves give, at each end."""
    ends = (which(ends) for ends in zip(*(f.bounds for f in found), strict=True))
    chosen: Bounded = which(found, key=lambda f: f.bounds.value)
    return chosen._replace(bounds=Range(*ends))


def _past(of_each: Sequence[Bounded], chosen: Bounded) -> Bounded:
    """The chosen one, past the peak where each curve that comes to it says so: a larger system is past it with more
    threads.
    """
    at_peak = [f.found for f in of_each if f.found.is_at_peak]
    if at_peak and all(found.is_past for found in at_peak):
        return chosen._replace(found=at_peak[0])
    return chosen._replace(found=chosen.found._replace(is_past=False))


def _size(near: Test, system: System, peak: Range, family: Family) -> tuple[Step, ...]:
    """The step of another system than the one that the curve is of, where there is one.

    It goes down where the value of the peak is lower, and up where the high end is higher than that of the measured
    system: each end by itself, since unlike modules that pace each other lower the value alone.
    """
    if near.peak is None or system.is_system_of(near.points[-1][1]):
        return ()
    tested = near.peak.rate.after((family.step(AGAIN), *near.peak.doubted))
    step = family.step(SCALED)
    down = step.down if peak.value < tested.value else Fraction(1)
    up = step.up if peak.high > tested.whole()[2] else Fraction(1)
    return (step._replace(down=down, up=up),) if max(down, up) > 1 else ()


def _bounded(
    threads: int, curves: Sequence[Sequence[Point]], peak: Range, steps: tuple[Step, ...], factors: Range
) -> Bounded:
    """What a number of threads reaches of each end of the peak, where each thread brings as much less or more as the
    steps say: `factors`, all of them together.

    Each end has its curve, scaled to it: it rises with its end of the peak, so that more hardware brings no less.
    """
    low, found, high = (
        at(threads * factor, curve, Range(end, end, end))
        for factor, curve, end in zip(factors, curves, peak, strict=True)
    )
    bounds = Range(low.rate.low, found.rate.value, high.rate.high)
    farthest = max(found.points, key=lambda p: len(p.steps))
    return Bounded(found, bounds, (*steps, *farthest.steps))


@lru_cache(maxsize=256)
def _tests(
    stem: str, on_arrays: bool, evidence: Evidence, catalog: Catalog
) -> tuple[tuple[Test, ...], tuple[Test, ...]]:
    """The tests of systems of the design, and those of its file system on like arrays in another design."""
    names = {by_threads(stem, n): n for n in THREADS} | {f"{stem}.peak": 0}
    own = [m for figure in names for m in evidence.measurements(figure)]
    others: list[Measured] = []
    if on_arrays:
        found = (m for figure in names for m in evidence.near(figure) if m.elsewhere)
        others = [m for m in found if not m.of_other_filesystem]
    return tuple(_by_system(own, names, catalog)), tuple(_by_system(others, names, catalog))


def _by_system(measured: Sequence[Measured], names: Mapping[str, int], catalog: Catalog) -> list[Test]:
    """The measurements that have a number of threads, those of each system together; of two alike the lower one."""
    found: list[Test] = []
    left = sorted(measured, key=lambda m: m.id)
    while left:
        first = left[0]
        same = [m for m in left if m.system.design == first.system.design and m.same_system(first)]
        left = [m for m in left if m not in same]
        at_count: dict[int, list[Measured]] = {}
        most = 0
        for m in same:
            threads = catalog.get(Measurement, m.id).threads
            most = max(most, threads.most if threads else 0)
            for n in (names[m.figure],) if names[m.figure] else threads.at if threads else ():
                at_count.setdefault(n, []).append(m)
        points = tuple((n, one) for n, some in sorted(at_count.items()) if (one := merged(some)))
        if points:
            found.append(Test(points, merged([m for m in same if not names[m.figure]]), max(most, points[-1][0])))
    return found


def _counts(own: Sequence[Test], others: Sequence[Test]) -> tuple[int, ...]:
    """The numbers of threads that figures are given for: powers of two from the fewest printed to the most that ran.

    Nobody knows what fewer threads reach.
    """
    printed = [n for t in own for n, _ in t.points] + [n for t in others for n, *_ in t.rising]
    if not own:
        return ()
    least, most = min(printed), max(t.most for t in own)
    return tuple(n for n in THREADS if least <= n <= most)


def _points(
    near: Test, own: Sequence[Test], others: Sequence[Test], system: System, peak: Fraction, family: Family
) -> tuple[Point, ...]:
    """The points of one system of the design, and of all other systems those below their peaks that fit in.

    Those of other systems are scaled to the peak of that one, each with the steps from its own system.
    """
    points: list[Point] = []
    for n, m in near.points:
        # The range of the peak is that of the plan's peak, which the curve is scaled to.
        rate = m.rate if m.rate.value < peak else Range(m.rate.value, m.rate.value, m.rate.value)
        points.append(Point(Fraction(n), rate, m, (), not system.is_system_of(m)))
    for test in (*(t for t in own if t is not near), *others):
        ratio = peak / test.peak.rate.value if test.peak else Fraction(1)
        # A system of the design has its own curve too: with a step here a larger plan's could fall below or above that.
        # The ratio of the peaks holds what another generation brings; how its curve differs beside that is the step.
        size = (family.step(POINTS),) if test in others else ()
        rising = [
            Point(Fraction(n), rate, m, (*size, *(family.step(d) for d in m.elsewhere if d.step != "generation")), True)
            for n, m, rate in (test.rising if near.peak else test.under_peak)
        ]
        for each in scaled(rising, ratio):
            fewer = [p for p in points if p.threads < each.threads]
            more = [p for p in points if p.threads > each.threads]
            # Where nobody measured the peak of the near system: so many threads bring it.
            is_at_peak = near.peak is None and each.rate.value >= peak
            if is_at_peak and not more:
                continue
            lowest = min((p.rate for p in more), key=lambda r: r.value, default=each.rate)
            point = each._replace(rate=each.rate.under(lowest)) if is_at_peak else each
            fits = all(p.rate.value <= point.rate.value for p in fewer)
            fits = fits and all(p.rate.value >= point.rate.value for p in more)
            if fits and len(fewer) + len(more) == len(points):
                rate = point.rate.after(point.steps)
                # Of few threads each brings no less than each of more: else a doubt about few is one about all.
                share = min((p.rate.value / p.threads for p in more), default=Fraction(0))
                low = max(rate.low, min(share * point.threads, rate.value))
                points.append(point._replace(rate=rate._replace(low=low)))
    return tuple(sorted(points, key=lambda p: p.threads))


def _nearest(own: Sequence[Test], system: System, peak: Range) -> tuple[list[Test], list[Test]]:
    """The systems of the design whose curves count for a plan: of the first ones the highest does, unless one of the
    others is lower.

    That is the very system, or the same on another network or with the same modules, so that metadata beside them
    lower nothing. For other plans the first ones are all with lower peaks and the one whose peak is nearest, the others
    those with higher peaks. The higher a plan's peak, the more there are of the first and the fewer of the others, so
    that more hardware brings no less. A system whose peak nobody measured tells nothing of others, unless there are
    only such: then its highest point stands for the peak.
    """
    if itself := [t for t in own if _is_itself(t, system)]:
        return itself[:1], []
    known = [(t.peak.rate.value, t.points[-1][1].id, t) for t in own if t.peak]
    if not known:
        highest = ((t, max((m for _, m in t.points), key=lambda m: m.rate.value)) for t in own)
        known = [(m.rate.value, m.id, t._replace(peak=m)) for t, m in highest]
    known.sort(key=lambda k: k[:2])
    ordered = [t for _, _, t in known]
    if alike := [t for t in ordered if _is_alike(t, system)]:
        return alike[:1], []
    lower = 1 + sum(peak.value**2 >= low * high for (low, *_), (high, *_) in pairwise(known))
    return ordered[:lower], ordered[lower:]


def _is_itself(test: Test, system: System) -> bool:
    return system.is_system_of(test.points[-1][1])


def _is_alike(test: Test, system: System) -> bool:
    last = test.points[-1][1]
    same_modules = last.figure.startswith(THROUGHPUT) and system.has_modules_of(last)
    return same_modules or system.on_any_network.is_system_of(last)


def _figure(figure: str, what: Bounded, bounds: Range, of: tuple[Figure, Figure | None], family: Family) -> Figure:
    """The figure, with its rule in words; `of` are its peak, and the sustained rate where there is one."""
    (peak, sustained), found = of, what.found
    is_raised = bounds.value > found.rate.value
    if sustained and found.is_past:
        bounds = bounds._replace(value=_between_rates(peak, sustained))
        found = found._replace(sentence=_PAST)
    value, low, high = bounds.whole()
    low, high = min(low, value), max(high, value)
    measured = [p.measured for p in found.points]
    threads = threads_in_words(int(figure.rpartition("_")[2]))
    basis = "extrapolated" if is_raised else found.basis
    sentences = (
        f"{threads} of the clients, out of a peak of {units.show(peak.value, peak.unit)}.",
        found.why,
        _NO_FEWER.format(found=units.show(round(found.rate.value), peak.unit)) if is_raised else "",
        _SCALED if any(p.rate.value != p.measured.rate.value for p in found.points) else "",
        f"{told(what.steps)}{_in_all(value, low, high, what.steps)} It is not above the peak's.",
        *dict.fromkeys(d for m in measured for d in m.caveats),
    )
    return Figure(
        id=figure,
        value=value,
        low=low,
        high=high,
        unit=peak.unit,
        basis=basis if basis == "measured" else weakest((basis, *(f.basis for f in of if f))),
        rule=" ".join(s for s in sentences if s),
        sources=tuple(dict.fromkeys((*(c for m in measured for c in m.sources), JUDGEMENT))),
        inputs=tuple(dict.fromkeys((*(i for m in measured for i in m.ids), *(f.id for f in of if f), family.id))),
        limited_by=peak.limited_by if value >= peak.value or found.is_past else CLIENTS,
    )


def _in_all(value: int, low: int, high: int, steps: tuple[Step, ...]) -> str:
    """What the range comes to, where that is not what the steps say: each end follows that of the peak."""
    if low <= 0:
        return ""
    whole = factor(Step("", "", Fraction(value, low), Fraction(high, value)))
    alone = factor(Step("", "", quadrature(s.down for s in steps), quadrature(s.up for s in steps)))
    if whole == alone:
        return ""
    return _WHOLE.format(whole=whole or "no range")


_WHOLE = (
    " With the range of the peak, which each end follows, that between the points, and what other numbers of threads "
    "reach, it comes to {whole}."
)


def _between_rates(peak: Figure, sustained: Figure) -> Fraction:
    """Halfway between a peak and the sustained rate, in logarithms."""
    return sustained.value * rounded(sqrt(peak.value / sustained.value))


_PAST = (
    "The peak was reached with {}. With more threads it may last, or fall to the sustained rate: the value lies "
    "halfway between the two on a logarithmic scale, and the low end is that of the sustained rate."
)

_NO_FEWER = "That is {found}; fewer threads are known to bring more, and more threads are taken to bring no less."
_SCALED = (
    "Points of another system are scaled by the ratio of the peaks, threads and rate alike, so that the rate for each "
    "thread never rises with the threads."
)
