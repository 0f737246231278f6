"""Rules that compare the plan with what arrays reported of their enclosures and drives, and of unplanned parts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal

from pixsize import units
from pixsize.check.context import Context, Hit, grouped
from pixsize.findings import About, Finding
from pixsize.observed import ObservedArray, ObservedDisk, ObservedGroup, ObservedVolume, Use
from pixsize.plan.records import Array, DiskGroup, Volume
from pixsize.texts import listed


def both(context: Context) -> Iterator[tuple[Array, ObservedArray]]:
    """Each array of the plan that was observed, and what it reported."""
    return ((a, context.observed.arrays[a.id]) for a in context.plan.arrays if a.id in context.observed.arrays)


def groups(context: Context) -> Iterator[tuple[DiskGroup, ObservedGroup, ObservedArray]]:
    """Each group of the plan that its array reported: the group, its report, and the report of the array."""
    for group in context.plan.disk_groups:
        observed = context.observed.arrays.get(group.array)
        if observed and group.id in observed.groups:
            yield group, observed.groups[group.id], observed


def volumes(context: Context) -> Iterator[tuple[Volume, ObservedVolume, ObservedArray]]:
    """Each volume of the plan that its array reported: the volume, its report, and the report of the array."""
    for volume in context.plan.volumes:
        observed = context.observed.arrays.get(volume.array)
        if observed and volume.id in observed.volumes:
            yield volume, observed.volumes[volume.id], observed


def read_at(observed: ObservedArray, kind: str, key: str | int | tuple[int, int]) -> str:
    """Behind a message: the file and line of the reply, in brackets; nothing where they are not known."""
    place = observed.places.get((kind, key))
    return f" ({place})" if place else ""


_LOST: tuple[Use, ...] = ("lost", "spare")
"""The use of a drive that a group has lost to a spare, and of the new one in its slot once it is made a spare."""
_DRIVE_TOLERANCE = 0.01
"""A drive may report a little less than it is sold as. The next smaller model is always a tenth smaller or more."""


def known_arrays(context: Context) -> Iterator[Finding]:
    """PX302: every reply is of an array that the plan has."""
    from difflib import get_close_matches

    unknown = sorted(set(context.observed.arrays) - set(context.arrays))
    if not unknown:
        return
    closest = get_close_matches(unknown[0], context.arrays, 1)
    message = f"replies of {listed(unknown)}; the plan has {listed(context.arrays) or 'no arrays'}"
    hint = f"did you mean {closest[0]}? A file is named with its array's id first" if closest else "rename the files"
    yield Finding("PX302", message, "", hint)


def nothing_observed(context: Context) -> Iterator[Finding]:
    """PX308: when some arrays were observed, all were."""
    observed = set(context.observed.arrays) & set(context.arrays)
    missing = [a.id for a in context.plan.arrays if a.id not in observed]
    if observed and missing:
        given = f"replies were given for {len(observed):,} of {len(context.arrays):,} arrays"
        hint = f"collect the replies that the run book in the {context.design.volumes} folder names"
        yield Finding("PX308", f"nothing was observed of {listed(missing)}; {given}", "", hint)


def enclosures(context: Context) -> Iterator[Finding]:
    """PX304: there are the planned enclosures and no others, each with its number: the expansion is enclosure 1."""

    def hits() -> Iterator[Hit]:
        for array, observed in both(context):
            if observed.enclosures:
                yield from ((context.where(array.id), why) for why in _enclosure_troubles(context, array, observed))

    allowed = "every disk list in the plan counts on these numbers"
    hint = f"check the cabling, and `{context.volume_terms.commands['enclosures']}` again"
    return grouped("PX304", hits(), allowed, hint)


def drives(context: Context) -> Iterator[Finding]:
    """PX304: each planned slot holds a drive of the planned type and size that nothing else uses."""

    def hits() -> Iterator[Hit]:
        for array, observed in both(context):
            if observed.disks:
                yield from (
                    (context.where(array.id), f"{array.id}: {why}") for why in _disk_troubles(context, array, observed)
                )

    allowed = "every planned slot holds a free drive of the planned type and size"
    return grouped("PX304", hits(), allowed, f"compare with `{context.volume_terms.commands['disks']}`")


def stand_ins(context: Context) -> Iterator[Finding]:
    """PX306: each drive of a group is in its planned slot, and no spare had to take its place."""

    def hits() -> Iterator[Hit]:
        for array, observed in both(context):
            lost, standing = _taken_over(context, array, observed)
            if standing:
                at = read_at(observed, "disk", standing[0])
                why = f"{array.id} has lost the drives {_places(lost)}, and spares stand in: {_places(standing)}{at}"
                yield context.where(array.id), About(array.id, "spare", why)

    allowed = "each group has its planned drives"
    return grouped("PX306", hits(), allowed, "the page of the array says what to do when a drive fails")


def idle_drives(context: Context) -> Iterator[Finding]:
    """PX306: once drives of an array are in groups, none that is planned in a group or as a spare is free."""
    commands, free = context.volume_terms.commands, context.volume_terms.labels["free"]

    def hits() -> Iterator[Hit]:
        for array, observed in both(context):
            groups_there = [g for g in context.groups_of[array.id] if g.id in observed.groups]
            if not any(_uses(observed, g.enclosure, g.slots, "in_group") for g in groups_there):
                continue
            for group in groups_there:
                idle = _uses(observed, group.enclosure, group.slots, "free")
                if idle:
                    at = read_at(observed, "disk", idle[0])
                    why = f"{group.id} exists, and its drives {_places(idle)} are {free}{at}"
                    yield context.where(array.id), About(array.id, "group", why)
            for spares in context.spares_of[array.id]:
                idle = _uses(observed, spares.enclosure, spares.slots, "free")
                if idle:
                    at = read_at(observed, "disk", idle[0])
                    why = f"the spares {_places(idle)} of {array.id} are still {free}{at}"
                    yield context.where(array.id), About(array.id, "spare", why)

    allowed = "beside drives that are in groups, none of the planned ones is free"
    hint = f"enter what was left out, such as `{commands['spares']}`, and collect `{commands['disks']}` again"
    return grouped("PX306", hits(), allowed, hint)


def sector_formats(context: Context) -> Iterator[Finding]:
    """PX304: the drives of a kind in an enclosure have one sector format, spares among them."""

    def hits() -> Iterator[Hit]:
        for array, observed in both(context):
            for (enclosure, drive), formats in _formats(context, array, observed).items():
                if len(formats) > 1:
                    kinds = " and ".join(f"{word} {where}" for word, (_, where) in sorted(formats.items()))
                    at = read_at(observed, "disk", (enclosure, min(slot for slot, _ in formats.values())))
                    drives = f"the drives {drive} in enclosure {enclosure} of {array.id}"
                    yield context.where(array.id), f"{drives} are {kinds}{at}"

    allowed = "the drives of a kind in an enclosure have one sector format, spares among them"
    return grouped("PX304", hits(), allowed, "replace the odd ones")


def larger_drives(context: Context) -> Iterator[Finding]:
    """PX306: no drive is larger than planned; the plan would then count too little."""

    def hits() -> Iterator[Hit]:
        for array, observed in both(context):
            for enclosure, slot, drive_id, _ in _planned_disks(context, array):
                disk = observed.disks.get((enclosure, slot))
                nominal = context.drive(drive_id).capacity_bytes
                if disk and disk.bytes and disk.bytes > nominal * (1 + _DRIVE_TOLERANCE):
                    size, at = units.decimal_bytes(disk.bytes), read_at(observed, "disk", (enclosure, slot))
                    why = f"the drive in {array.id} {enclosure}.{slot} has {size}, not {drive_id}{at}"
                    yield context.where(array.id), About(array.id, "disk", why)

    return grouped("PX306", hits(), "drives have the planned size", "correct the request's drive")


def foreign_array(context: Context) -> Iterator[Finding]:
    """PX304: an array that holds groups, or volumes, holds some of the planned ones."""
    hits = (
        (where, f"{about.message}, and none that is") for where, about, known in _unplanned_parts(context) if not known
    )
    allowed = "this is another array, or one that is in use"
    return grouped("PX304", hits, allowed, "stop: somebody's data may lie there; or replies are under a wrong name")


def unplanned_parts(context: Context) -> Iterator[Finding]:
    """PX306: the array holds no group or volume, and no enclosure's drives, that the plan does not know."""

    def hits() -> Iterator[Hit]:
        yield from ((where, about) for where, about, known in _unplanned_parts(context) if known)
        for array, observed in both(context):
            planned = {e.index for e in array.enclosures}
            unplanned = sorted({e for e, _ in observed.disks} - planned - set(observed.enclosures))
            if unplanned:
                why = f"{array.id} reports drives in an enclosure not planned: {listed(unplanned)}"
                yield context.where(array.id), About(array.id, "enclosure", why)

    return grouped("PX306", hits(), "an array holds what is planned and nothing else", "compare before going on")


def missing_parts(context: Context) -> Iterator[Finding]:
    """PX306: a reply with some of an array's planned groups, or volumes, has all of them."""

    def hits() -> Iterator[Hit]:
        volumes_of: dict[str, list[str]] = defaultdict(list)
        for volume in context.plan.volumes:
            volumes_of[volume.array].append(volume.id)
        for array, observed in both(context):
            planned = [g.id for g in context.groups_of[array.id]]
            missing = [name for name in planned if name not in observed.groups]
            if 0 < len(missing) < len(planned):
                why = f"{array.id} reports disk groups, but not the planned {listed(missing)}"
                yield context.where(array.id), About(array.id, "group", why)
            missing = [name for name in volumes_of[array.id] if name not in observed.volumes]
            if 0 < len(missing) < len(volumes_of[array.id]):
                why = f"{array.id} reports volumes, but not the planned {listed(missing)}"
                yield context.where(array.id), About(array.id, "volume", why)

    allowed = "an array reports all of them, or none before they are created"
    return grouped("PX306", hits(), allowed, "finish the array's commands, and collect the reply again")


def _enclosure_troubles(context: Context, array: Array, observed: ObservedArray) -> Iterator[str]:
    for enclosure in array.enclosures:
        if enclosure.index not in observed.enclosures:
            yield f"{array.id} reports no enclosure {enclosure.index}, where an {enclosure.model.upper()} is planned"
            continue
        model = observed.enclosures[enclosure.index].model
        if model and not _is_model(context, enclosure.model, _plain(model)):
            at, planned = read_at(observed, "enclosure", enclosure.index), enclosure.model.upper()
            yield f"enclosure {enclosure.index} of {array.id} says {model[:_SHOWN]!r}, planned is an {planned}{at}"
    for index in sorted(set(observed.enclosures) - {e.index for e in array.enclosures}):
        model, at = observed.enclosures[index].model[:_SHOWN], read_at(observed, "enclosure", index)
        yield f"{array.id} reports an enclosure {index}{f' ({model})' if model else ''}, and none is planned there{at}"


_SHOWN = 60
"""Characters of an array's own words that a message repeats."""


def _is_model(context: Context, model: str, text: str) -> bool:
    """Whether a reply's words name a model by its id or number (ME4084), or by its chassis (5U84) and no number."""
    enclosure = context.enclosure(model)
    numbers = (word for word in enclosure.title.split() if any(c.isdigit() for c in word))
    if any(_plain(number) in text for number in (model, *numbers)):
        return True
    before, chassis, after = text.partition(f"{enclosure.rack_units}u{enclosure.slots}")
    return bool(chassis) and not any(c.isdigit() for c in before + after)


def _plain(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


def _uses(observed: ObservedArray, enclosure: int, slots: Iterable[int], use: Use) -> list[tuple[int, int]]:
    """The places of the drives that are reported to have this use."""
    places = [(enclosure, slot) for slot in slots]
    return [p for p in places if p in observed.disks and observed.disks[p].usage.means == use]


def _places(places: Iterable[tuple[int, int]]) -> str:
    return listed(f"{enclosure}.{slot}" for enclosure, slot in places)


def _unplanned_parts(context: Context) -> Iterator[tuple[str, About, bool]]:
    """The arrays with unplanned groups or volumes: path in the request, message, and whether any planned one exists."""
    volumes_of: dict[str, set[str]] = {a: set() for a in context.arrays}
    for volume in context.plan.volumes:
        volumes_of.setdefault(volume.array, set()).add(volume.id)
    homes = {g.id: g.array for g in context.plan.disk_groups} | {v.id: v.array for v in context.plan.volumes}
    kinds: tuple[tuple[Literal["group", "volume"], str], ...] = (("group", "disk groups"), ("volume", "volumes"))
    for array, observed in both(context):
        for kind, plural in kinds:
            reported = set(observed.groups if kind == "group" else observed.volumes)
            planned = {g.id for g in context.groups_of[array.id]} if kind == "group" else volumes_of[array.id]
            unplanned = sorted(reported - planned)
            if unplanned:
                home = f", planned on {homes[unplanned[0]]}" if unplanned[0] in homes else ""
                at = read_at(observed, kind, unplanned[0])
                message = f"{array.id} reports {plural} that are not planned: {listed(unplanned)}{home}{at}"
                yield context.where(array.id), About(array.id, kind, message), bool(reported & planned)


def _planned_disks(context: Context, array: Array) -> Iterator[tuple[int, int, str, tuple[Use, ...]]]:
    """Enclosure, slot, drive and legal uses of each planned drive of an array.

    A drive is in use only where the array also reports the group that it is planned for.
    """
    reported = context.observed.arrays[array.id].groups
    for group in context.groups_of[array.id]:
        uses: tuple[Use, ...] = ("free", "in_group") if group.id in reported else ("free",)
        yield from ((group.enclosure, slot, group.drive, uses) for slot in group.slots)
    for spares in context.spares_of[array.id]:
        yield from ((spares.enclosure, slot, spares.drive, ("free", "spare")) for slot in spares.slots)


def _taken_over(
    context: Context, array: Array, observed: ObservedArray
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The drives that groups which exist have lost, and the spares that stand in for them; neither without the other.

    A spare in a group is one of these only where a drive of its kind is lost: else the group was made of other drives.
    """
    lost: list[tuple[int, int]] = []
    standing: list[tuple[int, int]] = []
    for drive in {s.drive for s in context.spares_of[array.id]} if observed.disks else ():
        places = [(g, slot) for g in context.groups_of[array.id] for slot in g.slots if g.drive == drive]
        existing = [(g.enclosure, slot) for g, slot in places if g.id in observed.groups]
        failed = [p for p in existing if p not in observed.disks or observed.disks[p].usage.means in _LOST]
        spares = [s for s in context.spares_of[array.id] if s.drive == drive]
        used = [p for s in spares for p in _uses(observed, s.enclosure, s.slots, "in_group")]
        if 0 < len(used) <= len(failed):
            lost += failed
            standing += used
    return lost, standing


def _disk_troubles(context: Context, array: Array, observed: ObservedArray) -> Iterator[str]:
    lost, standing = map(frozenset, _taken_over(context, array, observed))
    for enclosure, slot, drive_id, planned_uses in _planned_disks(context, array):
        disk = observed.disks.get((enclosure, slot))
        uses: tuple[Use, ...] = (*planned_uses, "in_group") if (enclosure, slot) in standing else planned_uses
        if (enclosure, slot) in lost:
            continue
        if disk is None:
            yield f"no drive is reported in {enclosure}.{slot}"
        else:
            why = _disk_trouble(context, disk, drive_id, uses)
            if why:
                yield f"the drive in {enclosure}.{slot} {why}{read_at(observed, 'disk', (enclosure, slot))}"


def _disk_trouble(context: Context, disk: ObservedDisk, drive_id: str, uses: tuple[Use, ...]) -> str:
    drive = context.drive(drive_id)
    if disk.usage.means not in uses:
        allowed = " or ".join(context.volume_terms.labels[use] for use in uses)
        return f"is in use as {disk.usage.word}, expected {allowed}"
    if disk.bytes is not None and disk.bytes < drive.capacity_bytes * (1 - _DRIVE_TOLERANCE):
        return f"has {units.decimal_bytes(disk.bytes)}, planned are {units.decimal_bytes(drive.capacity_bytes)}"
    if disk.media is None:
        return ""
    is_ssd, is_fast = disk.media.means == "ssd", disk.media.means == "fast"
    if is_ssd != (drive.media in ("sas-ssd", "nvme")) or (is_fast and drive.media == "nl-sas"):
        return f"is {disk.media.word!r}, planned is {drive.title}"
    return ""


def _formats(
    context: Context, array: Array, observed: ObservedArray
) -> dict[tuple[int, str], dict[str, tuple[int, str]]]:
    """Of each enclosure and kind of drive the sector formats, each with its first slot and, in words, where that is."""
    found: dict[tuple[int, str], dict[str, tuple[int, str]]] = defaultdict(dict)
    holders = [(g.enclosure, g.drive, g.slots, g.id) for g in context.groups_of[array.id]]
    holders += [(s.enclosure, s.drive, s.slots, "the spares") for s in context.spares_of[array.id]]
    for enclosure, drive, slots, name in holders:
        for slot in slots:
            disk = observed.disks.get((enclosure, slot))
            if disk and disk.sector_format:
                first = (slot, f"({enclosure}.{slot}) in {name}")
                found[enclosure, drive].setdefault(disk.sector_format.lower(), first)
    return found
