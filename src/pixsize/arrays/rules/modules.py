"""Modules, their arrays, servers and cables: as requested, and within the bounds of the vendor."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from pixsize.catalog.designs import ArrayDesign, ServerRole
from pixsize.catalog.records import Adapter, Layout
from pixsize.check.context import Context, Hit, differences, grouped
from pixsize.check.rules import (
    MATCHES_REQUEST,
    adapters,
    added_servers,
    management_servers,
    modules,
    parts_of,
    switches,
)
from pixsize.findings import Finding
from pixsize.plan.records import Array, DiskGroup, Enclosure, Module, Server
from pixsize.texts import listed


def design_of(context: Context) -> ArrayDesign:
    """The design, with its modules of arrays."""
    if not isinstance(context.design, ArrayDesign):
        raise TypeError(f"{context.design.id} has no arrays")
    return context.design


def modules_as_requested(context: Context) -> Iterator[Finding]:
    """PX525: as many modules as asked, each with the size, drives, hosts and arrays that its words say."""
    by_path: dict[str, list[Module]] = {}
    for module in context.plan.modules:
        by_path.setdefault(module.where, []).append(module)

    def hits() -> Iterator[Hit]:
        for expected in modules(context):
            found = by_path.pop(expected.where, [])
            if len(found) != expected.number:
                yield expected.where, f"{len(found):,} modules, where {expected.number:,} were asked for"
            for turn, module in enumerate(found[: expected.number]):
                yield from ((expected.where, why) for why in _module_troubles(module, expected.fields, turn))
        yield from ((where, f"{len(more)} modules that the request does not have") for where, more in by_path.items())

    return grouped("PX525", hits(), MATCHES_REQUEST)


def arrays_as_requested(context: Context) -> Iterator[Finding]:
    """PX525: each module's arrays stand in the plan, with the enclosures and groups of the design's layouts."""

    def hits() -> Iterator[Hit]:
        for module in context.plan.modules:
            for name in module.arrays:
                array = context.arrays.get(name)
                if array is None or (array.module, array.role) != (module.id, module.role):
                    yield module.where, f"{module.id} has no array {name} for {module.role}"
                else:
                    yield from ((module.where, why) for why in _array_troubles(context, module, array))
        claimed = {name for module in context.plan.modules for name in module.arrays}
        yield from (("", f"array {a.id} belongs to no module") for a in context.plan.arrays if a.id not in claimed)

    return grouped("PX525", hits(), MATCHES_REQUEST)


def module_servers(context: Context) -> Iterator[Finding]:
    """PX525: each module has the servers of the design, and each server for data or metadata belongs to a module."""
    servers = {s.id: s for s in context.plan.servers}

    def hits() -> Iterator[Hit]:
        for module in context.plan.modules:
            role = design_of(context).storage if module.role == "storage" else design_of(context).metadata
            wrong = [s for s in module.servers if s not in servers or servers[s].model != role.servers.model]
            if wrong or len(set(module.servers)) != role.servers.count:
                expected = f"{role.servers.count} {role.servers.model}"
                yield module.where, f"{module.id} has servers {listed(module.servers)}, expected {expected}"
            else:
                present = (servers[s] for s in module.servers)
                yield from ((module.where, why) for why in _server_troubles(module, present, role.servers))
        claimed = {name for module in context.plan.modules for name in module.servers}
        claimed |= {server.id for server in context.added_servers}
        others = (s.id for s in context.plan.servers if s.role != "management" and s.id not in claimed)
        yield from (("", f"server {name} belongs to no module") for name in others)

    return grouped("PX525", hits(), MATCHES_REQUEST)


def parts_in_order(context: Context) -> Iterator[Finding]:
    """PX525: modules, arrays, servers and switches have the names and the order that follow from the request."""
    sets = differences("switch", ("id", "role", "model"), context.plan.switches, switches(context))
    hits = (("", why) for why in (*_modules_unlike(context), *_servers_unlike(context), *sets))
    return grouped("PX525", hits, MATCHES_REQUEST)


def beyond_the_array(context: Context) -> Iterator[Finding]:
    """PX526: an array has no more groups, spares, enclosures and drives, nor longer names, than its vendor allows."""
    return _beyond("PX526", context, confirmed=True)


def beyond_a_sibling(context: Context) -> Iterator[Finding]:
    """PX527: the same, where the bound is known for a sibling of the array only, or not at all."""
    return _beyond("PX527", context, confirmed=False)


def host_ports(context: Context) -> Iterator[Finding]:
    """PX528: a server has a SAS port for each controller of each array of its module."""
    servers = {s.id: s for s in context.plan.servers}

    def hits() -> Iterator[Hit]:
        for module in context.plan.modules:
            arrays = [context.arrays[a] for a in module.arrays if a in context.arrays]
            needed = sum(context.enclosure(a.model).controllers for a in arrays)
            for name in module.servers:
                used = servers[name].adapters if name in servers else ()
                adapters_of = ((context.catalog.get(Adapter, adapter), count) for adapter, count in used)
                ports = sum(adapter.ports * count for adapter, count in adapters_of if adapter.use == "sas")
                if name in servers and ports < needed:  # PX525 names a server that the plan lacks
                    message = f"{name} needs {needed} SAS ports for the controllers of {len(arrays)} arrays"
                    yield module.where, f"{message}, and has {ports}"

    allowed = "each server has one port to each controller of each array of its module"
    return grouped("PX528", hits(), allowed, "fewer arrays a module, or more adapters in the design's servers")


def array_ports(context: Context) -> Iterator[Finding]:
    """PX521: every server has a port of its own on each controller of its arrays."""

    def hits() -> Iterator[Hit]:
        for array in context.plan.arrays:
            module = context.modules.get(array.module)
            ports = context.enclosure(array.model).sas_ports
            if module and len(module.servers) > ports:
                message = f"{len(module.servers)} servers are cabled to {array.id}"
                yield module.where, f"{message}, whose controllers have {ports} ports each"

    return grouped("PX521", hits(), "one port a server on each controller")


AS_REQUESTED = (modules_as_requested, arrays_as_requested, module_servers)
RULES = (beyond_the_array, beyond_a_sibling, host_ports, array_ports)
EXACT = (parts_in_order,)
"""These run where no rule of the first stage has found an error."""


def _modules_unlike(context: Context) -> Iterator[str]:
    """What differs in names and order of modules and arrays: `sm01` has `sm01a1`, `sm01a2` and so on."""
    modules = context.plan.modules
    names = {m.id: tuple(f"{m.id}a{n}" for n in range(1, len(m.arrays) + 1)) for m in modules}
    expected = [(name, where, names.get(name)) for name, where in modules_in_order(context)]
    yield from differences("module", ("id", "where", "arrays"), modules, expected)
    arrays = [(name, m.id, m.role, _expected_enclosures(context, m)) for m in modules for name in names[m.id]]
    rows = [
        (
            name,
            module,
            role,
            enclosures[0][0],
            tuple(Enclosure(index=i, model=e, layout=w) for i, (e, w) in enumerate(enclosures)),
        )
        for name, module, role, enclosures in arrays
    ]
    yield from differences("array", ("id", "module", "role", "model", "enclosures"), context.plan.arrays, rows)


def _servers_unlike(context: Context) -> Iterator[str]:
    """What differs in names, order and parts of servers: those of each module, then those for the management."""
    design = design_of(context)
    roles = {"storage": design.storage.servers, "metadata": design.metadata.servers}
    expected = [(name, m.role, m.id, adapters(roles[m.role])) for m in context.plan.modules for name in m.servers]
    fields = ("id", "role", "module", "adapters")
    yield from differences(
        "server", fields, context.plan.servers, (*expected, *management_servers(context), *added_servers(context))
    )


def _module_troubles(module: Module, expected: Mapping[str, object], turn: int) -> Iterator[str]:
    """What differs between a module and what was asked for; `turn` counts the modules of one entry."""
    for word, value in expected.items():
        if word == "hosts":
            hosts, count = value, len(module.servers)
            required: object = hosts[turn * count : (turn + 1) * count] if isinstance(hosts, tuple) else ()
            found: object = module.servers
        else:
            required, found = value, len(module.arrays) if word == "arrays" else getattr(module, word)
        if found != required:
            yield f"{word} of {module.id} is {found}, where {required} was asked for"


def _array_troubles(context: Context, module: Module, array: Array) -> Iterator[str]:
    """What differs between an array and the design: enclosures, and the groups of each."""
    expected = _expected_enclosures(context, module)
    models = {e.index: e.model for e in array.enclosures}
    for index, model in models.items():
        if index >= len(expected) or model != expected[index][0]:
            yield f"enclosure {index} of {array.id} is {model}, which was not asked for"
    by_enclosure: dict[int, list[DiskGroup]] = {}
    for group in context.groups_of[array.id]:
        by_enclosure.setdefault(group.enclosure, []).append(group)
    for index, (_, layout) in enumerate(expected):
        groups = by_enclosure.get(index, [])
        actual = {(g.purpose, g.level, g.slots) for g in groups}
        planned = {
            (kind.purpose, kind.level, slots)
            for kind in context.catalog.get(Layout, layout).groups
            for slots in kind.slots
        }
        if all(map(context.width_is_legal, groups)) and actual != planned:
            yield f"the disk groups in enclosure {index} of {array.id} are not those of the layout {layout}"
    for group in context.groups_of[array.id]:
        drive = module.metadata_drive if group.purpose == "metadata" and module.role == "storage" else module.drive
        if group.drive != drive:
            yield f"{group.id} has {group.drive}, where {drive} was asked for"


def _expected_enclosures(context: Context, module: Module) -> tuple[tuple[str, str], ...]:
    """Model and layout of each enclosure that an array of the module must have."""
    if module.role == "metadata":
        return ((design_of(context).metadata.array, design_of(context).metadata.layouts[context.variant]),)
    storage = design_of(context).storage
    layout = storage.layouts[context.variant]
    own = ((storage.array, layout),)
    return (*own, (storage.expansion, layout)) if module.expansion else own


def _server_troubles(module: Module, servers: Iterable[Server], role: ServerRole) -> Iterator[str]:
    """What differs between a module's servers and the design: what they are for, and what is in them."""
    for server in servers:
        if (server.role, server.module) != (module.role, module.id):
            yield f"{server.id} is a server for {server.role} of {server.module or 'no module'}, and serves {module.id}"
        if dict(server.adapters) != role.adapters or server.drives:
            wanted = listed(f"{count} {name}" for name, count in role.adapters.items())
            yield f"{server.id} has {parts_of(server)}, expected {wanted}"


def modules_in_order(context: Context) -> Iterator[tuple[str, str]]:
    """Id and path of each module: those of one prefix are counted from 01, in the order of the request."""
    numbers: Counter[str] = Counter()
    for expected in modules(context):
        for _ in range(expected.number):
            numbers[expected.prefix] += 1
            yield f"{expected.prefix}{numbers[expected.prefix]:02d}", expected.where


class _Bound(NamedTuple):
    """Something that an array has a bounded number of, and the limit record that bounds it."""

    what: str
    limit: str
    number_of: Callable[[Context, Array], int]


def _longest_name(context: Context, array: Array) -> int:
    """In bytes; a disk group's name is longer than its volume's, unless a plan says otherwise."""
    names = (n for g in context.groups_of[array.id] for n in (g.id, *context.volumes_on[g.id]))
    return max((len(n.encode()) for n in names), default=0)


def _drives(context: Context, array: Array) -> int:
    in_groups = sum(len(group.slots) for group in context.groups_of[array.id])
    return in_groups + sum(len(spares.slots) for spares in context.spares_of[array.id])


_BOUNDS = (
    _Bound("disk groups", "{family}.groups_per_array", lambda c, a: len(c.groups_of[a.id])),
    _Bound("spares", "{family}.spares_per_array", lambda c, a: sum(len(s.slots) for s in c.spares_of[a.id])),
    _Bound("enclosures", "{family}.enclosures_{height}u", lambda _, a: len(a.enclosures)),
    _Bound("drives", "{family}.drives_{height}u", _drives),
    _Bound("bytes in a name", "{family}.name_bytes", _longest_name),
)
"""The bounds of whole arrays differ by the height of the controllers' enclosure, which tells the models apart."""


def _beyond(code: str, context: Context, *, confirmed: bool) -> Iterator[Finding]:
    """One finding a limit and path of the request."""
    hits: dict[str, list[Hit]] = defaultdict(list)
    for array in context.plan.arrays:
        model = context.enclosure(array.model)
        for bound in _BOUNDS:
            limit_id = bound.limit.format(family=model.family, height=model.rack_units)
            limit, count = context.bound(limit_id), bound.number_of(context, array)
            if confirmed == (limit is not None and limit.confirmed) and (limit is None or count > limit.value):
                hits[limit_id].append((context.where(array.id), f"{array.id} has {count:,} {bound.what}"))
    for limit_id, exceeding in hits.items():
        limit = context.bound(limit_id)
        if limit is None:
            yield from grouped(code, exceeding, f"no record {limit_id} says how many it takes", "ask the vendor")
            continue
        doubt = "" if limit.confirmed else ", as seen for a sibling, unconfirmed"
        yield from grouped(code, exceeding, f"{limit.title}: {limit.value:,} at most{doubt}", f"catalog: {limit.id}")
