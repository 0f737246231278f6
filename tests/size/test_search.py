"""The search finds the best system: against all systems one by one, a checker of its certificate, and HiGHS."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pixsize.figures import Figure
from pixsize.size.bounds import bounds_of
from pixsize.size.objective import Cost, Objective
from pixsize.size.records import Counts, Kind, Rest
from pixsize.size.requirements import WORDS, Requirements, Restrictions, missed
from pixsize.size.search import Pruned, Search
from pixsize.size.space import Space
from tests.size.spaces import asked, few_rests, figures_of_words, searched, space
from tests.support.running import catalog

some = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MODULES = 4
"""All systems of so few modules are looked at one by one."""
SMALL = {
    "two sizes, two drives": Restrictions(sizes=("large", "small"), drives=("12 TB", "16 TB")),
    "two sizes": Restrictions(sizes=("medium", "small"), drives=("8 TB",)),
}


def objective(*criteria: str) -> Objective:
    return Objective.made(catalog(), None, criteria)


def mixes(kinds: int, modules: int) -> Iterator[Counts]:
    """All counts of so many kinds with so many modules in all."""
    if kinds == 1:
        yield (modules,)
        return
    for first in range(modules + 1):
        yield from ((first, *rest) for rest in mixes(kinds - 1, modules - first))


def rests_of(design: str, name: str) -> tuple[Rest, ...]:
    """Nothing beside the modules, where the design allows it, then one and two arrays with each of two drives."""
    return few_rests(design, 2, SMALL[name])[:5]


@lru_cache(maxsize=8)
def all_systems(design: str, name: str) -> tuple[tuple[Cost, dict[str, Figure], str], ...]:
    """The cost and the figures of every system with few modules, and the size of module that its rest needs in vain."""
    made, found = space(design, SMALL[name]), []
    for rest in rests_of(design, name):
        kinds = made.kinds(rest)
        for modules in range(1, MODULES + 1):
            for counts in mixes(len(kinds), modules):
                cost = objective().of(made.items(rest, kinds, counts))
                sizes = {k.size for k, n in zip(kinds, counts, strict=True) if n}
                lacks = "" if rest.needs_size in ("", *sizes) else rest.needs_size
                found.append((cost, made.figures(rest, kinds, counts, figures_of_words()), lacks))
    return tuple(found)


@st.composite
def drawn(draw: st.DrawFn, design: str, name: str) -> Requirements:
    """Requirements that a system with few modules meets, or just does not."""
    _, figures, _ = draw(st.sampled_from(all_systems(design, name)))
    words: dict[str, Any] = {"confidence": draw(st.sampled_from(("low", "value", "high")))}
    chosen = draw(st.lists(st.sampled_from(sorted(WORDS)), min_size=1, max_size=4, unique=True))
    for word in (w for w in chosen if w not in ("price", "power")):
        peak = "peak:" if WORDS[word].durations and draw(st.booleans()) else ""
        suffix = (".peak" if peak else ".sustained") if WORDS[word].durations else ""
        figure = figures.get(WORDS[word].figure + suffix)
        if figure is not None:
            unit = {"capacity": "B", "rate": "B/s", "operations": "op/s"}.get(WORDS[word].dimension, "")
            share = draw(st.sampled_from((60, 95, 100, 101)))
            words[word] = f"{peak}{max(figure.low * share // 100, 1)}{unit}"
    assume(len(words) > 1)
    return asked(**words)


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("design", searched())
@some
@given(st.data())
def test_the_best_is_the_best_of_all(design: str, name: str, data: st.DataObject) -> None:
    requirements = data.draw(drawn(design, name))
    fitting = [c for c, f, lacks in all_systems(design, name) if not lacks and not any(missed(requirements, f))]
    search = Search(requirements, objective())
    best = search.run([space(design, SMALL[name])])
    if best is None:
        assert not fitting
    elif best in fitting or sum(best.counts) <= MODULES:
        assert fitting or best.rest not in rests_of(design, name)
    if fitting:
        assert best is not None
        assert best.cost <= min(fitting)
        inside = best.rest in rests_of(design, name) and sum(best.counts) <= MODULES
        assert not inside or best.cost == min(fitting)
    if best is not None:
        assert not any(missed(requirements, best.figures))
        assert search.certificate().optimal
        assert search.certificate().bound == best.cost


PRICED = ("nl-sas-12tb", "nl-sas-16tb", "me4084", "me4024", "r750", "qm8700", "cable.sas", "scale.licence.server")


@pytest.mark.long
@settings(some, max_examples=8)
@given(
    prices=st.dictionaries(st.sampled_from(PRICED), st.fractions(0, 30_000, max_denominator=100), min_size=1),
    usable=st.integers(200, 9000),
)
def test_the_cheapest_is_the_cheapest_of_all(prices: dict[str, Fraction], usable: int) -> None:
    name = "two sizes, two drives"
    made, by_price = space("pixstor-6", SMALL[name]), Objective.made(catalog(), prices, (), "EUR")
    best = Search(asked(usable=f"{usable}TB"), by_price).run([made])
    assert best is not None
    for rest in rests_of("pixstor-6", name):
        kinds = made.kinds(rest)
        for counts in (c for n in range(1, MODULES + 1) for c in mixes(len(kinds), n)):
            figures = made.figures(rest, kinds, counts, ("capacity.usable",))
            sizes = {k.size for k, n in zip(kinds, counts, strict=True) if n}
            if figures["capacity.usable"].low >= usable * 10**12 and rest.needs_size in ("", *sizes):
                items = made.items(rest, kinds, counts)
                price = sum(prices.get(item, Fraction(0)) * n for item, n in items.items())
                assert best.cost[0] <= price * by_price.smallest


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        {"read_n_1": "11566520605B/s", "racks": 1, "files": "50 billion"},
        {"files": "400 billion", "rack_units": 90, "random_write": "3kop/s"},
        {"create": "900kop/s", "files": "900 billion"},
    ],
)
def test_what_cannot_be_is_seen_early(words: dict[str, Any]) -> None:
    """More modules do not help where a rack is full or the metadata holds no more files."""
    search = Search(asked(**words), objective())
    assert search.run([space("lustre-me4"), space("pixstor-6")]) is None
    assert search.nodes < 6000


# --- an independent checker of the certificate ----------------------------------------------------------------------

CASES = {
    "capacity": {"usable": "9PB"},
    "rates": {"usable": "3PB", "read": "60GB/s", "write": "50GB/s"},
    "files": {"usable": "5PB", "files": "1.2 billion", "create": "60kop/s"},
    "racks": {"formatted": "20PB", "random_read": "30kop/s", "racks": 6},
    "out of reach": {"usable": "3PB", "read": "50GB/s", "rack_units": 40},
}


def completions(each: Pruned, chance: random.Random) -> Iterator[Counts]:
    """Some systems of a branch that ended: of one further kind, and of two."""
    chosen, free = each.chosen, len(each.kinds) - len(each.chosen)
    left = each.modules - sum(chosen)
    for _ in range(3 if free else 1):
        rest = [0] * free
        if free:
            first = chance.randint(0, left)
            rest[chance.randrange(free)] += first
            rest[chance.randrange(free)] += left - first
        yield (*chosen, *rest)


def judge_branch(made: Space, each: Pruned, counts: Counts, requirements: Requirements, cost: Cost | None) -> None:
    volumes = each.rest.volumes + sum(k.volumes * n for k, n in zip(each.kinds, counts, strict=True))
    own = objective().of(made.items(each.rest, each.kinds, counts))
    if each.rule in ("cost", ""):
        assert cost is not None
        figures = made.figures(each.rest, each.kinds, counts, [r.figure for r in requirements.all])
        assert own >= cost or volumes > made.limit or any(missed(requirements, figures))
    elif each.rule == "limit":
        assert volumes > made.limit
    elif each.rule == "size beside the metadata":
        assert each.rest.needs_size not in {k.size for k, n in zip(each.kinds, counts, strict=True) if n}
    elif volumes <= made.limit:
        (requirement,) = (r for r in requirements.all if r.word == each.rule)
        figures = made.figures(each.rest, each.kinds, counts, (requirement.figure,))
        assert not requirement.met(figures.get(requirement.figure)), (each.rule, counts)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("design", searched())
def test_the_branches_that_ended_hold_every_system(design: str, case: str) -> None:
    """They cover each system of each number of modules once; and each of them is ended by a rule that holds."""
    requirements, made = asked(**CASES[case]), space(design)
    record: list[Pruned] = []
    best = Search(requirements, objective(), record=record).run([made])
    covered: dict[tuple[str, tuple[str, ...], int], int] = defaultdict(int)
    chance = random.Random(7)
    numbers: dict[tuple[str, tuple[str, ...]], set[int]] = defaultdict(set)
    for each in record:
        if not each.modules:  # a rest that was left out as a whole
            assert each.rule != "cost" or (best and objective().of(each.rest.items) >= best.cost)
            continue
        numbers[each.rest.key, tuple(k.name for k in each.kinds)].add(each.modules)
        free, left = len(each.kinds) - len(each.chosen), each.modules - sum(each.chosen)
        key = each.rest.key, tuple(k.name for k in each.kinds), each.modules
        covered[key] += comb(left + free - 1, free - 1) if free else 1
    for (rest, _), found in numbers.items():
        (each,) = list({e.rest.key: e for e in record if e.modules and e.rest.key == rest}.values())
        most = min((made.limit - each.rest.volumes) // min(k.volumes for k in each.kinds), made.most_modules)
        assert found == set(range(made.least_modules, most + 1))
    for (_, kinds, modules), systems in covered.items():
        assert systems == comb(modules + len(kinds) - 1, len(kinds) - 1)
    for each in chance.sample(record, min(len(record), 150)):
        for counts in completions(each, chance) if each.modules else ():
            judge_branch(made, each, counts, requirements, best and best.cost)


# --- HiGHS ---------------------------------------------------------------------------------------------------------


def relaxed(made: Space, rest: Rest, kinds: tuple[Kind, ...], requirements: Requirements, modules: int) -> float | None:
    """The least rack units of the servers and enclosures of so many modules by HiGHS, under the rows of the bounds."""
    highspy = pytest.importorskip("highspy")
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    rows = [
        row
        for bound in bounds_of(made, rest, kinds, [r for r in requirements.all if r.at_least]).of_modules
        for row in bound.rows(modules)
    ]
    counts = [solver.addVariable(lb=0, ub=modules, type=highspy.HighsVarType.kInteger) for _ in kinds]
    solver.addConstr(sum(counts) == modules)
    for row in rows:
        scale = max(row.brings)
        solver.addConstr(sum(b / scale * n for b, n in zip(row.brings, counts, strict=True)) >= row.need / scale)
    solver.minimize(sum(objective("rack_units").of(k.items)[0] * n for k, n in zip(kinds, counts, strict=True)))
    is_solved = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return solver.getObjectiveValue() + objective("rack_units").of(rest.items)[0] if is_solved else None


@pytest.mark.parametrize("case", ["capacity", "rates"])
def test_highs_finds_nothing_cheaper_than_the_bound(case: str) -> None:
    """Switches left out, the additive relaxation costs no more than the best system, and little less."""
    requirements, made = asked(**CASES[case]), space("pixstor-6")
    best = Search(requirements, objective()).run([made])
    assert best is not None
    kinds = made.kinds(best.rest)
    found = [relaxed(made, best.rest, kinds, requirements, modules) for modules in range(1, 13)]
    least = min(cost for cost in found if cost is not None)
    assert best.cost[0] - 12 <= least <= best.cost[0]
