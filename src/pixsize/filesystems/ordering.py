"""What the orders of all file systems share: servers of a role, sizes of module, and how many volumes they come to."""

from __future__ import annotations

from typing import Literal

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, Layout, ModuleSize, ServerRole
from pixsize.plan.orders import Modules, Servers


def role_servers(
    role: Literal["storage", "metadata", "management"], servers: ServerRole, hosts: tuple[str, ...]
) -> Servers:
    """The servers of a role of the design, by their names."""
    return Servers(role, servers.model, hosts, tuple(sorted(servers.adapters.items())))


def management(design: Design) -> tuple[Servers, ...]:
    """The management servers of a design that has some, under the names that pixsize gives them."""
    if design.management is None:
        return ()
    hosts = tuple(f"mgmt{n}" for n in range(1, design.management.count + 1))
    return (role_servers("management", design.management, hosts),)


def module_sizes(design: str, catalog: Catalog) -> dict[str, ModuleSize]:
    """The sizes of storage module that a design has, by name."""
    return {s.size: s for s in catalog.all(ModuleSize) if s.design == design}


def volumes_a_module(modules: Modules, catalog: Catalog, purpose: str | None = None) -> int:
    """How many volumes one of these modules comes to, one a disk group, or how many of one purpose."""
    layouts = (catalog.get(Layout, layout) for _, layout in modules.enclosures)
    kinds = (kind for layout in layouts for kind in layout.groups if purpose in (None, kind.purpose))
    return modules.arrays * sum(len(kind.slots) for kind in kinds)
