"""A system without its plan has the figures and parts of its plan."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pixsize.estimate import ids
from pixsize.estimate.make import estimate
from pixsize.size.requirements import PORTS, RACKS
from tests.size.spaces import BILL, few_rests, figures_of_words, planned, searched, space, systems
from tests.support.running import catalog

some = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.long
@pytest.mark.parametrize("design", searched())
@some
@given(st.data())
def test_the_figures_are_those_of_the_plan(design: str, data: st.DataObject) -> None:
    rest, kinds, counts = data.draw(systems(design, most=17))
    plan = planned(space(design).request(rest, kinds, counts))
    whole, _ = estimate(plan, catalog(), by_threads=False)
    found = space(design).figures(rest, kinds, counts, figures_of_words())
    for name in set(figures_of_words()) & set(whole):
        assert name in found
        without_words = {"readings": (), "rule": "", "inputs": ()} if name == ids.RACK_UNITS else {"readings": ()}
        assert replace(found[name], **without_words) == replace(whole[name], **without_words)
    assert set(found) - {PORTS, RACKS} <= set(whole)
    assert space(design).items(rest, kinds, counts) == BILL.counted(plan)


@pytest.mark.parametrize("design", searched())
def test_what_figures_are_made_of_does_not_grow_with_the_number_of_modules(design: str) -> None:
    """So that a leaf of the search takes as long for 200 modules as for one; a whole plan has parts for each."""
    rest = few_rests(design)[-1]
    kinds = space(design).kinds(rest)
    few, many = (space(design).offers.together(rest.stored, [(kinds[0].stored, n)]) for n in (1, 30))
    assert len(few.data.groups) == len(many.data.groups) == 1
    assert 30 * few.data.volumes == many.data.volumes
    systems = [space(design).system(rest, kinds, (n, *(0 for _ in kinds[1:]))) for n in (1, 30)]
    assert [len(s.parts) for s in systems] == [1, 1]


def test_racks_are_filled_from_the_highest_part_on() -> None:
    rest = few_rests("pixstor-6")[0]
    kinds = space("pixstor-6").kinds(rest)
    large = next(i for i, k in enumerate(kinds) if k.name == "Large, 12 TB")
    for number, racks in ((1, 1), (2, 2), (3, 2), (4, 3)):
        counts = tuple(number if i == large else 0 for i in range(len(kinds)))
        found = space("pixstor-6").figures(rest, kinds, counts, (RACKS, ids.RACK_UNITS))
        assert found[RACKS].value == racks
        assert found[ids.RACK_UNITS].value <= 42 * racks
