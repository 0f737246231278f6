"""Whatever readings a site adds, however far apart: every plan has figures, and none of them falls below nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.catalog.catalog import Catalog
from pixsize.estimate.make import estimate
from pixsize.figures import Figure
from pixsize.load import load_catalog
from tests.property.lustre_strategies import on_arrays, on_pool
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


def systems(design: str) -> st.SearchStrategy[dict[str, Any]]:
    """Systems of a design that somebody may have measured."""
    sizes, counts = st.sampled_from(["small", "medium", "large"]), st.integers(1, 9)
    module = st.fixed_dictionaries({"size": sizes, "count": counts, "data_drive": st.just("nl-sas-12tb")})
    lustre = {"design": st.just(design), "lustre_version": st.sampled_from(["2.10.8", "2.15.8"])}
    pairs = st.fixed_dictionaries(
        {"dne": st.booleans(), "drive": st.just("ssd-960gb")}, optional={"pairs": st.integers(1, 3)}
    )
    words: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "pixstor-6": {
            "design": st.just(design),
            "storage_modules": module.map(lambda m: [m]),
            "hdmd": st.just({"arrays": 1, "drive": "ssd-960gb"}),
            "block_size": st.just("8 MiB"),
        },
        "lustre-me4": lustre | {"storage_modules": module.map(lambda m: [m]), "metadata": pairs},
        "lustre-powerflex": lustre
        | {
            "servers": st.integers(3, 20),
            "drive": st.just("nvme-2tb"),
            "metadata": st.fixed_dictionaries({"dne": st.booleans()}),
        },
    }
    return st.fixed_dictionaries(words[design])


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


def figures_with(plan_words: dict[str, Any], record: dict[str, Any]) -> dict[str, Figure]:
    catalog = Catalog(shipped().raw | {record["id"]: record}, overlaid=frozenset([record["id"]]))
    return estimate(make(plan_words).plan, catalog)[0]


def every_low_is_above_nothing(words: dict[str, Any], record: dict[str, Any]) -> None:
    figures = figures_with(words, record)
    assert record["figure"].startswith("metadata.") or record["figure"] in figures
    for figure in figures.values():
        assert 0 <= figure.low <= figure.value <= figure.high


@settings(max_examples=60, deadline=None)
@given(requests(), measurements("pixstor-6"))
def test_readings_far_apart_leave_every_low_above_nothing(words: dict[str, Any], record: dict[str, Any]) -> None:
    every_low_is_above_nothing(words, record)


@settings(max_examples=40, deadline=None)
@given(
    st.one_of(
        st.tuples(on_arrays(), measurements("lustre-me4")), st.tuples(on_pool(), measurements("lustre-powerflex"))
    )
)
def test_readings_of_a_lustre_far_apart_leave_every_low_above_nothing(
    drawn: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    every_low_is_above_nothing(*drawn)
