"""Rates and their ranges as a plan shows them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pixsize import units, workflow
from pixsize.figures import Figure
from pixsize.report import markdown, text
from pixsize.report.labels import span
from pixsize.report.labels import value as value_of
from pixsize.report.overview import overview
from pixsize.report.plan_page import page
from pixsize.resources import folder
from tests.support.planned import facts


def figure(low: int, value: int, high: int, unit: Any = "B/s", figure_id: str = "x") -> Figure:
    return Figure(id=figure_id, value=value, low=low, high=high, unit=unit, basis="estimated", rule="r")


@pytest.mark.parametrize(
    ("low", "value", "high", "unit", "shown"),
    [
        (18_730_000_000, 20_500_000_000, 21_900_000_000, "B/s", "18 to 22 GB/s"),
        (30_800, 5_650_000, 7_200_000, "op/s", "30 kop/s to 7.2 Mop/s"),
        (900_000_000, 1_000_000_000, 1_234_000_000_000, "B/s", "900 MB/s to 1300 GB/s"),
        (900, 950, 1200, "op/s", "900 op/s to 1.2 kop/s"),
        (996_000, 998_000, 999_000, "op/s", "990 kop/s to 1 Mop/s"),
        (0, 3, 7, "op/s", "0 to 7 op/s"),
        (500, 1000, 1512, "1", "500 to 1,512"),
        (7, 7, 7, "op/s", ""),
        # Outwards: no end comes nearer to the value than it is.
        (8_615_000, 8_620_000, 8_625_000, "op/s", "8.6 to 8.7 Mop/s"),
        (6_975_000_000, 7_000_000_000, 7_000_000_001, "B/s", "6.9 to 7.1 GB/s"),
    ],
)
def test_ends_of_a_range_are_said_as_one_says_them(low: int, value: int, high: int, unit: str, shown: str) -> None:
    assert span(figure(low, value, high, unit)) == shown


@given(low=st.integers(0, 10**15), more=st.integers(0, 10**15), unit=st.sampled_from(["B/s", "op/s"]))
def test_a_shown_range_holds_the_exact_one(low: int, more: int, unit: str) -> None:
    shown = [
        int(units.parse(units.rough(n, unit, 2, towards).replace(",", ""), "rate" if unit == "B/s" else "operations"))
        for n, towards in ((low, "down"), (low + more, "up"))
    ]
    assert 0.9 * low <= shown[0] <= low
    assert low + more <= shown[1] <= 1.1 * (low + more)


@pytest.mark.parametrize(
    ("low", "value", "high", "unit", "shown"),
    [
        (128_810, 164_760, 210_730, "op/s", "165 kop/s"),
        (999_400, 999_600, 1_200_000, "op/s", "1 Mop/s"),
        (164_760, 164_760, 164_760, "op/s", "164.76 kop/s"),
        (999, 1234, 1300, "1", "1,234"),
    ],
)
def test_a_rate_with_a_range_has_three_digits(low: int, value: int, high: int, unit: str, shown: str) -> None:
    assert value_of(figure(low, value, high, unit)) == shown


def test_the_first_lines_have_the_ranges_of_rates_and_not_of_capacities() -> None:
    known = facts("small")
    first = dict(overview(known))
    rates = [known.figures[f"throughput.sequential.n_n.{d}.peak"] for d in ("write", "read")]
    said = (f"about {value_of(f)} {d} ({span(f)})" for f, d in zip(rates, ("write", "read"), strict=True))
    assert first["throughput"] == ", ".join(said)
    assert re.fullmatch(r"\S+ TB \(\S+ TiB\) formatted, about \S+ TB \(\S+ TiB\) usable", first["capacity"])


# Readings far below the rate


ELSEWHERE = "4 KiB files, read: from a cache? Another test: 37.3 kop/s. Use the low end."


@pytest.mark.parametrize("draw", [lambda p: text.draw(p, 500), markdown.draw])
@pytest.mark.parametrize("example", ["large+hdmd", "mix"])
@pytest.mark.parametrize("long", [False, True])
def test_a_rate_that_came_from_a_cache_is_named_once_where_the_rates_stand(example: str, draw: Any, long: bool) -> None:
    """In one line below the table, for the system measured and for one that is scaled from it."""
    lines = draw(page(facts(example), long=long)).splitlines()
    found = [n for n, line in enumerate(lines) if ELSEWHERE in line]
    assert len(found) == 1
    assert len(lines[found[0]]) <= 80
    if long:
        assert "remove, sustained" in lines[found[0] - 2]
    else:
        assert any(re.match(r"\W*read 4 KiB files .* \w+ !", line) for line in lines)


def test_only_readings_that_bound_a_rate_far_below_are_named() -> None:
    for example in ("large", "lustre-me4", "lustre-powerflex", "pixstor-5-large+hdmd"):
        assert "from a cache?" not in text.draw(page(facts(example), long=True), 500), example


def test_the_line_about_another_test_comes_from_the_record(tmp_path: Path) -> None:
    """A record of one's own with another such reading has its own line; one above a half of the value has none."""
    record = next(
        r
        for r in yaml.safe_load((folder("catalogs") / "measurements/pixstor-6-large-throughput.yaml").read_text())
        if r["id"] == "pixstor-6.large.throughput.random_4k.read.peak"
    )
    for rate, is_said in (("9.1 kop/s", True), ("9.2 kop/s", False)):
        reading = {"value": rate, "document": "dell-pixstor-6", "place": "x", "used": False, "bound": True, "why": "W."}
        mine = {**record, "id": "my.rate", "replaces": record["id"], "readings": [*record["readings"], reading]}
        (tmp_path / "mine.yaml").write_text(yaml.safe_dump([mine], sort_keys=False))
        planned = workflow.plan(workflow.Given("large+hdmd", tmp_path)).sized
        assert planned
        drawn = text.draw(page(planned), 500)
        assert (f"random 4 KiB, read: from a cache? Another test: {rate}. Use the low end." in drawn) == is_said
