"""Rates that rest on a measurement which another test contradicts."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import MeasuredReading, Measurement
from pixsize.estimate.evidence import far_below
from pixsize.figures import Figure
from pixsize.report.labels import label
from pixsize.report.sized_plan import SizedPlan


def readings_below(figure: Figure, catalog: Catalog) -> tuple[MeasuredReading, ...]:
    """The readings far below a rate: only the low end of one that has such readings can be counted on.

    Such a reading bounds the rate, at its peak or sustained, and is less than half of it.
    """
    rate = figure.id.rpartition(".")[0]
    records = (_measurement(i, catalog) for i in figure.inputs)
    found = (other for r in records if r is not None and r.figure.rpartition(".")[0] == rate for other in far_below(r))
    return tuple(dict.fromkeys(found))


def doubtful(sized: SizedPlan) -> dict[str, tuple[MeasuredReading, ...]]:
    """The rates with readings far below them, each with these."""
    found = {i: readings_below(figure, sized.catalog) for i, figure in sized.figures.items()}
    return {figure_id: readings for figure_id, readings in found.items() if readings}


def other_tests(sized: SizedPlan, kind: str) -> Iterator[str]:
    """A line for each such reading of a rate below `kind`. Figures with the same reading share a line."""
    said = [
        f"{label(figure_id.removeprefix(f'{kind}.').rpartition('.')[0])}: from a cache? Another test: "
        f"{other.value}. Use the low end."
        for figure_id, readings in doubtful(sized).items()
        if figure_id.startswith(f"{kind}.")
        for other in readings
    ]
    yield from dict.fromkeys(said)


def _measurement(record_id: str, catalog: Catalog) -> Measurement | None:
    """The measurement with this id; None where the id is that of a figure or of another kind of record."""
    is_one = record_id in catalog and catalog.raw[catalog.id_of(record_id)]["kind"] == "measurement"
    return catalog.get(Measurement, record_id) if is_one else None
