"""How drives become volumes: one module a way to make them, one line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from pixsize.blocks import me4
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design
from pixsize.observed import Observed
from pixsize.plan.records import Array, DiskGroup, Module, Spares, Volume


class VolumeMaker(NamedTuple):
    """A way to make volumes.

    `lay_out` turns a module's arrays into disk groups and spares, `carve` disk groups into volumes, `volumes_of` counts
    the volumes of an array by its enclosures' layouts without making them.
    """

    lay_out: Callable[
        [Module, Iterable[Array], Design, Observed, Catalog], tuple[tuple[DiskGroup, ...], tuple[Spares, ...]]
    ]
    carve: Callable[[Iterable[DiskGroup], Observed, Catalog], tuple[Volume, ...]]
    volumes_of: Callable[[Iterable[str], Catalog], int]


VOLUME_MAKERS: dict[str, VolumeMaker] = {
    "me4": VolumeMaker(me4.lay_out, me4.carve, me4.volumes_of),
}
"""The word `volumes` of a design -> how."""
