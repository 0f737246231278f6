"""Rates by number of threads: what a few threads of the clients reach of a plan's peak.

The points that documents print are a curve; that of another system is scaled to the peak of the plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import sqrt
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Measurement
from pixsize.estimate.evidence import JUDGEMENT, Evidence, Measured, merged
from pixsize.estimate.ids import (
    CREATE_4K,
    EMPTY_CREATE,
    MEASURABLE,
    SEQUENTIAL,
    THREADS,
    THREADS_OF,
    THROUGHPUT,
    by_threads,
)
from pixsize.estimate.ranges import Range, Step, quadrature, rounded, told
from pixsize.estimate.spreads import Family, family_of
from pixsize.estimate.system import Difference, System
from pixsize.figures import Basis, Figure, weakest

SCALED = Difference("size", "another system, scaled to its peak")
CLIENTS = "client threads"
"""The limit of a rate below the peak, where no unlike modules set that."""


class Point(NamedTuple):
    """What so many threads reach: as printed, or scaled to the peak of the plan.

    `steps` lie between the measured system and the one that the curve is of; `is_scaled` whether the point is
    not one of the planned system, as printed.
    """

    threads: Fraction
    rate: Range
    measured: Measured
    steps: tuple[Step, ...]
    is_scaled: bool = False


class Test(NamedTuple):
    """The points that were printed of one system, by threads, and its peak, where that was measured."""

    points: tuple[tuple[int, Measured], ...]
    peak: Measured | None
    most: int

    @property
    def rising(self) -> tuple[tuple[int, Measured], ...]:
        """The points below the peak: they tell what threads bring, whatever the peak of another system is."""
        return tuple((n, m) for n, m in self.points if self.peak and m.rate.value < self.peak.rate.value)


class Found(NamedTuple):
    """What a number of threads reaches, how it is known, the points that it rests on, and a sentence on how.

    `is_past` whether these are more threads than the peak was printed with.
    """

    rate: Range
    basis: Basis
    points: tuple[Point, ...]
    why: str
    is_past: bool = False


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
    near = min(own, key=lambda t: _how_far(t, system))
    tested = near.peak.rate.value if near.peak else most.value
    points = _points(near, own, others, system, tested, family)
    ratios = [end / near.peak.rate.value if near.peak else Fraction(1) for end in most]
    curves = [scaled(points, ratio) for ratio in ratios]
    steps = family.steps(())
    if ratios[1] != 1:
        size = family.step(SCALED)
        steps = (*steps, size.upwards() if ratios[1] > 1 else size.downwards())
    found = [_bounded(n, curves, most, steps) for n in counts]
    ranges = [f.bounds for f in found]
    if sustained:
        ranges = [r._replace(low=min(r.low, Fraction(sustained.low))) for r in ranges]
    ranges = lawful(counts, ranges, most, sequential=stem.startswith(SEQUENTIAL))
    # What few threads reach is scaled to the peak: unlike modules that pace the peak pace it, too.
    is_paced = stem.startswith(THROUGHPUT) and len(system.parts) > 1
    for n, what, bounds in zip(counts, found, ranges, strict=True):
        figure = _figure(by_threads(stem, n), what, bounds, (peak, sustained), family)
        yield replace(figure, limited_by=peak.limited_by) if is_paced else figure


def _bounded(threads: int, curves: Sequence[Sequence[Point]], peak: Range, steps: tuple[Step, ...]) -> Bounded:
    """What a number of threads reaches of each end of the peak, where each thread brings as much less or more as the
    steps say.

    Each end has its curve, scaled to it: it rises with its end of the peak, so that more hardware brings no less.
    """
    factors = 1 / quadrature(s.down for s in steps), Fraction(1), quadrature(s.up for s in steps)
    low, found, high = (
        at(threads * factor, curve, Range(end, end, end))
        for factor, curve, end in zip(factors, curves, peak, strict=True)
    )
    bounds = Range(low.rate.low, found.rate.value, high.rate.high)
    farthest = max(found.points, key=lambda p: len(p.steps))
    return Bounded(found, bounds, (*steps, *farthest.steps))


def scaled(points: Sequence[Point], ratio: Fraction) -> tuple[Point, ...]:
    """The points for a peak that is `ratio` times as high: threads and rate alike are multiplied.

    A larger system reaches no less with the same threads only where the rate for each thread never rises: for more,
    each point has the most of it and of all later points; for less, the least of it and of all earlier ones.
    """
    if ratio == 1:
        return tuple(points)
    shares = [p.rate.times(1 / p.threads) for p in points]
    if ratio > 1:
        shares = list(accumulate(reversed(shares), Range.above))[::-1]
    else:
        shares = list(accumulate(shares, Range.under))
    return tuple(
        p._replace(threads=p.threads * ratio, rate=share.times(p.threads * ratio), is_scaled=True)
        for p, share in zip(points, shares, strict=True)
    )


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
    printed = [n for t in own for n, _ in t.points] + [n for t in others for n, _ in t.rising]
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
        size = (family.step(SCALED),) if test in others else ()
        rising = [
            Point(
                Fraction(n), m.rate, m, (*size, *(family.step(d) for d in m.elsewhere if d.step != "generation")), True
            )
            for n, m in test.rising
        ]
        for point in scaled(rising, ratio):
            fewer = [p for p in points if p.threads < point.threads]
            more = [p for p in points if p.threads > point.threads]
            fits = all(p.rate.value <= point.rate.value for p in fewer)
            fits = fits and all(p.rate.value >= point.rate.value for p in more)
            if fits and len(fewer) + len(more) == len(points):
                rate = point.rate.after(point.steps)
                # Of few threads each brings no less than each of more: else a doubt about few is one about all.
                share = min((p.rate.value / p.threads for p in more), default=Fraction(0))
                low = max(rate.low, min(share * point.threads, rate.value))
                points.append(point._replace(rate=rate._replace(low=low)))
    return tuple(sorted(points, key=lambda p: p.threads))


def _how_far(test: Test, system: System) -> tuple[bool, bool, Fraction, str]:
    """Which system of the design the curve is that of: the very system first, then the same on another network or with
    the same modules, so that metadata beside them lower nothing, then the lowest peak, then the first id.

    It is the same for plans of all other sizes, so that one curve is scaled to all of them.
    """
    first = test.points[-1][1]
    alike = first.figure.startswith(THROUGHPUT) and system.has_modules_of(first)
    alike = alike or system.on_any_network.is_system_of(first)
    return not system.is_system_of(first), not alike, (test.peak or first).rate.value, first.id


def at(threads: Fraction | int, points: Sequence[Point], peak: Range) -> Found:
    """What a number of threads reaches: the point that was printed, or what the nearest points say."""
    below = max((p for p in points if p.threads <= threads), key=lambda p: p.threads, default=None)
    above = min((p for p in points if p.threads > threads), key=lambda p: p.threads, default=None)
    if below is None:
        assert above is not None
        why = f"As much for each thread as with {_said(above)}: the system is larger than the one that was measured."
        return Found(above.rate.times(threads / above.threads), "extrapolated", (above,), why)
    is_printed = below.threads == threads and not below.is_scaled
    basis: Basis = "measured" if is_printed else "extrapolated"
    if below.rate.value >= peak.value:
        is_past = threads > below.threads and (above is None or above.rate.value < peak.value)
        why = f"The peak is reached with {_said(below)}; it may be no more than the sustained rate."
        return Found(peak, basis, (below,), why, is_past)
    if below.threads == threads:
        return Found(below.rate, basis, (below,), "This point was printed." if is_printed else "This point is known.")
    return _between(threads, below, above) if above else _beyond(threads, below, peak)


def _between(threads: Fraction | int, below: Point, above: Point) -> Found:
    """Between two points: halfway from the straight line to what can be at the most.

    That is as much for each thread as the lower point has, and no more than the higher point.
    """
    part = (threads - below.threads) / (above.threads - below.threads)
    ends = list(zip(below.rate, above.rate, strict=True))
    most = Range(*(min(low * threads / below.threads, high) for low, high in ends))
    line = Range(*(low + (high - low) * part for low, high in ends)).under(most)
    why = (
        f"Between {_said(below)} and {_said(above)}: halfway between the straight line from one to the other and the "
        "most there can be, as much for each thread as at the first up to the rate of the second."
    )
    return Found(Range(line.low, (line.value + most.value) / 2, most.high), "extrapolated", (below, above), why)


def _beyond(threads: Fraction | int, last: Point, peak: Range) -> Found:
    """Beyond the last point, where that is below the peak."""
    slope = last.rate.times(1 / last.threads)
    value = max(last.rate.value, saturating(threads, slope.value, peak.value))
    high = max(value, min(slope.high * threads, peak.high))
    why = (
        f"No point beyond {_said(last)}: P x (1 - e^(-n x r/P)) for n threads, the peak P and the rate r for each "
        "thread there; no less than that point."
    )
    return Found(Range(last.rate.low, value, high), "extrapolated", (last,), why)


def saturating(threads: Fraction | int, slope: Fraction, peak: Fraction) -> Fraction:
    """What threads reach that bring `slope` each while they are few, and together no more than `peak`.

    In decimal arithmetic, which rounds alike on every machine.
    """
    exponent, context = threads * slope / peak, Context(prec=30)
    power = context.divide(Decimal(-exponent.numerator), Decimal(exponent.denominator))
    return peak * (1 - Fraction(context.exp(power)))


def lawful(counts: Sequence[int], ranges: Sequence[Range], peak: Range, *, sequential: bool) -> list[Range]:
    """The ranges under the peak, none falling with the threads up to there.

    Of sequential rates the high end of one thread is no less than what each of several may bring, so that none is above
    n times it. Metadata is exempt: creates of 4 KiB files were seen to grow faster than the threads.
    """
    under = [r.under(peak) for r in ranges]
    lows = list(accumulate(reversed([r.low for r in under]), min))[::-1]
    values = list(accumulate((r.value for r in under), max))
    highs = list(accumulate((r.high for r in under), max))
    if sequential and counts[0] == 1:
        highs[0] = max(high / n for n, high in zip(counts, highs, strict=True))
    return [Range(*r) for r in zip(lows, values, highs, strict=True)]


def _figure(figure: str, what: Bounded, bounds: Range, of: tuple[Figure, Figure | None], family: Family) -> Figure:
    """The figure, with its rule in words; `of` are its peak, and the sustained rate where there is one."""
    (peak, sustained), found = of, what.found
    if sustained and found.is_past:
        bounds = bounds._replace(value=_between_rates(peak, sustained))
        found = found._replace(why=_PAST.format(point=_said(found.points[0])))
    value, low, high = bounds.whole()
    measured = [p.measured for p in found.points]
    threads = _threads(int(figure.rpartition("_")[2]))
    sentences = (
        f"{threads} of the clients, out of a peak of {units.show(peak.value, peak.unit)}.",
        found.why,
        _SCALED if any(p.rate.value != p.measured.rate.value for p in found.points) else "",
        f"{told(what.steps)} It is not above the peak's.",
        *dict.fromkeys(d for m in measured for d in m.doubts),
    )
    return Figure(
        id=figure,
        value=value,
        low=min(low, value),
        high=max(high, value),
        unit=peak.unit,
        basis=found.basis if found.basis == "measured" else weakest((found.basis, *(f.basis for f in of if f))),
        rule=" ".join(s for s in sentences if s),
        sources=tuple(dict.fromkeys((*(c for m in measured for c in m.sources), JUDGEMENT))),
        inputs=tuple(dict.fromkeys((*(i for m in measured for i in m.ids), *(f.id for f in of if f), family.id))),
        limited_by=peak.limited_by if value >= peak.value or found.is_past else CLIENTS,
    )


def _between_rates(peak: Figure, sustained: Figure) -> Fraction:
    """Halfway between a peak and the sustained rate, in logarithms."""
    return sustained.value * rounded(sqrt(peak.value / sustained.value))


_PAST = (
    "The peak was reached with {point}. With more threads it may last, or fall to the sustained rate: the value lies "
    "halfway between the two on a logarithmic scale, and the low end is that of the sustained rate."
)

_SCALED = (
    "Points of another system are scaled by the ratio of the peaks, threads and rate alike, so that the rate for each "
    "thread never rises with the threads."
)


def _said(point: Point) -> str:
    """A point as a rule names it."""
    unit = MEASURABLE[point.measured.figure]
    return f"{_threads(point.threads)} ({units.show(round(point.rate.value), unit)})"


def _threads(number: Fraction | int) -> str:
    return "1 thread" if number == 1 else f"{round(float(number), 1):,g} threads"
