"""Rules that compare the plan with what arrays reported of groups, volumes and the health of all parts.

A field that a reply lacks is not judged: siblings and firmware releases differ in what they report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pixsize import units
from pixsize.arrays.rules.observed_drives import both, groups, read_at, volumes
from pixsize.check.context import Context, Hit, capacity, grouped
from pixsize.findings import About, Finding
from pixsize.observed import ObservedArray, ObservedGroup, ObservedVolume
from pixsize.plan.records import DiskGroup, Volume
from pixsize.texts import listed

_GROUP_LOW, _GROUP_HIGH = 0.90, 1.01
"""The share of its data drives as sold that a group may report. A real one lies about 2.2 % under them (constant
`array_overhead` of its family); the next size of drive is a tenth away or more, so that outside this span it is another
group, or one of other drives."""


def group_sizes(context: Context) -> Iterator[Finding]:
    """PX304: a reported group has about the size of its drives; PX306 where the file system is made on any size.

    Where the targets of one pool are to be alike, another size is an error. If target sizes may differ, warn only:
    small test volumes are legal.
    """

    def hits() -> Iterator[Hit]:
        for group, reply, observed in groups(context):
            if not group.bytes * _GROUP_LOW <= reply.bytes <= group.bytes * _GROUP_HIGH:
                reported, nominal = units.decimal_bytes(reply.bytes), units.decimal_bytes(group.bytes)
                at = read_at(observed, "group", group.id)
                why = f"{group.id} reports {reported}, its data drives as sold make {nominal}{at}"
                yield context.where(group.array), About(group.array, "group", why)

    allowed = "a group has the size of its data drives as sold, from 10 % less to 1 % more"
    code = "PX306" if context.terms.sized else "PX304"
    return grouped(code, hits(), allowed, f"compare with {_both_replies(context)}")


def group_holds(context: Context) -> Iterator[Finding]:
    """PX304: a reported group holds the volumes that are planned on it."""

    def hits() -> Iterator[Hit]:
        for group, reply, observed in groups(context):
            why = _too_small(group, reply, [context.volumes[v] for v in context.volumes_on[group.id]])
            if why:
                yield context.where(group.array), f"{why}{read_at(observed, 'group', group.id)}"

    return grouped("PX304", hits(), "a group holds its volumes", f"compare with {_both_replies(context)}")


def one_wwid_each(context: Context) -> Iterator[Finding]:
    """PX304: no two volumes report one WWID, or two aliases would name one device."""
    owners: dict[str, str] = {}

    def hits() -> Iterator[Hit]:
        for array, observed in both(context):
            for volume in filter(lambda v: v.wwid, observed.volumes.values()):
                first = owners.setdefault(volume.wwid, f"{array.id}'s {volume.name}")
                if first != f"{array.id}'s {volume.name}":
                    yield (
                        context.where(array.id),
                        f"{first} and {array.id}'s {volume.name} both report WWID {volume.wwid}",
                    )

    hint = f"collect `{context.volume_terms.commands['volumes']}` of each array again"
    return grouped("PX304", hits(), "a WWID names one volume", hint)


def volumes_as_planned(context: Context) -> Iterator[Finding]:
    """PX306: a volume that exists has the planned owner and size."""

    def hits() -> Iterator[Hit]:
        for volume, reply, observed in volumes(context):
            at = read_at(observed, "volume", volume.id)
            for why in _volume_troubles(context, volume, reply):
                yield context.where(volume.array), About(volume.array, "volume", f"{why}{at}")

    return grouped("PX306", hits(), "a volume has the planned owner and size", "compare before going on")


def group_build(context: Context) -> Iterator[Finding]:
    """PX304: a group is of the planned kind, and has the planned level, number of drives and chunk size."""

    def hits() -> Iterator[Hit]:
        for group, reply, observed in groups(context):
            for why in _build_troubles(group, reply):
                yield context.where(group.array), f"{group.id} {why}{read_at(observed, 'group', group.id)}"

    allowed = "none of this can be changed once a group exists"
    return grouped("PX304", hits(), allowed, "delete the group while it is empty, and add it again")


def volumes_in_place(context: Context) -> Iterator[Finding]:
    """PX304: a volume that exists lies in the group that is planned for it."""

    def hits() -> Iterator[Hit]:
        for volume, reply, observed in volumes(context):
            if reply.group and reply.group != volume.backing:
                at = read_at(observed, "volume", volume.id)
                yield context.where(volume.array), f"{volume.id} lies in {reply.group}, planned is {volume.backing}{at}"

    allowed = "a volume cannot be moved to another group"
    return grouped("PX304", hits(), allowed, "delete the volume while nothing is on it, and create it again")


def shared_groups(context: Context) -> Iterator[Finding]:
    """PX304: what a group does not report as free is held by what is planned on it."""

    def hits() -> Iterator[Hit]:
        for group, reply, observed in groups(context):
            foreign_bytes = _held_by_others(context, reply, observed, _volumes_on(context, group))
            if foreign_bytes:
                size, at = units.decimal_bytes(foreign_bytes), read_at(observed, "group", group.id)
                yield context.where(group.array), f"something else holds {size} of {group.id}{at}"

    allowed = "a group has one volume, and all of its space is that volume's or free"
    return grouped("PX304", hits(), allowed, f"compare {_both_replies(context)}, collected at one time")


def unclear_room(context: Context) -> Iterator[Finding]:
    """PX306: the volume on a group is reported with it, and takes all of it."""

    def hits() -> Iterator[Hit]:
        for group, reply, observed in groups(context):
            why = _room_trouble(context, group, reply, observed)
            if why:
                why += read_at(observed, "group", group.id)
                yield context.where(group.array), About(group.array, "volume", why)

    return grouped(
        "PX306", hits(), "a volume spans its group", f"expand volumes before {context.terms.makes}, never after it"
    )


def conditions(context: Context) -> Iterator[Finding]:
    """PX306: enclosures, groups, volumes and drives are healthy, with the planned controller and write-back."""
    hits = (
        *_enclosure_conditions(context),
        *_group_conditions(context),
        *_volume_conditions(context),
        *_disk_conditions(context),
    )
    allowed = "parts are healthy, with the planned owner and write-back"
    return grouped("PX306", hits, allowed, "compare before going on")


def _both_replies(context: Context) -> str:
    """The commands that show groups and volumes."""
    commands = context.volume_terms.commands
    return f"`{commands['groups']}` and `{commands['volumes']}`"


def _too_small(group: DiskGroup, reply: ObservedGroup, volumes: Sequence[Volume]) -> str:
    if not group.bytes * _GROUP_LOW <= reply.bytes <= group.bytes * _GROUP_HIGH:
        return ""  # `group_sizes` reports the size of the group
    # A volume that is larger than the group of the plan itself is reported as PX520.
    planned_bytes = sum(v.bytes for v in volumes)
    if reply.bytes < min(planned_bytes, capacity(group)):
        names = f"{volumes[0].id} is" if len(volumes) == 1 else f"{listed(v.id for v in volumes)} are together"
        return f"{group.id} reports {reply.bytes:,} bytes, and {names} planned with {planned_bytes:,}"
    return ""


def _volume_troubles(context: Context, volume: Volume, reply: ObservedVolume) -> Iterator[str]:
    align = context.limit(f"{context.family(volume.array)}.volume_alignment")
    if reply.owner and reply.owner.strip().lower() != volume.owner:
        yield f"{volume.id} belongs to controller {reply.owner}, planned is {volume.owner.upper()}"
    if reply.bytes is not None and abs(reply.bytes - volume.bytes) >= align:
        cure = f": expand it before {context.terms.makes}" if reply.bytes < volume.bytes else ""
        yield f"{volume.id} has {reply.bytes:,} bytes, planned are {volume.bytes:,}{cure}"


def _build_troubles(group: DiskGroup, reply: ObservedGroup) -> Iterator[str]:
    yield from reply.unplanned
    level = f"RAID{group.level.removeprefix('r')}"
    if reply.raid and "".join(c for c in reply.raid.upper() if c.isalnum()) != level:
        yield f"is {reply.raid}, planned is {level}"
    if reply.disks is not None and reply.disks != len(group.slots):
        yield f"has {reply.disks:,} drives, planned are {len(group.slots)}"
    if reply.chunk_bytes and group.chunk_bytes and reply.chunk_bytes != group.chunk_bytes:
        planned = units.binary_bytes(group.chunk_bytes)
        yield f"has chunks of {units.binary_bytes(reply.chunk_bytes)}, planned are {planned}"


def _volumes_on(context: Context, group: DiskGroup) -> list[Volume]:
    return [context.volumes[name] for name in context.volumes_on[group.id]]


def _slack(context: Context, group_array: str) -> int:
    """The bytes that may be left of a group: one alignment step for the volume, rounded down, and one for the group."""
    return 2 * context.limit(f"{context.family(group_array)}.volume_alignment")


def _held_by_others(context: Context, reply: ObservedGroup, observed: ObservedArray, planned: list[Volume]) -> int:
    """Bytes of a group that are neither free nor the planned volumes'; 0 where the replies do not prove any."""
    if reply.free_bytes is None or not planned:
        return 0
    planned_ids = {v.id for v in planned}
    others = (v.group for v in observed.volumes.values() if v.name not in planned_ids)
    if reply.was_empty and planned[0].backing not in others:
        return 0
    existing = [observed.volumes[v.id] for v in planned if v.id in observed.volumes]
    if any(t.bytes is None for t in existing):
        return 0
    if len(existing) < len(planned) and not set(observed.volumes) - set(context.volumes):
        return 0  # nothing proves that it is not a planned volume
    rest = reply.bytes - reply.free_bytes - sum(t.bytes or 0 for t in existing)
    return rest if rest > _slack(context, planned[0].array) else 0


def _room_trouble(context: Context, group: DiskGroup, reply: ObservedGroup, observed: ObservedArray) -> str:
    """Why the room for the planned volumes is not certain, or not used; empty when it is."""
    planned, free = _volumes_on(context, group), reply.free_bytes
    if not planned or reply.was_empty:
        return ""
    names = listed(v.id for v in planned)
    existing = [observed.volumes[v.id] for v in planned if v.id in observed.volumes]
    unreported = len(existing) < len(planned) and (
        free or not observed.volumes
    )  # other volumes alone are PX304 or PX306
    if unreported and free is not None and not _held_by_others(context, reply, observed, planned):
        size = f"{units.decimal_bytes(free)} free of {units.decimal_bytes(reply.bytes)}"
        collect = f"collect `{context.volume_terms.commands['volumes']}`"
        return f"{group.id} has {size}, and no reply says that {names} holds the rest: {collect}"
    if len(existing) < len(planned) or any(t.bytes is None for t in existing):
        return ""
    slack, taken = _slack(context, group.array), sum(t.bytes or 0 for t in existing)
    if free and taken + free > reply.bytes + slack:
        return f"{names} and the free space of {group.id} are more than the group: collect both replies again"
    sizes = f"{units.decimal_bytes(taken)} of {units.decimal_bytes(reply.bytes)}"
    spans = context.terms.expands or group.purpose == "data"  # others may be only as large as the smallest of them
    small = spans and free is None and reply.bytes - taken > slack
    return f"{names} takes {sizes} of {group.id}: expand it before {context.terms.makes}" if small else ""


def _enclosure_conditions(context: Context) -> Iterator[Hit]:
    for array, observed in both(context):
        for planned in array.enclosures:
            enclosure = observed.enclosures.get(planned.index)
            name, at = f"enclosure {planned.index} of {array.id}", read_at(observed, "enclosure", planned.index)
            if enclosure and not enclosure.model:
                why = f"{name} reports no model, planned is {context.enclosure(planned.model).title}{at}"
                yield context.where(array.id), About(array.id, "enclosure", why)
            if enclosure and enclosure.health and enclosure.health.means == "ill":
                why = f"the health of {name} is {enclosure.health.word}{at}"
                yield context.where(array.id), About(array.id, "enclosure", why)


def _group_conditions(context: Context) -> Iterator[Hit]:
    for group, reply, observed in groups(context):
        at = read_at(observed, "group", group.id)
        for why in _group_troubles(context, group, reply):
            yield context.where(group.array), About(group.array, "group", f"{why}{at}")


def _group_troubles(context: Context, group: DiskGroup, reply: ObservedGroup) -> Iterator[str]:
    for word, owner in (("owner", reply.owner), ("preferred owner", reply.preferred_owner)):
        if owner and owner.lower() != group.owner:
            yield f"{group.id} has controller {owner.upper()} as its {word}, planned is {group.owner.upper()}"
    if reply.health and reply.health.means == "ill":
        yield f"the health of {group.id} is {reply.health.word}"
    if reply.status and reply.status.means == "ill":
        online = context.volume_terms.labels["online"]
        yield f"the status of {group.id} is {reply.status.word}, expected {online}"


def _volume_conditions(context: Context) -> Iterator[Hit]:
    for volume, reply, observed in volumes(context):
        at = read_at(observed, "volume", volume.id)
        if reply.health and reply.health.means == "ill":
            why = f"the health of {volume.id} is {reply.health.word}{at}"
            yield context.where(volume.array), About(volume.array, "volume", why)
        if reply.write_policy and reply.write_policy.means == "ill":
            why = f"{volume.id} is {reply.write_policy.word}, expected write-back{at}"
            yield context.where(volume.array), About(volume.array, "volume", why)


def _disk_conditions(context: Context) -> Iterator[Hit]:
    for array, observed in both(context):
        places = [(g.enclosure, slot) for g in context.groups_of[array.id] for slot in g.slots]
        places += [(s.enclosure, slot) for s in context.spares_of[array.id] for slot in s.slots]
        for place in places:
            disk = observed.disks.get(place)
            if disk and disk.health and disk.health.means == "ill":
                at = read_at(observed, "disk", place)
                why = f"the drive in {array.id} {place[0]}.{place[1]} is {disk.health.word}{at}"
                yield context.where(array.id), About(array.id, "disk", why)
