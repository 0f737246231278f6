"""Capacities of IBM Storage Scale, from the drives as sold to the size that df shows; and how many files fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from pixsize import units
from pixsize.arrays.capacity import (
    Overhead,
    array_overhead,
    counted,
    drives,
    kept_at_most,
    layouts,
    level,
    margin_of,
    nominal_bytes,
    overhead_of,
    spare_bytes,
)
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Design, Limit
from pixsize.estimate import ids
from pixsize.estimate.evidence import JUDGEMENT
from pixsize.estimate.ranges import Range
from pixsize.estimate.system import FigureTerms, System
from pixsize.figures import Basis, Figure, Source, exact, weakest
from pixsize.plan.records import DiskGroup, Plan, Volume
from pixsize.product import volume_terms, volumes_of
from pixsize.products.scale.figures.system import SCALE
from pixsize.products.scale.plan import nsd_of, scale

REPLICAS = Source("ibm-scale", "Using replication in a storage pool: copies of a block lie in different failure groups")
INODES = Source("ibm-scale", "mmcrfs -i, --inode-limit: how many inodes the metadata space holds")
DATA_OVERHEAD = "scale.data_overhead"


def figures(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """Every capacity, and how many files fit."""
    return *capacity_figures(plan, catalog), *metadata_figures(plan, catalog), files_max(plan, catalog)


def links(system: System, catalog: Catalog) -> tuple[Figure, ...]:  # noqa: ARG001  the same call for every file system
    """None: clients and arrays share no network of the file system's own."""
    return ()


def capacity_figures(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """Every capacity of the data tier, in the order of the waterfall, and the number of data volumes."""
    groups = [g for g in plan.disk_groups if g.purpose == "data"]
    design = catalog.get(Design, plan.design)
    terms = SCALE.for_design(design)
    first, _ = volumes_of(design).steps(plan, terms, catalog)
    formatted = first[-1]
    volumes = {v.backing: v for v in plan.volumes if v.array and v.purpose == "data"}
    overhead = array_overhead(
        groups, volumes, _kept(groups, volumes, volume_terms(plan).reported["group"], catalog), catalog
    )
    filesystem = _filesystem_overhead(formatted, overhead, catalog)
    usable = _usable(formatted, overhead, filesystem)
    return *first, overhead, filesystem, usable, _count(plan, "data", terms)


def metadata_figures(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """The capacities of the metadata tier, drives as sold, and the number of metadata volumes."""
    terms = SCALE.for_design(catalog.get(Design, plan.design))
    groups = [g for g in plan.disk_groups if g.purpose == "metadata"]
    raw_bytes = nominal_bytes(groups, catalog) + spare_bytes(plan, "metadata", catalog)
    copies = scale(plan).metadata_replicas
    sizes = metadata_by_failure_group(plan, {g.id: g.bytes for g in groups})
    unique = replicated(sizes.values(), copies)
    raw = exact(
        ids.METADATA_RAW,
        raw_bytes,
        "The SSDs that hold metadata, as sold: their number times their capacity.",
        (terms.layout,),
        (*drives(groups), *layouts(plan, "metadata")),
    )
    usable = exact(
        ids.METADATA_USABLE,
        unique,
        _replicas_rule(groups, copies, tuple(sizes.values()), unique),
        (REPLICAS,),
        (ids.METADATA_RAW,),
    )
    return raw, usable, _count(plan, "metadata", terms)


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


def metadata_by_failure_group(plan: Plan, sizes: dict[str, int]) -> Counter[int]:
    """The bytes of each failure group that holds metadata, given the size of each metadata disk group."""
    backing = {v.id: v.backing for v in plan.volumes}
    found: Counter[int] = Counter()
    for target in plan.targets:
        if nsd_of(target).usage == "metadataOnly" and target.volume is not None:
            found[nsd_of(target).failure_group] += sizes[backing[target.volume]]
    return found


def _kept(groups: Sequence[DiskGroup], volumes: Mapping[str, Volume], reported: Source, catalog: Catalog) -> Overhead:
    """What an array keeps of a group is nominal less what it reported; a share for groups that are not yet made.

    Volumes may be expanded over what they leave of a group, and an NSD made after that has all of it: what they leave
    widens the upper end, and is no loss.
    """
    share = catalog.get(Constant, overhead_of(volumes.values()))
    value, low, high = (f"{float(s * 100):g} %" for s in (share.value, share.low, share.high))

    def kept(group: DiskGroup) -> Range:
        if group.reported_bytes is None:
            return Range(group.bytes * share.low, group.bytes * share.value, kept_at_most(group, volumes, share))
        known = Fraction(group.bytes - group.reported_bytes)
        return Range(known, known, known + max(0, group.reported_bytes - volumes[group.id].bytes))

    return Overhead(
        [g for g in groups if g.reported_bytes is None],
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


def _count(plan: Plan, purpose: str, terms: FigureTerms) -> Figure:
    rule = f"One volume over the whole of each {purpose} disk group, and one NSD on each volume."
    return counted(plan, purpose, terms, layouts(plan, purpose), rule)


INODE_SHARE = "scale.inode_share"
BESIDE = "scale.metadata_beside_inode"
BESIDE_SMALL = "scale.metadata_beside_small_inode"


def files_max(plan: Plan, catalog: Catalog) -> Figure:
    """Files (and directories) that fit: one inode each, beside directories and indirect blocks.

    The value and the low end rest on the volumes as they are made; the high end on the whole disk groups, every byte of
    them an inode. What stands beside an inode does not shrink with it, so the low end counts it by itself.
    """
    share = catalog.get(Constant, INODE_SHARE)
    inode, copies = scale(plan).inode_bytes, scale(plan).metadata_replicas
    beside = catalog.get(Limit, BESIDE)
    if inode < beside.value:  # extended attributes do not fit inside so small an inode: more stands beside it
        beside = catalog.get(Limit, BESIDE_SMALL)
    made = {v.backing: v.bytes for v in plan.volumes if v.purpose == "metadata"}
    whole = {g.id: g.bytes if g.reported_bytes is None else g.reported_bytes for g in plan.disk_groups if g.id in made}
    unique = replicated(metadata_by_failure_group(plan, made).values(), copies)
    most = replicated(metadata_by_failure_group(plan, whole).values(), copies)
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
        inputs=(ids.METADATA_USABLE, f"{ids.VOLUMES}metadata", margin_of(plan.volumes), INODE_SHARE, beside.id),
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
