"""What an array's run book says of its drives and its power, beside the steps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pixsize.arrays.render.parts import Parts
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Drive, Record
from pixsize.plan.records import DiskGroup, Spares
from pixsize.render.words import name, prose, word

SURVIVED = {"r1": "either drive", "r5": "any one drive", "r6": "any two drives", "r10": "one drive of each pair"}
"""The drives that a group goes on without (Dell PowerVault ME4 Administrator's Guide, RAID levels)."""


def switching_on(parts: Parts, catalog: Catalog) -> str:
    """The order of switching on: expansions, controllers, servers (Dell PowerVault ME4 Deployment Guide)."""
    behind = [e for e in parts.array.enclosures if e.index]
    steps = [f"the {prose(catalog.get(Record, e.model).title)} that is enclosure {e.index}" for e in reversed(behind)]
    steps.append(f"the {prose(catalog.get(Record, parts.array.model).title)} with the controllers")
    servers = " and ".join(map(word, parts.module.servers))
    return f"{', then '.join(steps)}, and {servers} last, when `show system` says that its health is OK"


def drives_that_fail(parts: Parts, catalog: Catalog) -> dict[str, Any]:
    """A row for each kind of group: what it goes on without, and the spares that may stand in for its drives."""
    kinds: dict[tuple[str, str], list[DiskGroup]] = {}
    for group in parts.groups:
        kinds.setdefault((group.level, group.drive), []).append(group)
    counts = {kind: _spares_for(catalog.get(Drive, kind[1]), parts.spares, catalog) for kind in kinds}
    rows = [
        {
            "groups": _first_to_last([g.id for g in groups]),
            "kind": prose(catalog.get(Drive, drive).title),
            "level": f"RAID{level[1:]}",
            "without": SURVIVED[level],
            "spares": counts[level, drive] or "none",
        }
        for (level, drive), groups in kinds.items()
    ]
    return {"failing": rows, "spared": any(counts.values()), "unspared": not all(counts.values())}


def _spares_for(drive: Drive, spares: Iterable[Spares], catalog: Catalog) -> int:
    """How many spares fit: of the same type, and no smaller (Dell PowerVault ME4 Administrator's Guide, Spares)."""
    held = [(catalog.get(Drive, s.drive), len(s.slots)) for s in spares]
    return sum(n for d, n in held if d.media == drive.media and d.capacity_bytes >= drive.capacity_bytes)


def _first_to_last(names: list[str]) -> str:
    return name(names[0]) if len(names) == 1 else f"{len(names)}: {name(names[0])} to {name(names[-1])}"
