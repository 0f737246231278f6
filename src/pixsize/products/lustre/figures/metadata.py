"""Rates of creation, stat, read and removal in Lustre: measured with one and two MDTs, otherwise scaled and bounded."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.estimate.evidence import Evidence, Measured, floor_of, merged
from pixsize.estimate.ids import DURATIONS, METADATA, OPERATIONS
from pixsize.estimate.ranges import Range, Spread, doubled, widening
from pixsize.estimate.rates import Rate, from_rate, measured_figure, missing
from pixsize.estimate.system import System
from pixsize.figures import Basis, Figure, Source
from pixsize.findings import Finding

USES_OSTS = Source("dell-lustre-me4", "9. Metadata Performance Study, Figure 4: create and remove involve the OSTs")
TWO_TARGETS = Source("dell-lustre-me4", "Metadata Performance Study, Figures 6 to 8: one MDT and two MDTs")
SECOND_MDS = Source("dell-lustre-powerflex", "MDtest Performance Evaluation, Figure 8: one and two MDS")
SECOND_MDS_GAIN = "lustre.second_mds_create"
TWICE = Fraction(2)
LIMIT = "MDTs"
ON_OSTS = frozenset(("create", "remove"))
"""What uses the OSTs as well, by the document."""


class Gain(NamedTuple):
    """The factor that twice the MDTs bring to an operation, what bounds it, and how both are known."""

    value: Fraction
    least: Fraction
    most: Fraction
    basis: Basis
    why: str
    inputs: tuple[str, ...]
    sources: tuple[Source, ...]


def metadata_rates(
    system: System, evidence: Evidence, catalog: Catalog
) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The figures in operations a second, and what is missing."""
    spread = evidence.spread(METADATA, floor_of(catalog))
    wanted = [f"{METADATA}{size}.{op}.{t}" for size in ("empty", "4k") for op in OPERATIONS for t in DURATIONS]
    wanted += [i for op in OPERATIONS for t in DURATIONS if evidence.measurements(i := f"{METADATA}128b.{op}.{t}")]
    found = {i: _figure(i, system, evidence, spread, catalog) for i in wanted}
    return tuple(f for f in found.values() if f), missing([i for i, f in found.items() if not f], "metadata")


def _figure(figure: str, system: System, evidence: Evidence, spread: Spread, catalog: Catalog) -> Figure | None:
    known = [m for m in evidence.measurements(figure) if m.metadata.targets]
    exactly = merged([m for m in known if not system.metadata_differences(m)])
    if exactly:
        return measured_figure(exactly, "op/s", None)
    near = min(known, key=lambda m: _distance(system, m), default=None)
    if near is None:
        return None
    gain = _gain(figure, known, evidence, catalog)
    rate = _rate(system, near, gain, spread, on_osts=figure.split(".")[-2] in ON_OSTS)
    return from_rate(figure, rate, spread, "op/s")


def _distance(system: System, measured: Measured) -> tuple[Fraction, int, str]:
    times = Fraction(system.metadata.targets, measured.metadata.targets)
    return max(times, 1 / times), len(system.metadata_differences(measured)), measured.id


def _gain(figure: str, known: list[Measured], evidence: Evidence, catalog: Catalog) -> Gain:
    """What twice the MDTs bring: as seen for this very figure, as printed for creation, or as the document expects it.

    More than twice, as removal showed, has no cause that anybody gave: it bounds the range, and is no value. The range
    has whatever a second MDT or MDS was seen to bring to anything.
    """
    create = catalog.get(Constant, SECOND_MDS_GAIN)
    pairs = evidence.gains(f"{METADATA}empty.")
    seen = [gain for gain, _ in pairs] + [1 + create.low, 1 + create.high]
    inputs = (*(i for _, ids in pairs for i in ids), SECOND_MDS_GAIN)
    own = _seen_here(known)
    basis: Basis = "extrapolated"
    if own is not None:
        value, why = min(own, TWICE), f"as here (a second MDT brought {float(own):.2f}; no more than 2 is counted on)"
    elif ".create." in figure:
        value, why = 1 + create.value, "as a second MDS brought to creation here"
    else:
        value, why, basis = TWICE, 'since the gain of a second MDS was "as expected" for all but creation', "estimated"
    bounds = (value, *seen)
    return Gain(value, min(bounds), max(bounds), basis, why, inputs, (TWO_TARGETS, SECOND_MDS))


def _seen_here(known: list[Measured]) -> Fraction | None:
    """The ratio of two measurements of the figure, one with twice the MDTs of the other."""
    pairs = ((a, b) for a in known for b in known if 2 * a.metadata.targets == b.metadata.targets)
    return next((b.rate.value / a.rate.value for a, b in pairs), None)


def _rate(system: System, near: Measured, gain: Gain, spread: Spread, *, on_osts: bool) -> Rate:
    """The measured rate for the number of MDTs, and for that of OSTs where there are fewer of them.

    Fewer OSTs lower the value of what uses them (`on_osts`), and of all else the low end alone.
    """
    times, osts = Fraction(system.metadata.targets, near.metadata.targets), Fraction(system.groups, near.groups)
    unlike = system.metadata_differences(near)
    factors = [doubled(g, times) for g in (gain.value, gain.least, gain.most)]
    fewer = min(osts, Fraction(1))  # more OSTs than measured are not counted on
    bounds = Range(
        near.rate.low * min(factors) * fewer,
        near.rate.value * factors[0] * ((1 + fewer) / 2 if on_osts else 1),
        near.rate.high * max(factors),
    )
    made = units.show(round(near.rate.value), "op/s")
    said = [f"{_plural(near.metadata.targets, 'MDT')} with {_plural(near.groups, 'OST')} made {made}.", *near.doubts]
    said += [_more_mdts(times, gain)] if times != 1 else []
    said += [_other_osts(osts, on_osts=on_osts)] if osts != 1 else []
    said += [widening(unlike, spread)] if unlike else []
    basis: Basis = "estimated" if osts < 1 else gain.basis if times != 1 else "extrapolated"
    inputs = (*near.ids, *(gain.inputs if times != 1 else ()), *spread.inputs)
    citations = (*near.sources, *(gain.sources if times != 1 else ()), *((USES_OSTS,) if osts != 1 else ()))
    widened = bounds.widened(spread.share, len(unlike))
    return Rate(widened, basis, " ".join(said), LIMIT, tuple(dict.fromkeys(inputs)), tuple(dict.fromkeys(citations)))


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
