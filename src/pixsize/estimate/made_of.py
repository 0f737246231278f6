"""What a system of a design is made of, by what each part is called: a measurement holds for these parts alone."""

from __future__ import annotations

from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import ArrayDesign, Design, PoolDesign, ServerRole, Switch

Parts = dict[str, tuple[str, ...]]
"""What a part is called -> the catalog ids of such parts."""


class MadeOf(NamedTuple):
    """The parts that figures of the data tier depend on, and those that figures of the metadata depend on as well."""

    data: Parts
    metadata: Parts


def parts_of(design: Design, catalog: Catalog, variant: str, *, expansion: bool) -> MadeOf:
    """The parts of a system of a design, in one of its variants, with or without expansions."""
    models = (s.model for s in design.switches)
    switches = tuple(m for m in models if catalog.get(Switch, m).network != "management")
    if isinstance(design, ArrayDesign):
        return MadeOf(_on_arrays(design, variant, switches, expansion=expansion), _metadata_arrays(design, variant))
    if isinstance(design, PoolDesign):
        return MadeOf(_in_a_pool(design, switches), _servers("the metadata servers", design.metadata))
    raise TypeError(f"{design.id} is a design of an unknown kind")


def _servers(name: str, role: ServerRole) -> Parts:
    adapters = f"{name}' adapters" if name != "the servers" else "the adapters"
    return {name: (role.model,), adapters: tuple(role.adapters)}


def _on_arrays(design: ArrayDesign, variant: str, switches: tuple[str, ...], *, expansion: bool) -> Parts:
    storage = design.storage
    return {
        "the design": (design.id,),
        **_servers("the servers", storage.servers),
        "the arrays": (storage.array,),
        "the expansions": (storage.expansion,) if expansion else (),
        "the layout": (storage.layouts[variant],),
        "the switches": switches,
    }


def _metadata_arrays(design: ArrayDesign, variant: str) -> Parts:
    """Those of the metadata's own arrays, where the variant has some."""
    metadata = design.metadata
    if variant not in metadata.layouts:
        return {}
    return {
        **_servers("the metadata servers", metadata.servers),
        "the model of the metadata arrays": (metadata.array,),
        "the layout of the metadata arrays": (metadata.layouts[variant],),
    }


def _in_a_pool(design: PoolDesign, switches: tuple[str, ...]) -> Parts:
    return {"the design": (design.id,), **_servers("the servers", design.storage.servers), "the switches": switches}
