"""Judges the cables of a plan: counted anew from its parts and the design's record of cables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product, zip_longest

from pixsize.catalog.cabling import CabledRole, Cabling
from pixsize.catalog.records import Adapter, Switch
from pixsize.check.context import Context, Hit, grouped
from pixsize.findings import Finding
from pixsize.plan.records import End, Link, Server

_ALLOWED = "each cable has two ports of its own, and goes where the design's record of cables says"


def cables_of_the_design(context: Context) -> Iterator[Finding]:
    """PX577: every cable goes where the design says, no port has two, and each server reaches its arrays two ways.

    What the parts of the plan need is counted without the code that makes the cables.
    """
    records = context.catalog.of_design(Cabling, context.design.id)
    expected = list(_expected(context, records[0])) if records else []

    def hits() -> Iterator[Hit]:
        uses = Counter(end for link in context.plan.links for end in (link.start, link.end))
        yield from (("", f"{n} cables at {_named(end)}") for end, n in uses.items() if n > 1)
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


def _networks(context: Context, cabling: Cabling) -> Iterator[Link]:
    for use in context.design.switches:
        switch = context.catalog.get(Switch, use.model)
        taken: Counter[int] = Counter()
        for turn, start in _starts(context, cabling, switch.network, use.count * use.ports_a_server):
            side = turn % use.count
            sets, port = divmod(taken[side], switch.ports)
            taken[side] += 1
            end = End(f"{use.model}-{sets * use.count + side + 1}", "", str(port + 1))
            yield Link("management" if switch.network == "management" else "data", start, end)


def _starts(context: Context, cabling: Cabling, network: str, most: int) -> Iterator[tuple[int, End]]:
    """Which switch of a set each cable goes to, and where it begins; a server has `most` cables to the data network."""
    if network == "management":
        for server, port in product(context.plan.servers, cabling.management):
            yield 0, End(server.id, "", port)
        for array, controller in product(context.plan.arrays, "AB"):
            yield 0, End(array.id, controller, cabling.controller_management)
        return
    for server in context.plan.servers:
        for turn, slot in enumerate(_slots(context, server, cabling, "network")[:most]):
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
