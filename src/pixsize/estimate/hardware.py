"""Rack space, and the power draw where somebody measured it: no document gives the draw of the parts."""

from __future__ import annotations

from collections import Counter

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Racked
from pixsize.estimate import ids
from pixsize.estimate.evidence import Evidence
from pixsize.estimate.measured import merged
from pixsize.estimate.system import System
from pixsize.estimate.throughput import measured_figure
from pixsize.estimate.words import Words
from pixsize.figures import Figure, weakest
from pixsize.findings import Finding
from pixsize.plan.records import Plan


def rack_units(plan: Plan, words: Words, catalog: Catalog) -> Figure:
    """The rack units of all servers, arrays, expansions and switches of the plan."""
    models = Counter(s.model for s in plan.servers)
    models.update(e.model for a in plan.arrays for e in a.enclosures)
    models.update(s.model for s in plan.switches)
    value = sum(n * _racked(m, catalog).rack_units for m, n in models.items())
    parts = ", ".join(f"{n:,} {catalog.record(m).title}" for m, n in models.items())
    return Figure(
        id=ids.RACK_UNITS,
        value=value,
        low=value,
        high=value,
        unit="U",
        basis=weakest(_racked(m, catalog).rack_units_basis for m in models),
        rule=f"The heights of all servers, arrays, expansions and switches of the plan added: {parts}.",
        sources=(words.layout,),
        inputs=tuple(models),
    )


def power(system: System, evidence: Evidence) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The power draw where it was measured on this very hardware, otherwise a note that stands where it would."""
    measured = merged([m for m in evidence.of(ids.POWER) if system.is_whole_of(m)])
    if measured:
        return (measured_figure(measured, "W", None),), ()
    text = "no power figure: no document gives what the parts draw, and the ratings of supplies are no draw"
    return (), (Finding("PX407", text),)


def _racked(model: str, catalog: Catalog) -> Racked:
    return catalog.get(Racked, model)
