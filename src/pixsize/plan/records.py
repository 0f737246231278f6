"""The parts of a Plan. Sizes in bytes; slots and enclosures are zero-based, as the ME4 counts them.

Named tuples: a start that makes a dozen dataclasses is felt at the prompt. `Enclosure` is one all the same, since a
tuple has an `index` of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

Purpose = Literal["data", "metadata", "descriptor"]
Owner = Literal["a", "b"]


class Own(Protocol):
    """A frozen record of one product: what it alone has of a part of the plan."""

    def _asdict(self) -> dict[str, Any]: ...


class Module(NamedTuple):
    """A building block: a pair of servers and their arrays.

    `drive` is the catalog id of the drives of its main purpose, `metadata_drive` of the SSDs in a storage module of the
    standard variant. `where` is the request's path to it.
    """

    id: str
    role: Literal["storage", "metadata"]
    size: str
    expansion: bool
    drive: str
    metadata_drive: str | None
    servers: tuple[str, ...]
    arrays: tuple[str, ...]
    chunk_bytes: int
    where: str


class Server(NamedTuple):
    """A server; `id` is its name in the cluster, `model` a catalog id.

    `storage_ips` are its addresses on the network of a storage pool, empty where the request gives none. `drives` are
    the catalog id and number of the drives in the server that a pool uses. `own` is what the file system has of it.
    """

    id: str
    role: Literal["storage", "metadata", "management"]
    model: str
    module: str | None
    adapters: tuple[tuple[str, int], ...] = ()
    storage_ips: tuple[str, ...] = ()
    drives: tuple[str, int] | None = None
    own: Own | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosure:
    """An enclosure of an array: 0 is the controllers' own, 1 the expansion. `model` and `layout` are catalog ids."""

    index: int
    model: str
    layout: str


class Array(NamedTuple):
    """A pair of controllers and its enclosures; `model` is the catalog id of the controllers' enclosure."""

    id: str
    role: Literal["storage", "metadata"]
    model: str
    module: str
    enclosures: tuple[Enclosure, ...]


class DiskGroup(NamedTuple):
    """A RAID group. `bytes` are the data drives as sold; `reported_bytes` is the array's own word, where observed."""

    id: str
    array: str
    enclosure: int
    slots: tuple[int, ...]
    level: Literal["r1", "r5", "r6", "r10"]
    owner: Owner
    purpose: Literal["data", "metadata"]
    drive: str
    bytes: int
    chunk_bytes: int | None
    reported_bytes: int | None = None


class Spares(NamedTuple):
    """Global hot spares in one enclosure. `added` says that the array reports each of them as a spare, or as one that
    stands in for a failed drive."""

    array: str
    enclosure: int
    slots: tuple[int, ...]
    drive: str
    added: bool = False


class Pool(NamedTuple):
    """A storage pool: every drive of its servers, mirrored. `bytes` are the drives as sold.

    `interface` is that of every server on its network; `takeover` says whether a second server takes the targets of
    each over.

    `mdms` are the members of the MDM cluster, three or five: the managers, the first of them the master, then the tie
    breakers, of which there is one less.
    """

    id: str
    domain: str
    servers: tuple[str, ...]
    mdms: tuple[str, ...]
    drive: str
    drives: int
    spare_percent: int
    bytes: int
    interface: str = ""
    takeover: bool = True

    @property
    def managers(self) -> tuple[str, ...]:
        """The managers of the MDM cluster, the master first: more than half of its members."""
        return self.mdms[: len(self.mdms) // 2 + 1]

    @property
    def tie_breakers(self) -> tuple[str, ...]:
        """The members of the MDM cluster that only vote."""
        return self.mdms[len(self.mdms) // 2 + 1 :]


class Volume(NamedTuple):
    """A volume over a disk group, or in a pool. `bytes` is what the rendered files ask for.

    `array`, `lun` and `owner` are those of an array, and empty or 0 for a pool's volume. `wwid`, what a volume is known
    by on its servers, and `reported_bytes`, the size of a volume that exists, are there only where observed.
    """

    id: str
    provider: str
    backing: str
    array: str
    bytes: int
    purpose: Literal["data", "metadata"]
    lun: int = 0
    owner: Owner | Literal[""] = ""
    wwid: str | None = None
    reported_bytes: int | None = None


class Target(NamedTuple):
    """What the file system is made of, with the servers in the order in which they are preferred.

    `kind` is a word of the file system's product, `own` what that has of the target.
    """

    id: str
    kind: str
    volume: str | None
    device: str
    servers: tuple[str, ...]
    purpose: Purpose
    own: Own | None = None


class SwitchSet(NamedTuple):
    """Switches of one model and role."""

    id: str
    role: str
    model: str


class Filesystem(Own, Protocol):
    """What every file system's own record has, whatever else the product puts into it."""

    @property
    def name(self) -> str:
        """The name of the file system."""
        ...


class Plan(NamedTuple):
    """A complete system. Tuples are in the order in which parts are numbered."""

    name: str
    design: str
    variant: str
    filesystem: Filesystem
    modules: tuple[Module, ...]
    servers: tuple[Server, ...]
    arrays: tuple[Array, ...]
    switches: tuple[SwitchSet, ...]
    disk_groups: tuple[DiskGroup, ...]
    spares: tuple[Spares, ...]
    volumes: tuple[Volume, ...]
    targets: tuple[Target, ...]
    pools: tuple[Pool, ...] = ()


PARITY_DRIVES = {"r5": 1, "r6": 2}
MIRRORED = frozenset({"r1", "r10"})


def data_drives(level: str, drives: int) -> int:
    """How many of a group's drives hold data once parity or mirrors are taken off."""
    return drives // 2 if level in MIRRORED else drives - PARITY_DRIVES[level]


def same_host(one: str, other: str) -> bool:
    """Whether two names mean one host: without regard to case, and a bare name means any domain's."""
    one, other = one.lower(), other.lower()
    if "." in one and "." in other:
        return one == other
    return one.partition(".")[0] == other.partition(".")[0]
