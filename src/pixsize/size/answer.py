"""What is told beside the best system: others that would do, kinds that lost, what it costs to have more, clashes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from pixsize.estimate import ids
from pixsize.figures import Figure
from pixsize.size.bounds import bounds_of
from pixsize.size.objective import Cost, Objective
from pixsize.size.records import Counts, Kind, Rest, Rests
from pixsize.size.requirements import PRICE, Requirement, Requirements, missed
from pixsize.size.search import Best, Search, judged
from pixsize.size.space import Space

HEADROOM = Fraction(6, 5)
"""How many times as much the system with more headroom reaches."""
SHOWN = (ids.USABLE, f"{ids.SEQUENTIAL}n_n.write.sustained", f"{ids.SEQUENTIAL}n_n.read.sustained")
"""The figures that are set against the cost."""
MOST_SYSTEMS = 16
"""The most file systems that are proposed in the place of one."""
_TRIED = 3
"""The most requirements of a clash that are tried in all combinations; larger ones are found one by one."""


class Lost(NamedTuple):
    """A kind of module that did not make it: what it is, the least that it alone costs to meet all, or None; and the
    requirement that it misses by most for no more than the best system costs, with what it reaches of it.
    """

    what: str
    cost: Cost | None
    missed: Requirement | None
    reaches: Figure | None


class Point(NamedTuple):
    """A system of one kind of module, its cost, and the figures that are set against it."""

    what: str
    cost: Cost
    figures: Mapping[str, Figure]


class Clash(NamedTuple):
    """A requirement that clashes with others, and the most that a system reaches of it alone."""

    requirement: Requirement
    reaches: Figure | None


def others(
    best: Best, requirements: Requirements, objective: Objective, again: Callable[..., Space]
) -> Iterator[tuple[str, Best]]:
    """Other systems of the same design that meet all requirements, each with what it is for."""
    used = {(k.size, k.expansion, k.words["data_drive"]) for k, n in zip(best.kinds, best.counts, strict=True) if n}
    sizes = tuple(
        s for s in dict.fromkeys(k.size for k in best.space.kinds(best.rest)) if s not in {u[0] for u in used}
    )
    drives = tuple(d for d in best.space.drives() if d not in {u[2] for u in used})
    more = requirements.scaled(HEADROOM)
    by_units = objective.first("rack_units")
    tries: list[tuple[str, Requirements, Objective, Mapping[str, object]]] = []
    if sizes:
        tries.append(("another size", requirements, objective, {"sizes": sizes}))
    if drives:
        tries.append(("another drive", requirements, objective, {"drives": drives}))
    if objective.criteria[0] != "rack_units":
        tries.append(("fewest rack units", requirements, by_units, {}))
    tries.append(("more headroom, a fifth of each requirement", more, objective, {}))
    seen = {(str(best.rest.words), best.counts, tuple(k.name for k in best.kinds))}
    for name, asked, made_small, restricted in tries:
        found = Search(asked, made_small).run([again(**restricted)])
        key = found and (str(found.rest.words), found.counts, tuple(k.name for k in found.kinds))
        if found and key and key not in seen:
            seen.add(key)
            items = found.space.items(found.rest, found.kinds, found.counts)
            yield name, found._replace(cost=objective.of(items))


def alone(kinds: Sequence[Kind], kind: Kind, number: int) -> Counts:
    """The counts of a system of one kind."""
    return tuple(number if k is kind else 0 for k in kinds)


def lost(best: Best, requirements: Requirements, objective: Objective) -> Iterator[Lost]:
    """The kinds of module of the best system's design that are not in it, each by itself beside the same rest."""
    used = {k.name for k, n in zip(best.kinds, best.counts, strict=True) if n}
    space, rest = best.space, best.rest
    for kind in (k for k in space.kinds(rest) if k.name not in used):
        cost = _least_alone(space, rest, kind, requirements, objective)
        number = _affordable(space, rest, kind, best.cost, objective)
        if not number:
            yield Lost(kind.name, cost, None, None)
            continue
        figures = judged(space, rest, (kind,), (number,), requirements, objective)
        short = max(missed(requirements, figures), key=lambda r: r.missed_by(figures.get(r.figure)), default=None)
        yield Lost(f"{number:,} x {kind.name}", cost, short, figures.get(short.figure) if short else None)


def _least_alone(space: Space, rest: Rest, kind: Kind, requirements: Requirements, objective: Objective) -> Cost | None:
    """What a system of one kind costs at the least that meets all requirements; None where none does."""
    bounds = bounds_of(space, rest, (kind,), [r for r in requirements.all if r.at_least])
    most = min((space.limit - rest.volumes) // kind.volumes, space.most_modules)
    if bounds.hopeless:
        return None
    for number in range(space.least_modules, most + 1):
        if any(b.misses((number,), number) for b in bounds.of_modules):
            continue
        figures = judged(space, rest, (kind,), (number,), requirements, objective)
        short = tuple(missed(requirements, figures))
        if not short:
            return objective.of(space.items(rest, (kind,), (number,)))
        if any(not r.at_least for r in short):
            return None
    return None


def _affordable(space: Space, rest: Rest, kind: Kind, cost: Cost, objective: Objective) -> int:
    """The most modules of a kind alone that cost no more."""
    number, step = 0, 1024
    while step:
        more = number + step
        fits = rest.volumes + more * kind.volumes <= space.limit
        if fits and objective.of(space.items(rest, (kind,), (more,))) <= cost:
            number = more
        step //= 2
    return number


def pareto(best: Best, objective: Objective) -> tuple[Point, ...]:
    """Systems of one kind around the cost of the best one, and that one; none does better at no more cost."""
    space, rest = best.space, best.rest
    figures = space.figures(rest, best.kinds, best.counts, SHOWN)
    found = [Point("the best system", best.cost, figures)]
    for kind in space.kinds(rest):
        number = _affordable(space, rest, kind, best.cost, objective)
        for count in dict.fromkeys(
            max(space.least_modules, round(number * share)) for share in (0.5, 0.75, 1.0, 1.25, 1.5)
        ):
            is_best = alone(best.kinds, kind, count) == best.counts
            if rest.volumes + count * kind.volumes <= space.limit and not is_best:
                cost = objective.of(space.items(rest, (kind,), (count,)))
                made = space.figures(rest, (kind,), (count,), SHOWN)
                found.append(Point(f"{count:,} x {kind.name}", cost, made))
    kept = [p for p in found if p is found[0] or not any(_is_better(q, p) for q in found)]
    return tuple(sorted(kept, key=lambda p: p.cost))


def _is_better(point: Point, other: Point) -> bool:
    """Whether a system costs no more and brings no less, and differs in one of these."""
    more = [point.figures[i].low - other.figures[i].low for i in SHOWN if i in point.figures and i in other.figures]
    return point.cost <= other.cost and min(more) >= 0 and (point.cost != other.cost or max(more) > 0)


def clash(spaces: Sequence[Space], requirements: Requirements, objective: Objective) -> tuple[Clash, ...]:
    """The smallest set of requirements that no system meets together, each with what can be reached of it alone."""
    words = _smallest(
        [r.word for r in requirements.all], lambda some: not _is_met(spaces, requirements, objective, some)
    )
    return tuple(Clash(r, reach(spaces, r, objective)) for r in requirements.all if r.word in words)


def _is_met(spaces: Sequence[Space], requirements: Requirements, objective: Objective, words: Iterable[str]) -> bool:
    some = frozenset(words)
    asked = requirements.without(*(r.word for r in requirements.all if r.word not in some))
    return Search(asked, objective, first=True).run(spaces) is not None


def _smallest(words: Sequence[str], clashes: Callable[[Sequence[str]], bool]) -> tuple[str, ...]:
    """The smallest set of words that clash; of large ones a set from which no word can be left out."""
    for size in range(1, min(_TRIED, len(words)) + 1):
        for some in combinations(words, size):
            if clashes(some):
                return some
    left = list(words)
    for word in words:
        rest = [w for w in left if w != word]
        if clashes(rest):
            left = rest
    return tuple(left)


def reach(spaces: Sequence[Space], requirement: Requirement, objective: Objective) -> Figure | None:
    """The most that a system of one kind reaches of a figure, or the least of one that is to stay small."""
    found: list[Figure] = []
    for space in spaces:
        for rests in space.rests():
            of_rest = requirement.figure.startswith(("files.", ids.METADATA))
            for rest in (_last(space, rests) if of_rest else rests[0],):
                found += _extremes(space, rest, requirement, objective) if rest else ()
    best = max if requirement.at_least else min
    return best(found, key=requirement.end_of, default=None)


def _last(space: Space, rests: Rests) -> Rest | None:
    """The rest with the most hardware that leaves room for a module."""
    for rest in reversed(rests):
        fitting = [k.volumes for k in space.kinds(rest) if rest.needs_size in ("", k.size)]
        if fitting and rest.volumes + min(fitting) <= space.limit:
            return rest
    return None


def _extremes(space: Space, rest: Rest, requirement: Requirement, objective: Objective) -> Iterator[Figure]:
    """The figure of as many modules of each kind as fit, or of one."""
    for kind in space.kinds(rest):
        number = min((space.limit - rest.volumes) // kind.volumes, space.most_modules)
        number = number if requirement.at_least else space.least_modules
        if number and requirement.figure == PRICE:
            yield from filter(None, [objective.price(objective.of(space.items(rest, (kind,), (number,))))])
        elif number:
            yield from space.figures(rest, (kind,), (number,), (requirement.figure,)).values()


def several(spaces: Sequence[Space], requirements: Requirements, objective: Objective) -> tuple[int, Best] | None:
    """How many equal file systems meet together what one cannot, and one of them; None where no number does."""
    for number in range(2, MOST_SYSTEMS + 1):
        found = Search(requirements.shared(number), objective).run(spaces)
        if found:
            return number, found
    return None
