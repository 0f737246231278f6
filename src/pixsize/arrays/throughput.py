"""The throughput of storage on arrays: measured where it was benchmarked, otherwise from a model of the data path."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pixsize import units
from pixsize.arrays.scaling import Near, Share, doubling, nearest, together
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Enclosure as EnclosureModel
from pixsize.estimate.evidence import Evidence, floor_of, merged
from pixsize.estimate.ids import DIRECTIONS, DURATIONS, PATTERNS, RANDOM, SEQUENTIAL
from pixsize.estimate.ranges import Range, Spread, doubled, widening
from pixsize.estimate.rates import (
    Ceiling,
    Rate,
    adapters,
    from_rate,
    measured_figure,
    memory,
    missing,
    network,
    show_rate,
    under_link,
)
from pixsize.estimate.system import Part, System
from pixsize.figures import Basis, Figure, Source, Unit, weakest
from pixsize.findings import Finding

ModuleRate = Callable[[Part, str], Rate | None]
"""The rate of one module of a part for a figure, None without evidence."""


def throughput_figures(
    system: System, evidence: Evidence, catalog: Catalog, controllers_seen: tuple[Source, ...] = ()
) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The sequential figures in bytes a second and the random ones in operations a second, and what is missing.

    `controllers_seen` is where the controllers of the family were seen to be the limit, if anybody looked.
    """
    least = floor_of(catalog)
    found: dict[str, Figure | None] = {}
    path = DataPath(system, evidence, catalog, evidence.spread(SEQUENTIAL, least), controllers_seen)
    most = path.most()
    for name in (f"{p}.{d}.{t}" for p in PATTERNS for d in DIRECTIONS for t in DURATIONS):
        figure = SEQUENTIAL + name
        found[figure] = _rate_figure(figure, system, evidence, path.module, path.spread, "B/s", most)
    drives = Drives(system, evidence, evidence.spread(RANDOM, least))
    for name in (f"{d}.{t}" for d in DIRECTIONS for t in DURATIONS):
        figure = RANDOM + name
        found[figure] = _rate_figure(figure, system, evidence, drives.module, drives.spread, "op/s")
    return tuple(f for f in found.values() if f), missing([i for i, f in found.items() if not f], system.terms.modules)


def _rate_figure(
    figure: str,
    system: System,
    evidence: Evidence,
    module: ModuleRate,
    spread: Spread,
    unit: Unit,
    most: Fraction | None = None,
) -> Figure | None:
    """The figure, None without evidence for every module of the system.

    A measurement of the very system is no evidence where a link cannot carry what it says: then the model holds, which
    has that link among its ceilings.
    """
    rates = [_of_own_size(part, module(part, figure)) for part in system.parts]
    shares = [Share(part, rate) for part, rate in zip(system.parts, rates, strict=True) if rate]
    total = _under_front(together(shares, spread, system.terms), most) if len(shares) == len(rates) else None
    exactly = merged([m for m in evidence.measurements(figure) if system.is_data_of(m)])
    if exactly and (most is None or exactly.rate.value <= most):
        return measured_figure(exactly, unit, total.limit if total else None)
    return from_rate(figure, total, spread, unit) if total else None


def _under_front(total: Rate, most: Fraction | None) -> Rate:
    """No sum is more than what the links in front of all arrays carry together."""
    if most is None or total.range.high <= most:
        return total
    rule = f"{total.rule} The links in front of the arrays carry no more than {show_rate(most)} in all."
    return total._replace(range=total.range.under(Range(most, most, most)), rule=rule)


def _of_own_size(part: Part, rate: Rate | None) -> Rate | None:
    """The rate of a module; a judgement where no document has modules of its size."""
    if rate is None or not part.own_size:
        return rate
    rule = f"{rate.rule} No document has modules of this size: it is pixsize's own."
    return rate._replace(basis=weakest((rate.basis, "estimated")), rule=rule, inputs=(*rate.inputs, part.own_size))


class DataPath:
    """Sequential rates: a module's data path as a chain of links, calibrated on what was measured.

    Each link is a ceiling: drives and array controllers, then SAS, PCIe, memory and network in front of them. `spread`
    is how far repeated readings lie apart.
    """

    def __init__(
        self, system: System, evidence: Evidence, catalog: Catalog, spread: Spread, controllers_seen: tuple[Source, ...]
    ) -> None:
        self.spread = spread
        self._system = system
        self._evidence = evidence
        self._catalog = catalog
        self._controllers_seen = controllers_seen

    def module(self, part: Part, figure: str) -> Rate | None:
        """What one module of a part brings, in bytes a second; None without evidence for it."""
        closest = nearest(self._system, part, self._evidence.measurements(figure))
        carried = controllers(part, figure.split(".")[-2], self._evidence, self._catalog)
        if closest is None or carried is None:
            return None
        limit, looked_at, why = self._limit(part, figure, carried)
        rate = self._storage(part, closest, carried)
        rate = rate._replace(limit=rate.limit or limit, rule=f"{rate.rule} {why}".rstrip())
        front = in_front(part, self._catalog)
        clear = [c.name for c in front if (c.least or c.rate) >= rate.range.high]
        for ceiling in front:
            rate = under_link(rate, ceiling, self.spread)
        inputs = (*rate.inputs, *looked_at, *carried.inputs, *self.spread.inputs, *(i for c in front for i in c.inputs))
        rule = f"{rate.rule} In front of the arrays {', '.join(clear)} carry more." if clear else rate.rule
        return rate._replace(rule=rule, inputs=tuple(dict.fromkeys(inputs)))

    def most(self) -> Fraction | None:
        """What the links in front of the arrays cannot carry more than, all modules together; None without links."""
        parts = [(p.count, [c.most for c in in_front(p, self._catalog)]) for p in self._system.parts]
        return sum((n * min(links) for n, links in parts), Fraction(0)) if all(links for _, links in parts) else None

    def _storage(self, part: Part, closest: Near, carried: Ceiling) -> Rate:
        """What drives and controllers bring, before the links in front of them are looked at."""
        unlike = closest.unlike(self._system, part)
        if (closest.kind.arrays, closest.kind.groups) != (part.kind.arrays, part.kind.groups):
            return self._other_size(part, closest, carried, unlike)
        if unlike:
            return self._same_size(closest, carried, unlike)
        return Rate(
            closest.rate, "measured", closest.described("B/s"), "", closest.measured.ids, closest.measured.sources
        )

    def _same_size(self, closest: Near, carried: Ceiling, unlike: tuple[str, ...]) -> Rate:
        """A module as measured in size, but not in all: the measured value, up to what the controllers carry."""
        value = min(closest.rate.value, carried.rate)
        bounds = Range.around(value, *closest.rate, carried.rate).widened(self.spread.share, len(unlike))
        rule = (
            f"{closest.described('B/s')} The controllers were seen or are specified to carry "
            f"{show_rate(carried.rate)}; the range covers that, too. {widening(unlike, self.spread)}"
        )
        limit = carried.name if value < closest.rate.value else ""
        sources = (*closest.measured.sources, *self._controllers_seen)
        return Rate(bounds, "extrapolated", rule, limit, closest.measured.ids, sources)

    def _other_size(self, part: Part, closest: Near, carried: Ceiling, unlike: tuple[str, ...]) -> Rate:
        """A size that nobody measured: between the linear share and what the controllers carry."""
        linear = closest.rate.times(Fraction(part.kind.groups, closest.kind.groups))
        # Halfway, since nobody knows which of the two sets the rate of such a module; never more than the controllers.
        value = min((linear.value + carried.rate) / 2, carried.rate)
        reasons = ("the size", *unlike)
        of_arrays = "one array's" if part.kind.arrays == 1 else f"{part.kind.arrays} arrays'"
        rule = (
            f"{'Halfway between' if linear.value <= carried.rate else 'The lower of'} the linear share of the measured "
            f"{closest.name} ({show_rate(linear.value)}) and what {of_arrays} controllers were seen or are "
            f"specified to carry ({show_rate(carried.rate)}); the range covers both. {widening(reasons, self.spread)}"
        )
        bounds = Range.around(value, *linear, carried.rate).widened(self.spread.share, len(reasons))
        limit = carried.name if linear.value > carried.rate else ""
        sources = (*closest.measured.sources, *self._controllers_seen, self._system.terms.chain)
        return Rate(bounds, "extrapolated", rule, limit, closest.measured.ids, sources)

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
        closest = nearest(self._system, part, self._evidence.measurements(peak))
        if closest is None:
            return carried.name, (), ""
        drives = closest.rate.value * Fraction(part.kind.groups, closest.kind.groups)
        limit = "drives" if carried.rate > drives * clearly else carried.name
        return limit, (closest.measured.id,), ""


class Drives:
    """Random operations of 4 KiB, which the drives set. `spread` is how far repeated readings lie apart."""

    def __init__(self, system: System, evidence: Evidence, spread: Spread) -> None:
        self.spread = spread
        self._system = system
        self._evidence = evidence

    def module(self, part: Part, figure: str) -> Rate | None:
        """What one module of a part brings, in operations a second; None without evidence for it."""
        closest = nearest(self._system, part, self._evidence.measurements(figure))
        if closest is None:
            return None
        unlike = closest.unlike(self._system, part)
        if closest.kind.groups == part.kind.groups and closest.kind.arrays == part.kind.arrays:
            return self._same_size(closest, unlike)
        return self._other_size(part, closest, unlike, figure)

    def _same_size(self, closest: Near, unlike: tuple[str, ...]) -> Rate:
        rule = closest.described("op/s") + (f" {widening(unlike, self.spread)}" if unlike else "")
        bounds = closest.rate.widened(self.spread.share, len(unlike))
        basis: Basis = "extrapolated" if unlike else "measured"
        return Rate(
            bounds, basis, rule, "drives", (*closest.measured.ids, *self.spread.inputs), closest.measured.sources
        )

    def _other_size(self, part: Part, closest: Near, unlike: tuple[str, ...], figure: str) -> Rate:
        size = Fraction(part.kind.groups, closest.kind.groups)
        seen_gain, pair = doubling(self._evidence, figure)
        gain = seen_gain or Fraction(2)  # where nobody looked, drives are taken to add
        linear, doubled_share = closest.rate.value * size, closest.rate.value * doubled(gain, size)
        shares = [closest.rate.times(factor) for factor in (size, doubled(gain, size))]
        reasons = ("the size", *unlike)
        bounds = Range.around((linear + doubled_share) / 2, *(b for s in shares for b in s))
        rule = (
            f"Halfway between the linear share of the measured {closest.name} ({_operations(linear)}) and a factor of "
            f"{float(gain):.2f} for every doubling of the drives, {self._system.terms.doubled} "
            f"({_operations(doubled_share)}); the range covers both. {widening(reasons, self.spread)}"
        )
        inputs = tuple(dict.fromkeys((*closest.measured.ids, *pair, *self.spread.inputs)))
        bounds = bounds.widened(self.spread.share, len(reasons))
        return Rate(bounds, "extrapolated", rule, "drives", inputs, closest.measured.sources)


def _operations(rate: Fraction) -> str:
    return units.show(round(rate), "op/s")


def controllers(part: Part, direction: str, evidence: Evidence, catalog: Catalog) -> Ceiling | None:
    """What a module's array controllers carry: the most that one array was seen or is specified to carry, times them.

    None where nothing is known. Over all patterns, peak and sustained, and all designs: a controller does not tell them
    apart. A model that is neither measured nor specified is taken for those that were measured.
    """
    model = catalog.get(EnclosureModel, part.array)
    specified = model.write_bytes_per_s if direction == "write" else model.read_bytes_per_s
    found = [(Fraction(specified), part.array)] if specified else []
    readings = [m for m in evidence.of_arrays(SEQUENTIAL) if f".{direction}." in m.figure]
    found += [(m.rate.value / m.arrays, m.id) for m in readings if m.array == part.array]
    found = found or [(m.rate.value / m.arrays, m.id) for m in readings]
    if not found:
        return None
    rate, source = max(found)
    return Ceiling.line("array controllers", rate * part.kind.arrays, (source,))


def in_front(part: Part, catalog: Catalog) -> tuple[Ceiling, ...]:
    """The links in front of the arrays: SAS lanes, SAS adapters' PCIe, server memory, network adapters."""
    return (*_sas(part, catalog), *memory(part, catalog), *network(part, catalog))


def _sas(part: Part, catalog: Catalog) -> tuple[Ceiling, ...]:
    """One cable from each server to each controller of each array, as far as the adapters have ports."""
    cards = adapters(part, "sas", catalog)
    if not cards:
        return ()
    ids = tuple(dict.fromkeys(c.id for c, _ in cards))
    cables = part.kind.arrays * catalog.get(EnclosureModel, part.array).controllers * len(part.servers)
    ports = sum(c.ports * n for c, n in cards)
    lane = min(c.lanes * c.lane_bytes_per_s for c, _ in cards)
    pcie = sum(c.pcie_lanes * c.pcie_lane_bytes_per_s * n for c, n in cards)
    return (
        Ceiling.line("SAS lanes", Fraction(min(cables, ports) * lane), (*ids, part.array)),
        Ceiling.line("SAS adapters", Fraction(pcie), ids),
    )
