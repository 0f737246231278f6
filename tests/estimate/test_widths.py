"""How wide ranges are: what a measured one holds, and how narrow a quote is near to what was measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Measurement
from pixsize.estimate.evidence import number_of
from pixsize.estimate.ids import DIRECTIONS, DURATIONS, MEASURABLE, PATTERNS, RANDOM, SEQUENTIAL
from pixsize.figures import Figure
from tests.support.estimating import Estimated, shipped
from tests.support.with_threads import estimated, lustre_in_a_pool, lustre_on_arrays

SEQUENTIALS = tuple(f"{SEQUENTIAL}{p}.{d}.{t}" for p in PATTERNS for d in DIRECTIONS for t in DURATIONS)
ROUNDED = 1e-6


@cache
def measured_systems() -> tuple[Estimated, ...]:
    """Every system that was measured, as a plan."""
    return (
        estimated([{"size": "large"}]),
        estimated([{"size": "large", "expansion": True}]),
        estimated([{"size": "large"}], design="pixstor-5"),
        lustre_on_arrays(),
        lustre_on_arrays(dne=False),
        lustre_in_a_pool(),
    )


def measured() -> Iterator[tuple[Figure, Measurement]]:
    """Every figure that is measured, with each record of its own that it rests on."""
    for found in measured_systems():
        for figure in found.figures.values():
            records = (shipped().record(i) for i in figure.inputs if i in shipped())
            own = [r for r in records if isinstance(r, Measurement) and r.figure == figure.id]
            yield from ((figure, r) for r in own if figure.basis == "measured")


def test_a_measured_range_holds_every_reading_that_counts() -> None:
    """Whatever is widened, capped and rounded: each printed number that is no misprint lies inside."""
    missed = []
    for figure, record in measured():
        for reading in (r for r in record.readings if r.counts):
            number = float(number_of(reading, record))
            if not figure.low * (1 - ROUNDED) <= number <= figure.high * (1 + ROUNDED):
                missed.append((figure.id, reading.value, figure.low, figure.high))
    assert not missed


def test_each_doubling_of_the_block_is_a_step() -> None:
    """8 MiB were measured: the further away the block, the wider the range of reads, whose arrays never read before."""
    figure = "throughput.sequential.n_n.read.sustained"
    widths = []
    for size in ("8 MiB", "16 MiB", "4 MiB", "1 MiB", "64 KiB"):
        found = estimated([{"size": "large", "data_drive": "16 TB"}], block_size=size).figures[figure]
        widths.append(found.high / found.low)
    assert widths[1] == pytest.approx(widths[2], rel=1e-6)
    assert widths[0] < widths[1] < widths[3] < widths[4]


def test_every_measurement_of_a_figure_is_of_such_a_system() -> None:
    seen = {record.id for _, record in measured()}
    known = {m.id for m in shipped().all(Measurement) if m.system and m.figure in MEASURABLE}
    assert known - seen == set()


def width(figure: Figure) -> float:
    return figure.high / figure.low


@pytest.mark.parametrize("figure", SEQUENTIALS)
def test_a_sequential_quote_one_step_away_is_narrow(figure: str) -> None:
    """Inside one generation: other drives, the other variant, or expansions of the generation before."""
    for found in (
        estimated([{"size": "large", "data_drive": "16 TB"}]),
        estimated([{"size": "large"}], None),
        estimated([{"size": "large", "count": 2}]),
        estimated([{"size": "large", "data_drive": "16 TB"}], design="pixstor-5"),
        estimated([{"size": "large", "expansion": True}], design="pixstor-5"),
    ):
        assert width(found.figures[figure]) <= 1.4, found.plan.design


@pytest.mark.parametrize("pattern", PATTERNS)
def test_how_far_lustre_on_arrays_is_from_narrow(pattern: str) -> None:
    """The widths that docs/explanation/how-each-number-is-made.md gives for it, and why they are no narrower."""
    most = {"n_n": (1.24, 1.33, 1.45), "n_1": (1.72, 1.67, 1.81)}[pattern]
    systems = ({"size": "large"}, {"size": "large", "data_drive": "12 TB"}, {"size": "small"})
    for modules, wide in zip(systems, most, strict=True):
        figures = lustre_on_arrays([modules]).figures
        found = [figures[i] for i in SEQUENTIALS if f".{pattern}." in i]
        assert all(("doubt" if pattern == "n_n" else "filesystem") in f.steps for f in found)
        assert max(map(width, found)) == pytest.approx(wide, abs=0.01)


def test_typical_quotes() -> None:
    """Several steps away ranges grow with the root of their number: drives and number, or number alone."""
    four = estimated([{"size": "large", "count": 4, "data_drive": "16 TB"}]).figures
    assert max(width(four[i]) for i in SEQUENTIALS) < 1.5
    assert max(width(f) for i, f in four.items() if i.startswith(RANDOM)) < 3
    twenty = estimated([{"size": "large", "count": 20}]).figures
    assert max(width(twenty[f"metadata.4k.create.{t}"]) for t in DURATIONS) < 6
    small = estimated([{"size": "small"}]).figures
    assert max(width(small[i]) for i in SEQUENTIALS) < 1.6


def without(catalog: Catalog, *beginnings: str) -> Catalog:
    """The catalog without the measurements whose ids begin so."""
    return Catalog(
        {i: words for i, words in catalog.raw.items() if words["kind"] != "measurement" or not i.startswith(beginnings)}
    )


@pytest.mark.parametrize("figure", SEQUENTIALS)
def test_a_sequential_quote_one_generation_away_is_narrow(figure: str) -> None:
    """PixStor 6 as if it were new: from PixStor 5 on the same arrays alone."""
    catalog = without(shipped(), "pixstor-6.", "lustre-me4.")
    found = estimated([{"size": "large"}], catalog=catalog).figures[figure]
    assert "generation" in found.steps
    assert width(found) <= 1.6


@pytest.mark.parametrize("figure", ["throughput.random_4k.write.peak", "throughput.random_4k.read.sustained"])
def test_the_rule_of_several_modules_tells_the_range_of_them_all(figure: str) -> None:
    found = estimated([{"size": "large", "count": 4, "data_drive": "16 TB"}]).figures[figure]
    down, up = found.value / found.low, found.high / found.value
    told = re.search(r"with the range of each module, a factor of ([\d.]+) up or down for them all", found.rule)
    assert told, found.rule
    assert float(told[1]) == pytest.approx(down, abs=0.006)
    assert float(told[1]) == pytest.approx(up, abs=0.006)


def test_the_rule_tells_how_far_readings_differ_and_which_of_them_bounds_the_rate() -> None:
    wide = lustre_in_a_pool(8).figures["metadata.4k.create.peak"].rule
    assert "The readings of the measurement lie between 162 kop/s and 218 kop/s." in wide
    assert "The high end comes from 218 kop/s. The peak for this size lies at" in wide
    expanded = estimated([{"size": "large", "expansion": True}]).figures["metadata.empty.read.peak"].rule
    assert "The readings of the measurement lie between 2.42 Mop/s and 2.73 Mop/s." in expanded
    alike = estimated([{"size": "large", "count": 2}]).figures["throughput.sequential.n_n.write.peak"].rule
    assert "readings" not in alike
