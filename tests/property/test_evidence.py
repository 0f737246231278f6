"""Whatever readings a site adds, however far apart: every plan has figures, and none of them falls below nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.catalog.catalog import Catalog
from pixsize.estimate import estimate
from pixsize.figures import Figure
from pixsize.load import load_catalog
from tests.property.running import make
from tests.property.strategies import requests

FIGURES = {
    "throughput.sequential.n_n.write.peak": ("B/s", "GB/s"),
    "throughput.sequential.n_1.read.sustained": ("B/s", "GB/s"),
    "throughput.random_4k.read.peak": ("op/s", "kop/s"),
    "metadata.empty.create.peak": ("op/s", "kop/s"),
    "metadata.4k.read.sustained": ("op/s", "kop/s"),
}


@lru_cache(maxsize=1)
def shipped() -> Catalog:
    return load_catalog()[0]


@st.composite
def measurements(draw: st.DrawFn) -> dict[str, Any]:
    """A benchmark of storage modules of one size with two readings, up to a factor of 200 apart."""
    figure, (unit, written) = draw(st.sampled_from(sorted(FIGURES.items())))
    tenths = draw(st.lists(st.integers(5, 1000), min_size=2, max_size=2))
    module = {
        "size": draw(st.sampled_from(["small", "medium", "large"])),
        "count": draw(st.integers(1, 9)),
        "data_drive": "nl-sas-12tb",
    }
    return {
        "kind": "measurement",
        "id": "site.drawn",
        "title": "a benchmark",
        "sources": [{"document": "pixsize", "place": "a test"}],
        "figure": figure,
        "unit": unit,
        "system": {
            "design": "pixstor-6",
            "storage_modules": [module],
            "hdmd": {"arrays": 1, "drive": "ssd-960gb"},
            "block_size": "8 MiB",
        },
        "readings": [
            {"value": f"{t / 10} {written}", "document": "pixsize", "place": str(n), "used": n == 0}
            for n, t in enumerate(tenths)
        ],
        "conditions": {"tool": "none"},
    }


def figures_with(plan_words: dict[str, Any], record: dict[str, Any]) -> dict[str, Figure]:
    catalog = Catalog(shipped().raw | {record["id"]: record}, overlaid=frozenset([record["id"]]))
    return estimate(make(plan_words).plan, catalog)[0]


@settings(max_examples=60, deadline=None)
@given(requests(), measurements())
def test_readings_far_apart_leave_every_low_above_nothing(words: dict[str, Any], record: dict[str, Any]) -> None:
    figures = figures_with(words, record)
    assert record["figure"].startswith("metadata.") or record["figure"] in figures
    for figure in figures.values():
        assert 0 <= figure.low <= figure.value <= figure.high
