"""The servers that manage a PowerFlex system."""

from __future__ import annotations

from itertools import chain, zip_longest

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Limit
from pixsize.plan.orders import PoolOrder, takeover_groups

FIVE = "powerflex.five_mdms"
"""The limit record that says from how many servers on the MDM cluster has five members."""
_FEW, _MANY = 3, 5
"""The members that a cluster of MDMs can have: `3_node` and `5_node` of `scli --switch_cluster_mode`."""


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
