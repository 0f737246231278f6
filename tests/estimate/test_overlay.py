"""Evidence that a site adds, and evidence that is missing: records laid over the catalog change the estimates."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.estimate.ids import is_by_threads
from tests.support.estimating import ONE_ME4024, estimated, overlaid, shipped

FIGURE = "throughput.sequential.n_n.write.peak"
SPREAD = Fraction(238, 217) - 1


def measurement(rate: str, modules: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "kind": "measurement",
        "id": f"site.{FIGURE}",
        "title": "Our own benchmark",
        "sources": [{"document": "pixsize", "place": "our benchmark report"}],
        "figure": FIGURE,
        "unit": "B/s",
        "system": {
            "design": "pixstor-6",
            "storage_modules": modules,
            "hdmd": {"arrays": 1, "drive": "ssd-960gb"},
            "block_size": "8 MiB",
        },
        "readings": [{"value": rate, "document": "pixsize", "place": "our benchmark report"}],
        "conditions": {"tool": "IOzone"},
    } | more


SMALL = [{"size": "small", "data_drive": "nl-sas-12tb"}]


def test_a_measured_small_makes_its_plan_measured(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement("5.2 GB/s", SMALL))
    figures = estimated([{"size": "small"}], catalog=catalog).figures
    assert (figures[FIGURE].value, figures[FIGURE].basis) == (5_200_000_000, "measured")
    assert (figures[FIGURE].low, figures[FIGURE].high) == (5_150_000_000, 5_250_000_000)
    assert figures[FIGURE].inputs == (f"site.{FIGURE}",)
    assert figures["throughput.sequential.n_n.read.peak"].basis == "extrapolated"


def test_it_is_the_rate_of_each_module_of_the_kind(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement("5.2 GB/s", SMALL))
    assert estimated([{"size": "small", "count": 3}], catalog=catalog).value(FIGURE) == 15_600_000_000
    other = estimated([{"size": "small", "data_drive": "8 TB"}], catalog=catalog).figures[FIGURE]
    assert (other.value, other.basis) == (5_200_000_000, "extrapolated")


def test_the_number_of_metadata_arrays_does_not_matter_to_data(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement("5.2 GB/s", SMALL))
    four = estimated([{"size": "small"}], {"arrays": 4, "drive": "960 GB"}, catalog=catalog)
    assert four.figures[FIGURE].basis == "measured"
    assert estimated([{"size": "small"}], None, catalog=catalog).figures[FIGURE].basis == "extrapolated"


def test_several_modules_measured_together(tmp_path: Path) -> None:
    """Two Small at 9 GB/s: their plan is measured, and one of them is taken for half."""
    catalog = overlaid(tmp_path, measurement("9 GB/s", [SMALL[0] | {"count": 2}]))
    two = estimated([{"size": "small", "count": 2}], catalog=catalog).figures[FIGURE]
    assert (two.value, two.basis) == (9_000_000_000, "measured")
    mixed = measurement("25 GB/s", [{"size": "large", "data_drive": "nl-sas-12tb"}, SMALL[0]])
    (tmp_path / "mix").mkdir()
    catalog = overlaid(tmp_path / "mix", mixed)
    both = estimated([{"size": "large"}, {"size": "small"}], catalog=catalog).figures[FIGURE]
    assert (both.value, both.basis) == (25_000_000_000, "measured")


def test_of_two_measurements_of_one_system_the_lower_counts(tmp_path: Path) -> None:
    again = measurement("19 GB/s", [{"size": "large", "data_drive": "nl-sas-12tb"}])
    figure = estimated([{"size": "large"}], catalog=overlaid(tmp_path, again)).figures[FIGURE]
    assert (figure.value, figure.low, figure.high) == (19_000_000_000, 18_500_000_000, 20_550_000_000)
    assert [r.used for r in figure.readings] == [False, True] or [r.used for r in figure.readings] == [True, False]
    assert len(figure.inputs) == 2


def test_a_measurement_for_width_is_not_scaled_from(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement("5.2 GB/s", SMALL, trust="width"))
    assert estimated([{"size": "small"}], catalog=catalog).figures[FIGURE].basis == "extrapolated"


def test_readings_further_apart_widen_every_extrapolation(tmp_path: Path) -> None:
    """20 and 10 GB/s: a factor of two either way of 20.45/4 and 5.5 GB/s, where it was one of 23.8/21.7."""
    readings = [
        {"value": "20 GB/s", "document": "pixsize", "place": "first run"},
        {"value": "10 GB/s", "document": "pixsize", "place": "second run", "used": False},
    ]
    record = measurement("", [{"size": "large", "data_drive": "nl-sas-8tb"}], readings=readings)
    wide = estimated([{"size": "small"}], catalog=overlaid(tmp_path, record)).figures[FIGURE]
    assert (wide.low, wide.high) == (2_556_250_000, 11_000_000_000)
    assert "widened by a factor of 2," in wide.rule


RANDOM_READ = "throughput.random_4k.read.peak"


def cold_and_warm(used: str, other: str) -> dict[str, Any]:
    readings = [
        {"value": used, "document": "pixsize", "place": "cold"},
        {"value": other, "document": "pixsize", "place": "warm", "used": False},
    ]
    return measurement("", SMALL, figure=RANDOM_READ, unit="op/s", readings=readings)


@pytest.mark.parametrize(("used", "other"), [("5.0 kop/s", "16.0 kop/s"), ("16.0 kop/s", "5.0 kop/s")])
@pytest.mark.parametrize("hdmd", [None, ONE_ME4024])
@pytest.mark.parametrize("modules", [[{"size": "small"}], [{"size": "large", "count": 9}, {"size": "medium"}]])
def test_readings_a_factor_of_three_apart_leave_every_low_above_nothing(
    tmp_path: Path, modules: list[dict[str, Any]], hdmd: dict[str, Any] | None, used: str, other: str
) -> None:
    figures = estimated(modules, hdmd, catalog=overlaid(tmp_path, cold_and_warm(used, other))).figures
    rates = [f for f in figures.values() if f.id.startswith("throughput.")]
    assert len([f for f in rates if not is_by_threads(f.id)]) == 12
    assert all(0 < f.low <= f.value for f in rates)


def test_a_factor_of_three_either_way_by_hand(tmp_path: Path) -> None:
    """A standard Small from the one measured with HDMD: one step of 16/5 from 4.95 and 16.05 kop/s."""
    figure = estimated([{"size": "small"}], None, catalog=overlaid(tmp_path, cold_and_warm("5.0 kop/s", "16.0 kop/s")))
    read = figure.figures[RANDOM_READ]
    assert (read.low, read.value, read.high) == (4_950 * 5 // 16, 5_000, 16_050 * 16 // 5)


EIGHT = [SMALL[0] | {"count": 8}]


def test_a_share_of_several_modules_is_told_as_one_and_is_a_step_away(tmp_path: Path) -> None:
    """41.6 GB/s of eight (41.55 to 41.65) are 5.2 each, at the most 5.5 by the specification; both a step wider."""
    catalog = overlaid(tmp_path, measurement("41.6 GB/s", EIGHT))
    one = estimated([{"size": "small"}], catalog=catalog).figures[FIGURE]
    assert (one.value, one.basis) == (5_200_000_000, "extrapolated")
    assert one.low == floor(Fraction(41_550_000_000, 8) / (1 + SPREAD))
    assert one.high == ceil(Fraction(5_500_000_000) * (1 + SPREAD))
    assert one.rule.startswith("Nearest evidence: 8 x Small together were measured at 41.6 GB/s, 5.2 GB/s for each.")
    assert "(other: number of modules)" in one.rule
    medium = estimated([{"size": "medium"}], catalog=catalog).figures[FIGURE]
    assert "the linear share of the measured 8 x Small (10.4 GB/s)" in medium.rule
    assert "(other: size, number of modules)" in medium.rule
    eight = estimated([{"size": "small", "count": 8}], catalog=catalog).figures[FIGURE]
    assert (eight.value, eight.basis) == (41_600_000_000, "measured")


def test_a_share_of_several_modules_in_random_operations(tmp_path: Path) -> None:
    """16 kop/s of eight are 2 each; 15.5 to 16.5 by its digits, a step of 34.2/27.4 wider."""
    record = measurement("16 kop/s", EIGHT, figure=RANDOM_READ, unit="op/s")
    one = estimated([{"size": "small"}], catalog=overlaid(tmp_path, record)).figures[RANDOM_READ]
    assert (one.value, one.basis) == (2_000, "extrapolated")
    assert one.low == floor(Fraction(15_500, 8) * Fraction(274, 342))
    assert one.high == ceil(Fraction(16_500, 8) * Fraction(342, 274))
    assert one.rule.startswith("Nearest evidence: 8 x Small together were measured at 16 kop/s, 2 kop/s for each.")


def test_eight_of_other_drives_keep_the_share_of_eight(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement("41.6 GB/s", EIGHT))
    figure = estimated([{"size": "small", "count": 8, "data_drive": "8 TB"}], catalog=catalog).figures[FIGURE]
    assert "(other: drives)" in figure.rule
    assert "one share is 5.2 GB/s" in figure.rule


def test_a_reading_that_does_not_count_widens_nothing(tmp_path: Path) -> None:
    readings = [
        {"value": "5.2 GB/s", "document": "pixsize", "place": "run"},
        {"value": "52 GB/s", "document": "pixsize", "place": "misprint", "used": False, "counts": False},
    ]
    catalog = overlaid(tmp_path, measurement("", SMALL, readings=readings))
    figure = estimated([{"size": "small"}], catalog=catalog).figures[FIGURE]
    assert figure.high == 5_250_000_000
    assert [r.text for r in figure.readings] == ["5.2 GB/s", "52 GB/s"]


def slower(record_id: str, **words: Any) -> Catalog:
    raw = dict(shipped().raw)
    raw[record_id] = raw[record_id] | words
    return Catalog(raw)


@pytest.mark.parametrize(
    ("record", "words", "name", "rate"),
    [
        # Two servers with two cards each of one port with four lanes of 2 Gb/s: 2 x 2 x 1 GB/s.
        ("connectx-6-hdr", {"lane_rate": "2 Gb/s"}, "network adapters", 4_000_000_000),
        # Four cables to one array of four lanes of 0.2 GB/s.
        ("hba355e", {"lane_rate": "0.2 GB/s"}, "SAS lanes", 3_200_000_000),
        # Two servers with two cards of eight lanes of 0.1 GB/s.
        ("hba355e", {"pcie_lane_rate": "0.1 GB/s"}, "SAS adapters", 3_200_000_000),
        # Two servers with two cards of one port of four lanes of 0.2 GB/s, for four cables.
        ("hba355e", {"ports": 1, "lane_rate": "0.2 GB/s"}, "SAS lanes", 3_200_000_000),
        # Two servers with two cards in a slot of sixteen lanes of 0.05 GB/s.
        ("connectx-6-hdr", {"pcie_lane_rate": "0.05 GB/s"}, "network adapters", 3_200_000_000),
    ],
)
def test_every_link_of_the_chain_can_be_the_limit(record: str, words: dict[str, Any], name: str, rate: int) -> None:
    figure = estimated([{"size": "small"}], catalog=slower(record, **words)).figures[FIGURE]
    assert (figure.value, figure.high, figure.limited_by) == (rate, rate, name)
    # Nobody measured that a link reaches its line rate: low stays below it by the spread, 23.8/21.7 - 1.
    assert figure.low == floor(rate / (1 + SPREAD))
    assert record in figure.inputs


def test_a_link_that_is_a_range_caps_with_its_range() -> None:
    """Two servers of 10 GB/s: a quarter of it for clients, an eighth to a half by the constant. High stays as it was."""
    before = estimated([{"size": "small"}]).figures[FIGURE]
    figure = estimated([{"size": "small"}], catalog=slower("r750", memory_rate="10 GB/s")).figures[FIGURE]
    assert (figure.low, figure.value, figure.high) == (2_500_000_000, 5_000_000_000, before.high)
    assert (figure.limited_by, figure.basis) == ("server memory", "estimated")
    narrow = estimated([{"size": "small"}], catalog=slower("r750", memory_rate="5 GB/s")).figures[FIGURE]
    assert (narrow.low, narrow.value, narrow.high) == (1_250_000_000, 2_500_000_000, 5_000_000_000)


def test_a_measurement_that_a_link_cannot_carry_does_not_hold() -> None:
    """A Large wrote 20.5 GB/s; two servers with two cards of four lanes of 5 Gb/s carry 10."""
    figure = estimated([{"size": "large"}], catalog=slower("connectx-6-hdr", lane_rate="5 Gb/s")).figures[FIGURE]
    assert (figure.value, figure.basis, figure.limited_by) == (10_000_000_000, "extrapolated", "network adapters")
    assert "network adapters carry no more than 10 GB/s" in figure.rule


def test_no_more_cables_than_ports() -> None:
    """A Large needs eight cables a server; two cards of one port of four lanes of 0.5 GB/s: 2 x 2 x 2 GB/s."""
    one_port = slower("hba355e", ports=1, lane_rate="0.5 GB/s")
    figure = estimated([{"size": "large"}], None, catalog=one_port).figures[FIGURE]
    assert (figure.value, figure.limited_by) == (8_000_000_000, "SAS lanes")


def test_a_figure_that_a_guess_caps_is_estimated() -> None:
    """Server memory rests on the judged share of it that serves clients; where it does not bind, nothing rests on it."""
    slow = estimated([{"size": "small"}], catalog=slower("r750", memory_rate="10 GB/s")).figures[FIGURE]
    assert (slow.basis, "server.memory_share" in slow.inputs) == ("estimated", True)
    fast = estimated([{"size": "small"}]).figures[FIGURE]
    assert (fast.basis, "server.memory_share" in fast.inputs) == ("extrapolated", False)


def test_without_repeated_readings_the_judged_spread_holds() -> None:
    """One reading each: the floor of 5 % on 20.45/4 and 5.5 GB/s, and an estimate, since the floor is a judgement."""
    raw = {i: dict(r) for i, r in shipped().raw.items()}
    for record in raw.values():
        if record["kind"] == "measurement":
            record["readings"] = [r for r in record["readings"] if r.get("used", True)]
    figure = estimated([{"size": "small"}], catalog=Catalog(raw)).figures[FIGURE]
    assert (figure.low, figure.high) == (floor(Fraction(5_112_500_000) / Fraction(21, 20)), 5_775_000_000)
    assert figure.basis == "estimated"
    assert "throughput.spread_min" in figure.inputs


def test_no_evidence_is_a_finding_and_no_number() -> None:
    raw = {i: r for i, r in shipped().raw.items() if not (r["kind"] == "measurement" and "large+expansion" in i)}
    found = estimated([{"size": "small", "expansion": True}], catalog=Catalog(raw))
    assert not [i for i in found.figures if i.startswith("throughput.")]
    assert found.codes().count("PX411") == 1
    assert "capacity.usable" in found.figures


def test_no_metadata_measurement_is_a_finding_and_no_number() -> None:
    raw = {i: r for i, r in shipped().raw.items() if not (r["kind"] == "measurement" and ".metadata." in i)}
    found = estimated([{"size": "large"}], ONE_ME4024, catalog=Catalog(raw))
    assert not [i for i in found.figures if i.startswith("metadata.")]
    assert "PX411" in found.codes()
