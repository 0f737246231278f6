"""What the real arrays reported, reduced to what a plan needs. Sizes in bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ObservedGroup:
    """A disk group as `show disk-groups` names it: its whole size, and how much of it no volume holds yet."""

    name: str
    bytes: int
    free_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class ObservedVolume:
    """A volume as `show volumes` names it; `wwid` as multipath sees it (`3` and 32 lower-case hex digits)."""

    name: str
    wwid: str
    bytes: int | None = None
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class ObservedDisk:
    """A drive as `show disks` names it, at `enclosure`.`slot`."""

    enclosure: int
    slot: int
    usage: str
    bytes: int | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class ObservedArray:
    """Every reply of one array. A map is empty where the reply was not given; `replies` names the files read."""

    groups: Mapping[str, ObservedGroup] = field(default_factory=dict)
    volumes: Mapping[str, ObservedVolume] = field(default_factory=dict)
    disks: Mapping[tuple[int, int], ObservedDisk] = field(default_factory=dict)
    enclosures: Mapping[int, str] = field(default_factory=dict)
    replies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Observed:
    """The replies by array id, and a digest of all files read (empty when nothing was given)."""

    arrays: Mapping[str, ObservedArray] = field(default_factory=dict)
    digest: str = ""
