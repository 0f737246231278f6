"""Ports of switches and adapters: how many there are, how many are used, and how many are free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.fabrics import FabricChoice, with_fabric
from pixsize.catalog.records import Adapter, Switch
from pixsize.plan.records import End, Link, Plan
from pixsize.report.bill import title
from pixsize.report.labels import first_to_last


class Ports(NamedTuple):
    """The ports of equal devices, all together. `kept` are those of clients.

    `used` and `free` are None where no cable to them is planned.
    """

    item: str
    title: str
    use: str
    ports: int
    used: int | None
    kept: int
    free: int | None


def ports(plan: Plan, choice: FabricChoice, clients: int, catalog: Catalog) -> tuple[Ports, ...]:
    """The ports of the switches by model and network, then those of the adapters by model."""
    return (*_of_switches(plan, choice, clients, catalog), *_of_adapters(plan, catalog))


def _of_switches(plan: Plan, choice: FabricChoice, clients: int, catalog: Catalog) -> Iterator[Ports]:
    """The ports that cables end in, a port that is split once; by the design where no cable is planned."""
    design = with_fabric(catalog.get(Design, plan.design), choice, catalog)
    plugs = {(plug.device, plug.port.partition("/")[0]) for link in plan.links for plug in _switched(link)}
    for role in design.switches:
        model = catalog.get(Switch, role.model)
        names = [switch.id for switch in plan.switches if switch.model == role.model]
        if names:
            by_design = role.ports(len(plan.servers), len(plan.arrays)) * role.count
            used = sum(device in names for device, _ in plugs) if plan.links else by_design
            kept = 0 if model.network == "management" else clients
            total = model.ports * len(names)
            yield Ports(
                catalog.id_of(role.model), model.title, first_to_last(names), total, used, kept, total - used - kept
            )


def _switched(link: Link) -> tuple[End, ...]:
    """The ends of a cable in the ports that a switch is there for: its supplies and its own management are none."""
    ends = {"data": (link.end,), "management": (link.end,), "joint": (link.start, link.end), "outward": (link.start,)}
    return ends.get(link.network, ())


def _of_adapters(plan: Plan, catalog: Catalog) -> Iterator[Ports]:
    """A cable of SAS, of data or to the site's network takes a port of the adapters that its server has for it.

    No cable is planned to switches of the customer: how many ports these take is then not known.
    """
    held: Counter[str] = Counter()
    holders: dict[str, list[str]] = {}
    cards: dict[tuple[str, str], str] = {}
    for server in plan.servers:
        for name, count in server.adapters:
            held[name] += count
            holders.setdefault(name, []).append(server.id)
            cards.setdefault((catalog.get(Adapter, name).use, server.id), name)
    uses = {"sas": "sas", "data": "network", "outward": "network"}
    ends = [(uses[link.network], link.start.device) for link in plan.links if link.network in uses]
    cabled = {use for use, _ in ends}
    used = Counter(cards[end] for end in ends if end in cards)
    for name, count in held.items():
        card = catalog.get(Adapter, name)
        total = count * card.ports
        taken = used[name] if card.use in cabled else None
        free = None if taken is None else total - taken
        yield Ports(catalog.id_of(name), title(catalog, name), first_to_last(holders[name]), total, taken, 0, free)
