"""nsddevices, which shows GPFS the devices of each server: the volumes of its arrays, and devices beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import starmap

from pixsize.arrays.render.multipath import Pair, head, pairs
from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, Target, same_host
from pixsize.render import template
from pixsize.render.records import Added, File
from pixsize.render.template import device, name, word

_DEVICE_MAPPER = re.compile(r"^mapper/|(?:^|/)dm-[^/]*$")
"""The names that udev gives devices of device mapper, below /dev: `mapper/a`, `dm-3`, `disk/by-id/dm-name-a`."""


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:  # noqa: ARG001  the same call for every file system
    """One for each module, for servers that products add with their volumes, and for other servers of an NSD."""
    shown = (_nsddevices(pair, other_devices(plan, pair.module.servers)) for pair in pairs(plan))
    return (
        *shown,
        *starmap(partial(_nsddevices_added, plan), added(plan).items()),
        *(_nsddevices_outside(target) for target in outside(plan)),
    )


ADDED = Added("nsddevices for GPFS", files)


def added(plan: Plan) -> dict[str, list[Target]]:
    """The NSDs on volumes that lie on no array, by what their volumes lie on: their servers show them to GPFS."""
    backings = {v.id: v.backing for v in plan.volumes if not v.array}
    found: dict[str, list[Target]] = {}
    for target in plan.targets:
        if target.volume in backings:
            found.setdefault(backings[target.volume], []).append(target)
    return found


def servers_of(targets: Iterable[Target]) -> tuple[str, ...]:
    """The servers of NSDs, each once."""
    return tuple(sorted({s for t in targets for s in t.servers}))


def other_devices(plan: Plan, servers: Iterable[str]) -> Iterator[str]:
    """Devices on some servers that GPFS uses beside their volumes: nsddevices hides what it does not name."""
    names = tuple(servers)
    return (t.device for t in plan.targets if t.volume is None and _serves(names, t))


def outside(plan: Plan) -> Iterator[Target]:
    """NSDs beside all volumes whose server has no volumes: GPFS has to find their devices there, too."""
    having = [m.servers for m in plan.modules] + [servers_of(targets) for targets in added(plan).values()]
    return (t for t in plan.targets if t.volume is None and not any(_serves(servers, t) for servers in having))


def _serves(servers: Iterable[str], target: Target) -> bool:
    return any(same_host(one, other) for one in servers for other in target.servers)


def _nsddevices(pair: Pair, beside: Iterable[str]) -> File:
    whose = head(pair)
    names = [f"mapper/{name(v.id)}" for v in pair.volumes]
    names += (device(d).removeprefix("/dev/") for d in beside)
    text = f"{whose['servers']}, the servers of {whose['module']}: executable, the same file on both"
    return _shown(f"multipath/{whose['module']}", text, names)


def _nsddevices_added(plan: Plan, backing: str, targets: list[Target]) -> File:
    """That of the servers of volumes that lie on no array; a device beside them may be on one of these servers."""
    servers = servers_of(targets)
    names = [device(t.device).removeprefix("/dev/") for t in targets]
    names += (device(d).removeprefix("/dev/") for d in other_devices(plan, servers))
    text = f"{' and '.join(map(word, servers))}, the servers of {word(backing)}: executable, the same file on each"
    return _shown(f"multipath/{word(backing)}", text, names)


def _nsddevices_outside(target: Target) -> File:
    """That of a server without arrays: a folder that no module is called, whatever the server is."""
    server = word(target.servers[0])
    names = [device(target.device).removeprefix("/dev/")]
    return _shown(f"multipath/descriptor-{server}", f"{server}, which serves {name(target.id)}: executable", names)


def _shown(folder: str, whose: str, names: Iterable[str]) -> File:
    """nsddevices with the type of each device (IBM Storage Scale documentation, NSD disk discovery: `dmm`)."""
    kinds: dict[str, list[str]] = {}
    for shown in names:
        kinds.setdefault("dmm" if _DEVICE_MAPPER.search(shown) else "generic", []).append(shown)
    view = {"whose": whose, "kinds": [{"type": kind, "names": shown} for kind, shown in kinds.items()]}
    return File(f"{folder}/nsddevices", template.fill("multipath/nsddevices.j2", view), executable=True)
