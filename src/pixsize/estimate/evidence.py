"""What was measured: the catalog's measurements as ranges, and the spread that repeated readings show."""

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
)
from pixsize.estimate.ranges import Range
from pixsize.figures import Basis, Reading, Source

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


class Measured(NamedTuple):
    """A benchmark of a whole system. `modules` counts its storage modules by kind.

    `printed` are all readings, `readings` the same where they disagree, `ids` the records.
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
    metadata_drive: str

    @property
    def only_kind(self) -> Kind | None:
        """The kind of its modules, where all are alike; only then is the share of one of them known."""
        return next(iter(self.modules)) if len(self.modules) == 1 else None

    @property
    def arrays(self) -> int:
        """The arrays of the data tier."""
        return sum(kind.arrays * n for kind, n in self.modules.items())

    def of_one_module(self) -> Range:
        """The share of one of its modules."""
        return self.rate.times(Fraction(1, self.modules.total()))


class Spread(NamedTuple):
    """How far readings of one quantity lie apart, as a share, the records that show it, and what a figure on it is."""

    share: Fraction
    inputs: tuple[str, ...]
    basis: Basis = "extrapolated"

    def text(self) -> str:
        """The share as a rule names it."""
        return f"{float(self.share * 100):.1f} %"


def merged(same: list[Measured]) -> Measured | None:
    """Several benchmarks of one system as one: the lowest value, and a range over all. None when there is none."""
    if len(same) < 2:
        return same[0] if same else None
    lowest = min(same, key=lambda m: (m.rate.value, m.id))
    bounds = (b for m in same for b in (m.rate.low, m.rate.high))
    return lowest._replace(
        rate=Range.around(lowest.rate.value, *bounds),
        readings=tuple(r if m is lowest else r._replace(used=False) for m in same for r in m.printed),
        cited=tuple(dict.fromkeys(c for m in same for c in m.cited)),
        ids=tuple(m.id for m in same),
    )


class Evidence:
    """The measurements of a catalog, read once a run."""

    def __init__(self, catalog: Catalog, design: str) -> None:
        self._catalog = catalog
        self._records = catalog.all(Measurement)
        self._kinds: dict[tuple[str, str, bool, str], Kind | None] = {}
        self._by_figure: dict[str, list[Measured]] = {}
        for record in self._records:
            if record.trust == "calibration" and record.system and record.system.design == design:
                self._add(record, record.system)

    def of(self, figure: str) -> tuple[Measured, ...]:
        """What may be scaled from for a figure of the design, by id."""
        return tuple(self._by_figure.get(figure, ()))

    def below(self, prefix: str) -> tuple[Measured, ...]:
        """What may be scaled from for any figure that begins so."""
        return tuple(m for figure, found in self._by_figure.items() if figure.startswith(prefix) for m in found)

    def spread(self, prefix: str, floor: Spread) -> Spread:
        """The widest ratio of two readings of one measurement whose figure begins so, less one; at least `floor`."""
        widest = floor
        for record in self._records:
            if not record.figure.startswith(prefix):
                continue
            values = [_number(r, record) for r in record.readings if r.counts]
            share = max(values) / min(values) - 1
            if share > widest.share:
                widest = Spread(share, (record.id,))
        return widest

    def gains(self, prefix: str, one: str, two: str) -> tuple[tuple[Fraction, tuple[str, str]], ...]:
        """The factors between records with `one` in their ids and their siblings with `two`, with each pair's ids."""
        by_id = {r.id: r for r in self._records if r.figure.startswith(prefix)}
        pairs = ((r, by_id.get(i.replace(one, two))) for i, r in by_id.items() if one in i)
        return tuple((_used(b) / _used(a), (a.id, b.id)) for a, b in pairs if b is not None)

    def _add(self, record: Measurement, system: MeasuredSystem) -> None:
        modules: Counter[Kind] = Counter()
        for module in system.storage_modules:
            kind = self._kind(module, system)
            if kind is None:
                return
            modules[kind] += module.count
        printed = tuple(_reading(r, record) for r in record.readings)
        measured = Measured(
            id=record.id,
            figure=record.figure,
            rate=_range(record),
            printed=printed,
            readings=printed if len(printed) > 1 else (),
            cited=record.cited(),
            ids=(record.id,),
            system=system,
            modules=modules,
            array=self._catalog.get(Design, system.design).storage.array,
            metadata_drive=self._catalog.record(system.hdmd.drive).id if system.hdmd else "",
        )
        self._by_figure.setdefault(record.figure, []).append(measured)

    def _kind(self, module: MeasuredModule, system: MeasuredSystem) -> Kind | None:
        """The kind of a measured module, None when the catalog knows no module of its size."""
        key = (module.size, "standard" if system.hdmd is None else "hdmd", module.expansion, module.data_drive)
        if key not in self._kinds:
            self._kinds[key] = self._counted(module, system, key[1])
        return self._kinds[key]

    def _counted(self, module: MeasuredModule, system: MeasuredSystem, variant: str) -> Kind | None:
        sizes = (s for s in self._catalog.all(ModuleSize) if s.design == system.design and s.size == module.size)
        size = next(sizes, None)
        if size is None:
            return None
        layout = self._catalog.get(Layout, self._catalog.get(Design, system.design).storage.layouts[variant])
        each = sum(len(g.slots) for g in layout.groups if g.purpose == "data") * (1 + module.expansion)
        drive = self._catalog.record(module.data_drive).id
        return Kind(module.size, size.arrays, size.arrays * each, module.expansion, drive)


def _number(reading: MeasuredReading, record: Measurement) -> Fraction:
    return _parsed(reading.value, DIMENSIONS[record.unit])


_parsed = lru_cache(maxsize=512)(units.parse)


def _used(record: Measurement) -> Fraction:
    return next(_number(r, record) for r in record.readings if r.used)


def _range(record: Measurement) -> Range:
    """The reading used, and around it every reading that counts with half the last digit that it prints."""
    bounds = []
    for reading in record.readings:
        if reading.counts:
            number = _number(reading, record)
            half = units.half_last_digit(reading.value, DIMENSIONS[record.unit])
            bounds += [number - half, number + half]
    return Range.around(_used(record), *bounds)


def _reading(reading: MeasuredReading, record: Measurement) -> Reading:
    source = Source(reading.document, reading.place)
    return Reading(round(_number(reading, record)), reading.value, source, reading.used, reading.why)
