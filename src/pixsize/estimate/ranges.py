"""How uncertain a number is: ranges as exact fractions, and independent steps that widen them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, exp, floor, log, sqrt
from typing import NamedTuple


class Step(NamedTuple):
    """One reason why a rate may differ from its evidence, and by how much.

    `kind` is a `StepKind`, or `doubt`; `what` says the reason in words. `down` and `up` are ratios of
    at least 1: nine times of ten a measurement lies between the value divided by `down` and the value times `up`.
    """

    kind: str
    what: str
    down: Fraction
    up: Fraction

    def upwards(self) -> Step:
        """The step of a system with more than what was measured: it may bring more, and never less."""
        return self._replace(down=Fraction(1))

    def downwards(self) -> Step:
        """The step of a system with less than what was measured: it may bring less, and never more."""
        return self._replace(up=Fraction(1))


class Range(NamedTuple):
    """low <= value <= high, in whatever unit the figure has."""

    low: Fraction
    value: Fraction
    high: Fraction

    @classmethod
    def around(cls, value: Fraction, *bounds: Fraction) -> Range:
        """The value, with the smallest and largest of it and `bounds` around it."""
        return cls(min(value, *bounds), value, max(value, *bounds))

    def times(self, factor: Fraction | int) -> Range:
        """All three multiplied: a share of something, or several of it."""
        return Range(self.low * factor, self.value * factor, self.high * factor)

    def after(self, steps: Iterable[Step]) -> Range:
        """The same value, with a range that holds the steps as well as its own width.

        Independent errors add in quadrature: the logarithms of the ratios are squared, added, and the root is taken.
        """
        steps = tuple(steps)
        if not steps or self.low <= 0:
            return self
        down = quadrature((self.value / self.low, *(s.down for s in steps)))
        up = quadrature((self.high / self.value, *(s.up for s in steps)))
        return Range(self.value / down, self.value, self.value * up)

    def under(self, other: Range) -> Range:
        """Value, low and high, none above that of the other range: a ceiling that is a range itself."""
        return Range(min(self.low, other.low), min(self.value, other.value), min(self.high, other.high))

    def above(self, other: Range) -> Range:
        """Value, low and high, none below that of the other range."""
        return Range(max(self.low, other.low), max(self.value, other.value), max(self.high, other.high))

    def whole(self) -> tuple[int, int, int]:
        """Value, low and high as whole numbers: the value to the nearest, the bounds outwards."""
        return floor(self.value + Fraction(1, 2)), floor(self.low), ceil(self.high)


def quadrature(ratios: Iterable[Fraction]) -> Fraction:
    """The ratio that independent ratios come to together, each of at least 1.

    It is rounded to six digits, so that the last bit of a logarithm, which differs between machines, gets into no
    figure.
    """
    differ = [r for r in ratios if r != 1]
    if len(differ) < 2:
        return differ[0] if differ else Fraction(1)
    return rounded(exp(sqrt(sum(log(r) ** 2 for r in differ))))


def rounded(ratio: float) -> Fraction:
    """A ratio with six digits after the point, the same on every machine."""
    return Fraction(round(ratio * 10**6), 10**6)


def doublings(size: Fraction) -> float:
    """How many times `size` is doubled or halved: the logarithm to the base 2, without its sign."""
    return abs(log(size, 2))


def doubled(gain: Fraction, size: Fraction) -> Fraction:
    """The factor for `size` times as much, where each doubling brings the factor `gain`.

    It is `gain` to the power of the logarithm of `size` to the base 2: exact at whole doublings, and linear between
    two of them, so that no rounding of a floating-point power gets into a figure.
    """
    if size <= 0:
        raise ValueError(f"{size} times as much of something is no size")
    steps = 0
    while size >= 2 ** (steps + 1):
        steps += 1
    while size < Fraction(2) ** steps:
        steps -= 1
    below, above = gain**steps, gain ** (steps + 1)
    return below + (above - below) * (size / Fraction(2) ** steps - 1)


def told(steps: Iterable[Step]) -> str:
    """The sentences that say where a range comes from; empty without steps. One that brings nothing is left out."""
    steps = tuple(s for s in steps if factor(s))
    if not steps:
        return ""
    reasons = [f"{_DOUBT if s.kind == 'doubt' else s.what}, {factor(s)}" for s in steps]
    begin = "The range, for nine of ten measurements, allows for"
    if len(steps) == 1:
        return f"{begin} {reasons[0]}."
    total = Step("", "", quadrature(s.down for s in steps), quadrature(s.up for s in steps))
    numbered = "; ".join(f"({number}) {reason}" for number, reason in enumerate(reasons, 1))
    return f"{begin} {numbered}. They are independent of each other: together {factor(total)}."


_DOUBT = "the doubt about the measurement"
"""A rule tells each doubt in full elsewhere."""


def factor(step: Step) -> str:
    """How much a step brings, in words, such as `a factor of 1.26 up or down`; empty where that is nothing."""
    down, up = (f"{float(r):.2f}" for r in (step.down, step.up))
    if down == up == "1.00":
        return ""
    if down == up:
        return f"a factor of {up} up or down"
    ways = [f"{r} {way}" for r, way in ((up, "up"), (down, "down")) if r != "1.00"]
    return f"a factor of {' and '.join(ways)}"
