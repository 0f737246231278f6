"""Evidence that a site adds, and evidence that is missing: records laid over the catalog change the estimates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.estimate.ids import is_by_threads
from pixsize.figures import Figure
from tests.support.by_hand import N_N, RANDOM, check, exactly, root, times
from tests.support.estimating import ONE_ME4024, estimated, overlaid, shipped

FIGURE = "throughput.sequential.n_n.write.peak"
AGAIN = N_N["again"]
SIZE, DRIVES, NETWORK = (
    shipped().get(Constant, i) for i in ("arrays.size_weight", "arrays.drives_weight", "network.share")
)
"""How far another size, or more drives, come up to what the controllers carry, and what of the line rate is reached."""
SPECIFIED = 5_500_000_000
"""The write rate of an ME4084: a quarter of 22 GB/s."""


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


def at_least(figures: dict[str, Figure], low: float) -> Any:
    """The low end of the peak: not below that of a sustained rate with evidence of its own, whose value is lower."""
    sustained = figures[FIGURE.replace("peak", "sustained")]
    assert sustained.value < figures[FIGURE].value
    return exactly(max(low, sustained.low))


SMALL = [{"size": "small", "data_drive": "nl-sas-12tb"}]


def test_a_measured_small_makes_its_plan_measured(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement("5.2 GB/s", SMALL))
    figures = estimated([{"size": "small"}], catalog=catalog).figures
    check(figures[FIGURE], 5_200_000_000, [AGAIN])
    assert (figures[FIGURE].basis, figures[FIGURE].steps) == ("measured", ("again",))
    assert figures[FIGURE].inputs == (f"site.{FIGURE}", "spread.sequential.n_n")
    assert figures["throughput.sequential.n_n.read.peak"].basis == "estimated"


def test_a_measured_medium_is_evidence_of_mediums_and_its_range_of_their_own_steps(tmp_path: Path) -> None:
    """11 GB/s of two arrays: measured; with other drives a step, four of them two doublings; a Large as before."""
    catalog = overlaid(tmp_path, measurement("11 GB/s", [{"size": "medium", "data_drive": "nl-sas-12tb"}]))
    one = estimated([{"size": "medium"}], catalog=catalog).figures[FIGURE]
    check(one, 11_000_000_000, [AGAIN], most=2 * SPECIFIED * AGAIN)
    assert (one.basis, one.inputs) == ("measured", (f"site.{FIGURE}", "spread.sequential.n_n"))
    other = estimated([{"size": "medium", "data_drive": "16 TB"}], catalog=catalog).figures[FIGURE]
    check(other, 11_000_000_000, [AGAIN, N_N["drive"]], most=2 * SPECIFIED * AGAIN)
    assert (other.basis, other.steps) == ("extrapolated", ("again", "drive"))
    four = estimated([{"size": "medium", "count": 4}], catalog=catalog).figures[FIGURE]
    assert (four.value, four.steps) == (44_000_000_000, ("again", "count"))
    assert f"site.{FIGURE}" in four.inputs
    large = [estimated([{"size": "large"}], catalog=c).figures[FIGURE] for c in (shipped(), catalog)]
    assert large[0] == large[1]


def test_a_measurement_of_another_generation_is_a_step_away(tmp_path: Path) -> None:
    """A Medium of PixStor 5 at 9 GB/s: that of PixStor 6 has the same value, a repetition and a generation wide."""
    record = measurement("9 GB/s", [{"size": "medium", "data_drive": "nl-sas-12tb"}])
    record["system"] |= {"design": "pixstor-5"}
    catalog = overlaid(tmp_path, record)
    figures = estimated([{"size": "medium"}], catalog=catalog).figures
    figure = figures[FIGURE]
    bounds = root(AGAIN, N_N["generation"])
    found = (figure.low, figure.value, figure.high)
    assert found == (exactly(9e9 / bounds), 9_000_000_000, exactly(9e9 * bounds))
    assert (figure.basis, figure.steps) == ("extrapolated", ("again", "generation"))
    assert f"site.{FIGURE}" in figure.inputs
    assert "servers, adapters and network of" in figure.rule
    own = estimated([{"size": "medium"}], catalog=catalog, design="pixstor-5").figures[FIGURE]
    assert (own.value, own.basis) == (9_000_000_000, "measured")


def test_a_spread_of_the_overlay_is_that_of_its_family(tmp_path: Path) -> None:
    """A site that has measured often writes its own spread: a repetition of 1.02, drives of 1.5."""
    ratios = dict(shipped().raw["spread.sequential.n_n"]["ratios"]) | {"again": "1.02", "drive": "1.5"}
    record = dict(shipped().raw["spread.sequential.n_n"])
    record |= {"id": "site.spread", "replaces": "spread.sequential.n_n", "ratios": ratios, "title": "Ours"}
    catalog = overlaid(tmp_path, record)
    large = estimated([{"size": "large"}], catalog=catalog).figures
    check(large[FIGURE], 20_500_000_000, [1.02])
    assert large[FIGURE].inputs[-1] == "site.spread"
    other = estimated([{"size": "large", "data_drive": "16 TB"}], catalog=catalog).figures[FIGURE]
    check(other, 20_500_000_000, [1.02, 1.5], most=4 * SPECIFIED * 1.02)
    same = "throughput.sequential.n_1.write.peak"
    assert large[same] == estimated([{"size": "large"}]).figures[same]


def test_a_family_that_had_no_spread_of_its_own(tmp_path: Path) -> None:
    """Reads of 4 KiB have that of all peaks; a record of the narrower family goes first where a site adds one."""
    figure = "metadata.4k.read.peak"
    shipped_figure = estimated([{"size": "large"}]).figures[figure]
    assert "spread.metadata.peak" in shipped_figure.inputs
    record = dict(shipped().raw["spread.metadata.peak"]) | {"id": "spread.metadata.4k.read.peak"}
    assert record["id"] not in shipped()
    found = estimated([{"size": "large"}], catalog=overlaid(tmp_path, record)).figures
    assert record["id"] in found[figure].inputs
    assert (found[figure].low, found[figure].high) == (shipped_figure.low, shipped_figure.high)


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
    """19 GB/s, where Dell has 20.5: a repetition below the one and above the other."""
    again = measurement("19 GB/s", [{"size": "large", "data_drive": "nl-sas-12tb"}])
    figures = estimated([{"size": "large"}], catalog=overlaid(tmp_path, again)).figures
    figure, high = figures[FIGURE], 19e9 * root(20.5 / 19, AGAIN)
    assert (figure.low, figure.value, figure.high) == (exactly(19e9 / AGAIN), 19_000_000_000, exactly(high))
    assert sorted((r.value, r.used) for r in figure.readings) == [(19_000_000_000, True), (20_500_000_000, False)]
    assert figure.inputs[:2] == (f"site.{FIGURE}", f"pixstor-6.large.{FIGURE}")


def test_a_measurement_for_width_is_not_scaled_from(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement("5.2 GB/s", SMALL, trust="width"))
    assert estimated([{"size": "small"}], catalog=catalog).figures[FIGURE].basis == "estimated"


def test_readings_further_apart_widen_what_rests_on_them_alone(tmp_path: Path) -> None:
    """20 and 10 GB/s of a Large with 8 TB: the low ends of all with 8 TB. How far others lie is learned by the project."""
    readings = [
        {"value": "20 GB/s", "document": "pixsize", "place": "first run"},
        {"value": "10 GB/s", "document": "pixsize", "place": "second run", "used": False},
    ]
    record = measurement("", [{"size": "large", "data_drive": "nl-sas-8tb"}], readings=readings)
    catalog = overlaid(tmp_path, record)
    figures = estimated([{"size": "large", "data_drive": "8 TB"}], catalog=catalog).figures
    large = figures[FIGURE]
    assert (large.value, large.high) == (20_000_000_000, exactly(20e9 * AGAIN))
    assert large.low == at_least(figures, 20e9 / root(2, AGAIN))
    figures = estimated([{"size": "small", "data_drive": "8 TB"}], catalog=catalog).figures
    small = figures[FIGURE]
    value = 5_000_000_000 + float(SIZE.value) * (SPECIFIED - 5_000_000_000)
    low = 2_500_000_000 + float(SIZE.low) * (SPECIFIED - 2_500_000_000)
    assert small.value == exactly(value)
    assert small.low == at_least(figures, value / root(value / low, AGAIN, N_N["size"]))
    others = [estimated([{"size": "large"}], catalog=c).figures[FIGURE] for c in (shipped(), catalog)]
    assert others[0] == others[1]


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


def test_a_factor_of_three_above_by_hand(tmp_path: Path) -> None:
    """A standard Small from the one measured with HDMD: the warm reading is 3.2 times as much, and a step more; another
    down.
    """
    catalog = overlaid(tmp_path, cold_and_warm("5.0 kop/s", "16.0 kop/s"))
    read = estimated([{"size": "small"}], None, catalog=catalog).figures[RANDOM_READ]
    check(read, 5_000, [RANDOM["again"]], high=16_000, down=[RANDOM["variant"]])


EIGHT = [SMALL[0] | {"count": 8}]


def test_a_share_of_several_modules_is_told_as_one_and_is_steps_away(tmp_path: Path) -> None:
    """41.6 GB/s of eight are 5.2 each; from eight to one the number is halved three times."""
    catalog = overlaid(tmp_path, measurement("41.6 GB/s", EIGHT))
    figures = estimated([{"size": "small"}], catalog=catalog).figures
    one = figures[FIGURE]
    bounds = root(AGAIN, times(N_N["count"], 3))
    assert (one.low, one.value) == (at_least(figures, 5.2e9 / bounds), 5_200_000_000)
    assert one.high == exactly(min(5.2e9 * bounds, SPECIFIED * AGAIN))
    assert (one.basis, one.steps) == ("extrapolated", ("again", "count"))
    assert "8 x Small together were measured at 41.6 GB/s, 5.2 GB/s for each." in one.rule
    assert "another number of modules, a factor of" in one.rule
    medium = estimated([{"size": "medium"}], catalog=catalog).figures[FIGURE]
    assert "The linear share of the measured 8 x Small is 10.4 GB/s" in medium.rule
    assert set(medium.steps) == {"again", "size", "count"}
    eight = estimated([{"size": "small", "count": 8}], catalog=catalog).figures[FIGURE]
    assert (eight.value, eight.basis) == (41_600_000_000, "measured")


def test_a_share_of_several_modules_in_random_operations(tmp_path: Path) -> None:
    """16 kop/s of eight are 2 each; three halvings of their number, and the repetition."""
    record = measurement("16 kop/s", EIGHT, figure=RANDOM_READ, unit="op/s")
    figures = estimated([{"size": "small"}], catalog=overlaid(tmp_path, record)).figures
    one, bounds = figures[RANDOM_READ], root(RANDOM["again"], times(RANDOM["count"], 3))
    assert (one.low, one.value, one.high) == (exactly(2_000 / bounds), 2_000, exactly(2_000 * bounds))
    assert one.basis == "extrapolated"
    assert "8 x Small together were measured at 16 kop/s, 2 kop/s for each." in one.rule


def test_eight_of_other_drives_keep_the_share_of_eight(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement("41.6 GB/s", EIGHT))
    figure = estimated([{"size": "small", "count": 8, "data_drive": "8 TB"}], catalog=catalog).figures[FIGURE]
    assert figure.steps == ("again", "drive")
    assert "8 x Small together were measured at 41.6 GB/s, 5.2 GB/s for each" in figure.rule


def test_a_reading_that_does_not_count_widens_nothing(tmp_path: Path) -> None:
    readings = [
        {"value": "5.2 GB/s", "document": "pixsize", "place": "run"},
        {"value": "52 GB/s", "document": "pixsize", "place": "misprint", "used": False, "counts": False},
    ]
    catalog = overlaid(tmp_path, measurement("", SMALL, readings=readings))
    figure = estimated([{"size": "small"}], catalog=catalog).figures[FIGURE]
    check(figure, 5_200_000_000, [AGAIN])
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
    """Of the adapters to the clients a share of the line rate was seen; of the others nobody has looked."""
    figure = estimated([{"size": "small"}], catalog=slower(record, **words)).figures[FIGURE]
    reached = float(NETWORK.value) if name == "network adapters" else 1
    least = min(rate * float(NETWORK.low), rate * reached / AGAIN) if reached < 1 else rate / AGAIN
    assert (figure.value, figure.high, figure.limited_by) == (exactly(rate * reached), exactly(rate), name)
    assert figure.low == exactly(least)
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
    """A Large wrote 20.5 GB/s; two servers with two cards of four lanes of 5 Gb/s carry 10, or a share of it."""
    figure = estimated([{"size": "large"}], catalog=slower("connectx-6-hdr", lane_rate="5 Gb/s")).figures[FIGURE]
    assert (figure.value, figure.high) == (exactly(10_000_000_000 * float(NETWORK.value)), 10_000_000_000)
    assert (figure.basis, figure.limited_by) == ("extrapolated", "network adapters")
    assert "network adapters carry 9.52 GB/s, 10 GB/s at the most" in figure.rule


def test_no_more_cables_than_ports() -> None:
    """A Large needs eight cables a server; two cards of one port of four lanes of 0.5 GB/s: 2 x 2 x 2 GB/s."""
    one_port = slower("hba355e", ports=1, lane_rate="0.5 GB/s")
    figure = estimated([{"size": "large"}], None, catalog=one_port).figures[FIGURE]
    assert (figure.value, figure.limited_by) == (8_000_000_000, "SAS lanes")


def test_a_figure_that_a_guess_caps_is_estimated() -> None:
    """Server memory rests on the judged share of it that serves clients; where it does not bind, nothing rests on it."""
    slow = estimated([{"size": "large"}], catalog=slower("r750", memory_rate="10 GB/s")).figures[FIGURE]
    assert (slow.basis, "server.memory_share" in slow.inputs) == ("estimated", True)
    fast = estimated([{"size": "large", "data_drive": "16 TB"}]).figures[FIGURE]
    assert (fast.basis, "server.memory_share" in fast.inputs) == ("extrapolated", False)


def test_other_readings_of_other_systems_do_not_move_the_range_of_a_small() -> None:
    """The spread is a record: with the readings used alone it is the same, and so is a figure that rests on one."""
    raw = {i: dict(r) for i, r in shipped().raw.items()}
    for record in raw.values():
        if record["kind"] == "measurement":
            record["readings"] = [r for r in record["readings"] if r.get("used", True)]
    before, after = (estimated([{"size": "small"}], catalog=c).figures[FIGURE] for c in (shipped(), Catalog(raw)))
    assert before == after
    linear = 20_500_000_000 / 4
    low, value, high = (linear + float(w) * (SPECIFIED - linear) for w in (SIZE.low, SIZE.value, SIZE.high))
    check(after, value, [AGAIN, N_N["size"]], low=low, high=high, most=SPECIFIED * AGAIN)
    assert (after.basis, "arrays.size_weight" in after.inputs) == ("estimated", True)


def test_no_evidence_is_a_finding_and_no_number() -> None:
    raw = {i: r for i, r in shipped().raw.items() if not (r["kind"] == "measurement" and "throughput" in i)}
    found = estimated([{"size": "small", "expansion": True}], catalog=Catalog(raw))
    assert not [i for i in found.figures if i.startswith("throughput.")]
    assert found.codes().count("PX411") == 1
    assert "capacity.usable" in found.figures


def test_an_expanded_module_without_a_measured_one_rests_on_the_unexpanded() -> None:
    """Large, 20.5 GB/s, with expansions that nobody measured: up towards 22 by the weight of twice the drives."""
    raw = {i: r for i, r in shipped().raw.items() if not (r["kind"] == "measurement" and "large+expansion" in i)}
    figure = estimated([{"size": "large", "expansion": True}], catalog=Catalog(raw)).figures[FIGURE]
    low, value, high = (20.5e9 + float(w) * 1.5e9 for w in (DRIVES.low, DRIVES.value, DRIVES.high))
    check(figure, value, [AGAIN, N_N["expansion"]], low=low, high=high, most=22e9 * AGAIN)
    assert figure.basis == "extrapolated"


def test_no_metadata_measurement_is_a_finding_and_no_number() -> None:
    raw = {i: r for i, r in shipped().raw.items() if not (r["kind"] == "measurement" and ".metadata." in i)}
    found = estimated([{"size": "large"}], ONE_ME4024, catalog=Catalog(raw))
    assert not [i for i in found.figures if i.startswith("metadata.")]
    assert "PX411" in found.codes()


@pytest.mark.parametrize(
    ("figure", "reading"), [("metadata.4k.create.peak", "70.76 kop/s"), ("metadata.4k.stat.sustained", "4.1 Mop/s")]
)
def test_systems_between_two_measured_ones_bring_no_less_than_the_smaller(
    tmp_path: Path, figure: str, reading: str
) -> None:
    """Twenty Large made as many as one: eleven are nearer to the twenty, and bring no less than the one either."""
    twenty = [{"size": "large", "data_drive": "nl-sas-12tb", "count": 20}]
    catalog = overlaid(tmp_path, measurement(reading, twenty, id=f"site.{figure}", figure=figure, unit="op/s"))
    one, eleven = (estimated([{"size": "large", "count": n}], catalog=catalog).figures[figure] for n in (1, 11))
    assert f"site.{figure}" in eleven.inputs
    assert eleven.low >= one.low
    assert eleven.value >= one.value
    assert eleven.high >= one.high
    assert f"No less than pixstor-6.large.{figure}, measured with the same metadata" in eleven.rule
    other = estimated([{"size": "large", "count": 11, "data_drive": "16 TB"}], catalog=catalog).figures[figure]
    assert other.value < one.value  # nobody measured one with such drives


def test_of_contradicting_measurements_that_of_the_larger_system_is_believed(tmp_path: Path) -> None:
    """Twenty Large made 60 kop/s, fewer than one made: so does a larger system."""
    figure = "metadata.4k.create.peak"
    twenty = [{"size": "large", "data_drive": "nl-sas-12tb", "count": 20}]
    catalog = overlaid(tmp_path, measurement("60 kop/s", twenty, figure=figure, unit="op/s"))
    assert estimated([{"size": "large", "count": 21}], catalog=catalog).value(figure) == 60_000
