"""Sequential and random throughput: measured where this system was, otherwise one model calibrated on what was."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.estimate import ceilings, cited
from pixsize.estimate.evidence import Evidence, Measured, Spread
from pixsize.estimate.modules import Rate, Share, nearest, together
from pixsize.estimate.ranges import Range, doubled
from pixsize.estimate.system import Part, System
from pixsize.figures import Figure, Unit
from pixsize.findings import Finding

SEQUENTIAL = "throughput.sequential."
RANDOM = "throughput.random_4k."
SPREAD_FLOOR = "throughput.spread_min"
DIRECTIONS = ("write", "read")
DURATIONS = ("peak", "sustained")


def throughput_figures(
    system: System, evidence: Evidence, catalog: Catalog
) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The sequential figures in bytes a second and the random ones in operations a second, and what is missing."""
    least = floor_of(catalog)
    wanted = [f"{SEQUENTIAL}{p}.{d}.{t}" for p in ("n_n", "n_1") for d in DIRECTIONS for t in DURATIONS]
    model = Model(system, evidence, catalog)
    found = [model.sequential(f, evidence.spread(SEQUENTIAL, least)) for f in wanted]
    wanted += [f"{RANDOM}{d}.{t}" for d in DIRECTIONS for t in DURATIONS]
    found += [model.random(f, evidence.spread(RANDOM, least)) for f in wanted[len(found) :]]
    missing = [f for f, figure in zip(wanted, found, strict=True) if figure is None]
    return tuple(f for f in found if f is not None), tuple(_missing(missing))


def floor_of(catalog: Catalog) -> Spread:
    """The smallest spread that a range is widened by, however well the readings agree."""
    return Spread(catalog.get(Constant, SPREAD_FLOOR).value, (SPREAD_FLOOR,))


def measured_figure(found: Measured, unit: Unit, limited_by: str | None) -> Figure:
    """The figure of exactly the system that was benchmarked: the reading used, and the range that all readings span."""
    value, low, high = found.rate.whole()
    return Figure(
        id=found.figure,
        value=value,
        low=low,
        high=high,
        unit=unit,
        basis="measured",
        rule=(
            "This configuration was benchmarked: the reading used, and as its range every plausible reading with half of its "
            "last printed digit."
        ),
        sources=found.cited,
        inputs=(found.id,),
        limited_by=limited_by,
        readings=found.readings,
    )


class Model:
    """The one model of the data path for a system."""

    def __init__(self, system: System, evidence: Evidence, catalog: Catalog) -> None:
        self._system = system
        self._evidence = evidence
        self._catalog = catalog

    def sequential(self, figure: str, spread: Spread) -> Figure | None:
        """A sequential figure, None without evidence."""
        rates = [self._sequential_module(part, figure, spread) for part in self._system.parts]
        return self._figure(figure, rates, spread, "B/s")

    def random(self, figure: str, spread: Spread) -> Figure | None:
        """A figure of random 4 KiB operations, None without evidence."""
        rates = [self._random_module(part, figure, spread) for part in self._system.parts]
        return self._figure(figure, rates, spread, "op/s")

    def _figure(self, figure: str, rates: list[Rate | None], spread: Spread, unit: Unit) -> Figure | None:
        known = [r for r in rates if r is not None]
        if len(known) < len(rates):
            return None
        shares = [Share(p, r) for p, r in zip(self._system.parts, known, strict=True)]
        total = together(shares, spread)
        exactly = next((m for m in self._evidence.of(figure) if self._system.is_data_of(m)), None)
        if exactly:
            return measured_figure(exactly, unit, total.limit)
        value, low, high = total.range.whole()
        return Figure(
            id=figure,
            value=value,
            low=low,
            high=high,
            unit=unit,
            basis=total.basis,
            rule=total.rule,
            sources=total.sources,
            inputs=total.inputs,
            limited_by=total.limit,
        )

    def _sequential_module(self, part: Part, figure: str, spread: Spread) -> Rate | None:
        near = nearest(part, self._evidence.of(figure), 0)
        carried = ceilings.controllers(part, _direction(figure), self._evidence, self._catalog)
        if near is None or near.only_kind is None or carried is None:
            return None
        limit, rest = self._limit(part, figure, carried, spread), ceilings.others(part, self._catalog)
        rate = self._from(part, near, carried, spread)
        for ceiling in sorted(rest, key=lambda c: c.rate):
            if ceiling.rate < rate.range.high:
                rate = _capped(rate, ceiling)
                limit = ceiling.name if ceiling.rate <= rate.range.value else limit
        inputs = (*rate.inputs, *carried.inputs, *spread.inputs, *(i for c in rest for i in c.inputs))
        return Rate(rate.range, rate.basis, rate.rule, limit, tuple(dict.fromkeys(inputs)), rate.sources)

    def _from(self, part: Part, near: Measured, carried: ceilings.Ceiling, spread: Spread) -> Rate:
        """A module's rate before the links in front of the arrays are looked at."""
        assert near.only_kind is not None
        one, kind = near.of_one_module(), near.only_kind
        unlike = self._unlike(part, near)
        if (kind.arrays, kind.groups) == (part.kind.arrays, part.kind.groups):
            return _same_size(one, near, carried, unlike, spread)
        linear = one.value * _size(part, near)
        low, high = sorted((linear, carried.rate))
        bounds = Range(low, (low + high) / 2, high).widened(spread.share, 1 + len(unlike))
        return Rate(bounds, "extrapolated", _between(near, linear, carried, unlike, spread), "", (near.id,), _cites(near))

    def _unlike(self, part: Part, near: Measured) -> tuple[str, ...]:
        assert near.only_kind is not None
        drive = () if near.only_kind.drive == part.kind.drive else ("the drives",)
        return (*drive, *self._system.differences(part, near))

    def _limit(self, part: Part, figure: str, carried: ceilings.Ceiling, spread: Spread) -> str:
        """Drives, where the controllers carry clearly more than this many drives were seen to give at the peak."""
        peak = nearest(part, self._evidence.of(figure.rpartition(".")[0] + ".peak"), 0)
        if peak is None or peak.only_kind is None:
            return carried.name
        drives = peak.of_one_module().value * _size(part, peak)
        return "drives" if carried.rate > drives * (1 + spread.share) else carried.name

    def _random_module(self, part: Part, figure: str, spread: Spread) -> Rate | None:
        near = nearest(part, self._evidence.of(figure), 0)
        if near is None or near.only_kind is None:
            return None
        one, unlike = near.of_one_module(), self._unlike(part, near)
        size = Fraction(part.kind.groups, near.only_kind.groups)
        inputs = (near.id, *spread.inputs)
        if size == 1:
            rule = _at_size(near, unlike, spread, "op/s")
            basis = "extrapolated" if unlike else "measured"
            return Rate(one.widened(spread.share, len(unlike)), basis, rule, "drives", inputs, _cites(near))
        gain, pair = self._doubling(figure)
        low, high = sorted((one.value * size, one.value * doubled(gain, size)))
        bounds = Range(low, (low + high) / 2, high).widened(spread.share, 1 + len(unlike))
        rule = _random_rule(near, size, gain, unlike, spread)
        return Rate(bounds, "extrapolated", rule, "drives", tuple(dict.fromkeys((*inputs, *pair))), _cites(near))

    def _doubling(self, figure: str) -> tuple[Fraction, tuple[str, ...]]:
        """What twice the drives behind the same arrays were seen to bring; 2 where nobody saw it."""
        known = [m for m in self._evidence.of(figure) if m.only_kind and m.modules.total() == 1]
        for few in known:
            for many in known:
                a, b = few.only_kind, many.only_kind
                if a and b and a.arrays == b.arrays and b.groups == 2 * a.groups:
                    return many.rate.value / few.rate.value, (few.id, many.id)
        return Fraction(2), ()


def _direction(figure: str) -> str:
    return figure.split(".")[-2]


def _size(part: Part, near: Measured) -> Fraction:
    """How many times the measured module a part's module is: its arrays, each with its share of the groups."""
    assert near.only_kind is not None
    return Fraction(part.kind.groups, near.only_kind.groups)


def _cites(near: Measured) -> tuple[object, ...]:
    return (*near.cited, cited.CONTROLLERS, cited.CHAIN)


def _capped(rate: Rate, ceiling: ceilings.Ceiling) -> Rate:
    rule = f"{rate.rule} The {ceiling.name} carry no more than {units.show(int(ceiling.rate), 'B/s')}."
    return Rate(rate.range.capped(ceiling.rate), rate.basis, rule, rate.limit, rate.inputs, rate.sources)


def _missing(figures: list[str]) -> Iterator[Finding]:
    if figures:
        names = ", ".join(figures[:3]) + (f" and {len(figures) - 3} more" if len(figures) > 3 else "")
        yield Finding("PX411", f"no evidence for {names}: no measurement of this design comes near", "storage_modules")
