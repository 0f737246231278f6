"""From the nearest measurement to a storage module, and from one module to several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil
from typing import Literal, NamedTuple

from pixsize import units
from pixsize.estimate.evidence import Evidence, Measured
from pixsize.estimate.ranges import Range, Step, doublings, factor, quadrature, told
from pixsize.estimate.rates import Rate
from pixsize.estimate.spreads import Family
from pixsize.estimate.system import Difference, FigureTerms, Kind, Part, System
from pixsize.figures import Unit, weakest
from pixsize.findings import Finding

SIZE = Difference("size", "another size of module")
EXPANSION = Difference("expansion", "expansions behind the same controllers")
COUNT = Difference("count", "another number of modules")


class Share(NamedTuple):
    """A part of the data tier and the rate of one of its modules. `seen` is how many modules were measured together."""

    part: Part
    rate: Rate
    seen: int = 1

    @property
    def targets(self) -> int:
        """The targets of all its modules: one a group."""
        return self.part.count * self.part.kind.groups

    def per_target(self, rate: Fraction) -> Fraction:
        """A module's rate shared out over its targets."""
        return rate / self.part.kind.groups


class Near(NamedTuple):
    """The measurement that comes nearest to a part of the data tier: of which modules, and the share of one of them.

    `steps` are those that a part is away from it, the repetition of the benchmark among them.
    """

    measured: Measured
    kind: Kind
    rate: Range
    steps: tuple[Step, ...]

    def described(self, unit: Unit) -> str:
        """What was measured, as a rule names it."""
        share = units.show(round(self.rate.value), unit)
        together = units.show(round(self.measured.rate.value), unit)
        one = f"Nearest evidence: {self.name} was measured at {share}."
        several = f"Nearest evidence: {self.name} together were measured at {together}, {share} for each."
        return " ".join((one if self.measured.modules.total() == 1 else several, *self.measured.caveats))

    def remoteness(self, part: Part) -> tuple[int, bool]:
        """How far it lies from a part in what goes before all else: arrays, and whether the design is another one."""
        return abs(self.kind.arrays - part.kind.arrays), bool(self.measured.elsewhere)

    @property
    def name(self) -> str:
        """The modules that were measured, in words."""
        count = self.measured.modules.total()
        name = self.kind.name if count == 1 else f"{count:,} x {self.kind.name}"
        return f"{name} of {self.measured.system.design}" if self.measured.elsewhere else name


def candidates(system: System, part: Part, measurements: Iterable[Measured], family: Family) -> tuple[Near, ...]:
    """The measurements of modules of one kind that a part may be scaled from, whatever the number of its modules.

    From modules with expansions nobody can tell what the same without them brings.
    """
    return tuple(
        Near(m, m.only_kind, m.of_one_module(), _steps(system, part, m, m.only_kind, family))
        for m in measurements
        if m.only_kind and m.array == part.array and m.only_kind.expansion <= part.kind.expansion
    )


def nearest(part: Part, like: Iterable[Near], family: Family) -> Near | None:
    """The one of the candidates that comes nearest to a part: in arrays, then by the steps between them.

    None where none comes near.
    """
    return min(like, key=lambda near: _how_far(part, near, family), default=None)


class ModuleRate(NamedTuple):
    """The rate of one module, and how many modules together it was measured on."""

    rate: Rate
    seen: int


Alone = tuple[Part, str]
"""A part as if it had one module, and a figure: what a module brings is kept by them."""


class Candidates:
    """The measurements that come near to a part, kept for all numbers of its modules."""

    def __init__(self, system: System, evidence: Evidence) -> None:
        self._system = system
        self._evidence = evidence
        self._known: dict[Alone, tuple[Near, ...]] = {}
        self._rivals: dict[Alone, tuple[Near, ...]] = {}

    def near(self, part: Part, figure: str, family: Family) -> tuple[Near, ...]:
        """All that a part may be scaled from, whatever its number of modules."""
        key = part.alone(), figure
        if key not in self._known:
            self._known[key] = candidates(self._system, part, self._evidence.near(figure), family)
        return self._known[key]

    def rivals(self, part: Part, figure: str, family: Family) -> tuple[Near, ...]:
        """Those of which one is the nearest for some number of modules: arrays and design go before that number."""
        key = part.alone(), figure
        if key not in self._rivals:
            near = self.near(part, figure, family)
            least = min((each.remoteness(part) for each in near), default=None)
            self._rivals[key] = tuple(each for each in near if each.remoteness(part) == least)
        return self._rivals[key]

    def nearest(self, part: Part, figure: str, family: Family) -> Near | None:
        """The one that comes nearest to a part, in its number of modules as well."""
        rivals = self.rivals(part, figure, family)
        return rivals[0] if len(rivals) == 1 else nearest(part, rivals, family)


def _steps(system: System, part: Part, measured: Measured, kind: Kind, family: Family) -> tuple[Step, ...]:
    """The steps from a measured module to one of a part, their number apart."""
    found = family.steps(system.differences(part, measured, kind))
    differences = (_one_sided(step, system, measured) if step.kind == "variant" else step for step in found)
    is_sized = (part.kind.arrays, part.kind.unexpanded().groups) != (kind.arrays, kind.unexpanded().groups)
    sized = (family.step(SIZE),) if is_sized else ()
    expanded = (family.step(EXPANSION),) if part.kind.expansion != kind.expansion else ()
    return (*differences, *sized, *expanded, *measured.doubted)


def _one_sided(variant: Step, system: System, measured: Measured) -> Step:
    """The step of another variant: metadata arrays of their own take load off the arrays of the data, and add none."""
    planned, tested = system.metadata.arrays, measured.metadata.arrays
    if planned == tested:
        return variant
    return variant.upwards() if planned > tested else variant.downwards()


def _how_far(part: Part, near: Near, family: Family) -> tuple[int, bool, Fraction, int, int, Fraction, str]:
    """How far a measurement lies from a part; of two equally near the lower one comes first, and then the id.

    Arrays go first: their controllers are what most rates depend on. Of as many arrays those of the design go first:
    a part that a site replaces does not make another design the nearer one. The id makes the choice the same for any
    order of files.
    """
    seen = near.measured.modules.total()
    counted = family.step(COUNT, doublings(Fraction(part.count, seen))).down
    width = quadrature((*(s.down for s in near.steps), counted))
    # A step may bring nothing; it is one all the same.
    return *near.remoteness(part), width, len(near.steps), seen, near.rate.value, near.measured.id


def doubling(evidence: Evidence, figure: str) -> tuple[Fraction | None, tuple[str, ...]]:
    """The factor that twice the drives behind the same controllers brought, and the two records; None without any.

    Seen on systems of the design, or else on those of another.
    """
    known = [m for m in evidence.of_arrays(figure) if m.modules.total() == 1]
    kinds = [(m, m.only_kind) for m in known if m.only_kind]
    for few, a in kinds:
        for many, b in kinds:
            alike = few.system.design == many.system.design and a.drive == b.drive
            if alike and (a.arrays, 2 * a.groups) == (b.arrays, b.groups):
                return many.rate.value / few.rate.value, (few.id, many.id)
    return None, ()


class Pace(NamedTuple):
    """Of unlike modules striped together, those whose targets are the slowest at the low end or the value of a rate.

    `rate` is what all targets bring at that pace, `lost` the share of the sum that it costs.
    """

    slowest: Share
    rate: Fraction
    lost: Fraction


def _pace(shares: Sequence[Share], end: Literal["low", "value"]) -> Pace:
    """The pace of all targets at one end. The value lies halfway to the sum, so that half of the loss is lost."""
    rates = [s.rate.range.low if end == "low" else s.rate.range.value for s in shares]
    total = sum((s.part.count * rate for s, rate in zip(shares, rates, strict=True)), Fraction(0))
    least, slowest = min(
        ((s.per_target(rate), s) for s, rate in zip(shares, rates, strict=True)), key=lambda paced: paced[0]
    )
    rate = sum(s.targets for s in shares) * least
    lost = 1 - rate / total if total else Fraction(0)
    return Pace(slowest, rate, lost if end == "low" else lost / 2)


def _worst(value: Pace, low: Pace) -> Pace:
    """The pace that costs more: that of the value or that of the low end, which other modules may set."""
    return max(value, low, key=lambda p: p.lost)


def together(shares: Sequence[Share], family: Family, terms: FigureTerms) -> Rate:
    """All modules of the data tier.

    Value: the sum; of unlike modules, halfway between the pace of the slowest target and the sum. Low: as many times
    the lowest rate for each target as there are targets. High: the sum of the highs. Each doubling of the number of
    modules beyond those that were measured together is an independent step.
    """
    modules = sum(s.part.count for s in shares)
    seen = shares[0].seen if len(shares) == 1 else 1
    if modules == seen == 1:
        return shares[0].rate
    value, low = _pace(shares, "value"), _pace(shares, "low")
    total = sum((s.rate.range.value * s.part.count for s in shares), Fraction(0))
    high = sum((s.rate.range.high * s.part.count for s in shares), Fraction(0))
    alike = len(shares) == 1
    steps = (family.step(COUNT, doublings(Fraction(modules, seen))),) if modules != seen else ()
    each = (f"{s.part.count:,} x {s.part.kind.name} with {s.part.kind.drive}: {s.rate.rule}" for s in shares)
    slowest = _worst(value, low).slowest
    named = ": ".join(s for s in (slowest.part.first, slowest.rate.limit) if s)
    limit = slowest.rate.limit if alike else f"slowest {terms.target}s ({named})"
    bounds = Range(low.rate, (value.rate + total) / 2, high).after(steps)
    # The high end rests on the sum: with the steps beside the value it would fall where more of one kind lowers that.
    bounds = bounds._replace(high=Range(total, total, high).after(steps).high)
    return Rate(
        bounds,
        weakest(("extrapolated", *(s.rate.basis for s in shares))),
        " ".join(
            (*each, _adding(modules, steps, bounds), *(() if alike else (_pacing(shares, value, low, terms),)))
        ).rstrip(),
        limit,
        tuple(dict.fromkeys(i for s in shares for i in s.rate.inputs)),
        (
            *dict.fromkeys(c for s in shares for c in s.rate.sources),
            terms.grows,
            *(() if alike else (terms.spreading,)),
        ),
        tuple(dict.fromkeys((*(step for s in shares for step in s.rate.steps), *steps))),
    )


def paced(shares: Sequence[Share]) -> tuple[Pace, ...]:
    """The modules that pace the others, where that costs part of the sum; empty for modules alike.

    However little it is, a plan with less of one kind may bring more.
    """
    if len(shares) == 1:
        return ()
    worst = _worst(_pace(shares, "value"), _pace(shares, "low"))
    return (worst,) if worst.lost else ()


def paced_note(paces: Iterable[Pace], system: System, rates: int) -> tuple[Finding, ...]:
    """One note for all rates of a plan: which modules pace which others, and how much of the sum that costs at most.

    `rates` is how many rates the plan has.
    """
    lost: dict[Part, list[Fraction]] = {}
    for pace in paces:
        lost.setdefault(pace.slowest.part, []).append(pace.lost)
    if not lost:
        return ()
    terms, said = system.terms, []
    for part, shares in lost.items():
        others = ", ".join(_named(p) for p in system.parts if p is not part)
        said.append(
            f"{terms.target}s of {_named(part)} pace those of {others} in {len(shares)} of {rates} rates, whose value "
            f"or low end is up to {ceil(max(shares) * 1000) / 10:g} % below the sum of the modules"
        )
    targets = sum(p.count * p.kind.groups for p in system.parts)
    hint = "equal modules, or a file system of its own for each kind"
    return (Finding("PX412", f"{terms.spread.format(n=targets)}: {'; '.join(said)}", terms.modules, hint),)


def _named(part: Part) -> str:
    """Modules that are alike, by the first of them: `sm02 (2 x Small, nl-sas-12tb)`."""
    return f"{part.first} ({part.count:,} x {part.kind.name}, {part.kind.drive})"


def _adding(modules: int, steps: tuple[Step, ...], bounds: Range) -> str:
    """Why modules add, how much their number may differ from the sum, and what that makes of the range of them all."""
    if modules == 1:
        return told(steps)
    adding = f"The {modules:,} modules add: the document claims it and nobody measured it."
    counted = " and ".join(factor(step) for step in steps)
    if not counted or bounds.low <= 0:
        return adding
    whole = factor(Step("", "", bounds.value / bounds.low, bounds.high / bounds.value))
    return f"{adding} Their number is one thing more, {counted}: with the range of each module, {whole} for them all."


def _pacing(shares: Sequence[Share], value: Pace, low: Pace, terms: FigureTerms) -> str:
    """What the slowest targets of unlike modules do to the rest; those of the low end may be others."""
    targets, what = sum(s.targets for s in shares), f"{terms.target}s"
    at_low = "" if low.slowest is value.slowest else f", which those of {low.slowest.part.first} may have"
    return (
        f"{terms.spread.format(n=targets)}, so the slowest, those of {value.slowest.part.first}, pace the "
        f"rest: the lower end rests on the number of {what} times the smallest rate for each{at_low}, the upper end on "
        f"the sum, and the value lies halfway between the number of {what} times the slowest one's and the sum."
    )
