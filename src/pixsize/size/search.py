"""The search for the best system: branch and bound over counts of modules, with a certificate of what it did.

First comes what a system has beside its modules, then how many modules it has in all, then how many of each kind. A
branch ends where a linear relaxation costs no less than the best system found, or where a bound shows that a
requirement is missed. A system at the end of a branch is judged by the engine's own figures.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pixsize.estimate import ids
from pixsize.figures import Figure
from pixsize.size.bounds import missed_by_rest
from pixsize.size.objective import Cost, Objective
from pixsize.size.records import Counts, Kind, Rest, Rests
from pixsize.size.requirements import PRICE, Requirements, missed, wanted
from pixsize.size.space import Space
from pixsize.size.tree import Tree, caps

MOST_NODES = 150_000
"""Of one search. A search that is given up says so: its bound is below the cost."""


class Pruned(NamedTuple):
    """A branch that ended: the rule, how many modules, and the counts of the kinds that were chosen so far."""

    rule: str
    rest: Rest
    kinds: tuple[Kind, ...]
    modules: int
    chosen: Counts


class Best(NamedTuple):
    """A system that meets all requirements."""

    cost: Cost
    space: Space
    rest: Rest
    kinds: tuple[Kind, ...]
    counts: Counts
    figures: dict[str, Figure]


class Certificate(NamedTuple):
    """What a search did: the cost of the best system, the least cost that any system can have, and why no more.

    `pruned` counts the branches that ended by each rule.
    """

    objective: tuple[str, ...]
    cost: Cost | None
    bound: Cost | None
    nodes: int
    pruned: dict[str, int]
    optimal: bool


class Search:
    """One search over the systems of several designs. `first` ends it at the first system that meets all.

    `record` keeps each branch that ended, for a checker.
    """

    def __init__(
        self,
        requirements: Requirements,
        objective: Objective,
        *,
        first: bool = False,
        record: list[Pruned] | None = None,
        tell: Callable[[float], None] = lambda _: None,
    ) -> None:
        self.requirements = requirements
        self.objective = objective
        self.first = first
        self.best: Best | None = None
        self.nodes = 0
        self.pruned: Counter[str] = Counter()
        self.open: list[Cost] = []
        self.ended_by: set[str] = set()
        self._told: set[tuple[object, ...]] = set()
        self.of_rest = {r.word for r in requirements.all if r.figure.startswith((ids.METADATA, "files."))}
        self._record = record
        self.tell = tell

    @property
    def is_done(self) -> bool:
        """Whether nothing more is looked for."""
        return (self.first and self.best is not None) or self.nodes > MOST_NODES

    def leave(self, bound: Cost) -> None:
        """Notes systems that are not looked at any more, and the least that one costs."""
        if self.nodes > MOST_NODES:
            self.open.append(bound)

    def run(self, spaces: Sequence[Space]) -> Best | None:
        """The best system of all designs, the first of those that cost the same."""
        for space in spaces:
            for rests in space.rests():
                self._chain(space, rests)
        return self.best

    def certificate(self) -> Certificate:
        """What was done. The bound is the cost where each branch has ended, or the least of those that have not."""
        cost = self.best.cost if self.best else None
        costs = [*([cost] if cost else []), *self.open]
        bound = min(costs, default=None)
        optimal = bound == cost and not self.first
        return Certificate(self.objective.criteria, cost, bound, self.nodes, dict(self.pruned), optimal)

    def _chain(self, space: Space, rests: Rests) -> None:
        """Rests with more and more hardware: where all that they decide is met, more hardware does not do better."""
        place = 0
        while place < len(rests):
            rest = rests[place]
            kinds, own = space.kinds(rest), self.objective.of(rest.items)
            if self.is_done:
                self.leave(own)
                return
            too_much = next(
                (w for w, i, most in caps(self.requirements, self.objective, space.rack) if own[i] > most), ""
            )
            if rule := too_much or ("cost" if self.is_dear(own) else ""):
                self.end(rule, rest, kinds, 0)
                return
            if self._is_told(rest):
                self.end("other SSDs for metadata bring no more", rest, kinds, 0)
                return
            tree = Tree(self, space, rest, kinds)
            tree.start_measured()
            if tree.bounds.hopeless:
                self.end(tree.bounds.hopeless[0], rest, kinds, 0)
                place = self._next(space, rests, place, tree.bounds.hopeless[0])
                continue
            self.ended_by.clear()
            tree.grow()
            if not self.ended_by & self.of_rest:
                return
            place += 1

    def _next(self, space: Space, rests: Rests, place: int, rule: str) -> int:
        """The next place of a list that has to be looked at behind one without hope; its length where there is none.

        More hardware never brings less, so that the first place with hope is found by steps that double, and then by
        halves. Systems that were measured may reach more than the bounds of all others.
        """
        at_least = [r for r in self.requirements.all if r.at_least]

        def has_hope(place: int) -> bool:
            return not missed_by_rest(space, rests[place], space.kinds(rests[place]), at_least)

        last = len(rests) - 1
        if has_hope(place):
            return last + 1  # a rate of the data without evidence, whatever the rest
        low, step = place, 1
        while low < last and not has_hope(high := min(place + step, last)):
            low, step = high, 2 * step
        first = last + 1 if low == last else bisect_left(range(high), True, lo=low + 1, key=has_hope)
        measured = space.measured_arrays
        found = next((i for i in range(place + 1, first) if rests.arrays(i) in measured), first)
        self.pruned[rule] += found - place - 1
        return found

    def _is_told(self, rest: Rest) -> bool:
        """Whether a rest like this was looked at that differs in nothing that the requirements are about."""
        if self.of_rest or any(r.figure == ids.POWER for r in self.requirements.all):
            return False
        key = self.objective.of(rest.items), rest.servers, rest.arrays, rest.volumes, rest.system.variant
        is_told = key in self._told
        self._told.add(key)
        return is_told

    def is_dear(self, cost: Cost) -> bool:
        """Whether something costs no less than the best system."""
        return self.best is not None and cost >= self.best.cost

    def count(self) -> None:
        """Counts a branch that is looked at."""
        self.nodes += 1

    def end(self, rule: str, rest: Rest, kinds: tuple[Kind, ...], modules: int, chosen: Counts = ()) -> None:
        """Notes a branch that ends; without a rule it ends in a system that is the best one so far."""
        if rule:
            self.pruned[rule] += 1
            self.ended_by.add(rule)
        if self._record is not None:
            self._record.append(Pruned(rule, rest, kinds, modules, chosen))

    def judge(self, space: Space, rest: Rest, kinds: tuple[Kind, ...], counts: Counts, cost: Cost) -> tuple[str, ...]:
        """The words of the requirements that a system misses by the engine's own figures; the best one is kept."""
        figures = judged(space, rest, kinds, counts, self.requirements, self.objective)
        words = tuple(r.word for r in missed(self.requirements, figures))
        if not words:
            self.best = Best(cost, space, rest, kinds, counts, figures)
        return words


def judged(
    space: Space,
    rest: Rest,
    kinds: tuple[Kind, ...],
    counts: Counts,
    requirements: Requirements,
    objective: Objective,
) -> dict[str, Figure]:
    """The figures of a system that requirements are about, and its price where that is one of them."""
    asked = wanted(requirements)
    figures = space.figures(rest, kinds, counts, asked - {PRICE})
    price = objective.price(objective.of(space.items(rest, kinds, counts))) if PRICE in asked else None
    return {**figures, PRICE: price} if price else figures
