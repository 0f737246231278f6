"""The steps on servers that see volumes of arrays: names by WWID, rescan, sizes, and what shows them to GPFS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, ScaleFilesystem
from pixsize.render.me4_parts import largest_stripe
from pixsize.render.multipath import Pair, outside, pairs
from pixsize.render.steps import DEVICES, PREPARED, REPLIES, VOLUMES, Box, Look, Step, seconds
from pixsize.render.words import word

_NSDDEVICES = "/var/mmfs/etc/nsddevices"
_NAMED = "volumes that have their names"
_RESCAN = 'for host in /sys/class/scsi_host/host*; do echo "- - -" > "$host/scan"; done'


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """What is done on both servers of each module, once its volumes are mapped."""
    seen = tuple(pairs(plan))
    if not isinstance(plan.filesystem, ScaleFilesystem):
        return (_names(seen, catalog)._replace(provides=(DEVICES,)),)
    return (_names(seen, catalog), _shown(plan, seen, catalog))


def _names(seen: tuple[Pair, ...], catalog: Catalog) -> Step:
    each = seconds(catalog, "script") + 3 * seconds(catalog, "look")
    boxes = tuple(
        Box(
            word(server),
            f"`multipath/{word(pair.module.id)}/multipath.conf`; volumes: {_sizes(pair)}{_requests(pair)}",
            f"me4/{word(pair.module.arrays[0])}/README.md#5.",
            each,
        )
        for pair in seen
        for server in pair.module.servers
    )
    return Step(
        "Name the volumes on the servers",
        boxes,
        (
            Look("`multipath -t > /dev/null`", "nothing on the screen; it returns 0 whatever it finds"),
            Look("`multipath -ll`", "every volume by its name, with two paths, one of them of the higher priority"),
            Look("`blockdev --getsize64 /dev/mapper/NAME`", "the bytes named at the box, the same on both servers"),
            Look("`grep . /sys/block/dm-*/queue/max_sectors_kb`", "the KiB named at the box, where one is named"),
        ),
        needs=(PREPARED, VOLUMES),
        after=(REPLIES,),
        provides=(_NAMED,),
        text=(
            "On both servers of each module, in the folder that the box names. The page has a loop that compares all"
            " sizes, and says what to do about a volume with an old size.",
        ),
        commands=(
            "install -m 0644 multipath.conf /etc/multipath.conf",
            "systemctl enable multipathd",
            "systemctl restart multipathd",
            _RESCAN,
            "multipath -r",
            "dracut -f",
        ),
    )


def _sizes(pair: Pair) -> str:
    """The sizes of a module's volumes, as `32 of 93885460119552 bytes`."""
    return ", ".join(f"{n} of {size} bytes" for size, n in Counter(v.bytes for v in pair.volumes).items())


def _requests(pair: Pair) -> str:
    """The size of a request that holds a full stripe, in KiB; nothing where all groups are mirrors."""
    return "".join(f"; max_sectors_kb {stripe.bytes // 1024}" for stripe in largest_stripe(pair.groups))


def _shown(plan: Plan, seen: tuple[Pair, ...], catalog: Catalog) -> Step:
    """GPFS finds the devices of a server by nsddevices alone, and starts once multipathd runs."""
    return Step(
        "Show the volumes to GPFS",
        tuple(_places(plan, seen, seconds(catalog, "script"))),
        (Look(f"`{_NSDDEVICES}`", "`mapper/NAME dmm` for every volume of the server, and nothing else of the arrays"),),
        needs=(_NAMED,),
        provides=(DEVICES,),
        text=(
            "On every server of an NSD, before mmcrnsd. multipathd has to run before GPFS does, at every start:"
            " `/etc/systemd/system/gpfs.service.d/multipathd.conf` gets the three lines `[Unit]`,"
            " `Wants=multipathd.service` and `After=multipathd.service`.",
        ),
        commands=(f"install -m 0755 nsddevices {_NSDDEVICES}", "systemctl daemon-reload"),
    )


def _places(plan: Plan, seen: tuple[Pair, ...], each: int) -> Iterator[Box]:
    for pair in seen:
        folder = f"multipath/{word(pair.module.id)}"
        for server in pair.module.servers:
            yield Box(word(server), f"`{folder}/nsddevices`", f"me4/{word(pair.module.arrays[0])}/README.md#5.", each)
    for target in outside(plan):
        folder = f"multipath/descriptor-{word(target.servers[0])}"
        yield Box(word(target.servers[0]), f"`{folder}/nsddevices`", f"{folder}/nsddevices", each)
