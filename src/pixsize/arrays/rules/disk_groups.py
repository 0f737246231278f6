"""Slots, disk groups and spares: every drive used exactly once, in groups that an array can make."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from pixsize.arrays.rules.modules import design_of
from pixsize.catalog.records import Layout
from pixsize.check.context import Case, Hit, gathered, listed, unlike
from pixsize.findings import Finding
from pixsize.plan.records import DiskGroup, Spares

Place = tuple[str, int]
"""An array and the index of one of its enclosures."""


def slots_once(case: Case) -> Iterator[Finding]:
    """PX501: no slot belongs to two groups, or to a group and the spares."""

    def hits() -> Iterator[Hit]:
        for (array, enclosure), slots in _uses(case).items():
            if len(set(slots)) < len(slots):
                twice = sorted(s for s, n in Counter(slots).items() if n > 1)
                yield case.where(array), f"{array} uses {_slots(enclosure, twice)} more than once"

    return gathered("PX501", hits(), "a drive belongs to one disk group, or is a spare")


def slots_all(case: Case) -> Iterator[Finding]:
    """PX502: every slot of every enclosure is used, and none beyond its last."""
    uses = _uses(case)

    def hits() -> Iterator[Hit]:
        for array in case.plan.arrays:
            for enclosure in array.enclosures:
                slots = case.enclosure(enclosure.model).slots
                used = set(uses.get((array.id, enclosure.index), ()))
                outside = sorted(used - set(range(slots)))
                unused = sorted(set(range(slots)) - used - set(case.catalog.get(Layout, enclosure.layout).empty or ()))
                where = case.where(array.id)
                if outside:
                    title = case.enclosure(enclosure.model).title.removeprefix("PowerVault ")
                    last = f"the last slot of an {title} is {slots - 1}"
                    yield where, f"{array.id} uses {_slots(enclosure.index, outside)}, but {last}"
                if unused:
                    yield where, f"{array.id} leaves {_slots(enclosure.index, unused)} unused"

    return gathered("PX502", hits(), "every slot of an enclosure has exactly one use")


def group_width(case: Case) -> Iterator[Finding]:
    """PX503: RAID 1 has two drives, linear RAID 6 four to sixteen."""

    def hits() -> Iterator[Hit]:
        for group in case.plan.disk_groups:
            low, high = case.drive_bounds(group)
            if not low <= len(group.slots) <= high:
                allowed = f"exactly {low}" if low == high else f"{low} to {high}"
                level = f"RAID {group.level.removeprefix('r')}"
                seen = f"{group.id} has {len(group.slots)} drives as {level}, which takes {allowed}"
                yield case.where(group.array), seen

    return gathered("PX503", hits(), "the array refuses such a group")


def group_in_one_enclosure(case: Case) -> Iterator[Finding]:
    """PX504: a group lies within one enclosure of its array."""
    places = {(a.id, e.index) for a in case.plan.arrays for e in a.enclosures}
    homes: dict[str, Place] = {}

    def hits() -> Iterator[Hit]:
        for part in _parts(case):
            place = (part.array, part.enclosure)
            name = part.id if isinstance(part, DiskGroup) else "a set of spares"
            if place not in places:
                seen = f"{name} lies in enclosure {part.enclosure}, which {part.array} does not have"
                yield case.where(part.array), seen
            elif homes.setdefault(name, place) != place and isinstance(part, DiskGroup):
                yield case.where(part.array), f"{name} lies in two enclosures, {homes[name][1]} and {part.enclosure}"

    return gathered("PX504", hits(), "a group stays within one enclosure of its array")


def drives_fit(case: Case) -> Iterator[Finding]:
    """PX505: each group has the media that its use takes, and each spare can stand in for what it covers."""

    def hits() -> Iterator[Hit]:
        for group in case.plan.disk_groups:
            media, wanted = case.drive(group.drive).media, _media(case, group)
            if media != wanted:
                yield case.where(group.array), f"{group.id} has {media} drives ({group.drive}), its slots take {wanted}"
        for spares in case.plan.spares:
            trouble = _misfit(case, spares)
            if trouble:
                yield case.where(spares.array), f"the spares {spares.drive} of {spares.array} {trouble}"

    return gathered("PX505", hits(), "a group has one type of drive, a spare its type and at least its size")


def groups_as_laid_out(case: Case) -> Iterator[Finding]:
    """PX525: disk groups and spares stand in the order of arrays, enclosures and their layouts, which also name them.

    A disk group is called after its array and what it holds, and counted from 01: `dg_sm01a1_data01`.
    """
    groups: list[tuple[object, ...]] = []
    spares: list[tuple[object, ...]] = []
    for array in case.plan.arrays:
        numbers: Counter[str] = Counter()
        for enclosure in array.enclosures:
            layout = case.catalog.get(Layout, enclosure.layout)
            for kind, slots in ((of, slots) for of in layout.groups for slots in of.slots):
                numbers[kind.purpose] += 1
                name = f"dg_{array.id}_{_NAMED[kind.purpose]}{numbers[kind.purpose]:02d}"
                groups.append((name, array.id, enclosure.index, slots, kind.level, kind.purpose))
            if layout.spares:
                spares.append((array.id, enclosure.index, layout.spares, case.modules[array.module].drive))
    words = ("id", "array", "enclosure", "slots", "level", "purpose")
    hits = [
        *unlike("disk group", words, case.plan.disk_groups, groups),
        *unlike("spares", ("array", "enclosure", "slots", "drive"), case.plan.spares, spares),
    ]
    return gathered("PX525", (("", why) for why in hits), "groups and spares are those of the layouts, in their order")


RULES = (slots_once, slots_all, group_width, group_in_one_enclosure, drives_fit)
EXACT = (groups_as_laid_out,)
"""Asked last, where no other rule has found an error."""
_NAMED = {"data": "data", "metadata": "meta"}


def _parts(case: Case) -> Iterator[DiskGroup | Spares]:
    """Everything that uses slots."""
    yield from case.plan.disk_groups
    yield from case.plan.spares


def _uses(case: Case) -> dict[Place, list[int]]:
    """Every use of a slot, by enclosure."""
    uses: dict[Place, list[int]] = defaultdict(list)
    for part in _parts(case):
        uses[part.array, part.enclosure] += part.slots
    return uses


def _media(case: Case, group: DiskGroup) -> str:
    """The media that the design puts where this group lies."""
    array = case.arrays.get(group.array)
    if array is not None and array.role == "metadata":
        return design_of(case).metadata.media
    storage = design_of(case).storage
    return storage.data_media if group.purpose == "data" else storage.metadata_media


def _misfit(case: Case, spares: Spares) -> str:
    """Why global spares cannot stand in for the groups of their array; empty when they can."""
    spare = case.drive(spares.drive)
    drives = {g.drive: case.drive(g.drive) for g in case.groups_of[spares.array]}
    alike = [d for d in drives.values() if (d.media, d.rpm) == (spare.media, spare.rpm)]
    if not alike:
        return "are of the type of no disk group there"
    larger = [d.id for d in alike if d.capacity_bytes > spare.capacity_bytes]
    return f"are smaller than the {larger[0]} that they are to replace" if larger else ""


def _slots(enclosure: int, slots: list[int]) -> str:
    return f"slot{'s' if len(slots) > 1 else ''} {listed(f'{enclosure}.{s}' for s in slots)}"
