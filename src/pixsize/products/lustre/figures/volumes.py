"""The volumes of Lustre's targets on arrays: which sizes are known, and how large the others may come out.

A target that is formatted does not grow: its volume is what counts. The volume is known where the array reported it,
or the group below it; otherwise it is planned by a margin, and the range has what the array may keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from pixsize.arrays.capacity import GROUP_SIZE, VOLUME_SIZE, Overhead, kept_at_most, margin_of, overhead_of
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.estimate import ids
from pixsize.estimate.ranges import Range
from pixsize.figures import Basis, Figure, Source
from pixsize.plan.records import DiskGroup, Plan, Volume

MGT_VOLUME = "lustre.mgt_volume"


class Room(NamedTuple):
    """What is known of the volumes of one kind of target.

    `most` are the sizes that they may have once the arrays reported theirs, empty where all are known. `basis` is what
    is known of them, `inputs` the figures and records that say so, and `rule` what else is to be said of their sizes.
    """

    most: tuple[int, ...]
    basis: Basis
    inputs: tuple[str, ...]
    rule: str = ""


def unseen(groups: Iterable[DiskGroup], volumes: Mapping[str, Volume]) -> list[DiskGroup]:
    """The groups of which no array reported the size, nor that of their volume."""
    return [g for g in groups if g.reported_bytes is None and volumes[g.id].reported_bytes is None]


def left_of_groups(groups: Sequence[DiskGroup], volumes: Mapping[str, Volume], catalog: Catalog) -> Overhead:
    """What the volumes leave of their groups; the range has what the arrays may keep of those not yet seen.

    A target that is formatted does not grow: what its volume leaves of a group is lost, whoever keeps it.
    """
    share = catalog.get(Constant, overhead_of(volumes.values()))
    margin = catalog.get(Constant, margin_of(volumes.values()))
    unknown = unseen(groups, volumes)
    unknown_ids = {g.id for g in unknown}
    below, low, high = (f"{float(s * 100):g} %" for s in (margin.value, share.low, share.high))

    def kept(group: DiskGroup) -> Range:
        made = volumes[group.id].bytes
        left = Fraction(group.bytes - made)
        if group.id not in unknown_ids:
            return Range(left, left, left)
        least = Fraction(group.bytes - _at_most(group, made, share))
        return Range(least, left, Fraction(ceil(kept_at_most(group, volumes, share))))

    return Overhead(
        unknown,
        kept,
        "reported the size, or that of the volume: nominal less the volume.",
        f"volumes are made {below} under nominal, in whole steps of the array; by the evidence it keeps {low} to "
        f"{high}.",
        _reported(groups, volumes),
    )


def _at_most(group: DiskGroup, made: int, share: Constant) -> int:
    """What a volume over the whole group has at the most: all but the least that the array may keep."""
    return max(group.bytes - int(group.bytes * share.low), made)


def _reported(groups: Iterable[DiskGroup], volumes: Mapping[str, Volume]) -> tuple[Source, ...]:
    """The replies that name the sizes: a volume's own goes before that of its group."""
    own = [volumes[g.id].reported_bytes is not None for g in groups]
    return (*((VOLUME_SIZE,) if any(own) else ()), *(() if all(own) else (GROUP_SIZE,)))


def room_for_osts(groups: Sequence[DiskGroup], volumes: Mapping[str, Volume], osts: Figure, catalog: Catalog) -> Room:
    """The volumes of the OSTs, each over the whole of a group."""
    share = catalog.get(Constant, overhead_of(volumes.values()))
    unknown = {g.id for g in unseen(groups, volumes)}
    sizes = ((g, volumes[g.id].bytes) for g in groups)
    most = (_at_most(g, size, share) if g.id in unknown else size for g, size in sizes)
    return Room(tuple(most) if unknown else (), osts.basis, (osts.id,))


def room_for_mdts(plan: Plan, catalog: Catalog) -> Room:
    """The volumes of the MDTs: those that do not exist yet are as large as the smallest, also at the most."""
    overhead, margin = overhead_of(plan.volumes), margin_of(plan.volumes)
    share = catalog.get(Constant, overhead)
    of_mdts = {t.volume for t in plan.targets if t.kind == "mdt"}
    mdts = [v for v in plan.volumes if v.id in of_mdts]
    beside = {v.backing: v for v in plan.volumes if v.purpose == "metadata" and v.id not in of_mdts}
    planned = [v for v in mdts if v.reported_bytes is None]
    held = {v.backing for v in mdts}
    groups = [g for g in plan.disk_groups if g.id in held]
    unknown = [g for g in groups if g.reported_bytes is None] if planned else []
    mgt = MGT_VOLUME if planned and any(v.reported_bytes is None for v in beside.values()) else ""
    inputs = (ids.METADATA_USABLE, *((overhead, margin) if unknown else ()), *((mgt,) if mgt else ()))
    rule = _equal(planned, mdts, list(beside.values()))
    if not unknown:
        return Room((), "measured", inputs, rule)
    least = min(_room(g, beside.get(g.id), share) for g in groups)
    most = tuple(max(v.bytes, least) if v.reported_bytes is None else v.bytes for v in mdts)
    return Room(most, share.basis, inputs, rule)


def _room(group: DiskGroup, beside: Volume | None, share: Constant) -> int:
    """What a group has at the most for its MDT: all that was reported, or may be, but for the MGT's volume."""
    whole = _at_most(group, 0, share) if group.reported_bytes is None else group.reported_bytes
    return whole - (beside.bytes if beside else 0)


def _equal(planned: Sequence[Volume], mdts: Sequence[Volume], mgt: Sequence[Volume]) -> str:
    """Why the MDTs have the size that they have, as far as it is chosen here."""
    if not planned or len(mdts) + len(mgt) == 1:
        return ""
    which = "All MDTs" if len(planned) == len(mdts) else "The MDTs that do not exist yet"
    size = f"{planned[0].bytes:,} B"
    said = f"{which} take the size of the smallest, {size}" if len(mdts) > 1 else f"The MDT takes {size}"
    said += "".join(f"; the MGT's volume takes {v.bytes:,} B of the first group" for v in mgt)
    return f"{said}."
