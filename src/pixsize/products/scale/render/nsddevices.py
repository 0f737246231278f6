"""nsddevices, which shows GPFS the devices of each server: the volumes of its arrays, and devices beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pixsize.arrays.render.multipath import Pair, head, pairs
from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Module, Plan, Target, same_host
from pixsize.render import template
from pixsize.render.records import Added, File
from pixsize.render.template import device, name, word

_DEVICE_MAPPER = re.compile(r"^mapper/|(?:^|/)dm-[^/]*$")
"""The names that udev gives devices of device mapper, below /dev: `mapper/a`, `dm-3`, `disk/by-id/dm-name-a`."""


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:  # noqa: ARG001  the same call for every file system
    """One for each module, and for each server outside them that serves an NSD."""
    shown = (_nsddevices(pair, other_devices(plan, pair.module)) for pair in pairs(plan))
    return (*shown, *(_nsddevices_outside(target) for target in outside(plan)))


ADDED = Added("nsddevices for GPFS", files)


def other_devices(plan: Plan, module: Module) -> Iterator[str]:
    """Devices on the module's servers that GPFS uses beside the arrays: nsddevices hides what it does not name."""
    return (t.device for t in plan.targets if t.volume is None and _serves(module, t))


def outside(plan: Plan) -> Iterator[Target]:
    """NSDs beside the arrays whose server is in no module: GPFS has to find their devices there, too."""
    return (t for t in plan.targets if t.volume is None and not any(_serves(m, t) for m in plan.modules))


def _serves(module: Module, target: Target) -> bool:
    return any(same_host(one, other) for one in module.servers for other in target.servers)


def _nsddevices(pair: Pair, beside: Iterable[str]) -> File:
    whose = head(pair)
    names = [f"mapper/{name(v.id)}" for v in pair.volumes]
    names += (device(d).removeprefix("/dev/") for d in beside)
    text = f"{whose['servers']}, the servers of {whose['module']}: executable, the same file on both"
    return _shown(f"multipath/{whose['module']}", text, names)


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
