"""How many NSDs a request comes to, before any is made: a slip of the finger is answered at once."""

from __future__ import annotations

from pixsize.blocks import VOLUME_MAKERS
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, Limit
from pixsize.findings import Finding
from pixsize.planner.modules import enclosure_layouts, module_sizes
from pixsize.request import Request


def too_many_nsds(request: Request, catalog: Catalog) -> tuple[Finding, ...]:
    """A finding when the file system would have more NSDs than GPFS allows (limit record `scale.nsds`)."""
    limit = catalog.get(Limit, "scale.nsds").value
    each = nsds_a_module(request, catalog)
    storage = [n * entry.count for n, entry in zip(each, request.storage_modules, strict=True)]
    total = sum(storage) + _metadata_nsds(request, catalog) + (request.filesystem.descriptor is not None)
    if total <= limit:
        return ()
    largest = max(range(len(each)), key=storage.__getitem__)
    fits = request.storage_modules[largest].count - -(-(total - limit) // each[largest])
    hint = f"count: {fits} fits" if fits > 0 else "fewer modules, or a second file system"
    message = f"{total:,} NSDs; IBM Storage Scale allows {limit:,} in a file system"
    return (Finding("PX509", message, f"storage_modules[{largest}].count", hint),)


def nsds_a_module(request: Request, catalog: Catalog) -> list[int]:
    """The NSDs of one module of each entry of `storage_modules`."""
    design = catalog.get(Design, request.design)
    sizes = module_sizes(request.design, catalog)
    count = VOLUME_MAKERS[design.volumes].volumes_of
    hdmd = request.hdmd is not None
    return [
        sizes[e.size].arrays * count((layout for _, layout in enclosure_layouts(e, design, hdmd=hdmd)), catalog)
        for e in request.storage_modules
    ]


def _metadata_nsds(request: Request, catalog: Catalog) -> int:
    if request.hdmd is None:
        return 0
    design = catalog.get(Design, request.design)
    an_array = VOLUME_MAKERS[design.volumes].volumes_of([design.metadata.layout], catalog)
    return request.hdmd.modules * request.hdmd.arrays * an_array
