"""The NSD stanzas, one file for mmcrnsd and mmcrfs alike (IBM Storage Scale documentation, stanza files)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Record
from pixsize.estimate import ids
from pixsize.plan.records import Plan, Target
from pixsize.product import volume_terms
from pixsize.products.scale.figures.capacity import figures
from pixsize.products.scale.plan import ScaleFilesystem, nsd_of, scale
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import binary_size, comma_list, device, name, prose, word

PATH = "stanzas/nsd.stanza"


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """The one file with a stanza for each NSD of the plan, in its order."""
    return (File(PATH, template.fill("stanzas/nsd.stanza.j2", view(plan, catalog))),)


def view(plan: Plan, catalog: Catalog) -> dict[str, Any]:
    """What the template loops over: the commands of the head, and the stanzas in sections, one an array."""
    nsds = [t for t in plan.targets if t.kind == "nsd"]
    # From the records as they are written: to validate all measurements takes long.
    records = (catalog.raw[record] for record in catalog.ids("measurement"))
    measured = (record["system"]["design"] for record in records if record.get("system"))
    return {
        "plan": word(plan.name),
        "filesystem": word(scale(plan).name),
        "nsds": f"{len(nsds):,}",
        "options": " ".join(_options(scale(plan))),
        "inodes": int(next(f.low for f in figures(plan, catalog) if f.id == ids.FILES)),
        "block": binary_size(scale(plan).block_bytes),
        "page": _page(plan),
        "dmapi": scale(plan).dmapi,
        "attached": any(not v.array for v in plan.volumes),
        "is_measured": any(catalog.id_of(design) == plan.design for design in measured),
        "descriptors": [
            {"nsd": name(t.id), "servers": comma_list(t.servers)} for t in nsds if nsd_of(t).usage == "descOnly"
        ],
        "sections": list(_sections(plan, nsds, catalog)),
    }


def _page(plan: Plan) -> str:
    """The section of an array's page that compares sizes, in brackets to end a sentence; empty without such pages."""
    page, _, section = volume_terms(plan).page.format(array="ARRAY").partition("#")
    return f" ({page}, section {section.rstrip('.')})" if page else ""


def _options(filesystem: ScaleFilesystem) -> Iterator[str]:
    """The options of mmcrfs that the plan decides. -M and -R are fixed at creation: both leave room for two copies.

    So is -j. By default mmcrfs clusters for up to eight nodes or eight disks (IBM Storage Scale documentation, Block
    allocation map); the rates of the design were measured on a scattered file system (Dell PixStor 6 white paper).
    """
    replicas = filesystem.metadata_replicas
    yield f"-B {binary_size(filesystem.block_bytes)} -i {filesystem.inode_bytes} -j scatter"
    yield f"-m {replicas} -M {max(replicas, 2)} -r 1 -R 2"
    if filesystem.dmapi:
        yield "-z yes"


def _sections(plan: Plan, targets: Iterable[Target], catalog: Catalog) -> Iterator[dict[str, Any]]:
    array_of = {v.id: v.array or v.backing for v in plan.volumes}
    titles = {a.id: prose(catalog.get(Record, a.model).title) for a in plan.arrays}
    for array, group in groupby(targets, key=lambda t: array_of[t.volume] if t.volume else None):
        nsds = list(group)
        title = "on a server" if array is None else f"{word(array)}: {titles.get(array) or _served(nsds)}"
        yield {"title": title, "nsds": [_stanza(t) for t in nsds]}


def _served(nsds: Iterable[Target]) -> str:
    """The servers of NSDs that stand on no array."""
    return ", ".join(sorted({word(s) for t in nsds for s in t.servers}))


def _stanza(target: Target) -> dict[str, str]:
    return {
        "device": device(target.device),
        "nsd": name(target.id),
        "servers": comma_list(target.servers),
        "usage": word(nsd_of(target).usage),
        "failure_group": word(nsd_of(target).failure_group),
        "pool": word(nsd_of(target).pool),
    }


RENDERER = Renderer(
    name="stanzas",
    summary="NSD stanzas for mmcrnsd and mmcrfs",
    applies=lambda plan: isinstance(plan.filesystem, ScaleFilesystem) and bool(plan.targets),
    files=files,
)
