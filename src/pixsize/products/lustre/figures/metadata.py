"""Rates of creation, stat, read and removal in Lustre: measured with one and two MDTs, otherwise scaled and bounded."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.estimate.evidence import Evidence, Measured, evidence_for, merged
from pixsize.estimate.ids import DURATIONS, METADATA, OPERATIONS
from pixsize.estimate.ranges import Range, doubled, doublings, told
from pixsize.estimate.rates import Rate, from_rate, measured_figure, missing
from pixsize.estimate.spreads import Family, family_of
from pixsize.estimate.system import DATA_TIER, Difference, System
from pixsize.figures import Basis, Figure, Source
from pixsize.findings import Finding

USES_OSTS = Source("dell-lustre-me4", "9. Metadata Performance Study, Figure 4: create and remove involve the OSTs")
TWO_TARGETS = Source("dell-lustre-me4", "Metadata Performance Study, Figures 6 to 8: one MDT and two MDTs")
SECOND_MDS = Source("dell-lustre-powerflex", "MDtest Performance Evaluation, Figure 8: one and two MDS")
SECOND_MDS_GAIN = "lustre.second_mds_create"
TWICE = Fraction(2)
LIMIT = "MDTs"
MDTS = Difference("count", "another number of MDTs")
ON_OSTS = frozenset(("create", "remove"))
"""The operations that use the OSTs as well, by the document."""


class Gain(NamedTuple):
    """The factor by which twice the MDTs speed an operation up, its range, and how both are known."""

    value: Fraction
    least: Fraction
    most: Fraction
    basis: Basis
    why: str
    inputs: tuple[str, ...]
    sources: tuple[Source, ...]


def metadata_rates(
    system: System, evidence: Evidence, catalog: Catalog, only: Collection[str] | None = None
) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The figures in operations a second, and what is missing; those of `only` where it is given."""
    figure_ids = [f"{METADATA}{size}.{op}.{t}" for size in ("empty", "4k") for op in OPERATIONS for t in DURATIONS]
    figure_ids += [i for op in OPERATIONS for t in DURATIONS if evidence.measurements(i := f"{METADATA}128b.{op}.{t}")]
    wanted = (i for i in figure_ids if only is None or i in only)
    found = {i: _figure(i, system, evidence, catalog) for i in wanted}
    return tuple(f for f in found.values() if f), missing([i for i, f in found.items() if not f], "metadata")


def _figure(figure: str, system: System, evidence: Evidence, catalog: Catalog) -> Figure | None:
    measurements = [m for m in evidence.measurements(figure) if m.metadata.targets]
    same_system = merged([m for m in measurements if not system.metadata_differences(m)])
    if same_system:
        return measured_figure(same_system, "op/s", None, family_of(figure, catalog))

    def distance(measured: Measured) -> tuple[Fraction, int, int, Fraction, str]:
        # Half as many MDTs lie as far away as twice as many. Then OSTs decide, since creates and removals use them.
        times = Fraction(system.metadata.targets, measured.metadata.targets)
        osts, unlike = abs(system.groups - measured.groups), len(system.metadata_differences(measured))
        return max(times, 1 / times), osts, unlike, measured.rate.value, measured.id

    nearest = min(measurements, key=distance, default=None)
    if nearest is None:
        return None
    gain, family = _gain(figure, measurements, evidence, catalog), family_of(figure, catalog)
    rate = _rate(system, nearest, gain, family, on_osts=figure.split(".")[-2] in ON_OSTS)
    return from_rate(figure, rate, family, "op/s")


def most_of_rest(system: System, figure: str, catalog: Catalog) -> Range | None:
    """The most that a rate can be, whatever the OSTs, of a system that was not measured; None without evidence."""
    evidence, family = evidence_for(catalog, system.design), family_of(figure, catalog)
    measurements = [m for m in evidence.measurements(figure) if m.metadata.targets]
    ratios = {m.id: Fraction(system.metadata.targets, m.metadata.targets) for m in measurements}
    least = min((max(r, 1 / r) for r in ratios.values()), default=None)
    nearest = [m for m in measurements if max(ratios[m.id], 1 / ratios[m.id]) == least]
    if not nearest:
        return None
    gain = _gain(figure, measurements, evidence, catalog)
    ranges = []
    for m in nearest:
        factors = [doubled(g, ratios[m.id]) for g in (gain.value, gain.least, gain.most)]
        others = (d for d in system.metadata_differences(m) if d.step != "count" and d != DATA_TIER)
        steps = (*family.steps((*others, DATA_TIER)), family.step(MDTS, doublings(ratios[m.id])), *m.doubted)
        bounds = Range(m.rate.low * min(factors), m.rate.value * factors[0], m.rate.high * max(factors))
        ranges.append(bounds._replace(high=bounds.after(steps).high))
    return Range(*(max(ends) for ends in zip(*ranges, strict=True)))


def _gain(figure: str, measurements: list[Measured], evidence: Evidence, catalog: Catalog) -> Gain:
    """The factor of twice the MDTs: as measured for this figure, as printed for creation, or as the document expects.

    A measured factor above 2, as that of removal, is unexplained: it widens the range, and the value stays at 2. The
    range contains every factor that was measured with a second MDT or MDS.
    """
    create = catalog.get(Constant, SECOND_MDS_GAIN)
    pairs = evidence.gains(f"{METADATA}empty.")
    gains = [gain for gain, _ in pairs] + [1 + create.low, 1 + create.high]
    inputs = (*(i for _, ids in pairs for i in ids), SECOND_MDS_GAIN)
    # The ratio of two measurements of this figure, one with twice the MDTs of the other.
    doubled_mdts = ((a, b) for a in measurements for b in measurements if 2 * a.metadata.targets == b.metadata.targets)
    measured_gain = next((b.rate.value / a.rate.value for a, b in doubled_mdts), None)
    basis: Basis = "extrapolated"
    if measured_gain is not None:
        value, why = (
            min(measured_gain, TWICE),
            f"as here (a second MDT brought {float(measured_gain):.2f}; no more than 2 is counted on)",
        )
    elif ".create." in figure:
        value, why = 1 + create.value, "as a second MDS brought to creation here"
    else:
        value, why, basis = TWICE, 'since the gain of a second MDS was "as expected" for all but creation', "estimated"
    bounds = (value, *gains)
    return Gain(value, min(bounds), max(bounds), basis, why, inputs, (TWO_TARGETS, SECOND_MDS))


def _rate(system: System, nearest: Measured, gain: Gain, family: Family, *, on_osts: bool) -> Rate:
    """The nearest measured rate, scaled to the number of MDTs, and lowered where there are fewer OSTs.

    Fewer OSTs lower the value of what uses them (`on_osts`), and of all else the low end alone.
    """
    ratio, ost_ratio = (
        Fraction(system.metadata.targets, nearest.metadata.targets),
        Fraction(system.groups, nearest.groups),
    )
    differences = system.metadata_differences(nearest)
    others = (d for d in differences if d.step != "count" and d != DATA_TIER)
    tier = (system.tier_step(nearest, family.step(DATA_TIER)),) if DATA_TIER in differences else ()
    counted = (family.step(MDTS, doublings(ratio)),) if ratio != 1 else ()
    steps = (*family.steps(tuple(others)), *tier, *counted, *nearest.doubted)
    factors = [doubled(g, ratio) for g in (gain.value, gain.least, gain.most)]
    fewer = min(ost_ratio, Fraction(1))  # more OSTs than measured are not counted on
    bounds = Range(
        nearest.rate.low * min(factors) * fewer,
        nearest.rate.value * factors[0] * ((1 + fewer) / 2 if on_osts else 1),
        nearest.rate.high * max(factors),
    )
    measured = units.show(round(nearest.rate.value), "op/s")
    sentences = [
        f"{_plural(nearest.metadata.targets, 'MDT')} with {_plural(nearest.groups, 'OST')} made {measured}.",
        *nearest.caveats,
    ]
    sentences += [_more_mdts(ratio, gain)] if ratio != 1 else []
    sentences += [_other_osts(ost_ratio, on_osts=on_osts)] if ost_ratio != 1 else []
    sentences += [told(steps)]
    basis: Basis = "estimated" if ost_ratio < 1 else gain.basis if ratio != 1 else "extrapolated"
    inputs = (*nearest.ids, *(gain.inputs if ratio != 1 else ()))
    sources = (*nearest.sources, *(gain.sources if ratio != 1 else ()), *((USES_OSTS,) if ost_ratio != 1 else ()))
    unique = tuple(dict.fromkeys(inputs)), tuple(dict.fromkeys(sources))
    return Rate(bounds.after(steps), basis, " ".join(sentences), LIMIT, *unique, steps)


def _more_mdts(times: Fraction, gain: Gain) -> str:
    return (
        f"For {float(times):g} times the MDTs the value takes a factor of {float(gain.value):.2f} for every doubling, "
        f"{gain.why}; the range has {float(gain.least):.2f} to {float(gain.most):.2f}, all that a second MDT or MDS "
        "was seen to bring."
    )


def _other_osts(osts: Fraction, *, on_osts: bool) -> str:
    """Fewer OSTs may be the limit; more of them were never needed for a second MDT to bring more."""
    if osts > 1:
        return "More OSTs are not counted on: with the same ones a second MDT brought more, so that MDTs are the limit."
    if on_osts:
        return (
            f"With {float(osts):g} times the OSTs, which creation and removal use as well, the low end has this part "
            "of the rate, and the value lies halfway."
        )
    return (
        f"With {float(osts):g} times the OSTs the value stays, since the document has creation and removal alone use "
        "them. Yet the sizes and bytes of files lie there, and nobody measured fewer of them: the low end has this "
        "part of the rate."
    )


def _plural(count: int, what: str) -> str:
    return f"One {what}" if count == 1 else f"{count:,} {what}s"
