"""Ranges, powers of doublings, and replication over failure groups."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixsize.estimate.ranges import Range, doubled
from pixsize.products.scale.figures.capacity import replicated


def test_bounds_are_rounded_outwards_and_once() -> None:
    assert Range(Fraction(9, 4), Fraction(5, 2), Fraction(11, 4)).whole() == (3, 2, 3)


def test_widening_is_no_narrowing() -> None:
    once, twice = (Range(Fraction(10), Fraction(10), Fraction(10)).widened(Fraction(1, 10), n) for n in (1, 2))
    assert (once.low, once.value, once.high) == (Fraction(100, 11), 10, 11)
    assert twice.low < once.low
    assert twice.high > once.high


@given(
    st.fractions(min_value=0, max_value=10**12),
    st.fractions(min_value=0, max_value=20),
    st.fractions(min_value=0, max_value=20),
    st.integers(0, 6),
)
def test_a_range_widens_with_spread_and_steps_and_stays_above_nothing(
    value: Fraction, one: Fraction, other: Fraction, steps: int
) -> None:
    """Spreads above one, too: readings of a cold and a warm cache are more than a factor of two apart."""
    exact = Range(value, value, value)
    less, more = (exact.widened(s, steps) for s in sorted((one, other)))
    assert 0 <= more.low <= less.low <= value <= less.high <= more.high
    assert exact.widened(one, steps + 1).low <= exact.widened(one, steps).low
    assert more.low * more.high == value * value


def test_a_ceiling_with_a_range_caps_each_end_by_its_own() -> None:
    capped = Range(Fraction(3), Fraction(5), Fraction(9)).under(Range(Fraction(2), Fraction(4), Fraction(10)))
    assert capped == (2, 4, 9)


@pytest.mark.parametrize(
    ("size", "factor"), [("1/4", "1/9"), ("1/2", "1/3"), ("1", "1"), ("2", "3"), ("3", "6"), ("4", "9"), ("3/4", "2/3")]
)
def test_doubled(size: str, factor: str) -> None:
    """A factor of 3 a doubling: 3 at 2, 9 at 4, and halfway between at 3."""
    assert doubled(Fraction(3), Fraction(size)) == Fraction(factor)


def test_doubled_refuses_nothing() -> None:
    with pytest.raises(ValueError, match="no size"):
        doubled(Fraction(2), Fraction(0))


@given(st.fractions(min_value="1/64", max_value=64), st.fractions(min_value="1/64", max_value=64))
def test_doubled_grows_with_size(one: Fraction, other: Fraction) -> None:
    small, large = sorted((one, other))
    assert doubled(Fraction(3, 2), small) <= doubled(Fraction(3, 2), large)
    assert doubled(Fraction(2), large) == large


@pytest.mark.parametrize(
    ("groups", "copies", "usable"),
    [
        ([10, 10], 2, 10),
        ([10, 4], 2, 4),
        ([5, 5, 5], 2, 7),
        ([10, 3, 3], 2, 6),
        ([10, 10, 10], 3, 10),
        ([9, 9, 3], 3, 3),
        ([20, 5, 5, 5], 3, 7),
        ([7, 8], 1, 15),
        ([7], 2, 0),
        ([], 2, 0),
    ],
)
def test_replicated_by_hand(groups: list[int], copies: int, usable: int) -> None:
    assert replicated(groups, copies) == usable


@given(st.lists(st.integers(0, 10**15), min_size=2, max_size=12))
def test_two_copies(groups: list[int]) -> None:
    """What GPFS can store twice: half of everything, and no more than what lies outside the largest group."""
    assert replicated(groups, 2) == min(sum(groups) // 2, sum(groups) - max(groups))


@given(st.lists(st.integers(0, 12), min_size=1, max_size=5), st.integers(1, 3))
def test_replicated_against_filling_by_hand(groups: list[int], copies: int) -> None:
    """Blocks of one byte, each copy into the emptiest groups: the greedy filling that is optimal for equal blocks."""
    free, stored = sorted(groups, reverse=True), 0
    while len(free) >= copies and free[copies - 1] > 0:
        free = sorted((f - (i < copies) for i, f in enumerate(free)), reverse=True)
        stored += 1
    assert replicated(groups, copies) == stored
