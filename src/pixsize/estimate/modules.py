"""From one storage module to several: modules add, unlike ones are paced by the slowest NSD."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pixsize.estimate import cited
from pixsize.estimate.evidence import Measured, Spread
from pixsize.estimate.ranges import Range, doubled
from pixsize.estimate.system import Part
from pixsize.figures import Basis, Source


@dataclass(frozen=True, slots=True)
class Rate:
    """What one module brings, how that is known, in words and by ids, and which link of its chain sets it."""

    range: Range
    basis: Basis
    rule: str
    limit: str
    inputs: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the data tier and the rate of one of its modules."""

    part: Part
    rate: Rate

    @property
    def nsds(self) -> int:
        return self.part.count * self.part.kind.groups

    def per_nsd(self, rate: Fraction) -> Fraction:
        """A module's rate shared out over its NSDs."""
        return rate / self.part.kind.groups


def nearest(part: Part, candidates: Iterable[Measured], unlike: int) -> Measured | None:
    """The measurement of modules of one kind that comes nearest to a part: same expansion, then arrays, then drive.

    None where no measurement has the same drives behind each pair of controllers.
    """

    def distance(measured: Measured) -> tuple[int, int, int, str]:
        kind = measured.only_kind
        assert kind is not None
        size = abs(kind.arrays - part.kind.arrays) * 2 + (kind.groups != part.kind.groups)
        return size, int(kind.drive != part.kind.drive) + unlike, measured.modules.total(), measured.id

    like = [m for m in candidates if m.only_kind and m.only_kind.expansion == part.kind.expansion]
    return min(like, key=distance, default=None)


def together(shares: Sequence[Share], spread: Spread) -> Rate:
    """All modules of the data tier.

    High: the sum of the highs. Low: as many times the lowest rate for each NSD as there are NSDs, and less by the spread
    with every doubling of the number of modules. Value: halfway between the pace of the slowest NSD and the sum.
    """
    modules = sum(s.part.count for s in shares)
    if modules == 1:
        return shares[0].rate
    nsds = sum(s.nsds for s in shares)
    added = doubled(2 * (1 - spread.share), Fraction(modules)) / modules
    slowest = min(shares, key=lambda s: s.per_nsd(s.rate.range.value))
    paced = nsds * slowest.per_nsd(slowest.rate.range.value)
    low = nsds * min(s.per_nsd(s.rate.range.low) for s in shares) * added
    total = sum((s.rate.range.value * s.part.count for s in shares), Fraction(0))
    high = sum((s.rate.range.high * s.part.count for s in shares), Fraction(0))
    alike = len(shares) == 1
    limit = slowest.rate.limit if alike else f"slowest NSDs ({slowest.part.first}: {slowest.rate.limit})"
    return Rate(
        Range((low), (paced + total) / 2, high),
        "extrapolated",
        f"{_each(shares)} {_sum_rule(modules, nsds, slowest, spread, alike=alike)}",
        limit,
        tuple(dict.fromkeys((*(i for s in shares for i in s.rate.inputs), *spread.inputs))),
        (*dict.fromkeys(c for s in shares for c in s.rate.sources), cited.MODULES_ADD, *(() if alike else (cited.STRIPING,))),
    )


def _each(shares: Sequence[Share]) -> str:
    return " ".join(f"{_named(s.part)}: {s.rate.rule}" for s in shares)


def _named(part: Part) -> str:
    size = part.kind.size.capitalize() + (" with expansion" if part.kind.expansion else "")
    return f"{part.count:,} {size} with {part.kind.drive}" if part.count > 1 else f"A {size} with {part.kind.drive}"


def _sum_rule(modules: int, nsds: int, slowest: Share, spread: Spread, *, alike: bool) -> str:
    rule = (
        f"The {modules:,} modules add: the document claims it and nobody measured it, so the lower end loses another "
        f"{spread.text()} with every doubling of their number."
    )
    if alike:
        return rule
    return (
        f"{rule} GPFS stripes over all {nsds:,} NSDs alike, so the slowest, those of {slowest.part.first}, pace the rest: "
        "the lower end is the number of NSDs times the smallest rate for each, the upper end the sum, the value halfway."
    )
