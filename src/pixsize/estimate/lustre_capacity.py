"""From the drives as sold to what `lfs df` should show: on arrays or in a pool, and what ldiskfs keeps, to the byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.estimate import cited
from pixsize.estimate.lustre_files import Room, file_figures
from pixsize.estimate.pool_capacity import pool_steps
from pixsize.estimate.sold import (
    ARRAY_OVERHEAD,
    MARGIN,
    as_sold,
    counted,
    drives,
    exact,
    kept_at_most,
    layouts,
    of_groups,
    sold,
    spare_bytes,
)
from pixsize.estimate.words import Words, words_of
from pixsize.figures import Basis, Figure, weakest
from pixsize.plan.ldiskfs import Ldiskfs
from pixsize.plan.records import DiskGroup, Plan, Volume

BLOCK = 4096
RESERVED = "lustre.reserved_share"


class Above(NamedTuple):
    """What stands above the targets: the steps down to the volumes of the OSTs, and those of the metadata."""

    steps: tuple[Figure, ...]
    osts: Figure
    metadata: tuple[Figure, ...]
    mdts: Room


def sizes(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """Every capacity, in the order of the waterfall, the numbers of volumes, and how many files fit."""
    words = words_of(plan)
    above = _in_a_pool(plan, words, catalog) if plan.pools else _on_arrays(plan, words, catalog)
    below = _formatted_targets(plan, above.osts, catalog)
    counts = (_count(plan, "data", words), _count(plan, "metadata", words))
    osts = Room(above.osts.value, above.osts.high, above.osts.basis, (above.osts.id,))
    files = file_figures(plan, above.mdts, osts)
    return *above.steps, above.osts, *below, counts[0], *above.metadata, counts[1], *files


def _in_a_pool(plan: Plan, words: Words, catalog: Catalog) -> Above:
    steps, metadata = pool_steps(plan, words, catalog)
    value = sum(v.bytes for v in plan.volumes if v.purpose == "data")
    rule = "The volumes of the OSTs: what is left of the pool, in whole steps of its volumes."
    inputs = ("capacity.formatted", "capacity.pool_spare", "capacity.pool_metadata", "capacity.rounding")
    held = sum(v.bytes for v in plan.volumes if v.purpose == "metadata")
    mdts = Room(held, held, "exact", ("capacity.metadata.usable",))
    return Above(steps, exact("capacity.osts", value, rule, (words.layout,), inputs), metadata, mdts)


def _on_arrays(plan: Plan, words: Words, catalog: Catalog) -> Above:
    groups = [g for g in plan.disk_groups if g.purpose == "data"]
    first = sold(plan, groups, words, catalog)
    volumes = {v.backing: v for v in plan.volumes if v.purpose == "data"}
    overhead = _array_overhead(groups, volumes, catalog)
    formatted = first.formatted.value
    osts = Figure(
        id="capacity.osts",
        value=formatted - overhead.value,
        low=formatted - overhead.high,
        high=formatted - overhead.low,
        unit="B",
        basis=weakest(("exact", overhead.basis)),
        rule="The volumes of the OSTs, one over the whole of each data group: formatted less what the arrays keep.",
        sources=(words.layout,),
        inputs=("capacity.formatted", "capacity.array_overhead"),
    )
    return Above((*first, overhead), osts, _metadata_on_arrays(plan, words, catalog), _room_for_mdts(plan, catalog))


def _array_overhead(groups: Sequence[DiskGroup], volumes: dict[str, Volume], catalog: Catalog) -> Figure:
    """What the volumes leave of their groups. A target that is formatted does not grow: its volume is what counts.

    Where an array reported the size of a group, its volume is known. Otherwise the range has what the array may keep.
    """
    share = catalog.get(Constant, ARRAY_OVERHEAD)
    unseen = [g for g in groups if g.reported_bytes is None]
    value = sum(g.bytes - volumes[g.id].bytes for g in groups)
    less = sum(max(g.bytes - volumes[g.id].bytes - int(g.bytes * share.low), 0) for g in unseen)
    more = sum(ceil(kept_at_most(g, volumes, share)) - (g.bytes - volumes[g.id].bytes) for g in unseen)
    return Figure(
        id="capacity.array_overhead",
        value=value,
        low=value - less,
        high=value + more,
        unit="B",
        basis=share.basis if unseen else "measured",
        rule=_overhead_rule(groups, len(unseen), share, catalog),
        sources=share.cited() if unseen else (cited.OBSERVED,),
        inputs=("capacity.formatted", ARRAY_OVERHEAD, MARGIN) if unseen else ("capacity.formatted",),
    )


def _overhead_rule(groups: Sequence[DiskGroup], unseen: int, share: Constant, catalog: Catalog) -> str:
    rules = []
    if unseen < len(groups):
        seen = of_groups(len(groups) - unseen, groups)
        rules.append(f"For {seen} disk groups the arrays reported the size: nominal less the volume that fits.")
    if unseen:
        margin = catalog.get(Constant, MARGIN)
        kept, low, high = (f"{float(s * 100):g} %" for s in (margin.value, share.low, share.high))
        rules.append(
            f"For {of_groups(unseen, groups)} disk groups no array reported a size: volumes are made {kept} under "
            f"nominal, in whole steps of the array; by the evidence it keeps {low} to {high}."
        )
    return " ".join(rules)


def _metadata_on_arrays(plan: Plan, words: Words, catalog: Catalog) -> tuple[Figure, ...]:
    groups = [g for g in plan.disk_groups if g.purpose == "metadata"]
    held = as_sold(groups, catalog) + spare_bytes(plan, "metadata", catalog)
    raw_rule = "The SSDs of the metadata arrays as sold, hot spares included: their number times their capacity."
    usable_rule = (
        "What RAID 10 leaves of the SSDs of all MDTs as sold, hot spares taken off; the volume of an MGT lies in it."
    )
    inputs = (*drives(groups), *layouts(plan, "metadata"))
    return (
        exact("capacity.metadata.raw", held, raw_rule, (words.layout,), inputs),
        exact("capacity.metadata.usable", sum(g.bytes for g in groups), usable_rule, (words.layout,), inputs),
    )


def _room_for_mdts(plan: Plan, catalog: Catalog) -> Room:
    """The volumes of the metadata; where no array reported a size, they may come out as large as it lets them be."""
    share = catalog.get(Constant, ARRAY_OVERHEAD)
    made: Counter[str] = Counter()
    for volume in plan.volumes:
        if volume.purpose == "metadata":
            made[volume.backing] += volume.bytes
    unseen = [g for g in plan.disk_groups if g.id in made and g.reported_bytes is None]
    more = sum(max(int(g.bytes * (1 - share.low)) - made[g.id], 0) for g in unseen)
    inputs = ("capacity.metadata.usable", *((ARRAY_OVERHEAD, MARGIN) if unseen else ()))
    return Room(made.total(), made.total() + more, share.basis if unseen else "measured", inputs)


def _count(plan: Plan, purpose: str, words: Words) -> Figure:
    what = "OST on each volume" if purpose == "data" else "MDT on each volume but that of an MGT"
    above = "in the pool" if plan.pools else f"over the whole of each {purpose} disk group"
    inputs = (plan.design,) if plan.pools else layouts(plan, purpose)
    return counted(plan, purpose, words, inputs, f"Volumes {above}, and one {what}.")


def _formatted_targets(plan: Plan, osts: Figure, catalog: Catalog) -> tuple[Figure, Figure, Figure]:
    """What ldiskfs keeps of the OSTs, what only root may fill, and what is left: exact for volumes of known size."""
    made = tuple(t.ldiskfs for t in plan.targets if t.kind == "ost" and t.ldiskfs is not None)
    reserved = sum(i.reserved_blocks for i in made) * BLOCK
    user = sum(i.user_bytes for i in made)
    share = catalog.get(Constant, RESERVED)
    release = plan.lustre.release
    return (
        _scaled("capacity.filesystem_overhead", osts.value - reserved - user, osts, _overhead_words(made), (release,)),
        _scaled(
            "capacity.reserved",
            reserved,
            osts,
            f"The {float(share.value * 100):g} % of the blocks of each OST that only root may fill, as is the default.",
            (RESERVED,),
        ),
        _usable(user, osts, share),
    )


def _overhead_words(made: Iterable[Ldiskfs]) -> str:
    journal, inode = next(((i.journal_blocks * BLOCK, i.inode_bytes) for i in made), (0, 0))
    return (
        f"What ldiskfs keeps of each OST: inodes of {inode:,} bytes, a journal of {journal:,} bytes, bitmaps and "
        "descriptors with their copies, and what is less than a block or group; to the byte for volumes of this size."
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
        sources=(cited.DESCRIPTORS,),
        inputs=(osts.id, *inputs),
    )


def _usable(value: int, osts: Figure, reserved: Constant) -> Figure:
    """The range moves with the volumes: what one gains is less by the reserve at the least, what it loses is all."""
    basis: Basis = weakest(("exact", osts.basis))
    more = Fraction(osts.high - osts.value) * (1 - reserved.value)
    return Figure(
        id="capacity.usable",
        value=value,
        low=max(value - (osts.value - osts.low), 0),
        high=value + ceil(more),
        unit="B",
        basis=basis,
        rule=(
            "What `lfs df` should show as available on the empty file system: the volumes of the OSTs less what "
            "ldiskfs keeps and reserves. Plain df counts the reserve as part of the size."
        ),
        sources=(cited.LFS_DF,),
        inputs=(osts.id, "capacity.filesystem_overhead", "capacity.reserved"),
    )
