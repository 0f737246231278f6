"""Rates of file creation, stat, read and removal: measured for one metadata array, otherwise scaled or bounded."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.estimate import cited
from pixsize.estimate.evidence import Evidence, Measured, Spread, merged
from pixsize.estimate.modules import Rate
from pixsize.estimate.ranges import Range, doubled
from pixsize.estimate.sequential import widening
from pixsize.estimate.system import System
from pixsize.estimate.throughput import DURATIONS, floor_of, from_rate, measured_figure, missing
from pixsize.figures import Figure
from pixsize.findings import Finding

PREFIX = "metadata."
OPERATIONS = ("create", "stat", "read", "remove")
LINEAR = ("empty.create", "empty.remove")
"""What the document expects to grow with each array, in its first statement and in its later discussion."""


class Gains(NamedTuple):
    """The smallest and the largest factor that a second metadata target was seen to bring, elsewhere."""

    least: Fraction
    most: Fraction
    inputs: tuple[str, ...]


def metadata_rates(
    system: System, evidence: Evidence, catalog: Catalog
) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The figures in operations a second, and what is missing. Nothing was ever published for the standard variant."""
    figures = [f"{PREFIX}{size}.{op}.{t}" for size in ("empty", "4k") for op in OPERATIONS for t in DURATIONS]
    if not system.hdmd:
        text = "no metadata rates: none were published for metadata on SSDs in the data arrays (the standard variant)"
        return (), (Finding("PX405", text, "hdmd"),)
    spread = evidence.spread(PREFIX, floor_of(catalog))
    gains = _gains(evidence)
    found = {f: _figure(f, system, evidence, spread, gains) for f in figures}
    return tuple(f for f in found.values() if f), missing([i for i, f in found.items() if not f], "hdmd")


def _gains(evidence: Evidence) -> Gains:
    """What a second MDT brought in Lustre on the same ME4024: evidence for a width, not for a value."""
    pairs = evidence.gains("metadata.empty.", ".1mdt.", ".2mdt.")
    factors = [gain for gain, _ in pairs]
    inputs = tuple(i for _, ids in pairs for i in ids)
    return Gains(min(factors, default=Fraction(1)), max(factors, default=Fraction(2)), inputs)


def _figure(figure: str, system: System, evidence: Evidence, spread: Spread, gains: Gains) -> Figure | None:
    known = [m for m in evidence.of(figure) if m.system.hdmd]
    exactly = merged([m for m in known if not _differences(system, m)])
    if exactly:
        return measured_figure(exactly, "op/s", None)
    near = min(known, key=lambda m: _distance(system, m), default=None)
    return from_rate(figure, _rate(figure, system, near, spread, gains), spread, "op/s") if near else None


def _arrays(measured: Measured) -> int:
    hdmd = measured.system.hdmd
    return hdmd.modules * hdmd.arrays if hdmd else 0


def _distance(system: System, measured: Measured) -> tuple[int, int, int, str]:
    arrays = abs(_arrays(measured) - system.metadata_arrays)
    return arrays, abs(measured.arrays - system.arrays), len(_differences(system, measured)), measured.id


def _differences(system: System, measured: Measured) -> tuple[str, ...]:
    """In what the metadata of a system differs from what was measured."""
    hdmd = measured.system.hdmd
    assert hdmd is not None
    unlike = {
        "the number of metadata arrays": (system.metadata_modules, system.metadata_arrays)
        != (hdmd.modules, hdmd.modules * hdmd.arrays),
        "the SSDs": system.metadata_drive != measured.metadata_drive,
        "the data tier": not system.is_data_of(measured),
        "the inode size or the number of copies": not system.default_metadata,
    }
    return tuple(what for what, differs in unlike.items() if differs)


def _rate(figure: str, system: System, near: Measured, spread: Spread, gains: Gains) -> Rate:
    arrays = Fraction(system.metadata_arrays, _arrays(near))
    data = Fraction(system.arrays, near.arrays)
    unlike = _differences(system, near)
    what = f"{_plural(_arrays(near))} with {near.arrays} data arrays made {units.show(round(near.rate.value), 'op/s')}."
    if ".4k." in figure:
        rate = _bounded_4k(near, arrays, data)
    elif any(linear in figure for linear in LINEAR):
        rate = _linear(near, arrays, gains)
    else:
        rate = _bounded(near, arrays)
    rule = " ".join(s for s in (what, rate.rule, widening(unlike, spread)) if s)
    inputs = (near.id, *rate.inputs, *spread.inputs)
    sources = (*near.cited, *rate.sources)
    return Rate(
        rate.range.widened(spread.share, len(unlike)), rate.basis, rule, "", tuple(dict.fromkeys(inputs)), sources
    )


def _linear(near: Measured, arrays: Fraction, gains: Gains) -> Rate:
    """The document's claim is the value; what a second MDT brought elsewhere makes the range wide."""
    if arrays == 1:
        return Rate(near.rate, "extrapolated", _NO_DATA, "", sources=(cited.EXPANSION,))
    factors = (arrays, doubled(gains.least, arrays), doubled(gains.most, arrays))
    rate = near.rate
    bounds = Range(rate.low * min(factors), rate.value * arrays, rate.high * max(factors))
    rule = (
        f"The document expects these rates to grow with each array: {_times(arrays)} the rate. In Lustre on the same "
        f"array a second metadata target brought factors of {float(gains.least):.2f} to {float(gains.most):.2f}: with "
        "every doubling they bound the range, not the value."
    )
    return Rate(bounds, "extrapolated", rule, "", gains.inputs, (cited.ARRAYS_ADD, cited.TWO_MDTS))


def _bounded(near: Measured, arrays: Fraction) -> Rate:
    """Stat and read of empty files: the document withdraws its claim for them, so only bounds are known."""
    if arrays == 1:
        return Rate(near.rate, "extrapolated", _NO_DATA, "", sources=(cited.EXPANSION,))
    rule = (
        "Bounded, not scaled: the document excepts stat and read of empty files from the growth with each array, since "
        "the servers' processors become the limit. The value counts on no gain; the upper end is "
        f"{_times(arrays)} the rate."
    )
    return Rate(_between(near.rate, arrays), "estimated", rule, "", sources=(cited.ARRAYS_ADD,))


def _bounded_4k(near: Measured, arrays: Fraction, data: Fraction) -> Rate:
    """Files with data: they lean on the data tier, and the document does not stand by a linear gain."""
    if arrays == data == 1:
        rule = "Rates with or without expansions were only marginally different in the generation before."
        return Rate(near.rate, "extrapolated", rule, "", sources=(cited.EXPANSION,))
    rule = (
        "Bounded, not scaled: files of 4 KiB do not fit into an inode and lean on the data arrays as well, and the "
        f"document assumes no linear gain for them. The data tier has {_times(data)} the arrays measured, the metadata "
        f"{_times(arrays)}: low is the smallest of these factors and 1, high the largest, the value 1, or halfway down "
        "to the smallest."
    )
    return Rate(_between(near.rate, arrays, data), "estimated", rule, "", sources=(cited.NOT_4K,))


def _between(rate: Range, *factors: Fraction) -> Range:
    """Nothing is known but that the rate lies between the smallest and the largest factor."""
    least, most = min(Fraction(1), *factors), max(Fraction(1), *factors)
    return Range(rate.low * least, rate.value * (1 + least) / 2, rate.high * most)


_NO_DATA = "Empty files are made inside their inodes: the data arrays are not used at all."


def _times(factor: Fraction) -> str:
    return f"{float(factor):g} times"


def _plural(count: int) -> str:
    return "One metadata array" if count == 1 else f"{count} metadata arrays"
