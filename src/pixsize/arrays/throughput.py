"""The throughput of storage on arrays: measured where it was benchmarked, otherwise from a model of the data path."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from pixsize.arrays.random_rates import Drives
from pixsize.arrays.scaling import (
    Alone,
    Candidates,
    ModuleRate,
    Near,
    Pace,
    Share,
    doubling,
    paced,
    paced_note,
    together,
)
from pixsize.arrays.system import ARRAYS
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.catalog.records import Enclosure as EnclosureModel
from pixsize.estimate.evidence import Evidence, evidence_for, merged
from pixsize.estimate.ids import DIRECTIONS, DURATIONS, PATTERNS, RANDOM, SEQUENTIAL
from pixsize.estimate.ranges import Range, Step, told
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
from pixsize.estimate.spreads import AGAIN, Family, family_of
from pixsize.estimate.system import MetadataTier, Part, System
from pixsize.figures import Basis, Figure, Source, Unit, weakest
from pixsize.findings import Finding

SIZE_WEIGHT = "arrays.size_weight"
DRIVES_WEIGHT = {"write": "arrays.drives_weight", "read": "arrays.drives_weight_read"}


OfModule = Callable[[Part, str, Family], ModuleRate | None]
"""The rate of one module of a part for a figure, None without evidence."""


FIGURES = (
    *(f"{SEQUENTIAL}{p}.{d}.{t}" for p in PATTERNS for d in DIRECTIONS for t in DURATIONS),
    *(f"{RANDOM}{d}.{t}" for d in DIRECTIONS for t in DURATIONS),
)
"""The rates of data, in the order of the plan."""


def throughput_figures(
    system: System,
    evidence: Evidence,
    catalog: Catalog,
    only: Collection[str] | None = None,
    controllers_seen: tuple[Source, ...] = (),
) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The sequential figures in bytes a second and the random ones in operations a second, and what is missing.

    Those of `only` where it is given. `controllers_seen` is where the controllers of the family were seen to be the
    limit, if anybody looked.
    """
    models = models_for(system, catalog, controllers_seen)
    found: dict[str, Figure | None] = {}
    paces: list[Pace] = []
    for figure in (i for i in FIGURES if only is None or i in only):
        model = models.path if figure.startswith(SEQUENTIAL) else models.drives
        unit: Unit = "B/s" if figure.startswith(SEQUENTIAL) else "op/s"
        most = models.path.most(figure, system.parts) if figure.startswith(SEQUENTIAL) else None
        found[figure], pace = _rate_figure(figure, system, evidence, catalog, model.module, unit, most)
        paces += pace
    figures = tuple(f for f in found.values() if f)
    left = missing([i for i, f in found.items() if not f], system.terms.modules)
    return figures, (*left, *paced_note(paces, system, len(figures)))


def _rate_figure(
    figure: str,
    system: System,
    evidence: Evidence,
    catalog: Catalog,
    module: OfModule,
    unit: Unit,
    most: Fraction | None = None,
) -> tuple[Figure | None, tuple[Pace, ...]]:
    """The figure, None without evidence for every module of the system; which of unlike modules pace it, if any.

    A measurement of the very system is no evidence where a link cannot carry what it says: then the model holds, which
    has that link among its ceilings.
    """
    family = family_of(figure, catalog)
    found = [(part, module(part, figure, family)) for part in system.parts]
    shares = [Share(part, _of_own_size(part, m.rate), m.seen) for part, m in found if m]
    total = _under_most(together(shares, family, system.terms), most) if len(shares) == len(found) else None
    exactly = merged([m for m in evidence.measurements(figure) if system.is_data_of(m)])
    if exactly and (most is None or exactly.rate.value <= most):
        return measured_figure(exactly, unit, total.limit if total else None, family, most), ()
    return (from_rate(figure, total, family, unit), paced(shares)) if total else (None, ())


def _under_most(total: Rate, most: Fraction | None) -> Rate:
    """No sum is more than what the links and the controllers carry together."""
    if most is None or total.range.high <= most:
        return total
    rule = f"{total.rule} The chain carries no more than {show_rate(most)} in all."
    return total._replace(range=total.range.under(Range(most, most, most)), rule=rule)


def _of_own_size(part: Part, rate: Rate) -> Rate:
    """The rate of a module; a judgement where no document has modules of its size."""
    if not part.own_size:
        return rate
    rule = f"{rate.rule} No document has modules of this size: it is pixsize's own."
    return rate._replace(basis=weakest((rate.basis, "estimated")), rule=rule, inputs=(*rate.inputs, part.own_size))


def _partial_writes(part: Part, figure: str, closest: Near) -> tuple[Step, ...]:
    """The step to writes that end inside RAID stripes, where the evidence has other settings; none for whole stripes.

    At the best the caches of the arrays collect whole stripes, at the worst each write is one of its own.
    """
    if ".write." not in figure or part.partial_writes == 1 or all(s.kind != "setting" for s in closest.steps):
        return ()
    what = "writes that fill no whole RAID stripe, for which its drives read and write more"
    return (Step("setting", what, part.partial_writes, Fraction(1)),)


class DataPath:
    """Sequential rates: a module's data path as a chain of links, calibrated on what was measured.

    Each link is a ceiling: drives and array controllers, then SAS, PCIe, memory and network in front of them.
    """

    def __init__(
        self, system: System, evidence: Evidence, catalog: Catalog, controllers_seen: tuple[Source, ...]
    ) -> None:
        self._system = system
        self._evidence = evidence
        self._catalog = catalog
        self._controllers_seen = controllers_seen
        self._carried: dict[tuple[str, int, str], Ceiling | None] = {}
        self._found = Candidates(system, evidence)
        self._made: dict[tuple[Part, str, str, str], ModuleRate] = {}
        self._most: dict[Alone, Fraction | None] = {}

    def module(self, part: Part, figure: str, family: Family) -> ModuleRate | None:
        """What one module of a part brings, in bytes a second; None without evidence for it."""
        closest = self._found.nearest(part, figure, family)
        at_peak = self._found.nearest(part, _peak(figure), family)
        carried = self._controllers(part, figure)
        if closest is None or carried is None:
            return None
        key = part.alone(), figure, closest.measured.id, at_peak.measured.id if at_peak else ""
        if key not in self._made:
            self._made[key] = self._module(part, figure, family, closest, at_peak, carried)
        return self._made[key]

    def any_module(self, part: Part, figure: str, family: Family) -> tuple[ModuleRate, ...]:
        """What one module of a part may bring, whatever the number of modules that makes a measurement the nearest."""
        carried = self._controllers(part, figure)
        near = self._found.rivals(part, figure, family)
        return tuple(self._module(part, figure, family, each, None, carried) for each in near) if carried else ()

    def _module(
        self, part: Part, figure: str, family: Family, closest: Near, at_peak: Near | None, carried: Ceiling
    ) -> ModuleRate:
        """The same from the nearest measurement."""
        limit, looked_at, why = self._limit(part, figure, carried, family, at_peak)
        partial = _partial_writes(part, figure, closest)
        rate = self._storage(part, closest._replace(steps=closest.steps + partial), carried)
        if partial:  # nobody measured how much the caches of the arrays save
            rate = rate._replace(basis=weakest((rate.basis, "estimated")))
        rate = rate._replace(limit=rate.limit or limit, rule=f"{rate.rule} {why}".rstrip())
        front = in_front(part, self._catalog)
        again = family.step(AGAIN)
        clear = [c.name for c in front if (c.least or c.rate) >= rate.range.high]
        for ceiling in (*front, carried._replace(least=carried.rate, most=carried.rate * again.up)):
            rate = under_link(rate, ceiling, again)
        inputs = (*rate.inputs, *looked_at, *carried.inputs, *(i for c in front for i in c.inputs))
        rule = f"{rate.rule} In front of the arrays {', '.join(clear)} carry more." if clear else rate.rule
        rate = rate._replace(rule=rule, inputs=tuple(dict.fromkeys(inputs)))
        return ModuleRate(rate, closest.measured.modules.total())

    def _controllers(self, part: Part, figure: str) -> Ceiling | None:
        """What the controllers of a module carry in the direction of a figure, kept for the other figures."""
        direction = figure.split(".")[-2]
        key = part.array, part.kind.arrays, direction
        if key not in self._carried:
            self._carried[key] = controllers(part, direction, self._evidence, self._catalog)
        return self._carried[key]

    def most(self, figure: str, parts: Iterable[Part]) -> Fraction | None:
        """What the links in front of the arrays, and their controllers, cannot carry more than: all modules together.

        None where a module has no link.
        """
        total = Fraction(0)
        for part in parts:
            key = part.alone(), figure
            if key not in self._most:
                self._most[key] = self._most_of(part, figure)
            most = self._most[key]
            if most is None:
                return None
            total += part.count * most
        return total

    def _most_of(self, part: Part, figure: str) -> Fraction | None:
        """The same of one module. What controllers were seen to carry may be more elsewhere, by as much as a repetition
        of the benchmark may differ.
        """
        again = family_of(figure, self._catalog).step(AGAIN)
        carried = self._controllers(part, figure)
        links = [c.most for c in in_front(part, self._catalog)]
        return None if not links or carried is None else min(*links, carried.rate * again.up)

    def _storage(self, part: Part, closest: Near, carried: Ceiling) -> Rate:
        """What drives and controllers bring, before the links in front of them are looked at.

        Of a size that nobody measured a module brings its linear share of the measured one at the least, and what its
        controllers carry at the most: its rate lies between the two by a weight.
        """
        fewer = min(
            Fraction(part.kind.groups * closest.kind.arrays, closest.kind.groups * part.kind.arrays), Fraction(1)
        )
        linear = closest.rate.times(Fraction(part.kind.arrays, closest.kind.arrays) * fewer)
        weights = self._weights(part, closest)
        gap = max(carried.rate - linear.value, Fraction(0))
        value = min(linear.value + self._left(weights, "value") * gap, carried.rate)
        least = linear.low + self._left(weights, "low") * max(carried.rate - linear.low, Fraction(0))
        most = max(linear.value + self._left(weights, "high") * gap, min(linear.high, carried.rate))
        sources = (*closest.measured.sources, *self._controllers_seen)
        basis: Basis
        if not weights:
            away = len(closest.steps) > 1 + len(closest.measured.doubted)
            basis = "extrapolated" if away else "measured"
            below = min(linear.value, carried.rate)
            bounded = Range(min(linear.low, below), below, max(linear.high, below))
            rule = f"{closest.described('B/s')} {told(closest.steps)}"
            limit = carried.name if below < linear.value else ""
            return Rate(bounded.after(closest.steps), basis, rule, limit, closest.measured.ids, sources, closest.steps)
        of_arrays = "one array's" if part.kind.arrays == 1 else f"{part.kind.arrays} arrays'"
        share, least_share, most_share = (float(self._left(weights, end)) * 100 for end in ("value", "low", "high"))
        rule = (
            f"The linear share of the measured {closest.name} is {show_rate(linear.value)}; {of_arrays} controllers "
            f"were seen or are specified to carry {show_rate(carried.rate)}. The value lies {share:.0f} % of the way "
            f"from the first to the second; the range holds {least_share:.0f} to {most_share:.0f} % of it. "
            f"{told(closest.steps)}"
        )
        bounded = Range.around(value, least, most)
        limit = carried.name if gap == 0 else ""
        inputs = (*closest.measured.ids, *(w.id for w in weights))
        sources = (*sources, self._system.terms.chain)
        basis = weakest(("extrapolated", *(w.basis for w in weights)))
        return Rate(bounded.after(closest.steps), basis, rule, limit, inputs, sources, closest.steps)

    def _weights(self, part: Part, closest: Near) -> tuple[Constant, ...]:
        """How far a module of another size, or with more drives behind its controllers, comes up to its controllers."""
        ids = [SIZE_WEIGHT] if part.kind.arrays != closest.kind.arrays else []
        if part.kind.groups * closest.kind.arrays > closest.kind.groups * part.kind.arrays:
            ids.append(DRIVES_WEIGHT[closest.measured.figure.split(".")[-2]])
        return tuple(self._catalog.get(Constant, i) for i in ids)

    @staticmethod
    def _left(weights: tuple[Constant, ...], end: Literal["low", "value", "high"]) -> Fraction:
        """The part of the gap that the weights close together: each closes its own part of what the others leave."""
        left = Fraction(1)
        for weight in weights:
            left *= 1 - getattr(weight, end)
        return 1 - left

    def _limit(
        self, part: Part, figure: str, carried: Ceiling, family: Family, closest: Near | None
    ) -> tuple[str, tuple[str, ...], str]:
        """Drives or array controllers, the records that tell which, and a sentence; judged at the peak of the pattern.

        Drives, where twice as many behind the same controllers brought clearly more (by more than a repetition may
        differ): so it was for the reads of a Large, hardly for its writes. Behind fewer arrays the pair of servers has
        more to give to each, so that of smaller modules only the controllers are known to be a limit. `closest` is the
        evidence for the peak.
        """
        clearly = family.step(AGAIN).up
        gain, pair = doubling(self._evidence, _peak(figure))
        if closest is None:
            return carried.name, (), ""
        share = closest.rate.value * Fraction(part.kind.arrays, closest.kind.arrays)
        far_below = share * clearly < carried.rate  # what stays that far below the controllers has another limit
        if gain and not part.kind.expansion:
            drives = "drives" if closest.kind.arrays == part.kind.arrays else f"drives or {carried.name}"
            limit = drives if gain > clearly else "" if far_below else carried.name
            brought = f"Twice the drives behind the same controllers brought {float(gain):.2f} times the peak"
            return limit, pair, f"{brought}: {limit} are the limit." if limit else f"{brought}."
        seen = closest.rate.value * Fraction(part.kind.groups, closest.kind.groups)
        limit = "drives" if carried.rate > seen * clearly else carried.name
        return limit, (closest.measured.id,), ""


def _peak(figure: str) -> str:
    """The peak of the pattern that a figure is of."""
    return figure.rpartition(".")[0] + ".peak"


class Models(NamedTuple):
    """The two models of a system, with what they keep from one number of modules to another."""

    path: DataPath
    drives: Drives


def models_for(system: System, catalog: Catalog, controllers_seen: tuple[Source, ...]) -> Models:
    """The models for a system, whatever its modules: of the metadata they depend on the number of arrays alone."""
    tier = MetadataTier(0, system.metadata.arrays, 0, frozenset())
    base = system._replace(parts=(), metadata=tier, default_ssds=False, metadata_unlike=())
    return _models(base, evidence_for(catalog, system.design), catalog, controllers_seen)


@lru_cache(maxsize=64)
def _models(system: System, evidence: Evidence, catalog: Catalog, controllers_seen: tuple[Source, ...]) -> Models:
    return Models(DataPath(system, evidence, catalog, controllers_seen), Drives(system, evidence, catalog))


def controllers(part: Part, direction: str, evidence: Evidence, catalog: Catalog) -> Ceiling | None:
    """What a module's array controllers carry: the most that one array was seen or is specified to carry, times them.

    None where nothing is known. Over all patterns, peak and sustained, and all designs: a controller does not tell them
    apart. A model that is neither measured nor specified is taken for those that were measured.
    """
    model = catalog.get(EnclosureModel, part.array)
    specified = model.write_bytes_per_s if direction == "write" else model.read_bytes_per_s
    found = [(Fraction(specified), part.array)] if specified else []
    figures = (f"{SEQUENTIAL}{p}.{direction}.{t}" for p in PATTERNS for t in DURATIONS)
    readings = [m for figure in figures for m in evidence.of_arrays(figure)]
    found += [(m.rate.value / m.arrays, m.id) for m in readings if m.array == part.array and ARRAYS not in m.replaced]
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
