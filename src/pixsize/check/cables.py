"""Judges the cables of a plan: counted anew from its parts and the design's record of cables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product, zip_longest

from pixsize.catalog.cabling import CabledRole, Cabling
from pixsize.catalog.designs import SwitchRole
from pixsize.catalog.records import Adapter, Switch
from pixsize.check.context import Context, Hit, grouped
from pixsize.findings import Finding
from pixsize.plan.records import End, Link, Server

_ALLOWED = "each cable has two ports of its own, and goes where the design's record of cables says"


def cables_of_the_design(context: Context) -> Iterator[Finding]:
    """PX577: every cable goes where the design says, no port has two, each server reaches its arrays two ways, and no
    part with two supplies stops with one feed.

    What the parts of the plan need is counted without the code that makes the cables.
    """
    records = context.catalog.of_design(Cabling, context.design.id)
    expected = list(_expected(context, records[0])) if records else []

    def hits() -> Iterator[Hit]:
        uses = Counter(end for link in context.plan.links for end in (link.start, link.end))
        yield from (("", f"{n} cables at {_named(end)}") for end, n in uses.items() if n > 1)
        yield from (("", why) for why in _fed_from_one_side(context))
        for found, wanted in zip_longest(context.plan.links, expected):
            if found != wanted:
                yield "", f"{_said(found)}, where {_said(wanted)} is expected"

    yield from grouped("PX577", hits(), _ALLOWED)


def _named(end: End | None) -> str:
    return " ".join(str(part) for part in end or () if part)


def _said(link: Link | None) -> str:
    return f"{link.network} cable from {_named(link.start)} to {_named(link.end)}" if link else "no cable"


def _expected(context: Context, cabling: Cabling) -> Iterator[Link]:
    servers = {server.id: server for server in context.plan.servers}
    for module in context.plan.modules:
        arrays = [context.arrays[a] for a in module.arrays if a in context.arrays]
        for (m, server), (n, array) in product(enumerate(module.servers), enumerate(arrays)):
            slots = _slots(context, servers[server], cabling, "sas") if server in servers else []
            for slot, side in zip(slots, "AB", strict=False):
                yield Link("sas", End(server, slot, str(n)), End(array.id, side, f"{side}{m}"))
        for array, side in product(arrays, "AB"):
            for box in array.enclosures:
                if box.index:
                    there = End(f"{array.id} enclosure {box.index}", side, cabling.expansion)
                    yield Link("sas", End(array.id, side, cabling.expansion), there)
    yield from _networks(context, cabling)
    yield from _joints(context)
    for number, start in enumerate(_to_the_site(context, cabling)):
        yield Link("outward", start, End("site network", "", f"{number + 1}"))
    yield from _power(context, cabling)


def _power(context: Context, cabling: Cabling) -> Iterator[Link]:
    """A cable from each supply: of a part the odd supplies hang on feed A, the even ones on feed B."""
    plan, id_of = context.plan, context.catalog.id_of
    due = {id_of(model): known.count for model, known in cabling.supplies.items()}
    boxes = {f"{a.id} enclosure {e.index}" if e.index else a.id: e.model for a in plan.arrays for e in a.enclosures}
    models = {**{s.id: s.model for s in plan.servers}, **boxes, **{s.id: s.model for s in plan.switches}}
    places: dict[str, list[End]] = {"A": [], "B": []}
    for device, model in models.items():
        for n in range(1, due.get(id_of(model), 0) + 1):
            taken = places["A" if n % 2 else "B"]
            taken.append(End(device, "", f"PSU {n}"))
            yield Link("power", taken[-1], End("feed A" if n % 2 else "feed B", "", str(len(taken))))


def _fed_from_one_side(context: Context) -> Iterator[str]:
    """What stops with one feed, though it has supplies for both."""
    feeds: dict[str, list[str]] = {}
    for link in context.plan.links:
        if link.network == "power" and link.start and link.end:
            feeds.setdefault(link.start.device, []).append(link.end.device)
    yield from (
        f"all {len(each)} supplies of {device} hang on {each[0]}"
        for device, each in feeds.items()
        if len(each) > 1 and len(set(each)) == 1
    )


def _networks(context: Context, cabling: Cabling) -> Iterator[Link]:
    for use in context.design.switches:
        switch = context.catalog.get(Switch, use.model)
        taken: Counter[int] = Counter()
        for turn, start in _starts(context, cabling, switch.network, use):
            side = turn % use.count
            sets, place = divmod(taken[side], (switch.ports - use.joins - use.uplinks) * use.links_a_port)
            taken[side] += 1
            legs = [f"{n}/{leg}" for n in range(1, switch.ports + 1) for leg in range(1, use.links_a_port + 1)]
            port = legs[place] if use.links_a_port > 1 else str(place + 1)
            end = End(f"{use.model}-{sets * use.count + side + 1}", "", port)
            yield Link("management" if switch.network == "management" else "data", start, end)


def _joints(context: Context) -> Iterator[Link]:
    """Of each pair of switches the ports below the uplinks, each to the one of the same number at the other switch."""
    for use in context.design.switches:
        last = context.catalog.get(Switch, use.model).ports - use.uplinks
        pairs = sum(switch.model == use.model for switch in context.plan.switches) // 2
        for pair, port in product(range(pairs), range(last - use.joins + 1, last + 1)):
            one, other = (End(f"{use.model}-{2 * pair + n}", "", f"{port}") for n in (1, 2))
            yield Link("joint", one, other)


def _to_the_site(context: Context, cabling: Cabling) -> Iterator[End]:
    """The last adapters of the servers that have some for the site, and the last ports of switches with uplinks."""
    for server in context.plan.servers:
        last = cabling.servers.get(server.role, CabledRole()).outward
        slots = _slots(context, server, cabling, "network")[::-1][:last]
        yield from (End(server.id, slot, "1") for slot in reversed(slots))
    for use in context.design.switches:
        ports = context.catalog.get(Switch, use.model).ports
        for switch in context.plan.switches:
            if switch.model == use.model:
                yield from (End(switch.id, "", f"{n}") for n in range(ports - use.uplinks + 1, ports + 1))


def _starts(context: Context, cabling: Cabling, network: str, use: SwitchRole) -> Iterator[tuple[int, End]]:
    """Which switch of a set each cable goes to, and where it begins; a server has one a port that is for it."""
    if network == "management":
        for server, port in product(context.plan.servers, cabling.management):
            yield 0, End(server.id, "", port)
        for array, controller in product(context.plan.arrays, "AB"):
            yield 0, End(array.id, controller, cabling.controller_management)
        for switch in context.plan.switches:
            if switch.role != "management":
                yield from ((0, End(switch.id, "", port)) for port in cabling.switch_management[: use.ports_a_switch])
        return
    for server in context.plan.servers:
        for turn, slot in enumerate(_slots(context, server, cabling, "network")[: use.count * use.ports_a_server]):
            yield turn, End(server.id, slot, "1")


def _slots(context: Context, server: Server, cabling: Cabling, use: str) -> list[str]:
    known = cabling.servers.get(server.role, CabledRole()).slots
    slots: list[str] = []
    for name, count in server.adapters:
        adapter = context.catalog.get(Adapter, name)
        if adapter.use == use:
            named = list(known.get(adapter.card or name, ()))
            slots += [named[n] if n < len(named) else f"adapter {len(slots) + n + 1}" for n in range(count)]
    return slots
