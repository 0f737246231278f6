"""Storage on arrays, of a plan and of a measured system, in the form in which the two are compared."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

from pixsize.arrays.stripes import Stripe, stripe_of
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign, Design, ModuleSize
from pixsize.catalog.measurements import MeasuredSystem
from pixsize.catalog.records import Layout
from pixsize.estimate.system import DependsOn, Hardware, Kind, Lookup, Part, default_size, server_parts
from pixsize.plan.records import Module, Plan
from pixsize.product import filesystem_of
from pixsize.request import MODULES

ARRAYS = "the arrays"
"""What the storage arrays of the data tier are called among the parts of a system."""


class _Key(NamedTuple):
    """What modules share that are alike."""

    kind: Kind
    array: str
    hardware: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    default_chunk: bool
    partial_writes: Fraction


def data_tier(plan: Plan, catalog: Catalog) -> tuple[Part, ...]:
    """The storage modules of a plan, equal ones counted together."""
    design = catalog.get(Design, plan.design)
    chunk = default_size(design, f"{MODULES}[].chunk_size")
    _, written = filesystem_of(design).terms.full_write(plan, catalog)
    overheads = _overheads(plan, written)
    groups = Counter(g.array for g in plan.disk_groups if g.purpose == "data")
    models = {a.id: catalog.id_of(a.model) for a in plan.arrays}
    servers = {s.id: s for s in plan.servers}
    alike: dict[_Key, list[Module]] = {}
    for m in (m for m in plan.modules if m.role == "storage"):
        kind = Kind(m.size, len(m.arrays), sum(groups[a] for a in m.arrays), m.expansion, m.drive)
        hardware = tuple((servers[s].model, servers[s].adapters) for s in m.servers)
        partial = max(overheads[a] for a in m.arrays)
        alike.setdefault(_Key(kind, models[m.arrays[0]], hardware, m.chunk_bytes == chunk, partial), []).append(m)
    sizes = catalog.of_design(ModuleSize, plan.design)
    pixsize_sizes = {s.size: s.id for s in sizes if {c.document for c in s.sources} == {"pixsize"}}
    return tuple(
        Part(
            kind=key.kind,
            count=len(same),
            first=same[0].id,
            array=key.array,
            servers=tuple(servers[s] for s in same[0].servers),
            default_chunk=key.default_chunk,
            own_size=pixsize_sizes.get(key.kind.size, ""),
            partial_writes=key.partial_writes,
        )
        for key, same in alike.items()
    )


def _overheads(plan: Plan, written: int) -> dict[str, Fraction]:
    """How many times the traffic of whole stripes the drives of each array have for full writes of the file system."""
    found = dict.fromkeys((a.id for a in plan.arrays), Fraction(1))
    kinds: dict[Stripe, Fraction] = {}
    for group in (g for g in plan.disk_groups if g.purpose == "data"):
        if stripe := stripe_of(group):
            kinds.setdefault(stripe, stripe.overhead(written))
            found[group.array] = max(found[group.array], kinds[stripe])
    return found


def measured(system: MeasuredSystem, lookup: Lookup) -> Hardware | None:
    """The storage modules of a measured system, None when the catalog knows none of one of the sizes."""
    design = lookup.catalog.get(ArrayDesign, system.design)
    sizes = {s.size: s for s in lookup.catalog.of_design(ModuleSize, system.design)}
    if system.variant not in design.storage.layouts or any(m.size not in sizes for m in system.storage_modules):
        return None
    each = _groups(design.storage.layouts[system.variant], "data", lookup.catalog)
    modules: Counter[Kind] = Counter()
    for m in system.storage_modules:
        arrays = sizes[m.size].arrays
        groups = arrays * each * (1 + m.expansion)
        modules[Kind(m.size, arrays, groups, m.expansion, lookup.name(m.data_drive))] += m.count
    own = design.metadata.layouts.get(system.variant)
    return Hardware(
        modules, lookup.name(design.storage.array), _groups(own, "metadata", lookup.catalog) if own is not None else 0
    )


def _groups(layout: str, purpose: str, catalog: Catalog) -> int:
    """How many disk groups of a purpose a layout has."""
    return sum(len(g.slots) for g in catalog.get(Layout, layout).groups if g.purpose == purpose)


def depends_on(design: ArrayDesign, variant: str, expansion: bool) -> DependsOn:
    """The parts of a system of a design, in one of its variants, with or without expansions."""
    storage, own = design.storage, design.metadata
    data = {
        **server_parts("the servers", storage.servers),
        ARRAYS: (storage.array,),
        "the expansions": (storage.expansion,) if expansion else (),
        "the layout": (storage.layouts[variant],),
    }
    if variant not in own.layouts:
        return DependsOn(data, {})
    metadata = {
        **server_parts("the metadata servers", own.servers),
        "the model of the metadata arrays": (own.array,),
        "the layout of the metadata arrays": (own.layouts[variant],),
    }
    return DependsOn(data, metadata)
