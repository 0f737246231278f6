"""Capacities of IBM Storage Scale, from the drives as sold to the size that df shows; and how many files fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from pixsize import units
from pixsize.arrays.capacity import (
    Alike,
    Overhead,
    Tier,
    array_overhead,
    counted,
    kept_at_most,
    level,
    margin_of,
    overhead_of,
    steps_of,
    tier_of,
)
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.records import Constant, Limit
from pixsize.estimate import ids
from pixsize.estimate.evidence import JUDGEMENT
from pixsize.estimate.ranges import Range
from pixsize.estimate.system import FigureTerms, System
from pixsize.figures import Basis, Figure, Source, exact, weakest
from pixsize.plan.records import DiskGroup, Plan
from pixsize.product import volumes_of
from pixsize.products.scale.figures.system import SCALE
from pixsize.products.scale.plan import ScaleFilesystem, nsd_of, scale

REPLICAS = Source("ibm-scale", "Using replication in a storage pool: copies of a block lie in different failure groups")
INODES = Source("ibm-scale", "mmcrfs -i, --inode-limit: how many inodes the metadata space holds")
DATA_OVERHEAD = "scale.data_overhead"


class Bytes(NamedTuple):
    """Bytes of metadata: of disk groups as sold, of the volumes as they are made, and of the groups at the most."""

    sold: int
    made: int
    whole: int

    @classmethod
    def total(cls, parts: Iterable[Bytes]) -> Bytes:
        """All of them added."""
        return cls(*(sum(column) for column in zip(*parts, strict=True)))


class Stored(NamedTuple):
    """What the capacities of a plan are made of: its groups for data and metadata, alike ones counted.

    `failure_groups` are those that hold metadata. `arrays` are the volumes for metadata of each array that has some.
    """

    data: Tier
    metadata: Tier
    failure_groups: tuple[Bytes, ...]
    arrays: tuple[tuple[Bytes, ...], ...]
    own: ScaleFilesystem
    terms: FigureTerms
    reported: Source


def stored(plan: Plan, catalog: Catalog) -> Stored:
    """The same of a whole plan."""
    groups = {g.id: g for g in plan.disk_groups if g.purpose == "metadata"}
    volumes = {v.id: v for v in plan.volumes if v.backing in groups}
    sizes = {v.id: _sizes(groups[v.backing], v.bytes) for v in volumes.values()}
    by_array: dict[str, list[Bytes]] = {}
    by_group: dict[int, list[Bytes]] = {}
    for volume in volumes.values():
        by_array.setdefault(volume.array, []).append(sizes[volume.id])
    for target in (t for t in plan.targets if t.volume in sizes and nsd_of(t).usage == "metadataOnly"):
        by_group.setdefault(nsd_of(target).failure_group, []).append(sizes[target.volume or ""])
    design = catalog.get(Design, plan.design)
    return Stored(
        data=tier_of(plan, "data"),
        metadata=tier_of(plan, "metadata"),
        failure_groups=tuple(Bytes.total(each) for each in by_group.values()),
        arrays=tuple(tuple(each) for each in by_array.values()),
        own=scale(plan),
        terms=SCALE.for_design(design),
        reported=volumes_of(design).terms.reported["group"],
    )


def _sizes(group: DiskGroup, made: int) -> Bytes:
    return Bytes(group.bytes, made, group.bytes if group.reported_bytes is None else group.reported_bytes)


def figures(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """Every capacity, and how many files fit."""
    return figures_of(stored(plan, catalog), catalog)


def figures_of(stored: Stored, catalog: Catalog) -> tuple[Figure, ...]:
    """The same of what a plan stores."""
    return *capacity_figures(stored, catalog), *metadata_figures(stored, catalog), files_max(stored, catalog)


def links(system: System, catalog: Catalog) -> tuple[Figure, ...]:  # noqa: ARG001  the same call for every file system
    """None: clients and arrays share no network of the file system's own."""
    return ()


def capacity_figures(stored: Stored, catalog: Catalog) -> tuple[Figure, ...]:
    """Every capacity of the data tier, in the order of the waterfall, and the number of data volumes."""
    groups, terms = stored.data.groups, stored.terms
    first = steps_of(stored.data, terms, catalog)
    formatted = first[-1]
    overhead = array_overhead(groups, _kept(groups, stored.reported, catalog), catalog)
    filesystem = _filesystem_overhead(formatted, overhead, catalog)
    usable = _usable(formatted, overhead, filesystem)
    return *first, overhead, filesystem, usable, _count(stored.data, "data", terms)


def metadata_figures(stored: Stored, catalog: Catalog) -> tuple[Figure, ...]:
    """The capacities of the metadata tier, drives as sold, and the number of metadata volumes."""
    terms, tier, copies = stored.terms, stored.metadata, stored.own.metadata_replicas
    sizes = tuple(group.sold for group in stored.failure_groups)
    unique = replicated(sizes, copies)
    raw = exact(
        ids.METADATA_RAW,
        tier.nominal_bytes(catalog) + tier.spare_bytes(catalog),
        "The SSDs that hold metadata, as sold: their number times their capacity.",
        (terms.layout,),
        (*tier.drives, *tier.layouts),
    )
    usable = exact(
        ids.METADATA_USABLE,
        unique,
        _replicas_rule((a.group for a in tier.groups), copies, sizes, unique),
        (REPLICAS,),
        (ids.METADATA_RAW,),
    )
    return raw, usable, _count(tier, "metadata", terms)


def replicated(groups: Iterable[int], copies: int) -> int:
    """What fits into failure groups of these sizes when each byte lies in `copies` different ones.

    The smallest of (sum of all but the k largest)/(copies - k) for k = 0 to copies - 1: the k largest can hold one copy
    of everything each, the others share what is left. For two copies min(sum/2, sum - max). Rounded down to a byte.
    """
    sizes = sorted(groups, reverse=True)
    return min(sum(sizes[k:]) // (copies - k) for k in range(copies))


def _replicas_rule(groups: Iterable[DiskGroup], copies: int, sizes: tuple[int, ...], usable: int) -> str:
    """How the copies fit into failure groups of these sizes; the sizes, and what is lost where they are unequal."""
    left = f"What {' and '.join(dict.fromkeys(level(g) for g in groups))} leaves of the SSDs as sold"
    if copies == 1:
        return f"{left}; the file system keeps one copy of the metadata."
    general = (
        f"{left}, stored {copies} times in as many failure groups: the smallest of (sum of all but the k largest "
        f"groups)/({copies} - k) for k from 0 to {copies - 1}"
    )
    special = ", which is min(sum/2, sum - largest)." if copies == 2 else "."
    fair = sum(sizes) // copies
    lost = f"; {_size(fair - usable)} of {_size(fair)} are lost to their unequal sizes" if usable < fair else ""
    return f"{general}{special} Here: {_group_sizes(sizes)}{lost}."


def _group_sizes(sizes: tuple[int, ...]) -> str:
    """The failure groups by size, the largest first: `3 groups, 2 of 23.04 TB, 1 of 11.52 TB`."""
    by_size = sorted(Counter(sizes).items(), reverse=True)
    if len(by_size) == 1:
        return f"{len(sizes):,} {'group' if len(sizes) == 1 else 'groups'} of {_size(by_size[0][0])}"
    return f"{len(sizes):,} groups, {', '.join(f'{n:,} of {_size(size)}' for size, n in by_size)}"


def _size(number: int) -> str:
    return units.show(number, "B")


def _kept(groups: Sequence[Alike], reported: Source, catalog: Catalog) -> Overhead:
    """What an array keeps of a group is nominal less what it reported; a share for groups that are not yet made.

    Volumes may be expanded over what they leave of a group, and an NSD made after that has all of it: what they leave
    widens the upper end, and is no loss.
    """
    share = catalog.get(Constant, overhead_of(a.volume for a in groups))
    value, low, high = (f"{float(s * 100):g} %" for s in (share.value, share.low, share.high))

    def kept(alike: Alike) -> Range:
        group = alike.group
        if group.reported_bytes is None:
            return Range(group.bytes * share.low, group.bytes * share.value, kept_at_most(alike, share))
        known = Fraction(group.bytes - group.reported_bytes)
        return Range(known, known, known + max(0, group.reported_bytes - alike.volume.bytes))

    return Overhead(
        [a for a in groups if a.group.reported_bytes is None],
        kept,
        "reported the size: nominal less reported; the upper end adds what their volumes leave unused.",
        f"{value} of nominal, {low} to {high} by the evidence; the upper end also covers volumes that are made under "
        "nominal and never expanded.",
        (reported,),
    )


def _filesystem_overhead(formatted: Figure, array: Figure, catalog: Catalog) -> Figure:
    share = catalog.get(Constant, DATA_OVERHEAD)
    # The share is of what the arrays leave: the low end goes with their high end, and the other way round.
    value = round((formatted.value - array.value) * share.value)
    low = int((formatted.value - array.high) * share.low)
    high = -int(-(formatted.value - array.low) * share.high // 1)
    text = f"{float(share.value * 100):g} %, {float(share.low * 100):g} to {float(share.high * 100):g} %"
    return Figure(
        id=ids.FILESYSTEM_OVERHEAD,
        value=value,
        low=low,
        high=max(value, high),
        unit="B",
        basis=weakest([share.basis, array.basis]),
        rule=f"What the file system keeps of data NSDs: {text} of what the arrays leave. Its metadata lies elsewhere.",
        sources=share.citations(),
        inputs=(ids.FORMATTED, ids.ARRAY_OVERHEAD, DATA_OVERHEAD),
    )


def _usable(formatted: Figure, array: Figure, filesystem: Figure) -> Figure:
    basis: Basis = weakest([formatted.basis, array.basis, filesystem.basis])
    return Figure(
        id=ids.USABLE,
        value=formatted.value - array.value - filesystem.value,
        low=max(0, formatted.value - array.high - filesystem.high),  # the worst of both, though they do not go together
        high=formatted.value - array.low - filesystem.low,
        unit="B",
        basis=basis,
        rule="What df should show: formatted less what arrays and file system keep to themselves, one copy of all.",
        sources=(JUDGEMENT,),
        inputs=(ids.FORMATTED, ids.ARRAY_OVERHEAD, ids.FILESYSTEM_OVERHEAD),
    )


def _count(tier: Tier, purpose: str, terms: FigureTerms) -> Figure:
    rule = f"One volume over the whole of each {purpose} disk group, and one NSD on each volume."
    return counted(tier.volumes, purpose, terms, tier.layouts, rule)


INODE_SHARE = "scale.inode_share"
BESIDE = "scale.metadata_beside_inode"
BESIDE_SMALL = "scale.metadata_beside_small_inode"


def files_max(stored: Stored, catalog: Catalog) -> Figure:
    """Files (and directories) that fit: one inode each, beside directories and indirect blocks.

    The value and the low end rest on the volumes as they are made; the high end on the whole disk groups, every byte of
    them an inode. What stands beside an inode does not shrink with it, so the low end counts it by itself.
    """
    share = catalog.get(Constant, INODE_SHARE)
    inode, copies = stored.own.inode_bytes, stored.own.metadata_replicas
    beside = catalog.get(Limit, BESIDE)
    if inode < beside.value:  # extended attributes do not fit inside so small an inode: more stands beside it
        beside = catalog.get(Limit, BESIDE_SMALL)
    unique = replicated((group.made for group in stored.failure_groups), copies)
    most = replicated((group.whole for group in stored.failure_groups), copies)
    value = int(unique * share.value / inode)
    return Figure(
        id=ids.FILES,
        value=value,
        low=min(int(unique * share.low / inode), int(unique * share.value / (inode + beside.value))),
        high=max(value, int(most * share.high / inode)),
        unit="1",
        basis=weakest(["exact", share.basis, "estimated"]),
        rule=_files_rule(inode, beside.value, copies, share),
        sources=tuple(dict.fromkeys((INODES, *share.citations(), *beside.citations()))),
        inputs=(
            ids.METADATA_USABLE,
            f"{ids.VOLUMES}metadata",
            margin_of(a.volume for a in stored.metadata.groups),
            INODE_SHARE,
            beside.id,
        ),
    )


def _files_rule(inode: int, beside: int, copies: int, share: Constant) -> str:
    value, low, high = (f"{float(s * 100):g} %" for s in (share.value, share.low, share.high))
    stored = "once" if copies == 1 else f"{copies} times"
    return (
        f"The space of the metadata volumes, everything in it stored {stored}, divided by inodes of {inode:,} bytes: "
        f"{value} of it for inodes, the rest for directories, indirect blocks and logs. Low: {value} of it for inodes "
        f"with {beside:,} bytes of directory entries, indirect blocks and attributes beside each, and no more than "
        f"{low} for the inodes alone. High: {high} of the whole disk groups, every byte an inode."
    )
