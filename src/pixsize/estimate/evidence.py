"""What was measured: the catalog's measurements as ranges, and the spread that repeated readings show."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Measurement
from pixsize.estimate.measured import Measured, Reader, number_of, used
from pixsize.figures import Basis


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


class Evidence:
    """The measurements of a catalog, read once a run."""

    def __init__(self, catalog: Catalog, design: str) -> None:
        self._records = catalog.all(Measurement)
        self._by_figure: dict[str, list[Measured]] = {}
        self._widths: dict[str, list[Measured]] = {}
        reader, wanted = Reader(catalog), catalog.record(design).id
        for record in self._records:
            if record.system is None or catalog.record(record.system.design).id != wanted:
                continue
            measured = reader.read(record, record.system)
            if measured is not None:
                kept = self._by_figure if record.trust == "calibration" else self._widths
                kept.setdefault(record.figure, []).append(measured)
        for figure, widths in self._widths.items():
            known = self._by_figure.get(figure, [])
            self._by_figure[figure] = [m.spanning([w for w in widths if w.same_system(m)]) for m in known]

    def of(self, figure: str) -> tuple[Measured, ...]:
        """What may be scaled from for a figure of the design, by id; what was seen on the same systems widens it."""
        return tuple(self._by_figure.get(figure, ()))

    def widths(self, figure: str) -> tuple[Measured, ...]:
        """What was seen on systems of the design, and widens the range of a figure without setting it."""
        return tuple(self._widths.get(figure, ()))

    def below(self, prefix: str) -> tuple[Measured, ...]:
        """What may be scaled from for any figure that begins so."""
        return tuple(m for figure, found in self._by_figure.items() if figure.startswith(prefix) for m in found)

    def spread(self, prefix: str, floor: Spread) -> Spread:
        """The widest ratio of two readings of one measurement whose figure begins so, less one; at least `floor`."""
        widest = floor
        for record in self._records:
            if not record.figure.startswith(prefix):
                continue
            values = [number_of(r, record) for r in record.readings if r.counts]
            share = max(values) / min(values) - 1
            if share > widest.share:
                widest = Spread(share, (record.id,))
        return widest

    def gains(self, prefix: str, one: str, two: str) -> tuple[tuple[Fraction, tuple[str, str]], ...]:
        """The factors between records with `one` in their ids and their siblings with `two`, with each pair's ids."""
        by_id = {r.id: r for r in self._records if r.figure.startswith(prefix)}
        pairs = ((r, by_id.get(i.replace(one, two))) for i, r in by_id.items() if one in i)
        return tuple((used(b) / used(a), (a.id, b.id)) for a, b in pairs if b is not None)
