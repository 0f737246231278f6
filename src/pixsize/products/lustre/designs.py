"""What designs and measurements of the catalog must keep that are of Lustre."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign
from pixsize.catalog.records import Layout
from pixsize.product import Conflict
from pixsize.products.lustre.plan import DNE, SINGLE, MeasuredLustre

LAYOUTS: Mapping[str, tuple[str, ...]] = {"storage": (DNE, SINGLE), "metadata": (DNE, SINGLE)}
_MDTS = {
    DNE: (2, "needed are two groups of metadata, r10, and no others"),
    SINGLE: (1, "needed is one group of metadata, r10, and no other"),
}
"""How many MDTs a pair of servers has, by the variant of the design."""


def conflicts(design: ArrayDesign, catalog: Catalog) -> Iterator[Conflict]:
    """Layouts of other groups than a group is an OST of, or an MDT: as many as the variant has, and no OST."""
    for variant, name in design.storage.layouts.items():
        layout = catalog.get(Layout, name)
        if any(g.purpose != "data" for g in layout.groups) or not any(g.slots for g in layout.groups):
            yield _conflict(design, layout, "storage", variant, "needed are groups of data, and no others")
    for variant, name in design.metadata.layouts.items():
        layout, (count, needed) = catalog.get(Layout, name), _MDTS.get(variant, (0, ""))
        fits = all((g.purpose, g.level) == ("metadata", "r10") for g in layout.groups)
        if needed and not (fits and sum(len(g.slots) for g in layout.groups) == count):
            yield _conflict(design, layout, "metadata", variant, needed)


def _conflict(design: ArrayDesign, layout: Layout, role: str, variant: str, needed: str) -> Conflict:
    places = ((layout.id, "groups"), (design.id, f"{role}.layouts.{variant}"))
    return Conflict(places, f"{design.id} uses {layout.id} for {role}, variant {variant}: {needed}")


def measured(system: MeasuredLustre, _catalog: Catalog) -> Iterator[tuple[str, str]]:
    """A system has a version of Lustre: no plan would ever be that of the system measured."""
    if not system.lustre_version:
        yield "system.lustre_version", "the version of Lustre is missing"
