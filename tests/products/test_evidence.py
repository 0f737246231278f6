"""Whatever readings a site adds, however far apart: every plan has figures, and none of them falls below nothing."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ModuleSize
from pixsize.catalog.measurements import Measurement
from pixsize.estimate.make import estimate
from tests.products.drawing import at, examples, paths, put, requests
from tests.support.running import catalog, make

pytestmark = pytest.mark.long

FIGURES = {
    "throughput.sequential.n_n.write.peak": ("B/s", "GB/s"),
    "throughput.sequential.n_1.read.sustained": ("B/s", "GB/s"),
    "throughput.random_4k.read.peak": ("op/s", "kop/s"),
    "metadata.empty.create.peak": ("op/s", "kop/s"),
    "metadata.4k.read.sustained": ("op/s", "kop/s"),
}
RECORDS = [catalog().raw[record.id] for record in catalog().all(Measurement)]
SYSTEMS = {
    design: [r["system"] for r in RECORDS if r.get("system", {}).get("design") == design] for design in examples()
}
"""The systems of each design that the shipped documents measured."""


@st.composite
def measurements(draw: st.DrawFn, design: str) -> dict[str, Any]:
    """A benchmark of a system of a design with two readings, up to a factor of 200 apart."""
    figure, (unit, written) = draw(st.sampled_from(sorted(FIGURES.items())))
    tenths = draw(st.lists(st.integers(5, 1000), min_size=2, max_size=2))
    return {
        "kind": "measurement",
        "id": "site.drawn",
        "title": "a benchmark",
        "sources": [{"document": "pixsize", "place": "a test"}],
        "figure": figure,
        "unit": unit,
        "system": draw(systems(design)),
        "readings": [
            {"value": f"{t / 10} {written}", "document": "pixsize", "place": str(n), "used": n == 0}
            for n, t in enumerate(tenths)
        ],
        "conditions": {"tool": "none"},
    }


@st.composite
def systems(draw: st.DrawFn, design: str) -> dict[str, Any]:
    """A system that somebody measured, with other numbers of its parts, and other sizes of modules."""
    words = copy.deepcopy(draw(st.sampled_from(SYSTEMS[design])))
    sizes = [size.size for size in catalog().of_design(ModuleSize, design)]
    for path in list(paths(words)):
        value = at(words, path)
        if isinstance(value, int) and not isinstance(value, bool):
            words = put(words, path, draw(st.integers(1, 9)))
        elif value in sizes:
            words = put(words, path, draw(st.sampled_from(sizes)))
    return words


@pytest.mark.parametrize("design", [design for design, measured in SYSTEMS.items() if measured])
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_readings_far_apart_leave_every_low_above_nothing(design: str, data: st.DataObject) -> None:
    made, record = make(data.draw(requests(design))), data.draw(measurements(design))
    assume(made.figures)
    further = Catalog(catalog().raw | {record["id"]: record}, overlaid=frozenset([record["id"]]))
    figures = estimate(made.plan, further)[0]
    assert record["figure"].startswith("metadata.") or record["figure"] in figures
    for figure in figures.values():
        assert 0 <= figure.low <= figure.value <= figure.high
