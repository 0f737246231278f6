"""A part of a plan by itself, and what it is made of, counted as a bill counts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from pixsize.plan.links import enclosure_name
from pixsize.plan.records import Array, Plan, Server, SwitchSet

Items = Counter[str]
"""How many there are of each part, by the ids of a bill."""


class Bill(NamedTuple):
    """How the parts of a plan are counted.

    `counted` are those of any part of a plan: they add. `once` are those that a whole system has once, however large it
    is: the user's own, and what is in no box until the user says how many.
    """

    counted: Callable[[Plan], Items]
    once: Callable[[Plan], Items]


def only(
    plan: Plan, servers: Iterable[Server] = (), arrays: Iterable[Array] = (), switches: Iterable[SwitchSet] = ()
) -> Plan:
    """Some servers, arrays and switches of a plan with all that lies on them, and the cables that begin at them."""
    servers, arrays, switches = tuple(servers), tuple(arrays), tuple(switches)
    boxes = {s.id for s in servers} | {a.id for a in arrays} | {s.id for s in switches}
    boxes |= {enclosure_name(array, e.index) for array in arrays for e in array.enclosures}
    volumes = tuple(v for v in plan.volumes if v.array in boxes)
    kept = {v.id for v in volumes}
    modules = {s.module for s in servers} | {a.module for a in arrays}
    return plan._replace(
        modules=tuple(m for m in plan.modules if m.id in modules),
        servers=servers,
        arrays=arrays,
        switches=switches,
        pools=(),
        disk_groups=tuple(g for g in plan.disk_groups if g.array in boxes),
        spares=tuple(s for s in plan.spares if s.array in boxes),
        volumes=volumes,
        targets=tuple(t for t in plan.targets if t.volume in kept),
        links=tuple(link for link in plan.links if link.start.device in boxes),
    )
