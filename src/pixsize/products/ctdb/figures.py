"""What the links of the gateways carry."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.estimate.ids import FABRIC
from pixsize.estimate.rates import line, links_of
from pixsize.figures import Figure
from pixsize.plan.records import Plan
from pixsize.products.ctdb.plan import GATEWAY
from pixsize.products.ctdb.records import GatewayDesign


def figures(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """The links of all gateways to the file system, one way: no document has rates of gateways."""
    links = links_of(plan, GATEWAY, catalog)
    rule = (
        f"What {links.a_server} links of each of {links.servers:,} gateways to the file system carry one way. It is "
        "the most that clients of SMB and NFS can get together; no document has rates of gateways."
    )
    (section, *_) = catalog.of_design(GatewayDesign, plan.design)
    return (line(f"{FABRIC}gateways", links.rate, links.adapters, rule + links.told, section.citations()[0]),)
