"""The steps on servers that see volumes of arrays: names by WWID, rescan, sizes, and what shows them to GPFS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.plan.hosts import same_host
from pixsize.plan.records import Plan, ScaleFilesystem
from pixsize.render.me4_parts import largest_stripe
from pixsize.render.multipath import Pair, outside, pairs
from pixsize.render.steps import DEVICES, PREPARED, REPLIES, VOLUMES, Box, Look, Step, seconds
from pixsize.render.words import device, word

_NSDDEVICES = "/var/mmfs/etc/nsddevices"
_DROP_IN = "/etc/systemd/system/gpfs.service.d"
_NAMED = "volumes that have their names"
_COMPARED = "volumes that have their sizes on every server"
_RESCAN = 'for host in /sys/class/scsi_host/host*; do echo "- - -" > "$host/scan"; done'


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """What is done on both servers of each module, once its volumes are mapped."""
    seen = tuple(pairs(plan))
    named, compared = _names(seen, catalog), _compared(seen, catalog)
    if not isinstance(plan.filesystem, ScaleFilesystem):
        return (named, compared._replace(provides=(DEVICES,)))
    return (named, compared, _ordered(seen, catalog), _shown(plan, seen, catalog))


def _names(seen: tuple[Pair, ...], catalog: Catalog) -> Step:
    each = seconds(catalog, "script") + 2 * seconds(catalog, "look")
    boxes = tuple(
        Box(
            word(server),
            f"in the folder `multipath/{word(pair.module.id)}`: {len(pair.volumes)} volumes{_requests(pair)}",
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
            Look(
                "before: `lsblk -o NAME,TYPE,MOUNTPOINT`", "no `mpath` that this server itself uses: the file hides it"
            ),
            Look("`multipath -t > /dev/null`", "nothing on the screen; it returns 0 whatever it finds"),
            Look("`multipath -ll`", "every volume by its name, with two paths, one of them of the higher priority"),
            Look(
                'for a volume, `cat /sys/block/$(basename "$(readlink -f /dev/mapper/NAME)")/queue/max_sectors_kb`',
                "the number of the box, where it has one",
            ),
        ),
        needs=(PREPARED, VOLUMES),
        after=(REPLIES,),
        provides=(_NAMED,),
        text=(
            "Go on behind `multipath -t`, and behind `multipath -ll`, only when their lines of the table are right.",
        ),
        commands=(
            "install -b -m 0644 multipath.conf /etc/multipath.conf",
            "multipath -t > /dev/null",
            "systemctl enable multipathd",
            "systemctl restart multipathd",
            _RESCAN,
            "multipath -r",
            "multipath -ll",
            "dracut -f",
        ),
    )


def _requests(pair: Pair) -> str:
    """The size of a request that holds a full stripe, in KiB; nothing where all groups are mirrors."""
    return "".join(f", max_sectors_kb {stripe.bytes // 1024}" for stripe in largest_stripe(pair.groups))


def _compared(seen: tuple[Pair, ...], catalog: Catalog) -> Step:
    return Step(
        "Compare the sizes of the volumes",
        tuple(
            Box(
                word(server),
                f"the loop of the page of {word(array)}: {_sizes(pair, array)}",
                f"me4/{word(array)}/README.md#5.",
                seconds(catalog, "look"),
            )
            for pair in seen
            for server in pair.module.servers
            for array in pair.module.arrays
        ),
        (Look("each line of the loop", "it ends in `ok`; the page says what to do about an older size"),),
        needs=(_NAMED,),
        provides=(_COMPARED,),
    )


def _sizes(pair: Pair, array: str) -> str:
    """The volumes of an array in a module, as `8 of 93885460119552 bytes`."""
    own = Counter(v.bytes for v in pair.volumes if v.array == array)
    return ", ".join(f"{n} of {size} bytes" for size, n in own.items())


def _ordered(seen: tuple[Pair, ...], catalog: Catalog) -> Step:
    """GPFS starts once multipathd runs, at every start of a server with arrays."""
    return Step(
        "Start multipathd before GPFS",
        tuple(Box(word(s), "enter the commands", "", seconds(catalog, "look")) for p in seen for s in p.module.servers),
        (Look("`systemctl show gpfs -p After`", "`multipathd.service` among them"),),
        needs=(_NAMED,),
        commands=(
            f"mkdir -p {_DROP_IN}",
            rf"printf '[Unit]\nWants=multipathd.service\nAfter=multipathd.service\n' > {_DROP_IN}/multipathd.conf",
            "systemctl daemon-reload",
        ),
    )


def _shown(plan: Plan, seen: tuple[Pair, ...], catalog: Catalog) -> Step:
    """GPFS finds the devices of a server by nsddevices alone."""
    return Step(
        "Show the devices to GPFS",
        tuple(_places(plan, seen, seconds(catalog, "script"))),
        (Look(f"`{_NSDDEVICES}`", "the lines of the box"),),
        needs=(_COMPARED,),
        provides=(DEVICES,),
        text=("On every server of an NSD, before mmcrnsd.",),
        commands=(f"install -b -m 0755 nsddevices {_NSDDEVICES}", _NSDDEVICES),
    )


def _places(plan: Plan, seen: tuple[Pair, ...], each: int) -> Iterator[Box]:
    for pair in seen:
        folder = f"multipath/{word(pair.module.id)}"
        for server in pair.module.servers:
            page = f"me4/{word(pair.module.arrays[0])}/README.md#5."
            shown = _lines(len(pair.volumes), _own_devices(plan, server))
            yield Box(word(server), f"in the folder `{folder}`: {shown}", page, each)
    for target in outside(plan):
        folder = f"multipath/descriptor-{word(target.servers[0])}"
        shown = f"in the folder `{folder}`: {_lines(0, _own_devices(plan, target.servers[0]))}"
        yield Box(word(target.servers[0]), shown, f"{folder}/nsddevices", each)


def _own_devices(plan: Plan, server: str) -> list[str]:
    """What nsddevices shows on one server beside the volumes of arrays: the devices that are there."""
    targets = (t for t in plan.targets if t.volume is None and any(same_host(server, s) for s in t.servers))
    return [f"`{device(t.device).removeprefix('/dev/')}`" for t in targets]


def _lines(volumes: int, others: list[str]) -> str:
    """What nsddevices prints on a server."""
    kinds = [f"`mapper/NAME dmm` for {volumes} volumes"] if volumes else []
    total = volumes + len(others)
    count = "1 line" if total == 1 else f"{total} lines"
    return f"{count}: {' and '.join(kinds + others)}"
