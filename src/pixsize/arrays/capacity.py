"""Capacity of arrays: from the drives as sold to the formatted capacity, and what the arrays keep for themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import ArrayDesign, Constant, Drive
from pixsize.estimate import ids
from pixsize.estimate.ranges import Range
from pixsize.estimate.system import FigureTerms, System
from pixsize.figures import Figure, Source, exact
from pixsize.plan.records import MIRRORED, DiskGroup, Plan, Volume


def overhead_of(volumes: Iterable[Volume]) -> str:
    """The id of the constant that says which share the arrays of these volumes keep."""
    return f"{next(iter(volumes)).provider}.array_overhead"


def margin_of(volumes: Iterable[Volume]) -> str:
    """The id of the constant that says how far under nominal these volumes are made."""
    return f"{next(iter(volumes)).provider}.volume_margin"


def steps(plan: Plan, terms: FigureTerms, catalog: Catalog) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """The steps down to what the document calls formatted; the file system says what it makes of the metadata."""
    groups = [g for g in plan.disk_groups if g.purpose == "data"]
    group_bytes, spare = nominal_bytes(groups, catalog), spare_bytes(plan, "storage", catalog)
    data = sum(g.bytes for g in groups)
    used = layouts(plan, "data")
    counts = ", as the document counts" if terms.counted else ""
    raw_rule = (
        f"The drives of the data tier as sold, hot spares included{counts}: the number of slots with a "
        "data drive or a spare times the drive's capacity. SSDs that hold metadata are not in it."
    )
    kinds = dict.fromkeys(_redundant(g, catalog) for g in groups)
    parity_rule = f"The drives of each data group less those that hold data: {'; '.join(kinds)}."
    method = "The document's method: raw" if terms.counted else "Raw"
    formatted_rule = (
        f"{method} less spares less parity, that is the data drives alone, decimal. {terms.counted}".strip()
    )
    of_drives = (*drives(groups), *used)
    arrays = {a.id for a in plan.arrays if a.role == "storage"}
    of_spares = (*dict.fromkeys(s.drive for s in plan.spares if s.array in arrays), *used)
    of_steps = (ids.RAW, ids.SPARES, ids.PARITY)
    return (
        exact(ids.RAW, group_bytes + spare, raw_rule, (terms.raw,), of_drives),
        exact(ids.SPARES, spare, _SPARES if spare else _NO_SPARES, (terms.layout,), of_spares),
        exact(ids.PARITY, group_bytes - data, parity_rule, (terms.layout,), of_drives),
        exact(ids.FORMATTED, data, formatted_rule, (terms.formatted,), of_steps),
    ), ()


_SPARES = "The hot spares of the data tier as sold: they hold no data until a drive fails."
_NO_SPARES = "The layout has no hot spares: a group that lost a drive waits for a new one before it is whole again."


def links(system: System, catalog: Catalog) -> tuple[Figure, ...]:  # noqa: ARG001  the same call for all volumes
    """None: arrays are cabled to their own pair of servers, and the model of their data path has the cables."""
    return ()


def adapter_of(design: ArrayDesign) -> str:  # noqa: ARG001  the same call for all volumes
    """None: arrays are cabled, and each adapter on a network is one that the file system uses."""
    return ""


def nominal_bytes(groups: Iterable[DiskGroup], catalog: Catalog) -> int:
    """The nominal bytes of all drives of the groups, parity included."""
    return sum(len(g.slots) * catalog.get(Drive, g.drive).capacity_bytes for g in groups)


def spare_bytes(plan: Plan, role: str, catalog: Catalog) -> int:
    """The nominal bytes of the hot spares in the arrays of a role."""
    arrays = {a.id for a in plan.arrays if a.role == role}
    return sum(len(s.slots) * catalog.get(Drive, s.drive).capacity_bytes for s in plan.spares if s.array in arrays)


def drives(groups: Iterable[DiskGroup]) -> tuple[str, ...]:
    """The drives of the groups, each once."""
    return tuple(dict.fromkeys(g.drive for g in groups))


def layouts(plan: Plan, purpose: str) -> tuple[str, ...]:
    """The layouts of the arrays that hold groups of the purpose: they say which slot has which use."""
    arrays = {g.array for g in plan.disk_groups if g.purpose == purpose}
    return tuple(dict.fromkeys(e.layout for a in plan.arrays if a.id in arrays for e in a.enclosures))


def counted(plan: Plan, purpose: str, terms: FigureTerms, inputs: tuple[str, ...], rule: str) -> Figure:
    """How many volumes of the design there are of a purpose: those that products add come behind them."""
    makers = {v.provider for v in plan.volumes[:1]}
    value = sum(1 for v in plan.volumes if v.provider in makers and v.purpose == purpose)
    return exact(f"{ids.VOLUMES}{purpose}", value, rule, (terms.layout,), inputs, "1")


def level(group: DiskGroup) -> str:
    """The RAID level in words."""
    return f"RAID {group.level.removeprefix('r')}"


def _redundant(group: DiskGroup, catalog: Catalog) -> str:
    """How many of a group's drives hold no data of their own, and what they hold."""
    count = len(group.slots)
    data = group.bytes // catalog.get(Drive, group.drive).capacity_bytes
    redundant, mirrored = count - data, group.level in MIRRORED
    split, contents = ("", "copies") if mirrored else (f" of {data}+{redundant}", "parity")
    return f"{redundant} of the {count} in a {level(group)}{split} {'holds' if redundant == 1 else 'hold'} {contents}"


class Overhead(NamedTuple):
    """How a file system counts the bytes of a disk group that it cannot use.

    A file system whose targets can be expanded loses only what the array keeps; one whose targets stay as they were
    formatted loses all that the volume leaves of its group.

    `unreported` are the groups whose size no array reported, `kept` returns the range of bytes that a group loses.
    `reported_rule` and `unreported_rule` end the sentences that count the groups of both sorts; `sources` are the
    replies that reported sizes come from.
    """

    unreported: Sequence[DiskGroup]
    kept: Callable[[DiskGroup], Range]
    reported_rule: str
    unreported_rule: str
    sources: tuple[Source, ...]


def array_overhead(
    groups: Sequence[DiskGroup], volumes: Mapping[str, Volume], overhead: Overhead, catalog: Catalog
) -> Figure:
    """What the arrays keep of the data groups; a range where an array did not yet report what it keeps."""
    constant, margin = overhead_of(volumes.values()), margin_of(volumes.values())
    share = catalog.get(Constant, constant)
    unreported = overhead.unreported
    each = [overhead.kept(g) for g in groups]
    total = Range(*(sum(ends, Fraction(0)) for ends in zip(*each, strict=True)))
    value, low, high = total.whole()  # rounded once, over all groups
    rules = []
    if len(unreported) < len(groups):
        rules.append(
            f"For {_of(len(groups) - len(unreported), groups)} disk groups the arrays {overhead.reported_rule}"
        )
    if unreported:
        rules.append(
            f"For {_of(len(unreported), groups)} disk groups no array reported a size: {overhead.unreported_rule}"
        )
    return Figure(
        id=ids.ARRAY_OVERHEAD,
        value=value,
        low=low,
        high=high,
        unit="B",
        basis=share.basis if unreported else "measured",
        rule=" ".join(rules),
        sources=share.citations() if unreported else overhead.sources,
        inputs=(ids.FORMATTED, constant, margin) if unreported else (ids.FORMATTED,),
    )


def _of(count: int, groups: Sequence[DiskGroup]) -> str:
    """How many of the groups a sentence speaks of."""
    return f"all {count:,}" if count == len(groups) else f"{count:,} of {len(groups):,}"


def kept_at_most(group: DiskGroup, volumes: Mapping[str, Volume], share: Constant) -> Fraction:
    """The high end for a group that no array reported: at least what a volume that is never expanded leaves unused.

    A volume that exists may be smaller than planned.
    """
    volume = volumes[group.id]
    least = min(volume.bytes, volume.reported_bytes or volume.bytes)
    return max(group.bytes * share.high, Fraction(group.bytes - least))
