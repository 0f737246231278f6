"""Throughput: the measured values as printed, and extrapolations worked out by hand with literal numbers.

Sources: Dell PixStor 6 white paper, Tables 4 and 5, and the sections on sequential and random performance. The spread
of sequential readings is 23.8/21.7 - 1 (N-1 read of a Large: text against table), of random ones 34.2/27.4 - 1.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest

from tests.support.estimating import estimated

GB = 10**9
SEQUENTIAL = Fraction(238, 217) - 1
RANDOM = Fraction(342, 274) - 1

TABLE_4 = {
    "n_n.write.peak": 20_500, "n_n.write.sustained": 19_800, "n_n.read.peak": 23_000, "n_n.read.sustained": 21_000,
    "n_1.write.peak": 20_200, "n_1.write.sustained": 18_000, "n_1.read.peak": 21_700, "n_1.read.sustained": 21_000,
}  # fmt: skip
"""MB/s. N-1 read sustained: the text's plateau of 21 GB/s with dips below; the table prints 21.3."""
TABLE_5 = {
    "n_n.write.peak": 21_600, "n_n.write.sustained": 21_100, "n_n.read.peak": 26_900, "n_n.read.sustained": 25_700,
    "n_1.write.peak": 21_700, "n_1.write.sustained": 21_000, "n_1.read.peak": 27_900, "n_1.read.sustained": 27_700,
}  # fmt: skip


@pytest.mark.parametrize(("expansion", "table"), [(False, TABLE_4), (True, TABLE_5)])
def test_the_measured_systems(expansion: bool, table: dict[str, int]) -> None:
    found = estimated([{"size": "large", "expansion": expansion}])
    for name, megabytes in table.items():
        figure = found.figures[f"throughput.sequential.{name}"]
        assert figure.value == megabytes * 10**6
        assert figure.basis == "measured"
        assert figure.limited_by


def test_random_is_sized_on_the_readings_that_the_errata_choose() -> None:
    """Table 4 prints 18.4K under write and 12.4K under read; the text says otherwise. 12.8K and 34.2K only widen."""
    large = estimated([{"size": "large"}]).figures
    expanded = estimated([{"size": "large", "expansion": True}]).figures
    write, read = large["throughput.random_4k.write.peak"], large["throughput.random_4k.read.peak"]
    assert (write.value, write.low, write.high) == (12_400, 12_350, 12_850)
    assert (read.value, read.low, read.high) == (18_400, 18_350, 18_450)
    assert {r.text for r in write.readings} == {"12.4 kop/s", "12.8 kop/s", "18.4 kop/s"}
    assert [r.text for r in write.readings if r.used] == ["12.4 kop/s"]
    assert expanded["throughput.random_4k.write.peak"].value == 27_400
    assert expanded["throughput.random_4k.write.peak"].high == 34_250
    assert expanded["throughput.random_4k.read.peak"].value == 32_300


def test_range_of_a_measured_figure() -> None:
    """23 GB/s is printed without decimals: half a GB/s either way. N-1 read: 21.7 in the table, 23.8 in the text."""
    figures = estimated([{"size": "large"}]).figures
    n_n, n_1 = (figures[f"throughput.sequential.{p}.read.peak"] for p in ("n_n", "n_1"))
    assert (n_n.low, n_n.high) == (22_500_000_000, 23_500_000_000)
    assert (n_1.low, n_1.high) == (21_650_000_000, 23_850_000_000)
    assert [(r.value, r.used) for r in n_1.readings] == [(21_700_000_000, True), (23_800_000_000, False)]


def test_small_write_by_hand() -> None:
    """A quarter of 20.5 GB/s is 5.125; an ME4084 is specified at 5.5 GB/s (22 GB/s for four); halfway is 5.3125.

    20.5 may have been 20.45, a quarter of which is 5.1125.
    """
    figure = estimated([{"size": "small"}]).figures["throughput.sequential.n_n.write.peak"]
    assert figure.value == 5_312_500_000
    assert figure.low == floor(Fraction(5_112_500_000) / (1 + SEQUENTIAL))
    assert figure.high == ceil(Fraction(5_500_000_000) * (1 + SEQUENTIAL))
    assert figure.basis == "extrapolated"
    assert figure.limited_by == "array controllers"


def test_small_read_by_hand() -> None:
    """A quarter of 23 GB/s (22.5 as printed) is 5.75; four arrays were seen at 27.9 (N-1 with expansions), one at 6.975."""
    figure = estimated([{"size": "small"}]).figures["throughput.sequential.n_n.read.peak"]
    assert figure.value == 6_362_500_000
    assert figure.low == floor(Fraction(22_500_000_000, 4) / (1 + SEQUENTIAL))
    assert figure.high == ceil(Fraction(6_975_000_000) * (1 + SEQUENTIAL))
    assert figure.limited_by == "drives"


def test_medium_with_expansion_by_hand() -> None:
    """Half of 26.9 GB/s is 13.45; two arrays carry 13.95: 13.7. The controllers are the limit, says the document."""
    figure = estimated([{"size": "medium", "expansion": True}]).figures["throughput.sequential.n_n.read.peak"]
    assert figure.value == 13_700_000_000
    assert figure.limited_by == "array controllers"


def test_other_drives_are_wider_than_the_measured_ones() -> None:
    """Same arrays, other drives: the measured value, up to what the controllers carry (27.9), both ends widened."""
    figure = estimated([{"size": "large", "data_drive": "16 TB"}]).figures["throughput.sequential.n_n.read.peak"]
    assert figure.value == 23 * GB
    assert figure.basis == "extrapolated"
    assert figure.low == floor(Fraction(22_500_000_000) / (1 + SEQUENTIAL))
    assert figure.high == ceil(Fraction(27_900_000_000) * (1 + SEQUENTIAL))


def test_the_standard_variant_was_not_measured() -> None:
    """The measured value, up to the 27.9 GB/s that four arrays' controllers were seen to carry, both ends widened."""
    figure = estimated([{"size": "large"}], None).figures["throughput.sequential.n_n.read.peak"]
    assert (figure.value, figure.basis) == (23 * GB, "extrapolated")
    assert figure.low == floor(Fraction(22_500_000_000) / (1 + SEQUENTIAL))
    assert figure.high == ceil(Fraction(27_900_000_000) * (1 + SEQUENTIAL))


def test_writes_of_the_standard_variant_reach_what_is_specified() -> None:
    """Measured 20.5 GB/s (20.45 as printed), specified 22 for four arrays: both ends go beyond by the spread."""
    figure = estimated([{"size": "large"}], None).figures["throughput.sequential.n_n.write.peak"]
    assert figure.low == floor(Fraction(20_450_000_000) / (1 + SEQUENTIAL))
    assert figure.high == ceil(Fraction(22_000_000_000) * (1 + SEQUENTIAL))


def test_two_equal_modules_add() -> None:
    """Twice 23 GB/s; 22.5 to 23.5 twice, and a spread either way, since nobody measured that modules add."""
    figure = estimated([{"size": "large", "count": 2}]).figures["throughput.sequential.n_n.read.peak"]
    assert (figure.value, figure.basis) == (46 * GB, "extrapolated")
    assert figure.high == ceil(2 * Fraction(23_500_000_000) * (1 + SEQUENTIAL))
    assert figure.low == floor(2 * Fraction(22_500_000_000) / (1 + SEQUENTIAL))
    assert figure.limited_by == "drives"


def test_unlike_modules_are_paced_by_the_slowest_nsd() -> None:
    """A Large (32 NSDs, 20.5 GB/s) and one with expansion (64, 21.6): 96 NSDs at 21.6/64 are 32.4; the sum is 42.1."""
    modules = [{"size": "large"}, {"size": "large", "expansion": True}]
    figure = estimated(modules).figures["throughput.sequential.n_n.write.peak"]
    assert figure.value == (32_400_000_000 + 42_100_000_000) // 2
    assert figure.high == ceil((20_550_000_000 + 21_650_000_000) * (1 + SEQUENTIAL))
    assert figure.low == floor(Fraction(96 * 21_550_000_000, 64) / (1 + SEQUENTIAL))
    assert figure.limited_by == "slowest NSDs (sm02: array controllers)"


def test_the_lower_end_of_a_mix_is_that_of_the_least_certain_nsd() -> None:
    """A Small may be slower for each NSD than the measured Large, though its value is not: 40 NSDs at its low end."""
    figure = estimated([{"size": "large"}, {"size": "small"}]).figures["throughput.sequential.n_n.write.peak"]
    assert figure.low == floor(40 * Fraction(5_112_500_000) / (1 + SEQUENTIAL) / 8 / (1 + SEQUENTIAL))
    assert figure.limited_by == "slowest NSDs (sm01: array controllers)"


def test_medium_standard_is_two_steps_from_what_was_measured() -> None:
    """Neither the size nor the variant was measured: half of 20.5 and 2 x 5.5 GB/s, both widened twice."""
    figure = estimated([{"size": "medium"}], None).figures["throughput.sequential.n_n.write.peak"]
    assert figure.value == 10_625_000_000
    assert figure.low == floor(Fraction(10_225_000_000) / (1 + SEQUENTIAL) ** 2)
    assert figure.high == ceil(Fraction(11_000_000_000) * (1 + SEQUENTIAL) ** 2)


def test_small_random_by_hand() -> None:
    """Write: a quarter of 12.4K is 3.1K; two halvings by 27.4/12.4 give 2.54K. Read: 4.6K and 18.4^3/32.3^2 = 5.97K.

    The ranges rest on the readings of the Large: 12.35K to 12.85K, and 18.35K to 18.45K.
    """
    figures = estimated([{"size": "small"}]).figures
    write, read = (figures[f"throughput.random_4k.{d}.peak"] for d in ("write", "read"))
    seen = Fraction(124**3, 274**2) * 100
    assert write.value == floor((3100 + seen) / 2 + Fraction(1, 2)) == 2820
    assert write.low == floor(12_350 * Fraction(124, 274) ** 2 / (1 + RANDOM))
    assert write.high == ceil(Fraction(12_850, 4) * (1 + RANDOM))
    seen = Fraction(184**3, 323**2) * 100
    assert read.value == floor((4600 + seen) / 2 + Fraction(1, 2)) == 5286
    assert read.low == floor(Fraction(18_350, 4) / (1 + RANDOM))
    assert read.high == ceil(18_450 * Fraction(184, 323) ** 2 * (1 + RANDOM))


def test_that_modules_add_is_said_in_the_summary() -> None:
    """The sentence stands behind the performance of the Large, in its Summary before Table 4."""
    figure = estimated([{"size": "large", "count": 2}]).figures["throughput.sequential.n_n.read.peak"]
    (place,) = (s.place for s in figure.sources if "linearly" in s.place)
    assert place.startswith("PixStor storage solution with high-demand metadata module, Summary")
