"""No figure of any system lies above its bound, at the end of the range that is asked about."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pixsize.size.bounds import MARGIN, bounds_of
from pixsize.size.hull import Hull
from pixsize.size.requirements import ENDS, WORDS
from tests.size.spaces import asked, searched, space, systems

some = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
REACHED = tuple(word for word, about in WORDS.items() if about.at_least)


@pytest.mark.long
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("design", searched())
@some
@given(st.data())
def test_bounds_hold(design: str, end: str, data: st.DataObject) -> None:
    rest, kinds, counts = data.draw(systems(design))
    word = data.draw(st.sampled_from(REACHED))
    peak = "peak:" if WORDS[word].durations and data.draw(st.booleans()) else ""
    unit = {"capacity": "TB", "rate": "GB/s", "operations": "kop/s"}.get(WORDS[word].dimension, "")
    (requirement,) = asked(**{word: f"{peak}1{unit}", "confidence": end}).all
    figure = space(design).figures(rest, kinds, counts, (requirement.figure,)).get(requirement.figure)
    if figure is None or not requirement.end_of(figure):
        return
    need = requirement._replace(need=requirement.need * 0 + requirement.end_of(figure))
    bounds = bounds_of(space(design), rest, kinds, [need])
    modules = sum(counts)
    measured = any(
        tuple(m[k.part.kind] for k in kinds) == counts and m.total() == modules for m in space(design).measured(rest)
    )
    assert measured or not bounds.hopeless
    for bound in bounds.of_modules:
        assert not bound.misses(counts, modules)
        for row in bound.rows(modules):
            brought = sum(n * b for n, b in zip(counts, row.brings, strict=True))
            assert brought >= row.need * (1 - MARGIN), row.word


def test_a_bound_rules_out_what_lies_well_above_it() -> None:
    """A bound that holds of everything would prove nothing: 600 GB/s are not 363 by the plan."""
    requirement = asked(write="600GB/s").all[0]
    made = space("pixstor-6")
    rest = next(made.rests())[0]
    kinds = made.kinds(rest)
    (bound,) = bounds_of(made, rest, kinds, [requirement]).of_modules
    large = tuple(36 if k.name == "Large, 12 TB" else 0 for k in kinds)
    assert bound.misses(large, 36)
    assert sum(n * r[0] for n, r in zip(large, bound.ranges, strict=True)) > 600e9  # their lows alone add to more


points = st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), min_size=1, max_size=6)


@given(points, st.lists(st.integers(0, 4), min_size=6, max_size=6))
def test_no_mix_is_cheaper_than_the_hull_says(each: list[tuple[int, int]], counts: list[int]) -> None:
    used = list(zip(each, counts, strict=False))
    modules = sum(n for _, n in used)
    if not modules:
        return
    brings, costs = (sum(p[i] * n for p, n in used) / modules for i in (0, 1))
    least = Hull([(float(b), float(c)) for b, c in each]).least(brings)
    assert least is not None
    assert least <= costs + 1e-9


@given(points)
def test_the_hull_is_reached_at_its_corners(each: list[tuple[int, int]]) -> None:
    hull = Hull([(float(b), float(c)) for b, c in each])
    assert hull.least(0.0) == min(c for _, c in each)
    most = max(b for b, _ in each)
    assert hull.least(float(most)) == min(c for b, c in each if b == most)
    assert hull.least(most + 1.0) is None
