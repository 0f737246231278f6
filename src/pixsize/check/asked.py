"""The plan against the request and the design's records: nothing left out, nothing added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pixsize.catalog.records import Layout, ModuleSize, ServerRole, Switch
from pixsize.check.case import Case
from pixsize.check.gather import Hit, gathered, listed, unlike
from pixsize.findings import Finding
from pixsize.plan.records import Adapters, Array, DiskGroup, Enclosure, Module, Server

_ALLOWED = "the plan is what was asked for, neither less nor more"


def modules(case: Case) -> Iterator[tuple[str, int, dict[str, object]]]:
    """For each part of the request that makes modules: its path, how many, and what each must be."""
    sizes = {s.size: s.arrays for s in case.catalog.of_design(ModuleSize, case.request.design)}
    yield from case.filesystem.due.modules(case.request, sizes)


def managers(case: Case) -> int:
    """How many management servers there are."""
    role = case.design.management
    return role.count if role and case.filesystem.due.managed(case.request) else 0


def modules_in_order(case: Case) -> Iterator[tuple[str, str]]:
    """Id and path of each module: modules of one kind are counted from 01, in the order of the request."""
    prefixes = {"storage": "sm", "metadata": case.filesystem.due.metadata_prefix}
    numbers: Counter[str] = Counter()
    for where, many, due in modules(case):
        prefix = prefixes[str(due["role"])]
        for _ in range(many):
            numbers[prefix] += 1
            yield f"{prefix}{numbers[prefix]:02d}", where


def management_servers(case: Case) -> Iterator[tuple[str, str, None, tuple[tuple[str, int], ...]]]:
    """Name, role, module and adapters of each server for the management."""
    for number in range(1, managers(case) + 1):
        yield f"mgmt{number}", "management", None, adapters(case.design.management)


def adapters(role: ServerRole | None) -> tuple[Adapters, ...]:
    """The adapters of a server of the design and how many of each, by name."""
    return tuple(Adapters(*some) for some in sorted(role.adapters.items())) if role else ()


def switches(case: Case) -> Iterator[tuple[str, str, str]]:
    """Name, network and model of each switch: as many sets of each model as the ports of all parts need."""
    for use in case.design.switches:
        switch = case.catalog.get(Switch, use.model)
        ports = len(case.plan.servers) * use.ports_a_server + len(case.plan.arrays) * use.ports_an_array
        for number in range(1, -(-ports // switch.ports) * use.count + 1):
            yield f"{use.model}-{number}", switch.network, use.model


def drives(case: Case) -> Iterator[tuple[str, str]]:
    """Every drive that the request names: the path of its word, and its catalog id."""
    for where, _, due in modules(case):
        yield f"{where}.{'data_drive' if due['role'] == 'storage' else 'drive'}", str(due["drive"])
        if due.get("metadata_drive"):
            yield f"{where}.metadata_drive", str(due["metadata_drive"])
    yield from case.filesystem.due.drives(case.request)


def modules_as_asked(case: Case) -> Iterator[Finding]:
    """PX525: as many modules as asked, each with the size, drives, hosts and arrays that its words say."""
    by_path: dict[str, list[Module]] = {}
    for module in case.plan.modules:
        by_path.setdefault(module.where, []).append(module)

    def hits() -> Iterator[Hit]:
        for where, count, due in modules(case):
            there = by_path.pop(where, [])
            if len(there) != count:
                yield where, f"{len(there):,} modules, where {count:,} were asked for"
            for turn, module in enumerate(there[:count]):
                yield from ((where, why) for why in _module_troubles(module, due, turn))
        yield from ((where, f"{len(more)} modules that nobody asked for") for where, more in by_path.items())

    return gathered("PX525", hits(), _ALLOWED)


def arrays_as_asked(case: Case) -> Iterator[Finding]:
    """PX525: each module's arrays stand in the plan, with the enclosures and groups of the design's layouts."""

    def hits() -> Iterator[Hit]:
        for module in case.plan.modules:
            for name in module.arrays:
                array = case.arrays.get(name)
                if array is None or (array.module, array.role) != (module.id, module.role):
                    yield module.where, f"{module.id} has no array {name} for {module.role}"
                else:
                    yield from ((module.where, why) for why in _array_troubles(case, module, array))
        claimed = {name for module in case.plan.modules for name in module.arrays}
        yield from (("", f"array {a.id} belongs to no module") for a in case.plan.arrays if a.id not in claimed)

    return gathered("PX525", hits(), _ALLOWED)


def servers_and_switches(case: Case) -> Iterator[Finding]:
    """PX525: the servers of every module and of the management, and switches with enough ports for all."""
    servers = {s.id: s for s in case.plan.servers}
    sets = Counter(s.model for s in case.plan.switches)

    def hits() -> Iterator[Hit]:
        for module in case.plan.modules:
            role = case.arrays_design.storage if module.role == "storage" else case.arrays_design.metadata
            wrong = [s for s in module.servers if s not in servers or servers[s].model != role.servers.model]
            if wrong or len(set(module.servers)) != role.servers.count:
                due = f"{role.servers.count} {role.servers.model}"
                yield module.where, f"{module.id} has servers {listed(module.servers)}, where {due} are due"
            else:
                there = (servers[s] for s in module.servers)
                yield from ((module.where, why) for why in _server_troubles(module, there, role.servers))
        claimed = {name for module in case.plan.modules for name in module.servers}
        yield from (("", f"server {s.id} belongs to no module") for s in _of_modules(case) if s.id not in claimed)
        present = [s for s in case.plan.servers if s.role == "management"]
        yield from (("", why) for s in present for why in _manager_troubles(s, case.design.management))
        if len(present) != managers(case):
            yield "", f"{len(present)} management servers, where {managers(case)} are due"
        for use in case.design.switches:
            ports = len(case.plan.servers) * use.ports_a_server + len(case.plan.arrays) * use.ports_an_array
            each = case.catalog.get(Switch, use.model).ports
            if sets[use.model] // use.count * each < ports:
                seen = f"{sets[use.model]} {use.model} of {each} ports"
                yield "", f"{seen}, where {use.count} times {ports} are needed"

    return gathered("PX525", hits(), _ALLOWED)


def parts_in_order(case: Case) -> Iterator[Finding]:
    """PX525: modules, arrays, servers and switches have the names and the order that follow from the request."""
    sets = unlike("switch", ("id", "role", "model"), case.plan.switches, switches(case))
    hits = (("", why) for why in (*_modules_unlike(case), *_servers_unlike(case), *sets))
    return gathered("PX525", hits, _ALLOWED)


RULES = (servers_and_switches,)
"""Those of every plan."""
OF_MODULES = (modules_as_asked, arrays_as_asked)
EXACT_OF_MODULES = (parts_in_order,)
"""Asked last, where no other rule has found an error."""


def _modules_unlike(case: Case) -> Iterator[str]:
    """What differs in names and order of modules and arrays: `sm01` has `sm01a1`, `sm01a2` and so on."""
    modules = case.plan.modules
    names = {m.id: tuple(f"{m.id}a{n}" for n in range(1, len(m.arrays) + 1)) for m in modules}
    due = [(name, where, names.get(name)) for name, where in modules_in_order(case)]
    yield from unlike("module", ("id", "where", "arrays"), modules, due)
    arrays = [(name, m.id, m.role, _due_enclosures(case, m)) for m in modules for name in names[m.id]]
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
    yield from unlike("array", ("id", "module", "role", "model", "enclosures"), case.plan.arrays, rows)


def _servers_unlike(case: Case) -> Iterator[str]:
    """What differs in names, order and parts of servers: those of each module, then those for the management."""
    design = case.arrays_design
    roles = {"storage": design.storage.servers, "metadata": design.metadata.servers}
    due = [(name, m.role, m.id, adapters(roles[m.role])) for m in case.plan.modules for name in m.servers]
    words = ("id", "role", "module", "adapters")
    yield from unlike("server", words, case.plan.servers, (*due, *management_servers(case)))


def _of_modules(case: Case) -> Iterator[Server]:
    """The servers that modules are made of: those for the management, and those of a pool, stand by themselves."""
    return (s for s in case.plan.servers if s.role != "management" and case.plan.modules)


def _server_troubles(module: Module, servers: Iterable[Server], due: ServerRole) -> Iterator[str]:
    """What differs between a module's servers and the design: what they are for, and what is in them."""
    for server in servers:
        if (server.role, server.module) != (module.role, module.id):
            yield f"{server.id} is a server for {server.role} of {server.module or 'no module'}, and serves {module.id}"
        if dict(server.adapters) != due.adapters or server.drives:
            wanted = listed(f"{count} {name}" for name, count in due.adapters.items())
            yield f"{server.id} has {_parts(server)}, where {wanted} are due"


def _manager_troubles(server: Server, due: ServerRole | None) -> Iterator[str]:
    """What differs between a management server and the design."""
    if due is None or (server.model, dict(server.adapters)) != (due.model, due.adapters):
        yield f"{server.id} is {server.model} with {_parts(server)}, which is not the design's"


def _parts(server: Server) -> str:
    drives = [f"{server.drives[1]} {server.drives[0]}"] if server.drives else []
    return listed([*(f"{count} {name}" for name, count in server.adapters), *drives]) or "nothing"


def _module_troubles(module: Module, due: dict[str, object], turn: int) -> Iterator[str]:
    """What differs between a module and what was asked for; `turn` counts the modules of one entry."""
    for word, value in due.items():
        if word == "hosts":
            hosts, count = value, len(module.servers)
            wanted: object = hosts[turn * count : (turn + 1) * count] if isinstance(hosts, tuple) else ()
            seen: object = module.servers
        else:
            wanted, seen = value, len(module.arrays) if word == "arrays" else getattr(module, word)
        if seen != wanted:
            yield f"{word} of {module.id} is {seen}, where {wanted} was asked for"


def _array_troubles(case: Case, module: Module, array: Array) -> Iterator[str]:
    """What differs between an array and the design: enclosures, and the groups of each."""
    due = _due_enclosures(case, module)
    models = {e.index: e.model for e in array.enclosures}
    for index, model in models.items():
        if index >= len(due) or model != due[index][0]:
            yield f"enclosure {index} of {array.id} is {model}, which was not asked for"
    by_enclosure: dict[int, list[DiskGroup]] = {}
    for group in case.groups_of[array.id]:
        by_enclosure.setdefault(group.enclosure, []).append(group)
    for index, (_, layout) in enumerate(due):
        groups = by_enclosure.get(index, [])
        if all(map(case.width_is_legal, groups)) and _pattern(groups) != _layout_pattern(case, layout):
            yield f"the disk groups in enclosure {index} of {array.id} are not those of the layout {layout}"
    for group in case.groups_of[array.id]:
        drive = module.metadata_drive if group.purpose == "metadata" and module.role == "storage" else module.drive
        if group.drive != drive:
            yield f"{group.id} has {group.drive}, where {drive} was asked for"


def _due_enclosures(case: Case, module: Module) -> tuple[tuple[str, str], ...]:
    """Model and layout of each enclosure that an array of the module must have."""
    if module.role == "metadata":
        return ((case.arrays_design.metadata.array, case.arrays_design.metadata.layouts[case.variant]),)
    storage = case.arrays_design.storage
    layout = storage.layouts[case.variant]
    own = ((storage.array, layout),)
    return (*own, (storage.expansion, layout)) if module.expansion else own


_Pattern = frozenset[tuple[str, str, tuple[int, ...]]]


def _pattern(groups: list[DiskGroup]) -> _Pattern:
    return frozenset((g.purpose, g.level, g.slots) for g in groups)


def _layout_pattern(case: Case, layout_id: str) -> _Pattern:
    layout = case.catalog.get(Layout, layout_id)
    return frozenset((kind.purpose, kind.level, slots) for kind in layout.groups for slots in kind.slots)
