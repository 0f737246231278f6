"""Rates by number of threads: what a few threads of the clients reach of a plan's peak.

The points that documents print are a curve; that of another system is scaled to the peak of the plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Measurement
from pixsize.estimate.evidence import JUDGEMENT, Evidence, Measured, merged
from pixsize.estimate.ids import MEASURABLE, SEQUENTIAL, THREADS, THREADS_OF, by_threads
from pixsize.estimate.ranges import Range, Step, told
from pixsize.estimate.spreads import Family, family_of
from pixsize.estimate.system import Difference, System
from pixsize.figures import Basis, Figure, weakest

LEAST_SHARE = Fraction(1, 16)
"""Of the fewest threads that a document prints a rate of: for fewer than this part of them nothing is said."""
SCALED = Difference("size", "another system, scaled to its peak")
CLIENTS = "client threads"
"""The limit of a rate below the peak."""


class Point(NamedTuple):
    """What so many threads reach: as printed, or scaled to the peak of the plan.

    `unlike` is in what the measured system differs from the plan; nothing for the same system.
    """

    threads: Fraction
    rate: Range
    measured: Measured
    unlike: tuple[Difference, ...]


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
    """What a number of threads reaches, how it is known, the points that it rests on, and a sentence on how."""

    rate: Range
    basis: Basis
    points: tuple[Point, ...]
    why: str

    def steps(self, family: Family) -> tuple[Step, ...]:
        """The steps to the plan from the point that is farther from it."""
        farthest = max(self.points, key=lambda p: len(p.unlike))
        steps = family.steps(tuple(d for d in farthest.unlike if d != SCALED))
        if SCALED not in farthest.unlike:
            return steps
        scaled = family.step(SCALED)
        is_larger = farthest.rate.value >= farthest.measured.rate.value
        return (*steps, scaled.upwards() if is_larger else scaled.downwards())


def thread_figures(
    figures: Mapping[str, Figure], system: System, evidence: Evidence, catalog: Catalog
) -> tuple[Figure, ...]:
    """The rates by threads of every peak among the figures that documents print points for.

    Which there are depends on the design and its evidence alone: all plans of a design have the same.
    """
    return tuple(
        figure
        for stem in THREADS_OF
        if f"{stem}.peak" in figures
        for figure in _curve(stem, figures, system, evidence, catalog)
    )


def _curve(
    stem: str, figures: Mapping[str, Figure], system: System, evidence: Evidence, catalog: Catalog
) -> Iterator[Figure]:
    """The figures of one rate, from the fewest threads to the most."""
    own, others = _tests(stem, system, evidence, catalog)
    counts = _counts(own, others)
    peak, sustained = figures[f"{stem}.peak"], figures.get(f"{stem}.sustained")
    most = Range(Fraction(peak.low), Fraction(peak.value), Fraction(peak.high))
    points = _points(own, others, system, most)
    if not counts or not points:
        return
    family = family_of(f"{stem}.peak", catalog)
    found = [at(n, points, most) for n in counts]
    ranges = [f.rate.after(f.steps(family)) for f in found]
    ranges = [r.above(b) for r, b in zip(ranges, _of_smaller(counts, own, system, most, family), strict=True)]
    if sustained:
        reached = (r.value >= most.value for r in ranges)
        lower = [min(r.low, Fraction(sustained.low)) if top else r.low for r, top in zip(ranges, reached, strict=True)]
        ranges = [r._replace(low=low) for r, low in zip(ranges, lower, strict=True)]
    ranges = lawful(counts, ranges, most, sequential=stem.startswith(SEQUENTIAL))
    for n, what, bounds in zip(counts, found, ranges, strict=True):
        yield _figure(by_threads(stem, n), what, bounds, (peak, sustained), family)


def _tests(stem: str, system: System, evidence: Evidence, catalog: Catalog) -> tuple[list[Test], list[Test]]:
    """The tests of systems of the design, and those of its file system on like arrays in another design."""
    names = {by_threads(stem, n): n for n in THREADS} | {f"{stem}.peak": 0}
    own = [m for figure in names for m in evidence.measurements(figure)]
    others: list[Measured] = []
    if system.arrays:
        found = (m for figure in names for m in evidence.near(figure) if m.elsewhere)
        others = [m for m in found if not m.of_other_filesystem]
    return _by_system(own, names, catalog), _by_system(others, names, catalog)


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
    """The numbers of threads that figures are given for: powers of two within what was printed and run."""
    printed = [n for t in own for n, _ in t.points] + [n for t in others for n, _ in t.rising]
    if not own or not printed:
        return ()
    least, most = min(printed) * LEAST_SHARE, max(t.most for t in own)
    return tuple(n for n in THREADS if least <= n <= most)


def _points(own: Sequence[Test], others: Sequence[Test], system: System, peak: Range) -> tuple[Point, ...]:
    """The points of the nearest system of the design, and of all other systems those below their peaks that fit in.

    Points of another system are scaled by the ratio of the peaks, threads and rate alike: so one thread brings the same
    at any size. That of one thread stays where it is.
    """
    if not own:
        return ()
    near = min(own, key=lambda t: _how_far(t, system, peak))
    points: list[Point] = []
    for test, series in (
        (near, near.points),
        *((t, t.rising) for t in own if t is not near),
        *((t, t.rising) for t in others),
    ):
        for n, m in series:
            same = not m.elsewhere and system.is_system_of(m)
            ratio = Fraction(1) if same or n == 1 or not test.peak else peak.value / test.peak.rate.value
            point = Point(n * ratio, m.rate.times(ratio), m, () if same else (SCALED, *m.elsewhere))
            lower = all(p.rate.value <= point.rate.value for p in points if p.threads < point.threads)
            higher = all(p.rate.value >= point.rate.value for p in points if p.threads > point.threads)
            if lower and higher and all(p.threads != point.threads for p in points):
                points.append(point)
    return tuple(sorted(points, key=lambda p: p.threads))


def _of_smaller(counts: Sequence[int], own: Sequence[Test], system: System, peak: Range, family: Family) -> list[Range]:
    """What the nearest measured system reaches, where it is no larger than the plan: more hardware brings no less.

    Of fewer threads than it was measured with it says nothing.
    """
    near, nothing = min(own, key=lambda t: _how_far(t, system, peak)), Range(Fraction(0), Fraction(0), Fraction(0))
    if near.peak is None or near.peak.rate.value > peak.value:
        return [nothing for _ in counts]
    points = tuple(Point(Fraction(n), m.rate, m, ()) for n, m in near.points)
    again = family.steps(())
    own_peak = Range(near.peak.rate.value, near.peak.rate.value, near.peak.rate.value).after(again)
    reached = {n: at(n, points, own_peak).rate.after(again).under(own_peak) for n in counts if n >= points[0].threads}
    return [reached.get(n, nothing) for n in counts]


def _how_far(test: Test, system: System, peak: Range) -> tuple[bool, Fraction, str]:
    """How far a test lies from a plan: the very system first, then the nearest peak, then the first id."""
    first = test.points[-1][1]
    tested = (test.peak or first).rate.value
    return not system.is_system_of(first), max(tested / peak.value, peak.value / tested), first.id


def at(threads: int, points: Sequence[Point], peak: Range) -> Found:
    """What a number of threads reaches: the point that was printed, or what the nearest points say."""
    below = max((p for p in points if p.threads <= threads), key=lambda p: p.threads, default=None)
    above = min((p for p in points if p.threads > threads), key=lambda p: p.threads, default=None)
    if below and below.threads == threads and below.rate.value < peak.value:
        return Found(
            below.rate, "measured" if not below.unlike else "extrapolated", (below,), "This point was printed."
        )
    if below is None and above:
        share = above.rate.times(threads / above.threads)
        why = f"Nobody printed a rate of fewer threads than {_said(above)}: the value is as much for each thread, the "
        return Found(share._replace(high=above.rate.high), "estimated", (above,), f"{why}upper end all of it.")
    assert below is not None
    if below.rate.value >= peak.value:
        basis: Basis = "measured" if below.threads == threads and not below.unlike else "extrapolated"
        why = f"The peak is reached with {_said(below)}; it may be no more than the sustained rate."
        return Found(peak, basis, (below,), why)
    return _between(threads, below, above) if above else _beyond(threads, below, peak)


def _between(threads: int, below: Point, above: Point) -> Found:
    """Between two points: halfway from the straight line to what can be at the most.

    That is as much for each thread as the lower point has, and no more than the higher point.
    """
    part = (threads - below.threads) / (above.threads - below.threads)
    ends = list(zip(below.rate, above.rate, strict=True))
    most = Range(*(min(low * threads / below.threads, high) for low, high in ends))
    line = Range(*(low + (high - low) * part for low, high in ends)).under(most)
    why = (
        f"Between {_said(below)} and {_said(above)}: halfway from the straight line to the lesser of the second rate "
        "and as much for each thread as at the first."
    )
    return Found(Range(line.low, (line.value + most.value) / 2, most.high), "extrapolated", (below, above), why)


def _beyond(threads: int, last: Point, peak: Range) -> Found:
    """Beyond the last point, where that is below the peak."""
    slope = last.rate.times(1 / last.threads)
    value = max(last.rate.value, saturating(threads, slope.value, peak.value))
    high = max(value, min(slope.high * threads, peak.high))
    why = (
        f"No point beyond {_said(last)}: P x (1 - e^(-n x r/P)) for n threads, the peak P and the rate r for each "
        "thread there; no less than that point."
    )
    return Found(Range(last.rate.low, value, high), "extrapolated", (last,), why)


def saturating(threads: int, slope: Fraction, peak: Fraction) -> Fraction:
    """What threads reach that bring `slope` each while they are few, and together no more than `peak`.

    In decimal arithmetic, which rounds alike on every machine.
    """
    exponent, context = threads * slope / peak, Context(prec=30)
    power = context.divide(Decimal(-exponent.numerator), Decimal(exponent.denominator))
    return peak * (1 - Fraction(context.exp(power)))


def lawful(counts: Sequence[int], ranges: Sequence[Range], peak: Range, *, sequential: bool) -> list[Range]:
    """The ranges under the peak, none falling with the threads.

    Of sequential rates no end is above n times that of one thread, whose own high end is then no less than what each of
    several was seen to bring. Metadata is exempt: creates of 4 KiB files were seen to grow faster than the threads.
    """
    under = [r.under(peak) for r in ranges]
    lows = list(accumulate(reversed([r.low for r in under]), min))[::-1]
    values = list(accumulate((r.value for r in under), max))
    highs = list(accumulate((r.high for r in under), max))
    if sequential and counts[0] == 1:
        one = max(highs[0], *(value / n for n, value in zip(counts, values, strict=True)))
        highs = [min(max(high, value), n * one) for n, value, high in zip(counts, values, highs, strict=True)]
        highs = list(accumulate((one, *highs[1:]), max))
    return [Range(*r) for r in zip(lows, values, highs, strict=True)]


def _figure(figure: str, found: Found, bounds: Range, of: tuple[Figure, Figure | None], family: Family) -> Figure:
    """The figure, with its rule in words; `of` are its peak, and the sustained rate where there is one."""
    peak, others = of[0], tuple(f.id for f in of if f)
    value, low, high = bounds.whole()
    measured = [p.measured for p in found.points]
    scaled = any(p.rate.value != p.measured.rate.value for p in found.points)
    threads = _threads(int(figure.rpartition("_")[2]))
    sentences = (
        f"{threads} of the clients, out of a peak of {units.show(peak.value, peak.unit)}.",
        found.why,
        _SCALED if scaled else "",
        f"{told(found.steps(family))} It is not above the peak's.",
        *dict.fromkeys(d for m in measured for d in m.doubts),
    )
    return Figure(
        id=figure,
        value=value,
        low=min(low, value),
        high=max(high, value),
        unit=peak.unit,
        basis=found.basis if found.basis == "measured" else weakest((found.basis, peak.basis)),
        rule=" ".join(s for s in sentences if s),
        sources=tuple(dict.fromkeys((*(c for m in measured for c in m.sources), JUDGEMENT))),
        inputs=tuple(dict.fromkeys((*(i for m in measured for i in m.ids), *others, family.id))),
        limited_by=peak.limited_by if value >= peak.value else CLIENTS,
    )


_SCALED = (
    "Points of another system are scaled by the ratio of the peaks, threads and rate alike: one thread brings the same "
    "everywhere."
)


def _said(point: Point) -> str:
    """A point as a rule names it."""
    unit = MEASURABLE[point.measured.figure]
    return f"{_threads(point.threads)} ({units.show(round(point.rate.value), unit)})"


def _threads(number: Fraction | int) -> str:
    return "1 thread" if number == 1 else f"{round(float(number), 1):,g} threads"
