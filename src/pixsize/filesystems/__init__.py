"""How volumes become a file system: one module a file system, one line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pixsize.catalog.catalog import Catalog
from pixsize.filesystems import scale
from pixsize.plan.records import Array, Filesystem, Module, Target, Volume
from pixsize.request import Request

FILESYSTEMS: dict[
    str,
    Callable[[Request, Filesystem, Iterable[Module], Sequence[Array], Sequence[Volume], Catalog], tuple[Target, ...]],
] = {
    "scale": scale.targets,
}
"""The word `filesystem` of a design -> how its targets are made."""
