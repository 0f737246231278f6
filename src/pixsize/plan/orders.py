"""What a file system asks of a maker of volumes: modules of arrays, or servers that share their drives in a pool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pixsize.catalog.records import Layout
from pixsize.plan.records import Adapters

if TYPE_CHECKING:
    from pixsize.catalog.catalog import Catalog

Counts = dict[str, int]
"""How many `servers`, `arrays`, `disk groups`, `volumes` and `drives` an order comes to."""


class Servers(NamedTuple):
    """Servers of one role that are alike."""

    role: Literal["storage", "metadata", "management"]
    model: str
    hosts: tuple[str, ...]
    adapters: tuple[Adapters, ...] = ()


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

    def groups(self, catalog: Catalog, purpose: str | None = None) -> int:
        """How many disk groups one of these modules has, or how many of one purpose."""
        layouts = (catalog.get(Layout, layout) for _, layout in self.enclosures)
        kinds = (kind for layout in layouts for kind in layout.groups if purpose in (None, kind.purpose))
        return self.arrays * sum(len(kind.slots) for kind in kinds)

    def slots(self, catalog: Catalog) -> int:
        """How many slots the enclosures of one of these modules have."""
        return self.arrays * sum(catalog.get(Layout, layout).slots for _, layout in self.enclosures)


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

    def counts(self, catalog: Catalog) -> Counts:
        """What is ordered, each slot counted as a drive. Nothing is made."""
        groups = sum(m.number * m.groups(catalog) for m in self.modules)
        return {
            "servers": _hosts(*(m.servers for m in self.modules), *self.others),
            "arrays": sum(m.number * m.arrays for m in self.modules),
            "disk groups": groups,
            "volumes": groups + (self.aside is not None),
            "drives": sum(m.number * m.slots(catalog) for m in self.modules),
        }


class PoolVolume(NamedTuple):
    """A volume of a pool, by its name."""

    id: str
    bytes: int
    purpose: Literal["data", "metadata"]


class PoolOrder(NamedTuple):
    """Servers that share `drives` drives each in one mirrored pool, and the volumes asked for.

    The servers of the metadata come before those that share, the `others` after them. `takeover` says whether
    a second server takes the targets of each over; `interface` is the one of every server on the network of the pool,
    empty where none is given.
    """

    pool: str
    domain: str
    metadata: Servers
    sharing: Servers
    others: tuple[Servers, ...]
    takeover: bool
    interface: str
    drive: str
    drives: int
    spare_percent: int
    volumes: tuple[PoolVolume, ...]

    def counts(self, catalog: Catalog) -> Counts:  # noqa: ARG002  the same call for every order
        """What is ordered. Nothing is made."""
        return {
            "servers": _hosts(self.metadata, self.sharing, *self.others),
            "arrays": 0,
            "volumes": len(self.volumes),
            "drives": len(self.sharing.hosts) * self.drives,
        }


def _hosts(*servers: Servers) -> int:
    return sum(len(each.hosts) for each in servers)


Order = ArrayOrder | PoolOrder
