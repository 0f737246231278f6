"""The parts of a Plan. Sizes in bytes; slots and enclosures are zero-based, as the ME4 counts them.

Named tuples: a start that makes a dozen dataclasses is felt at the prompt. `Enclosure` is one all the same, since a
tuple has an `index` of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Purpose = Literal["data", "metadata", "descriptor"]
Owner = Literal["a", "b"]


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
    """A server; `id` is its name in the cluster, `model` a catalog id."""

    id: str
    role: Literal["storage", "metadata", "management"]
    model: str
    module: str | None
    adapters: tuple[tuple[str, int], ...] = ()
    nids: tuple[str, ...] = ()


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
    """Global hot spares in one enclosure."""

    array: str
    enclosure: int
    slots: tuple[int, ...]
    drive: str


class Volume(NamedTuple):
    """A volume over a whole disk group. `bytes` is what the rendered files ask for.

    `wwid` and `reported_bytes`, the size of a volume that exists, are there only where observed.
    """

    id: str
    provider: Literal["me4"]
    backing: str
    array: str
    bytes: int
    purpose: Literal["data", "metadata"]
    lun: int
    owner: Owner
    wwid: str | None = None
    reported_bytes: int | None = None


class Target(NamedTuple):
    """What the file system is made of: an NSD, with the servers in the order in which clients prefer them."""

    id: str
    kind: Literal["nsd"]
    volume: str | None
    device: str
    servers: tuple[str, ...]
    purpose: Purpose
    usage: Literal["dataOnly", "metadataOnly", "descOnly"]
    pool: str
    failure_group: int


class SwitchSet(NamedTuple):
    """Switches of one model and role."""

    id: str
    role: str
    model: str


class Filesystem(NamedTuple):
    """The file system's own settings."""

    name: str
    block_bytes: int
    inode_bytes: int
    metadata_replicas: int
    data_pool: str
    failure_groups: Literal["per_array", "sides"]


class Plan(NamedTuple):
    """A complete system. Tuples are in the order in which parts are numbered."""

    name: str
    design: str
    variant: Literal["standard", "hdmd"]
    filesystem: Filesystem
    modules: tuple[Module, ...]
    servers: tuple[Server, ...]
    arrays: tuple[Array, ...]
    switches: tuple[SwitchSet, ...]
    disk_groups: tuple[DiskGroup, ...]
    spares: tuple[Spares, ...]
    volumes: tuple[Volume, ...]
    targets: tuple[Target, ...]
