"""Reads the benchmarks of the catalog as ranges, and calculates how far repeated readings of one quantity differ."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import DIMENSIONS, Doubt, MeasuredReading, MeasuredSystem, Measurement
from pixsize.catalog.records import Constant, Design, Switch
from pixsize.estimate.ids import FAMILIES, THROUGHPUT
from pixsize.estimate.ranges import Range, Spread
from pixsize.estimate.system import Hardware, Kind, Lookup, MetadataTier, Parts, Settings
from pixsize.figures import Basis, Reading, Source, weakest
from pixsize.product import filesystem_of, volumes_of


class Measured(NamedTuple):
    """A benchmark of a whole system.

    `modules` counts its storage modules by kind. `printed` are all readings; `readings` are the same where they
    differ, and empty where they agree. `ids` are the records. `replaced` names the parts of the data tier that an
    overlay replaced after the measurement, `metadata_replaced` those of the metadata. `settings` are what figures of
    the data depend on, `software` what figures of the metadata depend on as well. `doubts` are the reasons for the low
    end. `basis` is that of a figure of the very system that was measured.
    """

    id: str
    figure: str
    rate: Range
    printed: tuple[Reading, ...]
    readings: tuple[Reading, ...]
    sources: tuple[Source, ...]
    ids: tuple[str, ...]
    system: MeasuredSystem
    modules: Counter[Kind]
    array: str
    settings: Settings
    software: Settings
    metadata: MetadataTier
    replaced: tuple[str, ...]
    metadata_replaced: tuple[str, ...]
    doubts: tuple[str, ...] = ()
    basis: Basis = "measured"

    @property
    def only_kind(self) -> Kind | None:
        """The kind of its modules, where all are alike; only then is the share of one of them known."""
        return next(iter(self.modules)) if len(self.modules) == 1 else None

    @property
    def arrays(self) -> int:
        """The arrays of the data tier."""
        return sum(kind.arrays * n for kind, n in self.modules.items())

    @property
    def groups(self) -> int:
        """The groups of the data tier, those of expansions left out."""
        return sum(kind.unexpanded().groups * n for kind, n in self.modules.items())

    def of_one_module(self) -> Range:
        """The share of one of its modules."""
        return self.rate.times(Fraction(1, self.modules.total()))

    def same_system(self, other: Measured) -> bool:
        """Whether the other benchmark ran on the same system, in all that the figure depends on."""
        own, others = ((m.modules, m.settings, m.software, m.replaced, m.metadata_replaced) for m in (self, other))
        data_only = self.figure.startswith(THROUGHPUT)
        return own == others and (data_only or self.metadata == other.metadata)

    def doubted(self, why: str, left: Fraction, source: Source, ids: tuple[str, ...], basis: Basis) -> Measured:
        """The same value, with a low end of which only the part `left` is certain, for a reason."""
        return self._replace(
            rate=self.rate._replace(low=self.rate.low * left),
            sources=tuple(dict.fromkeys((*self.sources, source))),
            ids=tuple(dict.fromkeys((*self.ids, *ids))),
            doubts=(*self.doubts, why),
            basis=weakest((self.basis, basis)),
        )

    def spanning(self, others: list[Measured]) -> Measured:
        """The same value, with a range over the others' readings as well."""
        if not others:
            return self
        return self._replace(
            rate=Range.around(self.rate.value, *(b for m in (self, *others) for b in (m.rate.low, m.rate.high))),
            readings=(*self.printed, *(r._replace(used=False) for m in others for r in m.printed)),
            sources=tuple(dict.fromkeys(c for m in (self, *others) for c in m.sources)),
            ids=tuple(dict.fromkeys(i for m in (self, *others) for i in m.ids)),
            doubts=tuple(dict.fromkeys(d for m in (self, *others) for d in m.doubts)),
            basis=weakest(m.basis for m in (self, *others)),
        )


def merged(same: list[Measured]) -> Measured | None:
    """Several benchmarks of one system as one: the lowest value, and a range over all. None when there is none."""
    if not same:
        return None
    # What a plan promises has to hold on the slower of two such systems.
    lowest = min(same, key=lambda m: (m.rate.value, m.id))
    return lowest.spanning([m for m in same if m is not lowest])


class Reader:
    """Reads measurements. The parts of a shipped measurement are the shipped ones, even where an overlay replaces
    them.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._shipped = catalog.as_shipped()
        self._hardware: dict[tuple[object, ...], Hardware | None] = {}
        self._replacements: dict[tuple[str, str, bool], tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def read(self, record: Measurement, system: MeasuredSystem) -> Measured | None:
        """The benchmark, None when the catalog knows no module of one of its sizes."""
        own = record.id in self._catalog.overlaid
        lookup = Lookup(self._catalog, self._catalog.id_of) if own else Lookup(self._shipped, self._shipped_name)
        design = lookup.catalog.get(Design, system.design)
        hardware = self._hardware_of(system, design, lookup, own)
        if hardware is None:
            return None
        conditions = filesystem_of(design).measured(system, hardware, lookup)
        printed = tuple(
            Reading(round(number_of(r, record)), r.value, Source(r.document, r.place), r.used, r.why)
            for r in record.readings
        )
        replaced, metadata_replaced = ((), ()) if own else self._replaced(system)
        return Measured(
            id=record.id,
            figure=record.figure,
            rate=_range(record),
            printed=printed,
            readings=printed if len(printed) > 1 else (),
            sources=record.citations(),
            ids=(record.id,),
            system=system,
            modules=hardware.modules,
            array=hardware.array,
            settings=conditions.settings,
            software=conditions.software,
            metadata=conditions.metadata,
            replaced=replaced,
            metadata_replaced=metadata_replaced,
        )

    def _shipped_name(self, record_id: str) -> str:
        """The record that a plan would name; one of its own for what an overlay replaced since the measurement."""
        return f"{record_id} as shipped" if record_id in self._catalog.replaced else self._catalog.id_of(record_id)

    def _hardware_of(self, system: MeasuredSystem, design: Design, lookup: Lookup, own: bool) -> Hardware | None:
        """The arrays or pool of a measured system, kept, as most measurements are of the same few systems."""
        key = (system.design, system.variant, system.storage_modules, system.servers, system.drive, own)
        if key not in self._hardware:
            self._hardware[key] = volumes_of(design).measured(system, lookup)
        return self._hardware[key]

    def _replaced(self, system: MeasuredSystem) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What an overlay replaced since a shipped record measured a system: in its data tier, and in its metadata."""
        if not self._catalog.replaced:
            return (), ()
        key = (system.design, system.variant, any(m.expansion for m in system.storage_modules))
        if key not in self._replacements:
            self._replacements[key] = self._sought(*key)
        return self._replacements[key]

    def _sought(self, design_id: str, variant: str, expansion: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        design = self._shipped.get(Design, design_id)
        depends_on = volumes_of(design).depends_on(design, variant, expansion)
        models = (s.model for s in design.switches)
        switches = tuple(m for m in models if self._shipped.get(Switch, m).network != "management")
        data = {"the design": (design.id,), **depends_on.data, "the switches": switches}
        return self._gone(data), self._gone(depends_on.metadata)

    def _gone(self, parts: Parts) -> tuple[str, ...]:
        return tuple(what for what, ids in parts.items() if self._catalog.replaced.keys() & set(ids))


def number_of(reading: MeasuredReading, record: Measurement) -> Fraction:
    """What a reading says, in base units of its measurement."""
    return _parsed(reading.value, DIMENSIONS[record.unit])


_parsed = lru_cache(maxsize=512)(units.parse)
"""Each reading is asked for several times, and the parser of units is slow."""


def used(record: Measurement) -> Fraction:
    """The reading that is used, in base units."""
    return next(number_of(r, record) for r in record.readings if r.used)


def _range(record: Measurement) -> Range:
    """The reading that is used, and a range over all readings, each with half of its last printed digit on both sides.

    The low end is never below a value that the document gives as a minimum.
    """
    counted = [(r, number_of(r, record)) for r in record.readings if r.counts]
    floor = max((n for r, n in counted if r.floor), default=Fraction(0))
    bounds = []
    for reading, number in counted:
        half = units.half_last_digit(reading.value, DIMENSIONS[record.unit])
        bounds += [max(number - half, min(number, floor)), number + half]
    return Range.around(used(record), *bounds)


SPREAD_FLOOR = "throughput.spread_min"
JUDGEMENT = Source("pixsize", "docs/explanation/how-each-number-is-made.md")
"""The source of assumptions that are pixsize's own: no document states them."""


def floor_of(catalog: Catalog) -> Spread:
    """The smallest spread by which a range is widened, also where all readings agree."""
    floor = catalog.get(Constant, SPREAD_FLOOR)
    return Spread(floor.value, (SPREAD_FLOOR,), floor.basis)


class Evidence:
    """The measurements of a catalog, read once a run."""

    def __init__(self, catalog: Catalog, design: str) -> None:
        self._catalog = catalog
        self._records = catalog.all(Measurement)
        self._by_figure: dict[str, list[Measured]] = {}
        self._widths: dict[str, list[Measured]] = {}
        self._others: list[tuple[Measurement, MeasuredSystem]] = []
        self._elsewhere: dict[str, Measured | None] = {}
        self._reader, wanted = Reader(catalog), catalog.id_of(design)
        for record in self._records:
            if record.system is None:
                continue
            if catalog.id_of(record.system.design) != wanted:
                if record.system.storage_modules:  # of others only arrays are evidence: controllers and drives alike
                    self._others.append((record, record.system))
            elif measured := self._reader.read(record, record.system):
                scaled = self._scales(record, record.system)
                shelf = self._by_figure if scaled else self._widths
                shelf.setdefault(record.figure, []).append(self._doubted(measured, record))
        for figure, widths in self._widths.items():
            known = self._by_figure.get(figure, [])
            self._by_figure[figure] = [m.spanning([w for w in widths if w.same_system(m)]) for m in known]

    def _scales(self, record: Measurement, system: MeasuredSystem) -> bool:
        """Whether figures of the design may be based on a record, whichever id of the design the record names."""
        calibrates = {self._catalog.id_of(design) for design in record.calibrates}
        return record.may_be_scaled_from(system.design) or self._catalog.id_of(system.design) in calibrates

    def _doubted(self, measured: Measured, record: Measurement) -> Measured:
        """The measurement with a low end that is lower by every doubt about it."""
        for doubt in record.doubts:
            known = self._surplus(doubt, record.figure)
            less = f"{float(known.share * 100):.1f} %" if doubt.surplus else known.text()
            why = f"{doubt.why} The low end is lower by {less} for it."
            basis: Basis = "estimated" if known.basis == "estimated" else "measured"
            # A surplus is a share of the printed rate, a spread is a ratio of two readings.
            left = 1 - known.share if doubt.surplus else 1 / (1 + known.share)
            measured = measured.doubted(why, left, Source(doubt.document, doubt.place), known.inputs, basis)
        return measured

    def _surplus(self, doubt: Doubt, figure: str) -> Spread:
        """The part of a rate that a doubt takes off its low end."""
        if doubt.surplus:
            known = self._catalog.get(Constant, doubt.surplus)
            return Spread(known.high, (known.id,), known.basis)
        family = next((f for f in FAMILIES if figure.startswith(f)), figure)
        return self.spread(family, floor_of(self._catalog))

    def measurements(self, figure: str) -> tuple[Measured, ...]:
        """The measurements that a figure of the design may be scaled from, by id; others of the same systems widen
        them.
        """
        return tuple(self._by_figure.get(figure, ()))

    def widths(self, figure: str) -> tuple[Measured, ...]:
        """The measurements of systems of the design that widen the range of a figure, and do not set its value."""
        return tuple(self._widths.get(figure, ()))

    def of_arrays(self, prefix: str) -> tuple[Measured, ...]:
        """Measurements of arrays for every figure whose id begins so: those of this design first, then those of
        others.
        """
        of_design = (
            m for figure, found in self._by_figure.items() if figure.startswith(prefix) for m in found if m.arrays
        )
        of_others = (self._of_another(r, system) for r, system in self._others if r.figure.startswith(prefix))
        return (*of_design, *(m for m in of_others if m))

    def _of_another(self, record: Measurement, system: MeasuredSystem) -> Measured | None:
        """A benchmark of another design, read when first asked for; None where it is no evidence for a value."""
        if record.id not in self._elsewhere:
            scaled = self._scales(record, system)
            self._elsewhere[record.id] = self._reader.read(record, system) if scaled else None
        return self._elsewhere[record.id]

    def spread(self, prefix: str, floor: Spread) -> Spread:
        """The largest ratio of two readings of one measurement, less one, of figures whose ids begin so; at least
        `floor`.
        """
        widest = floor
        for record in self._records:
            if len(record.readings) == 1 or not record.figure.startswith(prefix):
                continue
            values = [number_of(r, record) for r in record.readings if r.counts and not r.bound]
            share = max(values) / min(values) - 1
            if share > widest.share:  # of equally wide ones the first id, whatever the order of files
                widest = Spread(share, (record.id,))
        return widest

    def gains(self, prefix: str) -> tuple[tuple[Fraction, tuple[str, str]], ...]:
        """What twice the metadata targets brought to figures that begin so, and the ids of the two records compared."""
        doubled = [r for r in self._records if r.doubles and r.figure.startswith(prefix)]
        pairs = ((self._catalog.get(Measurement, r.doubles), r) for r in doubled)
        return tuple((used(b) / used(a), (a.id, b.id)) for a, b in pairs)
