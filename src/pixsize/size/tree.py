"""The tree of a search: how many modules in all beside one rest, then how many of each kind; and where branches end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from pixsize.estimate import ids
from pixsize.estimate.evidence import evidence_for
from pixsize.size.bounds import Bounds, RateBound, bounds_of
from pixsize.size.hull import Hull
from pixsize.size.objective import Cost, Objective
from pixsize.size.parts import Items
from pixsize.size.records import Counts, Kind, Rest
from pixsize.size.requirements import PORTS, PRICE, RACKS, Requirements
from pixsize.size.space import Space

if TYPE_CHECKING:
    from pixsize.size.search import Search


class Level(NamedTuple):
    """What is known of the kinds from one on: hulls of what they bring for each row, and of their targets, each by
    criterion; the least that one costs; and whether one has the size that the rest needs.
    """

    rows: tuple[tuple[Hull, ...], ...]
    targets: tuple[Hull, ...]
    cheapest: tuple[float, ...]
    has_size: bool


class Tree:
    """All systems beside one rest."""

    def __init__(self, search: Search, space: Space, rest: Rest, kinds: tuple[Kind, ...]) -> None:
        self.search, self.space, self.rest, self.kinds = search, space, rest, kinds
        at_least = [r for r in search.requirements.all if r.at_least]
        self.bounds: Bounds = bounds_of(space, rest, kinds, at_least)
        if self.bounds.hopeless:
            return
        self._leave_out_dominated()
        objective = search.objective
        self.base = self._share(rest.items, rest.servers, rest.arrays, rest.volumes)
        self.costs = [self._share(k.items, k.servers, k.arrays, k.volumes) for k in self.kinds]
        self.rows = [row.brings for bound in self.bounds.of_modules for row in bound.rows(1)]
        self.rates = [b for b in self.bounds.of_modules if isinstance(b, RateBound)]
        self.levels = [self._level(place) for place in range(len(self.kinds))]
        self.caps = tuple(caps(search.requirements, objective, space.rack))
        self.ports = next((int(r.need) for r in search.requirements.all if r.figure == PORTS), None)
        self.powered = self._measured_power()

    def start_measured(self) -> None:
        """Looks at the systems that were measured: rates of metadata are bounded for all others."""
        space = self.space
        kinds = space.kinds(self.rest)
        for modules in space.measured(self.rest):
            counts = tuple(modules[kind.part.kind] for kind in kinds)
            if sum(counts) == modules.total() and self.rest.needs_size in ("", *(k.size for k in modules)):
                cost = self.search.objective.of(space.items(self.rest, kinds, counts))
                if not self.search.is_dear(cost):
                    self.search.judge(space, self.rest, kinds, counts, cost)

    def _leave_out_dominated(self) -> None:
        """Leaves out kinds in whose place one that differs in the drive alone is no dearer and brings no less."""
        worth = [self._worth(place) for place in range(len(self.kinds))]
        kept = []
        for place, kind in enumerate(self.kinds):
            rivals = (j for j, other in enumerate(self.kinds) if j != place and _differ_in_drive(kind, other))
            better = (j for j in rivals if all(a >= b for a, b in zip(worth[j], worth[place], strict=True)))
            if any(worth[j] != worth[place] or j < place for j in better):
                self.search.pruned["another drive is no worse"] += 1
            else:
                kept.append(place)
        self.kinds = tuple(self.kinds[i] for i in kept)
        bounds = tuple(b.of_kinds(kept) for b in self.bounds.of_modules)
        self.bounds = self.bounds._replace(of_modules=bounds)

    def _worth(self, place: int) -> tuple[float, ...]:
        """What a kind costs, as less, and what it brings."""
        cost = tuple(-float(c) for c in self.search.objective.of(self.kinds[place].items))
        return (*cost, *(end for bound in self.bounds.of_modules for end in bound.worth(place)))

    def _share(self, items: Items, servers: int, arrays: int, volumes: int) -> tuple[float, ...]:
        """What parts cost with the share of the switches whose ports they take; last the volumes that are limited."""
        objective = self.search.objective
        shares = self.space.switch_shares(servers, arrays)
        each = [objective.of(items), *(tuple(c * n for c in objective.of(switches)) for switches, n in shares)]
        return (*(float(sum(column)) for column in zip(*each, strict=True)), float(volumes))

    def _level(self, place: int) -> Level:
        criteria = range(len(self.base))
        targets = [float(k.part.kind.groups) for k in self.kinds[place:]]

        def hulls(brings: Sequence[float]) -> tuple[Hull, ...]:
            return tuple(Hull((b, c[i]) for b, c in zip(brings, self.costs[place:], strict=True)) for i in criteria)

        return Level(
            rows=tuple(hulls(row[place:]) for row in self.rows),
            targets=hulls(targets),
            cheapest=tuple(min(column) for column in zip(*self.costs[place:], strict=True)),
            has_size=self.rest.needs_size in ("", *(k.size for k in self.kinds[place:])),
        )

    def _measured_power(self) -> frozenset[int] | None:
        """The numbers of modules whose power draw was measured; None where nobody asks."""
        if not any(r.figure == ids.POWER for r in self.search.requirements.all):
            return None
        found = evidence_for(self.space.catalog, self.space.design.id).measurements(ids.POWER)
        return frozenset(m.modules.total() for m in found)

    def grow(self) -> None:
        """Looks at every number of modules, those with the lowest bound first."""
        space, search = self.space, self.search
        most = min((space.limit - self.rest.volumes) // min(k.volumes for k in self.kinds), space.most_modules)
        self._start(most)
        branches = [Branches(self, modules) for modules in range(space.least_modules, most + 1)]
        roots = [(*branch.root(), branch) for branch in branches]
        ordered = sorted((root for root in roots if not root[0]), key=lambda r: (r[1], r[2].modules))
        for rule, _, branch in roots:
            if rule:
                search.end(rule, self.rest, self.kinds, branch.modules)
        for place, (_, bound, branch) in enumerate(ordered):
            search.tell(place / len(ordered))
            if search.is_done:
                search.leave(bound)
                return
            if search.is_dear(bound):
                search.end("cost", self.rest, self.kinds, branch.modules)
            else:
                branch.grow()
                search.leave(bound)

    def _start(self, most: int) -> None:
        """Looks at systems of one kind first: a good one to begin with lets the search end more branches.

        It leaves a kind where a system is too large: more modules do not cost less.
        """
        reached = {r.word for r in self.search.requirements.all if r.at_least}
        for place in range(len(self.kinds)):
            for modules in range(self.space.least_modules, most + 1):
                counts = tuple(modules if i == place else 0 for i in range(len(self.kinds)))
                if any(b.misses(counts, modules) for b in self.bounds.of_modules):
                    continue
                cost = self.search.objective.of(self.space.items(self.rest, self.kinds, counts))
                if self.search.is_done or any(cost[i] > most for _, i, most in self.caps):
                    break
                self.search.count()
                if self.judged(counts, modules) not in reached:
                    break

    def judged(self, counts: Counts, modules: int) -> str:
        """The rule by which a system is not the best one; empty where it now is."""
        volumes = self.rest.volumes + sum(k.volumes * n for k, n in zip(self.kinds, counts, strict=True))
        if volumes > self.space.limit:
            return "limit"
        cost = self.search.objective.of(self.space.items(self.rest, self.kinds, counts))
        if self.search.is_dear(cost):
            return "cost"
        if self.rest.needs_size not in ("", *(k.size for k, n in zip(self.kinds, counts, strict=True) if n)):
            return "size beside the metadata"
        if short := next((b for b in self.bounds.of_modules if b.misses(counts, modules)), None):
            return short.requirement.word
        words = self.search.judge(self.space, self.rest, self.kinds, counts, cost)
        return next((w for w in words if w in self.search.of_rest), words[0]) if words else ""


class State(NamedTuple):
    """A branch: the counts of the kinds so far, what is left of all modules, and what the chosen ones bring and cost.

    `paces` are the lowest rates of a target, of each rate.
    """

    chosen: Counts
    left: int
    brings: tuple[float, ...]
    costs: tuple[float, ...]
    targets: float
    paces: tuple[float, ...]


class Branches:
    """All systems of one number of modules."""

    def __init__(self, tree: Tree, modules: int) -> None:
        self.tree, self.modules = tree, modules
        rows = [row for bound in tree.bounds.of_modules for row in bound.rows(modules)]
        self._needs = [(row.word, row.need) for row in rows]
        self._pace_needs = [rate.pace_need(modules) for rate in tree.rates]
        paces = tuple(float("inf") for _ in tree.rates)
        brings = tuple(0.0 for _ in self._needs)
        self._root = State((), modules, brings, tree.base, 0.0, paces)

    def root(self) -> tuple[str, Cost]:
        """Why there is none that meets all, or empty; and the least that one costs."""
        tree = self.tree
        if tree.powered is not None and self.modules not in tree.powered:
            return "power", ()
        servers = tree.rest.servers + self.modules * min(k.servers for k in tree.kinds)
        if tree.ports is not None and tree.space.ports(servers, tree.rest.arrays) > tree.ports:
            return "ports", ()
        return self._bound(self._root)

    def grow(self) -> None:
        """Looks at every mix."""
        self._grow(self._root)

    def _grow(self, state: State) -> None:
        search, tree = self.tree.search, self.tree
        if search.is_done:
            return
        search.count()
        place = len(state.chosen)
        rule, bound = self._bound(state) if state.left else (self._leaf(state.chosen), ())
        if not rule and state.left and search.is_dear(bound):
            rule = "cost"
        if rule or not state.left:
            search.end(rule, tree.rest, tree.kinds, self.modules, state.chosen)
            return
        is_last = place == len(tree.kinds) - 1
        for number in range(state.left, state.left - 1 if is_last else -1, -1):
            self._grow(self._with(state, place, number))

    def _leaf(self, chosen: Counts) -> str:
        counts = (*chosen, *(0 for _ in self.tree.kinds[len(chosen) :]))
        return self.tree.judged(counts, self.modules)

    def _with(self, state: State, place: int, number: int) -> State:
        """The branch with so many modules of the next kind."""
        tree = self.tree
        if not number:
            return state._replace(chosen=(*state.chosen, 0))
        kind = tree.kinds[place]
        paces = (min(p, rate.pace_of(place)) for p, rate in zip(state.paces, tree.rates, strict=True))
        return State(
            (*state.chosen, number),
            state.left - number,
            tuple(b + number * row[place] for b, row in zip(state.brings, tree.rows, strict=True)),
            tuple(c + number * each for c, each in zip(state.costs, tree.costs[place], strict=True)),
            state.targets + number * kind.part.kind.groups,
            tuple(paces),
        )

    def _bound(self, state: State) -> tuple[str, Cost]:
        """Why no system of a branch meets all, or empty; and the least that one costs."""
        level, left = self.tree.levels[len(state.chosen)], state.left
        if not level.has_size and self.tree.rest.needs_size not in self._sizes(state):
            return "size beside the metadata", ()
        least = list(level.cheapest)
        for (word, need), have, hulls in zip(self._needs, state.brings, level.rows, strict=True):
            if not _raise(least, hulls, (need - have) / left):
                return word, ()
        for rate, need, pace in zip(self.tree.rates, self._pace_needs, state.paces, strict=True):
            if not _raise(least, level.targets, (need / pace - state.targets) / left):
                return rate.requirement.word, ()
        cost = tuple(ceil(c + left * more - ROUNDING) for c, more in zip(state.costs, least, strict=True))
        for word, criterion, most in (*self.tree.caps, ("limit", len(cost) - 1, self.tree.space.limit)):
            if cost[criterion] > most:
                return word, ()
        return "", cost[:-1]

    def _sizes(self, state: State) -> set[str]:
        return {k.size for k, n in zip(self.tree.kinds, state.chosen, strict=False) if n}


ROUNDING = 1e-6
"""How far a sum of floating-point costs may lie above the exact one."""


def _raise(least: list[float], hulls: Sequence[Hull], average: float) -> bool:
    """Raises the least average costs to those of modules that bring so much on average; False where none do."""
    for place, hull in enumerate(hulls):
        cost = hull.least(average)
        if cost is None:
            return False
        least[place] = max(least[place], cost)
    return True


def _differ_in_drive(kind: Kind, other: Kind) -> bool:
    return (kind.size, kind.expansion, kind.volumes) == (other.size, other.expansion, other.volumes)


def caps(requirements: Requirements, objective: Objective, rack: int) -> Iterator[tuple[str, int, int]]:
    """The most that a system may cost by a criterion: the word that says so, the criterion's place, and the number."""
    for r in requirements.all:
        if r.figure == ids.RACK_UNITS:
            yield r.word, objective.criteria.index("rack_units"), int(r.need)
        elif r.figure == RACKS:
            yield r.word, objective.criteria.index("rack_units"), int(r.need) * rack
        elif r.figure == PRICE:
            yield r.word, objective.criteria.index("price"), int(r.need * objective.smallest)
