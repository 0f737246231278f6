"""What the orders of all file systems share: servers of a role, sizes of module, and how many volumes they come to."""

from __future__ import annotations

from typing import Literal

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, Limit, ModuleSize, ServerRole, Switch, SwitchRole
from pixsize.findings import Finding
from pixsize.plan.orders import Modules, Order, Servers
from pixsize.plan.records import Adapters


def role_servers(
    role: Literal["storage", "metadata", "management"], servers: ServerRole, hosts: tuple[str, ...]
) -> Servers:
    """The servers of a role of the design, by their names."""
    return Servers(role, servers.model, hosts, tuple(Adapters(*some) for some in sorted(servers.adapters.items())))


def management(design: Design) -> tuple[Servers, ...]:
    """The management servers of a design that has some, under the names that pixsize gives them."""
    if design.management is None:
        return ()
    hosts = tuple(f"mgmt{n}" for n in range(1, design.management.count + 1))
    return (role_servers("management", design.management, hosts),)


def module_sizes(design: str, catalog: Catalog) -> dict[str, ModuleSize]:
    """The sizes of storage module that a design has, by name."""
    return {s.size: s for s in catalog.of_design(ModuleSize, design)}


def too_many(order: Order, design: Design, catalog: Catalog) -> tuple[Finding, ...]:
    """PX120 for more parts than `pixsize.parts` and `pixsize.drives` allow, counted before any of them is made."""
    counts = order.counts(catalog)
    switches = sum(number for _, number in switch_counts(design, counts["servers"], counts["arrays"], catalog))
    found = []
    for what, total in (*counts.items(), ("switches", switches)):
        limit = "pixsize.drives" if what == "drives" else "pixsize.parts"
        most = catalog.get(Limit, limit).value
        if total > most:
            found.append(Finding("PX120", f"{total:,} {what}; pixsize plans at most {most:,} (catalog: {limit})"))
    return tuple(found)


def switch_counts(design: Design, servers: int, arrays: int, catalog: Catalog) -> tuple[tuple[SwitchRole, int], ...]:
    """How many switches of each role there are: as many sets as the ports need. What joins several is not planned."""
    counts = []
    for role in design.switches:
        ports = servers * role.ports_a_server + arrays * role.ports_an_array
        counts.append((role, -(-ports // catalog.get(Switch, role.model).ports) * role.count))
    return tuple(counts)


def volumes_a_module(modules: Modules, catalog: Catalog, purpose: str | None = None) -> int:
    """How many volumes one of these modules comes to, one a disk group, or how many of one purpose."""
    return modules.groups(catalog, purpose)
