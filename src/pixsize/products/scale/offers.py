"""What IBM Storage Scale offers to the search for the best system: where metadata lies, and how capacities add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from pixsize.arrays.capacity import joined
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign
from pixsize.catalog.records import Drive
from pixsize.estimate.system import default_drive
from pixsize.products.scale.figures.capacity import Bytes, Stored, figures_of, stored
from pixsize.products.scale.figures.metadata import most_of_rest
from pixsize.size.records import Beside, Offers
from pixsize.size.requirements import Restrictions
from pixsize.units import show


def rests(design: ArrayDesign, catalog: Catalog, restrictions: Restrictions) -> Iterator[Iterator[Beside]]:
    """The standard variant, then HDMD arrays, more and more of them, with each of the SSDs; the default ones first."""
    if restrictions.hdmd is not True:
        yield iter((Beside({}, 0),))
    if restrictions.hdmd is False:
        return
    usual = default_drive(design, "storage_modules[].metadata_drive", catalog)
    drives = [d for d in catalog.all(Drive) if d.media == design.metadata.media]
    for drive in sorted(drives, key=lambda d: (d.capacity_bytes != usual, d.capacity_bytes)):
        yield _arrays(design, drive)


def _arrays(design: ArrayDesign, drive: Drive) -> Iterator[Beside]:
    """As many arrays in one module as it takes, then modules that are full."""
    most, shown = design.metadata.arrays_max, show(drive.capacity_bytes, "B")
    for arrays in range(design.metadata.arrays_min, most):
        yield Beside({"hdmd": {"modules": 1, "arrays": arrays, "drive": shown}}, arrays)
    for modules in count(1):
        yield Beside({"hdmd": {"modules": modules, "arrays": most, "drive": shown}}, modules * most)


def needs_size(design: ArrayDesign, words: Mapping[str, Any]) -> str:
    """The size of module that the document names the most metadata arrays for."""
    hdmd = words.get("hdmd", {})
    many = hdmd and hdmd["modules"] * hdmd["arrays"] >= design.metadata.arrays_max
    return design.metadata.arrays_max_needs if many else ""


def together(rest: Stored, modules: Sequence[tuple[Stored, int]]) -> Stored:
    """What a system stores. Without arrays for metadata alone, those of the data hold it."""
    data = joined([(s.data, n) for s, n in modules])
    if rest.metadata.groups:
        return rest._replace(data=data)
    metadata = joined([(s.metadata, n) for s, n in modules])
    arrays = tuple(array for s, n in modules for array in s.arrays * n)
    return rest._replace(
        data=data, metadata=metadata, arrays=arrays, failure_groups=_failure_groups(arrays, rest.own.failure_groups)
    )


def _failure_groups(arrays: Sequence[Sequence[Bytes]], choice: str) -> tuple[Bytes, ...]:
    """The failure groups as a plan has them: an array each, odd arrays against even ones, or a lone array halved."""
    if len(arrays) == 1:
        half = (len(arrays[0]) + 1) // 2
        return tuple(Bytes.total(volumes) for volumes in (arrays[0][:half], arrays[0][half:]) if volumes)
    if choice == "sides":
        sides = (arrays[0::2], arrays[1::2])
        return tuple(Bytes.total(volume for array in side for volume in array) for side in sides)
    return tuple(Bytes.total(array) for array in arrays)


OFFERS = Offers(
    rests=rests,
    stored=stored,
    together=together,
    capacity=figures_of,
    limit=("scale.nsds", "NSDs", True),
    needs_size=needs_size,
    most_of_rest=most_of_rest,
)
