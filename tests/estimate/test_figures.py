"""What holds for every figure: a way down to sources, an honest basis, whole arithmetic, growth with every module."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize import resources
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Measurement
from pixsize.catalog.records import Constant, Document, Drive, Enclosure, Limit
from pixsize.estimate.ids import Step, is_by_threads, steps
from pixsize.estimate.make import estimate
from pixsize.figures import BASES, Figure
from pixsize.observed import Observed, ObservedArray, ObservedGroup
from pixsize.product import terms_of
from pixsize.products.scale.plan import nsd_of
from tests.support.changing import replace
from tests.support.estimating import ONE_ME4024, Estimated, shipped
from tests.support.with_threads import estimated, estimated_file, lustre_in_a_pool, lustre_on_arrays

SYSTEMS: dict[str, tuple[list[dict[str, Any]], dict[str, Any] | None]] = {
    "large": ([{"size": "large"}], ONE_ME4024),
    "large + expansion": ([{"size": "large", "expansion": True}], ONE_ME4024),
    "small standard": ([{"size": "small", "data_drive": "8 TB"}], None),
    "medium, three arrays": ([{"size": "medium", "data_drive": "16 TB"}], {"arrays": 3, "drive": "1.92 TB"}),
    "mix": (
        [
            {"size": "large", "count": 2, "expansion": True},
            {"size": "medium", "data_drive": "16 TB"},
            {"size": "small", "data_drive": "8 TB", "expansion": True},
        ],
        {"modules": 2, "arrays": 4, "drive": "3.84 TB"},
    ),
    "63 large": ([{"size": "large", "count": 63}], ONE_ME4024),
}


EXAMPLES = sorted(resources.folder("examples").glob("*.yaml"))


LUSTRE: dict[str, Callable[[], Estimated]] = {
    "Lustre, the document's arrays": lustre_on_arrays,
    "Lustre, one MDT": lambda: lustre_on_arrays(dne=False),
    "Lustre, small and medium": lambda: lustre_on_arrays([{"size": "small"}, {"size": "medium"}], pairs=2),
    "Lustre, three pairs with one MDT each": lambda: lustre_on_arrays(dne=False, pairs=3, drive="1.92 TB"),
    "Lustre, all OSTs": lambda: lustre_on_arrays(filesystem={"stripe_count": -1}),
    "PowerFlex, three": lambda: lustre_in_a_pool(3),
    "PowerFlex, the document's sizes": lambda: lustre_in_a_pool(spare=10, ost="1600 GiB"),
    "PowerFlex, one MDT": lambda: lustre_in_a_pool(metadata={"dne": False, "mgt": "with_mdt0"}),
    "PowerFlex, thirty": lambda: lustre_in_a_pool(30, version="2.15.8"),
}


@pytest.fixture(params=[*SYSTEMS, *LUSTRE, *EXAMPLES], scope="module", ids=str)
def system(request: pytest.FixtureRequest) -> Estimated:
    """Every system above and every shipped example."""
    if request.param in LUSTRE:
        return LUSTRE[request.param]()
    if request.param not in SYSTEMS:
        return estimated_file(request.param, shipped())
    modules, hdmd = SYSTEMS[request.param]
    return estimated(modules, hdmd)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 5


def leaves(found: Estimated, figure: Figure) -> list[str]:
    """The catalog records below a figure; fails on an input that is neither figure nor record."""
    below = []
    for i in figure.inputs:
        if i in found.figures:
            below += leaves(found, found.figures[i])
        else:
            below.append(found.catalog.record(i).id)
    return below


def test_every_figure_leads_to_sources(system: Estimated) -> None:
    for figure in system.figures.values():
        assert figure.sources, figure.id
        assert figure.rule.endswith("."), figure.rule
        records = leaves(system, figure)
        assert records, figure.id
        for i in records:
            assert system.catalog.record(i).sources, f"{figure.id}: {i} has no source"


def test_every_source_is_a_document_of_the_catalog(system: Estimated) -> None:
    for figure in system.figures.values():
        for source in (*figure.sources, *(r.source for r in figure.readings)):
            assert system.catalog.get(Document, source.document)
            assert source.place


def test_a_basis_is_no_stronger_than_what_it_rests_on(system: Estimated) -> None:
    for figure in system.figures.values():
        for i in figure.inputs:
            if i in system.figures:
                assert BASES.index(figure.basis) >= BASES.index(system.figures[i].basis), figure.id
            elif isinstance(record := system.catalog.record(i), Constant):
                assert BASES.index(figure.basis) >= BASES.index(record.basis), f"{figure.id} rests on {record.id}"


LOSSES = (
    ("spares", "parity", "mirror"),
    (
        "array_overhead",
        "pool_spare",
        "pool_metadata",
        "rounding",
        "filesystem_overhead",
        "reserved",
    ),
)


def test_bytes_add_up(system: Estimated) -> None:
    """To the byte, whatever the steps of the design: raw less the first losses is formatted, less the others usable."""
    first, second = (sum(system.value(i) for s in some if (i := f"capacity.{s}") in system.figures) for some in LOSSES)
    assert system.value("capacity.raw") - first == system.value("capacity.formatted")
    assert system.value("capacity.formatted") - second == system.value("capacity.usable")


def steps_of(system: Estimated) -> tuple[Step, ...]:
    """The steps of capacity that the file system of a plan may have."""
    return steps(terms_of(system.plan, system.catalog).volumes_figure)


def test_every_loss_is_a_step_of_the_page(system: Estimated) -> None:
    """What a reader sees adds up as well: no capacity of the data tier is left out of the waterfall, or out of order."""
    tier = [i for i in system.figures if i.startswith("capacity.") and not i.startswith("capacity.metadata.")]
    assert tier == [step.figure for step in steps_of(system) if step.figure in tier]


def test_each_step_is_what_those_before_it_leave(system: Estimated) -> None:
    left = 0
    for step in (s for s in steps_of(system) if s.figure in system.figures):
        value = system.value(step.figure)
        assert left in (0, value) or not step.is_there, step
        left = value if step.is_there else left - value


def test_formatted_is_what_the_groups_hold(system: Estimated) -> None:
    """A second way to the same number: data drives one by one, from slots and layouts."""
    if system.plan.pools:
        (pool,) = system.plan.pools
        raw = pool.drives * system.catalog.get(Drive, pool.drive).capacity_bytes
        assert (system.value("capacity.raw"), system.value("capacity.formatted")) == (raw, raw // 2)
        return
    data = [g for g in system.plan.disk_groups if g.purpose == "data"]
    drives = {g.drive: system.catalog.get(Drive, g.drive).capacity_bytes for g in data}
    assert system.value("capacity.formatted") == sum(drives[g.drive] * 8 for g in data)
    slots = sum(
        system.catalog.get(Enclosure, e.model).slots * drives[m.drive]
        for m in system.plan.modules
        for a in system.plan.arrays
        for e in a.enclosures
        if a.module == m.id and m.role == "storage"
    )
    ssds = 0 if system.plan.variant != "standard" else 4 * 1 * drives[data[0].drive] * (len(data) // 8)
    assert system.value("capacity.raw") == slots - ssds


def test_the_figures_are_those_of_the_contract() -> None:
    figures = estimated(*SYSTEMS["large"]).figures
    capacity = ["raw", "spares", "parity", "formatted", "array_overhead", "filesystem_overhead", "usable"]
    expected = {f"capacity.{c}" for c in (*capacity, "metadata.raw", "metadata.usable")}
    expected |= {"files.max", "volumes.data", "volumes.metadata", "hardware.rack_units"}
    for duration in ("peak", "sustained"):
        for direction in ("write", "read"):
            expected |= {f"throughput.sequential.{p}.{direction}.{duration}" for p in ("n_n", "n_1")}
            expected.add(f"throughput.random_4k.{direction}.{duration}")
        for size in ("empty", "4k"):
            expected |= {f"metadata.{size}.{op}.{duration}" for op in ("create", "stat", "read", "remove")}
    assert {i for i in figures if not is_by_threads(i)} == expected


def test_exactly_the_measured_systems_are_measured() -> None:
    rates = [f for f in estimated(*SYSTEMS["large"]).figures.values() if f.unit in ("B/s", "op/s")]
    assert {f.basis for f in rates if not is_by_threads(f.id)} == {"measured"}
    for name, words in SYSTEMS.items():
        if not name.startswith("large"):
            figures = estimated(*words).figures.values()
            assert "measured" not in {f.basis for f in figures}, name


@pytest.mark.parametrize(
    "change",
    [{"chunk_size": "256 KiB"}, {"data_drive": "10 TB"}, {"size": "medium"}, {"expansion": True, "data_drive": "8 TB"}],
)
def test_any_difference_makes_it_no_measurement(change: dict[str, Any]) -> None:
    figures = estimated([{"size": "large"} | change]).figures
    rates = [f for f in figures.values() if f.unit == "B/s"]
    basis = "estimated" if "size" in change else "extrapolated"  # what a size brings is a guess between two ends
    assert {f.basis for f in rates if not is_by_threads(f.id)} == {basis}
    assert "measured" not in {f.basis for f in rates}


def test_another_block_size_is_no_measurement() -> None:
    figure = estimated([{"size": "large"}], block_size="4 MiB").figures["throughput.sequential.n_n.read.peak"]
    assert (figure.value, figure.basis) == (23 * 10**9, "extrapolated")
    assert "block size" in figure.rule


def test_other_inodes_leave_throughput_measured_and_metadata_not() -> None:
    figures = estimated([{"size": "large"}], inode_size="1 KiB").figures
    assert figures["throughput.sequential.n_n.read.peak"].basis == "measured"
    assert figures["metadata.empty.create.peak"].basis == "extrapolated"


def test_sizes_that_the_arrays_reported() -> None:
    """All groups of a Small reported at 93 TB of 96: measured, without a range; of half of them: both ways together."""
    small, reported = estimated([{"size": "small"}]), 93 * 10**12 // 2**22 * 2**22
    groups = {g.id: ObservedGroup(g.id, reported) for g in small.plan.disk_groups if g.purpose == "data"}
    array = ObservedArray(groups=groups)
    overhead = estimated([{"size": "small"}], observed=Observed({"sm01a1": array})).figures["capacity.array_overhead"]
    assert (overhead.low, overhead.value, overhead.high) == (8 * (96 * 10**12 - reported),) * 3
    assert overhead.basis == "measured"
    half = Observed({"sm01a1": ObservedArray(groups=dict(list(groups.items())[:4]))})
    mixed = estimated([{"size": "small"}], observed=half).figures["capacity.array_overhead"]
    assert mixed.value == 4 * (96 * 10**12 - reported) + 4 * 96 * 10**12 * 22 // 1000
    assert mixed.basis == "estimated"


def test_arrays_may_report_more_than_their_drives_are_sold_as() -> None:
    """96.5 TB of 96, which the checks let pass: the arrays then keep less than nothing, and usable is more."""
    small, reported = estimated([{"size": "small"}]), 965 * 10**11 // 2**22 * 2**22
    groups = {g.id: ObservedGroup(g.id, reported) for g in small.plan.disk_groups if g.purpose == "data"}
    found = estimated([{"size": "small"}], observed=Observed({"sm01a1": ObservedArray(groups=groups)})).figures
    overhead, usable = found["capacity.array_overhead"], found["capacity.usable"]
    assert (overhead.low, overhead.value) == (8 * (96 * 10**12 - reported),) * 2
    assert usable.value == 8 * reported


def test_no_other_figure_falls_below_nothing() -> None:
    figure = estimated([{"size": "small"}]).figures["capacity.usable"]
    with pytest.raises(ValueError, match=r"capacity\.usable: 0 <= -1 <= "):
        replace(figure, low=-1)


def test_usable_has_a_floor_where_shares_leave_nothing() -> None:
    """Up to 90 % for the array, then up to 60 % of what it leaves at the least: nothing may be left, and no less."""
    raw = dict(shipped().raw)
    raw["me4.array_overhead"] = raw["me4.array_overhead"] | {"high": "90 %"}
    raw["scale.data_overhead"] = raw["scale.data_overhead"] | {"high": "60 %"}
    assert estimated([{"size": "small"}], catalog=Catalog(raw)).figures["capacity.usable"].low == 0


def test_what_the_volumes_leave_unused_widens_a_reported_size() -> None:
    """Volumes of 80 TB on groups that report 93: df may show as little as the volumes hold."""
    small, reported = estimated([{"size": "small"}]), 93 * 10**12
    groups = tuple(replace(g, reported_bytes=reported) for g in small.plan.disk_groups)
    volumes = tuple(replace(v, bytes=80 * 10**12) for v in small.plan.volumes)
    figures, _ = estimate(replace(small.plan, disk_groups=groups, volumes=volumes), small.catalog)
    overhead = figures["capacity.array_overhead"]
    assert (overhead.low, overhead.value, overhead.high) == (24 * 10**12, 24 * 10**12, 128 * 10**12)


def test_unequal_failure_groups_lose_what_has_no_other_place() -> None:
    """Two arrays of 12 x 960 GB after RAID 1; one of them with half the volumes: min(sum/2, sum - max)."""
    found = estimated([{"size": "large"}], {"arrays": 2, "drive": "960 GB"})
    kept = [
        t
        for t in found.plan.targets
        if not (nsd_of(t).failure_group == 2 and t.id.endswith(("07", "08", "09", "10", "11", "12")))
    ]
    figures, _ = estimate(replace(found.plan, targets=tuple(kept)), found.catalog)
    assert figures["capacity.metadata.usable"].value == 6 * 960 * 10**9


def test_the_rule_names_the_failure_groups_and_what_is_lost() -> None:
    """Three arrays in two sides: 2 x 11.52 TB against 11.52; half the sum would be 17.28 TB, 11.52 can be stored."""
    three = {"arrays": 3, "drive": "960 GB"}
    sides = estimated([{"size": "large"}], three, failure_groups="sides").figures["capacity.metadata.usable"]
    assert sides.value == 11_520 * 10**9
    assert sides.rule.endswith(
        "Here: 2 groups, 1 of 23.04 TB, 1 of 11.52 TB; 5.76 TB of 17.28 TB are lost to their unequal sizes."
    )
    each = estimated([{"size": "large"}], three, failure_groups="per_array").figures["capacity.metadata.usable"]
    assert each.rule.endswith("Here: 3 groups of 11.52 TB.")
    single = estimated([{"size": "large"}], three, metadata_replicas=1).figures["capacity.metadata.usable"]
    assert single.rule.endswith("keeps one copy of the metadata.")


def with_level(layout: str, purpose: str, level: str) -> Catalog:
    raw = dict(shipped().raw)
    groups = [dict(g) | ({"level": level} if g["purpose"] == purpose else {}) for g in raw[layout]["groups"]]
    raw[layout] = raw[layout] | {"groups": groups}
    return Catalog(raw)


@pytest.mark.parametrize(
    ("level", "parity", "said"),
    [
        ("r6", 8 * 2, "2 of the 10 in a RAID 6 of 8+2 hold parity."),
        ("r5", 8 * 1, "1 of the 10 in a RAID 5 of 9+1 holds parity."),
        ("r10", 8 * 5, "5 of the 10 in a RAID 10 hold copies."),
    ],
)
def test_the_rule_of_parity_is_that_of_the_layout(level: str, parity: int, said: str) -> None:
    figure = estimated([{"size": "small"}], catalog=with_level("pixstor-6.me4084.hdmd", "data", level)).figures[
        "capacity.parity"
    ]
    assert figure.value == parity * 12 * 10**12
    assert figure.rule == f"The drives of each data group less those that hold data: {said}"


def test_the_rule_of_metadata_names_the_level_of_the_layout() -> None:
    figures = estimated([{"size": "small"}], catalog=with_level("pixstor-6.me4024", "metadata", "r10")).figures
    assert figures["capacity.metadata.usable"].rule.startswith("What RAID 10 leaves of the SSDs as sold")


DRIVES = ("4 TB", "8 TB", "12 TB", "16 TB", "18 TB")
MODULES = st.fixed_dictionaries(
    {
        "size": st.sampled_from(("small", "medium", "large")),
        "count": st.integers(1, 5),
        "expansion": st.booleans(),
        "data_drive": st.sampled_from(DRIVES),
    }
)
HDMD = st.none() | st.fixed_dictionaries(
    {
        "modules": st.integers(1, 2),
        "arrays": st.integers(1, 4),
        "drive": st.sampled_from(("480 GB", "960 GB", "3.84 TB")),
    }
)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.lists(MODULES, min_size=1, max_size=3), HDMD, MODULES)
def test_a_further_module_lowers_no_capacity(
    modules: list[dict[str, Any]], hdmd: dict[str, Any] | None, further: dict[str, Any]
) -> None:
    before, after = estimated(modules, hdmd), estimated([*modules, further], hdmd)
    for figure in before.figures.values():
        assert figure.low <= figure.value <= figure.high
        if figure.basis == "measured":
            assert figure.low < figure.high
    for i in ("capacity.raw", "capacity.formatted", "capacity.usable", "volumes.data"):
        a, b = before.figures[i], after.figures[i]
        assert (a.value < b.value, a.low < b.low, a.high < b.high) == (True, True, True), i


@pytest.mark.long
@settings(max_examples=20, deadline=None)
@given(MODULES, st.integers(1, 70))
def test_equal_modules_add_and_the_range_grows(module: dict[str, Any], count: int) -> None:
    """The value is proportional to the number of modules; the low end grows with it, but falls behind."""
    one = estimated([module | {"count": 1}]).figures
    few, more = (estimated([module | {"count": n}]).figures if n * 64 < 2000 else None for n in (count, count + 1))
    if few is None or more is None:
        return
    for i in ("throughput.sequential.n_n.read.peak", "throughput.random_4k.write.sustained"):
        assert abs(few[i].value - count * one[i].value) <= count
        assert few[i].low <= more[i].low
        assert Fraction(more[i].low, count + 1) <= Fraction(few[i].low + 1, count)


def test_records_that_the_rules_name_are_in_the_catalog() -> None:
    found = estimated(*SYSTEMS["large"])
    for i in ("me4.array_overhead", "scale.data_overhead", "scale.inode_share", "server.memory_share"):
        assert found.catalog.get(Constant, i)
    assert found.catalog.get(Limit, "scale.nsds")
    assert found.catalog.get(Measurement, "lustre-me4.large.2mdt.metadata.empty.remove.peak").trust == "width"
