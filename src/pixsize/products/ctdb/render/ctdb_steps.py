"""What is done on site for the gateways."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.ctdb.render.ctdb import cluster_of
from pixsize.render.steps import SERVING, Box, Look, Step, seconds
from pixsize.render.template import word


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """Install the files on every gateway, and start CTDB on all of them."""
    cluster = cluster_of(plan)
    if cluster is None:
        return ()
    time = seconds(catalog, "script")
    boxes = tuple(
        Box(
            word(gateway),
            "`nodes`, `public_addresses` and `ctdb.conf` of [ctdb](ctdb/ctdb.conf) lie in `/etc/ctdb`",
            seconds=time,
        )
        for gateway in cluster.gateways
    )
    return (
        Step(
            "Form the CTDB cluster of the gateways",
            boxes,
            (Look("`ctdb status`, on one gateway", f"{len(cluster.gateways)} nodes, each `OK`"),),
            after=(SERVING,),
            commands=("systemctl enable --now ctdb",),
        ),
    )
