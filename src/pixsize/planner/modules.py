"""Modules, servers and arrays: what stands in the racks, with names that stay when the system grows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, ModuleSize, ServerRole
from pixsize.plan.records import Array, Enclosure, Module, Server
from pixsize.request import Hdmd, Request, StorageModules


class Site(NamedTuple):
    """Everything that is bought and named before the first drive is grouped."""

    modules: tuple[Module, ...]
    servers: tuple[Server, ...]
    arrays: tuple[Array, ...]


def module_sizes(design: str, catalog: Catalog) -> dict[str, ModuleSize]:
    """The sizes of storage module that a design has, by name."""
    return {s.size: s for s in catalog.all(ModuleSize) if s.design == design}


def enclosure_layouts(entry: StorageModules, design: Design, *, hdmd: bool) -> tuple[tuple[str, str], ...]:
    """The (model, layout) of each enclosure of one array of a storage module, the controllers' own first."""
    layout = design.storage.layouts["hdmd" if hdmd else "standard"]
    own = ((design.storage.array, layout),)
    return (*own, (design.storage.expansion, layout)) if entry.expansion else own


def site(request: Request, design: Design, catalog: Catalog) -> Site:
    """The modules of a request in its order, the storage modules first, with their servers and arrays."""
    modules: list[Module] = []
    servers: list[Server] = []
    arrays: list[Array] = []
    for module, role, enclosures in (*_storage(request, design, catalog), *_metadata(request.hdmd, design)):
        modules.append(module)
        servers += _servers(module.servers, module, role)
        arrays += (_array(name, module, enclosures) for name in module.arrays)
    servers += _management(design.management)
    return Site(tuple(modules), tuple(servers), tuple(arrays))


_Built = tuple[Module, ServerRole, tuple[tuple[str, str], ...]]


def _storage(request: Request, design: Design, catalog: Catalog) -> Iterator[_Built]:
    sizes = module_sizes(request.design, catalog)
    hdmd = request.hdmd is not None
    number = 0
    for index, entry in enumerate(request.storage_modules):
        enclosures = enclosure_layouts(entry, design, hdmd=hdmd)
        for turn in range(entry.count):
            number += 1
            name = f"sm{number:02d}"
            yield (
                Module(
                    id=name,
                    role="storage",
                    size=entry.size,
                    expansion=entry.expansion,
                    drive=entry.data_drive,
                    metadata_drive=None if hdmd else entry.metadata_drive,
                    servers=_pair(entry.hosts, turn, design.storage.servers),
                    arrays=_array_names(name, sizes[entry.size].arrays),
                    chunk_bytes=entry.chunk_bytes,
                    where=f"storage_modules[{index}]",
                ),
                design.storage.servers,
                enclosures,
            )


def _metadata(hdmd: Hdmd | None, design: Design) -> Iterator[_Built]:
    if hdmd is None:
        return
    role = design.metadata
    for turn in range(hdmd.modules):
        name = f"hm{turn + 1:02d}"
        yield (
            Module(
                id=name,
                role="metadata",
                size="hdmd",
                expansion=False,
                drive=hdmd.drive,
                metadata_drive=None,
                servers=_pair(hdmd.hosts, turn, role.servers),
                arrays=_array_names(name, hdmd.arrays),
                chunk_bytes=0,
                where="hdmd",
            ),
            role.servers,
            ((role.array, role.layout),),
        )


def _pair(hosts: tuple[str, ...], turn: int, role: ServerRole) -> tuple[str, ...]:
    return hosts[turn * role.count : (turn + 1) * role.count]


def _array_names(module: str, count: int) -> tuple[str, ...]:
    return tuple(f"{module}a{n}" for n in range(1, count + 1))


def _servers(names: Iterable[str], module: Module, role: ServerRole) -> Iterator[Server]:
    adapters = tuple(sorted(role.adapters.items()))
    return (Server(id=n, role=module.role, model=role.model, module=module.id, adapters=adapters) for n in names)


def _array(name: str, module: Module, enclosures: tuple[tuple[str, str], ...]) -> Array:
    return Array(
        id=name,
        role=module.role,
        model=enclosures[0][0],
        module=module.id,
        enclosures=tuple(
            Enclosure(index=i, model=model, layout=layout) for i, (model, layout) in enumerate(enclosures)
        ),
    )


def _management(role: ServerRole) -> Iterator[Server]:
    adapters = tuple(sorted(role.adapters.items()))
    return (
        Server(id=f"mgmt{n}", role="management", model=role.model, module=None, adapters=adapters)
        for n in range(1, role.count + 1)
    )
