"""Why the plan lays data out as it does: each chunk size, the stripe that it makes, and how a block meets it."""

from __future__ import annotations

from typing import NamedTuple

from pixsize.plan.records import DiskGroup, Plan
from pixsize.units import binary_bytes

_PARITY = {"r5": 1, "r6": 2}
_SHARES = {1: "one file-system block", 2: "half a file-system block", 4: "a quarter of a file-system block"}


class Choice(NamedTuple):
    """Something that was chosen for the plan, its value in words, and what follows from it."""

    what: str
    value: str
    why: str


def choices(plan: Plan) -> tuple[Choice, ...]:
    """One for each chunk size on each number of data drives, in the order of the plan."""
    kinds = dict.fromkeys((g.chunk_bytes, _data_drives(g)) for g in plan.disk_groups if g.chunk_bytes)
    return tuple(_chunk(chunk, data, plan.filesystem.block_bytes) for chunk, data in kinds if chunk)


def _data_drives(group: DiskGroup) -> int:
    count = len(group.slots)
    return count // 2 if group.level in ("r1", "r10") else count - _PARITY[group.level]


def _chunk(chunk: int, data: int, block: int) -> Choice:
    stripe = f"one stripe over {data} data drives is {binary_bytes(chunk * data)}"
    return Choice("chunk size", binary_bytes(chunk), f"{stripe}, {_meets(chunk * data, block)}")


def _meets(stripe: int, block: int) -> str:
    """How a block lies on stripes: whole stripes, or parts of one, which the array must read before it can write."""
    stripes, rest = divmod(block, stripe)
    size = binary_bytes(block)
    if rest or not stripes:
        part = f"larger than a file-system block of {size}" if not stripes else f"no whole part of a block of {size}"
        return f"{part}; a full write may have to read first"
    return f"{_SHARES.get(stripes, f'1/{stripes} of a file-system block')} of {size}; a full write never reads first"
