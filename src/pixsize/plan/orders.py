"""What a file system orders from a product of volumes, and what it gets: modules of arrays, or a pool of servers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design, ModuleSize, ServerRole, SwitchRole
from pixsize.catalog.records import Layout, Limit, Switch
from pixsize.findings import Finding
from pixsize.plan.records import Adapters, Array, DiskGroup, Module, Own, Pool, Server, Spares, Volume

Counts = dict[str, int]
"""How many `servers`, `arrays`, `disk groups`, `volumes` and `drives` an order comes to."""


class Servers(NamedTuple):
    """Servers of one role that are alike."""

    role: str
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


class AddedVolume(NamedTuple):
    """A volume beside those of the design, for a target of its own.

    `device` is its path on its `servers`, which stand in the order in which clients prefer them; its targets lie in
    `pool` where the file system has pools. What it lies on, its `backing`, fails as one.
    """

    volume: Volume
    device: str
    servers: tuple[str, ...]
    pool: str


class BuiltAddition(NamedTuple):
    """What a product adds to a plan: its own record, servers, and volumes for targets of the file system."""

    own: Own
    servers: tuple[Server, ...] = ()
    volumes: tuple[AddedVolume, ...] = ()


class SmallVolume(NamedTuple):
    """A small volume on the first disk group for metadata, beside its main volume; its name ends in `suffix`."""

    suffix: str
    bytes: int


class ArrayOrder(NamedTuple):
    """Modules of servers and arrays. `equal_metadata`: all main metadata volumes take the size of the smallest.

    `as_made`: a volume that exists is planned with the size that it has, whatever its group would allow.
    """

    modules: tuple[Modules, ...]
    others: tuple[Servers, ...] = ()
    small_volume: SmallVolume | None = None
    equal_metadata: bool = False
    as_made: bool = False

    def counts(self, catalog: Catalog) -> Counts:
        """What is ordered, each slot counted as a drive. Nothing is made."""
        groups = sum(m.number * m.groups(catalog) for m in self.modules)
        return {
            "servers": _hosts(*(m.servers for m in self.modules), *self.others),
            "arrays": sum(m.number * m.arrays for m in self.modules),
            "disk groups": groups,
            "volumes": groups + (self.small_volume is not None),
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
"""What a file system asks of the product that makes its volumes: modules of arrays, or a pool of servers."""


class BuiltStorage(NamedTuple):
    """What a product of volumes builds: everything below the targets.

    A pool has no modules, arrays, groups and spares; arrays have no pools. `added` are the volumes of products that
    add to the system.
    """

    modules: tuple[Module, ...]
    servers: tuple[Server, ...]
    arrays: tuple[Array, ...]
    disk_groups: tuple[DiskGroup, ...]
    spares: tuple[Spares, ...]
    pools: tuple[Pool, ...]
    volumes: tuple[Volume, ...]
    added: tuple[AddedVolume, ...] = ()


def servers_of(servers: Servers, module: str | None) -> Iterator[Server]:
    """The servers of one role as the plan lists them."""
    return (
        Server(id=host, role=servers.role, model=servers.model, module=module, adapters=servers.adapters)
        for host in servers.hosts
    )


def role_servers(role: str, servers: ServerRole, hosts: tuple[str, ...]) -> Servers:
    """The servers of a role of the design, by their names."""
    return Servers(role, servers.model, hosts, tuple(Adapters(*some) for some in sorted(servers.adapters.items())))


def management(design: Design) -> tuple[Servers, ...]:
    """The management servers of a design that has some, under the names that pixsize gives them."""
    if design.management is None:
        return ()
    hosts = tuple(f"mgmt{n}" for n in range(1, design.management.count + 1))
    return (role_servers("management", design.management, hosts),)


def module_sizes(design: str, catalog: Catalog) -> dict[str, ModuleSize]:
    """The sizes of storage module that a design has, by name."""
    return {s.size: s for s in catalog.of_design(ModuleSize, design)}


def too_many(order: Order, design: Design, catalog: Catalog) -> tuple[Finding, ...]:
    """PX120 for more parts than `pixsize.parts` and `pixsize.drives` allow. They are counted before any is made."""
    counts = order.counts(catalog)
    switches = sum(number for _, number in switch_counts(design, counts["servers"], counts["arrays"], catalog))
    found = []
    for what, total in (*counts.items(), ("switches", switches)):
        limit = "pixsize.drives" if what == "drives" else "pixsize.parts"
        most = catalog.get(Limit, limit).value
        if total > most:
            found.append(Finding("PX120", f"{total:,} {what}; pixsize plans at most {most:,} (catalog: {limit})"))
    return tuple(found)


def switch_counts(
    design: Design, servers: int, arrays: int, catalog: Catalog, clients: int = 0
) -> tuple[tuple[SwitchRole, int], ...]:
    """How many switches of each role the ports need. Links between the sets of a role are not planned.

    The ports of `clients` are spread over the switches of a set that is not for the management; those for the
    management have ports for all of these.
    """
    managed = {role.model for role in design.switches if catalog.get(Switch, role.model).network == "management"}
    others = 0
    counts: dict[int, int] = {}
    for place, role in sorted(enumerate(design.switches), key=lambda placed: placed[1].model in managed):
        is_data = role.model not in managed
        more = -(-clients // role.count) if is_data else role.ports_a_switch * others
        usable = catalog.get(Switch, role.model).ports - role.reserved
        counts[place] = -(-(role.ports(servers, arrays) + more) // usable) * role.count
        others += counts[place] if is_data else 0
    return tuple((role, counts[place]) for place, role in enumerate(design.switches))


def takeover_groups(servers: Sequence[str]) -> list[Sequence[str]]:
    """The groups in which servers take over from each other: pairs of neighbours; a ring of three at the end of an odd
    number.
    """
    paired = len(servers) if len(servers) % 2 == 0 else len(servers) - 3
    pairs = [servers[i : i + 2] for i in range(0, paired, 2)]
    return [*pairs, servers[paired:]] if paired < len(servers) else pairs


def partners(servers: Sequence[str]) -> dict[str, str]:
    """The server that takes over from each: the next of its pair, or of its ring."""
    return {s: group[(i + 1) % len(group)] for group in takeover_groups(servers) for i, s in enumerate(group)}
