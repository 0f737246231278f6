"""What the figures of one plan owe each other, and what else was seen of the very system."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pixsize.estimate.evidence import Evidence
from pixsize.estimate.system import System
from pixsize.figures import Figure, weakest


def in_agreement(figures: Iterable[Figure], system: System, evidence: Evidence) -> tuple[Figure, ...]:
    """The rates, each with a range over all that was seen of the system, and no sustained one above its peak."""
    wide = {f.id: _as_wide_as_seen(f, system, evidence) for f in figures}
    return tuple(_below_its_peak(f, wide) for f in wide.values())


def _as_wide_as_seen(figure: Figure, system: System, evidence: Evidence) -> Figure:
    """The figure, with its range over measurements of the system that serve for a width, and are not in it already."""
    seen = [m for m in evidence.widths(figure.id) if system.is_system_of(m) and m.id not in figure.inputs]
    if not seen:
        return figure
    ranges = [m.rate.whole() for m in seen]
    return replace(
        figure,
        low=min(figure.low, *(low for _, low, _ in ranges)),
        high=max(figure.high, *(high for _, _, high in ranges)),
        rule=f"{figure.rule} The range covers what else was measured of this system ({', '.join(m.id for m in seen)}).",
        sources=tuple(dict.fromkeys((*figure.sources, *(c for m in seen for c in m.cited)))),
        inputs=(*figure.inputs, *(m.id for m in seen)),
    )


def _below_its_peak(figure: Figure, figures: dict[str, Figure]) -> Figure:
    """A sustained rate no higher than its peak: where each comes from another source, the peak caps it."""
    name, _, duration = figure.id.rpartition(".")
    peak = figures.get(f"{name}.peak")
    if duration != "sustained" or peak is None:
        return figure
    mine, most = ((f.low, f.value, f.high) for f in (figure, peak))
    low, value, high = (min(a, b) for a, b in zip(mine, most, strict=True))
    if (low, value, high) == mine:
        return figure
    return replace(
        figure,
        low=low,
        value=value,
        high=high,
        basis=weakest(("measured" if (value, high) == mine[1:] else "extrapolated", figure.basis, peak.basis)),
        rule=f"{figure.rule} Capped by the peak, which nothing sustained can exceed.",
        inputs=(*figure.inputs, peak.id),
        limited_by=peak.limited_by if value < figure.value else figure.limited_by,
    )
