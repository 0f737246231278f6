"""Lustre's figures: what a measurement holds for, what a site's own evidence changes, which link is the limit, the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.estimate.ids import is_by_threads
from pixsize.figures import Figure
from pixsize.observed import Observed, ObservedArray, ObservedGroup
from pixsize.plan.records import DiskGroup
from pixsize.report.plan_page import page
from pixsize.report.sized_plan import SizedPlan
from tests.support.by_hand import N_N, check, exactly, root
from tests.support.estimating import (
    Estimated,
    estimated,
    lustre_in_a_pool,
    lustre_on_arrays,
    overlaid,
    replacing,
    shipped,
)

GB = 10**9
WRITE, READ = (f"throughput.sequential.n_n.{d}.peak" for d in ("write", "read"))
CREATE = "metadata.empty.create.peak"


# --- what a measurement holds for ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("modules", "more"),
    [
        ([{"size": "large", "data_drive": "12 TB"}], {}),
        ([{"size": "large", "chunk_size": "512 KiB"}], {}),
        ([{"size": "large", "count": 2}], {}),
        ([{"size": "medium"}], {}),
        ([{"size": "large"}], {"version": "2.15.8"}),
    ],
)
def test_any_difference_of_the_data_tier_makes_it_no_measurement(
    modules: list[dict[str, Any]], more: dict[str, Any]
) -> None:
    figures = lustre_on_arrays(modules, **more).figures.values()
    assert "measured" not in {f.basis for f in figures if f.unit in ("B/s", "op/s")}


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"drive": "1.92 TB"}, "other SSDs, a factor of"),
        ({"chunk_size": "128 KiB"}, "chunk size of the metadata, a factor of"),
        ({"pairs": 2}, "another number of MDTs, a factor of"),
        # The second pair serves as many MDTs: nothing tells what it brings, and no document warns of it.
        ({"dne": False, "pairs": 2}, "2 MDTs with 32 OSTs made 90 kop/s."),
    ],
)
def test_other_metadata_leave_throughput_measured_and_rates_of_files_not(more: dict[str, Any], what: str) -> None:
    figures = lustre_on_arrays(**more).figures
    assert figures[WRITE].basis == "measured"
    assert figures[CREATE].basis == "extrapolated"
    assert what in figures[CREATE].rule


def test_two_mdts_on_two_pairs_are_taken_for_two_on_one() -> None:
    """As many MDTs: the value of DNE on one pair, whatever it is that serves them."""
    assert lustre_on_arrays(dne=False, pairs=2).value(CREATE) == 90_000


def test_where_the_mgt_lies_makes_no_difference() -> None:
    assert lustre_on_arrays(mgt="with_mdt0").figures[CREATE].basis == "measured"


@pytest.mark.parametrize(("servers", "basis"), [(3, "extrapolated"), (4, "measured"), (5, "extrapolated")])
def test_another_number_of_servers_is_no_measurement(servers: int, basis: str) -> None:
    figures = lustre_in_a_pool(servers).figures
    rates = [f for f in figures.values() if f.unit == "B/s" and ".fabric." not in f.id and not is_by_threads(f.id)]
    assert {f.basis for f in rates} == {basis}


def test_fewer_servers_mean_fewer_osts_for_small_files() -> None:
    """Twelve OSTs of sixteen: the value lies halfway to three quarters."""
    figure = lustre_in_a_pool(3).figures["metadata.4k.create.peak"]
    assert (figure.value, figure.basis, figure.limited_by) == (162_000 * 7 // 8, "estimated", "MDTs")


def test_capacities_of_modules_that_no_document_has_are_exact() -> None:
    assert lustre_on_arrays([{"size": "small"}]).figures["capacity.formatted"].basis == "exact"


@pytest.mark.parametrize(("seen", "bases"), [("data", ("estimated", "measured")), ("meta", ("measured", "estimated"))])
def test_what_no_array_reported_is_estimated(seen: str, bases: tuple[str, str]) -> None:
    """The arrays of the data were asked, or those of the metadata."""
    groups = [g for g in lustre_on_arrays().plan.disk_groups if f"_{seen}" in g.id]
    arrays = {g.array: ObservedArray(groups={x.id: _reported(x) for x in groups if x.array == g.array}) for g in groups}
    figures = lustre_on_arrays(observed=Observed(arrays)).figures
    inodes, objects = (figures[f"files.{i}"] for i in ("mdt_inodes", "ost_objects"))
    assert (inodes.basis, objects.basis) == bases
    assert (inodes.high > inodes.value, objects.high > objects.value) == (seen == "data", seen == "meta")


def _reported(group: DiskGroup) -> ObservedGroup:
    return ObservedGroup(group.id, group.bytes * 98 // 100)


# --- a site's own evidence -----------------------------------------------------------------------------------------


def measurement(figure: str, value: str, unit: str, system: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "kind": "measurement",
        "id": f"site.{figure}",
        "title": "Our own benchmark",
        "sources": [{"document": "pixsize", "place": "our report"}],
        "figure": figure,
        "unit": unit,
        "system": system,
        "readings": [{"value": value, "document": "pixsize", "place": "our report"}],
        "conditions": {"tool": "ours"},
    } | more


ON_ARRAYS = {
    "design": "lustre-me4",
    "lustre_version": "2.15.8",
    "storage_modules": [{"size": "small", "data_drive": "nl-sas-8tb"}],
    "metadata": {"dne": True, "drive": "ssd-960gb"},
}
IN_A_POOL = {
    "design": "lustre-powerflex",
    "lustre_version": "2.15.8",
    "servers": 6,
    "drive": "nvme-2tb",
    "metadata": {"dne": True},
}


def test_a_measured_module_makes_its_plan_measured(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement(WRITE, "5.2 GB/s", "B/s", ON_ARRAYS))
    figure = lustre_on_arrays([{"size": "small"}], catalog=catalog, version="2.15.8").figures[WRITE]
    assert (figure.value, figure.basis) == (5_200_000_000, "measured")
    assert figure.inputs == (f"site.{WRITE}", "spread.sequential.n_n")
    assert lustre_on_arrays([{"size": "small"}], catalog=catalog).figures[WRITE].basis == "estimated"


def test_measured_servers_make_their_plan_measured_and_others_are_scaled_from_the_nearest(tmp_path: Path) -> None:
    catalog = overlaid(tmp_path, measurement(WRITE, "24 GB/s", "B/s", IN_A_POOL))
    six = lustre_in_a_pool(6, catalog=catalog, version="2.15.8").figures[WRITE]
    assert (six.value, six.basis) == (24 * GB, "measured")
    seven = lustre_in_a_pool(7, catalog=catalog, version="2.15.8").figures[WRITE]
    assert (seven.value, seven.basis) == (28 * GB, "extrapolated")


def test_a_figure_that_nobody_had_measured(tmp_path: Path) -> None:
    figure = "throughput.random_4k.read.peak"
    catalog = overlaid(tmp_path, measurement(figure, "500 kop/s", "op/s", IN_A_POOL))
    found = lustre_in_a_pool(6, catalog=catalog, version="2.15.8").figures[figure]
    assert (found.value, found.unit, found.basis) == (500_000, "op/s", "measured")
    scaled = lustre_in_a_pool(12, catalog=catalog, version="2.15.8").figures[figure]
    assert (scaled.value, scaled.unit) == (1_000_000, "op/s")


CREATE = "metadata.empty.create.peak"


def test_rates_of_files_come_from_the_measurement_with_the_nearest_number_of_osts(tmp_path: Path) -> None:
    """Twenty Large made 200 kop/s, where the document has 90 of one: a 21st module does not bring the rate down."""
    large = {"size": "large", "count": 20, "data_drive": "nl-sas-8tb"}
    catalog = overlaid(tmp_path, measurement(CREATE, "200 kop/s", "op/s", ON_ARRAYS | {"storage_modules": [large]}))
    found = {
        n: lustre_on_arrays([{"size": "large", "count": n}], catalog=catalog, version="2.15.8").figures[CREATE]
        for n in (2, 19, 20, 21)
    }
    assert (found[20].basis, found[21].value, found[21].low) == ("measured", 200_000, found[20].low)
    assert f"site.{CREATE}" in found[19].inputs
    assert found[19].value == 195_000  # halfway from 19 twentieths to all of it
    assert found[2].value == 90_000


def test_arrays_speak_for_other_file_systems_in_sequential_rates_alone(tmp_path: Path) -> None:
    """A Small of the other file system at 5.2 GB/s is nearer than a Large of the own: three steps, and the same value.

    Random operations and rates of files are set by caches, logs and locks: they stay within their file system.
    """
    catalog = overlaid(tmp_path, measurement(WRITE, "5.2 GB/s", "B/s", ON_ARRAYS))
    before, after = (estimated([{"size": "small"}], catalog=c).figures for c in (shipped(), catalog))
    assert_sequential_alone(before, after, ("again", "drive", "filesystem", "generation"))
    pixstor = {"design": "pixstor-6", "storage_modules": [{"size": "small", "data_drive": "nl-sas-8tb"}]}
    (tmp_path / "other").mkdir()
    record = measurement(WRITE, "5.2 GB/s", "B/s", pixstor | {"block_size": "8 MiB"})
    before, after = (
        lustre_on_arrays([{"size": "small"}], catalog=c).figures
        for c in (shipped(), overlaid(tmp_path / "other", record))
    )
    assert_sequential_alone(before, after, ("again", "filesystem", "generation"))


def assert_sequential_alone(before: dict[str, Figure], after: dict[str, Figure], steps: tuple[str, ...]) -> None:
    assert (after[WRITE].value, sorted(after[WRITE].steps)) == (5_200_000_000, list(steps))
    low, sustained = 5_200_000_000 / root(*(N_N[s] for s in steps)), after[WRITE.replace("peak", "sustained")]
    assert after[WRITE].low == exactly(max(low, sustained.low))  # the sustained rate has its own evidence
    assert f"site.{WRITE}" in after[WRITE].inputs
    differ = {i for i in before if before[i] != after[i]}
    assert {i.rpartition(".")[0] for i in differ} == {WRITE.rpartition(".")[0]}


def test_a_doubt_takes_the_low_end_down(tmp_path: Path) -> None:
    doubts = [{"document": "pixsize", "place": "our report", "why": "The clocks were off."}]
    catalog = overlaid(tmp_path, measurement(WRITE, "24 GB/s", "B/s", IN_A_POOL, doubts=doubts))
    figure = lustre_in_a_pool(6, catalog=catalog, version="2.15.8").figures[WRITE]
    again = N_N["again"]  # a doubt that nobody has measured is as much as a repetition may differ
    check(figure, 24 * GB, [again], down=[again])
    assert figure.steps == ("again", "doubt")
    assert f"The clocks were off. The low end is lower by a factor of {again:.2f} for it." in figure.rule


def test_doubts_and_bounds_are_no_repeated_readings(tmp_path: Path) -> None:
    """A bound of twice the value widens its figure, up to what the chain carries, and no other figure's spread."""
    readings = [
        {"value": "24 GB/s", "document": "pixsize", "place": "run"},
        {"value": "48 GB/s", "document": "pixsize", "place": "run", "used": False, "bound": True},
    ]
    catalog = overlaid(tmp_path, measurement(WRITE, "", "B/s", IN_A_POOL, readings=readings))
    figure = lustre_in_a_pool(6, catalog=catalog, version="2.15.8").figures[WRITE]
    assert 40 * GB < figure.high < 48 * GB * root(2, N_N["again"])
    assert figure.value == 24 * GB
    before, after = (lustre_in_a_pool(8, catalog=c).figures[READ] for c in (shipped(), catalog))
    assert before == after


@pytest.mark.parametrize(
    ("record", "what"),
    [
        ("r640-lustre-powerflex-oss", "servers"),
        ("omni-path-100", "adapters"),
        ("arista-7060cx-32", "switches"),
        ("nvme-2tb", "drives"),
        ("lustre-powerflex", "design"),
    ],
)
def test_no_shipped_measurement_speaks_of_a_replaced_part_of_the_pool(tmp_path: Path, record: str, what: str) -> None:
    figures = lustre_in_a_pool(catalog=overlaid(tmp_path, replacing(record))).figures
    assert figures[WRITE].basis == "extrapolated"
    assert what in figures[WRITE].rule


def test_a_replaced_mds_leaves_throughput_measured(tmp_path: Path) -> None:
    figures = lustre_in_a_pool(catalog=overlaid(tmp_path, replacing("r640-lustre-powerflex-mds"))).figures
    assert figures[WRITE].basis == "measured"
    assert figures["metadata.4k.create.peak"].basis == "extrapolated"


# --- which link is the limit ---------------------------------------------------------------------------------------


def slower(record_id: str, **words: Any) -> Catalog:
    raw = dict(shipped().raw)
    raw[record_id] = raw[record_id] | words
    return Catalog(raw)


@pytest.mark.parametrize(
    ("record", "words", "name", "rate"),
    [
        # Four servers with a port of four lanes of 4 Gb/s: 4 x 2 GB/s.
        ("omni-path-100", {"lane_rate": "4 Gb/s"}, "LNet adapters", 8 * GB),
        # The same on the network of the pool, which each byte crosses 7/4 times.
        ("ql45611", {"lane_rate": "4 Gb/s"}, "adapters of the storage network", 32 * GB // 7),
        # A quarter of 4 x 4 GB/s.
        ("r640-lustre-powerflex-oss", {"memory_rate": "4 GB/s"}, "server memory", 4 * GB),
    ],
)
def test_every_link_of_a_server_can_be_the_limit(record: str, words: dict[str, Any], name: str, rate: int) -> None:
    """A measurement of more than a link carries does not hold either."""
    figure = lustre_in_a_pool(catalog=slower(record, **words)).figures[WRITE]
    rate = rate * shipped().get(Constant, "network.share").value if name == "LNet adapters" else rate
    assert abs(figure.value - rate) <= 1
    assert (figure.limited_by, figure.basis != "measured") == (name, True)


def test_slow_links_of_an_oss_pair_are_the_limit() -> None:
    """Two OSS with a port of four lanes of 4 Gb/s, of which a share is reached."""
    figure = lustre_on_arrays(catalog=slower("connectx-5-edr", lane_rate="4 Gb/s")).figures[WRITE]
    share = shipped().get(Constant, "network.share").value
    assert (figure.value, figure.limited_by) == (4 * GB * share, "network adapters")


# --- growth --------------------------------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 40))
def test_a_further_server_brings_more(servers: int) -> None:
    few, more = lustre_in_a_pool(servers), lustre_in_a_pool(servers + 1)
    for i in ("capacity.raw", "capacity.formatted", "capacity.usable", "files.ost_objects"):
        assert few.value(i) < more.value(i), i
    assert few.value("files.max") <= more.value("files.max")
    for i in (WRITE, READ):
        a, b = few.figures[i], more.figures[i]
        assert a.value < b.value
        if "measured" not in (a.basis, b.basis):
            assert (a.low < b.low, a.high < b.high) == (True, True)


@settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "size": st.sampled_from(("small", "medium", "large")),
                "count": st.integers(1, 3),
                "data_drive": st.sampled_from(("4 TB", "8 TB", "12 TB")),
            }
        ),
        min_size=1,
        max_size=3,
    ),
    st.booleans(),
    st.integers(1, 3),
)
def test_every_figure_holds_for_any_modules(modules: list[dict[str, Any]], dne: bool, pairs: int) -> None:
    found = lustre_on_arrays(modules, dne=dne, pairs=pairs)
    v = found.value
    assert v("capacity.osts") == sum(x.bytes for x in found.plan.volumes if x.purpose == "data")
    assert v("capacity.osts") - v("capacity.filesystem_overhead") - v("capacity.reserved") == v("capacity.usable")
    assert v("files.max") == min(v("files.mdt_inodes"), v("files.ost_objects"))
    line = v("throughput.fabric.lnet")
    assert all(f.high <= line for i, f in found.figures.items() if i.startswith("throughput.sequential."))


# --- the page ------------------------------------------------------------------------------------------------------


def rows(found: Estimated) -> list[str]:
    facts = SizedPlan(found.plan, found.figures, found.findings, {}, (), found.catalog)
    (capacity,) = [s for s in page(facts, long=True).sections if s.title == "Capacity for data"]
    return [row[0] for row in capacity.blocks[0].rows]


def test_the_waterfall_of_arrays() -> None:
    steps = ["as sold", "- hot spares", "- parity", "formatted", "- array overhead", "OST volumes"]
    assert rows(lustre_on_arrays()) == [*steps, "- ldiskfs", "- reserved", "usable"]


def test_the_waterfall_of_a_pool() -> None:
    steps = ["as sold", "- mirror", "formatted", "- pool spare", "- metadata in the pool", "- rounding", "OST volumes"]
    assert rows(lustre_in_a_pool()) == [*steps, "- ldiskfs", "- reserved", "usable"]
