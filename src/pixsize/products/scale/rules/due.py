"""What the words of a request call for, counted a second time for the judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pixsize.product import Due
from pixsize.products.scale.request import ScaleRequest


def _modules(request: ScaleRequest, sizes: Mapping[str, int]) -> Iterator[tuple[str, int, dict[str, object]]]:
    hdmd = request.hdmd
    for index, entry in enumerate(request.storage_modules):
        due: dict[str, object] = {
            "role": "storage",
            "size": entry.size,
            "expansion": entry.expansion,
            "drive": entry.data_drive,
            "metadata_drive": entry.metadata_drive if hdmd is None else None,
            "chunk_bytes": entry.chunk_bytes,
            "hosts": entry.hosts,
            "arrays": sizes[entry.size],
        }
        yield f"storage_modules[{index}]", entry.count, due
    if hdmd is not None:
        due = {"role": "metadata", "drive": hdmd.drive, "hosts": hdmd.hosts, "arrays": hdmd.arrays}
        yield "hdmd", hdmd.modules, due


def _variant(request: ScaleRequest) -> str:
    return "standard" if request.hdmd is None else "hdmd"


DUE = Due(
    modules=_modules,
    variant=_variant,
    metadata_prefix="hm",
    managed=lambda _: True,
    aside=lambda _: "",
    drives=lambda _: (),
    records=lambda _: (),
)
