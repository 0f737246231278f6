"""A pool of servers as the measurements see it: that of a plan, and that of a system that was measured."""

from __future__ import annotations

from collections import Counter

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import MeasuredSystem, PoolDesign
from pixsize.estimate.measured import SERVER, Hardware, Kind, Lookup, MadeOf, server_parts
from pixsize.estimate.system import Part
from pixsize.plan.records import Plan


def adapter_of(design: PoolDesign) -> str:
    """The servers' adapter on the network of the pool."""
    return design.storage.pool_adapter


def data_tier(plan: Plan, catalog: Catalog) -> tuple[Part, ...]:  # noqa: ARG001  the same call for all volumes
    """The servers of the pool, all alike: as many volumes for data on each."""
    (pool,) = plan.pools
    servers = [s for s in plan.servers if s.id in pool.servers]
    volumes = sum(v.purpose == "data" for v in plan.volumes) // len(servers)
    kind = Kind(SERVER, 0, volumes, False, pool.drive)
    return (Part(kind, len(servers), servers[0].id, "", (servers[0],), default_chunk=True),)


def measured(system: MeasuredSystem, lookup: Lookup) -> Hardware:
    """The servers of a measured system; the metadata lies in the same pool."""
    targets = lookup.catalog.get(PoolDesign, system.design).storage.targets
    kind = Kind(SERVER, 0, targets, False, lookup.name(system.drive))
    return Hardware(Counter({kind: system.servers or 0}), "", 0)


def made_of(design: PoolDesign, variant: str, expansion: bool) -> MadeOf:  # noqa: ARG001  the same call for all volumes
    """The parts of a system of a design: all variants have the same."""
    return MadeOf(
        server_parts("the servers", design.storage.servers), server_parts("the metadata servers", design.metadata)
    )
