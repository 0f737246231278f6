"""A measurement of the catalog as a benchmark of a system, and whether that system can still be planned as it was."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import (
    Design,
    Layout,
    MeasuredModule,
    MeasuredReading,
    MeasuredSystem,
    Measurement,
    ModuleSize,
    Switch,
)
from pixsize.estimate.ranges import Range
from pixsize.figures import Reading, Source

DIMENSIONS: dict[str, units.Dimension] = {
    "B": "capacity",
    "B/s": "rate",
    "op/s": "operations",
    "W": "power",
    "U": "length",
}
"""What a figure's unit measures."""


class Kind(NamedTuple):
    """What makes one storage module behave like another: arrays, RAID groups (one NSD each), expansion, drive."""

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


class Measured(NamedTuple):
    """A benchmark of a whole system. `modules` counts its storage modules by kind.

    `printed` are all readings, `readings` the same where they disagree, `ids` the records. `replaced` names what an
    overlay has put other records in the place of since the data tier was measured, `metadata_replaced` likewise for the
    metadata. `metadata_drives` are the SSDs of the high-demand metadata or of the storage modules; empty for a design's
    default.
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
    metadata_drives: frozenset[str]
    replaced: tuple[str, ...]
    metadata_replaced: tuple[str, ...]

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

    @property
    def metadata(self) -> tuple[int, int]:
        """The modules and the arrays of the high-demand metadata."""
        hdmd = self.system.hdmd
        return (hdmd.modules, hdmd.modules * hdmd.arrays) if hdmd else (0, 0)

    def of_one_module(self) -> Range:
        """The share of one of its modules."""
        return self.rate.times(Fraction(1, self.modules.total()))

    def same_system(self, other: Measured) -> bool:
        """Whether the other benchmark ran on the same system, in all that the figure depends on."""
        mine, theirs = (
            (m.modules, m.system.block_bytes, m.replaced, m.system.hdmd is None, m.metadata_replaced)
            for m in (self, other)
        )
        data_only = self.figure.startswith("throughput.")
        alike = data_only or (self.metadata, self.metadata_drives) == (other.metadata, other.metadata_drives)
        return mine == theirs and alike

    def spanning(self, others: list[Measured]) -> Measured:
        """The same value, with a range over the others' readings as well."""
        if not others:
            return self
        return self._replace(
            rate=Range.around(self.rate.value, *(b for m in (self, *others) for b in (m.rate.low, m.rate.high))),
            readings=(*self.printed, *(r._replace(used=False) for m in others for r in m.printed)),
            cited=tuple(dict.fromkeys(c for m in (self, *others) for c in m.cited)),
            ids=(*self.ids, *(i for m in others for i in m.ids)),
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
        self._kinds: dict[tuple[str, str, bool, str, bool], Kind | None] = {}
        self._replacements: dict[tuple[str, str, bool], tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def read(self, record: Measurement, system: MeasuredSystem) -> Measured | None:
        """The benchmark, None when the catalog knows no module of one of its sizes."""
        own = record.id in self._catalog.overlaid
        modules: Counter[Kind] = Counter()
        for module in system.storage_modules:
            kind = self._kind(module, system, own)
            if kind is None:
                return None
            modules[kind] += module.count
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
            modules=modules,
            array=self._name(self._of(own).get(Design, system.design).storage.array, own),
            metadata_drives=self._metadata_drives(system, own),
            replaced=replaced,
            metadata_replaced=metadata_replaced,
        )

    def _of(self, own: bool) -> Catalog:
        return self._catalog if own else self._shipped

    def _name(self, record_id: str, own: bool) -> str:
        """The record that a plan would name; one of its own for what an overlay replaced since the measurement."""
        if own or record_id not in self._catalog.replaced:
            return self._catalog.record(record_id).id
        return f"{record_id} as shipped"

    def _metadata_drives(self, system: MeasuredSystem, own: bool) -> frozenset[str]:
        named = (system.hdmd.drive,) if system.hdmd else tuple(m.metadata_drive for m in system.storage_modules)
        return frozenset(self._name(drive, own) if drive else "" for drive in named)

    def _kind(self, module: MeasuredModule, system: MeasuredSystem, own: bool) -> Kind | None:
        """The kind of a measured module, None when the catalog knows no module of its size."""
        variant = "standard" if system.hdmd is None else "hdmd"
        key = (module.size, variant, module.expansion, module.data_drive, own)
        if key not in self._kinds:
            self._kinds[key] = self._counted(module, system, variant, own)
        return self._kinds[key]

    def _counted(self, module: MeasuredModule, system: MeasuredSystem, variant: str, own: bool) -> Kind | None:
        catalog = self._of(own)
        design = catalog.get(Design, system.design)
        sizes = (s for s in catalog.all(ModuleSize) if s.size == module.size)
        size = next((s for s in sizes if catalog.record(s.design).id == design.id), None)
        if size is None:
            return None
        layout = catalog.get(Layout, design.storage.layouts[variant])
        each = sum(len(g.slots) for g in layout.groups if g.purpose == "data") * (1 + module.expansion)
        return Kind(module.size, size.arrays, size.arrays * each, module.expansion, self._name(module.data_drive, own))

    def _replaced(self, system: MeasuredSystem) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What an overlay replaced of the data tier and of the metadata of a system that a shipped record measured."""
        if not self._catalog.replaced:
            return (), ()
        variant = "standard" if system.hdmd is None else "hdmd"
        key = (system.design, variant, any(m.expansion for m in system.storage_modules))
        if key not in self._replacements:
            self._replacements[key] = self._sought(*key)
        return self._replacements[key]

    def _sought(self, design_id: str, variant: str, expansion: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        design = self._shipped.get(Design, design_id)
        storage, metadata = design.storage, design.metadata
        switches = (s.model for s in design.switches)
        data = {
            "the design": (design_id,),
            "the servers": (storage.servers.model,),
            "the adapters": tuple(storage.servers.adapters),
            "the arrays": (storage.array,),
            "the expansions": (storage.expansion,) if expansion else (),
            "the layout": (storage.layouts[variant],),
            "the switches": tuple(s for s in switches if self._shipped.get(Switch, s).network != "management"),
        }
        hdmd = {
            "the metadata servers": (metadata.servers.model,),
            "the metadata servers' adapters": tuple(metadata.servers.adapters),
            "the model of the metadata arrays": (metadata.array,),
            "the layout of the metadata arrays": (metadata.layout,),
        }
        return self._gone(data), self._gone(hdmd if variant == "hdmd" else {})

    def _gone(self, parts: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
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
