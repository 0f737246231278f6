"""A plan on a PowerFlex pool against its request: what is asked of the pool, and of its servers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, cast

from pixsize.catalog.records import PoolDesign
from pixsize.check.context import Context, Hit, differences, grouped
from pixsize.check.rules import MATCHES_REQUEST, adapters, management_servers, switches
from pixsize.findings import Finding
from pixsize.plan.records import Server
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
    wanted, design = pool_request(context), context.catalog.get(PoolDesign, context.request.design)
    drives = wanted.servers * design.storage.drives

    def hits() -> Iterator[Hit]:
        if len(context.plan.pools) != 1:
            yield "servers", f"{len(context.plan.pools)} pools, where one is due"
        for pool in context.plan.pools:
            rows: tuple[tuple[str, str, object, object], ...] = (
                ("", "name", pool.id, design.pool),
                ("", "domain", pool.domain, design.domain),
                ("hosts", "servers", pool.servers, wanted.hosts),
                ("drive", "drive", pool.drive, wanted.drive),
                ("servers", "drives", pool.drives, drives),
                ("powerflex.spare", "spare", pool.spare_percent, wanted.pool.spare),
                ("drive", "bytes", pool.bytes, drives * context.drive(wanted.drive).capacity_bytes),
            )
            for where, word, seen, due in rows:
                if seen != due:
                    yield where, f"{word} of {pool.id} is {seen}, where {due} was asked for"

    return grouped("PX525", hits(), MATCHES_REQUEST)


def servers_as_asked(context: Context) -> Iterator[Finding]:
    """PX525: the servers of the pool and of the metadata, by name, model, adapters and drives."""
    wanted, design = pool_request(context), context.catalog.get(PoolDesign, context.request.design)
    rows = (
        ("servers", "storage", wanted.hosts, design.storage.servers, (wanted.drive, design.storage.drives)),
        ("metadata", "metadata", wanted.metadata.hosts, design.metadata, None),
    )

    def hits() -> Iterator[Hit]:
        for where, role, hosts, due, drives in rows:
            there = [s for s in context.plan.servers if s.role == role]
            if tuple(s.id for s in there) != hosts:
                yield where, f"servers {listed(s.id for s in there)}, where {listed(hosts)} were asked for"
            for server in there:
                if (server.model, dict(server.adapters), server.drives) != (due.model, due.adapters, drives):
                    yield where, f"{server.id} is {_built(server)}"

    return grouped("PX525", hits(), MATCHES_REQUEST)


def parts_in_order(context: Context) -> Iterator[Finding]:
    """PX525: servers, switches and the MDM cluster have the names and the order that the request gives."""
    wanted, design = pool_request(context), context.catalog.get(PoolDesign, context.request.design)
    servers = [(name, "metadata", None, adapters(design.metadata)) for name in wanted.metadata.hosts]
    servers += [(name, "storage", None, adapters(design.storage.servers)) for name in wanted.hosts]

    def hits() -> Iterator[str]:
        words = ("id", "role", "module", "adapters")
        yield from differences("server", words, context.plan.servers, (*servers, *management_servers(context)))
        yield from differences("switch", ("id", "role", "model"), context.plan.switches, switches(context))
        network = wanted.pool.network
        due = (design.pool, _due_mdms(context), network.interface if network else "", wanted.failover)
        yield from differences("pool", ("id", "mdms", "interface", "takeover"), context.plan.pools, [due])

    return grouped("PX525", (("", why) for why in hits()), MATCHES_REQUEST)


AS_REQUESTED = (pool_as_asked, servers_as_asked)
EXACT = (parts_in_order,)
"""Asked last, where no other rule has found an error."""


def _built(server: Server) -> str:
    drives = f" and {server.drives[1]} {server.drives[0]}" if server.drives else ""
    return f"{server.model} with {listed(f'{count} {name}' for name, count in server.adapters)}{drives}"


def _due_mdms(context: Context) -> tuple[str, ...]:
    """The members of the MDM cluster: one server of each group that takes over, then a second one of each.

    The servers with drives come first. Without failover they are the first of those.
    """
    count = 5 if pool_request(context).servers >= context.limit("powerflex.five_mdms") else 3
    groups = takeover_groups(context)
    ranked = sorted((place, turn, name) for turn, group in enumerate(groups) for place, name in enumerate(group))
    return tuple(name for _, _, name in ranked)[:count] or pool_request(context).hosts[:count]


def takeover_groups(context: Context) -> list[list[str]]:
    """The servers that may come to serve one target: neighbours, the last three of an odd number, and the MDS."""
    if not takes_over(context):
        return []
    oss = [s.id for s in context.plan.servers if s.role == "storage"]
    ring = oss[-3:] if len(oss) % 2 else []
    pairs = [oss[place : place + 2] for place in range(0, len(oss) - len(ring), 2)]
    return [*pairs, ring, [s.id for s in context.plan.servers if s.role == "metadata"]]


def takes_over(context: Context) -> bool:
    """Whether a second server takes over the targets of one that is lost."""
    return all(pool.takeover for pool in context.plan.pools)
