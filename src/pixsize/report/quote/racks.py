"""A proposal for the racks: which device stands at which height."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Racked
from pixsize.plan.links import enclosure_name
from pixsize.plan.records import Plan
from pixsize.report.bill import title

HEIGHT = 42
"""Units of a rack where nobody gives another number: the usual one."""


class Box(NamedTuple):
    """A device in a rack: `at` is the lowest of its units, counted from 1 at the bottom."""

    name: str
    title: str
    kind: Literal["array", "server", "switch"]
    units: int
    at: int = 0


class Rack(NamedTuple):
    """A rack with its devices from the bottom up."""

    height: int
    boxes: tuple[Box, ...]

    @property
    def used(self) -> int:
        """The units that devices take."""
        return sum(box.units for box in self.boxes)


def racks(plan: Plan, catalog: Catalog, height: int = HEIGHT) -> tuple[Rack, ...]:
    """Every device of a plan in racks, each in the first one with room.

    An array stands with its expansions. Devices of a module stay together where that takes no more racks; the highest
    ones are placed first otherwise. Arrays stand at the bottom, as they are the heaviest, and switches at the top.
    """
    blocks = tuple(_blocks(plan, catalog))
    height = max(height, *(box.units for block in blocks for box in block), 1)
    whole = tuple(part for block in blocks for part in ((block,) if _high(block) <= height else ((b,) for b in block)))
    together, tight = _filled(whole, height), _filled(sorted(whole, key=lambda b: -_high(b)), height)
    return tuple(_stacked(held, height) for held in min(together, tight, key=len))


Block = tuple[Box, ...]
"""Devices that stand on each other."""


def _high(block: Block) -> int:
    return sum(box.units for box in block)


def _blocks(plan: Plan, catalog: Catalog) -> Iterable[Block]:
    """Module by module, an array with its expansions; then the servers of no module, then switches."""
    modules = dict.fromkeys([m.id for m in plan.modules], None)
    for module in (*modules, None):
        for array in (a for a in plan.arrays if a.module == module):
            yield tuple(_box(enclosure_name(array, e.index), e.model, "array", catalog) for e in array.enclosures)
        for server in (s for s in plan.servers if (s.module if s.module in modules else None) == module):
            yield (_box(server.id, server.model, "server", catalog),)
    for switch in plan.switches:
        yield (_box(switch.id, switch.model, "switch", catalog),)


def _box(name: str, model: str, kind: Literal["array", "server", "switch"], catalog: Catalog) -> Box:
    return Box(name, title(catalog, model), kind, catalog.get(Racked, model).rack_units)


def _filled(blocks: Sequence[Block], height: int) -> list[list[Box]]:
    """The devices of each rack: a block in the first one with room."""
    free: list[int] = []
    held: list[list[Box]] = []
    for block in blocks:
        place = next((n for n, room in enumerate(free) if room >= _high(block)), len(free))
        if place == len(free):
            free.append(height)
            held.append([])
        free[place] -= _high(block)
        held[place] += block
    return held


def _stacked(boxes: Sequence[Box], height: int) -> Rack:
    found, at, top = [], 1, height + 1
    for box in sorted(boxes, key=lambda b: b.kind != "array"):
        if box.kind == "switch":
            top -= box.units
            found.append(box._replace(at=top))
        else:
            found.append(box._replace(at=at))
            at += box.units
    return Rack(height, tuple(sorted(found, key=lambda b: b.at)))
