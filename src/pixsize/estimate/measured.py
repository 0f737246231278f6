"""A measurement of the catalog as a benchmark of a system, and whether that system can still be planned as it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, MeasuredReading, MeasuredSystem, Measurement, ServerRole, Switch
from pixsize.estimate.ranges import Range
from pixsize.figures import Basis, Reading, Source, weakest
from pixsize.product import filesystem_of, volumes_of

DIMENSIONS: dict[str, units.Dimension] = {
    "B": "capacity",
    "B/s": "rate",
    "op/s": "operations",
    "W": "power",
    "U": "length",
}
"""What a figure's unit measures."""


SERVER = "server"
"""The size of a module that is a server with drives of its own."""


class Kind(NamedTuple):
    """What makes one storage module behave like another: arrays, RAID groups (one target each), expansion, drive.

    A server with drives of its own is a module without arrays.
    """

    size: str
    arrays: int
    groups: int
    expansion: bool
    drive: str

    @property
    def name(self) -> str:
        """Size and expansion in words."""
        return self.size.capitalize() + (" with expansion" if self.expansion else "")

    def unexpanded(self) -> Kind:
        """The same module without its expansions."""
        return self._replace(groups=self.groups // (1 + self.expansion), expansion=False)


class MetadataTier(NamedTuple):
    """What holds the metadata: modules, their arrays, and the SSDs; empty for a design's default.

    `targets` is their number where one chooses it apart from the arrays, and 0 where not.
    """

    modules: int
    arrays: int
    targets: int
    drives: frozenset[str]


Settings = tuple[tuple[str, object], ...]
"""What else a figure depends on: what it is called, and its value."""

Parts = dict[str, tuple[str, ...]]
"""What a part is called -> the catalog ids of such parts."""


class MadeOf(NamedTuple):
    """The parts that figures of the data tier depend on, and those that figures of the metadata depend on as well."""

    data: Parts
    metadata: Parts


class Lookup(NamedTuple):
    """The records that a measurement was made on, and the name that a plan would have for each of them."""

    catalog: Catalog
    name: Callable[[str], str]


class Hardware(NamedTuple):
    """What the volumes of a measured system lay on: its storage modules by kind, and the model of their arrays.

    `array` is empty where servers hold the drives. `metadata_groups` is the number of groups that an array of the
    metadata's own has, 0 without such arrays.
    """

    modules: Counter[Kind]
    array: str
    metadata_groups: int


class Conditions(NamedTuple):
    """What the file system of a measured system was: what data figures depend on, what all do, and its metadata."""

    settings: Settings
    software: Settings
    metadata: MetadataTier


def server_parts(name: str, role: ServerRole) -> Parts:
    """The servers of a role and their adapters, as a measurement depends on them."""
    adapters = f"{name}' adapters" if name != "the servers" else "the adapters"
    return {name: (role.model,), adapters: tuple(role.adapters)}


class Measured(NamedTuple):
    """A benchmark of a whole system. `modules` counts its storage modules by kind.

    `printed` are all readings, `readings` the same where they disagree, `ids` the records. `replaced` names what an
    overlay has put other records in the place of since the data tier was measured, `metadata_replaced` likewise for the
    metadata. `settings` are what data figures depend on, `software` what metadata figures depend on as well. `doubts`
    say why the low end lies where it does; `basis` is what a figure of the very system is.
    """

    id: str
    figure: str
    rate: Range
    printed: tuple[Reading, ...]
    readings: tuple[Reading, ...]
    cited: tuple[Source, ...]
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
        mine, theirs = ((m.modules, m.settings, m.software, m.replaced, m.metadata_replaced) for m in (self, other))
        data_only = self.figure.startswith("throughput.")
        return mine == theirs and (data_only or self.metadata == other.metadata)

    def doubted(self, why: str, left: Fraction, source: Source, ids: tuple[str, ...], basis: Basis) -> Measured:
        """The same value, with a low end of which only the part `left` is certain, for a reason."""
        return self._replace(
            rate=self.rate._replace(low=self.rate.low * left),
            cited=tuple(dict.fromkeys((*self.cited, source))),
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
            cited=tuple(dict.fromkeys(c for m in (self, *others) for c in m.cited)),
            ids=tuple(dict.fromkeys(i for m in (self, *others) for i in m.ids)),
            doubts=tuple(dict.fromkeys(d for m in (self, *others) for d in m.doubts)),
            basis=weakest(m.basis for m in (self, *others)),
        )


def merged(same: list[Measured]) -> Measured | None:
    """Several benchmarks of one system as one: the lowest value, and a range over all. None when there is none."""
    if not same:
        return None
    lowest = min(same, key=lambda m: (m.rate.value, m.id))
    return lowest.spanning([m for m in same if m is not lowest])


class Reader:
    """Reads measurements. A shipped one was made on the shipped parts, whatever an overlay put in their place since."""

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
        printed = tuple(_reading(r, record) for r in record.readings)
        replaced, metadata_replaced = ((), ()) if own else self._replaced(system)
        return Measured(
            id=record.id,
            figure=record.figure,
            rate=_range(record),
            printed=printed,
            readings=printed if len(printed) > 1 else (),
            cited=record.cited(),
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
        """What the volumes lay on; most measurements are of the same few systems."""
        key = (system.design, system.variant, system.storage_modules, system.servers, system.drive, own)
        if key not in self._hardware:
            self._hardware[key] = volumes_of(design).measured(system, lookup)
        return self._hardware[key]

    def _replaced(self, system: MeasuredSystem) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What an overlay replaced of the data tier and of the metadata of a system that a shipped record measured."""
        if not self._catalog.replaced:
            return (), ()
        key = (system.design, system.variant, any(m.expansion for m in system.storage_modules))
        if key not in self._replacements:
            self._replacements[key] = self._sought(*key)
        return self._replacements[key]

    def _sought(self, design_id: str, variant: str, expansion: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        design = self._shipped.get(Design, design_id)
        made_of = volumes_of(design).made_of(design, variant, expansion)
        models = (s.model for s in design.switches)
        switches = tuple(m for m in models if self._shipped.get(Switch, m).network != "management")
        data = {"the design": (design.id,), **made_of.data, "the switches": switches}
        return self._gone(data), self._gone(made_of.metadata)

    def _gone(self, parts: Parts) -> tuple[str, ...]:
        return tuple(what for what, ids in parts.items() if self._catalog.replaced.keys() & set(ids))


def number_of(reading: MeasuredReading, record: Measurement) -> Fraction:
    """What a reading says, in base units of its measurement."""
    return _parsed(reading.value, DIMENSIONS[record.unit])


_parsed = lru_cache(maxsize=512)(units.parse)


def used(record: Measurement) -> Fraction:
    """The reading that is used, in base units."""
    return next(number_of(r, record) for r in record.readings if r.used)


def _range(record: Measurement) -> Range:
    """The reading used, and around it every reading that counts with half the last digit that it prints.

    No rounding leads below a value that the document gives as a floor.
    """
    counted = [(r, number_of(r, record)) for r in record.readings if r.counts]
    floor = max((n for r, n in counted if r.floor), default=Fraction(0))
    bounds = []
    for reading, number in counted:
        half = units.half_last_digit(reading.value, DIMENSIONS[record.unit])
        bounds += [max(number - half, min(number, floor)), number + half]
    return Range.around(used(record), *bounds)


def _reading(reading: MeasuredReading, record: Measurement) -> Reading:
    source = Source(reading.document, reading.place)
    return Reading(round(number_of(reading, record)), reading.value, source, reading.used, reading.why)
