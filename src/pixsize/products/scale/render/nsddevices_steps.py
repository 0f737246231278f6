"""The steps that show the volumes of arrays to GPFS, once they have their names."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.arrays.render.multipath import Pair, pairs
from pixsize.arrays.render.multipath_steps import COMPARED, NAMED
from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, same_host
from pixsize.product import volume_terms
from pixsize.products.scale.render.nsddevices import added, outside, servers_of
from pixsize.render.steps import ATTACHED, DEVICES, Box, Look, Step, seconds
from pixsize.render.template import device, word

_NSDDEVICES = "/var/mmfs/etc/nsddevices"
"""The user exit that GPFS runs to find devices (IBM Storage Scale documentation, NSD disk discovery)."""
_DROP_IN = "/etc/systemd/system/gpfs.service.d"
"""A drop-in outlives updates of the package, which replace the unit file itself."""


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """What is done on the servers of each module before mmcrnsd."""
    server_pairs = tuple(pairs(plan))
    return (_ordered(server_pairs, catalog), _shown(plan, server_pairs, catalog))


def _ordered(server_pairs: tuple[Pair, ...], catalog: Catalog) -> Step:
    """GPFS starts once multipathd runs, at every start of a server with arrays."""
    return Step(
        "Start multipathd before GPFS",
        tuple(
            Box(word(s), "enter the commands", "", seconds(catalog, "look"))
            for p in server_pairs
            for s in p.module.servers
        ),
        (Look("`systemctl show gpfs -p After`", "`multipathd.service` among them"),),
        needs=(NAMED,),
        commands=(
            f"mkdir -p {_DROP_IN}",
            rf"printf '[Unit]\nWants=multipathd.service\nAfter=multipathd.service\n' > {_DROP_IN}/multipathd.conf",
            "systemctl daemon-reload",
        ),
    )


def _shown(plan: Plan, server_pairs: tuple[Pair, ...], catalog: Catalog) -> Step:
    """GPFS finds the devices of a server by nsddevices alone."""
    return Step(
        "Show the devices to GPFS",
        tuple(_places(plan, server_pairs, seconds(catalog, "script"))),
        (Look(f"`{_NSDDEVICES}`", "the lines of the box"),),
        needs=(COMPARED,),
        after=(ATTACHED,),
        provides=(DEVICES,),
        text=("On every server of an NSD, before mmcrnsd.",),
        commands=(f"install -b -m 0755 nsddevices {_NSDDEVICES}", _NSDDEVICES),
    )


def _places(plan: Plan, server_pairs: tuple[Pair, ...], each: int) -> Iterator[Box]:
    for pair in server_pairs:
        folder = f"multipath/{word(pair.module.id)}"
        for server in pair.module.servers:
            page = volume_terms(plan).page.format(array=word(pair.module.arrays[0]))
            shown = _lines(len(pair.volumes), _own_devices(plan, server))
            yield Box(word(server), f"in the folder `{folder}`: {shown}", page, each)
    for backing, targets in added(plan).items():
        folder = f"multipath/{word(backing)}"
        for server in servers_of(targets):
            below = device(targets[0].device).removeprefix("/dev/").rpartition("/")[0]
            shown = _lines(len(targets), _own_devices(plan, server), f"{below}/NAME generic")
            yield Box(word(server), f"in the folder `{folder}`: {shown}", f"{folder}/nsddevices", each)
    for target in outside(plan):
        folder = f"multipath/descriptor-{word(target.servers[0])}"
        shown = f"in the folder `{folder}`: {_lines(0, _own_devices(plan, target.servers[0]))}"
        yield Box(word(target.servers[0]), shown, f"{folder}/nsddevices", each)


def _own_devices(plan: Plan, server: str) -> list[str]:
    """What nsddevices shows on one server beside the volumes of arrays: the devices that are there."""
    targets = (t for t in plan.targets if t.volume is None and any(same_host(server, s) for s in t.servers))
    return [f"`{device(t.device).removeprefix('/dev/')}`" for t in targets]


def _lines(volumes: int, others: list[str], line: str = "mapper/NAME dmm") -> str:
    """What nsddevices prints on a server."""
    kinds = [f"`{line}` for {volumes} volumes"] if volumes else []
    total = volumes + len(others)
    count = "1 line" if total == 1 else f"{total} lines"
    return f"{count}: {' and '.join(kinds + others)}"
