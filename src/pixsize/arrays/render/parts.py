"""Everything that stands on one ME4 array, gathered from a plan."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pixsize.plan.records import MIRRORED, Array, DiskGroup, Module, Plan, Spares, Volume, data_drives
from pixsize.render.template import drive_pairs, drives


class Parts(NamedTuple):
    """An array with everything on it, each list in the order of the plan."""

    plan: Plan
    array: Array
    module: Module
    groups: list[DiskGroup]
    spares: list[Spares]
    volumes: list[Volume]


def parts_of(plan: Plan) -> tuple[Parts, ...]:
    """The parts of every array of a plan, in one walk over it."""
    modules = {m.id: m for m in plan.modules}
    parts = {a.id: Parts(plan, a, modules[a.module], [], [], []) for a in plan.arrays}
    for group in plan.disk_groups:
        parts[group.array].groups.append(group)
    for spares in plan.spares:
        parts[spares.array].spares.append(spares)
    for volume in plan.volumes:
        parts[volume.array].volumes.append(volume)
    return tuple(parts.values())


def disk_list(group: DiskGroup) -> str:
    """The drives of a group as the array takes them: one by one, the mirrors of a RAID 10 in pairs."""
    make = drive_pairs if group.level == "r10" else drives
    return make(group.enclosure, group.slots)


class Stripe(NamedTuple):
    """What a group with parity is best written in: one chunk on each of its data drives."""

    data_drives: int
    chunk_bytes: int

    @property
    def bytes(self) -> int:
        """The data of a stripe; the parity lies beside it."""
        return self.data_drives * self.chunk_bytes


def largest_stripe(groups: Iterable[DiskGroup]) -> tuple[Stripe, ...]:
    """The largest stripe of the groups with parity; none where all are mirrors, which never read before they write."""
    parity = {(g.level, len(g.slots), g.chunk_bytes) for g in groups if g.level not in MIRRORED}
    stripes = [Stripe(data_drives(level, drives), chunk) for level, drives, chunk in parity if chunk]
    return (max(stripes, key=lambda s: (s.bytes, s.data_drives)),) if stripes else ()
