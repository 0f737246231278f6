"""What the words of a request call for, counted a second time for the judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from pixsize.catalog.records import Record
from pixsize.check.context import Context
from pixsize.plan.records import Plan
from pixsize.product import Expected
from pixsize.products.lustre.plan import lustre
from pixsize.products.lustre.records import LustreRelease
from pixsize.products.lustre.request import ArrayLustreRequest, LustreRequest, PoolLustreRequest


def _modules(request: LustreRequest, sizes: Mapping[str, int]) -> Iterator[tuple[str, int, dict[str, object]]]:
    """Modules of a Lustre file system; on a pool there are none."""
    if not isinstance(request, ArrayLustreRequest):
        return
    plain: dict[str, object] = {"expansion": False, "metadata_drive": None}
    wanted = request.metadata
    due: dict[str, object] = {
        "role": "metadata",
        "drive": wanted.drive,
        "chunk_bytes": wanted.chunk_bytes,
        "hosts": wanted.hosts,
    }
    yield "metadata", wanted.pairs, due | plain | {"arrays": 1}
    for index, entry in enumerate(request.storage_modules):
        due = {
            "role": "storage",
            "size": entry.size,
            "drive": entry.data_drive,
            "chunk_bytes": entry.chunk_bytes,
            "hosts": entry.hosts,
            "arrays": sizes[entry.size],
        }
        yield f"storage_modules[{index}]", entry.count, due | plain


def request_of(context: Context) -> LustreRequest:
    """The request, as this product has it."""
    return cast("LustreRequest", context.request)


def pool_request(context: Context) -> PoolLustreRequest:
    """The request, where the volumes lie in a pool."""
    return cast("PoolLustreRequest", context.request)


def _managed(request: LustreRequest) -> bool:
    """Management servers are there where IML was asked for."""
    return request.management == "iml_monitored"


def _small_volume(request: LustreRequest) -> tuple[str, str]:
    """An MGT of its own lies beside the first MDT."""
    return ("mgt01", "the MGT") if request.metadata.mgt == "own" else ("", "")


def _drives(request: LustreRequest) -> Iterator[tuple[str, str]]:
    if isinstance(request, PoolLustreRequest):
        yield "drive", request.drive


def _variant(request: LustreRequest) -> str:
    return "dne" if request.metadata.dne else "single"


def _records(plan: Plan) -> Iterator[tuple[str, type[Record], str]]:
    yield plan.filesystem.name, LustreRelease, lustre(plan).release


EXPECTED = Expected(
    modules=_modules,
    variant=_variant,
    metadata_prefix="mm",
    managed=_managed,
    small_volume=_small_volume,
    drives=_drives,
    records=_records,
)
