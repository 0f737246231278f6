"""How uncertain a number is: ranges as exact fractions, and the spread of readings that widens them."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from pixsize.figures import Basis


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

    def widened(self, spread: Fraction, steps: int = 1) -> Range:
        """The same value; each step divides the low end and multiplies the high end by the ratio of the spread."""
        return Range(self.low / (1 + spread) ** steps, self.value, self.high * (1 + spread) ** steps)

    def under(self, other: Range) -> Range:
        """Value, low and high, none above that of the other range: a ceiling that is a range itself."""
        return Range(min(self.low, other.low), min(self.value, other.value), min(self.high, other.high))

    def whole(self) -> tuple[int, int, int]:
        """Value, low and high as whole numbers: the value to the nearest, the bounds outwards."""
        return floor(self.value + Fraction(1, 2)), floor(self.low), ceil(self.high)


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


class Spread(NamedTuple):
    """How much readings of one quantity differ: the ratio of the highest to the lowest, less one.

    `inputs` are the records that show it, `basis` is the basis of a figure that uses it.
    """

    share: Fraction
    inputs: tuple[str, ...]
    basis: Basis = "extrapolated"

    def text(self) -> str:
        """The ratio as a rule names it: a range is multiplied by it at one end and divided by it at the other."""
        return f"a factor of {float(1 + self.share):.4g}"


def widening(reasons: tuple[str, ...], spread: Spread) -> str:
    """The sentence that says why and how far a range goes beyond its estimates."""
    times = "" if len(reasons) == 1 else f" {len(reasons)} times"
    if not reasons:
        return ""
    return (
        f"Not measured so (other: {', '.join(r.removeprefix('the ') for r in reasons)}): the range is widened{times} "
        f"by {spread.text()}, the furthest that readings of one measurement lie apart."
    )
