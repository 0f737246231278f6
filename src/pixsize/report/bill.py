"""What is in the box: every part of a plan as a row of one bill, and what is not in it.

The lines of `plan` are these rows in fewer words; `pixsize bom` has all of them, with their ids.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pixsize.catalog.cabling import Cabling
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Adapter, Racked
from pixsize.catalog.server_parts import ServerPart, ServerParts
from pixsize.plan.links import enclosure_name
from pixsize.plan.records import Link, Plan
from pixsize.product import PRODUCTS, filesystem_of
from pixsize.report.labels import first_to_last
from pixsize.texts import plural

_NETWORKS = {"infiniband": "InfiniBand", "ethernet": "Ethernet", "omni-path": "Omni-Path"}
SERVERS, STORAGE, NETWORK = "servers", "arrays and drives", "network"
CABLES, LICENCES, OWN = "cables", "licences", "others"
PURPOSES = (SERVERS, STORAGE, NETWORK, CABLES, LICENCES, OWN)
"""What rows are for, in the order of a bill."""

Line = tuple[int, str, str]
"""How many, of what, for what."""


class Row(NamedTuple):
    """Equal parts of a plan: the id of what they are, the catalog's where it has a record, and how many.

    `count` is None where nobody says it. `rack_units` is what all of them take. What is not `included` is needed or may
    be had, and stands on no bill.
    """

    item: str
    title: str
    count: int | None  # type: ignore[assignment]  # hides tuple.count, which nobody calls
    use: str
    purpose: str
    rack_units: int | None = None
    included: bool = True

    def lines(self) -> Iterator[Line]:
        """The row as a line, where it is counted."""
        if self.count is not None:
            yield self.count, self.title, self.use


def rows(plan: Plan, catalog: Catalog) -> tuple[Row, ...]:
    """The whole bill: what is in the box, then what is not included and is a part all the same."""
    return (
        *_boxes(plan, catalog),
        *_cable_rows(plan, catalog),
        *_inside(plan, catalog),
        *_licence_rows(plan, catalog),
        *_unsold_rows(plan, catalog),
    )


def bill(plan: Plan, catalog: Catalog) -> tuple[Line, ...]:
    """Servers, their adapters, arrays, expansions, drives and switches; all cables in one line."""
    return (*_lines(_boxes(plan, catalog)), *_all_cables(plan))


def parts(plan: Plan, catalog: Catalog) -> tuple[Line, ...]:
    """The same with a line for each kind of cable, and with what is in the servers and licences."""
    boxes = _lines(_boxes(plan, catalog))
    return (*boxes, *cables(plan), *inside(plan, catalog), *licences(plan, catalog))


def inside(plan: Plan, catalog: Catalog) -> tuple[Line, ...]:
    """Processors, memory, system disks and the like of all servers, equal ones counted together."""
    return tuple(_lines(_inside(plan, catalog)))


def licences(plan: Plan, catalog: Catalog) -> tuple[Line, ...]:
    """The licences that the nodes of the file system need."""
    return tuple(_lines(_licence_rows(plan, catalog)))


def cables(plan: Plan) -> tuple[Line, ...]:
    """The cables of each network. One that splits a port counts once, however many links it has."""
    whole: Counter[str] = Counter()
    for (network, _), count in _cables_of(plan).items():
        whole[network] += count
    return tuple((count, _cable(network), _joins(plan, network, count)) for network, count in whole.items())


def title(catalog: Catalog, record_id: str) -> str:
    """What a catalog record is called."""
    return catalog.record(record_id).title


def _lines(found: Iterable[Row]) -> Iterator[Line]:
    return (line for row in found for line in row.lines())


def _boxes(plan: Plan, catalog: Catalog) -> Iterator[Row]:
    kinds = (_servers, _adapters, _enclosures, _drives, _switches)
    return (row for kind in kinds for row in kind(plan, catalog))


# Boxes


def _of_catalog(model: str, count: int, use: str, purpose: str, catalog: Catalog, units: int | None = None) -> Row:
    """Equal parts that have a record: their id is that of the record that stands for them."""
    return Row(catalog.id_of(model), title(catalog, model), count, use, purpose, units)


def _racked(model: str, count: int, use: str, purpose: str, catalog: Catalog) -> Row:
    """Equal boxes in a rack."""
    return _of_catalog(model, count, use, purpose, catalog, catalog.get(Racked, model).rack_units * count)


def _servers(plan: Plan, catalog: Catalog) -> Iterator[Row]:
    roles: dict[tuple[str, str], list[str]] = {}
    for server in plan.servers:
        roles.setdefault((server.model, server.role), []).append(server.id)
    for (model, role), names in roles.items():
        yield _racked(model, len(names), f"{role}: {first_to_last(names)}", SERVERS, catalog)


def _adapters(plan: Plan, catalog: Catalog) -> Iterator[Row]:
    total: Counter[str] = Counter()
    each: dict[str, set[int]] = {}
    holders: Counter[str] = Counter()
    for server in plan.servers:
        for adapter, count in server.adapters:
            total[adapter] += count
            holders[adapter] += 1
            each.setdefault(adapter, set()).add(count)
    for adapter, count in total.items():
        some = "/".join(str(c) for c in sorted(each[adapter]))
        use = f"{some} in each of {plural(holders[adapter], 'server')}"
        yield _of_catalog(adapter, count, use, SERVERS, catalog)


def _enclosures(plan: Plan, catalog: Catalog) -> Iterator[Row]:
    kinds: dict[tuple[str, bool, str], list[str]] = {}
    for array in plan.arrays:
        for enclosure in array.enclosures:
            kinds.setdefault((enclosure.model, enclosure.index > 0, array.role), []).append(array.id)
    for (model, behind, role), names in kinds.items():
        use = f"expansion behind {first_to_last(names)}" if behind else f"{role}: {first_to_last(names)}"
        yield _racked(model, len(names), use, STORAGE, catalog)


def _drives(plan: Plan, catalog: Catalog) -> Iterator[Row]:
    uses: dict[str, Counter[str]] = {}
    for group in plan.disk_groups:
        uses.setdefault(group.drive, Counter())[group.purpose] += len(group.slots)
    for spare in plan.spares:
        uses.setdefault(spare.drive, Counter())["hot spare"] += len(spare.slots)
    for pool in plan.pools:
        uses.setdefault(pool.drive, Counter())[f"in pool {pool.id}"] += pool.drives
    pooled = {server for pool in plan.pools for server in pool.servers}
    for server in (s for s in plan.servers if s.id not in pooled):
        if server.drives:
            uses.setdefault(server.drives.drive, Counter())[f"in servers for {server.role}"] += server.drives.count
    for addition in plan.additions:
        adds = PRODUCTS[addition.product].adds
        for drive, count, where in adds.drives(addition.own) if adds is not None and adds.drives else ():
            uses.setdefault(drive, Counter())[where] += count
    for drive, use in uses.items():
        uses_text = ", ".join(f"{n:,} {k}" if k != "hot spare" else plural(n, k) for k, n in sorted(use.items()))
        yield _of_catalog(drive, use.total(), uses_text, STORAGE, catalog)


def _switches(plan: Plan, catalog: Catalog) -> Iterator[Row]:
    sets: Counter[tuple[str, str]] = Counter((s.model, s.role) for s in plan.switches)
    for (model, role), count in sets.items():
        yield _racked(model, count, network_name(role), NETWORK, catalog)


def network_name(role: str) -> str:
    """What the network of a kind of switches is called."""
    return f"{_NETWORKS.get(role, role)} network"


# Cables

_JOINS = {
    "sas": ("SAS", "servers to arrays, arrays to expansions"),
    "data": ("data", "servers to the network of the file system"),
    "management": ("management", "servers, controllers of arrays, switches"),
    "joint": ("joint", "the two switches of a pair to each other"),
    "outward": ("outward", "servers and switches to the site's network"),
    "power": ("power", "each power supply to a feed of the rack"),
}
"""What the cables of a network are called, and what they join."""


def _cable(network: str) -> str:
    return f"{_JOINS[network][0]} cable"


def _joins(plan: Plan, network: str, cables_of_it: int) -> str:
    """What the cables of a network join, and how many links they have where that is more."""
    links = sum(link.network == network for link in plan.links)
    return _JOINS[network][1] + (f"; {links:,} links" if cables_of_it < links else "")


def _cables_of(plan: Plan) -> Counter[tuple[str, str]]:
    """The cables by network and the device at which they begin: of one that splits a port, the first of its devices."""
    whole = {_plugged(link): link for link in reversed(plan.links)}
    found: Counter[tuple[str, str]] = Counter(
        dict.fromkeys(((link.network, link.start.device) for link in plan.links), 0)
    )
    found.update((link.network, link.start.device) for link in whole.values())
    return found


def _plugged(link: Link) -> tuple[str, str, str, str]:
    """What a cable alone has: where it ends. The legs of one that splits a port end in the same port."""
    port = link.end.port.partition("/")[0] if link.network == "data" else link.end.port
    return link.network, link.end.device, link.end.slot, port


def _all_cables(plan: Plan) -> Iterator[Line]:
    kinds = cables(plan)
    if kinds:
        named = (f"{item.removesuffix(' cable')} {count:,}" for count, item, _ in kinds)
        yield sum(count for count, _, _ in kinds), "cables", ", ".join(named)


def _cable_rows(plan: Plan, catalog: Catalog) -> Iterator[Row]:
    """The cables by what is known of their plugs: of power by the inlet, of data by the adapter."""
    plugs, total = _plugs(plan, catalog), Counter[tuple[str, str, str]]()
    whole = {_cable(network): count for network, (count, _, _) in zip(_networks(plan), cables(plan), strict=True)}
    for (network, device), count in _cables_of(plan).items():
        if count:
            total[(network, *plugs.get((network, device), ("", "")))] += count
    for (network, ending, about), count in total.items():
        use = _joins(plan, network, whole[_cable(network)]) + (f"; {about}" if about else "")
        yield Row(f"cable.{ending or network}", _cable(network), count, use, CABLES)


def _networks(plan: Plan) -> tuple[str, ...]:
    return tuple(dict.fromkeys(network for network, _ in _cables_of(plan)))


def _plugs(plan: Plan, catalog: Catalog) -> dict[tuple[str, str], tuple[str, str]]:
    """What is known of the plugs of cables, by network and device: the end of the cable's id, and words."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for server in plan.servers:
        cards = [name for name, _ in server.adapters if catalog.get(Adapter, name).use == "network"]
        if cards:
            found["data", server.id] = catalog.id_of(cards[0]), title(catalog, cards[0])
    inlets = _inlets(plan, catalog)
    for device in {link.start.device for link in plan.links if link.network == "power"}:
        inlet = inlets.get(device, "")
        said = f"{inlet} inlets" if inlet else "inlets in no document at hand"
        found["power", device] = f"power.{inlet.lower()}" if inlet else "", said
    return found


def _inlets(plan: Plan, catalog: Catalog) -> Mapping[str, str]:
    """The sockets of the power supplies, by the name that each part has as the end of a cable."""
    known = {
        catalog.id_of(model): supplies.inlet
        for cabling in catalog.of_design(Cabling, plan.design)[:1]
        for model, supplies in cabling.supplies.items()
    }
    boxes = [(server.id, server.model) for server in plan.servers] + [(s.id, s.model) for s in plan.switches]
    boxes += [(enclosure_name(array, e.index), e.model) for array in plan.arrays for e in array.enclosures]
    return {device: known.get(catalog.id_of(model), "") for device, model in boxes}


# In the servers, and on them


def _inside(plan: Plan, catalog: Catalog) -> Iterator[Row]:
    holders: Counter[tuple[str, str, str, int]] = Counter()
    for server in plan.servers:
        for what, part in _parts_of(server.model, catalog).items():
            if part.sold == "included":
                holders[what, part.item, part_id(part), part.count] += 1
    for (what, item, known, each), servers in holders.items():
        use = f"{_said(what)}: {each} in each of {plural(servers, 'server')}"
        yield Row(known, item, each * servers, use, SERVERS)


def part_id(part: ServerPart) -> str:
    """The id of a part of servers: its own, or one that is made of what it is called."""
    plain = re.sub(r"[^a-z0-9]+", "-", part.item.lower()).strip("-")[:40].strip("-")
    if part.id or plain:
        return part.id or plain
    import hashlib

    return f"part-{hashlib.sha256(part.item.encode()).hexdigest()[:8]}"


def _licence_rows(plan: Plan, catalog: Catalog) -> Iterator[Row]:
    design: Any = catalog.record(plan.design)
    needed = filesystem_of(design).licences
    for each in needed(plan) if needed is not None else ():
        yield Row(each.item, each.title, each.count, each.use, LICENCES)


# What is not included


def not_included(plan: Plan, catalog: Catalog) -> tuple[str, ...]:
    """What the system needs, or may have, and no line counts."""
    wires = ["lengths and plugs of the cables" if plan.links else "cables: no document of the design lists them"]
    if plan.links and not plan.switches:
        wires.insert(0, "cables to the customer's switches: their ports are not known")
    counted = "licences of other software, and support" if any(_licence_rows(plan, catalog)) else ""
    return (
        f"{counted or 'licences and support of the software'}: no document lists them",
        *(
            f"processors, memory and system disks of {title(catalog, m)}: no record lists them"
            for m in bare(plan, catalog)
        ),
        *(f"{item} ({' and '.join(names)}): {why}" for (_, item, why), names in _unsold(plan, catalog).items()),
        "racks, rails and PDUs",
        *wires,
    )


def uncounted(plan: Plan) -> tuple[str, ...]:
    """The ids of cables that the system needs, and that nobody counts."""
    if not plan.links:
        return ("cables",)
    return () if plan.switches else ("cable.data", "cable.management")


def bare(plan: Plan, catalog: Catalog) -> tuple[str, ...]:
    """The models of servers of which no record says what is in them."""
    return tuple(model for model in _models(plan) if not _parts_of(model, catalog))


def _models(plan: Plan) -> tuple[str, ...]:
    return tuple(dict.fromkeys(server.model for server in plan.servers))


_UNSOLD = {"optional": "optional", "unsaid": "the document does not say how many"}


def _unsold(plan: Plan, catalog: Catalog) -> dict[tuple[str, str, str], list[str]]:
    """Parts of servers that are not in the box, by id, what they are called and why not: the servers that have them."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for model in _models(plan):
        for part in _parts_of(model, catalog).values():
            if part.sold in _UNSOLD:
                found.setdefault((part_id(part), part.item, _UNSOLD[part.sold]), []).append(title(catalog, model))
    return found


def _unsold_rows(plan: Plan, catalog: Catalog) -> Iterator[Row]:
    for (known, item, why), names in _unsold(plan, catalog).items():
        yield Row(known, item, None, f"{' and '.join(names)}: {why}", SERVERS, included=False)


def _parts_of(model: str, catalog: Catalog) -> Mapping[str, ServerPart]:
    """What a server of a model is ordered with; nothing where no record lists it."""
    own = catalog.id_of(model)
    return next((record.parts for record in catalog.all(ServerParts) if catalog.id_of(record.server) == own), {})


def _said(what: str) -> str:
    return what.replace("_", " ")
