"""What a request says of a PowerFlex pool, whatever file system uses it, and the sizes of the volumes in it."""

from __future__ import annotations

import math
from typing import ClassVar

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Limit
from pixsize.load.partial_request import PartialRequest
from pixsize.load.positions import quoted
from pixsize.product import Sizing
from pixsize.products.powerflex.build import MIRROR_COPIES, POOL_FREE, mirrored_bytes
from pixsize.request import PoolWords

VOLUME_STEP = "powerflex.volume_step"
"""The limit record of the allocation step: the size of each volume is a multiple of it."""


class PowerFlex(PoolWords):
    """The pool: how much of it stays spare, and the sizes of the volumes."""

    form: ClassVar[str] = "{network: {interface: p2p1, subnet: 10.30.0.0/24}}"


def rebuild_spare(servers: int) -> int:
    """The least spare share, in whole per cent, with which a pool of equal servers can rebuild one lost server."""
    return -(-100 // servers)


def largest(raw: int, spare_percent: int, others: int, volumes: int, catalog: Catalog) -> int:
    """The size in bytes of the largest of equal `volumes` that leave the spare share and `powerflex.pool_free` free.

    `raw` are the bytes of all drives, `others` those of the other volumes. At least one allocation step.
    """
    free_share = catalog.get(Constant, POOL_FREE).value
    available = mirrored_bytes(raw, spare_percent, catalog.get(Limit, MIRROR_COPIES).value, free_share)
    step = catalog.get(Limit, VOLUME_STEP).value
    return max((available - others) // volumes // step, 1) * step


def judge(partial: PartialRequest, pattern: str, raw: int) -> None:
    """PX117 for a size that is no multiple of the allocation step, or larger than all drives.

    `raw` are the bytes of all drives, 0 where they are not known.
    """
    step = partial.limit(VOLUME_STEP)
    for value, path in list(partial.values(pattern)):
        try:
            size = units.parse(value, "capacity")  # a fraction of a byte is reported too: it is no multiple of the step
        except units.UnitError:
            continue  # the shape of the request reports it
        if size % step or size <= 0:
            nearest = max(math.ceil(size / step), 1) * step
            message = f"{quoted(value)}: PowerFlex makes volumes of {units.binary_bytes(step)} and its multiples"
            partial.report("PX117", path, message, f"The next is {nearest // 2**30} GiB.")
        elif raw and size > raw:
            message = f"{quoted(value)} is more than the drives of all servers hold, {units.binary_bytes(raw)}"
            partial.report("PX117", path, message)


SIZING = Sizing(spare_percent=rebuild_spare, largest=largest, judge=judge)
