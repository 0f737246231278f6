"""A measurement of the catalog as a benchmark of a system, and whether that system can still be planned as it was."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import (
    ArrayDesign,
    Design,
    Layout,
    MeasuredModule,
    MeasuredReading,
    MeasuredSystem,
    Measurement,
    ModuleSize,
    PoolDesign,
)
from pixsize.estimate.made_of import Parts, parts_of
from pixsize.estimate.ranges import Range
from pixsize.figures import Basis, Reading, Source, weakest

DIMENSIONS: dict[str, units.Dimension] = {
    "B": "capacity",
    "B/s": "rate",
    "op/s": "operations",
    "W": "power",
    "U": "length",
}
"""What a figure's unit measures."""


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

    `mdts` are the metadata targets of Lustre, 0 where the file system has none.
    """

    modules: int
    arrays: int
    mdts: int
    drives: frozenset[str]


LNET = "the kind of LNet network"
Settings = tuple[tuple[str, object], ...]
"""What else a data figure depends on: what it is called, and its value."""


class Measured(NamedTuple):
    """A benchmark of a whole system. `modules` counts its storage modules by kind.

    `printed` are all readings, `readings` the same where they disagree, `ids` the records. `replaced` names what an
    overlay has put other records in the place of since the data tier was measured, `metadata_replaced` likewise for the
    metadata. `release` is that of Lustre, and empty for other file systems. `doubts` say why the low end lies where it
    does; `basis` is what a figure of the very system is.
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
    release: str
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
        mine, theirs = ((m.modules, m.settings, m.release, m.replaced, m.metadata_replaced) for m in (self, other))
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
        self._kinds: dict[tuple[str, str, str, bool, str, bool], Kind | None] = {}
        self._replacements: dict[tuple[str, str, bool], tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def read(self, record: Measurement, system: MeasuredSystem) -> Measured | None:
        """The benchmark, None when the catalog knows no module of one of its sizes."""
        own = record.id in self._catalog.overlaid
        modules = self._modules(system, own)
        if modules is None:
            return None
        printed = tuple(_reading(r, record) for r in record.readings)
        replaced, metadata_replaced = ((), ()) if own else self._replaced(system)
        scale = (("the variant", system.hdmd is not None), ("the block size", system.block_bytes))
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
            array=self._array(system, own),
            settings=scale if system.metadata is None else ((LNET, system.lnet),),
            release=release_of(system.lustre_version),
            metadata=self._metadata(system, own),
            replaced=replaced,
            metadata_replaced=metadata_replaced,
        )

    def _of(self, own: bool) -> Catalog:
        return self._catalog if own else self._shipped

    def _name(self, record_id: str, own: bool) -> str:
        """The record that a plan would name; one of its own for what an overlay replaced since the measurement."""
        if own or record_id not in self._catalog.replaced:
            return self._catalog.id_of(record_id)
        return f"{record_id} as shipped"

    def _array(self, system: MeasuredSystem, own: bool) -> str:
        """The model of the data arrays, empty where servers hold the drives."""
        if system.servers is not None:
            return ""
        return self._name(self._of(own).get(ArrayDesign, system.design).storage.array, own)

    def _metadata(self, system: MeasuredSystem, own: bool) -> MetadataTier:
        if system.metadata is not None:
            mdts = system.metadata
            drives = frozenset((self._name(mdts.drive, own),) if mdts.drive else ())
            arrays = 0 if system.servers is not None else mdts.pairs
            return MetadataTier(mdts.pairs, arrays, mdts.pairs * self._mdts_a_pair(system, own), drives)
        hdmd = system.hdmd
        named = (hdmd.drive,) if hdmd else tuple(m.metadata_drive for m in system.storage_modules)
        drives = frozenset(self._name(drive, own) if drive else "" for drive in named)
        modules, arrays = (hdmd.modules, hdmd.modules * hdmd.arrays) if hdmd else (0, 0)
        return MetadataTier(modules, arrays, 0, drives)

    def _mdts_a_pair(self, system: MeasuredSystem, own: bool) -> int:
        """One or, with DNE, two; on arrays as many as their layout has groups."""
        design = self._of(own).get(Design, system.design)
        if isinstance(design, ArrayDesign) and system.variant in design.metadata.layouts:
            layout = self._of(own).get(Layout, design.metadata.layouts[system.variant])
            return sum(len(g.slots) for g in layout.groups if g.purpose == "metadata")
        return 2 if system.variant == "dne" else 1

    def _modules(self, system: MeasuredSystem, own: bool) -> Counter[Kind] | None:
        """The storage modules by kind, None when the catalog knows no module of one of the sizes."""
        if system.servers is not None:
            targets = self._of(own).get(PoolDesign, system.design).storage.targets
            return Counter({Kind("server", 0, targets, False, self._name(system.drive, own)): system.servers})
        modules: Counter[Kind] = Counter()
        for module in system.storage_modules:
            kind = self._kind(module, system, own)
            if kind is None:
                return None
            modules[kind] += module.count
        return modules

    def _kind(self, module: MeasuredModule, system: MeasuredSystem, own: bool) -> Kind | None:
        """The kind of a measured module, None when the catalog knows no module of its size."""
        key = (system.design, module.size, system.variant, module.expansion, module.data_drive, own)
        if key not in self._kinds:
            self._kinds[key] = self._counted(module, system, own)
        return self._kinds[key]

    def _counted(self, module: MeasuredModule, system: MeasuredSystem, own: bool) -> Kind | None:
        catalog = self._of(own)
        design = catalog.get(ArrayDesign, system.design)
        sizes = (s for s in catalog.all(ModuleSize) if s.size == module.size)
        size = next((s for s in sizes if catalog.id_of(s.design) == design.id), None)
        if size is None or system.variant not in design.storage.layouts:
            return None
        layout = catalog.get(Layout, design.storage.layouts[system.variant])
        each = sum(len(g.slots) for g in layout.groups if g.purpose == "data") * (1 + module.expansion)
        return Kind(module.size, size.arrays, size.arrays * each, module.expansion, self._name(module.data_drive, own))

    def _replaced(self, system: MeasuredSystem) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What an overlay replaced of the data tier and of the metadata of a system that a shipped record measured."""
        if not self._catalog.replaced:
            return (), ()
        key = (system.design, system.variant, any(m.expansion for m in system.storage_modules))
        if key not in self._replacements:
            self._replacements[key] = self._sought(*key)
        return self._replacements[key]

    def _sought(self, design_id: str, variant: str, expansion: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        made_of = parts_of(self._shipped.get(Design, design_id), self._shipped, variant, expansion=expansion)
        return self._gone(made_of.data), self._gone(made_of.metadata)

    def _gone(self, parts: Parts) -> tuple[str, ...]:
        return tuple(what for what, ids in parts.items() if self._catalog.replaced.keys() & set(ids))


def release_of(version: str) -> str:
    """The release that a version of Lustre belongs to: `2.10` for 2.10.4; empty for none."""
    return ".".join(version.split(".")[:2])


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
