"""A plan on a PowerFlex pool against its request: what is asked of the pool, and of its servers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, cast

from pixsize.catalog.records import PoolDesign
from pixsize.check.context import Context, Hit, differences, grouped
from pixsize.check.rules import MATCHES_REQUEST, adapters, management_servers, switches
from pixsize.findings import Finding
from pixsize.request import PoolWords
from pixsize.texts import listed


class _Hosts(Protocol):
    @property
    def hosts(self) -> tuple[str, ...]: ...


class PoolRequest(Protocol):
    """A request for servers that share their drives in a pool."""

    @property
    def servers(self) -> int: ...
    @property
    def drive(self) -> str: ...
    @property
    def hosts(self) -> tuple[str, ...]: ...
    @property
    def metadata(self) -> _Hosts: ...
    @property
    def failover(self) -> bool: ...
    @property
    def pool(self) -> PoolWords: ...


def pool_request(context: Context) -> PoolRequest:
    """The request, which asks for a pool where this product judges it."""
    return cast("PoolRequest", context.request)


def pool_as_asked(context: Context) -> Iterator[Finding]:
    """PX525: one pool of all the drives of the servers asked for, with the spare share asked for."""
    request, design = pool_request(context), context.catalog.get(PoolDesign, context.request.design)
    drives = request.servers * design.storage.drives

    def hits() -> Iterator[Hit]:
        if len(context.plan.pools) != 1:
            yield "servers", f"{len(context.plan.pools)} pools, where one is due"
        for pool in context.plan.pools:
            rows: tuple[tuple[str, str, object, object], ...] = (
                ("", "name", pool.id, design.pool),
                ("", "domain", pool.domain, design.domain),
                ("hosts", "servers", pool.servers, request.hosts),
                ("drive", "drive", pool.drive, request.drive),
                ("servers", "drives", pool.drives, drives),
                ("powerflex.spare", "spare", pool.spare_percent, request.pool.spare),
                ("drive", "bytes", pool.bytes, drives * context.drive(request.drive).capacity_bytes),
            )
            for where, word, planned, expected in rows:
                if planned != expected:
                    yield where, f"{word} of {pool.id} is {planned}, where {expected} was asked for"

    return grouped("PX525", hits(), MATCHES_REQUEST)


def servers_as_asked(context: Context) -> Iterator[Finding]:
    """PX525: the servers of the pool and of the metadata, by name, model, adapters and drives."""
    request, design = pool_request(context), context.catalog.get(PoolDesign, context.request.design)
    rows = (
        ("servers", "storage", request.hosts, design.storage.servers, (request.drive, design.storage.drives)),
        ("metadata", "metadata", request.metadata.hosts, design.metadata, None),
    )

    def hits() -> Iterator[Hit]:
        for where, role, hosts, expected, drives in rows:
            servers = [s for s in context.plan.servers if s.role == role]
            if tuple(s.id for s in servers) != hosts:
                yield where, f"servers {listed(s.id for s in servers)}, where {listed(hosts)} were asked for"
            for server in servers:
                if (server.model, dict(server.adapters), server.drives) != (expected.model, expected.adapters, drives):
                    parts = listed(f"{count} {name}" for name, count in server.adapters)
                    own_drives = f" and {server.drives[1]} {server.drives[0]}" if server.drives else ""
                    yield where, f"{server.id} is {server.model} with {parts}{own_drives}"

    return grouped("PX525", hits(), MATCHES_REQUEST)


def parts_in_order(context: Context) -> Iterator[Finding]:
    """PX525: servers, switches and the MDM cluster have the names and the order that the request gives."""
    request, design = pool_request(context), context.catalog.get(PoolDesign, context.request.design)
    servers = [(name, "metadata", None, adapters(design.metadata)) for name in request.metadata.hosts]
    servers += [(name, "storage", None, adapters(design.storage.servers)) for name in request.hosts]

    def hits() -> Iterator[str]:
        words = ("id", "role", "module", "adapters")
        yield from differences("server", words, context.plan.servers, (*servers, *management_servers(context)))
        yield from differences("switch", ("id", "role", "model"), context.plan.switches, switches(context))
        network = request.pool.network
        expected = (design.pool, _expected_mdms(context), network.interface if network else "", request.failover)
        yield from differences("pool", ("id", "mdms", "interface", "takeover"), context.plan.pools, [expected])

    return grouped("PX525", (("", why) for why in hits()), MATCHES_REQUEST)


AS_REQUESTED = (pool_as_asked, servers_as_asked)
EXACT = (parts_in_order,)
"""Asked last, where no other rule has found an error."""


def _expected_mdms(context: Context) -> tuple[str, ...]:
    """The members of the MDM cluster: one server of each failover group, then a second one of each.

    The servers with drives come first. Without failover they are the first of those.
    """
    count = 5 if pool_request(context).servers >= context.limit("powerflex.five_mdms") else 3
    groups = takeover_groups(context)
    ranked = sorted((rank, number, name) for number, group in enumerate(groups) for rank, name in enumerate(group))
    return tuple(name for _, _, name in ranked)[:count] or pool_request(context).hosts[:count]


def takeover_groups(context: Context) -> list[list[str]]:
    """The failover groups: pairs of neighbours, the last three of an odd number of servers, and the MDS."""
    if not takes_over(context):
        return []
    oss = [s.id for s in context.plan.servers if s.role == "storage"]
    ring = oss[-3:] if len(oss) % 2 else []
    pairs = [oss[place : place + 2] for place in range(0, len(oss) - len(ring), 2)]
    return [*pairs, ring, [s.id for s in context.plan.servers if s.role == "metadata"]]


def takes_over(context: Context) -> bool:
    """Whether a second server takes over the targets of one that is lost."""
    return all(pool.takeover for pool in context.plan.pools)
