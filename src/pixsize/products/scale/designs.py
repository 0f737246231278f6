"""Judges designs and measurements of the catalog that are of IBM Storage Scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign, Design
from pixsize.catalog.fabrics import FabricChoice, chosen
from pixsize.catalog.records import Limit
from pixsize.product import Conflict
from pixsize.products.scale.plan import HDMD, STANDARD, MeasuredScale
from pixsize.units import binary_bytes

LAYOUTS: Mapping[str, tuple[str, ...]] = {"storage": (HDMD, STANDARD), "metadata": (HDMD,)}
"""The variants with a layout, by role. In the standard variant metadata lies on SSDs in the storage modules."""


def conflicts(design: ArrayDesign, _catalog: Catalog) -> Iterator[Conflict]:
    """A design without a data pool: every NSD is in a pool with a name. Any disk group can be an NSD."""
    if not design.data_pool:
        yield Conflict(((design.id, "data_pool"),), "the pool of the data has no name, and each NSD names its pool")


def measured(system: MeasuredScale, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """PX203 for a measured system with a block size or a network that nobody has: no plan can be compared with it."""
    size = system.block_bytes
    low, high = (catalog.get(Limit, f"scale.block_{end}").value for end in ("min", "max"))
    if not low <= size <= high or size & (size - 1):
        allowed = f"a power of two from {binary_bytes(low)} to {binary_bytes(high)}"
        yield "system.block_size", f"{binary_bytes(size)!r} is no block size of GPFS: {allowed}"
    design = catalog.get(Design, system.design)
    if (system.fabric or system.link) and chosen(design, FabricChoice(system.fabric, system.link)) is None:
        word = "link" if chosen(design, FabricChoice(system.fabric)) else "fabric"
        yield f"system.{word}", f"{getattr(system, word)!r} is no {word} of {design.id}"
