"""How the arrays say that their groups, volumes and drives are built and feel, against the plan.

A field that a reply does not hold is not judged: siblings and firmware releases differ in what they report.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pixsize import units
from pixsize.arrays.rules.observing import both, groups, read_at, volumes
from pixsize.check.case import Case
from pixsize.check.gather import Hit, gathered, listed
from pixsize.findings import About, Finding
from pixsize.observed import ObservedArray, ObservedGroup
from pixsize.plan.records import Array, DiskGroup, Volume

_WELL = frozenset({"ok", "n/a"})
_ONLINE = frozenset({"ftol", "up", "n/a"})
"""Fault-tolerant and online, or online without redundancy to lose (Dell PowerVault ME4 CLI Guide, disk-groups)."""

_EMPTY = 0.995
"""From this free share on a group held no volume when it was asked: rounding takes less, and a volume more."""


def group_build(case: Case) -> Iterator[Finding]:
    """PX304: a group is linear and has the planned level, number of drives and chunk size."""

    def hits() -> Iterator[Hit]:
        for group, reply, seen in groups(case):
            for why in _build_troubles(group, reply):
                yield case.where(group.array), f"{group.id} {why}{read_at(seen, 'group', group.id)}"

    allowed = "none of this can be changed once a group exists"
    return gathered("PX304", hits(), allowed, "delete the group while it is empty, and add it again")


def sector_formats(case: Case) -> Iterator[Finding]:
    """PX304: the drives of a kind in an enclosure have one sector format, spares among them."""

    def hits() -> Iterator[Hit]:
        for array, seen in both(case):
            for (enclosure, drive), formats in _formats(case, array, seen).items():
                if len(formats) > 1:
                    kinds = " and ".join(f"{word} {where}" for word, (_, where) in sorted(formats.items()))
                    at = read_at(seen, "disk", (enclosure, min(slot for slot, _ in formats.values())))
                    drives = f"the drives {drive} in enclosure {enclosure} of {array.id}"
                    yield case.where(array.id), f"{drives} are {kinds}{at}"

    allowed = "the drives of a kind in an enclosure have one sector format, spares among them"
    return gathered("PX304", hits(), allowed, "replace the odd ones")


def volumes_in_place(case: Case) -> Iterator[Finding]:
    """PX304: a volume that exists lies in the group that is planned for it."""

    def hits() -> Iterator[Hit]:
        for volume, reply, seen in volumes(case):
            if reply.group and reply.group != volume.backing:
                at = read_at(seen, "volume", volume.id)
                yield case.where(volume.array), f"{volume.id} lies in {reply.group}, planned is {volume.backing}{at}"

    allowed = "a volume cannot be moved to another group"
    return gathered("PX304", hits(), allowed, "delete the volume while nothing is on it, and create it again")


def shared_groups(case: Case) -> Iterator[Finding]:
    """PX304: what a group does not report as free is held by what is planned on it."""

    def hits() -> Iterator[Hit]:
        for group, reply, seen in groups(case):
            held = _held_by_others(case, reply, seen, _volumes_on(case, group))
            if held:
                size, at = units.decimal_bytes(held), read_at(seen, "group", group.id)
                yield case.where(group.array), f"something else holds {size} of {group.id}{at}"

    allowed = "a group has one volume, and all of its space is that volume's or free"
    hint = "compare `show disk-groups` and `show volumes`, collected at one time"
    return gathered("PX304", hits(), allowed, hint)


def unclear_room(case: Case) -> Iterator[Finding]:
    """PX306: the volume on a group is reported with it, and takes all of it."""

    def hits() -> Iterator[Hit]:
        for group, reply, seen in groups(case):
            why = _room_trouble(case, group, reply, seen)
            if why:
                why += read_at(seen, "group", group.id)
                yield case.where(group.array), About(group.array, "volume", why)

    return gathered(
        "PX306", hits(), "a volume spans its group", f"expand volumes before {case.terms.makes}, never after it"
    )


def conditions(case: Case) -> Iterator[Finding]:
    """PX306: enclosures, groups, volumes and drives are healthy, with the planned controller and write-back."""
    hits = (
        *_enclosure_conditions(case),
        *_group_conditions(case),
        *_volume_conditions(case),
        *_disk_conditions(case),
    )
    allowed = "parts are healthy, with the planned owner and write-back"
    return gathered("PX306", hits, allowed, "compare before going on")


def missing_parts(case: Case) -> Iterator[Finding]:
    """PX306: a reply with some of an array's planned groups, or volumes, has all of them."""

    def hits() -> Iterator[Hit]:
        volumes_of: dict[str, list[str]] = defaultdict(list)
        for volume in case.plan.volumes:
            volumes_of[volume.array].append(volume.id)
        for array, seen in both(case):
            due = [g.id for g in case.groups_of[array.id]]
            gone = [name for name in due if name not in seen.groups]
            if 0 < len(gone) < len(due):
                why = f"{array.id} reports disk groups, but not the planned {listed(gone)}"
                yield case.where(array.id), About(array.id, "group", why)
            gone = [name for name in volumes_of[array.id] if name not in seen.volumes]
            if 0 < len(gone) < len(volumes_of[array.id]):
                why = f"{array.id} reports volumes, but not the planned {listed(gone)}"
                yield case.where(array.id), About(array.id, "volume", why)

    allowed = "an array reports all of them, or none before they are created"
    return gathered("PX306", hits(), allowed, "finish the array's commands, and collect the reply again")


RULES = (
    group_build,
    sector_formats,
    volumes_in_place,
    shared_groups,
    unclear_room,
    conditions,
    missing_parts,
)


def _build_troubles(group: DiskGroup, reply: ObservedGroup) -> Iterator[str]:
    if reply.storage_type and reply.storage_type.lower() != "linear":
        yield f"is of storage type {reply.storage_type}, planned is Linear"
    if reply.pool and reply.pool != group.id:
        yield f"belongs to pool {reply.pool}, where a linear group is a pool of its own name"
    due = f"RAID{group.level.removeprefix('r')}"
    if reply.raid and "".join(c for c in reply.raid.upper() if c.isalnum()) != due:
        yield f"is {reply.raid}, planned is {due}"
    if reply.disks is not None and reply.disks != len(group.slots):
        yield f"has {reply.disks:,} drives, planned are {len(group.slots)}"
    if reply.chunk_bytes and group.chunk_bytes and reply.chunk_bytes != group.chunk_bytes:
        planned = units.binary_bytes(group.chunk_bytes)
        yield f"has chunks of {units.binary_bytes(reply.chunk_bytes)}, planned are {planned}"


def _formats(case: Case, array: Array, seen: ObservedArray) -> dict[tuple[int, str], dict[str, tuple[int, str]]]:
    """Of each enclosure and kind of drive the sector formats, each with its first slot and, in words, where that is."""
    found: dict[tuple[int, str], dict[str, tuple[int, str]]] = defaultdict(dict)
    holders = [(g.enclosure, g.drive, g.slots, g.id) for g in case.groups_of[array.id]]
    holders += [(s.enclosure, s.drive, s.slots, "the spares") for s in case.spares_of[array.id]]
    for enclosure, drive, slots, name in holders:
        for slot in slots:
            disk = seen.disks.get((enclosure, slot))
            if disk and disk.sector_format:
                first = (slot, f"({enclosure}.{slot}) in {name}")
                found[enclosure, drive].setdefault(disk.sector_format.lower(), first)
    return found


def _volumes_on(case: Case, group: DiskGroup) -> list[Volume]:
    return [case.volumes[name] for name in case.volumes_on[group.id]]


def _was_empty(reply: ObservedGroup) -> bool:
    return reply.free_bytes is not None and reply.free_bytes >= reply.bytes * _EMPTY


def _slack(case: Case, group_array: str) -> int:
    """What rounding a volume down, and a group's own end, may leave over."""
    return 2 * case.limit(f"{case.family(group_array)}.volume_alignment")


def _held_by_others(case: Case, reply: ObservedGroup, seen: ObservedArray, planned: list[Volume]) -> int:
    """Bytes of a group that are neither free nor the planned volumes'; 0 where the replies do not prove any."""
    if reply.free_bytes is None or not planned:
        return 0
    mine = {v.id for v in planned}
    if _was_empty(reply) and not any(
        v.group == planned[0].backing for v in seen.volumes.values() if v.name not in mine
    ):
        return 0
    there = [seen.volumes[v.id] for v in planned if v.id in seen.volumes]
    if any(t.bytes is None for t in there):
        return 0
    if len(there) < len(planned) and not set(seen.volumes) - set(case.volumes):
        return 0  # nothing proves that it is not a planned volume
    rest = reply.bytes - reply.free_bytes - sum(t.bytes or 0 for t in there)
    return rest if rest > _slack(case, planned[0].array) else 0


def _room_trouble(case: Case, group: DiskGroup, reply: ObservedGroup, seen: ObservedArray) -> str:
    """Why the room for the planned volumes is not certain, or not used; empty when it is."""
    planned, free = _volumes_on(case, group), reply.free_bytes
    if not planned or _was_empty(reply):
        return ""
    names = listed(v.id for v in planned)
    there = [seen.volumes[v.id] for v in planned if v.id in seen.volumes]
    unsaid = len(there) < len(planned) and (free or not seen.volumes)  # a reply with others only is PX304's or PX306's
    if unsaid and free is not None and not _held_by_others(case, reply, seen, planned):
        size = f"{units.decimal_bytes(free)} free of {units.decimal_bytes(reply.bytes)}"
        return f"{group.id} has {size}, and no reply says that {names} holds the rest: collect `show volumes`"
    if len(there) < len(planned) or any(t.bytes is None for t in there):
        return ""
    slack, taken = _slack(case, group.array), sum(t.bytes or 0 for t in there)
    if free and taken + free > reply.bytes + slack:
        return f"{names} and the free space of {group.id} are more than the group: collect both replies again"
    sizes = f"{units.decimal_bytes(taken)} of {units.decimal_bytes(reply.bytes)}"
    spans = case.terms.expands or group.purpose == "data"  # MDTs are only as large as the smallest of them
    small = spans and free is None and reply.bytes - taken > slack
    return f"{names} takes {sizes} of {group.id}: expand it before {case.terms.makes}" if small else ""


def _is_ill(health: str | None) -> bool:
    return health is not None and health.lower() not in _WELL


def _enclosure_conditions(case: Case) -> Iterator[Hit]:
    for array, seen in both(case):
        for due in array.enclosures:
            there = seen.enclosures.get(due.index)
            name, at = f"enclosure {due.index} of {array.id}", read_at(seen, "enclosure", due.index)
            if there and not there.model:
                why = f"{name} reports no model, planned is {case.enclosure(due.model).title}{at}"
                yield case.where(array.id), About(array.id, "enclosure", why)
            if there and _is_ill(there.health):
                why = f"the health of {name} is {there.health}{at}"
                yield case.where(array.id), About(array.id, "enclosure", why)


def _group_conditions(case: Case) -> Iterator[Hit]:
    for group, reply, seen in groups(case):
        at = read_at(seen, "group", group.id)
        for why in _group_troubles(group, reply):
            yield case.where(group.array), About(group.array, "group", f"{why}{at}")


def _group_troubles(group: DiskGroup, reply: ObservedGroup) -> Iterator[str]:
    for word, owner in (("owner", reply.owner), ("preferred owner", reply.preferred_owner)):
        if owner and owner.lower() != group.owner:
            yield f"{group.id} has controller {owner.upper()} as its {word}, planned is {group.owner.upper()}"
    if _is_ill(reply.health):
        yield f"the health of {group.id} is {reply.health}"
    if reply.status and reply.status.lower() not in _ONLINE:
        yield f"the status of {group.id} is {reply.status}, where FTOL is due"


def _volume_conditions(case: Case) -> Iterator[Hit]:
    for volume, reply, seen in volumes(case):
        at = read_at(seen, "volume", volume.id)
        if _is_ill(reply.health):
            why = f"the health of {volume.id} is {reply.health}{at}"
            yield case.where(volume.array), About(volume.array, "volume", why)
        if reply.write_policy and "through" in reply.write_policy.lower():
            why = f"{volume.id} is {reply.write_policy}, where write-back is due{at}"
            yield case.where(volume.array), About(volume.array, "volume", why)


def _disk_conditions(case: Case) -> Iterator[Hit]:
    for array, seen in both(case):
        places = [(g.enclosure, slot) for g in case.groups_of[array.id] for slot in g.slots]
        places += [(s.enclosure, slot) for s in case.spares_of[array.id] for slot in s.slots]
        for place in places:
            disk = seen.disks.get(place)
            if disk and _is_ill(disk.health):
                at = read_at(seen, "disk", place)
                why = f"the drive in {array.id} {place[0]}.{place[1]} is {disk.health}{at}"
                yield case.where(array.id), About(array.id, "disk", why)
