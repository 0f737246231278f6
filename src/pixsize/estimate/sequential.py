"""Sequential throughput of a storage module: its data path as a chain of ceilings, calibrated on what was measured."""

from __future__ import annotations

from fractions import Fraction

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.estimate import ceilings
from pixsize.estimate.capped import capped
from pixsize.estimate.ceilings import Ceiling
from pixsize.estimate.evidence import Evidence, Spread
from pixsize.estimate.modules import Near, Rate, doubling, nearest
from pixsize.estimate.ranges import Range
from pixsize.estimate.system import Part, System
from pixsize.figures import Source

CONTROLLERS = Source(
    "dell-pixstor-6", "PixStor solution with capacity expansion, Sequential IOzone: limited by controllers"
)


class Model:
    """The one model of the data path. `spread` is how far repeated readings lie apart."""

    def __init__(self, system: System, evidence: Evidence, catalog: Catalog, spread: Spread) -> None:
        self.spread = spread
        self._system = system
        self._evidence = evidence
        self._catalog = catalog

    def module(self, part: Part, figure: str) -> Rate | None:
        """What one module of a part brings, in bytes a second; None without evidence for it."""
        near = nearest(self._system, part, self._evidence.of(figure))
        carried = ceilings.controllers(part, figure.split(".")[-2], self._evidence, self._catalog)
        if near is None or carried is None:
            return None
        limit, looked_at, why = self._limit(part, figure, carried)
        rate = self._storage(part, near, carried)
        rate = rate._replace(limit=rate.limit or limit, rule=f"{rate.rule} {why}".rstrip())
        front = ceilings.others(part, self._catalog)
        clear = [c.name for c in front if (c.least or c.rate) >= rate.range.high]
        for ceiling in front:
            rate = capped(rate, ceiling, self.spread)
        inputs = (*rate.inputs, *looked_at, *carried.inputs, *self.spread.inputs, *(i for c in front for i in c.inputs))
        rule = f"{rate.rule} In front of the arrays {', '.join(clear)} carry more." if clear else rate.rule
        return rate._replace(rule=rule, inputs=tuple(dict.fromkeys(inputs)))

    def most(self) -> Fraction | None:
        """What the links in front of the arrays cannot carry more than, all modules together; None without links."""
        parts = [(p.count, [c.most for c in ceilings.others(p, self._catalog)]) for p in self._system.parts]
        return sum((n * min(links) for n, links in parts), Fraction(0)) if all(links for _, links in parts) else None

    def _storage(self, part: Part, near: Near, carried: Ceiling) -> Rate:
        """What drives and controllers bring, before the links in front of them are looked at."""
        unlike = near.unlike(self._system, part)
        if (near.kind.arrays, near.kind.groups) != (part.kind.arrays, part.kind.groups):
            return self._other_size(part, near, carried, unlike)
        if unlike:
            return self._same_size(near, carried, unlike)
        return Rate(near.rate, "measured", near.described("B/s"), "", near.measured.ids, near.cited())

    def _same_size(self, near: Near, carried: Ceiling, unlike: tuple[str, ...]) -> Rate:
        """A module as measured in size, but not in all: the measured value, up to what the controllers carry."""
        value = min(near.rate.value, carried.rate)
        bounds = Range.around(value, *near.rate, carried.rate).widened(self.spread.share, len(unlike))
        rule = (
            f"{near.described('B/s')} The controllers were seen or are specified to carry {_show(carried.rate)}; the "
            f"range covers that, too. {widening(unlike, self.spread)}"
        )
        limit = carried.name if value < near.rate.value else ""
        sources = (*near.cited(), CONTROLLERS)
        return Rate(bounds, "extrapolated", rule, limit, near.measured.ids, sources)

    def _other_size(self, part: Part, near: Near, carried: Ceiling, unlike: tuple[str, ...]) -> Rate:
        """A size that nobody measured: between the linear share and what the controllers carry."""
        linear = near.rate.times(Fraction(part.kind.groups, near.kind.groups))
        value = min((linear.value + carried.rate) / 2, carried.rate)
        reasons = ("the size", *unlike)
        rule = (
            f"{'Halfway between' if linear.value <= carried.rate else 'The lower of'} the linear share of the measured "
            f"{near.name} ({_show(linear.value)}) and what {_arrays(part.kind.arrays)} controllers were seen or "
            f"are specified to carry ({_show(carried.rate)}); the range covers both. {widening(reasons, self.spread)}"
        )
        bounds = Range.around(value, *linear, carried.rate).widened(self.spread.share, len(reasons))
        limit = carried.name if linear.value > carried.rate else ""
        sources = (*near.cited(), CONTROLLERS, self._system.words.chain)
        return Rate(bounds, "extrapolated", rule, limit, near.measured.ids, sources)

    def _limit(self, part: Part, figure: str, carried: Ceiling) -> tuple[str, tuple[str, ...], str]:
        """Drives or array controllers, the records that tell which, and a sentence; judged at the peak of the pattern.

        Drives, where twice as many behind the same controllers brought clearly more (by more than the spread): so it
        was for the reads of a Large, hardly for its writes. Beyond an expansion nobody looked: drives, where the
        controllers carry clearly more than these drives were seen to give.
        """
        peak = figure.rpartition(".")[0] + ".peak"
        clearly = 1 + self.spread.share
        gain, pair = doubling(self._evidence, peak)
        if gain and not part.kind.expansion:
            limit = "drives" if gain > clearly else carried.name
            brought = f"Twice the drives behind the same controllers brought {float(gain):.2f} times the peak"
            why = f"{brought}: {limit} are the limit."
            return limit, pair, why
        near = nearest(self._system, part, self._evidence.of(peak))
        if near is None:
            return carried.name, (), ""
        drives = near.rate.value * Fraction(part.kind.groups, near.kind.groups)
        limit = "drives" if carried.rate > drives * clearly else carried.name
        return limit, (near.measured.id,), ""


def widening(reasons: tuple[str, ...], spread: Spread) -> str:
    """The sentence that says why and how far a range goes beyond its estimates."""
    times = "" if len(reasons) == 1 else f" {len(reasons)} times"
    if not reasons:
        return ""
    return (
        f"Not measured so (other: {', '.join(r.removeprefix('the ') for r in reasons)}): the range is widened{times} "
        f"by {spread.text()}, the furthest that readings of one measurement lie apart."
    )


def _show(rate: Fraction) -> str:
    return units.show(round(rate), "B/s")


def _arrays(count: int) -> str:
    return "one array's" if count == 1 else f"{count} arrays'"
