"""Servers that take over from each other beside a PowerFlex pool, and those of them that manage the pool."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Limit
from pixsize.request_lustre import PoolLustreRequest

FIVE = "powerflex.five_mdms"
"""The limit record that says from how many servers on the MDM cluster has five members."""
_FEW, _MANY = 3, 5
"""The members that a cluster of MDMs can have: `3_node` and `5_node` of `scli --switch_cluster_mode`."""


def takeover_groups(servers: Sequence[str]) -> list[Sequence[str]]:
    """Who takes over from whom: pairs of neighbours; the last three of an odd number stand in a ring."""
    paired = len(servers) if len(servers) % 2 == 0 else len(servers) - 3
    pairs = [servers[i : i + 2] for i in range(0, paired, 2)]
    return [*pairs, servers[paired:]] if paired < len(servers) else pairs


def partners(servers: Sequence[str]) -> dict[str, str]:
    """The server that takes over from each: the next of its pair, or of its ring."""
    return {s: group[(i + 1) % len(group)] for group in takeover_groups(servers) for i, s in enumerate(group)}


def members(request: PoolLustreRequest, catalog: Catalog) -> tuple[str, ...]:
    """The members of the MDM cluster: managers, the master first, then the tie breakers.

    One of each group of servers that take over from each other, those with drives first, then a second one of each:
    so that no two managers are in one group, and the loss of a group leaves the cluster a majority where it can.
    """
    count = _MANY if request.servers >= catalog.get(Limit, FIVE).value else _FEW
    if not request.failover:
        return tuple(request.hosts[:count])
    groups = (*takeover_groups(request.hosts), request.metadata.hosts)
    in_turn = chain.from_iterable(zip_longest(*groups))
    return tuple(server for server in in_turn if server is not None)[:count]
