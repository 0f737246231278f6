"""Parts of the plan side by side with what the arrays said of them, for the rules about replies."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.check.case import Case
from pixsize.observed import ObservedArray, ObservedGroup, ObservedVolume
from pixsize.plan.records import Array, DiskGroup, Volume


def both(case: Case) -> Iterator[tuple[Array, ObservedArray]]:
    """Each array of the plan that was observed, and what it reported."""
    return ((a, case.observed.arrays[a.id]) for a in case.plan.arrays if a.id in case.observed.arrays)


def groups(case: Case) -> Iterator[tuple[DiskGroup, ObservedGroup, ObservedArray]]:
    """Each group of the plan that was reported, what was said of it, and of its array."""
    for group in case.plan.disk_groups:
        seen = case.observed.arrays.get(group.array)
        if seen and group.id in seen.groups:
            yield group, seen.groups[group.id], seen


def volumes(case: Case) -> Iterator[tuple[Volume, ObservedVolume, ObservedArray]]:
    """Each volume of the plan that was reported, what was said of it, and of its array."""
    for volume in case.plan.volumes:
        seen = case.observed.arrays.get(volume.array)
        if seen and volume.id in seen.volumes:
            yield volume, seen.volumes[volume.id], seen


def read_at(seen: ObservedArray, kind: str, key: str | int | tuple[int, int]) -> str:
    """Behind a message: the file and line of the reply, in brackets; nothing where they are not known."""
    place = seen.places.get((kind, key))
    return f" ({place})" if place else ""
