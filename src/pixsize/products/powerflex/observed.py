"""What a PowerFlex system reported, reduced to what a plan needs. Sizes in bytes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from pixsize.observed import Observed
from pixsize.products.powerflex.plan import PROVIDER

LOGIN = "powerflex.login.txt"
VOLUMES = "powerflex.volumes.txt"
"""The names under which the replies to `scli --login` and to `scli --query_all_volumes` are collected."""
_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class ObservedPoolVolume(NamedTuple):
    """A volume of a PowerFlex pool: `id`, 16 lower-case hex digits, is a part of its device's name.

    `sdcs` is the number of SDCs that it is mapped to. None in this field or a later one: the reply does not say.
    """

    id: str
    bytes: int
    sdcs: int | None = None
    pool: str | None = None
    thin: bool | None = None


class ObservedPool(NamedTuple):
    """A PowerFlex system: its id, 16 lower-case hex digits, and its volumes by name.

    `places` has the file and line of each volume, as FILE:LINE. `announced` is the number of volumes that the reply
    claims to list, `rows` the number that it does list; both None where it claims nothing.
    """

    system: str
    volumes: Mapping[str, ObservedPoolVolume] = _NOTHING
    places: Mapping[str, str] = _NOTHING
    announced: int | None = None
    rows: int | None = None


def reported_pool(observed: Observed) -> ObservedPool | None:
    """What the system reported; None where there are no replies of one."""
    return cast("ObservedPool | None", observed.own.get(PROVIDER))
