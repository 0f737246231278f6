"""What is connected to what, devices of a kind together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.plan.links import enclosure_name
from pixsize.plan.records import Plan
from pixsize.report.bill import network_name, title

SITE = "site network"
"""The end of a cable that leaves the system."""
MANAGEMENT = "management"
DATA = "data"


class Kind(NamedTuple):
    """Devices of a kind: what they do, what they are, and how many there are. `id` names them in lines."""

    id: str
    role: str
    title: str
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody calls


class Line(NamedTuple):
    """A connection of two kinds; `cables` is 0 where no document lists them."""

    start: str
    end: str
    network: str
    cables: int


class Topology(NamedTuple):
    """Networks, servers, arrays, and the lines between them.

    A network is a kind of switches; where the switches are the customer's, its title is empty and its count 0.
    """

    networks: tuple[Kind, ...]
    servers: tuple[Kind, ...]
    arrays: tuple[Kind, ...]
    lines: tuple[Line, ...]

    @property
    def is_counted(self) -> bool:
        """Whether the cables are known."""
        return any(line.cables for line in self.lines)


def topology(plan: Plan, catalog: Catalog) -> Topology:
    """The kinds of devices of a plan and the cables between them."""
    kind_of: dict[str, str] = {}
    servers = _kinds(((s.id, f"{s.role} server", title(catalog, s.model)) for s in plan.servers), kind_of)
    behind = {a.id: " + ".join(title(catalog, e.model) for e in a.enclosures) for a in plan.arrays}
    arrays = _kinds(((a.id, a.role + " array", behind[a.id]) for a in plan.arrays), kind_of)
    kind_of |= {enclosure_name(a, e.index): kind_of[a.id] for a in plan.arrays for e in a.enclosures}
    networks = _kinds(((s.id, network_name(s.role), title(catalog, s.model)) for s in plan.switches), kind_of)
    roles = {kind_of[s.id]: s.role for s in plan.switches}
    if any(link.end.device == SITE and link.start.device in kind_of for link in plan.links):
        kind_of[SITE] = SITE
    if not networks:
        networks = tuple(Kind(name, name, "", 0) for name in (DATA, MANAGEMENT))
        roles = {name: name for name in (DATA, MANAGEMENT)}
    lines = _cabled(plan, kind_of) if plan.links else _bare(plan, kind_of, roles)
    if plan.links and not plan.switches:
        lines = (*lines, *_bare(plan, kind_of, roles))
    if SITE in kind_of:
        networks = (Kind(SITE, SITE, "", 0), *networks)
    return Topology(networks, servers, arrays, tuple(dict.fromkeys(lines)))


def _kinds(devices: Iterator[tuple[str, str, str]], kind_of: dict[str, str]) -> tuple[Kind, ...]:
    """Equal devices counted together; notes in `kind_of` what each is."""
    count: Counter[tuple[str, str]] = Counter()
    for name, role, what in devices:
        count[role, what] += 1
        kind_of[name] = f"{role}, {what}"
    return tuple(Kind(f"{role}, {what}", role, what, n) for (role, what), n in count.items())


def _cabled(plan: Plan, kind_of: dict[str, str]) -> tuple[Line, ...]:
    """The cables of the plan, one that splits a port once; those of power, and between devices of a kind, left out."""
    found: dict[tuple[str, str, str], set[tuple[str, ...]]] = {}
    for link in plan.links:
        start, end = (kind_of.get(name, "") for name in (link.start.device, link.end.device))
        if not start or not end or start == end or link.network == "power":
            continue
        port = link.end.port.partition("/")[0] if link.network == DATA else link.end.port
        found.setdefault((start, end, link.network), set()).add((link.end.device, link.end.slot, port))
    return tuple(Line(*ends, len(cables)) for ends, cables in found.items())


def _bare(plan: Plan, kind_of: dict[str, str], roles: dict[str, str]) -> tuple[Line, ...]:
    """What is connected where no cable is planned: servers to every network, and to the arrays of their module."""
    found: list[Line] = []
    for server in plan.servers:
        found += [Line(kind_of[server.id], network, role, 0) for network, role in roles.items()]
    if not plan.links:
        for array in plan.arrays:
            owners = [s for s in plan.servers if s.module == array.module]
            found += [Line(kind_of[s.id], kind_of[array.id], "sas", 0) for s in owners]
            found += [Line(kind_of[array.id], net, role, 0) for net, role in roles.items() if role == MANAGEMENT]
    return tuple(dict.fromkeys(found))
