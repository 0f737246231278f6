"""Metadata rates: as measured for one ME4024 with a Large, and what may be said of other systems, worked out by hand.

Sources: Dell PixStor 6 white paper, Table 4 and the MDtest sections; PixStor 5 guide, the same sections. What a step
away from these brings is the ratio of the spread records.
"""

from __future__ import annotations

from math import log2, sqrt
from pathlib import Path

import pytest

from tests.support.by_hand import check, exactly, root, spread, times
from tests.support.estimating import estimated, overlaid, shipped


def of(name: str) -> dict[str, float]:
    """The spreads of a figure; one without pairs, as reads of 4 KiB files from a cache, has those of its duration."""
    return spread(f"metadata.{name}", f"metadata.{name.rpartition('.')[2]}")


MEASURED = {
    "empty.create.peak": 232_200, "empty.create.sustained": 146_000,
    "empty.stat.peak": 5_340_000, "empty.stat.sustained": 2_900_000,
    "empty.read.peak": 2_420_000, "empty.read.sustained": 2_000_000,
    "empty.remove.peak": 164_760, "empty.remove.sustained": 130_000,
    "4k.create.peak": 70_760, "4k.create.sustained": 61_000,
    "4k.stat.peak": 8_620_000, "4k.stat.sustained": 4_100_000,
    "4k.read.peak": 5_650_000, "4k.read.sustained": 3_200_000,
    "4k.remove.peak": 285_900, "4k.remove.sustained": 231_700,
}  # fmt: skip
"""Where text and table differ, the lower (empty read, remove and create sustained)."""


@pytest.mark.parametrize(("name", "rate"), MEASURED.items())
def test_one_array_with_a_large_is_measured(name: str, rate: int) -> None:
    figure = estimated([{"size": "large"}]).figures[f"metadata.{name}"]
    assert (figure.value, figure.basis) == (rate, "measured")


OTHER_READINGS = {
    "empty.create.peak": 232_220, "empty.create.sustained": 150_000, "empty.read.peak": 2_730_000,
    "empty.remove.peak": 189_200, "4k.stat.sustained": 4_000_000, "4k.remove.peak": 285_860,
}  # fmt: skip
"""What else text or table print for the same; 4 Mop/s are a floor in the text."""


@pytest.mark.parametrize("name", sorted(MEASURED.keys() - {"4k.read.peak", "4k.read.sustained"}))
def test_the_range_is_a_repetition_and_both_readings(name: str) -> None:
    value, other = MEASURED[name], OTHER_READINGS.get(name, MEASURED[name])
    figure = estimated([{"size": "large"}]).figures[f"metadata.{name}"]
    check(figure, value, [of(name)["again"]], low=min(value, other), high=max(value, other))


LOW_4K_READ = max(rate / root(rate / 37_300, of(f"4k.read.{t}")["again"]) for rate, t in ((5.65e6, "peak"), (3.2e6, "sustained")))  # fmt: skip


def test_reads_of_4k_files_may_come_from_disk_as_in_the_generation_before() -> None:
    """5.65 and 3.2 Mop/s came from a cache; the same arrays gave PixStor 5 37.3 kop/s, printed so for both.

    The peak is no less than what is sustained, at the low end neither.
    """
    figures = estimated([{"size": "large"}]).figures
    peak, sustained = (figures[f"metadata.4k.read.{t}"] for t in ("peak", "sustained"))
    check(sustained, 3_200_000, [of("4k.read.sustained")["again"]], low=37_300)
    assert peak.low == sustained.low == exactly(LOW_4K_READ)
    assert (peak.value, peak.high) == (5_650_000, exactly(5_650_000 * of("4k.read.peak")["again"]))
    assert [r.text for r in peak.readings if r.source.document == "dell-pixstor-5"] == ["37.3 kop/s"]


PIXSTOR_5 = {"create": 78_000, "stat": 8_290_000, "read": 5_060_000, "remove": 609_000}
"""Files of 3 KiB, whose data lie in the inode: peaks, as printed."""


@pytest.mark.parametrize(("op", "rate"), PIXSTOR_5.items())
def test_files_inside_an_inode_are_planned_where_they_were_measured(op: str, rate: int) -> None:
    """One system was measured; with two ME4024 create and remove double, and stat and read count on no gain."""
    figure_id = f"metadata.3k.{op}.peak"
    measured = estimated([{"size": "large"}], design="pixstor-5").figures[figure_id]
    assert (measured.value, measured.basis) == (rate, "measured")
    two = estimated([{"size": "small"}], {"arrays": 2, "drive": "960 GB"}, design="pixstor-5").figures[figure_id]
    assert two.value == (2 * rate if op in ("create", "remove") else rate)
    small = estimated([{"size": "small"}], design="pixstor-5").figures[figure_id]
    assert (small.value, small.basis) == (rate, "extrapolated")
    assert "the data arrays are not used" in small.rule


def test_files_of_3_kib_lie_in_no_smaller_inode_and_were_measured_of_one_design() -> None:
    for found in (
        estimated([{"size": "large"}], design="pixstor-5", inode_size="512 B"),
        estimated([{"size": "large"}]),
    ):
        assert not [i for i in found.figures if ".3k." in i]
        assert "metadata.4k.create.peak" in found.figures
        assert "PX411" not in found.codes()


def test_four_arrays_create_by_hand() -> None:
    """The document's claim is the value, 4 x 232.2; twice twice as many arrays are two steps of the number."""
    figure = estimated([{"size": "large"}], {"arrays": 4, "drive": "960 GB"}).figures["metadata.empty.create.peak"]
    ratios = of("empty.create.peak")
    check(figure, 4 * 232_200, [ratios["again"], times(ratios["count"], 2)], high=4 * 232_220)
    assert figure.basis == "extrapolated"


NEEDS_BOTH = ("4k.create", "4k.read", "4k.remove")


@pytest.mark.parametrize("name", ["empty.stat", "empty.read", "4k.stat", *NEEDS_BOTH])
def test_what_the_document_does_not_stand_by_is_bounded(name: str) -> None:
    """Four arrays behind a pair: no gain is counted on, twice the rate is the most; more arrays take nothing away.

    Where files need the data arrays as well, and there are no more of these, the most is the rate itself.
    """
    value, ratios = MEASURED[f"{name}.peak"], of(f"{name}.peak")
    figures = estimated([{"size": "large"}], {"arrays": 4, "drive": "960 GB"}).figures
    times_most = 1 if name in NEEDS_BOTH else 2
    figure, high = figures[f"metadata.{name}.peak"], times_most * max(value, OTHER_READINGS.get(f"{name}.peak", value))
    assert (figure.value, figure.basis) == (value, "estimated")
    least = {"4k.read": LOW_4K_READ, "4k.remove": value / root(value / 285_860, ratios["again"])}
    assert figure.low == exactly(least.get(name, value / ratios["again"]))
    assert figure.high == exactly(value * root(high / value, ratios["again"], times(ratios["count"], 2)))


def test_4k_files_with_less_than_a_large_by_hand() -> None:
    """A Small has a quarter of the arrays: from a quarter of 70.76K to all of it, and the value halfway."""
    figure, ratios = estimated([{"size": "small"}]).figures["metadata.4k.create.peak"], of("4k.create.peak")
    check(figure, 44_225, [ratios["again"]], low=17_690, high=70_760)
    assert figure.basis == "estimated"


@pytest.mark.parametrize("name", NEEDS_BOTH)
@pytest.mark.parametrize("arrays", [1, 12])
def test_4k_files_lean_on_the_smaller_tier_whatever_the_other_has(name: str, arrays: int) -> None:
    """A quarter of the data arrays with twelve times the metadata arrays: no more than the Large, within the spreads."""
    hdmd = {"modules": arrays // 4 or 1, "arrays": min(arrays, 4), "drive": "960 GB"}
    figure, ratios = estimated([{"size": "small"}], hdmd).figures[f"metadata.{name}.peak"], of(f"{name}.peak")
    value, count = MEASURED[f"{name}.peak"], times(ratios["count"], log2(arrays))
    assert figure.value == pytest.approx(value * 5 / 8, abs=1)
    assert figure.high == exactly(value * 5 / 8 * root(8 / 5, ratios["again"], count))
    assert "what the smaller growth allows" in figure.rule


def test_4k_files_with_more_of_both_tiers_by_hand() -> None:
    """Sixteen times the metadata arrays, twenty times the data arrays: each doubling of the latter may bring a step.

    Twenty times the arrays are sixteen, four doublings, and a quarter of the way to the fifth.
    """
    ratios = of("4k.create.peak")
    step = ratios["size"]
    more = step**4 * (1 + (step - 1) / 4)
    hdmd = {"modules": 4, "arrays": 4, "drive": "960 GB"}
    figures = estimated([{"size": "large", "count": 20}], hdmd).figures
    create = figures["metadata.4k.create.peak"]
    check(create, 70_760, [ratios["again"]], high=70_760 * more, up=[step, times(ratios["count"], 4)])
    stat = of("4k.stat.peak")
    high = 8_620_000 * root(4 * 2, stat["again"], stat["size"], times(stat["count"], 4))
    assert figures["metadata.4k.stat.peak"].high == exactly(high)


@pytest.mark.parametrize(("modules", "arrays", "most"), [(1, 2, sqrt(2)), (2, 1, 2), (2, 2, 2 * sqrt(2)), (3, 4, 6)])
@pytest.mark.parametrize("name", ["empty.stat.peak", "empty.stat.sustained", "empty.read.peak", "4k.stat.peak"])
def test_stats_grow_with_servers_and_half_as_much_with_arrays(
    name: str, modules: int, arrays: int, most: float
) -> None:
    """In logarithms: a pair of servers brings all of its own, twice the arrays behind it 1.41 times at the most."""
    figure = estimated([{"size": "large"}], {"modules": modules, "arrays": arrays, "drive": "960 GB"}).figures[
        f"metadata.{name}"
    ]
    value, ratios = MEASURED[name], of(name)
    high = most * max(value, OTHER_READINGS.get(name, value))
    assert (figure.value, figure.basis) == (value, "estimated")
    assert figure.high == exactly(
        value * root(high / value, ratios["again"], times(ratios["count"], log2(modules * arrays)))
    )


def test_more_data_arrays_alone_may_bring_a_step() -> None:
    ratios = of("4k.create.peak")
    figures = estimated([{"size": "large", "count": 60}]).figures
    check(figures["metadata.4k.create.peak"], 70_760, [ratios["again"]], up=[ratios["size"]])
    check(figures["metadata.empty.create.peak"], 232_200, [of("empty.create.peak")["again"]], high=232_220)


def test_4k_files_are_not_created_faster_than_empty_ones(tmp_path: Path) -> None:
    """A site created 60K empty files a second: of 4 KiB there are no more."""
    rate = "metadata.empty.create.peak"
    record = {
        "kind": "measurement", "id": "site.empty", "title": "empty files", "figure": rate,
        "sources": [{"document": "pixsize", "place": "a report"}], "unit": "op/s", "conditions": {"tool": "MDtest"},
        "readings": [{"value": "60000 op/s", "document": "pixsize", "place": "a report"}],
        "system": dict(shipped().raw[f"pixstor-6.large.{rate}"]["system"]),
    }  # fmt: skip
    figures = estimated([{"size": "large"}], catalog=overlaid(tmp_path, record)).figures
    create, empty = figures["metadata.4k.create.peak"], figures[rate]
    assert create.value == empty.value == 60_000
    assert create.high <= empty.high
    assert "faster than one without" in create.rule


def test_empty_files_do_not_touch_the_data_tier() -> None:
    figure = estimated([{"size": "small"}]).figures["metadata.empty.stat.peak"]
    check(figure, 5_340_000, [of("empty.stat.peak")["again"]])
    assert figure.basis == "extrapolated"


def test_expansions_make_hardly_a_difference() -> None:
    """PixStor 5 showed marginal differences; nobody measured PixStor 6 so."""
    figures = estimated([{"size": "large", "expansion": True}]).figures
    for name in ("empty.create", "4k.create"):
        assert figures[f"metadata.{name}.peak"].value == MEASURED[f"{name}.peak"]
        assert figures[f"metadata.{name}.peak"].basis == "extrapolated"


def test_other_ssds_are_extrapolated() -> None:
    figure = estimated([{"size": "large"}], {"drive": "1.92 TB"}).figures["metadata.empty.create.peak"]
    ratios = of("empty.create.peak")
    check(figure, 232_200, [ratios["again"], ratios["drive"]], high=232_220)
    assert (figure.basis, figure.steps) == ("extrapolated", ("again", "drive"))


def test_the_standard_variant_has_no_rates() -> None:
    found = estimated([{"size": "large"}], None)
    assert not [i for i in found.figures if i.startswith("metadata.")]
    assert "PX405" in found.codes()


def test_arrays_of_all_modules_count() -> None:
    figure = estimated([{"size": "large"}], {"modules": 2, "arrays": 4, "drive": "960 GB"}).figures
    assert figure["metadata.empty.create.peak"].value == 8 * 232_200


@pytest.mark.parametrize(
    ("modules", "hdmd", "said", "unsaid"),
    [
        ([{"size": "large"}], {"drive": "1.92 TB"}, "other SSDs, a factor of", "expansions"),
        ([{"size": "medium", "count": 2}], {"drive": "960 GB"}, "as many arrays and groups", "expansions"),
        ([{"size": "large", "data_drive": "16 TB"}], {"drive": "960 GB"}, "as many arrays and groups", "expansions"),
        ([{"size": "large", "expansion": True}], {"drive": "960 GB"}, "with or without expansions", "SSDs"),
    ],
)
def test_the_reason_is_that_of_the_difference(
    modules: list[dict[str, object]], hdmd: dict[str, object], said: str, unsaid: str
) -> None:
    figure = estimated(modules, hdmd).figures["metadata.4k.create.peak"]
    assert (figure.value, figure.basis) == (70_760, "extrapolated")
    assert said in figure.rule
    assert unsaid not in figure.rule
    cites = [s.place for s in figure.sources if "almost the same" in s.place]
    assert bool(cites) == ("expansions" in said)


def test_other_ssds_have_nothing_to_do_with_the_data_arrays() -> None:
    figure = estimated([{"size": "large"}], {"drive": "1.92 TB"}).figures["metadata.empty.create.peak"]
    assert "data arrays are not used" not in figure.rule
    assert "other SSDs, a factor of" in figure.rule
