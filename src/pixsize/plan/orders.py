"""What a file system asks of a maker of volumes: modules of arrays, or servers that share their drives in a pool."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Servers(NamedTuple):
    """Servers of one role that are alike; `adapters` are catalog ids and numbers in each."""

    role: Literal["storage", "metadata", "management"]
    model: str
    hosts: tuple[str, ...]
    adapters: tuple[tuple[str, int], ...] = ()


class Modules(NamedTuple):
    """`number` equal modules, counted on from those before that share the `prefix`.

    `hosts` are the servers' names, `number` times those of one module. `enclosures` are the (model, layout) of each
    enclosure of one array, the controllers' own first. `where` is the request's path to the order.
    """

    role: Literal["storage", "metadata"]
    prefix: str
    size: str
    number: int
    arrays: int
    enclosures: tuple[tuple[str, str], ...]
    drive: str
    metadata_drive: str | None
    chunk_bytes: int
    servers: Servers
    expansion: bool
    where: str


class Aside(NamedTuple):
    """A small volume, carved out of the first metadata group before its main volume."""

    suffix: str
    bytes: int


class ArrayOrder(NamedTuple):
    """Modules of servers and arrays. `equal_metadata`: all main metadata volumes take the size of the smallest.

    `as_made`: a volume that exists is planned with the size that it has, whatever its group would allow.
    """

    modules: tuple[Modules, ...]
    others: tuple[Servers, ...] = ()
    aside: Aside | None = None
    equal_metadata: bool = False
    as_made: bool = False


class PoolVolume(NamedTuple):
    """A volume of a pool, by its name."""

    id: str
    bytes: int
    purpose: Literal["data", "metadata"]


class PoolOrder(NamedTuple):
    """Servers that share `drives` drives each in one mirrored pool, and the volumes asked for.

    The servers of the metadata come before those that share, the `others` after them. `mdms` are the members of the MDM
    cluster, as in `Pool`.
    """

    pool: str
    domain: str
    metadata: Servers
    sharing: Servers
    others: tuple[Servers, ...]
    mdms: tuple[str, ...]
    drive: str
    drives: int
    spare_percent: int
    volumes: tuple[PoolVolume, ...]


Order = ArrayOrder | PoolOrder
