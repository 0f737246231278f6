"""Capacity of arrays: from the drives as sold to the formatted capacity, and what the arrays keep for themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign
from pixsize.catalog.records import Constant, Drive
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


class Alike(NamedTuple):
    """Disk groups that are alike, each with the volume over the whole of it: the first of them, and how many."""

    group: DiskGroup
    volume: Volume
    number: int


class Tier(NamedTuple):
    """The groups of a purpose in all arrays, alike ones counted, with the hot spares and the layouts of their arrays.

    `spares` are the drives by catalog id. It is all that capacities are made of.
    """

    groups: tuple[Alike, ...]
    spares: Mapping[str, int]
    layouts: tuple[str, ...]

    @property
    def drives(self) -> tuple[str, ...]:
        """The drives of the groups, each once."""
        return tuple(dict.fromkeys(a.group.drive for a in self.groups))

    @property
    def bytes(self) -> int:
        """The drives as sold that hold data."""
        return sum(a.number * a.group.bytes for a in self.groups)

    @property
    def volumes(self) -> int:
        """How many volumes there are."""
        return sum(a.number for a in self.groups)

    def nominal_bytes(self, catalog: Catalog) -> int:
        """The nominal bytes of all drives of the groups, parity included."""
        each = ((len(a.group.slots), a.group.drive, a.number) for a in self.groups)
        return sum(slots * n * catalog.get(Drive, drive).capacity_bytes for slots, drive, n in each)

    def spare_bytes(self, catalog: Catalog) -> int:
        """The nominal bytes of the hot spares."""
        return sum(n * catalog.get(Drive, drive).capacity_bytes for drive, n in self.spares.items())


def joined(tiers: Sequence[tuple[Tier, int]]) -> Tier:
    """So many times each tier, in one."""
    alike: dict[tuple[object, ...], Alike] = {}
    spares: Counter[str] = Counter()
    for tier, times in tiers:
        for each in tier.groups:
            key = _key(each.group, each.volume)
            first = alike.get(key, each._replace(number=0))
            alike[key] = first._replace(number=first.number + each.number * times)
        for drive, number in tier.spares.items():
            spares[drive] += number * times
    return Tier(tuple(alike.values()), spares, tuple(dict.fromkeys(i for tier, _ in tiers for i in tier.layouts)))


ROLES = {"data": "storage", "metadata": "metadata"}
"""The role of the arrays whose hot spares count to a purpose."""


def tier_of(plan: Plan, purpose: str) -> Tier:
    """The groups of a purpose in a plan, those of products that add volumes left out."""
    volumes = {v.backing: v for v in plan.volumes if v.array and v.purpose == purpose}
    alike: dict[tuple[object, ...], list[DiskGroup]] = {}
    for group in (g for g in plan.disk_groups if g.purpose == purpose):
        alike.setdefault(_key(group, volumes[group.id]), []).append(group)
    spares: Counter[str] = Counter()
    arrays = {a.id for a in plan.arrays if a.role == ROLES[purpose]}
    for s in (s for s in plan.spares if s.array in arrays):
        spares[s.drive] += len(s.slots)
    groups = tuple(Alike(same[0], volumes[same[0].id], len(same)) for same in alike.values())
    return Tier(groups, spares, layouts(plan, purpose))


def _key(group: DiskGroup, volume: Volume) -> tuple[object, ...]:
    """What disk groups share that are alike."""
    of_group = (group.level, len(group.slots), group.drive, group.bytes, group.reported_bytes)
    return (*of_group, volume.bytes, volume.reported_bytes)


def steps(plan: Plan, terms: FigureTerms, catalog: Catalog) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """The steps down to what the document calls formatted; the file system says what it makes of the metadata."""
    return steps_of(tier_of(plan, "data"), terms, catalog), ()


def steps_of(tier: Tier, terms: FigureTerms, catalog: Catalog) -> tuple[Figure, ...]:
    """The steps of the data tier of a plan."""
    group_bytes, spare, data = tier.nominal_bytes(catalog), tier.spare_bytes(catalog), tier.bytes
    used = tier.layouts
    counts = ", as the document counts" if terms.counted else ""
    raw_rule = (
        f"The drives of the data tier as sold, hot spares included{counts}: the number of slots with a "
        "data drive or a spare times the drive's capacity. SSDs that hold metadata are not in it."
    )
    kinds = dict.fromkeys(_redundant(a.group, catalog) for a in tier.groups)
    parity_rule = f"The drives of each data group less those that hold data: {'; '.join(kinds)}."
    method = "The document's method: raw" if terms.counted else "Raw"
    formatted_rule = (
        f"{method} less spares less parity, that is the data drives alone, decimal. {terms.counted}".strip()
    )
    of_drives = (*tier.drives, *used)
    of_spares = (*tier.spares, *used)
    of_steps = (ids.RAW, ids.SPARES, ids.PARITY)
    return (
        exact(ids.RAW, group_bytes + spare, raw_rule, (terms.raw,), of_drives),
        exact(ids.SPARES, spare, _SPARES if spare else _NO_SPARES, (terms.layout,), of_spares),
        exact(ids.PARITY, group_bytes - data, parity_rule, (terms.layout,), of_drives),
        exact(ids.FORMATTED, data, formatted_rule, (terms.formatted,), of_steps),
    )


_SPARES = "The hot spares of the data tier as sold: they hold no data until a drive fails."
_NO_SPARES = "The layout has no hot spares: a group that lost a drive waits for a new one before it is whole again."


def links(system: System, catalog: Catalog) -> tuple[Figure, ...]:  # noqa: ARG001  the same call for all volumes
    """None: arrays are cabled to their own pair of servers, and the model of their data path has the cables."""
    return ()


def adapter_of(design: ArrayDesign) -> str:  # noqa: ARG001  the same call for all volumes
    """None: arrays are cabled, and each adapter on a network is one that the file system uses."""
    return ""


def layouts(plan: Plan, purpose: str) -> tuple[str, ...]:
    """The layouts of the arrays that hold groups of the purpose: they say which slot has which use."""
    arrays = {g.array for g in plan.disk_groups if g.purpose == purpose}
    return tuple(dict.fromkeys(e.layout for a in plan.arrays if a.id in arrays for e in a.enclosures))


def counted(value: int, purpose: str, terms: FigureTerms, inputs: tuple[str, ...], rule: str) -> Figure:
    """How many volumes of the design there are of a purpose."""
    return exact(f"{ids.VOLUMES}{purpose}", value, rule, (terms.layout,), inputs, "1")


def volumes_of_design(plan: Plan, purpose: str) -> int:
    """How many volumes of the design a plan has of a purpose: those that products add come behind them."""
    makers = {v.provider for v in plan.volumes[:1]}
    return sum(1 for v in plan.volumes if v.provider in makers and v.purpose == purpose)


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

    unreported: Sequence[Alike]
    kept: Callable[[Alike], Range]
    reported_rule: str
    unreported_rule: str
    sources: tuple[Source, ...]


def array_overhead(groups: Sequence[Alike], overhead: Overhead, catalog: Catalog) -> Figure:
    """What the arrays keep of the data groups; a range where an array did not yet report what it keeps."""
    volumes = [a.volume for a in groups]
    constant, margin = overhead_of(volumes), margin_of(volumes)
    share = catalog.get(Constant, constant)
    unreported, number = sum(a.number for a in overhead.unreported), sum(a.number for a in groups)
    each = [overhead.kept(a).times(a.number) for a in groups]
    total = Range(*(sum(ends, Fraction(0)) for ends in zip(*each, strict=True)))
    value, low, high = total.whole()  # rounded once, over all groups
    rules = []
    if unreported < number:
        rules.append(f"For {_of(number - unreported, number)} disk groups the arrays {overhead.reported_rule}")
    if unreported:
        rules.append(f"For {_of(unreported, number)} disk groups no array reported a size: {overhead.unreported_rule}")
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


def _of(count: int, groups: int) -> str:
    """How many of the groups a sentence speaks of."""
    return f"all {count:,}" if count == groups else f"{count:,} of {groups:,}"


def kept_at_most(alike: Alike, share: Constant) -> Fraction:
    """The high end for a group that no array reported: at least what a volume that is never expanded leaves unused.

    A volume that exists may be smaller than planned.
    """
    group, volume = alike.group, alike.volume
    least = min(volume.bytes, volume.reported_bytes or volume.bytes)
    return max(group.bytes * share.high, Fraction(group.bytes - least))
