"""From a completed request to a Plan: modules, servers and arrays; disk groups; volumes; targets; switches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pixsize.blocks import VOLUME_MAKERS
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, Switch
from pixsize.filesystems import FILESYSTEMS
from pixsize.findings import Finding
from pixsize.observed import Observed
from pixsize.plan.records import Array, DiskGroup, Filesystem, Plan, Server, Spares, SwitchSet
from pixsize.planner.counting import too_many_nsds
from pixsize.planner.modules import Site, site
from pixsize.request import Request


def make_plan(request: Request, catalog: Catalog, observed: Observed) -> tuple[Plan | None, tuple[Finding, ...]]:
    """The complete plan; or None and why, when the counts alone show that no file system can hold it."""
    refusals = too_many_nsds(request, catalog)
    if refusals:
        return None, refusals
    design = catalog.get(Design, request.design)
    built = site(request, design, catalog)
    maker = VOLUME_MAKERS[design.volumes]
    groups, spares = _drives(built, design, observed, catalog)
    volumes = maker.carve(groups, observed, catalog)
    filesystem = _filesystem(request, design)
    targets = FILESYSTEMS[design.filesystem](request, filesystem, built.modules, built.arrays, volumes, catalog)
    return Plan(
        name=request.name,
        design=request.design,
        variant=_variant(request),
        filesystem=filesystem,
        modules=built.modules,
        servers=built.servers,
        arrays=built.arrays,
        switches=_switches(design, built.servers, built.arrays, catalog),
        disk_groups=groups,
        spares=spares,
        volumes=volumes,
        targets=targets,
    ), ()


def _variant(request: Request) -> Literal["standard", "hdmd"]:
    return "standard" if request.hdmd is None else "hdmd"


def _drives(
    built: Site, design: Design, observed: Observed, catalog: Catalog
) -> tuple[tuple[DiskGroup, ...], tuple[Spares, ...]]:
    groups: list[DiskGroup] = []
    spares: list[Spares] = []
    maker = VOLUME_MAKERS[design.volumes]
    arrays_of: dict[str, list[Array]] = {m.id: [] for m in built.modules}
    for array in built.arrays:
        arrays_of[array.module].append(array)
    for module in built.modules:
        more_groups, more_spares = maker.lay_out(module, arrays_of[module.id], design, observed, catalog)
        groups += more_groups
        spares += more_spares
    return tuple(groups), tuple(spares)


def _filesystem(request: Request, design: Design) -> Filesystem:
    wanted = request.filesystem
    return Filesystem(
        name=wanted.name,
        block_bytes=wanted.block_bytes,
        inode_bytes=wanted.inode_bytes,
        metadata_replicas=wanted.metadata_replicas,
        data_pool=design.data_pool,
        failure_groups=wanted.failure_groups,
    )


def _switches(
    design: Design, servers: Iterable[Server], arrays: Iterable[Array], catalog: Catalog
) -> tuple[SwitchSet, ...]:
    """The access switches: as many sets of each role as its ports need. What joins several sets is not planned."""
    server_count, array_count = len(tuple(servers)), len(tuple(arrays))
    switches = []
    for role in design.switches:
        model = catalog.get(Switch, role.model)
        ports = server_count * role.ports_a_server + array_count * role.ports_an_array
        sets = -(-ports // model.ports)
        ids = (f"{role.model}-{n}" for n in range(1, sets * role.count + 1))
        switches += [SwitchSet(id=i, role=model.network, model=role.model) for i in ids]
    return tuple(switches)
