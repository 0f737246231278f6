"""Systems with a pool of servers: every number of servers is looked at against the bounds and the search."""

from __future__ import annotations

from typing import Any

import pytest

from pixsize.size.bounds import bounds_of
from pixsize.size.objective import Objective
from pixsize.size.requirements import ENDS, missed, wanted
from pixsize.size.search import Search
from tests.size.spaces import BILL, asked, few_rests, planned, space
from tests.support.running import catalog

POOL = "lustre-powerflex"
REACHED = ("usable", "formatted", "raw", "read", "write", "random_read", "files", "create")


def test_a_system_has_the_parts_of_its_plan() -> None:
    made = space(POOL)
    for rest in few_rests(POOL):
        for number in (made.least_modules, 8, made.most_modules):
            plan = planned(made.request(rest, made.kinds(rest), (number,)))
            assert made.items(rest, made.kinds(rest), (number,)) == BILL.counted(plan)


@pytest.mark.long
@pytest.mark.parametrize("word", REACHED)
def test_bounds_hold(word: str) -> None:
    made = space(POOL)
    unit = {"usable": "TB", "formatted": "TB", "raw": "TB", "files": ""}.get(word, "kop/s")
    for peak, end in [("", e) for e in ENDS] + [("peak:", "low")] * (
        word not in ("usable", "formatted", "raw", "files")
    ):
        (requirement,) = asked(
            **{word: f"{peak}1{'GB/s' if word in ('read', 'write') else unit}", "confidence": end}
        ).all
        for rest in few_rests(POOL):
            kinds = made.kinds(rest)
            for number in (made.least_modules, 4, 5, 8, 13, made.most_modules):
                figure = made.figures(rest, kinds, (number,), (requirement.figure,)).get(requirement.figure)
                if figure is None:
                    continue
                need = requirement._replace(need=requirement.need * 0 + requirement.end_of(figure))
                bounds = bounds_of(made, rest, kinds, [need])
                measured = any(m.total() == number for m in made.measured(rest))
                assert measured or not bounds.hopeless
                assert not any(bound.misses((number,), number) for bound in bounds.of_modules)


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        {"usable": "100TB"},
        {"write": "peak:20GB/s"},
        {"usable": "60TB", "files": "300 million"},
        {"read": "peak:90GB/s"},
    ],
    ids=str,
)
def test_the_best_is_the_best_of_all(words: dict[str, Any]) -> None:
    made, requirements = space(POOL), asked(**words)
    objective = Objective.made(catalog(), None)
    fitting = []
    for rest in few_rests(POOL):
        kinds = made.kinds(rest)
        for number in range(made.least_modules, made.most_modules + 1):
            figures = made.figures(rest, kinds, (number,), wanted(requirements))
            if not any(missed(requirements, figures)):
                fitting.append(objective.of(made.items(rest, kinds, (number,))))
    best = Search(requirements, objective).run([made])
    assert (best and best.cost) == min(fitting, default=None)
