"""Everything that stands on one ME4 array, gathered from a plan, and how the array's commands name it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from pixsize.plan.records import Array, DiskGroup, Module, Plan, Spares, Volume
from pixsize.render.template import comma_list

BLOCK = 512
"""What the ME4 counts sizes in where a size has no unit."""


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
    for volume in (v for v in plan.volumes if v.array):
        parts[volume.array].volumes.append(volume)
    return tuple(parts.values())


def disk_list(group: DiskGroup) -> str:
    """The drives of a group as the array takes them: one by one, the mirrors of a RAID 10 in pairs."""
    make = drive_pairs if group.level == "r10" else drives
    return make(group.enclosure, group.slots)


def chunk_size(size: int) -> str:
    """A chunk size as `add disk-group` takes it: `512k`."""
    if size <= 0 or size % 1024:
        raise ValueError(f"a chunk of {size} bytes")
    return f"{size // 1024}k"


def blocks(size: int) -> str:
    """A size in 512-byte blocks without a unit, the only exact form that `create volume` takes."""
    if size <= 0 or size % BLOCK:
        raise ValueError(f"{size} bytes are no whole number of blocks")
    return str(size // BLOCK)


def drives(enclosure: int, slots: Iterable[int]) -> str:
    """Drives one by one, `0.0,0.2`: the ME4 has no word for a step."""
    return comma_list(f"{enclosure}.{slot}" for slot in slots)


def drive_pairs(enclosure: int, slots: Sequence[int]) -> str:
    """The mirrors of a RAID 10, `0.0,0.1:0.2,0.3`: two neighbours of the list a mirror."""
    if len(slots) % 2:
        raise ValueError(f"{len(slots)} drives make no pairs")
    return ":".join(drives(enclosure, slots[i : i + 2]) for i in range(0, len(slots), 2))


def drive_ranges(enclosure: int, slots: Iterable[int]) -> str:
    """Drives with runs drawn together, `0.80-83`; the end of a run is a bare slot."""
    return comma_list(f"{enclosure}.{run}" for run in slot_ranges(slots).split(","))


def slot_ranges(slots: Iterable[int]) -> str:
    """Slot numbers with runs drawn together, `0-18,20`."""
    order = sorted(slots)
    starts = [order[0], *(b for a, b in pairwise(order) if b != a + 1)]
    ends = [*(a for a, b in pairwise(order) if b != a + 1), order[-1]]
    return ",".join(f"{a}-{b}" if a != b else f"{a}" for a, b in zip(starts, ends, strict=True))
