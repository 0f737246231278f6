"""What a maker of volumes gives to a file system."""

from __future__ import annotations

from typing import NamedTuple

from pixsize.plan.records import Array, DiskGroup, Module, Pool, Server, Spares, Volume


class Built(NamedTuple):
    """Everything below the targets. A pool has no modules, arrays, groups and spares; arrays have no pools."""

    modules: tuple[Module, ...]
    servers: tuple[Server, ...]
    arrays: tuple[Array, ...]
    disk_groups: tuple[DiskGroup, ...]
    spares: tuple[Spares, ...]
    pools: tuple[Pool, ...]
    volumes: tuple[Volume, ...]
