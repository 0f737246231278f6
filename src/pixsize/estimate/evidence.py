"""What was measured: the catalog's measurements as ranges, and the spread that repeated readings show."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Doubt, MeasuredSystem, Measurement
from pixsize.estimate.ids import FAMILIES
from pixsize.estimate.measured import Measured, Reader, number_of, used
from pixsize.figures import Basis, Source

SPREAD_FLOOR = "throughput.spread_min"
JUDGEMENT = Source("pixsize", "docs/explanation/how-each-number-is-made.md")
"""The source of what no document says, and pixsize does."""
TWO_TARGETS = Source("dell-lustre-me4", "Metadata Performance Study, Figures 6 to 8: one MDT and two MDTs")
"""Where a second target for metadata on the same array was measured: no other design has looked."""


class Spread(NamedTuple):
    """How far readings of one quantity lie apart: the ratio of the furthest two, less one.

    `inputs` are the records that show it, `basis` is what a figure on it is.
    """

    share: Fraction
    inputs: tuple[str, ...]
    basis: Basis = "extrapolated"

    def text(self) -> str:
        """The ratio as a rule names it: a range is multiplied by it at one end and divided by it at the other."""
        return f"a factor of {float(1 + self.share):.4g}"


def floor_of(catalog: Catalog) -> Spread:
    """The smallest spread that a range is widened by, however well the readings agree."""
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
        """Whether figures of the measured design may rest on a record, whichever of its ids the record names."""
        calibrates = {self._catalog.id_of(design) for design in record.calibrates}
        return record.may_be_scaled_from(system.design) or self._catalog.id_of(system.design) in calibrates

    def _doubted(self, measured: Measured, record: Measurement) -> Measured:
        """The measurement with a low end that every doubt about it takes further down."""
        for doubt in record.doubts:
            known = self._surplus(doubt, record.figure)
            less = f"{float(known.share * 100):.1f} %" if doubt.surplus else known.text()
            why = f"{doubt.why} The low end is lower by {less} for it."
            basis: Basis = "estimated" if known.basis == "estimated" else "measured"
            left = 1 - known.share if doubt.surplus else 1 / (1 + known.share)
            measured = measured.doubted(why, left, Source(doubt.document, doubt.place), known.inputs, basis)
        return measured

    def _surplus(self, doubt: Doubt, figure: str) -> Spread:
        """Which part of a rate a doubt takes off its low end."""
        if doubt.surplus:
            known = self._catalog.get(Constant, doubt.surplus)
            return Spread(known.high, (known.id,), known.basis)
        family = next((f for f in FAMILIES if figure.startswith(f)), figure)
        return self.spread(family, floor_of(self._catalog))

    def of(self, figure: str) -> tuple[Measured, ...]:
        """What may be scaled from for a figure of the design, by id; what was seen on the same systems widens it."""
        return tuple(self._by_figure.get(figure, ()))

    def widths(self, figure: str) -> tuple[Measured, ...]:
        """What was seen on systems of the design, and widens the range of a figure without setting it."""
        return tuple(self._widths.get(figure, ()))

    def of_arrays(self, prefix: str) -> tuple[Measured, ...]:
        """What was measured of arrays for any figure that begins so, in this design and then in the others."""
        mine = (m for figure, found in self._by_figure.items() if figure.startswith(prefix) for m in found if m.arrays)
        theirs = (self._of_another(r, system) for r, system in self._others if r.figure.startswith(prefix))
        return (*mine, *(m for m in theirs if m))

    def _of_another(self, record: Measurement, system: MeasuredSystem) -> Measured | None:
        """A benchmark of another design, read when first asked for; None where it is no evidence for a value."""
        if record.id not in self._elsewhere:
            scaled = self._scales(record, system)
            self._elsewhere[record.id] = self._reader.read(record, system) if scaled else None
        return self._elsewhere[record.id]

    def spread(self, prefix: str, floor: Spread) -> Spread:
        """The widest ratio of two readings of one measurement whose figure begins so, less one; at least `floor`."""
        widest = floor
        for record in self._records:
            if len(record.readings) == 1 or not record.figure.startswith(prefix):
                continue
            values = [number_of(r, record) for r in record.readings if r.counts and not r.bound]
            share = max(values) / min(values) - 1
            if share > widest.share:
                widest = Spread(share, (record.id,))
        return widest

    def gains(self, prefix: str, one: str, two: str) -> tuple[tuple[Fraction, tuple[str, str]], ...]:
        """The factors between records with `one` in their ids and their siblings with `two`, with each pair's ids."""
        by_id = {r.id: r for r in self._records if r.figure.startswith(prefix)}
        pairs = ((r, by_id.get(i.replace(one, two))) for i, r in by_id.items() if one in i)
        return tuple((used(b) / used(a), (a.id, b.id)) for a, b in pairs if b is not None)
