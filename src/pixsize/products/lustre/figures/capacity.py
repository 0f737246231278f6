"""From the drives as sold to what `lfs df` should show: on arrays or in a pool, and what ldiskfs keeps, to the byte."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from pixsize.arrays.capacity import array_overhead, as_sold, counted, drives, layouts, spare_bytes
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design
from pixsize.estimate import ids
from pixsize.estimate.words import Words
from pixsize.figures import Basis, Figure, exact, weakest
from pixsize.plan.records import Plan
from pixsize.product import volumes_of
from pixsize.products.lustre.figures import sources
from pixsize.products.lustre.figures.files import file_figures
from pixsize.products.lustre.figures.volumes import Room, left_of_groups, room_for_mdts, room_for_osts
from pixsize.products.lustre.figures.words import words_of
from pixsize.products.lustre.ldiskfs import Kept, kept
from pixsize.products.lustre.plan import lustre, target_of
from pixsize.products.lustre.records import LustreRelease

BLOCK = 4096


class Above(NamedTuple):
    """What stands above the targets: the steps down to the volumes of the OSTs, and those of the metadata.

    `mdts` and `room` are what is known of the volumes of the MDTs and of the OSTs.
    """

    steps: tuple[Figure, ...]
    osts: Figure
    metadata: tuple[Figure, ...]
    mdts: Room
    room: Room


def sizes(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """Every capacity, in the order of the waterfall, the numbers of volumes, and how many files fit."""
    words = words_of(plan)
    steps, metadata = volumes_of(catalog.get(Design, plan.design)).steps(plan, words, catalog)
    above = _in_a_pool(plan, words, steps, metadata) if plan.pools else _on_arrays(plan, words, steps, catalog)
    below = _formatted_targets(plan, above.osts, catalog)
    counts = (_count(plan, "data", words), _count(plan, "metadata", words))
    files = file_figures(plan, above.mdts, above.room, catalog)
    return *above.steps, above.osts, *below, counts[0], *above.metadata, counts[1], *files


def _in_a_pool(plan: Plan, words: Words, steps: tuple[Figure, ...], metadata: tuple[Figure, ...]) -> Above:
    value = sum(v.bytes for v in plan.volumes if v.purpose == "data")
    rule = "The volumes of the OSTs: what is left of the pool, in whole steps of its volumes."
    inputs = (ids.FORMATTED, ids.POOL_SPARE, ids.POOL_METADATA, ids.ROUNDING)
    osts = exact(ids.TARGET_VOLUMES, value, rule, (words.layout,), inputs)
    mdts, room = (Room((), "exact", (i,)) for i in (ids.METADATA_USABLE, osts.id))
    return Above(steps, osts, metadata, mdts, room)


def _on_arrays(plan: Plan, words: Words, first: tuple[Figure, ...], catalog: Catalog) -> Above:
    groups = [g for g in plan.disk_groups if g.purpose == "data"]
    volumes = {v.backing: v for v in plan.volumes if v.purpose == "data"}
    overhead = array_overhead(groups, volumes, left_of_groups(groups, volumes, catalog), catalog)
    formatted = first[-1].value
    osts = Figure(
        id=ids.TARGET_VOLUMES,
        value=formatted - overhead.value,
        low=formatted - overhead.high,
        high=formatted - overhead.low,
        unit="B",
        basis=weakest(("exact", overhead.basis)),
        rule="The volumes of the OSTs, one over the whole of each data group: formatted less what the arrays keep.",
        sources=(words.layout,),
        inputs=(ids.FORMATTED, ids.ARRAY_OVERHEAD),
    )
    metadata = _metadata_on_arrays(plan, words, catalog)
    room = room_for_osts(groups, volumes, osts, catalog)
    return Above((*first, overhead), osts, metadata, room_for_mdts(plan, catalog), room)


def _metadata_on_arrays(plan: Plan, words: Words, catalog: Catalog) -> tuple[Figure, ...]:
    groups = [g for g in plan.disk_groups if g.purpose == "metadata"]
    held = as_sold(groups, catalog) + spare_bytes(plan, "metadata", catalog)
    raw_rule = "The SSDs of the metadata arrays as sold, hot spares included: their number times their capacity."
    usable_rule = (
        "What RAID 10 leaves of the SSDs of all MDTs as sold, hot spares taken off; the volume of an MGT lies in it."
    )
    inputs = (*drives(groups), *layouts(plan, "metadata"))
    return (
        exact(ids.METADATA_RAW, held, raw_rule, (words.layout,), inputs),
        exact(ids.METADATA_USABLE, sum(g.bytes for g in groups), usable_rule, (words.layout,), inputs),
    )


def _count(plan: Plan, purpose: str, words: Words) -> Figure:
    what = "OST on each volume" if purpose == "data" else "MDT on each volume but that of an MGT"
    above = "in the pool" if plan.pools else f"over the whole of each {purpose} disk group"
    inputs = (plan.design,) if plan.pools else layouts(plan, purpose)
    return counted(plan, purpose, words, inputs, f"Volumes {above}, and one {what}.")


def _formatted_targets(plan: Plan, osts: Figure, catalog: Catalog) -> tuple[Figure, Figure, Figure]:
    """What ldiskfs keeps of the OSTs, what only root may fill, and what is left: exact for volumes of known size."""
    made = tuple(disk for t in plan.targets if t.kind == "ost" and (disk := target_of(t).ldiskfs))
    reserved = sum(i.reserved_blocks for i in made) * BLOCK
    user = sum(i.user_bytes for i in made)
    release = lustre(plan).release
    percent = catalog.get(LustreRelease, release).mke2fs.reserved_percent
    overhead = osts.value - reserved - user
    return (
        _scaled(ids.FILESYSTEM_OVERHEAD, overhead, osts, _overhead_rule(plan, overhead, catalog), (release,)),
        _scaled(
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
    each = [(kept(release, "ost", size), made, count) for (size, made), count in osts.items()]
    if any(made.user_bytes == 0 for _, made, _ in each):
        return "What ldiskfs keeps of the OSTs, and all that is not reserved of those too small to hold any data."
    tables, journals, bitmaps, descriptors = (
        sum(parts[i] * count for parts, _, count in each) * BLOCK for i in range(len(Kept._fields))
    )
    rest = value - tables - journals - bitmaps - descriptors
    inodes = " and ".join(f"{size:,}" for size in dict.fromkeys(made.inode_bytes for _, made, _ in each))
    left_out = f", and {rest:,} B at the ends that are less than a block or group" if rest else ""
    return (
        f"What ldiskfs keeps of the OSTs, to the byte for volumes of these sizes: {tables:,} B of inode tables (inodes "
        f"of {inodes} bytes), {journals:,} B of journals, {bitmaps:,} B of bitmaps, {descriptors:,} B of superblocks "
        f"and descriptors with their copies and room for more{left_out}."
    )


def _scaled(figure: str, value: int, osts: Figure, rule: str, inputs: tuple[str, ...]) -> Figure:
    """A part of the OSTs' volumes, with the range that these have: larger volumes hold more of it."""
    return Figure(
        id=figure,
        value=value,
        low=value * osts.low // osts.value,
        high=-(-value * osts.high // osts.value),
        unit="B",
        basis=weakest(("exact", osts.basis)),
        rule=rule,
        sources=(sources.DESCRIPTORS,),
        inputs=(osts.id, *inputs),
    )


def _usable(value: int, osts: Figure, percent: int) -> Figure:
    """The range moves with the volumes: what one gains is less by the reserve at the least, what it loses is all."""
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
        sources=(sources.LFS_DF,),
        inputs=(osts.id, ids.FILESYSTEM_OVERHEAD, ids.RESERVED),
    )
