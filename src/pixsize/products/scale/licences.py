"""The licences of the nodes of a cluster, as mmchlicense gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pixsize.plan.records import Plan
from pixsize.products.scale.plan import CLIENT, scale, server_of
from pixsize.terms import Licences

_KINDS = ("server", "client")


def licences(plan: Plan) -> Iterator[Licences]:
    """One for each kind that the plan needs: the nodes that it is for, by role."""
    nodes: Counter[tuple[str, str]] = Counter((server_of(server).licence, server.role) for server in plan.servers)
    nodes[CLIENT, CLIENT] += len(scale(plan).clients)
    for kind in _KINDS:
        roles = {role: count for (licence, role), count in nodes.items() if licence == kind and count}
        if roles:
            named = ", ".join(f"{count:,} {role}" for role, count in roles.items())
            yield Licences(
                f"scale.licence.{kind}",
                f"IBM Storage Scale, {kind} licence",
                sum(roles.values()),
                f"nodes by role: {named}",
            )
