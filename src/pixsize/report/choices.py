"""Why the plan lays data out as it does: each chunk size, the stripe that it makes, and how a block meets it."""

from __future__ import annotations

from typing import NamedTuple

from pixsize.plan.raid import data_drives
from pixsize.plan.records import Plan, ScaleFilesystem
from pixsize.units import binary_bytes

_SHARES = {1: "one file-system block", 2: "half a file-system block", 4: "a quarter of a file-system block"}


class Choice(NamedTuple):
    """Something that was chosen for the plan, its value in words, and what follows from it."""

    what: str
    value: str
    why: str


def choices(plan: Plan) -> tuple[Choice, ...]:
    """One for each chunk size on each number of data drives, in the order of the plan."""
    kinds = dict.fromkeys(
        (g.chunk_bytes, data_drives(g.level, len(g.slots)), g.level) for g in plan.disk_groups if g.chunk_bytes
    )
    return tuple(_chunk(plan, chunk, data, level) for chunk, data, level in kinds if chunk)


def _chunk(plan: Plan, chunk: int, data: int, level: str) -> Choice:
    stripe = f"one stripe over {data} data drives is {binary_bytes(chunk * data)}"
    if isinstance(plan.filesystem, ScaleFilesystem):
        return Choice("chunk size", binary_bytes(chunk), f"{stripe}, {_meets(chunk * data, plan.scale.block_bytes)}")
    raid = f"of the RAID {level.removeprefix('r')} groups: {stripe}"
    return Choice("chunk size", binary_bytes(chunk), f"{raid}, which ldiskfs is told as stride and stripe width")


def _meets(stripe: int, block: int) -> str:
    """How a block lies on stripes: whole stripes, or parts of one, which the array must read before it can write."""
    stripes, rest = divmod(block, stripe)
    size = binary_bytes(block)
    if rest or not stripes:
        part = f"larger than a file-system block of {size}" if not stripes else f"no whole part of a block of {size}"
        return f"{part}; a full write may have to read first"
    return f"{_SHARES.get(stripes, f'1/{stripes} of a file-system block')} of {size}; a full write never reads first"
