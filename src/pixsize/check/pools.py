"""What a plan in any pool of servers must keep: volumes and addresses are those that the request asks for."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.designs import PoolDesign
from pixsize.check.context import Context, Hit, address_troubles, differences, grouped
from pixsize.check.rules import MATCHES_REQUEST
from pixsize.expected import ExpectedPool
from pixsize.findings import Finding


def expected_pool(context: Context) -> ExpectedPool:
    """What the request asks of the pool, as the file system counts it. KeyError where volumes never lie in one."""
    expected = context.filesystem.expected.pool
    if expected is None:
        raise KeyError(f"{context.design.filesystem} has no volumes in a pool")
    return expected(context.request, context.catalog.get(PoolDesign, context.request.design))


def volume_sizes(context: Context) -> Iterator[Finding]:
    """PX525: each volume of a pool has the size that is asked for its kind of target."""
    sizes, product = expected_pool(context).sizes, context.design.volumes

    def hits() -> Iterator[Hit]:
        for target in context.plan.targets:
            planned, size = context.bytes_of(target), sizes.get(target.kind)
            if size is not None and planned != size:
                yield f"{product}.{target.kind}", f"{target.id} has {planned:,} bytes, where {size:,} were asked for"

    return grouped("PX525", hits(), MATCHES_REQUEST)


def addresses(context: Context) -> Iterator[Finding]:
    """PX540: each server has one address of its own on the pool's network: the one asked for, on no other network too.

    A management server has none.
    """
    expected, where = expected_pool(context), f"{context.design.volumes}.network.addresses"
    requested = expected.words.network.addresses if expected.words.network else {}

    def troubles() -> Iterator[str]:
        yield from address_troubles(context, lambda s: s.storage_ips, requested, expected.other_addresses)
        for server in context.plan.servers:
            if server.role == "management" and server.storage_ips:
                yield f"{server.id} has the address {server.storage_ips[0]}, though none was asked for"

    allowed = "each server has one address of its own on the network of the pool"
    return grouped("PX540", ((where, trouble) for trouble in troubles()), allowed)


def volumes_in_order(context: Context) -> Iterator[Finding]:
    """PX525: the volumes of a pool have the names and the order that the request gives, and nothing of an array."""
    pool = context.catalog.get(PoolDesign, context.request.design).pool
    fields = ("id", "backing", "purpose", "array", "lun", "owner", "reported_bytes")
    expected = [(name, pool, holds, "", None, "", None) for name, holds in expected_pool(context).volumes]
    troubles = differences("volume", fields, context.plan.volumes, expected)
    return grouped("PX525", (("", trouble) for trouble in troubles), MATCHES_REQUEST)


RULES = (volume_sizes, addresses)
EXACT = (volumes_in_order,)
"""Asked last, where no other rule has found an error."""
