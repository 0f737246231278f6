"""Ranges and the steps that widen them, powers of doublings, and replication over failure groups."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixsize.estimate.ranges import Range, Step, doubled, doublings, quadrature, told
from pixsize.products.scale.figures.capacity import replicated


def exact(value: int) -> Range:
    return Range(Fraction(value), Fraction(value), Fraction(value))


def test_bounds_are_rounded_outwards_and_once() -> None:
    assert Range(Fraction(9, 4), Fraction(5, 2), Fraction(11, 4)).whole() == (3, 2, 3)


ratios = st.fractions(min_value=1, max_value=20).map(lambda r: r.limit_denominator(1000))


def step(down: Fraction | str, up: Fraction | str | None = None) -> Step:
    return Step("again", "a reason", Fraction(down), Fraction(down if up is None else up))


def test_independent_ratios_add_in_quadrature_by_hand() -> None:
    """Logarithms of 3 and 4 parts come to 5: 1.1^3 and 1.1^4 to 1.1^5. Two alike come to the power of root two."""
    assert quadrature([Fraction(1331, 1000), Fraction(14_641, 10_000)]) == Fraction("1.610510")
    assert quadrature([Fraction(2), Fraction(2)]) == Fraction("2.665144")  # e^(0.693147 x 1.414214)
    assert quadrature([Fraction(5), Fraction(1)]) == 5
    assert quadrature([]) == quadrature([Fraction(1)]) == 1


def test_a_range_after_steps_by_hand() -> None:
    """1000 with 1.2 either way. With 4/3 down and 5/4 up of its own: 1000 e^-0.340591 and 1000 e^0.288157."""
    assert exact(1000).after([step("1.2")]) == (Fraction(2500, 3), 1000, 1200)
    after = Range(Fraction(750), Fraction(1000), Fraction(1250)).after([step("1.2")])
    assert (float(after.low), float(after.high)) == pytest.approx((711.35, 1333.966), rel=1e-6)


def test_without_a_step_a_range_stays_and_a_doubt_is_on_one_side() -> None:
    assert Range(Fraction(3), Fraction(4), Fraction(5)).after([]) == (3, 4, 5)
    assert exact(100).after([step(2, 1)]) == (50, 100, 100)
    assert step("1.2").upwards() == step(1, "1.2")
    assert step("1.2").downwards() == step("1.2", 1)


def test_nothing_stays_nothing() -> None:
    """The logarithm of a rate of zero is none: such a range stays as it is."""
    assert exact(0).after([step(2)]) == (0, 0, 0)


@given(st.lists(ratios, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_steps_changes_nothing(found: list[Fraction], rng: random.Random) -> None:
    mixed = rng.sample(found, len(found))
    assert quadrature(mixed) == quadrature(found)
    assert exact(10**9).after(map(step, mixed)) == exact(10**9).after(map(step, found))


@given(ratios, ratios, st.lists(ratios, max_size=4), st.fractions(min_value=1, max_value=10**12))
def test_each_step_widens(low: Fraction, high: Fraction, found: list[Fraction], value: Fraction) -> None:
    """Wider with each, and never wider than one on top of the other; the value stays. Six digits are kept."""
    own = Range(value / low, value, value * high)
    before, after = own.after(map(step, found[:-1])), own.after(map(step, found))
    slack = 1 + Fraction(1, 10**6)
    assert 0 < after.low <= before.low * slack
    assert before.low <= value == after.value <= before.high
    assert before.high <= after.high * slack
    on_top = math.prod(found, start=high)
    assert after.high <= value * on_top * slack
    assert quadrature(found) >= max(found, default=Fraction(1)) / slack


@given(ratios, ratios, ratios)
def test_a_step_on_one_side_leaves_the_other(down: Fraction, up: Fraction, more: Fraction) -> None:
    wide = exact(1000).after([step(down, up)])
    assert exact(1000).after([step(down, up), step(1, more)]).low == wide.low
    assert exact(1000).after([step(down, up), step(more, 1)]).high == wide.high


@given(st.lists(ratios, min_size=2, max_size=5))
def test_a_root_is_rounded_so_that_every_machine_agrees(found: list[Fraction]) -> None:
    total = quadrature(found)
    if sum(r != 1 for r in found) > 1:
        assert total * 10**6 == int(total * 10**6)


def test_how_many_doublings() -> None:
    assert [doublings(Fraction(s)) for s in ("1/4", "1", "2", "8")] == [2, 0, 1, 3]
    assert doublings(Fraction(20)) == doublings(Fraction(1, 20)) == pytest.approx(4.321928)


def test_a_range_is_told_by_its_steps() -> None:
    one, other = step("1.1")._replace(what="a new server"), step("1.2", 1)._replace(what="a doubt")
    assert told([]) == ""
    assert told([one]) == (
        "The range, for nine of ten measurements, allows for a new server, a factor of 1.10 up or down."
    )
    assert told([one, other]) == (
        "The range, for nine of ten measurements, allows for (1) a new server, a factor of 1.10 up or down; (2) a doubt, "
        "a factor of 1.20 down. They are independent of each other: together a factor of 1.10 up and 1.23 down."
    )


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
