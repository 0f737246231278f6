"""What a person runs on each ME4 array: disk groups and spares, then volumes and maps, and a run book beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.records import Array, DiskGroup, Module, Plan, Spares, Volume
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.words import blocks, chunk_size, drive_pairs, drive_ranges, drives, name, word

GROUPS = "01-disk-groups.cli"
VOLUMES = "02-volumes.cli"
RUN_BOOK = "README.md"


@dataclass(frozen=True, slots=True)
class Parts:
    """An array with everything on it, each list in the order of the plan."""

    plan: str
    block_bytes: int
    array: Array
    module: Module
    groups: list[DiskGroup] = field(default_factory=list)
    spares: list[Spares] = field(default_factory=list)
    volumes: list[Volume] = field(default_factory=list)


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """Three files an array, in a folder with the array's id."""
    return tuple(file for parts in _arrays(plan) for file in _files(parts, catalog))


def _files(parts: Parts, catalog: Catalog) -> Iterator[File]:
    from pixsize.render import me4_run_book

    folder = f"me4/{word(parts.array.id)}"
    yield File(f"{folder}/{GROUPS}", template.fill(f"me4/{GROUPS}.j2", groups_view(parts)))
    yield File(f"{folder}/{VOLUMES}", template.fill(f"me4/{VOLUMES}.j2", volumes_view(parts)))
    yield File(f"{folder}/{RUN_BOOK}", template.fill(f"me4/{RUN_BOOK}.j2", me4_run_book.view(parts, catalog)))


def _arrays(plan: Plan) -> tuple[Parts, ...]:
    modules = {m.id: m for m in plan.modules}
    parts = {a.id: Parts(plan.name, plan.filesystem.block_bytes, a, modules[a.module]) for a in plan.arrays}
    for group in plan.disk_groups:
        parts[group.array].groups.append(group)
    for spares in plan.spares:
        parts[spares.array].spares.append(spares)
    for volume in plan.volumes:
        parts[volume.array].volumes.append(volume)
    return tuple(parts.values())


def groups_view(parts: Parts) -> dict[str, Any]:
    """The words of each `add disk-group` and `add spares`."""
    return {
        "groups": [
            {
                "disks": _disks(group),
                "level": word(group.level),
                "owner": word(group.owner),
                "chunks": [chunk_size(group.chunk_bytes)] if group.chunk_bytes else [],
                "name": name(group.id),
            }
            for group in parts.groups
        ],
        "spares": [drive_ranges(s.enclosure, s.slots) for s in parts.spares],
    }


def volumes_view(parts: Parts) -> dict[str, Any]:
    """The words of each `create volume` and `map volume`. A linear group is its own pool, of the same name."""
    return {
        "volumes": [
            {"group": name(v.backing), "blocks": blocks(v.bytes), "name": name(v.id), "lun": word(v.lun)}
            for v in parts.volumes
        ]
    }


def _disks(group: DiskGroup) -> str:
    make = drive_pairs if group.level == "r10" else drives
    return make(group.enclosure, group.slots)


def _applies(plan: Plan) -> bool:
    return any(v.provider == "me4" for v in plan.volumes)


def _findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:  # noqa: ARG001  the same call for every renderer
    return ()


RENDERER = Renderer(
    name="me4",
    summary="disk groups, spares, volumes and maps for each ME4 array, with a run book",
    needs="`show disk-groups` of every array in --observed, for volumes of the exact size",
    applies=_applies,
    findings=_findings,
    files=files,
)
