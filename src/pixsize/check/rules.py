"""Judges a plan by the rules of its products, and by the rules for every plan, which are in this module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from itertools import pairwise

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ModuleSize, ServerRole, SwitchRole
from pixsize.catalog.records import Adapter, Drive, Enclosure, Layout, Record, Switch
from pixsize.catalog.records import Server as ServerModel
from pixsize.check.cables import cables_of_the_design
from pixsize.check.context import Context, Hit, Rule, grouped
from pixsize.check.devices import addresses_of_devices
from pixsize.expected import ExpectedModules
from pixsize.findings import Finding, has_errors
from pixsize.observed import Observed
from pixsize.plan.records import Plan, Server, Target
from pixsize.product import PRODUCTS, volumes_of
from pixsize.request import Request
from pixsize.texts import listed, plural

MATCHES_REQUEST = "the plan is what the request asks for"


def check(request: Request, plan: Plan, catalog: Catalog, observed: Observed) -> tuple[Finding, ...]:
    """The findings about a plan: one for each rule and cause, however many parts share it.

    The rules run in stages; a stage with an error is the last. First those without which no other could judge a part.
    Then the rules of every plan and of its products. Then the exact rules, which compare names, numbers and order part
    by part: most of what they would find follows from an error of an earlier stage. Last the rules of every plan that
    are less exact than a product's own.
    """
    context = Context(request, plan, catalog, observed)
    found: list[Finding] = []
    for rules in stages(context):
        if not has_errors(found):
            found += [finding for rule in rules for finding in rule(context)]
    return tuple(found)


def stages(context: Context) -> tuple[tuple[Rule, ...], ...]:
    """The rules for a plan, stage by stage."""
    maker, filesystem, gives = volumes_of(context.design), context.filesystem, context.gives
    added = [addition.adds for addition, _ in context.added]
    return (
        KINDS,
        (*RULES, *maker.rules, *filesystem.rules, *filesystem.rules_on[gives], *(r for a in added for r in a.rules)),
        (*maker.exact, *filesystem.exact, *filesystem.exact_on[gives], *(r for a in added for r in a.exact)),
        LAST,
    )


_EVERYWHERE = frozenset({"servers", "switches", "volumes", "targets", "additions", "links", "networks"})
"""The lists of parts that are judged in the plan of any design."""
_ROLES = frozenset({"storage", "metadata", "management"})
"""The roles that a server can have."""


def judged_kinds(context: Context) -> Iterator[Finding]:
    """PX575: the rules of the design know each kind of target, volume, server and array, and each list of parts."""
    filesystem, volumes = context.filesystem, volumes_of(context.design)

    def unknown_parts() -> Iterator[str]:
        if type(context.plan.filesystem) is not filesystem.record:
            yield f"the settings are those of a {type(context.plan.filesystem).__name__}"
        for name, parts in context.plan._asdict().items():
            is_list = isinstance(parts, tuple) and not hasattr(parts, "_fields")
            if is_list and parts and name not in _EVERYWHERE | volumes.parts:
                yield f"{len(parts):,} {name.replace('_', ' ')}"
        yield from (
            f"{t.id} is a target of kind {t.kind!r}" for t in context.plan.targets if t.kind not in filesystem.kinds
        )
        for target in context.plan.targets:
            if type(target.own) is not filesystem.target_record:
                yield f"what {target.id} has of its own is a {type(target.own).__name__}"
        for server in context.plan.servers:
            if type(server.own) is not (filesystem.server_record or type(None)):
                yield f"what {server.id} has of its own is a {type(server.own).__name__}"
        for volume in context.plan.volumes:
            added = context.added_volumes.get(volume.id)
            if volume.provider != (added.provider if added else context.design.volumes):
                yield f"{volume.id} is a volume of {volume.provider!r}"
        roles = _ROLES.union(*(addition.adds.roles for addition, _ in context.added))
        yield from (f"{s.id} is a server for {s.role!r}" for s in context.plan.servers if s.role not in roles)
        expected = [(addition.product, addition.adds.record) for addition, _ in context.added]
        present = [(addition.product, type(addition.own)) for addition in context.plan.additions]
        if present != expected:
            yield f"additions are those of {listed(p for p, _ in present) or 'nobody'}, or of another class"

    allowed = f"rules judge {context.design.filesystem} on {context.design.volumes} and nothing else"
    return grouped("PX575", (("", why) for why in unknown_parts()), allowed)


def known_records(context: Context) -> Iterator[Finding]:
    """PX525: the catalog has the drives, enclosures, layouts, servers, adapters, switches and releases of the plan."""
    unknown: dict[str, list[str]] = {}
    for owner, model, name in _records(context):
        if name not in context.catalog or not isinstance(context.catalog.record(name), model):
            unknown.setdefault(f"{name!r}, which is no {model.__name__.lower()} of the catalog", []).append(owner)
    hits: Iterator[Hit] = (("", f"{listed(owners)} names {what}") for what, owners in unknown.items())
    return grouped("PX525", hits, "the plan is made of records that the catalog has")


def plan_of_the_request(context: Context) -> Iterator[Finding]:
    """PX525: the plan has name, design and benchmarks of the request, and the variant that its words ask for."""
    plan, request = context.plan, context.request
    pairs = (
        ("name", "name", plan.name, request.name),
        ("design", "design", plan.design, request.design),
        ("", "variant", plan.variant, context.variant),
        ("benchmark", "benchmark", plan.benchmark, getattr(request, "benchmark", None)),
    )
    hits = (
        (where, f"{what} is {found}, where {expected} was asked for")
        for where, what, found, expected in pairs
        if found != expected
    )
    return grouped("PX525", hits, MATCHES_REQUEST)


def servers_and_switches(context: Context) -> Iterator[Finding]:
    """PX525: the servers for the management, and switches with enough ports for all."""
    sets = Counter(s.model for s in context.plan.switches)

    def hits() -> Iterator[Hit]:
        present = [s for s in context.plan.servers if s.role == "management"]
        design = context.design.management
        for server in present:
            if design is None or (server.model, dict(server.adapters)) != (design.model, design.adapters):
                yield "", f"{server.id} is {server.model} with {parts_of(server)}, which is not the design's"
        if len(present) != managers(context):
            yield "", f"{len(present)} management servers, expected {managers(context)}"
        models = {server.id: server.model for server in context.added_servers}
        addresses = context.filesystem.expected.addresses(context.request)
        for server in context.plan.servers:
            if server.address != addresses.get(server.id, ""):
                yield "", f"{server.id} has the address {server.address!r}, expected {addresses.get(server.id, '')!r}"
            if models.get(server.id, server.model) != server.model:
                yield "", f"{server.id} is {server.model}, where the design has {models[server.id]}"
        for use in context.design.switches:
            ports, each = _ports(context, use), _room(context, use)
            if sets[use.model] // use.count * each < ports:
                available = f"{sets[use.model]} {use.model} of {each} ports"
                yield "", f"{available}, where {use.count} times {ports} are needed"

    return grouped("PX525", hits(), MATCHES_REQUEST)


def confirmed_drives(context: Context) -> Iterator[Finding]:
    """PX404: a document confirms each drive for the arrays or servers that it is in."""
    used: dict[str, str] = {}
    for where, drive_id in drives(context):
        used.setdefault(drive_id, where)
    terms = context.volume_terms
    for drive_id, where in used.items():
        drive = context.drive(drive_id)
        if not drive.confirmed:
            message = f"no source at hand confirms {drive.title} ({drive_id}) for these {terms.drives_of}"
            yield Finding("PX404", message, where, f"check {terms.drive_list} before quoting")


def access_layer(context: Context) -> Iterator[Finding]:
    """PX406: all ports fit on one set of the design's switches; links between more sets are not planned."""
    over, fabrics, users = [], [], set[str]()
    for use in context.design.switches:
        model, ports = context.catalog.get(Switch, use.model), _ports(context, use)
        if ports > _room(context, use):
            shares = {what: count for what, count in _shares(context, use).items() if count}
            users |= shares.keys()
            kept = [f"{use.joins} of them to its partner"] if use.joins else []
            kept += [f"{use.uplinks} of them to the site"] if use.uplinks else []
            on = f" on each of {use.count} switches" if use.count > 1 else ""
            of = (
                ": " + " and ".join(f"{n:,} for {plural(2, what).partition(' ')[2]}" for what, n in shares.items())
                if len(shares) > 1
                else ""
            )
            over.append(f"{ports:,} ports of {model.title} ({', '.join((f'{model.ports} each', *kept))}){on}{of}")
            if model.network != "management":
                fabrics += [leaves_and_spines(ports, model.ports, blocking) for blocking in (1, 2)]
    if over:
        plan, clients = context.plan, _clients(context)
        named = (
            (len(plan.servers), "server"),
            (len(plan.arrays), "array"),
            (clients, "client port"),
            (_managed_switches(context), "data switch"),
        )
        parts = " and ".join(plural(count, what) for count, what in named if what in users)
        message = f"{parts} need {'; and '.join(over)}; only access switches are planned"
        joined = not fabrics and all(use.uplinks for use in context.design.switches if use.ports_an_array)
        hint = "plan the uplinks or the spine separately"
        hint = "they reach each other by their uplinks, through the site's network" if joined else hint
        if fabrics:
            without, at_two = (
                f"{plural(leaves, 'leaf switch')} and {plural(spines, 'spine switch')}"
                for leaves, spines in fabrics[:2]
            )
            less = f", {at_two} at 2:1" if at_two != without else ""
            hint = f"of each network {without} without blocking{less}; or the switches of the cluster that it serves"
        yield Finding("PX406", message, context.grows_at, hint)


def switches_of_the_customer(context: Context) -> Iterator[Finding]:
    """PX631: how many ports the customer's switches need, where none is planned."""
    if not context.fabric_choice.customer:
        return
    needed = []
    for use in context.on_fabric.switches:
        switch, ports = context.catalog.get(Switch, use.model), _ports(context, use)
        each = f"{plural(ports, 'port')} as of {switch.title}"
        each += f" ({_NUMBERS.get(use.links_a_port, use.links_a_port)} links on a port)" if use.links_a_port > 1 else ""
        needed.append(each if use.count == 1 else f"{each} on each of {use.count} switches")
    message = f"the customer's switches need {listed(needed)}; no switch is planned, and no cable to one"
    yield Finding("PX631", message, "network.switches", "count the ports that are free, and label the cables on site")


_NUMBERS = {2: "two", 4: "four"}
"""How many links share a port, in words."""


def leaves_and_spines(needed: int, ports: int, blocking: int) -> tuple[int, int]:
    """How many leaf and spine switches with `ports` ports give `needed` ports for devices.

    Of a leaf `blocking` times as many ports lead down as up: 1 for a network that never blocks.
    """
    down = ports * blocking // (blocking + 1)
    leaves = -(-needed // down)
    return leaves, -(-leaves * (ports - down) // ports)


def _clients(context: Context) -> int:
    return context.filesystem.client_ports(context.request)


def _ports(context: Context, use: SwitchRole) -> int:
    """The ports that one switch of a set needs."""
    return sum(_shares(context, use).values())


def _shares(context: Context, use: SwitchRole) -> dict[str, int]:
    """The ports that one switch of a set needs for servers, arrays, its share of clients, and other switches."""
    is_data = context.catalog.get(Switch, use.model).network != "management"
    return {
        "server": -(-len(context.plan.servers) * use.ports_a_server // use.links_a_port),
        "array": len(context.plan.arrays) * use.ports_an_array,
        "client port": -(-_clients(context) // use.count) if is_data else 0,
        "data switch": 0 if is_data else _managed_switches(context) * use.ports_a_switch,
    }


def _managed_switches(context: Context) -> int:
    """The switches of the data, each of which has a port of its own on the network for the management."""
    return sum(switch.role != "management" for switch in context.plan.switches)


def _room(context: Context, use: SwitchRole) -> int:
    """The ports of a switch that its partner and the site leave to all others."""
    return context.catalog.get(Switch, use.model).ports - use.joins - use.uplinks


def replies_of_the_plan(context: Context) -> Iterator[Finding]:
    """PX302: replies are of parts of the plan. Each product of volumes judges its own replies, in every plan."""
    if context.observed == Observed():
        return
    makers = (product.volumes for product in PRODUCTS.values() if product.volumes)
    for rule in dict.fromkeys(
        rule for maker in makers for rule in maker.reply_rules
    ):  # families of arrays share theirs
        yield from rule(context)


def targets_can_be_served(context: Context) -> Iterator[Finding]:
    """PX576: a target has a name and a volume of its own, with a size, and servers that reach that volume.

    The rules of a product say more of its targets; this one holds for a product without such rules.
    """
    names = Counter(t.id.casefold() for t in context.plan.targets)
    uses = Counter(t.volume for t in context.plan.targets if t.volume is not None)
    servers = {s.id for s in context.plan.servers}

    def hits() -> Iterator[Hit]:
        for target in context.plan.targets:
            where, able = context.where_of(target), _reaching(context, target, servers)
            if not target.id or names[target.id.casefold()] > 1:
                yield where, f"{names[target.id.casefold()]} targets are called {target.id!r}"
            if target.volume is not None and target.volume not in context.volumes:
                yield where, f"{target.id} stands on {target.volume}, which the plan lacks"
            elif target.volume is not None and uses[target.volume] > 1:
                yield where, f"{target.id} shares {target.volume} with another target"
            elif not target.servers or len(set(target.servers)) < len(target.servers):
                yield where, f"{target.id} is served by {listed(target.servers) or 'nobody'}"
            elif target.volume is not None and not able >= set(target.servers):
                reach = f"where {listed(sorted(able)) or 'no server'} can reach it"
                yield where, f"{target.id} is served by {listed(target.servers)}, {reach}"
        for volume in context.plan.volumes:
            if not uses[volume.id]:
                yield context.where(volume.array), f"no target stands on {volume.id}"
            if volume.bytes <= 0:
                yield context.where(volume.array), f"{volume.id} has {volume.bytes:,} bytes"

    return grouped(
        "PX576", hits(), "a volume has a size and one target, and that has servers of the plan that reach it"
    )


def targets_of_a_kind_in_order(context: Context) -> Iterator[Finding]:
    """PX576: targets of a kind are counted in the order of their volumes."""
    places = {volume.id: place for place, volume in enumerate(context.plan.volumes)}
    hits = (
        (context.where_of(after), f"{after.id} on {after.volume} stands after {before.id} on {before.volume}")
        for targets in context.of_kind.values()
        for before, after in pairwise(t for t in targets if t.volume)
        if places.get(after.volume or "", 0) < places.get(before.volume or "", 0)
    )
    return grouped("PX576", hits, "targets of a kind stand in the order of their volumes")


def _reaching(context: Context, target: Target, servers: Set[str]) -> Set[str]:
    """The servers that can serve a target: those of the module of its array, or of what was added; any on a pool."""
    volume = context.volumes.get(target.volume or "")
    if target.volume in context.added_volumes:
        return servers & set(context.added_volumes[target.volume].servers)
    if volume is None or not volume.array:
        return servers
    array = context.arrays.get(volume.array)
    module = context.modules.get(array.module) if array else None
    return servers & set(module.servers) if module else frozenset()


KINDS = (judged_kinds, known_records)
"""These run first, for every plan. A finding ends the check: no other rule could judge such a part."""
RULES = (
    plan_of_the_request,
    servers_and_switches,
    confirmed_drives,
    access_layer,
    switches_of_the_customer,
    replies_of_the_plan,
)
"""The rules for every plan."""
LAST = (targets_can_be_served, targets_of_a_kind_in_order, addresses_of_devices, cables_of_the_design)
"""For every plan, in the last stage: less exact than the rules of products."""


def modules(context: Context) -> Iterator[ExpectedModules]:
    """The modules that each part of the request makes."""
    sizes = {s.size: s.arrays for s in context.catalog.of_design(ModuleSize, context.request.design)}
    yield from context.filesystem.expected.modules(context.request, sizes)


def managers(context: Context) -> int:
    """How many management servers there are."""
    role = context.design.management
    return role.count if role and context.filesystem.expected.managed(context.request) else 0


def management_servers(context: Context) -> Iterator[tuple[str, str, None, tuple[tuple[str, int], ...]]]:
    """Name, role, module and adapters of each server for the management."""
    for number in range(1, managers(context) + 1):
        yield f"mgmt{number}", "management", None, adapters(context.design.management)


def added_servers(context: Context) -> Iterator[tuple[str, str, None, tuple[tuple[str, int], ...]]]:
    """Name, role, module and adapters of each server that a product adds."""
    yield from ((server.id, server.role, None, server.adapters) for server in context.added_servers)


def adapters(role: ServerRole | None) -> tuple[tuple[str, int], ...]:
    """The adapters of a server of the design and how many of each, by name."""
    return tuple(sorted(role.adapters.items())) if role else ()


def switches(context: Context) -> Iterator[tuple[str, str, str]]:
    """Name, network and model of each switch: as many sets of each model as the ports of all parts need."""
    for use in context.design.switches:
        switch = context.catalog.get(Switch, use.model)
        for number in range(1, -(-_ports(context, use) // _room(context, use)) * use.count + 1):
            yield f"{use.model}-{number}", switch.network, use.model


def drives(context: Context) -> Iterator[tuple[str, str]]:
    """Every drive that the request names: the path of its word, and its catalog id."""
    for expected in modules(context):
        yield from ((f"{expected.where}.{word}", drive) for word, drive in expected.drives.values() if drive)
    yield from context.filesystem.expected.drives(context.request)


def parts_of(server: Server) -> str:
    """The adapters and drives of a server, in words."""
    drives = [f"{server.drives[1]} {server.drives[0]}"] if server.drives else []
    return listed([*(f"{count} {name}" for name, count in server.adapters), *drives]) or "nothing"


def _records(context: Context) -> Iterator[tuple[str, type[Record], str]]:
    """Each part of the plan that names a record, the kind of the record, and its id."""
    plan = context.plan
    for module in plan.modules:
        yield from ((module.id, Drive, drive) for drive in (module.drive, module.metadata_drive) if drive is not None)
    for group in plan.disk_groups:
        yield group.id, Drive, group.drive
    for spares in plan.spares:
        yield f"a set of spares of {spares.array}", Drive, spares.drive
    for pool in plan.pools:
        yield pool.id, Drive, pool.drive
    for array in plan.arrays:
        yield array.id, Enclosure, array.model
        for enclosure in array.enclosures:
            yield array.id, Enclosure, enclosure.model
            yield array.id, Layout, enclosure.layout
    for server in plan.servers:
        yield server.id, ServerModel, server.model
        yield from ((server.id, Adapter, adapter) for adapter, _ in server.adapters)
        yield from ((server.id, Drive, drive) for drive in (server.drives or ())[:1])
    yield from ((switch.id, Switch, switch.model) for switch in plan.switches)
    if isinstance(plan.filesystem, context.filesystem.record):
        yield from context.filesystem.expected.records(plan)
