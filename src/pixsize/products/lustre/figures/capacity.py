"""From the drives as sold to what `lfs df` should show: on arrays or in a pool, and what ldiskfs keeps, to the byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from pixsize.arrays.capacity import (
    Overhead,
    array_overhead,
    counted,
    drives,
    kept_at_most,
    layouts,
    margin_of,
    nominal_bytes,
    overhead_of,
    spare_bytes,
)
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Design
from pixsize.estimate import ids
from pixsize.estimate.ranges import Range
from pixsize.estimate.system import FigureTerms
from pixsize.figures import Basis, Figure, Source, exact, weakest
from pixsize.plan.records import DiskGroup, Plan, Volume
from pixsize.product import volume_terms, volumes_of
from pixsize.products.lustre.figures.files import (
    DESCRIPTORS,
    LFS_DF,
    VolumeSizes,
    file_figures,
    largest_volume,
    mdt_volumes,
    ost_volumes,
    unreported,
)
from pixsize.products.lustre.figures.system import terms_of
from pixsize.products.lustre.ldiskfs import BLOCK, Kept, kept
from pixsize.products.lustre.plan import OST_VOLUMES, lustre, target_of
from pixsize.products.lustre.records import LustreRelease


class VolumeFigures(NamedTuple):
    """The capacities before anything is formatted: the steps down to the volumes of the OSTs, and the metadata's."""

    steps: tuple[Figure, ...]
    osts: Figure
    metadata: tuple[Figure, ...]
    mdt_volumes: VolumeSizes
    ost_volumes: VolumeSizes


def sizes(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """Every capacity, in the order of the waterfall, the numbers of volumes, and how many files fit."""
    terms = terms_of(plan, catalog)
    steps, metadata = volumes_of(catalog.get(Design, plan.design)).steps(plan, terms, catalog)
    volumes = _in_a_pool(plan, terms, steps, metadata) if plan.pools else _on_arrays(plan, terms, steps, catalog)
    below = _formatted_targets(plan, volumes.osts, catalog)
    counts = (_count(plan, "data", terms), _count(plan, "metadata", terms))
    files = file_figures(plan, volumes.mdt_volumes, volumes.ost_volumes, catalog)
    return *volumes.steps, volumes.osts, *below, counts[0], *volumes.metadata, counts[1], *files


def _in_a_pool(
    plan: Plan, terms: FigureTerms, steps: tuple[Figure, ...], metadata: tuple[Figure, ...]
) -> VolumeFigures:
    value = sum(v.bytes for v in plan.volumes if v.purpose == "data")
    rule = "The volumes of the OSTs: what is left of the pool, in whole steps of its volumes."
    below = [s.id for s in steps]
    inputs = tuple(below[below.index(ids.FORMATTED) :])
    osts = exact(OST_VOLUMES, value, rule, (terms.layout,), inputs)
    of_mdts, of_osts = (VolumeSizes((), "exact", (i,)) for i in (ids.METADATA_USABLE, osts.id))
    return VolumeFigures(steps, osts, metadata, of_mdts, of_osts)


def _on_arrays(plan: Plan, terms: FigureTerms, first: tuple[Figure, ...], catalog: Catalog) -> VolumeFigures:
    groups = [g for g in plan.disk_groups if g.purpose == "data"]
    volumes = {v.backing: v for v in plan.volumes if v.purpose == "data"}
    overhead = array_overhead(
        groups, volumes, _array_overhead(groups, volumes, volume_terms(plan).reported, catalog), catalog
    )
    formatted = first[-1].value
    osts = Figure(
        id=OST_VOLUMES,
        value=formatted - overhead.value,
        low=formatted - overhead.high,
        high=formatted - overhead.low,
        unit="B",
        basis=weakest(("exact", overhead.basis)),
        rule="The volumes of the OSTs, one over the whole of each data group: formatted less what the arrays keep.",
        sources=(terms.layout,),
        inputs=(ids.FORMATTED, ids.ARRAY_OVERHEAD),
    )
    metadata = _metadata_on_arrays(plan, terms, catalog)
    of_osts = ost_volumes(groups, volumes, osts, catalog)
    return VolumeFigures((*first, overhead), osts, metadata, mdt_volumes(plan, catalog), of_osts)


def _metadata_on_arrays(plan: Plan, terms: FigureTerms, catalog: Catalog) -> tuple[Figure, ...]:
    groups = [g for g in plan.disk_groups if g.purpose == "metadata"]
    raw = nominal_bytes(groups, catalog) + spare_bytes(plan, "metadata", catalog)
    raw_rule = "The SSDs of the metadata arrays as sold, hot spares included: their number times their capacity."
    usable_rule = (
        "What RAID 10 leaves of the SSDs of all MDTs as sold, hot spares taken off; the volume of an MGT lies in it."
    )
    inputs = (*drives(groups), *layouts(plan, "metadata"))
    return (
        exact(ids.METADATA_RAW, raw, raw_rule, (terms.layout,), inputs),
        exact(ids.METADATA_USABLE, sum(g.bytes for g in groups), usable_rule, (terms.layout,), inputs),
    )


def _count(plan: Plan, purpose: str, terms: FigureTerms) -> Figure:
    what = "OST on each volume" if purpose == "data" else "MDT on each volume but that of an MGT"
    above = "in the pool" if plan.pools else f"over the whole of each {purpose} disk group"
    inputs = (plan.design,) if plan.pools else layouts(plan, purpose)
    return counted(plan, purpose, terms, inputs, f"Volumes {above}, and one {what}.")


def _formatted_targets(plan: Plan, osts: Figure, catalog: Catalog) -> tuple[Figure, Figure, Figure]:
    """In bytes: what ldiskfs keeps of the OSTs, the reserve of root, and what users can fill; exact for known sizes."""
    disks = tuple(disk for t in plan.targets if t.kind == "ost" and (disk := target_of(t).ldiskfs))
    reserved = sum(disk.reserved_blocks for disk in disks) * BLOCK
    user = sum(disk.user_bytes for disk in disks)
    release = lustre(plan).release
    percent = catalog.get(LustreRelease, release).mke2fs.reserved_percent
    overhead = osts.value - reserved - user
    return (
        _part_of(ids.FILESYSTEM_OVERHEAD, overhead, osts, _overhead_rule(plan, overhead, catalog), (release,)),
        _part_of(
            ids.RESERVED,
            reserved,
            osts,
            f"The {percent} % of the blocks of each OST that only root may fill, as is the default.",
            (release,),
        ),
        _usable(user, osts, percent),
    )


def _overhead_rule(plan: Plan, value: int, catalog: Catalog) -> str:
    """What ldiskfs keeps, part by part; together the parts are the value."""
    release = catalog.get(LustreRelease, lustre(plan).release)
    sizes = {v.id: v.bytes for v in plan.volumes}
    osts = Counter(
        (sizes[t.volume or ""], disk) for t in plan.targets if t.kind == "ost" and (disk := target_of(t).ldiskfs)
    )
    each = [(kept(release, "ost", size), disk, count) for (size, disk), count in osts.items()]
    if any(disk.user_bytes == 0 for _, disk, _ in each):
        return "What ldiskfs keeps of the OSTs, and all that is not reserved of those too small to hold any data."
    tables, journals, bitmaps, descriptors = (
        sum(parts[i] * count for parts, _, count in each) * BLOCK for i in range(len(Kept._fields))
    )
    rest = value - tables - journals - bitmaps - descriptors
    inodes = " and ".join(f"{size:,}" for size in dict.fromkeys(disk.inode_bytes for _, disk, _ in each))
    left_out = f", and {rest:,} B at the ends that are less than a block or group" if rest else ""
    return (
        f"What ldiskfs keeps of the OSTs, to the byte for volumes of these sizes: {tables:,} B of inode tables (inodes "
        f"of {inodes} bytes), {journals:,} B of journals, {bitmaps:,} B of bitmaps, {descriptors:,} B of superblocks "
        f"and descriptors with their copies and room for more{left_out}."
    )


def _part_of(figure: str, value: int, osts: Figure, rule: str, inputs: tuple[str, ...]) -> Figure:
    """A part of the OSTs' volumes, with the range that these have: larger volumes hold more of it."""
    return Figure(
        id=figure,
        value=value,
        low=value * osts.low // osts.value,
        high=-(-value * osts.high // osts.value),
        unit="B",
        basis=weakest(("exact", osts.basis)),
        rule=rule,
        sources=(DESCRIPTORS,),
        inputs=(osts.id, *inputs),
    )


def _usable(value: int, osts: Figure, percent: int) -> Figure:
    """What users can fill. A larger volume adds its growth less the reserve, a smaller one takes all that it lacks."""
    basis: Basis = weakest(("exact", osts.basis))
    more = Fraction(osts.high - osts.value) * (100 - percent) / 100
    return Figure(
        id=ids.USABLE,
        value=value,
        low=max(value - (osts.value - osts.low), 0),
        high=value + ceil(more),
        unit="B",
        basis=basis,
        rule=(
            "What `lfs df` should show as available on the empty file system: the volumes of the OSTs less what "
            "ldiskfs keeps and reserves. Plain df counts the reserve as part of the size."
        ),
        sources=(LFS_DF,),
        inputs=(osts.id, ids.FILESYSTEM_OVERHEAD, ids.RESERVED),
    )


def _array_overhead(
    groups: Sequence[DiskGroup], volumes: Mapping[str, Volume], replies: Mapping[str, Source], catalog: Catalog
) -> Overhead:
    """What the arrays keep of the groups; a range for the groups for which no array has reported a size.

    What a volume leaves of its group counts too: a formatted target does not grow, so that it is lost.
    """
    share = catalog.get(Constant, overhead_of(volumes.values()))
    margin = catalog.get(Constant, margin_of(volumes.values()))
    unknown = unreported(groups, volumes)
    unknown_ids = {g.id for g in unknown}
    volume_reported = [volumes[g.id].reported_bytes is not None for g in groups]
    below, low, high = (f"{float(s * 100):g} %" for s in (margin.value, share.low, share.high))

    def kept(group: DiskGroup) -> Range:
        made = volumes[group.id].bytes
        left = Fraction(group.bytes - made)
        if group.id not in unknown_ids:
            return Range(left, left, left)
        least = Fraction(group.bytes - largest_volume(group, made, share))
        return Range(least, left, Fraction(ceil(kept_at_most(group, volumes, share))))

    return Overhead(
        unknown,
        kept,
        "reported the size, or that of the volume: nominal less the volume.",
        f"volumes are made {below} under nominal, in whole steps of the array; by the evidence it keeps {low} to "
        f"{high}.",
        # A volume's own size goes before that of its group.
        (
            *((replies["volume"],) if any(volume_reported) else ()),
            *(() if all(volume_reported) else (replies["group"],)),
        ),
    )
