"""What the waterfalls share: exact figures, and on arrays the drives as sold, hot spares and parity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Drive
from pixsize.estimate.system import System
from pixsize.estimate.words import Words
from pixsize.figures import Figure, Source, Unit
from pixsize.plan.records import MIRRORED, DiskGroup, Plan, Volume


def overhead_of(volumes: Iterable[Volume]) -> str:
    """The id of the constant that says which share the arrays of these volumes keep."""
    return f"{next(iter(volumes)).provider}.array_overhead"


def margin_of(volumes: Iterable[Volume]) -> str:
    """The id of the constant that says how far under nominal these volumes are made."""
    return f"{next(iter(volumes)).provider}.volume_margin"


class Sold(NamedTuple):
    """The first steps on arrays, down to what the document calls formatted."""

    raw: Figure
    spares: Figure
    parity: Figure
    formatted: Figure


def exact(
    figure: str, value: int, rule: str, sources: tuple[Source, ...], inputs: tuple[str, ...], unit: Unit = "B"
) -> Figure:
    """Arithmetic on chosen parts: no range."""
    return Figure(
        id=figure,
        value=value,
        low=value,
        high=value,
        unit=unit,
        basis="exact",
        rule=rule,
        sources=sources,
        inputs=inputs,
    )


def sold(plan: Plan, groups: Sequence[DiskGroup], words: Words, catalog: Catalog) -> Sold:
    """The data tier as sold, and what hot spares and parity take of it."""
    held, spare = as_sold(groups, catalog), spare_bytes(plan, "storage", catalog)
    data = sum(g.bytes for g in groups)
    raw_rule = (
        "The drives of the data tier as sold, hot spares included, as the document counts: the number of slots with a "
        "data drive or a spare times the drive's capacity. SSDs that hold metadata are not in it."
    )
    kinds = dict.fromkeys(_redundant(g, catalog) for g in groups)
    parity_rule = f"The drives of each data group less those that hold data: {'; '.join(kinds)}."
    inputs = (*drives(groups), *layouts(plan, "data"))
    return Sold(
        exact("capacity.raw", held + spare, raw_rule, (words.raw,), inputs),
        _spares(spare, plan, words),
        exact("capacity.parity", held - data, parity_rule, (words.layout,), inputs),
        _formatted(data, words),
    )


def steps(plan: Plan, words: Words, catalog: Catalog) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """The steps down to what the document calls formatted; the file system says what it makes of the metadata."""
    return sold(plan, [g for g in plan.disk_groups if g.purpose == "data"], words, catalog), ()


def links(system: System, catalog: Catalog) -> tuple[Figure, ...]:  # noqa: ARG001  the same call for all volumes
    """None: arrays are cabled to their own pair of servers, and the model of their data path has the cables."""
    return ()


def as_sold(groups: Iterable[DiskGroup], catalog: Catalog) -> int:
    """All drives of the groups."""
    return sum(len(g.slots) * catalog.get(Drive, g.drive).capacity_bytes for g in groups)


def spare_bytes(plan: Plan, role: str, catalog: Catalog) -> int:
    """The hot spares in the arrays of a role, as sold."""
    arrays = {a.id for a in plan.arrays if a.role == role}
    return sum(len(s.slots) * catalog.get(Drive, s.drive).capacity_bytes for s in plan.spares if s.array in arrays)


def drives(groups: Iterable[DiskGroup]) -> tuple[str, ...]:
    """The drives of the groups, each once."""
    return tuple(dict.fromkeys(g.drive for g in groups))


def layouts(plan: Plan, purpose: str) -> tuple[str, ...]:
    """The layouts of the arrays that hold groups of the purpose: they say which slot has which use."""
    arrays = {g.array for g in plan.disk_groups if g.purpose == purpose}
    return tuple(dict.fromkeys(e.layout for a in plan.arrays if a.id in arrays for e in a.enclosures))


def counted(plan: Plan, purpose: str, words: Words, inputs: tuple[str, ...], rule: str) -> Figure:
    """How many volumes there are of a purpose."""
    value = sum(1 for v in plan.volumes if v.purpose == purpose)
    return exact(f"volumes.{purpose}", value, rule, (words.layout,), inputs, "1")


def level(group: DiskGroup) -> str:
    """The RAID level in words."""
    return f"RAID {group.level.removeprefix('r')}"


def _redundant(group: DiskGroup, catalog: Catalog) -> str:
    """How many of a group's drives hold no data of their own, and what they hold."""
    count = len(group.slots)
    data = group.bytes // catalog.get(Drive, group.drive).capacity_bytes
    more, mirrored = count - data, group.level in MIRRORED
    split, held = ("", "copies") if mirrored else (f" of {data}+{more}", "parity")
    return f"{more} of the {count} in a {level(group)}{split} {'holds' if more == 1 else 'hold'} {held}"


def _spares(value: int, plan: Plan, words: Words) -> Figure:
    rule = (
        "The hot spares of the data tier as sold: they hold no data until a drive fails."
        if value
        else "The layout has no hot spares: a group that lost a drive waits for a new one before it is whole again."
    )
    arrays = {a.id for a in plan.arrays if a.role == "storage"}
    spare = tuple(dict.fromkeys(s.drive for s in plan.spares if s.array in arrays))
    return exact("capacity.spares", value, rule, (words.layout,), (*spare, *layouts(plan, "data")))


def _formatted(value: int, words: Words) -> Figure:
    method = "The document's method: raw less spares less parity, that is the data drives alone, decimal."
    inputs = ("capacity.raw", "capacity.spares", "capacity.parity")
    return exact("capacity.formatted", value, f"{method} {words.counted}", (words.formatted,), inputs)


def of_groups(count: int, groups: Sequence[DiskGroup]) -> str:
    """How many of the groups a sentence speaks of."""
    return f"all {count:,}" if count == len(groups) else f"{count:,} of {len(groups):,}"


def kept_at_most(group: DiskGroup, volumes: Mapping[str, Volume], share: Constant) -> Fraction:
    """The high end for a group that no array reported: at least what a volume that is never expanded leaves unused.

    A volume that exists may be smaller than planned.
    """
    volume = volumes[group.id]
    least = min(volume.bytes, volume.reported_bytes or volume.bytes)
    return max(group.bytes * share.high, Fraction(group.bytes - least))
