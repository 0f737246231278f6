"""Hardware that nobody benchmarked: what an overlay puts in the place of a measured part takes the measurement away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.estimate.ids import is_by_threads
from tests.support.by_hand import N_N, check, exactly, root, spread, times
from tests.support.estimating import estimated, overlaid, replacing, shipped

PEAK = "throughput.sequential.n_n.write.peak"
CREATE = "metadata.empty.create.peak"
AGAIN = N_N["again"]
LARGE = [{"size": "large", "data_drive": "nl-sas-12tb"}]

Words = dict[str, Any]


def measurement(figure: str, value: str, unit: str, **more: Any) -> Words:
    system = {"design": "pixstor-6", "storage_modules": LARGE, "hdmd": {"drive": "ssd-960gb"}, "block_size": "8 MiB"}
    return {
        "kind": "measurement",
        "id": f"site.{figure}",
        "title": "Our own benchmark",
        "sources": [{"document": "pixsize", "place": "our report"}],
        "figure": figure,
        "unit": unit,
        "system": system | more.pop("system", {}),
        "readings": [{"value": value, "document": "pixsize", "place": "our report"}],
        "conditions": {"tool": "ours"},
    } | more


DATA = [
    pytest.param(replacing("r750", "r760", memory_rate="614.4 GB/s"), "servers", id="server"),
    pytest.param(replacing("r750"), "servers", id="server under its id"),
    pytest.param(replacing("connectx-6-hdr", "cx7"), "adapters", id="network adapter"),
    pytest.param(replacing("hba355e", "hba465e"), "adapters", id="SAS adapter"),
    pytest.param(replacing("me4084", "me9984"), "arrays", id="array"),
    pytest.param(replacing("nl-sas-12tb", rpm=10000), "drives", id="drive under its id"),
    pytest.param(replacing("pixstor-6.me4084.hdmd"), "layout", id="layout"),
    pytest.param(replacing("qm8700", "qm9700"), "switches", id="switch"),
    pytest.param(replacing("pixstor-6", note="ours"), "design", id="design"),
]


@pytest.mark.parametrize(("record", "what"), DATA)
def test_no_shipped_measurement_speaks_of_a_replaced_part(tmp_path: Path, record: Words, what: str) -> None:
    """Every rate is extrapolated at best and has the same value; those that the part matters to are a step wider.

    Files inside their inodes do not use the data arrays, and few threads may do as much as before.
    """
    before, after = (estimated([{"size": "large"}], catalog=c).figures for c in (shipped(), overlaid(tmp_path, record)))
    for figure in after.values():
        if figure.unit in ("B/s", "op/s"):
            assert figure.basis in ("extrapolated", "estimated"), figure.id
            assert figure.value == before[figure.id].value
            assert figure.low <= before[figure.id].low
            assert figure.high >= before[figure.id].high or what == "arrays"
            if figure.id.startswith("throughput.") and not is_by_threads(figure.id):
                assert figure.low < before[figure.id].low
                assert figure.steps == ("again", "drive" if what == "drives" else "setting")
    assert what in after[PEAK].rule
    step = N_N["drive" if what == "drives" else "setting"]
    check(after[PEAK], 20_500_000_000, [AGAIN, step], most=22e9 * AGAIN)


def test_another_drive_in_its_place_is_another_drive(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, replacing("nl-sas-12tb", "nl-sas-21.7tb", capacity="21.7 TB"))
    figure = estimated([{"size": "large", "data_drive": "21.7 TB"}], catalog=catalog).figures[PEAK]
    assert (figure.value, figure.basis) == (20_500_000_000, "extrapolated")
    check(figure, 20_500_000_000, [AGAIN, N_N["drive"]], most=22e9 * AGAIN)
    assert (figure.steps, "other drives" in figure.rule) == (("again", "drive"), True)


def test_an_expansion_in_its_place(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, replacing("me484", "me9484"))
    for expansion, basis in ((True, "extrapolated"), (False, "measured")):
        figure = estimated([{"size": "large", "expansion": expansion}], catalog=catalog).figures[PEAK]
        assert figure.basis == basis


@pytest.mark.parametrize("record", ["me4024", "pixstor-6.me4024", "ssd-960gb"])
def test_parts_of_the_metadata_matter_to_metadata_alone(tmp_path: Path, record: str) -> None:
    figures = estimated([{"size": "large"}], catalog=overlaid(tmp_path, replacing(record))).figures
    assert figures[PEAK].basis == "measured"
    assert figures[CREATE].basis == "extrapolated"


def test_what_carries_no_data_matters_to_no_rate(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, replacing("r650", "r660"), replacing("n2248x-on", "n3248"))
    figures = estimated([{"size": "large"}], catalog=catalog).figures
    rates = (f for f in figures.values() if f.unit in ("B/s", "op/s") and not is_by_threads(f.id))
    assert {f.basis for f in rates} == {"measured"}


def test_a_large_of_three_arrays(tmp_path: Path) -> None:
    """From three quarters of 20.5 GB/s on the way to 3 x 5.5; files of 4 KiB lean on a data tier of three quarters."""
    catalog = overlaid(tmp_path, replacing("pixstor-6.large", arrays=3))
    figures = estimated([{"size": "large"}], catalog=catalog).figures
    way = shipped().get(Constant, "arrays.size_weight").value
    assert figures[PEAK].value == exactly(15.375e9 + float(way) * 1.125e9)
    assert (figures[PEAK].basis, figures[PEAK].steps) == ("estimated", ("again", "size"))
    small = figures["metadata.4k.create.peak"]
    assert (small.value, small.basis) == (61_915, "estimated")
    assert "0.75 times the arrays" in small.rule
    assert figures["throughput.random_4k.write.peak"].value < 12_400


def test_a_layout_of_fewer_groups_bounds_files_of_4_kib(tmp_path: Path) -> None:
    """As many arrays with half the groups: from half the rate to all of it, the value halfway."""
    groups = [dict(g) for g in shipped().raw["pixstor-6.me4084.hdmd"]["groups"]]
    data = next(g for g in groups if g["purpose"] == "data")
    data["slots"] = data["slots"][:4]
    catalog = overlaid(tmp_path, replacing("pixstor-6.me4084.hdmd", groups=groups))
    figure = estimated([{"size": "large"}], catalog=catalog).figures["metadata.4k.create.peak"]
    assert (figure.value, figure.basis) == (70_760 * 3 // 4, "estimated")


def test_controllers_that_carry_less_than_was_measured_are_the_limit(tmp_path: Path) -> None:
    """Four arrays of 3 GB/s in the place of those that wrote 20.5: 12 GB/s, and 5.5 becomes 3 for a Small.

    Elsewhere controllers may carry more or less, by as much as a repetition.
    """
    catalog = overlaid(tmp_path, replacing("me4084", "me3084", write_rate="3 GB/s"))
    large, small = (estimated([{"size": s}], catalog=catalog).figures[PEAK] for s in ("large", "small"))
    assert (large.value, large.high, large.limited_by) == (12_000_000_000, exactly(12e9 * AGAIN), "array controllers")
    assert large.low == exactly(12e9 / root(AGAIN, N_N["setting"]))
    assert (small.value, small.high, small.limited_by) == (3_000_000_000, exactly(3e9 * AGAIN), "array controllers")
    assert "me3084" in large.inputs


def test_slow_cards_in_their_place(tmp_path: Path) -> None:
    """Two servers with two cards of four lanes of 5 Gb/s carry a share of 10 GB/s."""
    catalog = overlaid(tmp_path, replacing("connectx-6-hdr", "slow", lane_rate="5 Gb/s"))
    figure = estimated([{"size": "large"}], catalog=catalog).figures[PEAK]
    share = shipped().get(Constant, "network.share")
    value = 10e9 * float(share.value)
    assert (figure.value, figure.high) == (exactly(value), 10_000_000_000)
    assert (figure.basis, figure.limited_by) == ("extrapolated", "network adapters")
    assert figure.low == exactly(min(10e9 * float(share.low), value / AGAIN))


def test_a_measurement_of_the_overlay_is_of_the_overlays_hardware(tmp_path: Path) -> None:
    server = replacing("r750", "r760")
    catalog = overlaid(tmp_path, server, measurement(PEAK, "21.3 GB/s", "B/s"))
    figures = estimated([{"size": "large"}], catalog=catalog).figures
    assert (figures[PEAK].value, figures[PEAK].basis) == (21_300_000_000, "measured")
    assert figures[PEAK].inputs == (f"site.{PEAK}", "spread.sequential.n_n")
    assert figures["throughput.sequential.n_n.read.peak"].basis == "extrapolated"


def test_a_shipped_measurement_replaced_by_a_record_of_the_overlay(tmp_path: Path) -> None:
    record = measurement(PEAK, "21.3 GB/s", "B/s") | {"replaces": f"pixstor-6.large.{PEAK}"}
    figure = estimated([{"size": "large"}], catalog=overlaid(tmp_path, replacing("r750", "r760"), record)).figures[PEAK]
    assert (figure.value, figure.basis) == (21_300_000_000, "measured")


def test_the_nearest_measurement_is_the_one_with_fewest_differences(tmp_path: Path) -> None:
    """18 TB drives on new servers: what the site measured on them is nearer than what was measured on the old ones."""
    catalog = overlaid(tmp_path, replacing("r750", "r760"), measurement(PEAK, "21.3 GB/s", "B/s"))
    figure = estimated([{"size": "large", "data_drive": "18 TB"}], catalog=catalog).figures[PEAK]
    assert (figure.value, figure.basis) == (21_300_000_000, "extrapolated")


def test_a_catalog_as_it_was_shipped(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, replacing("r750", "r760", rack_units="3 U"), measurement(PEAK, "21 GB/s", "B/s"))
    assert set(catalog.replaced) == {"r750"}
    assert catalog.overlaid == {"r760", f"site.{PEAK}"}
    assert catalog.as_shipped().raw == shipped().raw
    assert Catalog(shipped().raw).as_shipped().raw == shipped().raw


STANDARD = {"hdmd": None, "storage_modules": [{"size": "small", "data_drive": "nl-sas-12tb"}]}
RATES = [
    f"metadata.{size}.{operation}.{duration}"
    for size in ("empty", "4k")
    for operation in ("create", "stat", "read", "remove")
    for duration in ("peak", "sustained")
]


def test_a_measured_rate_of_the_standard_variant_is_a_figure(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement(CREATE, "50 kop/s", "op/s", system=STANDARD))
    found = estimated([{"size": "small"}], None, catalog=catalog)
    assert (found.value(CREATE), found.figures[CREATE].basis) == (50_000, "measured")
    rates = [i for i in found.figures if i.startswith("metadata.")]
    assert [i for i in rates if not is_by_threads(i)] == [CREATE]
    assert {i.rpartition(".")[0] for i in rates} == {CREATE.rpartition(".")[0]}
    note = next(f for f in found.findings if f.code == "PX405")
    assert "metadata.empty.create.sustained and 14 more" in note.message
    assert CREATE not in note.message
    for other in ([{"size": "medium"}], [{"size": "small", "metadata_drive": "1.92 TB"}]):
        assert CREATE not in estimated(other, None, catalog=catalog).figures


def test_ssds_of_the_standard_variant_can_be_named(tmp_path: Path) -> None:
    module = STANDARD["storage_modules"][0] | {"metadata_drive": "ssd-1.92tb"}  # type: ignore[index]
    record = measurement(CREATE, "50 kop/s", "op/s", system=STANDARD | {"storage_modules": [module]})
    catalog = overlaid(tmp_path, record)
    larger = estimated([{"size": "small", "metadata_drive": "1.92 TB"}], None, catalog=catalog)
    assert larger.figures[CREATE].basis == "measured"
    assert CREATE not in estimated([{"size": "small"}], None, catalog=catalog).figures


def test_all_rates_of_the_standard_variant_leave_no_note(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, *(measurement(r, "50 kop/s", "op/s", system=STANDARD) for r in RATES))
    found = estimated([{"size": "small"}], None, catalog=catalog)
    assert {found.figures[r].basis for r in RATES} == {"measured"}
    assert "PX405" not in found.codes()


def test_a_measured_power_draw_is_a_figure_of_that_hardware_alone(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement("hardware.power", "6.1 kW", "W"))
    found = estimated([{"size": "large"}], catalog=catalog)
    power = found.figures["hardware.power"]
    assert (power.value, power.unit, power.basis) == (6100, "W", "measured")
    check(power, 6100, [spread("all")["again"]])
    assert "PX407" not in found.codes()
    assert estimated([{"size": "large"}], catalog=catalog, inode_size="1 KiB").value("hardware.power") == 6100
    for modules, hdmd in (
        ([{"size": "large"}], None),
        ([{"size": "large"}], {"arrays": 2, "drive": "960 GB"}),
        ([{"size": "medium"}], {"drive": "960 GB"}),
    ):
        other = estimated(modules, hdmd, catalog=catalog)
        assert "hardware.power" not in other.figures
        assert "PX407" in other.codes()


def test_a_sustained_rate_is_no_higher_than_a_peak_of_another_source(tmp_path: Path) -> None:
    """A site's peak of 15 GB/s (and Dell's of 20.5) below Dell's sustained 19.8: the site's is the value of both."""
    figures = estimated([{"size": "large"}], catalog=overlaid(tmp_path, measurement(PEAK, "15 GB/s", "B/s"))).figures
    peak, sustained = figures[PEAK], figures[PEAK.replace("peak", "sustained")]
    assert (peak.value, peak.high, peak.basis) == (15_000_000_000, exactly(15e9 * root(20.5 / 15, AGAIN)), "measured")
    assert (sustained.low, sustained.value) == (exactly(15e9 / AGAIN), 15_000_000_000)
    assert sustained.high == exactly(min(peak.high, 19.8e9 * AGAIN))
    assert peak.low == exactly(15e9 / AGAIN)
    assert sustained.basis == "extrapolated"
    assert "Capped by the peak" in sustained.rule
    assert PEAK in sustained.inputs


def test_a_sustained_rate_measured_above_a_modelled_peak(tmp_path: Path) -> None:
    """What lasted was reached: the modelled peak gives way, and the measured rate stays."""
    record = measurement(PEAK.replace("peak", "sustained"), "9 GB/s", "B/s", system={"storage_modules": [_small()]})
    figures = estimated([{"size": "small"}], catalog=overlaid(tmp_path, record)).figures
    peak, sustained = figures[PEAK], figures[PEAK.replace("peak", "sustained")]
    for mine, most in zip(
        (sustained.low, sustained.value, sustained.high), (peak.low, peak.value, peak.high), strict=True
    ):
        assert mine <= most
    assert (sustained.value, sustained.basis) == (9 * 10**9, "measured")
    assert (peak.value, peak.basis) == (9 * 10**9, "estimated")
    assert f"No less than {sustained.id}, which was measured on this system." in peak.rule


def _small() -> Words:
    return {"size": "small", "data_drive": "nl-sas-12tb"}


def test_a_width_widens_the_system_that_it_was_measured_on(tmp_path: Path) -> None:
    """15 GB/s seen on the Large: in its range, and in that of a Small as a quarter of it; a repetition below both."""
    records = (measurement(f, "15 GB/s", "B/s", trust="width") for f in (PEAK, PEAK.replace("peak", "sustained")))
    catalog = overlaid(tmp_path, *records)
    large = estimated([{"size": "large"}], catalog=catalog).figures[PEAK]
    figures = estimated([{"size": "small"}], catalog=catalog).figures
    small, sustained = figures[PEAK], figures[PEAK.replace("peak", "sustained")]
    check(large, 20_500_000_000, [AGAIN], low=15e9)
    assert large.basis == "measured"
    assert [(r.value, r.used) for r in large.readings] == [(20_500_000_000, True), (15_000_000_000, False)]
    assert f"site.{PEAK}" in large.inputs
    weight = shipped().get(Constant, "arrays.size_weight")
    linear = 20.5e9 / 4
    value, least = (a + float(w) * (5.5e9 - a) for a, w in ((linear, weight.value), (15e9 / 4, weight.low)))
    assert small.value == exactly(value)
    low = value / root(value / least, AGAIN, N_N["size"])
    assert small.low == exactly(max(low, sustained.low))  # of two runs the sustained one tells a higher low end
    assert f"site.{PEAK}" in small.inputs


def test_a_width_of_a_system_that_is_only_extrapolated(tmp_path: Path) -> None:
    record = measurement(PEAK, "8.5 GB/s", "B/s", trust="width", system={"storage_modules": [_small()]})
    catalog = overlaid(tmp_path, record)
    before, after = (estimated([{"size": "small"}], catalog=c).figures[PEAK] for c in (shipped(), catalog))
    assert (after.low, after.value, after.high) == (before.low, before.value, 8_500_000_000)
    assert after.basis == before.basis
    assert f"site.{PEAK}" in after.inputs
    medium = [estimated([{"size": "medium"}], catalog=c).figures[PEAK] for c in (shipped(), catalog)]
    assert medium[0] == medium[1]


def test_a_width_of_metadata(tmp_path: Path) -> None:
    """300 kop/s seen where 232.2 were: one array reaches to it and a repetition more, four to four times as much."""
    catalog = overlaid(tmp_path, measurement(CREATE, "300 kop/s", "op/s", trust="width"))
    one, four = (
        estimated([{"size": "large"}], {"drive": "960 GB", "arrays": n}, catalog=catalog).figures[CREATE]
        for n in (1, 4)
    )
    create = spread("metadata.empty.create.peak", "metadata.peak")
    check(one, 232_200, [create["again"]], high=300_000)
    assert one.basis == "measured"
    assert four.value == 4 * 232_200
    assert four.high == exactly(4 * 232_200 * root(300_000 / 232_200, create["again"], times(create["count"], 2)))


def test_a_width_without_a_system_and_with_one_reading_changes_nothing(tmp_path: Path) -> None:
    record = measurement(PEAK, "15 GB/s", "B/s", trust="width")
    del record["system"]
    catalog = overlaid(tmp_path, record)
    for size in ("small", "large"):
        figures = [estimated([{"size": size}], catalog=c).figures for c in (shipped(), catalog)]
        assert figures[0] == figures[1]
