"""The cables of a plan: servers to arrays, arrays to expansions, all of these to switches, switches to each other, what
leads to the site's network, and everything to power.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pixsize.catalog.cabling import CabledRole, Cabling
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.fabrics import card_of
from pixsize.catalog.records import Adapter, Switch
from pixsize.plan.networks import CONTROLLERS, MANAGEMENT
from pixsize.plan.records import Array, End, Link, Plan, Server

FEEDS = ("feed A", "feed B")
"""The two feeds of power of a rack: the first supply of a part hangs on the first of them."""
SITE = "site network"
"""The network of the site, as the end of a cable: which switch of it takes which cable is the site's choice."""


def links_of(plan: Plan, design: Design, catalog: Catalog) -> tuple[Link, ...]:
    """Every cable of a plan: SAS, then those to the switches in the order of the design as it was chosen, those between
    switches, those to the site's network, then power.

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
    return (
        *sas,
        *_to_switches(plan, design, cabling, catalog),
        *_between_switches(plan, design, catalog),
        *_outward(plan, design, cabling, catalog),
        *_to_power(plan, cabling, catalog),
    )


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
            behind = End(enclosure_name(array, enclosure.index), controller, cabling.expansion)
            yield Link("sas", End(array.id, controller, cabling.expansion), behind)


def _to_switches(plan: Plan, design: Design, cabling: Cabling, catalog: Catalog) -> Iterator[Link]:
    """The cables to switches: each of a pair has one of a server's adapters; ports, and their legs, follow in order."""
    used: Counter[str] = Counter()
    for role in design.switches:
        switch = catalog.get(Switch, role.model)
        if switch.network == "management":
            ends = [End(s.id, "", port) for s in plan.servers for port in cabling.management]
            ends += [End(a.id, c, cabling.controller_management) for a in plan.arrays for c in CONTROLLERS]
            data = [s for s in plan.switches if s.role != MANAGEMENT]
            ends += [End(s.id, "", port) for s in data for port in cabling.switch_management[: role.ports_a_switch]]
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
            port, leg = divmod(taken, role.links_a_port)
            usable = switch.ports - role.reserved
            number = port // usable * role.count + side + 1
            used[f"{role.model} {side}"] += 1
            named = f"{port % usable + 1}"
            end = End(f"{role.model}-{number}", "", named if role.links_a_port == 1 else f"{named}/{leg + 1}")
            yield Link("management" if switch.network == "management" else "data", start, end)


def _between_switches(plan: Plan, design: Design, catalog: Catalog) -> Iterator[Link]:
    """The cables that join the two switches of each pair, on the ports behind those for devices."""
    for role in design.switches:
        names = [s.id for s in plan.switches if s.model == role.model] if role.joins else []
        first = catalog.get(Switch, role.model).ports - role.reserved + 1
        for one, other in zip(names[::2], names[1::2], strict=False):
            for port in map(str, range(first, first + role.joins)):
                yield Link("joint", End(one, "", port), End(other, "", port))


def _outward(plan: Plan, design: Design, cabling: Cabling, catalog: Catalog) -> Iterator[Link]:
    """The cables to the site's network: from the outward adapters of servers, then from the last ports of switches."""
    starts = []
    for server in plan.servers:
        outward = cabling.servers.get(server.role, CabledRole()).outward
        slots = _slots(server, "network", cabling, catalog)
        starts += [End(server.id, slot, "1") for slot in slots[len(slots) - outward :]]
    for role in design.switches:
        ports = catalog.get(Switch, role.model).ports
        uplinks = [str(ports - role.uplinks + n) for n in range(1, role.uplinks + 1)]
        starts += [End(s.id, "", port) for s in plan.switches if s.model == role.model for port in uplinks]
    yield from (Link("outward", start, End(SITE, "", str(number))) for number, start in enumerate(starts, 1))


def _to_power(plan: Plan, cabling: Cabling, catalog: Catalog) -> Iterator[Link]:
    """A cable from each supply of each part: the supplies of a part take the feeds by turns."""
    parts = [(server.id, server.model) for server in plan.servers]
    parts += [(enclosure_name(array, e.index), e.model) for array in plan.arrays for e in array.enclosures]
    parts += [(switch.id, switch.model) for switch in plan.switches]
    supplies = {catalog.id_of(model): known.count for model, known in cabling.supplies.items()}
    used: Counter[str] = Counter()
    for device, model in parts:
        for number in range(supplies.get(catalog.id_of(model), 0)):
            feed = FEEDS[number % len(FEEDS)]
            used[feed] += 1
            yield Link("power", End(device, "", f"PSU {number + 1}"), End(feed, "", str(used[feed])))


def enclosure_name(array: Array, index: int) -> str:
    """What an enclosure of an array is called as the end of a cable: as the array, or as an expansion behind it."""
    return f"{array.id} enclosure {index}" if index else array.id
