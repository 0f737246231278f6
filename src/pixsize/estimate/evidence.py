"""Reads the benchmarks of the catalog as ranges, and finds those that a figure of a design may rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign, Design
from pixsize.catalog.measurements import DIMENSIONS, MeasuredReading, MeasuredSystem, Measurement
from pixsize.catalog.records import Constant, Server, Switch
from pixsize.estimate.ids import MEASURABLE, SEQUENTIAL, THROUGHPUT
from pixsize.estimate.ranges import Range, Step
from pixsize.estimate.spreads import AGAIN, family_of
from pixsize.estimate.system import Difference, Hardware, Kind, Lookup, MetadataTier, Parts, Settings
from pixsize.figures import Basis, Reading, Source, weakest
from pixsize.product import filesystem_of, volumes_of

ALIKE = Fraction(101, 100)
"""Readings that differ by less are alike: one was rounded."""


class Measured(NamedTuple):
    """A benchmark of a whole system.

    `modules` counts its storage modules by kind. `printed` are all readings; `readings` are the same where they
    differ, and empty where they agree. `ids` are the records. `replaced` names the parts of the data tier that an
    overlay replaced after the measurement, `metadata_replaced` those of the metadata. `settings` are what figures of
    the data depend on, `software` what figures of the metadata depend on as well. `doubts` are the reasons for the low
    end, `doubted` the steps that they take it down by. `basis` is that of a figure of the very system that was
    measured. `array` is the model of the arrays that a plan has, which an overlay may have put in the place of those
    that were measured; empty without arrays. `elsewhere` is in what the design differs from the one that is planned,
    and `of_other_filesystem` whether its file system does.
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
    doubted: tuple[Step, ...] = ()
    basis: Basis = "measured"
    elsewhere: tuple[Difference, ...] = ()
    of_other_filesystem: bool = False

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

    @property
    def caveats(self) -> tuple[str, ...]:
        """What a rule adds where it makes another figure of this one: how far the readings differ, and the doubts."""
        low, _, high = self.rate
        if high < ALIKE * low:
            return self.doubts
        ends = (units.show(round(end), MEASURABLE[self.figure]) for end in (low, high))
        return (f"The readings of the measurement lie between {' and '.join(ends)}.", *self.doubts)

    def same_system(self, other: Measured) -> bool:
        """Whether the other benchmark ran on the same system, in all that the figure depends on."""
        own, others = ((m.modules, m.settings, m.software, m.replaced, m.metadata_replaced) for m in (self, other))
        data_only = self.figure.startswith(THROUGHPUT)
        return own == others and (data_only or self.metadata == other.metadata)

    def with_doubt(self, step: Step, source: Source, ids: tuple[str, ...], basis: Basis) -> Measured:
        """The same value, which may be too high for a reason: a step that takes the low end down."""
        return self._replace(
            sources=tuple(dict.fromkeys((*self.sources, source))),
            ids=tuple(dict.fromkeys((*self.ids, *ids))),
            doubts=(*self.doubts, f"{step.what} The low end is lower by a factor of {float(step.down):.2f} for it."),
            doubted=(*self.doubted, step),
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
            doubted=tuple(dict.fromkeys(d for m in (self, *others) for d in m.doubted)),
            basis=weakest(m.basis for m in (self, *others)),
        )


def merged(same: list[Measured]) -> Measured | None:
    """Several benchmarks of one system as one: the lowest value, and a range over all. None when there is none."""
    if not same:
        return None
    # What a plan promises has to hold on the slower of two such systems.
    lowest = min(same, key=lambda m: (m.rate.value, m.id))
    return lowest.spanning([m for m in same if m is not lowest])


def _one_a_system(known: list[Measured]) -> Iterator[Measured]:
    """The benchmarks, those of one system as one: else a larger system, scaled from one of them, could have a lower
    high end than the range over all.
    """
    left = known
    while left:
        first = left[0]
        same = [m for m in left if m.same_system(first) and m.metadata == first.metadata]
        left = [m for m in left if m not in same]
        if found := merged(same):
            yield found


AS_SHIPPED = " as shipped"
"""What the name of a measured part ends with that an overlay has replaced since."""


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
            array=hardware.array and self._catalog.id_of(hardware.array.removesuffix(AS_SHIPPED)),
            settings=conditions.settings,
            software=conditions.software,
            metadata=conditions.metadata,
            replaced=replaced,
            metadata_replaced=metadata_replaced,
            doubts=tuple(_bounds(record)),
        )

    def _shipped_name(self, record_id: str) -> str:
        """The record that a plan would name; one of its own for what an overlay replaced since the measurement."""
        return record_id + AS_SHIPPED if record_id in self._catalog.replaced else self._catalog.id_of(record_id)

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


def far_below(record: Measurement) -> tuple[MeasuredReading, ...]:
    """The readings that bound a rate and are less than half of it: such a rate came from a cache, or the like."""
    return tuple(r for r in record.readings if r.bound and 2 * number_of(r, record) < used(record))


def _bounds(record: Measurement) -> Iterator[str]:
    """The readings that bound a rate, each with the end of the range that it sets, and why."""
    for reading in far_below(record):
        yield f"The low end comes from {reading.value}, seen in another test. {reading.why}"
    for reading in record.readings:
        if reading.bound and number_of(reading, record) > used(record):
            yield f"The high end comes from {reading.value}. {reading.why}"


def _range(record: Measurement) -> Range:
    """The reading that is used, and a range over all readings that are no misprints, as they are printed."""
    return Range.around(used(record), *(number_of(r, record) for r in record.readings if r.counts))


JUDGEMENT = Source("pixsize", "docs/explanation/how-each-number-is-made.md")
"""The source of assumptions that are pixsize's own: no document states them."""


class Evidence:
    """The measurements of a catalog that figures of a design may rest on.

    A record is read when a figure first asks for it: most records are of other figures or of other designs.
    """

    def __init__(self, catalog: Catalog, design: str) -> None:
        self._catalog = catalog
        self._wanted = catalog.id_of(design)
        self._design = catalog.get(Design, design)
        self._reader = Reader(catalog)
        self._ids: dict[str, list[str]] = {}
        self._own: dict[str, tuple[tuple[Measured, ...], tuple[Measured, ...]]] = {}
        self._elsewhere: dict[str, tuple[Measured, ...]] = {}
        for record_id, words in catalog.raw.items():
            if words["kind"] == "measurement" and words.get("system"):
                self._ids.setdefault(words["figure"], []).append(record_id)

    def _is_own(self, record_id: str) -> bool:
        return self._catalog.id_of(self._catalog.raw[record_id]["system"]["design"]) == self._wanted

    def _of_design(self, figure: str) -> tuple[tuple[Measured, ...], tuple[Measured, ...]]:
        """The measurements of systems of the design that a figure may be scaled from, and those that only widen it."""
        if figure not in self._own:
            known: list[Measured] = []
            widths: list[Measured] = []
            for record_id in filter(self._is_own, self._ids.get(figure, ())):
                record = self._catalog.get(Measurement, record_id)
                if record.system and (measured := self._reader.read(record, record.system)):
                    (known if self._scales(record, record.system) else widths).append(self._doubted(measured, record))
            spanned = [m.spanning([w for w in widths if w.same_system(m)]) for m in known]
            self._own[figure] = (tuple(_one_a_system(spanned)), tuple(widths))
        return self._own[figure]

    def _of_others(self, figure: str) -> tuple[Measured, ...]:
        """The measurements of arrays under other designs, each with the steps that the other design is away."""
        own = self._design
        if figure not in self._elsewhere and isinstance(own, ArrayDesign):
            found = (self._from_elsewhere(i, own) for i in self._ids.get(figure, ()) if not self._is_own(i))
            self._elsewhere[figure] = tuple(m for m in found if m)
        return self._elsewhere.get(figure, ())

    def _from_elsewhere(self, record_id: str, own: ArrayDesign) -> Measured | None:
        """A measurement of another design; None where it is no evidence for this one.

        Of other designs only arrays are evidence: their controllers and drives are alike.
        """
        if not self._catalog.raw[record_id]["system"].get("storage_modules"):
            return None
        record = self._catalog.get(Measurement, record_id)
        if record.system is None or not self._scales(record, record.system):
            return None
        measured = self._reader.read(record, record.system)
        if measured is None:
            return None
        other = self._catalog.get(ArrayDesign, record.system.design)
        return self._doubted(measured, record)._replace(
            elsewhere=self._between(other, own), of_other_filesystem=other.filesystem != own.filesystem
        )

    def _between(self, other: ArrayDesign, own: ArrayDesign) -> tuple[Difference, ...]:
        """What lies between two designs on such arrays: the file system, and the generation of the servers.

        Two designs have servers of one generation where the model's name is the same: ids are each design's own.
        """
        models = {self._catalog.get(Server, d.storage.servers.model).title for d in (other, own)}
        steps = () if other.filesystem == own.filesystem else (Difference("filesystem", f"as under {other.title}"),)
        if len(models) > 1:
            return (*steps, Difference("generation", f"servers, adapters and network of {other.title}"))
        return steps or (Difference("setting", f"as in {other.title}"),)

    def _scales(self, record: Measurement, system: MeasuredSystem) -> bool:
        """Whether figures of the design may be based on a record, whichever id of the design the record names."""
        calibrates = {self._catalog.id_of(design) for design in record.calibrates}
        return record.may_be_scaled_from(system.design) or self._catalog.id_of(system.design) in calibrates

    def _doubted(self, measured: Measured, record: Measurement) -> Measured:
        """The measurement with a low end that is lower by every doubt about it."""
        for doubt in record.doubts:
            source = Source(doubt.document, doubt.place)
            if not doubt.surplus:  # nobody knows how much: as much as a repetition may differ
                family = family_of(record.figure, self._catalog)
                step = Step("doubt", doubt.why, family.step(AGAIN).down, Fraction(1))
                measured = measured.with_doubt(step, source, (family.id,), "measured")
                continue
            known = self._catalog.get(Constant, doubt.surplus)
            step = Step("doubt", doubt.why, 1 / (1 - known.high), Fraction(1))
            basis: Basis = "estimated" if known.basis == "estimated" else "measured"
            measured = measured.with_doubt(step, source, (known.id,), basis)
        return measured

    def measurements(self, figure: str) -> tuple[Measured, ...]:
        """The measurements of the design that a figure may be scaled from, by id; others of the same systems widen
        them.
        """
        return self._of_design(figure)[0]

    def widths(self, figure: str) -> tuple[Measured, ...]:
        """The measurements of systems of the design that widen the range of a figure, and do not set its value."""
        return self._of_design(figure)[1]

    def near(self, figure: str) -> tuple[Measured, ...]:
        """The measurements of the design, and those of arrays under other designs that a figure may be scaled from.

        Sequential rates may cross from one file system to another, since arrays set them; all others are set by
        caches, logs and locks of the file system, and stay within it.
        """
        others = self._of_others(figure)
        sequential = figure.startswith(SEQUENTIAL)
        return (*self.measurements(figure), *(m for m in others if sequential or not m.of_other_filesystem))

    def of_arrays(self, figure: str) -> tuple[Measured, ...]:
        """Measurements of arrays, whatever the file system: those of this design first, then those of others."""
        return (*(m for m in self.measurements(figure) if m.arrays), *self._of_others(figure))

    def gains(self, prefix: str) -> tuple[tuple[Fraction, tuple[str, str]], ...]:
        """What twice the metadata targets brought to figures that begin so, and the ids of the two records compared."""
        ids = (i for f, found in self._ids.items() if f.startswith(prefix) for i in found)
        doubled = [self._catalog.get(Measurement, i) for i in ids if self._catalog.raw[i].get("doubles")]
        pairs = ((self._catalog.get(Measurement, r.doubles), r) for r in doubled)
        return tuple((used(b) / used(a), (a.id, b.id)) for a, b in pairs)


@lru_cache(maxsize=8)
def evidence_for(catalog: Catalog, design: str) -> Evidence:
    """The measurements that figures of a design may rest on, the same for all of its plans with a catalog."""
    return Evidence(catalog, design)
