"""What the arrays reported against the plan: before anything is created on them, and after."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize import units
from pixsize.check.case import Case, capacity
from pixsize.check.gather import Hit, gathered, listed
from pixsize.check.observing import both, groups, read_at, volumes
from pixsize.findings import Finding
from pixsize.observed import ObservedArray, ObservedDisk, ObservedGroup, ObservedVolume
from pixsize.plan.records import Array, DiskGroup, Volume

_FREE = ("AVAIL",)
_IN_GROUP = ("LINEAR POOL", "VDISK")
_SPARE = ("GLOBAL SP",)
"""How `show disks` words the use of a drive; a running job may be written behind it (`LINEAR POOLVRSC`)."""

_DRIVE_TOLERANCE = 0.01
"""A drive may report a little less than it is sold as. The next smaller model is always a tenth smaller or more."""

_GROUP_LOW, _GROUP_HIGH = 0.90, 1.01
"""A real group lies about 2.2 % under nominal; outside this span it is another group, or other drives."""


def known_arrays(case: Case) -> Iterator[Finding]:
    """PX302: every reply is of an array that the plan has."""
    from difflib import get_close_matches

    unknown = sorted(set(case.observed.arrays) - set(case.arrays))
    if not unknown:
        return
    near = get_close_matches(unknown[0], case.arrays, 1)
    message = f"replies of {listed(unknown)}; the plan has {listed(case.arrays)}"
    hint = f"did you mean {near[0]}? A file is named with its array's id first" if near else "rename the files"
    yield Finding("PX302", message, "", hint)


def nothing_observed(case: Case) -> Iterator[Finding]:
    """PX308: when some arrays were observed, all were."""
    seen = set(case.observed.arrays) & set(case.arrays)
    missing = [a.id for a in case.plan.arrays if a.id not in seen]
    if seen and missing:
        given = f"replies were given for {len(seen):,} of {len(case.arrays):,} arrays"
        hint = "collect the replies that the run book in the me4 folder names"
        yield Finding("PX308", f"nothing was observed of {listed(missing)}; {given}", "", hint)


def enclosures(case: Case) -> Iterator[Finding]:
    """PX304: the enclosures have the indices that the plan gives them: the expansion is enclosure 1."""

    def hits() -> Iterator[Hit]:
        for array, seen in both(case):
            if seen.enclosures:
                yield from ((case.where(array.id), why) for why in _enclosure_troubles(case, array, seen))

    allowed = "every disk list in the plan counts on these numbers"
    return gathered("PX304", hits(), allowed, "check the cabling, and `show enclosures` again")


def drives(case: Case) -> Iterator[Finding]:
    """PX304: each planned slot holds a drive of the planned type and size that nothing else uses."""

    def hits() -> Iterator[Hit]:
        for array, seen in both(case):
            if seen.disks:
                yield from ((case.where(array.id), f"{array.id}: {why}") for why in _disk_troubles(case, array, seen))

    allowed = "every planned slot holds a free drive of the planned type and size"
    return gathered("PX304", hits(), allowed, "compare with `show disks`")


def group_sizes(case: Case) -> Iterator[Finding]:
    """PX304: a reported group has about the size of its drives, and holds the volume that is planned on it."""

    def hits() -> Iterator[Hit]:
        on = {v.backing: v for v in case.plan.volumes}
        for group, reply, seen in groups(case):
            why = _size_trouble(group, reply, on.get(group.id))
            if why:
                yield case.where(group.array), f"{why}{read_at(seen, 'group', group.id)}"

    allowed = "a group has the size of its data drives as sold, from 10 % less to 1 % more"
    return gathered("PX304", hits(), allowed, "compare with `show disk-groups` and `show volumes`")


def one_wwid_each(case: Case) -> Iterator[Finding]:
    """PX304: no two volumes report one WWID, or two aliases would name one device."""
    owners: dict[str, str] = {}

    def hits() -> Iterator[Hit]:
        for array, seen in both(case):
            for volume in filter(lambda v: v.wwid, seen.volumes.values()):
                first = owners.setdefault(volume.wwid, f"{array.id}'s {volume.name}")
                if first != f"{array.id}'s {volume.name}":
                    yield case.where(array.id), f"{first} and {array.id}'s {volume.name} both report WWID {volume.wwid}"

    return gathered("PX304", hits(), "a WWID names one volume", "collect `show volumes` of each array again")


def strange_names(case: Case) -> Iterator[Finding]:
    """PX306: the array holds no group or volume, and no enclosure's drives, that the plan does not know."""
    groups_of = {a: {g.id for g in case.groups_of[a]} for a in case.arrays}
    volumes_of: dict[str, set[str]] = {a: set() for a in case.arrays}
    for volume in case.plan.volumes:
        volumes_of.setdefault(volume.array, set()).add(volume.id)

    def hits() -> Iterator[Hit]:
        for array, seen in both(case):
            strange = sorted(set(seen.groups) - groups_of[array.id])
            if strange:
                at = read_at(seen, "group", strange[0])
                yield (
                    case.where(array.id),
                    f"{array.id} reports disk groups that are not planned: {listed(strange)}{at}",
                )
            strange = sorted(set(seen.volumes) - volumes_of[array.id])
            if strange:
                at = read_at(seen, "volume", strange[0])
                yield case.where(array.id), f"{array.id} reports volumes that are not planned: {listed(strange)}{at}"
            more = sorted({e for e, _ in seen.disks} - {e.index for e in array.enclosures})
            if more:
                yield case.where(array.id), f"{array.id} reports drives in an enclosure not planned: {listed(more)}"

    return gathered("PX306", hits(), "an array holds what is planned and nothing else", "compare before going on")


def volumes_as_planned(case: Case) -> Iterator[Finding]:
    """PX306: a volume that exists has the planned owner and size."""

    def hits() -> Iterator[Hit]:
        for volume, reply, seen in volumes(case):
            at = read_at(seen, "volume", volume.id)
            yield from ((case.where(volume.array), f"{why}{at}") for why in _volume_troubles(case, volume, reply))

    return gathered("PX306", hits(), "a volume has the planned owner and size", "compare before going on")


def larger_drives(case: Case) -> Iterator[Finding]:
    """PX306: no drive is larger than planned; the plan would then count too little."""

    def hits() -> Iterator[Hit]:
        for array, seen in both(case):
            for enclosure, slot, drive_id, _ in _planned_disks(case, array):
                disk = seen.disks.get((enclosure, slot))
                sold = case.drive(drive_id).capacity_bytes
                if disk and disk.bytes and disk.bytes > sold * (1 + _DRIVE_TOLERANCE):
                    size, at = units.decimal_bytes(disk.bytes), read_at(seen, "disk", (enclosure, slot))
                    place = f"{array.id} {enclosure}.{slot}"
                    yield case.where(array.id), f"the drive in {place} has {size}, not {drive_id}{at}"

    return gathered("PX306", hits(), "drives have the planned size", "correct the request's drive")


RULES = (
    known_arrays,
    enclosures,
    drives,
    group_sizes,
    one_wwid_each,
    strange_names,
    volumes_as_planned,
    larger_drives,
    nothing_observed,
)


def _enclosure_troubles(case: Case, array: Array, seen: ObservedArray) -> Iterator[str]:
    for enclosure in array.enclosures:
        if enclosure.index not in seen.enclosures:
            yield f"{array.id} reports no enclosure {enclosure.index}, where an {enclosure.model.upper()} is planned"
            continue
        text = _plain(seen.enclosures[enclosure.index])
        named = [m for m in case.catalog.ids("array") if _plain(m) in text]
        if named and enclosure.model not in named:
            seen_and_due = f"an {named[0].upper()}, planned is an {enclosure.model.upper()}"
            yield f"enclosure {enclosure.index} of {array.id} is {seen_and_due}" + read_at(
                seen, "enclosure", enclosure.index
            )


def _plain(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


def _planned_disks(case: Case, array: Array) -> Iterator[tuple[int, int, str, tuple[str, ...]]]:
    """Enclosure, slot, drive and legal uses of each planned drive of an array.

    A drive is in use only where the array also reports the group that it is planned for.
    """
    reported = case.observed.arrays[array.id].groups
    for group in case.groups_of[array.id]:
        uses = _FREE + _IN_GROUP if group.id in reported else _FREE
        yield from ((group.enclosure, slot, group.drive, uses) for slot in group.slots)
    for spares in case.spares_of[array.id]:
        yield from ((spares.enclosure, slot, spares.drive, _FREE + _SPARE) for slot in spares.slots)


def _disk_troubles(case: Case, array: Array, seen: ObservedArray) -> Iterator[str]:
    for enclosure, slot, drive_id, uses in _planned_disks(case, array):
        disk = seen.disks.get((enclosure, slot))
        if disk is None:
            yield f"no drive is reported in {enclosure}.{slot}"
        else:
            why = _disk_trouble(case, disk, drive_id, uses)
            if why:
                yield f"the drive in {enclosure}.{slot} {why}{read_at(seen, 'disk', (enclosure, slot))}"


def _disk_trouble(case: Case, disk: ObservedDisk, drive_id: str, uses: tuple[str, ...]) -> str:
    drive = case.drive(drive_id)
    if not disk.usage.strip().upper().startswith(uses) or disk.usage.strip().upper().startswith("VDISK SP"):
        return f"is in use as {disk.usage}, where {' or '.join(uses)} is due"
    if disk.bytes is not None and disk.bytes < drive.capacity_bytes * (1 - _DRIVE_TOLERANCE):
        return f"has {units.decimal_bytes(disk.bytes)}, planned are {units.decimal_bytes(drive.capacity_bytes)}"
    kind = disk.description.strip().upper()
    is_ssd, is_fast = "SSD" in kind, kind == "SAS"  # nearline drives are `SAS MDL`
    if kind and (is_ssd != (drive.media in ("sas-ssd", "nvme")) or (is_fast and drive.media == "nl-sas")):
        return f"is {disk.description!r}, planned is {drive.title}"
    return ""


def _size_trouble(group: DiskGroup, reply: ObservedGroup, volume: Volume | None) -> str:
    if not group.bytes * _GROUP_LOW <= reply.bytes <= group.bytes * _GROUP_HIGH:
        size = units.decimal_bytes(reply.bytes)
        return f"{group.id} reports {size}, its data drives as sold make {units.decimal_bytes(group.bytes)}"
    # Against the plan's own idea of the group, a volume that is too large is PX520's.
    if volume and reply.bytes < min(volume.bytes, capacity(group)):
        return f"{group.id} reports {reply.bytes:,} bytes, and {volume.id} is planned with {volume.bytes:,}"
    return ""


def _volume_troubles(case: Case, volume: Volume, reply: ObservedVolume) -> Iterator[str]:
    align = case.limit(f"{case.family(volume.array)}.volume_alignment")
    if reply.owner and reply.owner.strip().lower() != volume.owner:
        yield f"{volume.id} belongs to controller {reply.owner}, planned is {volume.owner.upper()}"
    if reply.bytes is not None and abs(reply.bytes - volume.bytes) >= align:
        cure = ": expand it before mmcrnsd" if reply.bytes < volume.bytes else ""
        yield f"{volume.id} has {reply.bytes:,} bytes, planned are {volume.bytes:,}{cure}"
