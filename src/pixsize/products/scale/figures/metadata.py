"""Rates of file creation, stat, read and removal: measured for one metadata array, otherwise scaled or bounded."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.estimate.evidence import JUDGEMENT, Evidence, Measured, evidence_for, merged
from pixsize.estimate.ids import DURATIONS, METADATA, OPERATIONS
from pixsize.estimate.ranges import Range, Step, doubled, doublings, rounded, told
from pixsize.estimate.rates import Rate, from_rate, measured_figure, missing
from pixsize.estimate.spreads import Family, family_of
from pixsize.estimate.system import DATA_TIER, Difference, System
from pixsize.figures import Figure, Source
from pixsize.findings import Finding
from pixsize.products.scale.plan import HDMD

ARRAYS_ADD = Source(
    "dell-pixstor-6", "Metadata Performance with MDtest Using Empty Files: linear, except maybe stat and read"
)
NOT_4K = Source(
    "dell-pixstor-6", "Metadata Performance with MDtest Using 4 KiB Files: no linear increase can be assumed"
)
INSIDE = Source(
    "dell-pixstor-6", "Metadata Performance with MDtest Using 4 KiB Files: unless the whole file fits inside the inode"
)
EXPANSION = Source("dell-pixstor-6", "PixStor solution with capacity expansion, Metadata Performance: almost the same")
TWO_TARGETS = Source("dell-lustre-me4", "Metadata Performance Study, Figures 6 to 8: one MDT and two MDTs")
"""Where a second target for metadata on the same array was measured: no document of PixStor has looked."""
ARRAYS = Difference("count", "another number of metadata arrays")
HALF_OF_TWICE = rounded(sqrt(2))
"""Half of a doubling in logarithms."""
WRITES = ("create", "remove")
"""The operations that arrays limit before the processors of the servers do."""
LINEAR = ("empty.create", "empty.remove", "3k.create", "3k.remove")
"""What the document expects to grow with each array, in its first statement and in its later discussion: files that lie
inside their inodes.
"""


class Growth(NamedTuple):
    """How many times what was measured a system has: metadata arrays, the data tier, and the rate that the metadata
    allow at the most.
    """

    arrays: Fraction
    data: Fraction
    metadata: Fraction


def metadata_rates(
    system: System, evidence: Evidence, catalog: Catalog, only: Collection[str] | None = None
) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The figures in operations a second, and what is missing; those of `only` where it is given.

    In the standard variant nothing is scaled.
    """
    figures = [f"{METADATA}{size}.{op}.{t}" for size in ("empty", "4k") for op in OPERATIONS for t in DURATIONS]
    if not system.metadata_unlike:  # 3 KiB lie inside an inode of 4 KiB, the default, and in no smaller one
        in_inode = [f"{METADATA}3k.{op}.{t}" for op in OPERATIONS for t in DURATIONS]
        figures += [i for i in in_inode if evidence.measurements(i)]
    figures = [i for i in figures if only is None or i in only]
    if system.variant != HDMD:
        return _standard(figures, system, evidence, catalog)
    found = {f: _figure(f, system, evidence, catalog) for f in figures}
    return tuple(f for f in found.values() if f), missing([i for i, f in found.items() if not f], "hdmd")


def _standard(
    figures: list[str], system: System, evidence: Evidence, catalog: Catalog
) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """What was measured on this very system; nothing was published for the variant, so that nothing can be scaled."""
    found = {f: _exactly(f, system, evidence) for f in figures}
    left = [i for i, measured in found.items() if not measured]
    known = tuple(measured_figure(m, "op/s", None, family_of(i, catalog)) for i, m in found.items() if m)
    if not left:
        return known, ()
    names = "" if not known else f" for {left[0]}" + (f" and {len(left) - 1} more" if len(left) > 1 else "")
    why = "none were published for metadata on SSDs in the data arrays (the standard variant)"
    return known, (Finding("PX405", f"no metadata rates{names}: {why}", "hdmd"),)


def _exactly(figure: str, system: System, evidence: Evidence) -> Measured | None:
    """What was measured on a system with the same metadata."""
    return merged([m for m in evidence.measurements(figure) if not system.metadata_differences(m)])


def _figure(figure: str, system: System, evidence: Evidence, catalog: Catalog) -> Figure | None:
    family = family_of(figure, catalog)
    if exactly := _exactly(figure, system, evidence):
        return measured_figure(exactly, "op/s", None, family)
    candidates = evidence.measurements(figure) or evidence.near(figure)
    known = [m for m in candidates if m.system.variant == HDMD and m.metadata.arrays]
    closest = min(known, key=lambda m: _distance(system, m), default=None)
    return from_rate(figure, _rate(figure, system, closest, family), family, "op/s") if closest else None


def most_of_rest(system: System, figure: str, catalog: Catalog) -> Range | None:
    """The most that a rate can be, whatever the data tier, of a system that was not measured; None without evidence.

    Of files inside their inodes it is the highest of what the nearest measurements make of it, since they do not use
    the data tier. Of others the low end alone is known: no more than that of a measurement.
    """
    if system.variant != HDMD:
        return None
    evidence, family = evidence_for(catalog, system.design), family_of(figure, catalog)
    found = evidence.measurements(figure) or evidence.near(figure)
    known = [m for m in found if m.system.variant == HDMD and m.metadata.arrays]
    least = min((_distance(system, m)[:2] for m in known), default=None)
    nearest = [m for m in known if _distance(system, m)[:2] == least]
    is_scaled = ".4k." not in figure
    ranges = [_rate(figure, system, m, family).range if is_scaled else m.rate for m in nearest]
    return Range(*(max(ends) for ends in zip(*ranges, strict=True))) if ranges else None


def _distance(system: System, measured: Measured) -> tuple[int, bool, int, int, int, Fraction, str]:
    """How far a measurement is: in metadata arrays, by another design, in the data tier, in all other differences."""
    arrays = abs(measured.metadata.arrays - system.metadata.arrays)
    tier = abs(measured.arrays - system.arrays), abs(measured.groups - system.groups)
    unlike = len(system.metadata_differences(measured))
    return arrays, bool(measured.elsewhere), *tier, unlike, measured.rate.value, measured.id


def _rate(figure: str, system: System, closest: Measured, family: Family) -> Rate:
    arrays = Fraction(system.metadata.arrays, closest.metadata.arrays)
    # How many times the data tier measured: by arrays, or by groups where these are fewer. Expansions do not count.
    data, groups = Fraction(system.arrays, closest.arrays), Fraction(system.groups, closest.groups)
    data = min(data, groups) if groups < 1 else data
    differences, in_inode = system.metadata_differences(closest), ".4k." not in figure
    is_linear = any(linear in figure for linear in LINEAR)
    measured = units.show(round(closest.rate.value), "op/s")
    count = closest.metadata.arrays
    tier = "One metadata array" if count == 1 else f"{count} metadata arrays"
    where = "".join(f" ({d.what})" for d in closest.elsewhere)
    tested = f"{tier} with {closest.arrays} data arrays made {measured}{where}."
    pairs = Fraction(system.metadata.modules, closest.metadata.modules)
    growth = arrays if figure.rsplit(".", 2)[1] in WRITES else _of_servers(pairs, arrays)
    if not in_inode and not arrays == data == 1:
        rate = _bounded_4k(figure, closest, Growth(arrays, data, growth), family.step(DATA_TIER))
    elif arrays == 1:
        rate = _unscaled(system, closest, differences, in_inode=in_inode)
    elif is_linear:
        rate = _linear(closest, arrays)
    else:
        rate = _bounded(closest, arrays, growth)
    others = tuple(d for d in differences if d.step != "count" and d != DATA_TIER)
    steps = (*family.steps(others), *closest.doubted)
    # Files inside their inodes do not use the data tier; of others a smaller tier is in the bounds.
    if DATA_TIER in differences and not in_inode and data >= 1:
        steps = (*steps, system.tier_step(closest, family.step(DATA_TIER)))
    if arrays != 1:
        counted = family.step(ARRAYS, doublings(arrays))
        steps = (*steps, counted if is_linear else counted.upwards() if arrays > 1 else counted.downwards())
    return rate._replace(
        range=rate.range.after(steps),
        rule=" ".join(s for s in (tested, rate.rule, told(steps), *closest.caveats) if s),
        inputs=tuple(dict.fromkeys((*closest.ids, *rate.inputs))),
        sources=(*closest.sources, *rate.sources),
        steps=steps,
    )


def _unscaled(system: System, closest: Measured, differences: tuple[Difference, ...], *, in_inode: bool) -> Rate:
    """As many metadata arrays, and data arrays where they matter: the measured rate, with the reason for each."""
    reasons, citations = [], []
    if DATA_TIER in differences and in_inode:
        reasons.append("Such files lie inside their inodes: the data arrays are not used at all.")
        citations.append(INSIDE)
    elif DATA_TIER in differences and system.is_expanded_of(closest):
        reasons.append("Rates with or without expansions were only marginally different in PixStor 5.")
        citations.append(EXPANSION)
    elif DATA_TIER in differences:
        reasons.append("The data tier has as many arrays and groups as the one measured, and differs in other ways.")
        citations.append(INSIDE)
    if any(d != DATA_TIER for d in differences):
        reasons.append("How the rate depends on the other differences nobody measured: the value stays as it was.")
    return Rate(closest.rate, "extrapolated", " ".join(reasons), "", sources=tuple(citations))


def _linear(closest: Measured, arrays: Fraction) -> Rate:
    """The document's claim is the value; what a second MDT brought elsewhere is in the spread of the number."""
    rule = (
        f"The document expects these rates to grow with each array: {_times(arrays)} the rate. Nobody measured it: how "
        "far twice the metadata targets lie from twice the rate is known from Lustre on the same array."
    )
    return Rate(closest.rate.times(arrays), "extrapolated", rule, "", (), (ARRAYS_ADD, TWO_TARGETS))


def _of_servers(pairs: Fraction, arrays: Fraction) -> Fraction:
    """How many times the rate stats and reads have at the most, with more pairs of servers and more arrays.

    Each pair brings all of its own. Behind one pair, twice the arrays bring between nothing, as the processors of the
    servers become the limit, and twice the rate: nobody measured it, and half of it is allowed for, in logarithms.
    """
    return pairs * doubled(HALF_OF_TWICE, arrays / pairs)


def _bounded(closest: Measured, arrays: Fraction, growth: Fraction) -> Rate:
    """Stat and read of files inside inodes: the document withdraws its claim for them, so only bounds are known."""
    rule = (
        "Bounded, not scaled: the document excepts stat and read of empty files from the growth with each array, since "
        "the servers' processors become the limit. The value counts on no gain; high is "
        f"{_times(max(growth, Fraction(1)))} the rate: {_OF_SERVERS}."
    )
    return Rate(_between(closest.rate, arrays, most=growth), "estimated", rule, "", sources=(ARRAYS_ADD, JUDGEMENT))


def _bounded_4k(figure: str, closest: Measured, growth: Growth, tier: Step) -> Rate:
    """Files with data: their rate depends on the data tier too, and the document assumes no linear gain for them.

    The tier that grows less is the limit, so that the high end is what its growth allows: of the metadata that of their
    arrays or servers, of a larger data tier a step with each doubling, since nobody measured one, and expansions made
    hardly a difference in PixStor 5. The metadata alone answer a stat.
    """
    arrays, data, metadata = growth
    least = min(Fraction(1), arrays, data)
    most, why = (metadata, _OF_SERVERS) if ".stat." in figure else _both_tiers(metadata, data, tier)
    rule = (
        "Bounded, not scaled: files of 4 KiB do not fit into an inode and lean on the data arrays as well, and the "
        f"document assumes no linear gain for them. The data tier has {_times(data)} the arrays or groups measured, "
        f"the metadata {_times(arrays)} the arrays. The low end is {_times(least)} the rate: the smallest of "
        f"these factors, and 1 at the most. The value is {_times((1 + least) / 2)} the rate, halfway from 1 to that. "
        f"The high end is {_times(max(most, Fraction(1)))} the rate: {why}."
    )
    return Rate(_between(closest.rate, arrays, data, most=most), "estimated", rule, "", sources=(NOT_4K, EXPANSION))


_OF_SERVERS = (
    "each further pair of servers may bring as much as the first, and twice the arrays behind a pair up to 1.41 times "
    "the rate, half of a doubling in logarithms, since nobody measured it"
)


def _both_tiers(metadata: Fraction, data: Fraction, tier: Step) -> tuple[Fraction, str]:
    """How many times the rate files bring that need both tiers, at the most, and why."""
    allowed = doubled(tier.up, data) if data > 1 else data
    larger = f", of which each doubling is taken to allow {float(tier.up):.2f} times the rate" if data > 1 else ""
    why = (
        f"each file needs both tiers, so that it is what the smaller growth allows, that of the metadata or that of "
        f"the data tier{larger}"
    )
    return min(metadata, allowed), why


def _between(rate: Range, *factors: Fraction, most: Fraction) -> Range:
    """A range from the smallest factor to the most, 1 among them; the value lies halfway down to the smallest."""
    least = min(Fraction(1), *factors)
    return Range(rate.low * least, rate.value * (1 + least) / 2, rate.high * max(Fraction(1), most))


def _times(factor: Fraction) -> str:
    return f"{float(factor):.3g} times"
