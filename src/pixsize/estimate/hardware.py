"""Rack space. There is no power figure: no document gives the draw of the parts."""

from __future__ import annotations

from collections import Counter

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Enclosure, Server, Switch
from pixsize.estimate import cited
from pixsize.figures import Figure
from pixsize.findings import Finding
from pixsize.plan.records import Plan


def rack_units(plan: Plan, catalog: Catalog) -> Figure:
    """The rack units of all servers, arrays, expansions and switches of the plan."""
    models = Counter(s.model for s in plan.servers)
    models.update(e.model for a in plan.arrays for e in a.enclosures)
    models.update(s.model for s in plan.switches)
    value = sum(n * _height(m, catalog) for m, n in models.items())
    parts = ", ".join(f"{n:,} {catalog.record(m).title}" for m, n in models.items())
    return Figure(
        id="hardware.rack_units",
        value=value,
        low=value,
        high=value,
        unit="U",
        basis="specified",
        rule=f"The heights of all servers, arrays, expansions and switches of the plan added: {parts}.",
        sources=(cited.LAYOUT,),
        inputs=tuple(models),
    )


def no_power(_plan: Plan) -> Finding:
    """The note that stands where a power figure would."""
    return Finding(
        "PX407", "no power figure: no document gives what the parts draw, and the ratings of supplies are no draw"
    )


def _height(model: str, catalog: Catalog) -> int:
    record = catalog.record(model)
    if not isinstance(record, Server | Enclosure | Switch):
        raise KeyError(f"{model} has no height")
    return record.rack_units
