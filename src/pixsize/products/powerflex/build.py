"""PowerFlex: servers that share their drives in one mirrored pool, and volumes in it."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, zip_longest
from math import floor

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import PoolDesign
from pixsize.catalog.records import Drive, Limit
from pixsize.observed import Observed
from pixsize.plan.orders import BuiltStorage, PoolOrder, servers_of, takeover_groups
from pixsize.plan.records import Drives, Pool, Server, Volume
from pixsize.products.powerflex.observed import reported_pool
from pixsize.products.powerflex.plan import PROVIDER, PowerFlexPool

_FIVE_MDMS = "powerflex.five_mdms"
"""The limit record of the least number of servers with which the MDM cluster has five members."""
_MDMS_OF_SMALL_CLUSTER, _MDMS_OF_LARGE_CLUSTER = 3, 5
"""An MDM cluster has three or five members: `3_node` and `5_node` of `scli --switch_cluster_mode`."""
MIRROR_COPIES = "powerflex.mirror_copies"
"""The limit record of the number of servers on which a pool keeps each byte."""
POOL_FREE = "powerflex.pool_free"
"""The constant with the share of a pool that stays free beside the spare share, when sizes are chosen."""


def mirrored_bytes(raw: int, spare_percent: int, copies: int, free: Fraction = Fraction(0)) -> int:
    """The bytes that a pool of `raw` bytes has for volumes: without the spare share, divided by the number of copies.

    `free` is the share of the pool that also stays free.
    """
    return floor(raw * (Fraction(100 - spare_percent, 100) - free) / copies)


def build(order: PoolOrder, design: PoolDesign, observed: Observed, catalog: Catalog) -> BuiltStorage:  # noqa: ARG001
    """The servers, the pool and the volumes of an order; reported volumes get the names of their devices."""
    sharing = tuple(s._replace(drives=Drives(order.drive, order.drives)) for s in servers_of(order.sharing, None))
    others = (s for role in order.others for s in servers_of(role, None))
    servers: tuple[Server, ...] = (*servers_of(order.metadata, None), *sharing, *others)
    raw = len(sharing) * order.drives * catalog.get(Drive, order.drive).capacity_bytes
    pool = Pool(
        id=order.pool,
        domain=order.domain,
        servers=order.sharing.hosts,
        own=PowerFlexPool(members(order, catalog)),
        drive=order.drive,
        drives=len(sharing) * order.drives,
        spare_percent=order.spare_percent,
        bytes=raw,
        interface=order.interface,
        takeover=order.takeover,
    )
    reported = reported_pool(observed)
    # udev names a device below /dev/disk/by-id after the ids of system and volume, which only replies tell.
    devices = {name: f"emc-vol-{reported.system}-{v.id}" for name, v in reported.volumes.items()} if reported else {}
    volumes = tuple(Volume(v.id, PROVIDER, pool.id, v.bytes, v.purpose, wwid=devices.get(v.id)) for v in order.volumes)
    return BuiltStorage((), servers, (), (), (), (pool,), volumes)


def members(order: PoolOrder, catalog: Catalog) -> tuple[str, ...]:
    """The members of the MDM cluster: managers, the master first, then the tie breakers.

    First one server of each failover group, those with drives before those for metadata, then a second one of each
    group. So no two managers are in one failover group, and where possible the loss of a group leaves the cluster a
    majority.
    """
    hosts = order.sharing.hosts
    large = len(hosts) >= catalog.get(Limit, _FIVE_MDMS).value
    count = _MDMS_OF_LARGE_CLUSTER if large else _MDMS_OF_SMALL_CLUSTER
    if not order.takeover:
        return hosts[:count]
    groups = (*takeover_groups(hosts), order.metadata.hosts)
    by_turns = chain.from_iterable(zip_longest(*groups))
    return tuple(server for server in by_turns if server is not None)[:count]
