"""What the arrays reported against the plan: before anything is created on them, and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from pixsize import units
from pixsize.arrays.rules.observing import both, groups, read_at, volumes
from pixsize.check.case import Case, capacity
from pixsize.check.gather import Hit, gathered, listed
from pixsize.findings import About, Finding
from pixsize.observed import ObservedArray, ObservedDisk, ObservedGroup, ObservedVolume
from pixsize.plan.records import Array, DiskGroup, Volume

_FREE = ("AVAIL",)
_IN_GROUP = ("LINEAR POOL", "VDISK")
_SPARE = ("GLOBAL SP",)
"""How `show disks` words the use of a drive; a running job may be written behind it (`LINEAR POOLVRSC`)."""

_LOST = ("FAILED", "LEFTOVR", "UNUSABLE", *_SPARE)
"""How a drive is worded that a group has lost to a spare, and the new one in its slot once it is made a spare."""

_DRIVE_TOLERANCE = 0.01
"""A drive may report a little less than it is sold as. The next smaller model is always a tenth smaller or more."""

_GROUP_LOW, _GROUP_HIGH = 0.90, 1.01
"""A real group lies about 2.2 % under nominal; outside this span it is another group, or other drives."""


def nothing_observed(case: Case) -> Iterator[Finding]:
    """PX308: when some arrays were observed, all were."""
    seen = set(case.observed.arrays) & set(case.arrays)
    missing = [a.id for a in case.plan.arrays if a.id not in seen]
    if seen and missing:
        given = f"replies were given for {len(seen):,} of {len(case.arrays):,} arrays"
        hint = "collect the replies that the run book in the me4 folder names"
        yield Finding("PX308", f"nothing was observed of {listed(missing)}; {given}", "", hint)


def enclosures(case: Case) -> Iterator[Finding]:
    """PX304: there are the planned enclosures and no others, each with its number: the expansion is enclosure 1."""

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


def stand_ins(case: Case) -> Iterator[Finding]:
    """PX306: each drive of a group is in its planned slot, and no spare had to take its place."""

    def hits() -> Iterator[Hit]:
        for array, seen in both(case):
            lost, standing = _taken_over(case, array, seen)
            if standing:
                at = read_at(seen, "disk", standing[0])
                why = f"{array.id} has lost the drives {_places(lost)}, and spares stand in: {_places(standing)}{at}"
                yield case.where(array.id), About(array.id, "spare", why)

    allowed = "each group has its planned drives"
    return gathered("PX306", hits(), allowed, "the page of the array says what to do when a drive fails")


def idle_drives(case: Case) -> Iterator[Finding]:
    """PX306: once drives of an array are in groups, none that is planned in a group or as a spare is free."""

    def hits() -> Iterator[Hit]:
        for array, seen in both(case):
            groups_there = [g for g in case.groups_of[array.id] if g.id in seen.groups]
            if not any(_uses(seen, g.enclosure, g.slots, _IN_GROUP) for g in groups_there):
                continue
            for group in groups_there:
                idle = _uses(seen, group.enclosure, group.slots, _FREE)
                if idle:
                    at = read_at(seen, "disk", idle[0])
                    why = f"{group.id} exists, and its drives {_places(idle)} are AVAIL{at}"
                    yield case.where(array.id), About(array.id, "group", why)
            for spares in case.spares_of[array.id]:
                idle = _uses(seen, spares.enclosure, spares.slots, _FREE)
                if idle:
                    at = read_at(seen, "disk", idle[0])
                    why = f"the spares {_places(idle)} of {array.id} are still AVAIL{at}"
                    yield case.where(array.id), About(array.id, "spare", why)

    allowed = "beside drives that are in groups, none of the planned ones is free"
    hint = "enter what was left out, such as `add spares`, and collect `show disks` again"
    return gathered("PX306", hits(), allowed, hint)


def group_sizes(case: Case) -> Iterator[Finding]:
    """PX304: a reported group has about the size of its drives; PX306 for Lustre, which is made on any size.

    NSDs of one pool are to be alike, while a target of Lustre is what its device is: a trial on small volumes is none
    of this rule's business, but a slip of the pen is worth a word.
    """

    def hits() -> Iterator[Hit]:
        for group, reply, seen in groups(case):
            if not group.bytes * _GROUP_LOW <= reply.bytes <= group.bytes * _GROUP_HIGH:
                reported, sold = units.decimal_bytes(reply.bytes), units.decimal_bytes(group.bytes)
                at = read_at(seen, "group", group.id)
                why = f"{group.id} reports {reported}, its data drives as sold make {sold}{at}"
                yield case.where(group.array), About(group.array, "group", why)

    allowed = "a group has the size of its data drives as sold, from 10 % less to 1 % more"
    code = "PX304" if case.design.filesystem == "scale" else "PX306"
    return gathered(code, hits(), allowed, "compare with `show disk-groups` and `show volumes`")


def group_holds(case: Case) -> Iterator[Finding]:
    """PX304: a reported group holds the volumes that are planned on it."""

    def hits() -> Iterator[Hit]:
        for group, reply, seen in groups(case):
            why = _room_trouble(group, reply, [case.volumes[v] for v in case.volumes_on[group.id]])
            if why:
                yield case.where(group.array), f"{why}{read_at(seen, 'group', group.id)}"

    return gathered("PX304", hits(), "a group holds its volumes", "compare with `show disk-groups` and `show volumes`")


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


def strange_array(case: Case) -> Iterator[Finding]:
    """PX304: an array that holds groups, or volumes, holds some of the planned ones."""
    hits = ((where, f"{about.seen}, and none that is") for where, about, known in _strangers(case) if not known)
    allowed = "this is another array, or one that is in use"
    return gathered("PX304", hits, allowed, "stop: somebody's data may lie there; or replies are under a wrong name")


def strange_names(case: Case) -> Iterator[Finding]:
    """PX306: the array holds no group or volume, and no enclosure's drives, that the plan does not know."""

    def hits() -> Iterator[Hit]:
        yield from ((where, about) for where, about, known in _strangers(case) if known)
        for array, seen in both(case):
            due = {e.index for e in array.enclosures}
            more = sorted({e for e, _ in seen.disks} - due - set(seen.enclosures))
            if more:
                why = f"{array.id} reports drives in an enclosure not planned: {listed(more)}"
                yield case.where(array.id), About(array.id, "enclosure", why)

    return gathered("PX306", hits(), "an array holds what is planned and nothing else", "compare before going on")


def volumes_as_planned(case: Case) -> Iterator[Finding]:
    """PX306: a volume that exists has the planned owner and size."""

    def hits() -> Iterator[Hit]:
        for volume, reply, seen in volumes(case):
            at = read_at(seen, "volume", volume.id)
            for why in _volume_troubles(case, volume, reply):
                yield case.where(volume.array), About(volume.array, "volume", f"{why}{at}")

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
                    why = f"the drive in {array.id} {enclosure}.{slot} has {size}, not {drive_id}{at}"
                    yield case.where(array.id), About(array.id, "disk", why)

    return gathered("PX306", hits(), "drives have the planned size", "correct the request's drive")


RULES = (
    enclosures,
    drives,
    stand_ins,
    idle_drives,
    group_sizes,
    group_holds,
    one_wwid_each,
    strange_array,
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
        model = seen.enclosures[enclosure.index].model
        if model and not _is_model(case, enclosure.model, _plain(model)):
            at, due = read_at(seen, "enclosure", enclosure.index), enclosure.model.upper()
            yield f"enclosure {enclosure.index} of {array.id} says {model[:_SHOWN]!r}, planned is an {due}{at}"
    for index in sorted(set(seen.enclosures) - {e.index for e in array.enclosures}):
        model, at = seen.enclosures[index].model[:_SHOWN], read_at(seen, "enclosure", index)
        yield f"{array.id} reports an enclosure {index}{f' ({model})' if model else ''}, and none is planned there{at}"


_SHOWN = 60
"""So much of an array's own words stands in a message."""


def _is_model(case: Case, model: str, text: str) -> bool:
    """Whether a reply's words name a model by its id or number (ME4084), or by its chassis (5U84) and no number."""
    enclosure = case.enclosure(model)
    words = (word for word in enclosure.title.split() if any(c.isdigit() for c in word))
    if any(_plain(number) in text for number in (model, *words)):
        return True
    before, chassis, after = text.partition(f"{enclosure.rack_units}u{enclosure.slots}")
    return bool(chassis) and not any(c.isdigit() for c in before + after)


def _plain(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


def _uses(seen: ObservedArray, enclosure: int, slots: Iterable[int], usages: tuple[str, ...]) -> list[tuple[int, int]]:
    """The places of the drives that report one of these usages."""
    places = [(enclosure, slot) for slot in slots]
    return [p for p in places if p in seen.disks and seen.disks[p].usage.strip().upper().startswith(usages)]


def _places(places: Iterable[tuple[int, int]]) -> str:
    return listed(f"{enclosure}.{slot}" for enclosure, slot in places)


def _strangers(case: Case) -> Iterator[tuple[str, About, bool]]:
    """Where arrays report groups or volumes that they are not planned to hold, what is seen, and whether any is."""
    volumes_of: dict[str, set[str]] = {a: set() for a in case.arrays}
    for volume in case.plan.volumes:
        volumes_of.setdefault(volume.array, set()).add(volume.id)
    homes = {g.id: g.array for g in case.plan.disk_groups} | {v.id: v.array for v in case.plan.volumes}
    kinds: tuple[tuple[Literal["group", "volume"], str], ...] = (("group", "disk groups"), ("volume", "volumes"))
    for array, seen in both(case):
        for kind, words in kinds:
            there = set(seen.groups if kind == "group" else seen.volumes)
            due = {g.id for g in case.groups_of[array.id]} if kind == "group" else volumes_of[array.id]
            strange = sorted(there - due)
            if strange:
                home = f", due on {homes[strange[0]]}" if strange[0] in homes else ""
                at = read_at(seen, kind, strange[0])
                message = f"{array.id} reports {words} that are not planned: {listed(strange)}{home}{at}"
                yield case.where(array.id), About(array.id, kind, message), bool(there & due)


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


def _taken_over(case: Case, array: Array, seen: ObservedArray) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The drives that groups which exist have lost, and the spares that stand in for them; neither without the other.

    A spare in a group is one of these only where a drive of its kind is lost: else the group was made of other drives.
    """
    lost: list[tuple[int, int]] = []
    standing: list[tuple[int, int]] = []
    for drive in {s.drive for s in case.spares_of[array.id]} if seen.disks else ():
        places = [(g, slot) for g in case.groups_of[array.id] for slot in g.slots if g.drive == drive]
        there = [(g.enclosure, slot) for g, slot in places if g.id in seen.groups]
        gone = [p for p in there if p not in seen.disks or seen.disks[p].usage.strip().upper().startswith(_LOST)]
        own = [s for s in case.spares_of[array.id] if s.drive == drive]
        used = [p for s in own for p in _uses(seen, s.enclosure, s.slots, _IN_GROUP)]
        if 0 < len(used) <= len(gone):
            lost += gone
            standing += used
    return lost, standing


def _disk_troubles(case: Case, array: Array, seen: ObservedArray) -> Iterator[str]:
    lost, standing = map(frozenset, _taken_over(case, array, seen))
    for enclosure, slot, drive_id, planned_uses in _planned_disks(case, array):
        disk = seen.disks.get((enclosure, slot))
        uses = planned_uses + _IN_GROUP if (enclosure, slot) in standing else planned_uses
        if (enclosure, slot) in lost:
            continue
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


def _room_trouble(group: DiskGroup, reply: ObservedGroup, volumes: Sequence[Volume]) -> str:
    if not group.bytes * _GROUP_LOW <= reply.bytes <= group.bytes * _GROUP_HIGH:
        return ""  # the size of the group is what is doubted then
    # Against the plan's own idea of the group, a volume that is too large is PX520's.
    wanted = sum(v.bytes for v in volumes)
    if reply.bytes < min(wanted, capacity(group)):
        names = f"{volumes[0].id} is" if len(volumes) == 1 else f"{listed(v.id for v in volumes)} are together"
        return f"{group.id} reports {reply.bytes:,} bytes, and {names} planned with {wanted:,}"
    return ""


def _volume_troubles(case: Case, volume: Volume, reply: ObservedVolume) -> Iterator[str]:
    align = case.limit(f"{case.family(volume.array)}.volume_alignment")
    if reply.owner and reply.owner.strip().lower() != volume.owner:
        yield f"{volume.id} belongs to controller {reply.owner}, planned is {volume.owner.upper()}"
    if reply.bytes is not None and abs(reply.bytes - volume.bytes) >= align:
        cure = f": expand it before {case.terms.makes}" if reply.bytes < volume.bytes else ""
        yield f"{volume.id} has {reply.bytes:,} bytes, planned are {volume.bytes:,}{cure}"
