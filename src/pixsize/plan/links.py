"""The cables of a plan: servers to arrays, arrays to their expansions, servers and arrays to switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pixsize.catalog.cabling import CabledRole, Cabling
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.fabrics import card_of
from pixsize.catalog.records import Adapter, Design, Switch
from pixsize.plan.records import Array, End, Link, Plan, Server

CONTROLLERS = ("A", "B")
"""The controllers of an array, in the order in which the adapters of a server lead to them."""


def links_of(plan: Plan, design: Design, catalog: Catalog) -> tuple[Link, ...]:
    """Every cable of a plan: SAS first, then those to the switches, in the order of the design as it was chosen.

    None where the design has no record of its cables, and none to switches that are the customer's.
    """
    found = catalog.of_design(Cabling, plan.design)
    if not found:
        return ()
    cabling = found[0]
    arrays, servers = {a.id: a for a in plan.arrays}, {s.id: s for s in plan.servers}
    sas = (
        link
        for module in plan.modules
        for link in (
            *_to_arrays([servers[s] for s in module.servers], [arrays[a] for a in module.arrays], cabling, catalog),
            *(e for a in module.arrays for e in _to_expansions(arrays[a], cabling)),
        )
    )
    return (*sas, *_to_switches(plan, design, cabling, catalog))


def _slots(server: Server, use: str, cabling: Cabling, catalog: Catalog) -> tuple[str, ...]:
    """The slots of a server's adapters of one use; `adapter 1` and so on for those whose slots are not known."""
    known = cabling.servers.get(server.role, CabledRole()).slots
    cards = ((name, count) for name, count in server.adapters if catalog.get(Adapter, name).use == use)
    found = [slot for name, count in cards for slot in (*known.get(card_of(name, catalog), ()), *[""] * count)[:count]]
    return tuple(slot or f"adapter {number}" for number, slot in enumerate(found, 1))


def _to_arrays(servers: list[Server], arrays: list[Array], cabling: Cabling, catalog: Catalog) -> Iterator[Link]:
    """One cable from each server to each controller of each array: the first adapter to A, the second to B.

    The array's number in the module is the port of the adapter, the server's number that of the controller.
    """
    for turn, server in enumerate(servers):
        slots = _slots(server, "sas", cabling, catalog)
        for number, array in enumerate(arrays):
            for slot, controller in zip(slots, CONTROLLERS, strict=False):
                yield Link("sas", End(server.id, slot, str(number)), End(array.id, controller, f"{controller}{turn}"))


def _to_expansions(array: Array, cabling: Cabling) -> Iterator[Link]:
    """A cable from each controller to its module of the expansion: A to A, B to B."""
    for enclosure in array.enclosures[1:]:
        for controller in CONTROLLERS:
            behind = End(f"{array.id} enclosure {enclosure.index}", controller, cabling.expansion)
            yield Link("sas", End(array.id, controller, cabling.expansion), behind)


def _to_switches(plan: Plan, design: Design, cabling: Cabling, catalog: Catalog) -> Iterator[Link]:
    """The cables to switches: each of a pair has one of a server's adapters; ports are taken in order."""
    used: Counter[str] = Counter()
    for role in design.switches:
        switch = catalog.get(Switch, role.model)
        if switch.network == "management":
            ends = [End(s.id, "", port) for s in plan.servers for port in cabling.management]
            ends += [End(a.id, c, cabling.controller_management) for a in plan.arrays for c in CONTROLLERS]
            starts = [(0, end) for end in ends]
        else:
            most = role.count * role.ports_a_server
            starts = [
                (turn, End(server.id, slot, "1"))
                for server in plan.servers
                for turn, slot in enumerate(_slots(server, "network", cabling, catalog)[:most])
            ]
        for turn, start in starts:
            side = turn % role.count
            taken = used[f"{role.model} {side}"]
            number = taken // switch.ports * role.count + side + 1
            used[f"{role.model} {side}"] += 1
            end = End(f"{role.model}-{number}", "", str(taken % switch.ports + 1))
            yield Link("management" if switch.network == "management" else "data", start, end)
