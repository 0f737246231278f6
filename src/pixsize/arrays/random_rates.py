"""The random operations of modules, which the drives set."""

from __future__ import annotations

from fractions import Fraction

from pixsize import units
from pixsize.arrays.scaling import Candidates, ModuleRate, Near, doubling
from pixsize.catalog.catalog import Catalog
from pixsize.estimate.evidence import Evidence
from pixsize.estimate.ranges import Range, doubled, doublings, told
from pixsize.estimate.rates import Rate
from pixsize.estimate.spreads import Family
from pixsize.estimate.system import Difference, Part, System

GAIN = Difference("again", "the gain of twice the drives, a ratio of two benchmarks")


class Drives:
    """Random operations of 4 KiB, which the drives set."""

    def __init__(self, system: System, evidence: Evidence, catalog: Catalog) -> None:
        self._system = system
        self._evidence = evidence
        self._catalog = catalog
        self._found = Candidates(system, evidence)
        self._made: dict[tuple[Part, str, str], ModuleRate] = {}

    def module(self, part: Part, figure: str, family: Family) -> ModuleRate | None:
        """What one module of a part brings, in operations a second; None without evidence for it."""
        closest = self._found.nearest(part, figure, family)
        if closest is None:
            return None
        key = part.alone(), figure, closest.measured.id
        if key not in self._made:
            self._made[key] = self._module(part, figure, family, closest)
        return self._made[key]

    def any_module(self, part: Part, figure: str, family: Family) -> tuple[ModuleRate, ...]:
        """What one module of a part may bring, whatever the number of modules that makes a measurement the nearest."""
        return tuple(self._module(part, figure, family, each) for each in self._found.rivals(part, figure, family))

    def _module(self, part: Part, figure: str, family: Family, closest: Near) -> ModuleRate:
        size = Fraction(part.kind.groups, closest.kind.groups)
        rate = self._same_size(closest) if size == 1 else self._other_size(closest, size, figure, family)
        return ModuleRate(rate, closest.measured.modules.total())

    def _same_size(self, closest: Near) -> Rate:
        away = len(closest.steps) > 1 + len(closest.measured.doubted)
        return Rate(
            closest.rate.after(closest.steps),
            "extrapolated" if away else "measured",
            f"{closest.described('op/s')} {told(closest.steps)}",
            "drives",
            closest.measured.ids,
            closest.measured.sources,
            closest.steps,
        )

    def _other_size(self, closest: Near, size: Fraction, figure: str, family: Family) -> Rate:
        """Between as many times the rate as there are drives, and the gain that twice the drives were seen to bring.

        Fewer drives bring no less than their linear share. The gain comes from one pair of systems: for more drives it
        is a step of its own, as wide as two benchmarks may differ.
        """
        seen_gain, pair = doubling(self._evidence, figure)
        gain = seen_gain or Fraction(2)  # where nobody looked, drives are taken to add
        linear = closest.rate.value * size
        gained = closest.rate.value * doubled(gain, size)
        gained = max(gained, linear) if size < 1 else gained
        of_gain = (family.step(GAIN, 2 * doublings(size)),) if size > 1 and pair else ()
        steps = (*closest.steps, *of_gain)
        value = (linear + gained) / 2
        bounds, readings = Range.around(value, linear, gained), closest.rate.times(value / closest.rate.value)
        rule = (
            f"Halfway between the linear share of the measured {closest.name} ({_operations(linear)}) and a factor of "
            f"{float(gain):.2f} for every doubling of the drives, {self._system.terms.doubled} "
            f"({_operations(gained)}); the range holds both. {told(steps)}"
        )
        inputs = tuple(dict.fromkeys((*closest.measured.ids, *pair)))
        held = Range.around(value, *bounds, *readings)
        return Rate(held.after(steps), "extrapolated", rule, "drives", inputs, closest.measured.sources, steps)


def _operations(rate: Fraction) -> str:
    return units.show(round(rate), "op/s")
