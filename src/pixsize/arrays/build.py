"""Arrays: modules and what stands in them, disk groups from an enclosure's layout, volumes over them, first servers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign
from pixsize.catalog.records import Constant, Drive, Layout, LayoutGroup, Limit
from pixsize.observed import Observed, ObservedArray, ObservedGroup, ObservedVolume
from pixsize.plan.orders import ArrayOrder, BuiltStorage, Modules, SmallVolume, servers_of
from pixsize.plan.records import Array, DiskGroup, Enclosure, Module, Server, Spares, Volume, data_drives

PURPOSE_WORDS = {"data": "data", "metadata": "meta"}
"""The part of a volume's name that says what it holds."""
_SMALL_SHARE = 8
"""A small volume takes at most one part in so many of its group, so that the main volume has nearly all. This guards
against replies of a tiny group alone: real groups are always larger than eight times this volume."""


def build(order: ArrayOrder, design: ArrayDesign, observed: Observed, catalog: Catalog) -> BuiltStorage:
    """The modules of an order with their disk groups, spares and volumes."""
    built = hardware(order)
    groups, spares = _all_groups(built, design, observed, catalog)
    volumes = volumes_over(groups, design.volumes, observed, catalog, order.small_volume)
    made: frozenset[str] = frozenset()
    if order.as_made:
        made = frozenset(v.id for v in volumes if v.reported_bytes)
        volumes = tuple(v._replace(bytes=v.reported_bytes or v.bytes) for v in volumes)
    if order.equal_metadata:
        volumes = _equally_large(volumes, order.small_volume, made)
    return BuiltStorage(built.modules, built.servers, built.arrays, groups, spares, (), volumes)


def _all_groups(
    built: Hardware, design: ArrayDesign, observed: Observed, catalog: Catalog
) -> tuple[tuple[DiskGroup, ...], tuple[Spares, ...]]:
    groups: list[DiskGroup] = []
    spares: list[Spares] = []
    arrays_of: dict[str, list[Array]] = {m.id: [] for m in built.modules}
    for array in built.arrays:
        arrays_of[array.module].append(array)
    for module in built.modules:
        more_groups, more_spares = groups_and_spares(module, arrays_of[module.id], design, observed, catalog)
        groups += more_groups
        spares += more_spares
    return tuple(groups), tuple(spares)


def _equally_large(
    volumes: tuple[Volume, ...], small_volume: SmallVolume | None, made: frozenset[str]
) -> tuple[Volume, ...]:
    """The volumes with every main metadata volume as large as the smallest of them; those that are made stay."""
    main = [v for v in volumes if v.purpose == "metadata"]
    main = [v for v in main if not (small_volume and v.id.endswith(f"_{small_volume.suffix}"))]
    least = min((v.bytes for v in main), default=0)
    ids = {v.id for v in main} - made
    return tuple(v._replace(bytes=least) if v.id in ids else v for v in volumes)


def groups_and_spares(
    module: Module, arrays: Iterable[Array], design: ArrayDesign, observed: Observed, catalog: Catalog
) -> tuple[tuple[DiskGroup, ...], tuple[Spares, ...]]:
    """The disk groups and hot spares of a module's arrays, with the sizes that the arrays reported, where they did.

    Owners alternate over all groups of one purpose in the module, so that an odd count in one array evens out in the
    next. Slots are those of the layout record; the owners are chosen here.
    """
    groups: list[DiskGroup] = []
    spares: list[Spares] = []
    turns = {purpose: count() for purpose in PURPOSE_WORDS}
    for array in arrays:
        numbers = {purpose: count(1) for purpose in PURPOSE_WORDS}
        for enclosure in array.enclosures:
            layout = catalog.get(Layout, enclosure.layout)
            for kind, slots in (
                (layout_group, slots) for layout_group in layout.groups for slots in layout_group.slots
            ):
                owner = design.owners[next(turns[kind.purpose]) % len(design.owners)]
                group = _group(module, array, enclosure, kind, slots, next(numbers[kind.purpose]), catalog)
                reply = observed.arrays.get(array.id, ObservedArray()).groups.get(group.id)
                groups.append(group._replace(owner=owner, reported_bytes=reply.bytes if reply else None))
            if layout.spares:
                added = _added(array, enclosure, layout.spares, observed)
                spares.append(Spares(array.id, enclosure.index, layout.spares, module.drive, added))
    return tuple(groups), tuple(spares)


def volumes_over(
    groups: Iterable[DiskGroup],
    family: str,
    observed: Observed,
    catalog: Catalog,
    small_volume: SmallVolume | None = None,
) -> tuple[Volume, ...]:
    """One volume over each disk group, LUNs counted up within each array.

    The size is what the array reported, or the nominal size less a margin, since `create volume` has no `size max` and
    a group's size is known only once it exists. Both are rounded down to the array's alignment. The `small_volume`
    comes first on the first metadata group, whose main volume is as much smaller. Limits are those of the `family`.
    """
    luns: dict[str, Iterator[int]] = {}
    first_lun = catalog.get(Limit, f"{family}.lun_min").value
    align = catalog.get(Limit, f"{family}.volume_alignment").value
    margin = catalog.get(Constant, f"{family}.volume_margin").value
    volumes = []
    for group in groups:
        reported = observed.arrays.get(group.array, ObservedArray())
        names = [group.id.removeprefix("dg_")]
        if small_volume is not None and group.purpose == "metadata":
            names.insert(0, f"{group.array}_{small_volume.suffix}")
        available = int(group.bytes * (1 - margin))
        if group.id in reported.groups:
            available = _available_bytes(
                reported.groups[group.id], [reported.volumes[n] for n in names if n in reported.volumes]
            )
        sizes = [(names[0], available)]
        if small_volume is not None and len(names) > 1:
            small = _small_bytes(small_volume, available, reported.volumes.get(names[0]), align)
            sizes = [(names[0], small), (names[1], available - small)]
            small_volume = None
        volumes += [
            Volume(
                id=name,
                provider=family,
                backing=group.id,
                array=group.array,
                bytes=max(wanted // align, 1) * align,  # never 0 bytes; the rules judge the size
                purpose=group.purpose,
                lun=next(luns.setdefault(group.array, count(first_lun))),
                owner=group.owner,
                wwid=reported.volumes[name].wwid if name in reported.volumes else None,
                reported_bytes=reported.volumes[name].bytes if name in reported.volumes else None,
            )
            for name, wanted in sizes
        ]
    return tuple(volumes)


def _small_bytes(small_volume: SmallVolume, available: int, existing: ObservedVolume | None, align: int) -> int:
    """Bytes of the small volume: as it exists, or as ordered, but never more than an eighth of the group."""
    if existing is not None and existing.bytes:
        return existing.bytes
    return min(small_volume.bytes, max(available // _SMALL_SHARE // align, 1) * align)


def _added(array: Array, enclosure: Enclosure, slots: Iterable[int], observed: Observed) -> bool:
    """Whether all these drives are reported as spares, or in the group where one stands in for a lost drive."""
    disks = observed.arrays.get(array.id, ObservedArray()).disks
    reported = [disks.get((enclosure.index, slot)) for slot in slots]
    return all(disk and disk.usage.means in ("spare", "in_group") for disk in reported)


def _available_bytes(group: ObservedGroup, volumes: list[ObservedVolume]) -> int:
    """The bytes that volumes over the whole group may take.

    For a group that was empty when it reported, that is its free space. Once volumes exist on it, the free space is
    only the remainder: then it is the sum of volumes and free space, or the group's size where no volume was reported.
    """
    free = group.free_bytes or 0
    if group.was_empty:
        return free
    used = sum(v.bytes or 0 for v in volumes)
    return min(used + free, group.bytes) if used else group.bytes


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
        owner="a",  # `groups_and_spares` sets the owner, which alternates over the module
        purpose=kind.purpose,
        drive=drive,
        bytes=data_drives(kind.level, len(slots)) * catalog.get(Drive, drive).capacity_bytes,
        chunk_bytes=None if kind.level == "r1" else module.chunk_bytes,
    )


class Hardware(NamedTuple):
    """Everything that is bought and named before the first drive is grouped."""

    modules: tuple[Module, ...]
    servers: tuple[Server, ...]
    arrays: tuple[Array, ...]


def hardware(order: ArrayOrder) -> Hardware:
    """The modules of an order in its sequence, with their servers and arrays; the other servers come last."""
    modules: list[Module] = []
    servers: list[Server] = []
    arrays: list[Array] = []
    numbers: Counter[str] = Counter()
    for equal in order.modules:
        for turn in range(equal.number):
            numbers[equal.prefix] += 1
            module = _module(equal, turn, f"{equal.prefix}{numbers[equal.prefix]:02d}")
            modules.append(module)
            servers += servers_of(equal.servers._replace(hosts=module.servers), module.id)
            arrays += (_array(name, module, equal) for name in module.arrays)
    for other in order.others:
        servers += servers_of(other, None)
    return Hardware(tuple(modules), tuple(servers), tuple(arrays))


def _module(equal: Modules, turn: int, name: str) -> Module:
    each = len(equal.servers.hosts) // equal.number
    return Module(
        id=name,
        role=equal.role,
        size=equal.size,
        expansion=equal.expansion,
        drive=equal.drive,
        metadata_drive=equal.metadata_drive,
        servers=equal.servers.hosts[turn * each : (turn + 1) * each],
        arrays=tuple(f"{name}a{n}" for n in range(1, equal.arrays + 1)),
        chunk_bytes=equal.chunk_bytes,
        where=equal.where,
    )


def _array(name: str, module: Module, equal: Modules) -> Array:
    return Array(
        id=name,
        role=module.role,
        model=equal.enclosures[0][0],
        module=module.id,
        enclosures=tuple(
            Enclosure(index=i, model=model, layout=layout) for i, (model, layout) in enumerate(equal.enclosures)
        ),
    )


def server_orders(
    modules: Iterable[Module], arrays: Sequence[Array], volumes: Iterable[Volume]
) -> dict[str, tuple[str, ...]]:
    """The servers of each volume, the preferred first.

    Each volume takes the server that serves the fewest volumes of its owner so far in its module and purpose, so that
    each server has volumes of both controllers.
    """
    module_of = {a.id: a.module for a in arrays}
    pairs = {m.id: m.servers for m in modules}
    served: Counter[tuple[str, ...]] = Counter()
    orders = {}
    for volume in volumes:
        key = (module_of[volume.array], volume.purpose)
        pair = pairs[key[0]]
        first = min(pair, key=lambda s: (served[*key, s, volume.owner], served[*key, s], pair.index(s)))
        served.update([(*key, first, volume.owner), (*key, first)])
        turn = pair.index(first)
        orders[volume.id] = pair[turn:] + pair[:turn]
    return orders
