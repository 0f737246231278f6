"""Files of the gateways: the nodes of CTDB, the public addresses, and where the lock lies."""

from __future__ import annotations

import re

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.products.ctdb.plan import CtdbCluster
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import checked, word

_CIDR = re.compile(r"[0-9.]{7,15}/[0-9]{1,2}")


def cluster_of(plan: Plan) -> CtdbCluster | None:
    """The gateways of a plan; None where it has none."""
    return next((a.own for a in plan.additions if isinstance(a.own, CtdbCluster)), None)


def applies(plan: Plan) -> bool:
    """Whether the plan has gateways."""
    return cluster_of(plan) is not None


def findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:  # noqa: ARG001  the same call for every renderer
    """PX640 where private or public addresses are missing."""
    cluster = cluster_of(plan)
    if cluster is None:
        return ()
    if not all(server.address for server in plan.servers if server.id in cluster.gateways):
        hint = "Add network: {subnet: 10.10.0.0/24}."
        return (Finding("PX640", "no address of the gateways on the network of the file system", "gateways", hint),)
    if not cluster.public_addresses:
        hint = "Add subnet: 10.40.0.0/24 below gateways."
        return (Finding("PX640", "no public addresses of the gateways", "gateways", hint),)
    return ()


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:  # noqa: ARG001  the same call for every renderer
    """What lies in /etc/ctdb of each gateway, the same on all of them."""
    cluster = cluster_of(plan)
    assert cluster is not None
    addresses = {server.id: server.address for server in plan.servers}
    view = {
        "plan": word(plan.name),
        "mount": f"/{word(plan.filesystem.name)}",
        "nodes": [word(addresses[gateway]) for gateway in cluster.gateways],
        "public": [f"{checked(_CIDR, a.address)} {word(a.interface)}" for a in cluster.public_addresses],
    }
    names = ("nodes", "public_addresses", "ctdb.conf")
    return tuple(File(f"ctdb/{name}", template.fill(f"ctdb/{name}.j2", view)) for name in names)


RENDERER = Renderer(
    name="ctdb",
    summary="the CTDB cluster of the gateways",
    needs="the addresses of the gateways",
    applies=applies,
    files=files,
    findings=findings,
    left_out_for=frozenset({"PX640"}),
)
