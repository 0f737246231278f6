"""Modules of servers and arrays: what stands in the racks, with names that stay when the system grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from pixsize.plan.orders import ArrayOrder, Modules, Servers
from pixsize.plan.records import Array, Enclosure, Module, Server


class Site(NamedTuple):
    """Everything that is bought and named before the first drive is grouped."""

    modules: tuple[Module, ...]
    servers: tuple[Server, ...]
    arrays: tuple[Array, ...]


def site(order: ArrayOrder) -> Site:
    """The modules of an order in its sequence, with their servers and arrays; the other servers come last."""
    modules: list[Module] = []
    servers: list[Server] = []
    arrays: list[Array] = []
    numbers: Counter[str] = Counter()
    for equal in order.modules:
        for turn in range(equal.number):
            numbers[equal.prefix] += 1
            module = _module(equal, turn, f"{equal.prefix}{numbers[equal.prefix]:02d}")
            modules.append(module)
            servers += servers_of(equal.servers._replace(hosts=module.servers), module.id)
            arrays += (_array(name, module, equal) for name in module.arrays)
    for other in order.others:
        servers += servers_of(other, None)
    return Site(tuple(modules), tuple(servers), tuple(arrays))


def servers_of(servers: Servers, module: str | None) -> Iterator[Server]:
    """The servers of one role as the plan lists them."""
    return (
        Server(id=host, role=servers.role, model=servers.model, module=module, adapters=servers.adapters)
        for host in servers.hosts
    )


def _module(equal: Modules, turn: int, name: str) -> Module:
    each = len(equal.servers.hosts) // equal.number
    return Module(
        id=name,
        role=equal.role,
        size=equal.size,
        expansion=equal.expansion,
        drive=equal.drive,
        metadata_drive=equal.metadata_drive,
        servers=equal.servers.hosts[turn * each : (turn + 1) * each],
        arrays=tuple(f"{name}a{n}" for n in range(1, equal.arrays + 1)),
        chunk_bytes=equal.chunk_bytes,
        where=equal.where,
    )


def _array(name: str, module: Module, equal: Modules) -> Array:
    return Array(
        id=name,
        role=module.role,
        model=equal.enclosures[0][0],
        module=module.id,
        enclosures=tuple(
            Enclosure(index=i, model=model, layout=layout) for i, (model, layout) in enumerate(equal.enclosures)
        ),
    )
