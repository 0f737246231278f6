"""Which networks the data of a plan use."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.fabrics import network_of, used_by
from pixsize.catalog.records import Design, Switch
from pixsize.plan.records import Plan

MANAGEMENT = "management"


def data_networks(plan: Plan, catalog: Catalog) -> frozenset[str]:
    """The kinds of network that the switches for the data make; where no switch is planned, what the adapters are
    set to.
    """
    if plan.switches:
        return frozenset(catalog.get(Switch, switch.model).network for switch in plan.switches) - {MANAGEMENT}
    design = catalog.get(Design, plan.design)
    used = used_by(design, (card for server in plan.servers for card, _ in server.adapters), catalog)
    if used is not None:
        return frozenset({network_of(used.fabric, catalog)})
    return frozenset(catalog.get(Switch, role.model).network for role in design.switches) - {MANAGEMENT}
