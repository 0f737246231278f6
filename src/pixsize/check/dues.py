"""What the words of a request call for, counted a second time: modules and what each must be, managers, and the MGT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pixsize.catalog.records import ArrayDesign, ModuleSize, ServerRole, Switch
from pixsize.request import ScaleRequest

if TYPE_CHECKING:
    from pixsize.check.case import Case
    from pixsize.request_lustre import LustreRequest

Due = dict[str, object]
"""A word of a module -> what it must be."""


def modules(case: Case) -> Iterator[tuple[str, int, Due]]:
    """For each part of the request that makes modules: its path, how many, and what each must be."""
    sizes: dict[str, int] = {s.size: s.arrays for s in case.catalog.of_design(ModuleSize, case.request.design)}
    if isinstance(case.request, ScaleRequest):
        yield from _of_scale(case.request, sizes)
    else:
        yield from _of_lustre(case.lustre, sizes)


def variant(case: Case) -> str:
    """The variant of the design that the request calls for."""
    if isinstance(case.request, ScaleRequest):
        return "standard" if case.request.hdmd is None else "hdmd"
    return "dne" if case.lustre.metadata.dne else "single"


def modules_in_order(case: Case) -> Iterator[tuple[str, str]]:
    """Id and path of each module: modules of one kind are counted from 01, in the order of the request."""
    metadata = "hm" if isinstance(case.request, ScaleRequest) else "mm"
    numbers: Counter[object] = Counter()
    for where, many, due in modules(case):
        for _ in range(many):
            numbers[due["role"]] += 1
            yield f"{'sm' if due['role'] == 'storage' else metadata}{numbers[due['role']]:02d}", where


def managers(case: Case) -> int:
    """How many management servers there are: a Lustre file system has them where IML was asked for."""
    if isinstance(case.request, ScaleRequest) or case.lustre.management == "iml_monitored":
        return case.design.management.count if case.design.management else 0
    return 0


def management_servers(case: Case) -> Iterator[tuple[str, str, None, tuple[tuple[str, int], ...]]]:
    """Name, role, module and adapters of each server for the management."""
    for number in range(1, managers(case) + 1):
        yield f"mgmt{number}", "management", None, adapters(case.design.management)


def adapters(role: ServerRole | None) -> tuple[tuple[str, int], ...]:
    """The adapters of a server of the design and how many of each, by name."""
    return tuple(sorted(role.adapters.items())) if role else ()


def switches(case: Case) -> Iterator[tuple[str, str, str]]:
    """Name, network and model of each switch: as many sets of each model as the ports of all parts need."""
    for use in case.design.switches:
        switch = case.catalog.get(Switch, use.model)
        ports = len(case.plan.servers) * use.ports_a_server + len(case.plan.arrays) * use.ports_an_array
        for number in range(1, -(-ports // switch.ports) * use.count + 1):
            yield f"{use.model}-{number}", switch.network, use.model


def group_of_mgt(case: Case) -> str:
    """The id of the disk group that an MGT of its own lies on: the first for metadata; empty where there is none."""
    if isinstance(case.request, ScaleRequest) or case.lustre.metadata.mgt != "own":
        return ""
    return next((g.id for g in case.plan.disk_groups if g.purpose == "metadata"), "")


def drives(case: Case) -> Iterator[tuple[str, str]]:
    """Every drive that the request names: the path of its word, and its catalog id."""
    for where, _, due in modules(case):
        yield f"{where}.{'data_drive' if due['role'] == 'storage' else 'drive'}", str(due["drive"])
        if due.get("metadata_drive"):
            yield f"{where}.metadata_drive", str(due["metadata_drive"])
    if not isinstance(case.design, ArrayDesign):
        yield "drive", case.pool_request.drive


def _of_scale(request: ScaleRequest, sizes: dict[str, int]) -> Iterator[tuple[str, int, Due]]:
    hdmd = request.hdmd
    for index, entry in enumerate(request.storage_modules):
        due: Due = {
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


def _of_lustre(request: LustreRequest, sizes: dict[str, int]) -> Iterator[tuple[str, int, Due]]:
    """Modules of a Lustre file system; on a pool there are none."""
    from pixsize.request_lustre import ArrayLustreRequest

    if not isinstance(request, ArrayLustreRequest):
        return
    plain: Due = {"expansion": False, "metadata_drive": None}
    wanted = request.metadata
    due: Due = {"role": "metadata", "drive": wanted.drive, "chunk_bytes": wanted.chunk_bytes, "hosts": wanted.hosts}
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
