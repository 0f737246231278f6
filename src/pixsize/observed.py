"""What the real arrays reported, reduced to what a plan needs. Sizes in bytes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class ObservedGroup(NamedTuple):
    """A disk group as `show disk-groups` names it: its whole size, and how much of it no volume holds yet.

    `storage_type`, `raid`, `status`, `health` and `pool` are the array's own words; None: it did not say.
    """

    name: str
    bytes: int
    free_bytes: int | None = None
    storage_type: str | None = None
    raid: str | None = None
    disks: int | None = None
    chunk_bytes: int | None = None
    owner: str | None = None
    preferred_owner: str | None = None
    status: str | None = None
    health: str | None = None
    pool: str | None = None


class ObservedVolume(NamedTuple):
    """A volume as `show volumes` names it; `wwid` as multipath sees it (`3` and 32 lower-case hex digits).

    `group` is the disk group that it lies in.
    """

    name: str
    wwid: str
    bytes: int | None = None
    owner: str | None = None
    health: str | None = None
    write_policy: str | None = None
    group: str | None = None


class ObservedDisk(NamedTuple):
    """A drive as `show disks` names it, at `enclosure`.`slot`."""

    enclosure: int
    slot: int
    usage: str
    bytes: int | None = None
    description: str = ""
    health: str | None = None
    sector_format: str | None = None


class ObservedEnclosure(NamedTuple):
    """An enclosure as `show enclosures` names it; `model` is every word of the reply that says what it is."""

    model: str = ""
    health: str | None = None


class ObservedArray(NamedTuple):
    """Every reply of one array. A map is empty where the reply was not given; `replies` names the files read.

    `places` says where a row was read, as `FILE:LINE`, by its kind (`group`, `volume`, `disk`, `enclosure`) and key.
    """

    groups: Mapping[str, ObservedGroup] = _NOTHING
    volumes: Mapping[str, ObservedVolume] = _NOTHING
    disks: Mapping[tuple[int, int], ObservedDisk] = _NOTHING
    enclosures: Mapping[int, ObservedEnclosure] = _NOTHING
    replies: tuple[str, ...] = ()
    places: Mapping[tuple[str, Any], str] = _NOTHING


class Observed(NamedTuple):
    """The replies by array id, and a digest of all files read (empty without any).

    `own` is what other products than arrays reported, a record of each by the product's name.
    """

    arrays: Mapping[str, ObservedArray] = _NOTHING
    digest: str = ""
    own: Mapping[str, Any] = _NOTHING
