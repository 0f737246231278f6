"""Metadata rates: as measured for one ME4024 with a Large, and what may be said of other systems, worked out by hand.

Sources: Dell PixStor 6 white paper, Table 4 and the MDtest sections; Dell's Lustre on ME4, Figures 6 to 8: with a
second MDT 60 -> 90, 668 -> 1237 and 239 -> 596 kop/s. The readings that lie furthest apart are 7.7 and 6.4 Mop/s, stat
of files of 4 KiB in the PixStor 5 guide.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest

from tests.support.estimating import estimated

SPREAD = Fraction(77, 64) - 1

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


def test_the_range_spans_both_readings() -> None:
    figure = estimated([{"size": "large"}]).figures["metadata.empty.remove.peak"]
    assert (figure.low, figure.high) == (164_755, 189_250)


def test_reads_of_4k_files_may_come_from_disk_as_in_the_generation_before() -> None:
    """5.65 and 3.2 Mop/s came from a cache; the same arrays gave PixStor 5 37.3 kop/s, printed so for both."""
    figures = estimated([{"size": "large"}]).figures
    peak, sustained = (figures[f"metadata.4k.read.{t}"] for t in ("peak", "sustained"))
    assert (peak.low, peak.value, peak.high) == (37_250, 5_650_000, 5_655_000)
    assert (sustained.low, sustained.value, sustained.high) == (37_250, 3_200_000, 3_250_000)
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
    """The document's claim is the value, 4 x 232.2; Lustre's least gain twice, 1.5^2, and its largest bound it."""
    figure = estimated([{"size": "large"}], {"arrays": 4, "drive": "960 GB"}).figures["metadata.empty.create.peak"]
    assert (figure.value, figure.basis) == (4 * 232_200, "extrapolated")
    assert figure.low == floor(Fraction(232_150) * Fraction(9, 4) / (1 + SPREAD))
    assert figure.high == ceil(Fraction(232_250) * Fraction(596, 239) ** 2 * (1 + SPREAD))


@pytest.mark.parametrize("name", ["empty.stat", "empty.read", "4k.create", "4k.stat", "4k.read", "4k.remove"])
def test_what_the_document_does_not_stand_by_is_bounded(name: str) -> None:
    """Four arrays: no gain is counted on, four times the rate is the most."""
    one = estimated([{"size": "large"}]).figures[f"metadata.{name}.peak"]
    four = estimated([{"size": "large"}], {"arrays": 4, "drive": "960 GB"}).figures[f"metadata.{name}.peak"]
    assert (four.value, four.basis) == (one.value, "estimated")
    assert four.low == floor(one.low / (1 + SPREAD))
    assert four.high == ceil(4 * one.high * (1 + SPREAD))


def test_4k_files_with_less_than_a_large_by_hand() -> None:
    """A Small has a quarter of the arrays: from a quarter of 70.76K to all of it, and the value halfway."""
    figure = estimated([{"size": "small"}]).figures["metadata.4k.create.peak"]
    assert (figure.value, figure.basis) == (44_225, "estimated")
    assert figure.low == floor(Fraction(70_755) / 4 / (1 + SPREAD))
    assert figure.high == ceil(70_765 * (1 + SPREAD))


def test_empty_files_do_not_touch_the_data_tier() -> None:
    figure = estimated([{"size": "small"}]).figures["metadata.empty.stat.peak"]
    assert (figure.value, figure.basis) == (5_340_000, "extrapolated")
    assert figure.low == floor(5_335_000 / (1 + SPREAD))


def test_expansions_make_hardly_a_difference() -> None:
    """PixStor 5 showed marginal differences; nobody measured PixStor 6 so."""
    figures = estimated([{"size": "large", "expansion": True}]).figures
    for name in ("empty.create", "4k.create"):
        assert figures[f"metadata.{name}.peak"].value == MEASURED[f"{name}.peak"]
        assert figures[f"metadata.{name}.peak"].basis == "extrapolated"


def test_other_ssds_are_extrapolated() -> None:
    figure = estimated([{"size": "large"}], {"drive": "1.92 TB"}).figures["metadata.empty.create.peak"]
    assert (figure.value, figure.basis) == (232_200, "extrapolated")
    assert figure.low < 232_150


def test_the_standard_variant_has_no_rates() -> None:
    found = estimated([{"size": "large"}], None)
    assert not [i for i in found.figures if i.startswith("metadata.")]
    assert "PX405" in found.codes()


def test_arrays_of_all_modules_count() -> None:
    figure = estimated([{"size": "large"}], {"modules": 2, "arrays": 4, "drive": "960 GB"}).figures
    assert figure["metadata.empty.create.peak"].value == 8 * 232_200


@pytest.mark.parametrize(
    ("name", "floor_printed"),
    [
        ("empty.create", 146_000),
        ("empty.stat", 2_900_000),
        ("empty.read", 2_000_000),
        ("empty.remove", 130_000),
        ("4k.stat", 4_000_000),
    ],
)
def test_what_the_text_calls_a_floor_is_the_low_end(name: str, floor_printed: int) -> None:
    """ "Does not drop below", "remain above": no half a digit goes below it; the upper end keeps its half."""
    figure = estimated([{"size": "large"}]).figures[f"metadata.{name}.sustained"]
    assert figure.low == floor_printed
    assert figure.high > figure.value


@pytest.mark.parametrize(
    ("modules", "hdmd", "said", "unsaid"),
    [
        ([{"size": "large"}], {"drive": "1.92 TB"}, "depends on the SSDs nobody measured", "expansions"),
        ([{"size": "medium", "count": 2}], {"drive": "960 GB"}, "as many arrays and groups", "expansions"),
        ([{"size": "large", "data_drive": "16 TB"}], {"drive": "960 GB"}, "as many arrays and groups", "expansions"),
        ([{"size": "large", "expansion": True}], {"drive": "960 GB"}, "with or without expansions", "SSDs nobody"),
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
    assert "depends on the SSDs nobody measured" in figure.rule
