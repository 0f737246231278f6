"""What the real arrays reported, reduced to what a plan needs. Sizes in bytes.

Each family of arrays has words of its own. Its reader says what they mean; messages quote the words as printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, TypeVar

_NOTHING: Mapping[Any, Any] = MappingProxyType({})

M = TypeVar("M")
Use = Literal["free", "in_group", "spare", "lost", "other"]
"""What a drive is used for. `lost`: it failed, or a group went on without it; `other`: for nothing that a plan has."""
Condition = Literal["well", "ill"]
"""Whether a part is as it should be: healthy, online and fault-tolerant, written back."""
Media = Literal["ssd", "fast", "slow"]
"""What a drive is: solid state, a fast disk (10,000 turns a minute and more), or any other disk."""


class Reported(NamedTuple, Generic[M]):
    """What a reply says of a part: what it means, and the array's own word."""

    means: M
    word: str


class ObservedGroup(NamedTuple):
    """A disk group: its whole size, and how much of it no volume holds yet; None: the array did not say.

    `unplanned` says in words why no group of a plan is of this kind, each with what is planned. `raid` is the level,
    such as `RAID6`, in any case and with any signs between.
    """

    name: str
    bytes: int
    free_bytes: int | None = None
    unplanned: tuple[str, ...] = ()
    raid: str | None = None
    disks: int | None = None
    chunk_bytes: int | None = None
    owner: str | None = None
    preferred_owner: str | None = None
    status: Reported[Condition] | None = None
    health: Reported[Condition] | None = None

    @property
    def was_empty(self) -> bool:
        """Whether the group held no volume when it was asked: all of it but half a percent was free.

        Arrays round sizes off and keep a little, which is less; a volume that spans its group takes nearly all. A small
        volume for management may take less: a group with that one alone counts as empty, and its free space is right.
        """
        return self.free_bytes is not None and self.free_bytes * 200 >= self.bytes * 199


class ObservedVolume(NamedTuple):
    """A volume; `wwid` as multipath sees it (`3` and 32 lower-case hex digits).

    `group` is the disk group that it lies in.
    """

    name: str
    wwid: str
    bytes: int | None = None
    owner: str | None = None
    health: Reported[Condition] | None = None
    write_policy: Reported[Condition] | None = None
    group: str | None = None


class ObservedDisk(NamedTuple):
    """A drive at `enclosure`.`slot`."""

    enclosure: int
    slot: int
    usage: Reported[Use]
    bytes: int | None = None
    media: Reported[Media] | None = None
    health: Reported[Condition] | None = None
    sector_format: str | None = None


class ObservedEnclosure(NamedTuple):
    """An enclosure; `model` is every word of the reply that says what it is."""

    model: str = ""
    health: Reported[Condition] | None = None


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
