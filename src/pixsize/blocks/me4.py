"""PowerVault ME4 arrays: linear disk groups from an enclosure's layout, and one volume over each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Design, Drive, Layout, LayoutGroup, Limit
from pixsize.observed import Observed, ObservedArray, ObservedGroup, ObservedVolume
from pixsize.plan.records import Array, DiskGroup, Enclosure, Module, Spares, Volume

MIRRORED = frozenset({"r1", "r10"})
PARITY_DRIVES = {"r5": 1, "r6": 2}
PURPOSE_WORDS = {"data": "data", "metadata": "meta"}
"""The part of a volume's name that says what it holds."""


def data_drives(level: str, drives: int) -> int:
    """How many of a group's drives hold data once parity or mirrors are taken off."""
    return drives // 2 if level in MIRRORED else drives - PARITY_DRIVES[level]


def lay_out(
    module: Module, arrays: Iterable[Array], design: Design, observed: Observed, catalog: Catalog
) -> tuple[tuple[DiskGroup, ...], tuple[Spares, ...]]:
    """The disk groups and hot spares of a module's arrays, with the sizes that the arrays reported, where they did.

    Owners alternate over all groups of one purpose in the module, so that an odd count in one array evens out in the
    next (Dell PixStor 6 white paper, Storage Configuration on ME4 Arrays, for the slots; owners are ours).
    """
    groups: list[DiskGroup] = []
    spares: list[Spares] = []
    turns = {purpose: count() for purpose in PURPOSE_WORDS}
    for array in arrays:
        numbers = {purpose: count(1) for purpose in PURPOSE_WORDS}
        for enclosure in array.enclosures:
            layout = catalog.get(Layout, enclosure.layout)
            for kind, slots in _groups_of(layout):
                owner = design.owners[next(turns[kind.purpose]) % len(design.owners)]
                group = _group(module, array, enclosure, kind, slots, next(numbers[kind.purpose]), catalog)
                groups.append(group._replace(owner=owner, reported_bytes=_reported(group, observed)))
            if layout.spares:
                hot = Spares(array=array.id, enclosure=enclosure.index, slots=layout.spares, drive=module.drive)
                spares.append(hot)
    return tuple(groups), tuple(spares)


def volumes_of(layouts: Iterable[str], catalog: Catalog) -> int:
    """How many volumes enclosures with these layouts give: one a disk group."""
    return sum(len(kind.slots) for layout in layouts for kind in catalog.get(Layout, layout).groups)


def carve(groups: Iterable[DiskGroup], observed: Observed, catalog: Catalog) -> tuple[Volume, ...]:
    """One volume over each disk group, LUNs counted up within each array.

    The size is what the array reported, or the nominal size less a margin, since `create volume` has no `size max` and
    a group's size is known only once it exists. Both are rounded down to the array's alignment.
    """
    luns: dict[str, Iterator[int]] = {}
    first_lun = catalog.get(Limit, "me4.lun_min").value
    align = catalog.get(Limit, "me4.volume_alignment").value
    margin = catalog.get(Constant, "me4.volume_margin").value
    nothing = ObservedArray()
    volumes = []
    for group in groups:
        seen = observed.arrays.get(group.array, nothing)
        name = group.id.removeprefix("dg_")
        wanted = (
            _room(seen.groups[group.id], seen.volumes.get(name))
            if group.id in seen.groups
            else int(group.bytes * (1 - margin))
        )
        volumes.append(
            Volume(
                id=name,
                provider="me4",
                backing=group.id,
                array=group.array,
                bytes=max(wanted // align, 1) * align,  # a volume of nothing is none; the checks judge the size
                purpose=group.purpose,
                lun=next(luns.setdefault(group.array, count(first_lun))),
                owner=group.owner,
                wwid=seen.volumes[name].wwid if name in seen.volumes else None,
                reported_bytes=seen.volumes[name].bytes if name in seen.volumes else None,
            )
        )
    return tuple(volumes)


def _reported(group: DiskGroup, observed: Observed) -> int | None:
    seen = observed.arrays.get(group.array, ObservedArray()).groups.get(group.id)
    return seen.bytes if seen else None


def _room(group: ObservedGroup, volume: ObservedVolume | None) -> int:
    """What a volume over the whole group may take.

    That is the free space of a group that is empty, or was when it was asked. Once its volume exists, the free space is
    the remainder only: the room is both together, or the group's own size where the volume was not reported.
    """
    free = group.free_bytes or 0
    if (group.bytes - free) * 200 <= group.bytes:  # all but 0.5 %, which is more than rounding and less than a volume
        return free
    return min(volume.bytes + free, group.bytes) if volume and volume.bytes else group.bytes


def _groups_of(layout: Layout) -> Iterator[tuple[LayoutGroup, tuple[int, ...]]]:
    return ((kind, slots) for kind in layout.groups for slots in kind.slots)


def _group(
    module: Module,
    array: Array,
    enclosure: Enclosure,
    kind: LayoutGroup,
    slots: tuple[int, ...],
    number: int,
    catalog: Catalog,
) -> DiskGroup:
    drive = module.metadata_drive if kind.purpose == "metadata" and module.metadata_drive else module.drive
    return DiskGroup(
        id=f"dg_{array.id}_{PURPOSE_WORDS[kind.purpose]}{number:02d}",
        array=array.id,
        enclosure=enclosure.index,
        slots=slots,
        level=kind.level,
        owner="a",
        purpose=kind.purpose,
        drive=drive,
        bytes=data_drives(kind.level, len(slots)) * catalog.get(Drive, drive).capacity_bytes,
        chunk_bytes=None if kind.level == "r1" else module.chunk_bytes,
    )
