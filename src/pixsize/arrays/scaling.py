"""From the nearest measurement to a storage module, and from one module to several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from pixsize import units
from pixsize.estimate.evidence import Evidence, Measured
from pixsize.estimate.ranges import Range, Spread, doubled
from pixsize.estimate.rates import Rate
from pixsize.estimate.system import FigureTerms, Kind, Part, System
from pixsize.figures import Unit, weakest


class Share(NamedTuple):
    """A part of the data tier and the rate of one of its modules."""

    part: Part
    rate: Rate

    @property
    def targets(self) -> int:
        """The targets of all its modules: one a group."""
        return self.part.count * self.part.kind.groups

    def per_target(self, rate: Fraction) -> Fraction:
        """A module's rate shared out over its targets."""
        return rate / self.part.kind.groups


class Near(NamedTuple):
    """The measurement that comes nearest to a part of the data tier: of which modules, and the share of one of them."""

    measured: Measured
    kind: Kind
    rate: Range

    def described(self, unit: Unit) -> str:
        """What was measured, as a rule names it."""
        share = units.show(round(self.rate.value), unit)
        together = units.show(round(self.measured.rate.value), unit)
        one = f"{self.name} was measured at {share}."
        several = f"{self.name} together were measured at {together}; one share is {share}."
        return " ".join((one if self.measured.modules.total() == 1 else several, *self.measured.doubts))

    @property
    def name(self) -> str:
        """The modules that were measured, in words."""
        count = self.measured.modules.total()
        return self.kind.name if count == 1 else f"{count:,} x {self.kind.name}"

    def unlike(self, system: System, part: Part) -> tuple[str, ...]:
        """In what a part differs from what was measured, its size apart; each is a step away from the evidence.

        What one of several modules brought was not measured alone: it holds for as many modules.
        """
        count = self.measured.modules.total()
        number = ("the number of modules",) if count not in (1, part.count) else ()
        return (*system.differences(part, self.measured, self.kind), *number)


def nearest(system: System, part: Part, candidates: Iterable[Measured]) -> Near | None:
    """The measurement of modules of one kind that comes nearest to a part: in arrays, in groups, then in all the rest.

    None where no measurement has as many enclosures behind each pair of controllers.
    """
    like = [
        Near(m, m.only_kind, m.of_one_module())
        for m in candidates
        if m.only_kind and m.only_kind.expansion == part.kind.expansion
    ]
    return min(like, key=lambda candidate: _how_far(system, part, candidate), default=None)


def doubling(evidence: Evidence, figure: str) -> tuple[Fraction | None, tuple[str, ...]]:
    """The factor that twice the drives behind the same controllers brought, and the two records; None without any.

    Seen on systems of the design, or else on those of another.
    """
    known = [m for m in evidence.of_arrays(figure) if m.figure == figure and m.modules.total() == 1]
    kinds = [(m, m.only_kind) for m in known if m.only_kind]
    for few, a in kinds:
        for many, b in kinds:
            alike = few.system.design == many.system.design and a.drive == b.drive
            if alike and (a.arrays, 2 * a.groups) == (b.arrays, b.groups):
                return many.rate.value / few.rate.value, (few.id, many.id)
    return None, ()


def _how_far(system: System, part: Part, candidate: Near) -> tuple[int, bool, int, int, Fraction, str]:
    """How far a measurement lies from a part; of two equally near the lower one comes first, and then the id.

    Arrays go first: their controllers are what most rates depend on. The id makes the choice the same for any order of
    files.
    """
    planned, measured = part.kind, candidate.kind
    arrays = abs(measured.arrays - planned.arrays)
    modules = candidate.measured.modules.total()
    unlike = len(system.differences(part, candidate.measured, candidate.kind))
    return arrays, measured.groups != planned.groups, unlike, modules, candidate.rate.value, candidate.measured.id


def together(shares: Sequence[Share], spread: Spread, terms: FigureTerms) -> Rate:
    """All modules of the data tier.

    High: the sum of the highs, times the ratio of the spread, since nobody measured that modules add. Low: as many
    times the lowest rate for each target as there are targets, divided by that ratio with every doubling of the
    modules. Value: halfway between the pace of the slowest target and the sum.
    """
    modules = sum(s.part.count for s in shares)
    if modules == 1:
        return shares[0].rate
    targets = sum(s.targets for s in shares)
    # The low end loses the ratio of the spread with every doubling: the share of a plain sum that is left of it.
    added = doubled(2 / (1 + spread.share), Fraction(modules)) / modules
    slowest = min(shares, key=lambda s: s.per_target(s.rate.range.value))
    paced = targets * slowest.per_target(slowest.rate.range.value)
    low = targets * min(s.per_target(s.rate.range.low) for s in shares) * added
    total = sum((s.rate.range.value * s.part.count for s in shares), Fraction(0))
    high = sum((s.rate.range.high * s.part.count for s in shares), Fraction(0)) * (1 + spread.share)
    alike = len(shares) == 1
    each = (f"{s.part.count:,} x {s.part.kind.name} with {s.part.kind.drive}: {s.rate.rule}" for s in shares)
    limit = slowest.rate.limit if alike else f"slowest {terms.target}s ({slowest.part.first}: {slowest.rate.limit})"
    return Rate(
        Range(low, (paced + total) / 2, high),
        weakest(("extrapolated", *(s.rate.basis for s in shares))),
        " ".join((*each, _sum_rule(modules, targets, slowest, spread, None if alike else terms))),
        limit,
        tuple(dict.fromkeys((*(i for s in shares for i in s.rate.inputs), *spread.inputs))),
        (
            *dict.fromkeys(c for s in shares for c in s.rate.sources),
            terms.grows,
            *(() if alike else (terms.spreading,)),
        ),
    )


def _sum_rule(modules: int, targets: int, slowest: Share, spread: Spread, terms: FigureTerms | None) -> str:
    """Why modules add; with `terms` for those that are unlike, what the slowest targets do to the rest."""
    rule = (
        f"The {modules:,} modules add: the document claims it and nobody measured it, so the upper end rises by "
        f"{spread.text()}, and the lower end falls by it with every doubling of their number."
    )
    if terms is None:
        return rule
    what = f"{terms.target}s"
    return (
        f"{rule} {terms.spread.format(n=targets)}, so the slowest, those of {slowest.part.first}, pace the "
        f"rest: the lower end rests on the number of {what} times the smallest rate for each, the upper end on the "
        f"sum, and the value lies halfway between the number of {what} times the slowest one's and the sum."
    )
