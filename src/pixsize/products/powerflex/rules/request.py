"""A plan on a PowerFlex pool against its request: what is asked of the pool, and of its servers."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.designs import PoolDesign
from pixsize.check.context import Context, Hit, differences, grouped
from pixsize.check.pools import expected_pool
from pixsize.check.rules import MATCHES_REQUEST, adapters, added_servers, management_servers, switches
from pixsize.findings import Finding
from pixsize.texts import listed


def pool_as_requested(context: Context) -> Iterator[Finding]:
    """PX525: one pool of all the drives of the servers asked for, with the spare share asked for."""
    expected, design = expected_pool(context), context.catalog.get(PoolDesign, context.request.design)
    drives = len(expected.sharing) * design.storage.drives

    def hits() -> Iterator[Hit]:
        if len(context.plan.pools) != 1:
            yield context.grows_at, f"{len(context.plan.pools)} pools, where one is due"
        for pool in context.plan.pools:
            rows: tuple[tuple[str, str, object, object], ...] = (
                ("", "name", pool.id, design.pool),
                ("", "domain", pool.domain, design.domain),
                (expected.sharing_at, "servers", pool.servers, expected.sharing),
                (expected.drive_at, "drive", pool.drive, expected.drive),
                (context.grows_at, "drives", pool.drives, drives),
                ("powerflex.spare", "spare", pool.spare_percent, expected.words.spare),
                (expected.drive_at, "bytes", pool.bytes, drives * context.drive(expected.drive).capacity_bytes),
            )
            for where, word, planned, asked in rows:
                if planned != asked:
                    yield where, f"{word} of {pool.id} is {planned}, where {asked} was asked for"

    return grouped("PX525", hits(), MATCHES_REQUEST)


def servers_as_requested(context: Context) -> Iterator[Finding]:
    """PX525: the servers of the pool and of the metadata, by name, model, adapters and drives."""
    expected, design = expected_pool(context), context.catalog.get(PoolDesign, context.request.design)
    own_drives = (expected.drive, design.storage.drives)
    rows = (
        (context.grows_at, "storage", expected.sharing, design.storage.servers, own_drives),
        (context.filesystem.expected.metadata, "metadata", expected.metadata, design.metadata, None),
    )

    def hits() -> Iterator[Hit]:
        for where, role, hosts, model, drives in rows:
            servers = [s for s in context.plan.servers if s.role == role]
            if tuple(s.id for s in servers) != hosts:
                yield where, f"servers {listed(s.id for s in servers)}, where {listed(hosts)} were asked for"
            for server in servers:
                if (server.model, dict(server.adapters), server.drives) != (model.model, model.adapters, drives):
                    parts = listed(f"{count} {name}" for name, count in server.adapters)
                    found = f" and {server.drives[1]} {server.drives[0]}" if server.drives else ""
                    yield where, f"{server.id} is {server.model} with {parts}{found}"

    return grouped("PX525", hits(), MATCHES_REQUEST)


def parts_in_order(context: Context) -> Iterator[Finding]:
    """PX525: servers, switches and the MDM cluster have the names and the order that the request gives."""
    expected, design = expected_pool(context), context.catalog.get(PoolDesign, context.request.design)
    servers = [(name, "metadata", None, adapters(design.metadata)) for name in expected.metadata]
    servers += [(name, "storage", None, adapters(design.storage.servers)) for name in expected.sharing]

    def hits() -> Iterator[str]:
        words = ("id", "role", "module", "adapters")
        yield from differences(
            "server", words, context.plan.servers, (*servers, *management_servers(context), *added_servers(context))
        )
        yield from differences("switch", ("id", "role", "model"), context.plan.switches, switches(context))
        network = expected.words.network
        pool = (design.pool, _expected_mdms(context), network.interface if network else "", expected.takeover)
        yield from differences("pool", ("id", "mdms", "interface", "takeover"), context.plan.pools, [pool])

    return grouped("PX525", (("", why) for why in hits()), MATCHES_REQUEST)


AS_REQUESTED = (pool_as_requested, servers_as_requested)
EXACT = (parts_in_order,)
"""Asked last, where no other rule has found an error."""


def _expected_mdms(context: Context) -> tuple[str, ...]:
    """The members of the MDM cluster: one server of each failover group, then a second one of each.

    The servers with drives come first. Without failover they are the first of those.
    """
    sharing = expected_pool(context).sharing
    count = 5 if len(sharing) >= context.limit("powerflex.five_mdms") else 3
    groups = takeover_groups(context)
    ranked = sorted((rank, number, name) for number, group in enumerate(groups) for rank, name in enumerate(group))
    return tuple(name for _, _, name in ranked)[:count] or sharing[:count]


def takeover_groups(context: Context) -> list[list[str]]:
    """The failover groups: pairs of neighbours, the last three of an odd number of servers, those for metadata."""
    if not takes_over(context):
        return []
    names = [s.id for s in context.plan.servers if s.role == "storage"]
    ring = names[-3:] if len(names) % 2 else []
    pairs = [names[place : place + 2] for place in range(0, len(names) - len(ring), 2)]
    return [*pairs, ring, [s.id for s in context.plan.servers if s.role == "metadata"]]


def takes_over(context: Context) -> bool:
    """Whether a second server takes over the targets of one that is lost."""
    return all(pool.takeover for pool in context.plan.pools)
