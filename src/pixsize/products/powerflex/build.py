"""PowerFlex: servers that share their drives in one mirrored pool, and volumes in it."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, zip_longest
from math import floor

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Drive, Limit, PoolDesign
from pixsize.observed import Observed
from pixsize.plan.orders import BuiltStorage, PoolOrder, servers_of, takeover_groups
from pixsize.plan.records import Drives, Pool, Server, Volume
from pixsize.products.powerflex.observed import ObservedPool, reported_pool
from pixsize.products.powerflex.plan import PROVIDER, PowerFlexPool

FIVE = "powerflex.five_mdms"
"""The limit record that says from how many servers on the MDM cluster has five members."""
_FEW, _MANY = 3, 5
"""The members that a cluster of MDMs can have: `3_node` and `5_node` of `scli --switch_cluster_mode`."""
COPIES = "powerflex.mirror_copies"
"""The limit record that says on how many servers a pool keeps each byte."""
FREE = "powerflex.pool_free"
"""The constant that says which part of a pool stays free beside the spare share, when sizes are chosen."""


def mirrored_bytes(raw: int, spare_percent: int, copies: int, free: Fraction = Fraction(0)) -> int:
    """What the volumes of a pool may take together, in whole bytes: the spare share off, then one of the copies.

    `free` is a part of the pool that is to stay free beside the spare share.
    """
    return floor(raw * (Fraction(100 - spare_percent, 100) - free) / copies)


def build(order: PoolOrder, design: PoolDesign, observed: Observed, catalog: Catalog) -> BuiltStorage:  # noqa: ARG001
    """The servers of an order, their pool, and the volumes asked for, under the ids that PowerFlex reported."""
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
    volumes = tuple(
        Volume(v.id, PROVIDER, pool.id, v.bytes, v.purpose, wwid=_device_name(v.id, reported_pool(observed)))
        for v in order.volumes
    )
    return BuiltStorage((), servers, (), (), (), (pool,), volumes)


def _device_name(volume: str, seen: ObservedPool | None) -> str | None:
    """What udev calls the device of a volume below /dev/disk/by-id, where the ids of system and volume are known."""
    there = seen.volumes.get(volume) if seen else None
    return f"emc-vol-{seen.system}-{there.id}" if seen and there else None


def members(order: PoolOrder, catalog: Catalog) -> tuple[str, ...]:
    """The members of the MDM cluster: managers, the master first, then the tie breakers.

    One of each group of servers that take over from each other, those with drives first, then a second one of each:
    so that no two managers are in one group, and the loss of a group leaves the cluster a majority where it can.
    """
    hosts = order.sharing.hosts
    count = _MANY if len(hosts) >= catalog.get(Limit, FIVE).value else _FEW
    if not order.takeover:
        return hosts[:count]
    groups = (*takeover_groups(hosts), order.metadata.hosts)
    in_turn = chain.from_iterable(zip_longest(*groups))
    return tuple(server for server in in_turn if server is not None)[:count]
