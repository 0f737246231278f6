"""Random operations of 4 KiB of one storage module: between the linear share and what doubling the drives brought."""

from __future__ import annotations

from fractions import Fraction

from pixsize import units
from pixsize.estimate.evidence import Evidence, Spread
from pixsize.estimate.modules import Near, Rate, doubling, nearest
from pixsize.estimate.ranges import Range, doubled
from pixsize.estimate.sequential import widening
from pixsize.estimate.system import Part, System
from pixsize.figures import Basis


class Model:
    """The model of random operations, which the drives set. `spread` is how far repeated readings lie apart."""

    def __init__(self, system: System, evidence: Evidence, spread: Spread) -> None:
        self.spread = spread
        self._system = system
        self._evidence = evidence

    def module(self, part: Part, figure: str) -> Rate | None:
        """What one module of a part brings, in operations a second; None without evidence for it."""
        near = nearest(self._system, part, self._evidence.of(figure))
        if near is None:
            return None
        unlike = near.unlike(self._system, part)
        if near.kind.groups == part.kind.groups and near.kind.arrays == part.kind.arrays:
            return self._same_size(near, unlike)
        return self._other_size(part, near, unlike, figure)

    def _same_size(self, near: Near, unlike: tuple[str, ...]) -> Rate:
        rule = near.described("op/s") + (f" {widening(unlike, self.spread)}" if unlike else "")
        bounds = near.rate.widened(self.spread.share, len(unlike))
        basis: Basis = "extrapolated" if unlike else "measured"
        return Rate(bounds, basis, rule, "drives", (*near.measured.ids, *self.spread.inputs), near.cited())

    def _other_size(self, part: Part, near: Near, unlike: tuple[str, ...], figure: str) -> Rate:
        size = Fraction(part.kind.groups, near.kind.groups)
        seen_gain, pair = doubling(self._evidence, figure)
        gain = seen_gain or Fraction(2)
        linear, seen = near.rate.value * size, near.rate.value * doubled(gain, size)
        shares = [near.rate.times(factor) for factor in (size, doubled(gain, size))]
        reasons = ("the size", *unlike)
        bounds = Range.around((linear + seen) / 2, *(b for s in shares for b in s))
        rule = (
            f"Halfway between the linear share of the measured {near.name} ({_show(linear)}) and a factor of "
            f"{float(gain):.2f} for every doubling of the drives, {self._system.words.doubled} ({_show(seen)}); the "
            f"range covers both. {widening(reasons, self.spread)}"
        )
        inputs = tuple(dict.fromkeys((*near.measured.ids, *pair, *self.spread.inputs)))
        bounds = bounds.widened(self.spread.share, len(reasons))
        return Rate(bounds, "extrapolated", rule, "drives", inputs, near.cited())


def _show(rate: Fraction) -> str:
    return units.show(round(rate), "op/s")
