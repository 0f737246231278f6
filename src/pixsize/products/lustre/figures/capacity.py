"""From the drives as sold to what `lfs df` should show: on arrays or in a pool, and what ldiskfs keeps, to the byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from pixsize.arrays.capacity import (
    Alike,
    Overhead,
    Tier,
    array_overhead,
    counted,
    kept_at_most,
    layouts,
    margin_of,
    overhead_of,
    steps_of,
    tier_of,
    volumes_of_design,
)
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.records import Constant
from pixsize.estimate import ids
from pixsize.estimate.ranges import Range
from pixsize.estimate.system import FigureTerms
from pixsize.figures import Basis, Figure, Source, exact, weakest
from pixsize.plan.records import Plan
from pixsize.product import volumes_of
from pixsize.products.lustre.figures.files import (
    DESCRIPTORS,
    LFS_DF,
    Numbers,
    VolumeSizes,
    file_figures,
    largest_volume,
    mdt_volumes,
    ost_volumes,
    unreported,
)
from pixsize.products.lustre.figures.system import terms_of
from pixsize.products.lustre.ldiskfs import BLOCK, Kept, kept
from pixsize.products.lustre.plan import OST_VOLUMES, Ldiskfs, LustreFilesystem, lustre, target_of
from pixsize.products.lustre.records import LustreRelease


class VolumeFigures(NamedTuple):
    """The capacities before anything is formatted: the steps down to the volumes of the OSTs, and the metadata's."""

    steps: tuple[Figure, ...]
    osts: Figure
    metadata: tuple[Figure, ...]
    mdt_volumes: VolumeSizes
    ost_volumes: VolumeSizes


class Stored(NamedTuple):
    """What the capacities of a plan are made of, alike parts counted.

    `data` and `metadata` are the groups on arrays; in a pool they are empty, and `in_pool` has the volumes. `osts` are
    the bytes of the volumes with what ldiskfs makes of them, `mdts` the inodes of the MDTs, `of_mdts` their volumes;
    `volumes` are those of data and of metadata, and `inputs` the records that say how many.
    """

    data: Tier
    metadata: Tier
    in_pool: VolumeFigures | None
    osts: Mapping[tuple[int, Ldiskfs], int]
    mdts: Mapping[int, int]
    of_mdts: VolumeSizes
    volumes: tuple[int, int]
    inputs: tuple[tuple[str, ...], tuple[str, ...]]
    own: LustreFilesystem
    terms: FigureTerms
    reported: Mapping[str, Source]


_NOTHING = Tier((), {}, ())


def stored(plan: Plan, catalog: Catalog) -> Stored:
    """The same of a whole plan."""
    terms, design = terms_of(plan, catalog), catalog.get(Design, plan.design)
    disks = [(t, disk) for t in plan.targets if (disk := target_of(t).ldiskfs)]
    of_volume = {v.id: v.bytes for v in plan.volumes}
    steps, metadata = volumes_of(design).steps(plan, terms, catalog) if plan.pools else ((), ())
    in_pool = _in_a_pool(plan, terms, steps, metadata) if plan.pools else None
    on_arrays = not plan.pools
    used = [(plan.design,) if plan.pools else layouts(plan, purpose) for purpose in ("data", "metadata")]
    return Stored(
        data=tier_of(plan, "data") if on_arrays else _NOTHING,
        metadata=tier_of(plan, "metadata") if on_arrays else _NOTHING,
        in_pool=in_pool,
        osts=Counter((of_volume[t.volume or ""], disk) for t, disk in disks if t.kind == "ost"),
        mdts=Counter(disk.inodes for t, disk in disks if t.kind == "mdt"),
        of_mdts=in_pool.mdt_volumes if in_pool else mdt_volumes(plan, catalog),
        volumes=(volumes_of_design(plan, "data"), volumes_of_design(plan, "metadata")),
        inputs=(used[0], used[1]),
        own=lustre(plan),
        terms=terms,
        reported=volumes_of(design).terms.reported,
    )


def sizes(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """Every capacity, in the order of the waterfall, the numbers of volumes, and how many files fit."""
    return sizes_of(stored(plan, catalog), catalog)


def sizes_of(stored: Stored, catalog: Catalog) -> tuple[Figure, ...]:
    """The same of what a plan stores."""
    volumes = stored.in_pool or _on_arrays(stored, catalog)
    below = _formatted_targets(stored, volumes.osts, catalog)
    counts = (_count(stored, "data"), _count(stored, "metadata"))
    osts: Counter[int] = Counter()
    for (_, disk), number in stored.osts.items():
        osts[disk.inodes] += number
    numbers = Numbers(stored.mdts, osts, stored.own, stored.terms)
    files = file_figures(numbers, volumes.mdt_volumes, volumes.ost_volumes, catalog)
    return *volumes.steps, volumes.osts, *below, counts[0], *volumes.metadata, counts[1], *files


def _in_a_pool(
    plan: Plan, terms: FigureTerms, steps: tuple[Figure, ...], metadata: tuple[Figure, ...]
) -> VolumeFigures:
    value = sum(v.bytes for v in plan.volumes if v.purpose == "data")
    rule = "The volumes of the OSTs: what is left of the pool, in whole steps of its volumes."
    below = [s.id for s in steps]
    inputs = tuple(below[below.index(ids.FORMATTED) :])
    osts = exact(OST_VOLUMES, value, rule, (terms.layout,), inputs)
    of_mdts, of_osts = (VolumeSizes({}, "exact", (i,)) for i in (ids.METADATA_USABLE, osts.id))
    return VolumeFigures(steps, osts, metadata, of_mdts, of_osts)


def _on_arrays(stored: Stored, catalog: Catalog) -> VolumeFigures:
    groups, terms = stored.data.groups, stored.terms
    first = steps_of(stored.data, terms, catalog)
    overhead = array_overhead(groups, _array_overhead(groups, stored.reported, catalog), catalog)
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
    metadata = _metadata_on_arrays(stored.metadata, terms, catalog)
    of_osts = ost_volumes(groups, osts, catalog)
    return VolumeFigures((*first, overhead), osts, metadata, stored.of_mdts, of_osts)


def _metadata_on_arrays(tier: Tier, terms: FigureTerms, catalog: Catalog) -> tuple[Figure, ...]:
    raw = tier.nominal_bytes(catalog) + tier.spare_bytes(catalog)
    raw_rule = "The SSDs of the metadata arrays as sold, hot spares included: their number times their capacity."
    usable_rule = (
        "What RAID 10 leaves of the SSDs of all MDTs as sold, hot spares taken off; the volume of an MGT lies in it."
    )
    inputs = (*tier.drives, *tier.layouts)
    return (
        exact(ids.METADATA_RAW, raw, raw_rule, (terms.layout,), inputs),
        exact(ids.METADATA_USABLE, tier.bytes, usable_rule, (terms.layout,), inputs),
    )


def _count(stored: Stored, purpose: str) -> Figure:
    place = ("data", "metadata").index(purpose)
    what = "OST on each volume" if purpose == "data" else "MDT on each volume but that of an MGT"
    above = "in the pool" if stored.in_pool else f"over the whole of each {purpose} disk group"
    rule = f"Volumes {above}, and one {what}."
    return counted(stored.volumes[place], purpose, stored.terms, stored.inputs[place], rule)


def _formatted_targets(stored: Stored, osts: Figure, catalog: Catalog) -> tuple[Figure, Figure, Figure]:
    """In bytes: what ldiskfs keeps of the OSTs, the reserve of root, and what users can fill; exact for known sizes."""
    disks = stored.osts.items()
    reserved = sum(disk.reserved_blocks * n for (_, disk), n in disks) * BLOCK
    user = sum(disk.user_bytes * n for (_, disk), n in disks)
    release = stored.own.release
    percent = catalog.get(LustreRelease, release).mke2fs.reserved_percent
    overhead = osts.value - reserved - user
    return (
        _part_of(ids.FILESYSTEM_OVERHEAD, overhead, osts, _overhead_rule(stored, overhead, catalog), (release,)),
        _part_of(
            ids.RESERVED,
            reserved,
            osts,
            f"The {percent} % of the blocks of each OST that only root may fill, as is the default.",
            (release,),
        ),
        _usable(user, osts, percent),
    )


def _overhead_rule(stored: Stored, value: int, catalog: Catalog) -> str:
    """What ldiskfs keeps, part by part; together the parts are the value."""
    release = catalog.get(LustreRelease, stored.own.release)
    each = [(kept(release, "ost", size), disk, count) for (size, disk), count in stored.osts.items()]
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


def _array_overhead(groups: Sequence[Alike], replies: Mapping[str, Source], catalog: Catalog) -> Overhead:
    """What the arrays keep of the groups; a range for the groups for which no array has reported a size.

    What a volume leaves of its group counts too: a formatted target does not grow, so that it is lost.
    """
    volumes = [a.volume for a in groups]
    share, margin = (catalog.get(Constant, of(volumes)) for of in (overhead_of, margin_of))
    unknown = [a for a in groups if unreported(a)]
    volume_reported = [v.reported_bytes is not None for v in volumes]
    below, low, high = (f"{float(s * 100):g} %" for s in (margin.value, share.low, share.high))

    def kept(alike: Alike) -> Range:
        group, made = alike.group, alike.volume.bytes
        left = Fraction(group.bytes - made)
        if not unreported(alike):
            return Range(left, left, left)
        least = Fraction(group.bytes - largest_volume(group, made, share))
        return Range(least, left, Fraction(ceil(kept_at_most(alike, share))))

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
