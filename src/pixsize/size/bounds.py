"""What modules can bring at the most: bounds on figures, from the engine's own model of one module.

For any counts of modules a figure lies at or below its bound; `docs/explanation/how-the-best-system-is-found.md` says
why, and property tests hold it. Bounds are floating-point numbers with a margin over their rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import exp, log, sqrt
from typing import NamedTuple

from pixsize.estimate.ids import FILES, METADATA, THROUGHPUT
from pixsize.estimate.make import bounded_by
from pixsize.estimate.ranges import doublings
from pixsize.estimate.rates import Most
from pixsize.estimate.spreads import Family, family_of
from pixsize.estimate.system import Difference
from pixsize.product import volumes_of
from pixsize.size.records import Counts, Kind, Rest
from pixsize.size.requirements import Requirement
from pixsize.size.space import Space

MARGIN = 2e-5
"""Of a bound: ratios in the model are rounded to six digits, and floating-point numbers to sixteen."""
_COUNT = Difference("count", "another number of modules")


def least(requirement: Requirement) -> float:
    """What a bound must come to, so that the figure may meet the requirement: figures are rounded to whole numbers."""
    return max(float(requirement.need) - 1, 0.0) * (1 - MARGIN)


class Row(NamedTuple):
    """A linear bound: of a system, the sum of what its modules bring is at least `need`, or it misses the requirement.

    The need is that of so many modules in all; what each kind brings is the same for any number.
    """

    word: str
    brings: tuple[float, ...]
    need: float


class SumBound(NamedTuple):
    """The bound on a capacity: modules add, up to the rounding of each."""

    requirement: Requirement
    brings: tuple[float, ...]

    def rows(self, modules: int) -> Iterator[Row]:  # noqa: ARG002  the same call for every bound
        """The one row that the bound is."""
        yield Row(self.requirement.word, self.brings, least(self.requirement))

    def misses(self, counts: Counts, modules: int) -> bool:  # noqa: ARG002
        """Whether a system is known to miss the requirement."""
        total = sum(n * b for n, b in zip(counts, self.brings, strict=True))
        return total < least(self.requirement)

    def of_kinds(self, places: Sequence[int]) -> SumBound:
        """The bound for some of the kinds."""
        return self._replace(brings=tuple(self.brings[i] for i in places))

    def worth(self, place: int) -> tuple[float, ...]:
        """What a kind brings."""
        return (self.brings[place],)


class RateBound(NamedTuple):
    """The bound on a rate of the data: of each kind of module the most that one brings, and its targets.

    The value of a system is at most the sum of the values, and of unlike modules halfway down to the pace of the
    slowest targets; its low end is at most that of the slowest targets, times their number, and then lower by the step
    of the number of modules, which is taken in quadrature with the range that is there. That low end,
    `value * exp(-sqrt(log(value/low)**2 + step**2))`, rises with either of them.
    """

    requirement: Requirement
    ranges: tuple[tuple[float, float, float], ...]
    groups: tuple[int, ...]
    seen: frozenset[int]
    family: Family

    def step(self, modules: int) -> float:
        """The logarithm of the step of the number of modules; of the smallest one where evidence is of several."""
        times = (doublings_of(modules, seen) for seen in self.seen)
        return min(log(float(self.family.step(_COUNT, n).down)) if n else 0.0 for n in times)

    def rows(self, modules: int) -> Iterator[Row]:
        """Rows on the low ends and on the values, or on the end that is asked for."""
        step, need, end = self.step(modules), least(self.requirement), self.requirement.end
        lows, values, highs = (tuple(column) for column in zip(*self.ranges, strict=True))
        if end == "value":
            yield Row(self.requirement.word, values, need)
        elif end == "high":
            yield Row(self.requirement.word, highs, need / exp(step))
        else:
            narrowest = min(log(value / low) for low, value, _ in self.ranges)
            yield Row(self.requirement.word, lows, self._low_need(modules))
            yield Row(self.requirement.word, values, need / exp(-sqrt(narrowest**2 + step**2)))

    def pace_of(self, place: int) -> float:
        """The low end of one target of a kind, which paces all others."""
        return self.ranges[place][0] / self.groups[place]

    def pace_need(self, modules: int) -> float:
        """What the pace of the slowest target, times the number of targets, must come to."""
        return self._low_need(modules) if self.requirement.end == "low" else 0.0

    def _low_need(self, modules: int) -> float:
        """What low ends must come to before the step of the number of modules is taken."""
        widest = max(log(value / low) for low, value, _ in self.ranges)
        after = exp(widest - sqrt(widest**2 + self.step(modules) ** 2))
        return least(self.requirement) / after

    def of_kinds(self, places: Sequence[int]) -> RateBound:
        """The bound for some of the kinds."""
        return self._replace(ranges=tuple(self.ranges[i] for i in places), groups=tuple(self.groups[i] for i in places))

    def worth(self, place: int) -> tuple[float, ...]:
        """What a kind brings, at each end."""
        return self.ranges[place]

    def misses(self, counts: Counts, modules: int) -> bool:
        """Whether a system is known to miss the requirement, by the pace of its slowest targets."""
        return self.most(counts, modules) < least(self.requirement)

    def most(self, counts: Counts, modules: int) -> float:
        """The most that the rate of a system can be, at the end that is asked for."""
        step = self.step(modules)
        if self.requirement.end == "high":
            return exp(step) * self._sum(counts, 2)
        targets = sum(n * g for n, g in zip(counts, self.groups, strict=True))
        value = (self._pace(counts, 1) * targets + self._sum(counts, 1)) / 2
        if self.requirement.end == "value":
            return value
        low = min(self._pace(counts, 0) * targets, value)
        return value * exp(-sqrt(log(value / low) ** 2 + step**2))

    def _pace(self, counts: Counts, end: int) -> float:
        each = zip(counts, self.ranges, self.groups, strict=False)
        return min((r[end] / groups for n, r, groups in each if n), default=float("inf"))

    def _sum(self, counts: Counts, end: int) -> float:
        return sum(n * r[end] for n, r in zip(counts, self.ranges, strict=True))


Bound = SumBound | RateBound


def doublings_of(modules: int, seen: int) -> float:
    """How often a number of modules is doubled or halved."""
    return 0.0 if modules == seen else doublings(Fraction(modules, seen))


class Bounds(NamedTuple):
    """The bounds on the requirements that modules decide, and those that no number of modules meets beside the rest."""

    of_modules: tuple[Bound, ...]
    hopeless: tuple[str, ...]


def bounds_of(space: Space, rest: Rest, kinds: Sequence[Kind], requirements: Sequence[Requirement]) -> Bounds:
    """The bounds on all that has to be reached."""
    if missed := missed_by_rest(space, rest, kinds, requirements):
        return Bounds((), missed)
    found: list[Bound] = []
    brings = space.brings(rest, kinds, [r for r in requirements if not r.figure.startswith((THROUGHPUT, METADATA))])
    for requirement in (r for r in requirements if not r.figure.startswith(METADATA)):
        if requirement.figure.startswith(THROUGHPUT):
            bound = _rate_bound(space, rest, kinds, requirement)
            if bound is None:
                return Bounds((), (requirement.word,))
            found.append(bound)
        else:
            found.append(SumBound(requirement, brings[requirement.figure]))
    return Bounds(tuple(found), ())


def missed_by_rest(
    space: Space, rest: Rest, kinds: Sequence[Kind], requirements: Iterable[Requirement]
) -> tuple[str, ...]:
    """The words of the requirements that a rest misses, whatever the modules; a rest with more hardware misses no more.

    A rate of metadata may still be met by a system that was measured.
    """

    def is_missed(requirement: Requirement) -> bool:
        if requirement.figure.startswith(METADATA):
            return _most_of_rest(space, rest, requirement) < least(requirement)
        if requirement.figure != FILES:
            return False
        most = (space.most_files(rest, kind) for kind in kinds)
        return all(files is not None and requirement.end_of(files) < least(requirement) for files in most)

    return tuple(r.word for r in requirements if is_missed(r))


def _rate_bound(space: Space, rest: Rest, kinds: Sequence[Kind], requirement: Requirement) -> RateBound | None:
    """The bound on a rate of the data; None where a kind has no evidence for it."""
    most_of = volumes_of(space.design).most_of_module
    ranges, seen = [], {1}
    for kind in kinds:
        own_most = most_of(rest.system, kind.part, requirement.figure, space.catalog)
        if own_most is None:
            return None
        below = (most_of(rest.system, kind.part, i, space.catalog) for i in bounded_by(requirement.figure))
        found: list[Most] = [own_most, *(most for most in below if most)]
        own = own_most.range
        low = max(most.range.low for most in found)
        ranges.append((float(low), float(max(own.value, low)), float(max(own.high, low))))
        seen |= {n for most in found for n in most.seen}
    groups = tuple(kind.part.kind.groups for kind in kinds)
    return RateBound(requirement, tuple(ranges), groups, frozenset(seen), family_of(requirement.figure, space.catalog))


def _most_of_rest(space: Space, rest: Rest, requirement: Requirement) -> float:
    """The most that a rate of metadata can be beside any modules; 0 without evidence."""
    own = space.offers.most_of_rest(rest.system, requirement.figure, space.catalog)
    if own is None:
        return 0.0
    below = (space.offers.most_of_rest(rest.system, i, space.catalog) for i in bounded_by(requirement.figure))
    low = max(own.low, *(most.low for most in below if most), own.low)
    return float(low if requirement.end == "low" else max(low, getattr(own, requirement.end)))
