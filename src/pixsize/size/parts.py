"""A part of a plan by itself, and everything in it, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pixsize.catalog.catalog import Catalog
from pixsize.estimate.make import models_of
from pixsize.plan.records import Module, Plan

Items = Counter[str]
"""How many there are of each part, by catalog id."""


def only(plan: Plan, modules: Sequence[Module]) -> Plan:
    """A plan with some of its modules alone, and without switches."""
    names = {m.id for m in modules}
    arrays = tuple(a for a in plan.arrays if a.module in names)
    held = {a.id for a in arrays}
    volumes = tuple(v for v in plan.volumes if v.array in held)
    kept = {v.id for v in volumes}
    return plan._replace(
        modules=tuple(modules),
        servers=tuple(s for s in plan.servers if s.module in names),
        arrays=arrays,
        switches=(),
        disk_groups=tuple(g for g in plan.disk_groups if g.array in held),
        spares=tuple(s for s in plan.spares if s.array in held),
        volumes=volumes,
        targets=tuple(t for t in plan.targets if t.volume in kept),
        links=(),
    )


def items_of(plan: Plan, catalog: Catalog) -> Items:
    """Every server, enclosure, switch, drive and adapter of a plan, by catalog id."""
    found = models_of(plan)
    for group in plan.disk_groups:
        found[group.drive] += len(group.slots)
    for spares in plan.spares:
        found[spares.drive] += len(spares.slots)
    for server in plan.servers:
        for adapter, number in server.adapters:
            found[adapter] += number
        if server.drives is not None:
            found[server.drives.drive] += server.drives.count
    return Counter({catalog.id_of(i): n for i, n in found.items()})
