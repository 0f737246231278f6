"""Why the plan lays data out as it does: each chunk size, the stripe that it makes, and how a write meets it."""

from __future__ import annotations

from typing import NamedTuple

from pixsize.plan.records import Plan, data_drives
from pixsize.product import Terms
from pixsize.units import binary_bytes


class Choice(NamedTuple):
    """Something that was chosen for the plan, its value in words, and what follows from it."""

    what: str
    value: str
    why: str


def choices(plan: Plan, terms: Terms) -> tuple[Choice, ...]:
    """One for each chunk size on each number of data drives, in the order of the plan."""
    kinds = dict.fromkeys(
        (g.chunk_bytes, data_drives(g.level, len(g.slots)), g.level) for g in plan.disk_groups if g.chunk_bytes
    )
    made = []
    for chunk, data, level in kinds:
        size = chunk or 0
        said = f"one stripe over {data} data drives is {binary_bytes(size * data)}"
        made.append(Choice("chunk size", binary_bytes(size), terms.chunk_meets(plan, said, size * data, level)))
    return tuple(made)
