"""What the links of the Ngenea nodes carry."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.estimate.ids import FABRIC
from pixsize.estimate.rates import line, links_of
from pixsize.figures import Figure
from pixsize.plan.records import Plan
from pixsize.products.ngenea.plan import NGENEA
from pixsize.products.ngenea.records import NgeneaDesign


def figures(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """The links of all nodes to the file system, one way: no document has rates of Ngenea."""
    links = links_of(plan, NGENEA, catalog)
    rule = (
        f"What {links.a_server} links of each of {links.servers:,} Ngenea nodes to the file system carry one way. "
        "Files move no faster; how fast they do depends on the targets as well, and no document has rates of Ngenea."
    )
    (section, *_) = catalog.of_design(NgeneaDesign, plan.design)
    return (line(f"{FABRIC}ngenea", links.rate, links.adapters, rule + links.told, section.citations()[0]),)
