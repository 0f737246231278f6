"""The steps at the consoles of the ME4 arrays: check, disk groups, sizes, volumes and maps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Drive, Record
from pixsize.plan.records import DiskGroup, Plan, Spares
from pixsize.render.me4 import GROUPS, VOLUMES
from pixsize.render.me4_parts import Parts, parts_of
from pixsize.render.steps import PREPARED, REPLIES, Box, Look, Step, seconds
from pixsize.render.steps import VOLUMES as MAPPED
from pixsize.render.words import BLOCK, prose, word
from pixsize.units import decimal_bytes

_CHECKED = "arrays that were compared with the plan"
_GROUPS = "disk groups"
_SIZES = "volumes of the exact size"
_AGAIN = (
    "With the replies of **every** array in one folder, run"
    " `pixsize render all --config REQUEST --observed FOLDER -o DIR`. Then go on in the new RUNBOOK.md."
)


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """What is done at each array, in its order; a step for all arrays."""
    parts = parts_of(plan)
    grouped = all(g.reported_bytes is not None for g in plan.disk_groups)
    mapped = all(v.wwid is not None for v in plan.volumes)
    return (
        _check(parts, catalog)._replace(done=grouped or mapped),
        _groups(parts, catalog)._replace(done=grouped or mapped),
        *(() if mapped else _exact(parts, catalog)),
        _hosts(parts, catalog)._replace(done=mapped),
        _volumes(parts, catalog)._replace(done=mapped),
        *_names(plan, parts, catalog),
    )


def _page(parts: Parts, section: str) -> str:
    return f"me4/{word(parts.array.id)}/README.md#{section}"


def _model(parts: Parts, catalog: Catalog) -> str:
    titles = (prose(catalog.get(Record, e.model).title) for e in parts.array.enclosures)
    return " + ".join(titles)


def _drives(parts: Parts, catalog: Catalog) -> str:
    """The drives of an array, as `84 drives of 12 TB`."""
    held: Counter[str] = Counter()
    holders: tuple[DiskGroup | Spares, ...] = (*parts.groups, *parts.spares)
    for holder in holders:
        held[holder.drive] += len(holder.slots)
    return ", ".join(f"{n} drives of {decimal_bytes(catalog.get(Drive, d).capacity_bytes)}" for d, n in held.items())


def _sizes(parts: Parts) -> str:
    """The volumes of an array, as `8 of 183,370,039,296 blocks`."""
    return ", ".join(f"{n} of {size // BLOCK} blocks" for size, n in Counter(v.bytes for v in parts.volumes).items())


def _check(parts: tuple[Parts, ...], catalog: Catalog) -> Step:
    look = seconds(catalog, "look")
    rows = (
        Look("`show system`", "the model named at the box, health OK"),
        Look("`show versions`", "the same bundle on both controllers"),
        Look("`show redundancy-mode`", "Active-Active ULP, both controllers operational"),
        Look("`show advanced-settings`", "`auto-write-back` Enabled; write down what `dynamic-spares` says"),
        Look("`show enclosures`", "the enclosures named at the box, and no others"),
        Look("`show disks`", "the drives named at the box, usage `AVAIL` and health OK on each"),
        Look("`show disk-groups`, `show volumes`", "nothing: a group or a volume that exists is somebody's data"),
    )
    return Step(
        "Compare each array with the plan",
        tuple(
            Box(
                word(p.array.id),
                f"{_model(p, catalog)}, {_drives(p, catalog)}: enter the commands of the table at its console",
                _page(p, "1."),
                look * len(rows),
            )
            for p in parts
        ),
        rows,
        provides=(_CHECKED,),
        text=(
            "Switch on the expansion enclosures first, then the arrays, then the servers. Before the first `show`,"
            " enter `set cli-parameters json pager off` at each array, and save the replies of `show enclosures` and"
            " `show disks` as the page says: `pixsize check --config REQUEST --observed FOLDER` compares them with the"
            " plan.",
        ),
    )


def _groups(parts: tuple[Parts, ...], catalog: Catalog) -> Step:
    each = seconds(catalog, "array_command")
    return Step(
        "Make the disk groups and spares",
        tuple(
            Box(
                word(p.array.id),
                f"enter the {_commands(p)} commands of `me4/{word(p.array.id)}/{GROUPS}` one by one:"
                f" {len(p.groups)} disk groups, {_spares(p)} spares",
                _page(p, "2."),
                each * _commands(p),
            )
            for p in parts
        ),
        (
            Look("each reply", "`Success`; stop at any other reply, and never send a whole file"),
            Look(
                "`show disk-groups`", "the groups of the page, storage type Linear, health OK; a job INIT may still run"
            ),
            Look("`show disks`", "no drive is `AVAIL` any more; the spares are `GLOBAL SP`"),
        ),
        needs=(_CHECKED,),
        provides=(_GROUPS,),
        destroys="all data on every drive of these arrays",
        takes="the array initialises the groups for hours afterwards; until then they work, and are slower",
    )


def _commands(parts: Parts) -> int:
    return len(parts.groups) + len(parts.spares)


def _spares(parts: Parts) -> str:
    return str(sum(len(s.slots) for s in parts.spares) or "no")


def _exact(parts: tuple[Parts, ...], catalog: Catalog) -> Iterator[Step]:
    """The replies about the groups, where a volume was planned without them: its size is a guess until then."""
    unknown = [p for p in parts if any(g.reported_bytes is None for g in p.groups)]
    if unknown:
        yield Step(
            "Collect the sizes of the disk groups, and render again",
            tuple(
                Box(
                    word(p.array.id),
                    f"save the reply to `show disk-groups` as `{word(p.array.id)}.disk-groups.json`",
                    _page(p, "3."),
                    seconds(catalog, "look"),
                )
                for p in unknown
            ),
            (Look("the new `02-volumes.cli`", "sizes that differ from those of this folder by some per cent"),),
            needs=(_GROUPS,),
            provides=(_SIZES,),
            text=(
                _AGAIN,
                "The sizes of this folder are a few per cent below what the groups hold. They work, and waste space.",
            ),
        )


def _hosts(parts: tuple[Parts, ...], catalog: Catalog) -> Step:
    look = seconds(catalog, "look")
    return Step(
        "See which hosts are cabled to each array",
        tuple(
            Box(
                word(p.array.id),
                f"compare `show initiators` with `lsscsi -t -H` of {' and '.join(map(word, p.module.servers))}",
                _page(p, "4."),
                3 * look,
            )
            for p in parts
        ),
        (
            Look("`lsscsi -t -H` on each of the two servers", "the SAS addresses (WWPNs) of its adapters"),
            Look("`show initiators`", "`discovered` Yes for addresses of these two servers, and for no other"),
            Look("the same", "each server on one port of controller A and on one of controller B"),
        ),
        needs=(PREPARED, _GROUPS),
        provides=("hosts that were compared",),
        text=("A mapped volume can be written by every host that has a cable to its array.",),
    )


def _volumes(parts: tuple[Parts, ...], catalog: Catalog) -> Step:
    each = seconds(catalog, "array_command")
    return Step(
        "Make and map the volumes",
        tuple(
            Box(
                word(p.array.id),
                f"enter the {2 * len(p.volumes)} commands of `me4/{word(p.array.id)}/{VOLUMES}` one by one:"
                f" {len(p.volumes)} volumes ({_sizes(p)}) and their maps",
                _page(p, "4."),
                2 * each * len(p.volumes),
            )
            for p in parts
        ),
        (
            Look("each reply", "`Success`"),
            Look("`show volumes`, before the first `map volume`", "`write-policy` is `write-back` for every volume"),
            Look("`show volumes`", "the volumes of the page, with its blocks, owners and LUNs"),
            Look("`show maps`", "each volume once, read-write, all other initiators, all ports, the planned LUN"),
        ),
        needs=("hosts that were compared",),
        after=(_SIZES,),
        provides=(MAPPED,),
    )


def _names(plan: Plan, parts: tuple[Parts, ...], catalog: Catalog) -> Iterator[Step]:
    """The replies about the volumes, where a WWID is unknown: servers cannot name their devices without it."""
    unknown = {v.array for v in plan.volumes if v.wwid is None}
    if unknown:
        yield Step(
            "Collect the WWIDs of the volumes, and render again",
            tuple(
                Box(
                    word(p.array.id),
                    f"save the reply to `show volumes` as `{word(p.array.id)}.volumes.json`",
                    _page(p, "4."),
                    seconds(catalog, "look"),
                )
                for p in parts
                if p.array.id in unknown
            ),
            (Look("`find DIR -name '*.incomplete'`", "nothing"),),
            needs=(MAPPED,),
            provides=(REPLIES,),
            text=(_AGAIN,),
        )
