"""The plan against the request and the design's records: nothing left out, nothing added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pixsize.catalog.records import Layout, ServerRole, Switch
from pixsize.check import dues
from pixsize.check.case import Case
from pixsize.check.gather import Hit, gathered, listed, unlike
from pixsize.findings import Finding
from pixsize.plan.records import Array, DiskGroup, Enclosure, Module, Server

_ALLOWED = "the plan is what was asked for, neither less nor more"


def modules_as_asked(case: Case) -> Iterator[Finding]:
    """PX525: as many modules as asked, each with the size, drives, hosts and arrays that its words say."""
    by_path: dict[str, list[Module]] = {}
    for module in case.plan.modules:
        by_path.setdefault(module.where, []).append(module)

    def hits() -> Iterator[Hit]:
        for where, count, due in dues.modules(case):
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


def scale_settings(case: Case) -> Iterator[Finding]:
    """PX525: variant, file system and descriptor are the request's."""
    plan, wanted = case.plan, case.scale.filesystem
    nsds = [(t.servers, t.device) for t in plan.targets if t.usage == "descOnly"]
    due_nsds = [((wanted.descriptor.server,), wanted.descriptor.device)] if wanted.descriptor else []
    pairs: tuple[tuple[str, object, object], ...] = (
        ("name", plan.name, case.request.name),
        ("design", plan.design, case.request.design),
        ("hdmd", plan.variant, dues.variant(case)),
        ("filesystem.name", plan.scale.name, wanted.name),
        ("filesystem.block_size", plan.scale.block_bytes, wanted.block_bytes),
        ("filesystem.inode_size", plan.scale.inode_bytes, wanted.inode_bytes),
        ("filesystem.metadata_replicas", plan.scale.metadata_replicas, wanted.metadata_replicas),
        ("filesystem.failure_groups", plan.scale.failure_groups, wanted.failure_groups),
        ("filesystem.descriptor", nsds, due_nsds),
    )
    hits = ((where, f"{where} is {seen}, where {due} was asked for") for where, seen, due in pairs if seen != due)
    return gathered("PX525", hits, _ALLOWED)


def servers_and_switches(case: Case) -> Iterator[Finding]:
    """PX525: the servers of every module and of the management, and switches with enough ports for all."""
    servers = {s.id: s for s in case.plan.servers}
    switches = Counter(s.model for s in case.plan.switches)

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
        managers = [s for s in case.plan.servers if s.role == "management"]
        yield from (("", why) for s in managers for why in _manager_troubles(s, case.design.management))
        if len(managers) != dues.managers(case):
            yield "", f"{len(managers)} management servers, where {dues.managers(case)} are due"
        for use in case.design.switches:
            ports = len(case.plan.servers) * use.ports_a_server + len(case.plan.arrays) * use.ports_an_array
            each = case.catalog.get(Switch, use.model).ports
            if switches[use.model] // use.count * each < ports:
                seen = f"{switches[use.model]} {use.model} of {each} ports"
                yield "", f"{seen}, where {use.count} times {ports} are needed"

    return gathered("PX525", hits(), _ALLOWED)


def parts_in_order(case: Case) -> Iterator[Finding]:
    """PX525: modules, arrays, servers and switches have the names and the order that follow from the request."""
    switches = unlike("switch", ("id", "role", "model"), case.plan.switches, dues.switches(case))
    hits = (("", why) for why in (*_modules_unlike(case), *_servers_unlike(case), *switches))
    return gathered("PX525", hits, _ALLOWED)


RULES = (modules_as_asked, arrays_as_asked, servers_and_switches)
EXACT = (parts_in_order,)
"""Asked last, where no other rule has found an error."""


def _modules_unlike(case: Case) -> Iterator[str]:
    """What differs in names and order of modules and arrays: `sm01` has `sm01a1`, `sm01a2` and so on."""
    modules = case.plan.modules
    names = {m.id: tuple(f"{m.id}a{n}" for n in range(1, len(m.arrays) + 1)) for m in modules}
    due = [(name, where, names.get(name)) for name, where in dues.modules_in_order(case)]
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
    due = [(name, m.role, m.id, dues.adapters(roles[m.role])) for m in case.plan.modules for name in m.servers]
    words = ("id", "role", "module", "adapters")
    yield from unlike("server", words, case.plan.servers, (*due, *dues.management_servers(case)))


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


def _module_troubles(module: Module, due: dues.Due, turn: int) -> Iterator[str]:
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
        return ((case.arrays_design.metadata.array, case.arrays_design.metadata.layouts[dues.variant(case)]),)
    storage = case.arrays_design.storage
    layout = storage.layouts[dues.variant(case)]
    own = ((storage.array, layout),)
    return (*own, (storage.expansion, layout)) if module.expansion else own


_Pattern = frozenset[tuple[str, str, tuple[int, ...]]]


def _pattern(groups: list[DiskGroup]) -> _Pattern:
    return frozenset((g.purpose, g.level, g.slots) for g in groups)


def _layout_pattern(case: Case, layout_id: str) -> _Pattern:
    layout = case.catalog.get(Layout, layout_id)
    return frozenset((kind.purpose, kind.level, slots) for kind in layout.groups for slots in kind.slots)
