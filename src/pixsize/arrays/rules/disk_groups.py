"""Slots, disk groups and spares: every drive used exactly once, in groups that an array can make."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from pixsize.arrays.rules.modules import design_of
from pixsize.catalog.records import Layout
from pixsize.check.context import Context, Hit, differences, grouped
from pixsize.findings import Finding
from pixsize.plan.records import DiskGroup, Spares
from pixsize.texts import listed

Place = tuple[str, int]
"""An array and the index of one of its enclosures."""


def slots_once(context: Context) -> Iterator[Finding]:
    """PX501: no slot belongs to two groups, or to a group and the spares."""

    def hits() -> Iterator[Hit]:
        for (array, enclosure), slots in _uses(context).items():
            if len(set(slots)) < len(slots):
                twice = sorted(s for s, n in Counter(slots).items() if n > 1)
                yield context.where(array), f"{array} uses {_slots(enclosure, twice)} more than once"

    return grouped("PX501", hits(), "a drive belongs to one disk group, or is a spare")


def slots_all(context: Context) -> Iterator[Finding]:
    """PX502: every slot of every enclosure is used, and none beyond its last."""
    uses = _uses(context)

    def hits() -> Iterator[Hit]:
        for array in context.plan.arrays:
            for enclosure in array.enclosures:
                slots = context.enclosure(enclosure.model).slots
                used = set(uses.get((array.id, enclosure.index), ()))
                outside = sorted(used - set(range(slots)))
                unused = sorted(
                    set(range(slots)) - used - set(context.catalog.get(Layout, enclosure.layout).empty or ())
                )
                where = context.where(array.id)
                if outside:
                    last = f"the last slot of an {enclosure.model.upper()} is {slots - 1}"
                    yield where, f"{array.id} uses {_slots(enclosure.index, outside)}, but {last}"
                if unused:
                    yield where, f"{array.id} leaves {_slots(enclosure.index, unused)} unused"

    return grouped("PX502", hits(), "every slot of an enclosure has exactly one use")


def group_width(context: Context) -> Iterator[Finding]:
    """PX503: a group has as many drives as its level takes on arrays of its family, such as two for RAID 1."""

    def hits() -> Iterator[Hit]:
        for group in context.plan.disk_groups:
            low, high = context.drive_bounds(group)
            if not low <= len(group.slots) <= high:
                allowed = f"exactly {low}" if low == high else f"{low} to {high}"
                level = f"RAID {group.level.removeprefix('r')}"
                message = f"{group.id} has {len(group.slots)} drives as {level}, which takes {allowed}"
                yield context.where(group.array), message

    return grouped("PX503", hits(), "the array refuses such a group")


def group_in_one_enclosure(context: Context) -> Iterator[Finding]:
    """PX504: a group lies within one enclosure of its array."""
    places = {(a.id, e.index) for a in context.plan.arrays for e in a.enclosures}
    homes: dict[str, Place] = {}

    def hits() -> Iterator[Hit]:
        for part in _parts(context):
            place = (part.array, part.enclosure)
            name = part.id if isinstance(part, DiskGroup) else "a set of spares"
            if place not in places:
                message = f"{name} lies in enclosure {part.enclosure}, which {part.array} does not have"
                yield context.where(part.array), message
            elif homes.setdefault(name, place) != place and isinstance(part, DiskGroup):
                yield context.where(part.array), f"{name} lies in two enclosures, {homes[name][1]} and {part.enclosure}"

    return grouped("PX504", hits(), "a group stays within one enclosure of its array")


def drives_fit(context: Context) -> Iterator[Finding]:
    """PX505: each group has the media that its use takes, and each spare can stand in for what it covers."""

    def hits() -> Iterator[Hit]:
        for group in context.plan.disk_groups:
            media, expected = context.drive(group.drive).media, _media(context, group)
            if media != expected:
                yield (
                    context.where(group.array),
                    f"{group.id} has {media} drives ({group.drive}), its slots take {expected}",
                )
        for spares in context.plan.spares:
            trouble = _misfit(context, spares)
            if trouble:
                yield context.where(spares.array), f"the spares {spares.drive} of {spares.array} {trouble}"

    return grouped("PX505", hits(), "a group has one type of drive, a spare its type and at least its size")


def groups_as_laid_out(context: Context) -> Iterator[Finding]:
    """PX525: disk groups and spares stand in the order of arrays, enclosures and their layouts, which also name them.

    A disk group is called after its array and what it holds, and counted from 01: `dg_sm01a1_data01`.
    """
    groups: list[tuple[object, ...]] = []
    spares: list[tuple[object, ...]] = []
    for array in context.plan.arrays:
        numbers: Counter[str] = Counter()
        for enclosure in array.enclosures:
            layout = context.catalog.get(Layout, enclosure.layout)
            for kind, slots in (
                (layout_group, slots) for layout_group in layout.groups for slots in layout_group.slots
            ):
                numbers[kind.purpose] += 1
                name = f"dg_{array.id}_{_NAMED[kind.purpose]}{numbers[kind.purpose]:02d}"
                groups.append((name, array.id, enclosure.index, slots, kind.level, kind.purpose))
            if layout.spares:
                spares.append((array.id, enclosure.index, layout.spares, context.modules[array.module].drive))
    fields = ("id", "array", "enclosure", "slots", "level", "purpose")
    hits = [
        *differences("disk group", fields, context.plan.disk_groups, groups),
        *differences("spares", ("array", "enclosure", "slots", "drive"), context.plan.spares, spares),
    ]
    return grouped("PX525", (("", why) for why in hits), "groups and spares are those of the layouts, in their order")


def spares_as_reported(context: Context) -> Iterator[Finding]:
    """PX524: spares count as added where each of them is reported as a spare, or in place of a lost drive."""

    def hits() -> Iterator[Hit]:
        for spares in context.plan.spares:
            observed = context.observed.arrays.get(spares.array)
            disks = [observed.disks.get((spares.enclosure, slot)) for slot in spares.slots] if observed else [None]
            all_added = all(disk and disk.usage.means in ("spare", "in_group") for disk in disks)
            if spares.added != all_added:
                planned = "added" if spares.added else "not added"
                yield context.where(spares.array), f"spares of {spares.array} count as {planned}; replies differ"

    return grouped("PX524", hits(), "what exists is planned as it was reported")


RULES = (slots_once, slots_all, group_width, group_in_one_enclosure, drives_fit)
EXACT = (groups_as_laid_out, spares_as_reported)
"""These run where no rule of the first stage has found an error."""
_NAMED = {"data": "data", "metadata": "meta"}
"""The word for a purpose in the names of disk groups; written here again, since rules do not use the planner's."""


def _parts(context: Context) -> Iterator[DiskGroup | Spares]:
    """Everything that uses slots."""
    yield from context.plan.disk_groups
    yield from context.plan.spares


def _uses(context: Context) -> dict[Place, list[int]]:
    """Every use of a slot, by enclosure."""
    uses: dict[Place, list[int]] = defaultdict(list)
    for part in _parts(context):
        uses[part.array, part.enclosure] += part.slots
    return uses


def _media(context: Context, group: DiskGroup) -> str:
    """The media that the design puts where this group lies."""
    array = context.arrays.get(group.array)
    if array is not None and array.role == "metadata":
        return design_of(context).metadata.media
    storage = design_of(context).storage
    return storage.data_media if group.purpose == "data" else storage.metadata_media


def _misfit(context: Context, spares: Spares) -> str:
    """Why global spares cannot stand in for the groups of their array; empty when they can."""
    spare = context.drive(spares.drive)
    drives = {g.drive: context.drive(g.drive) for g in context.groups_of[spares.array]}
    alike = [d for d in drives.values() if (d.media, d.rpm) == (spare.media, spare.rpm)]
    if not alike:
        return "are of the type of no disk group there"
    larger = [d.id for d in alike if d.capacity_bytes > spare.capacity_bytes]
    return f"are smaller than the {larger[0]} that they are to replace" if larger else ""


def _slots(enclosure: int, slots: list[int]) -> str:
    return f"slot{'s' if len(slots) > 1 else ''} {listed(f'{enclosure}.{s}' for s in slots)}"
