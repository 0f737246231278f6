"""Lists of what a system has beside its modules: where they end, and that more hardware never brings less."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pixsize.size.bounds import missed_by_rest
from pixsize.size.objective import Objective
from pixsize.size.records import Rest, Rests
from pixsize.size.requirements import Restrictions
from pixsize.size.search import Search
from tests.size.spaces import POOLS, asked, searched, space
from tests.support.running import catalog

FEW = Restrictions(sizes=("large",), drives=("12 TB",))
"""One kind of module, with and without expansion: the rest decides here, and not the modules."""


def lists(design: str) -> list[Rests]:
    """The lists of a design that have more than one entry."""
    return [each for each in space(design, FEW).rests() if len(each) > 1]


def long_designs() -> list[str]:
    return [design for design in searched() if design not in POOLS]


@pytest.mark.parametrize("design", long_designs())
def test_a_list_ends_where_no_module_fits(design: str) -> None:
    made = space(design, FEW)
    each = lists(design)[0]
    least = min(k.volumes for k in made.kinds(each[0]))
    last, before = each[-1], each[-2]
    assert last.volumes + least <= made.limit
    assert last.arrays == each.arrays(len(each) - 1)
    step = last.volumes - before.volumes
    assert not step or last.volumes + step + least > made.limit
    assert [r.words for r in each[:2]] == [each[0].words, each[1].words]


def test_volumes_for_metadata_take_room_from_modules() -> None:
    """2,048 NSDs, and 12 on each ME4024 in RAID 1: beside the 32 of a Large, 168 such arrays fit."""
    last = lists("pixstor-6")[0][-1]
    assert last.words["hdmd"]["modules"] * last.words["hdmd"]["arrays"] == last.volumes // 12
    assert last.volumes <= 2048 - 32 < last.volumes + 4 * 12


def words_missed(design: str, rest: Rest, words: dict[str, str]) -> set[str]:
    made = space(design, FEW)
    return set(missed_by_rest(made, rest, made.kinds(rest), asked(**words).all))


NEEDS = {
    "files": st.sampled_from(("1e6", "5e8", "2e9", "1e10", "4e10", "2e11", "1e13")),
    "create": st.sampled_from(("1kop/s", "60kop/s", "300kop/s", "2Mop/s", "9Mop/s", "900Mop/s")),
    "confidence": st.sampled_from(("low", "value", "high")),
}


@pytest.mark.long
@pytest.mark.parametrize("design", long_designs())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(words=st.fixed_dictionaries(NEEDS), data=st.data())
def test_more_hardware_misses_no_more(design: str, words: dict[str, str], data: st.DataObject) -> None:
    each = lists(design)[0]
    few, many = sorted(data.draw(st.lists(st.integers(0, len(each) - 1), min_size=2, max_size=2, unique=True)))
    assert words_missed(design, each[many], words) <= words_missed(design, each[few], words)


@pytest.mark.long
@pytest.mark.parametrize("design", long_designs())
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(words=st.fixed_dictionaries(NEEDS))
def test_the_next_place_is_the_one_that_a_walk_finds(design: str, words: dict[str, str]) -> None:
    """By steps that double and then by halves, or from one place to the next: the same place, and none is left out."""
    made, each = space(design, FEW), lists(design)[0][:40]
    if not words_missed(design, each[0], words):
        return
    hopeful = (i for i in range(1, len(each)) if not words_missed(design, each[i], words))
    measured = (i for i in range(1, len(each)) if each[i].system.metadata.arrays in made.measured_arrays)
    walked = min(next(hopeful, len(each)), next(measured, len(each)))
    search = Search(asked(**words), Objective.made(catalog(), None))
    assert search._next(made, each, 0, "files") == walked
    assert search.pruned["files"] == walked - 1
