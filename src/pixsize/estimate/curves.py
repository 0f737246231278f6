"""Curves of a rate by threads: points that were measured, scaled to a peak, and what lies between and beyond them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from pixsize import units
from pixsize.estimate.evidence import Measured
from pixsize.estimate.ids import MEASURABLE
from pixsize.estimate.ranges import Range, Step
from pixsize.figures import Basis


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


class Found(NamedTuple):
    """What a number of threads reaches, how it is known, the points that it rests on, and a sentence on how.

    The sentence has a place for each point. `is_past` whether these are more threads than the peak was printed with.
    """

    rate: Range
    basis: Basis
    points: tuple[Point, ...]
    sentence: str
    is_past: bool = False

    @property
    def is_at_peak(self) -> bool:
        """Whether so many threads were seen to bring the peak."""
        return self.sentence == _AT_PEAK

    @property
    def why(self) -> str:
        """The sentence with its points: most rates that are found are those of ends, which no rule tells."""
        return self.sentence.format(*map(described, self.points))


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


def at(threads: Fraction | int, points: Sequence[Point], peak: Range) -> Found:
    """What a number of threads reaches: the point that was printed, or what the nearest points say.

    The points are in the order of their threads.
    """
    place = bisect_right(points, threads, key=lambda p: p.threads)
    below = points[place - 1] if place else None
    above = points[place] if place < len(points) else None
    if below is None:
        assert above is not None
        return Found(above.rate.times(threads / above.threads), "extrapolated", (above,), _FEWER)
    is_printed = below.threads == threads and not below.is_scaled
    basis: Basis = "measured" if is_printed else "extrapolated"
    if below.rate.value > peak.value:
        return Found(peak, "extrapolated", (below,), _ABOVE_PEAK)
    if below.rate.value == peak.value:
        is_past = threads > below.threads and (above is None or above.rate.value < peak.value)
        return Found(peak, basis, (below,), _AT_PEAK, is_past)
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
    return Found(Range(line.low, (line.value + most.value) / 2, most.high), "extrapolated", (below, above), _BETWEEN)


def _beyond(threads: Fraction | int, last: Point, peak: Range) -> Found:
    """Beyond the last point, where that is below the peak."""
    slope = last.rate.times(1 / last.threads)
    value = max(last.rate.value, saturating(threads, slope.value, peak.value))
    high = max(value, min(slope.high * threads, peak.high))
    return Found(Range(last.rate.low, value, high), "extrapolated", (last,), _BEYOND)


_FEWER = "Fewer threads than any that are known here: as much for each as with {}."
_AT_PEAK = "The peak is reached with {}; it may be no more than the sustained rate."
_ABOVE_PEAK = "Another measurement has more than the peak with {}: the value is the peak."
_BETWEEN = (
    "Between {} and {}: halfway between the straight line from one to the other and the most there can be, as much for "
    "each thread as at the first up to the rate of the second."
)
_BEYOND = (
    "No point beyond {}: P x (1 - e^(-n x r/P)) for n threads, the peak P and the rate r for each thread there; no "
    "less than that point."
)


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


def described(point: Point) -> str:
    """A point as a rule names it."""
    unit = MEASURABLE[point.measured.figure]
    return f"{threads_in_words(point.threads)} ({units.show(round(point.rate.value), unit)})"


def threads_in_words(number: Fraction | int) -> str:
    """A number of threads as a rule names it; a scaled one may be no whole number."""
    return "1 thread" if number == 1 else f"{round(float(number), 1):,g} threads"
