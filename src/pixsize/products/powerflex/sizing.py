"""Sizes of volumes in a request: those that are left out, and those that PowerFlex does not make."""

from __future__ import annotations

import math
from fractions import Fraction

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Limit
from pixsize.load.positions import quoted
from pixsize.load.request_draft import Draft
from pixsize.product import Sizing
from pixsize.products.powerflex.build import COPIES, FREE, mirrored_bytes

STEP = "powerflex.volume_step"
"""The limit record that says what the sizes of volumes are multiples of."""


def rebuild_spare(servers: int) -> int:
    """The least whole per cent of a pool that holds what one of its servers held, so that the pool can rebuild it."""
    return -(-100 // servers)


def largest_equal(room: int, others: int, volumes: int, step: int) -> int:
    """The largest size, a multiple of `step`, of each of equal `volumes` that share the room with `others`.

    All sizes in bytes; one step at the least.
    """
    return max((room - others) // volumes // step, 1) * step


def largest(raw: int, spare_percent: int, others: int, volumes: int, catalog: Catalog) -> int:
    """The bytes of the largest of equal volumes that leave the spare share and a part of the pool free."""
    free = catalog.get(Constant, FREE).value
    room = mirrored_bytes(raw, spare_percent, catalog.get(Limit, COPIES).value, free)
    return largest_equal(room, others, volumes, catalog.get(Limit, "powerflex.volume_step").value)


def judge(draft: Draft, pattern: str, room: int) -> None:
    """PX117 for sizes that PowerFlex does not make, or that no pool of such servers holds."""
    step = draft.limit(STEP)
    for value, path in list(draft.values(pattern)):
        size = _size(value)
        if size is None:
            continue
        if size % step or size <= 0:
            nearest = max(math.ceil(size / step), 1) * step
            message = f"{quoted(value)}: PowerFlex makes volumes of {units.binary_bytes(step)} and its multiples"
            draft.report("PX117", path, message, f"The next is {nearest // 2**30} GiB.")
        elif room and size > room:
            message = f"{quoted(value)} is more than the drives of all servers hold, {units.binary_bytes(room)}"
            draft.report("PX117", path, message)


def _size(value: object) -> Fraction | None:
    """A capacity in bytes, also where it is no whole number of them; None where the text is none."""
    try:
        return units.parse(value, "capacity")
    except units.UnitError:
        return None


SIZING = Sizing(spare_percent=rebuild_spare, largest=largest, judge=judge)
