"""What a person runs on each ME4 array: disk groups and spares, then volumes and maps, and a run book beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.me4.render.parts import Parts, blocks, chunk_size, disk_list, drive_ranges, parts_of
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import name, word

GROUPS = "01-disk-groups.cli"
VOLUMES = "02-volumes.cli"
RUN_BOOK = "README.md"


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """Three files an array, in a folder with the array's id."""
    return tuple(file for parts in parts_of(plan) for file in _files(parts, catalog))


def _files(parts: Parts, catalog: Catalog) -> Iterator[File]:
    from pixsize.products.me4.render.run_book import view as run_book  # most runs render no run book

    folder = f"me4/{word(parts.array.id)}"
    yield File(f"{folder}/{GROUPS}", template.fill(f"me4/{GROUPS}.j2", groups_view(parts)))
    yield File(f"{folder}/{VOLUMES}", template.fill(f"me4/{VOLUMES}.j2", volumes_view(parts)))
    yield File(f"{folder}/{RUN_BOOK}", template.fill(f"me4/{RUN_BOOK}.j2", run_book(parts, catalog)))


def groups_view(parts: Parts) -> dict[str, Any]:
    """The words of each `add disk-group` and `add spares`."""
    return {
        "groups": [
            {
                "disks": disk_list(group),
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


RENDERER = Renderer(
    name="me4",
    summary="disk groups, spares, volumes and maps for each ME4 array, with a run book",
    needs="`show disk-groups` of every array in --observed, for volumes of the exact size",
    applies=lambda plan: any(v.provider == "me4" for v in plan.volumes),
    files=files,
)
