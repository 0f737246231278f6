"""The steps on servers that see volumes of arrays: rescan, names by WWID, sizes."""

from __future__ import annotations

from collections import Counter

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Module, Plan
from pixsize.render.multipath import files
from pixsize.render.steps import DEVICES, PREPARED, REPLIES, VOLUMES, Box, Look, Step, seconds
from pixsize.render.words import word

_FOLDER = "/var/mmfs/etc"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """What is done on both servers of each module, once its volumes are mapped."""
    made = {file.path for file in files(plan, catalog)}
    boxes = []
    for module in plan.modules:
        folder = f"multipath/{word(module.id)}"
        name = next((n for n in ("multipath.conf", "multipath.conf.incomplete") if f"{folder}/{n}" in made), None)
        if name is None:
            continue
        also = f", `nsddevices` becomes `{_FOLDER}/nsddevices`" if f"{folder}/nsddevices" in made else ""
        boxes += [
            Box(
                word(server),
                f"`{folder}/multipath.conf` becomes `/etc/multipath.conf`{also}; volumes: {_sizes(plan, module)}",
                f"{folder}/{name}",
                seconds(catalog, "script") + 3 * seconds(catalog, "look"),
            )
            for server in module.servers
        ]
    return (_step(tuple(boxes), any(p.endswith("nsddevices") for p in made)),)


def _sizes(plan: Plan, module: Module) -> str:
    """The sizes of a module's volumes, as `32 of 93,885,460,119,552 bytes`."""
    own = Counter(v.bytes for v in plan.volumes if v.array in module.arrays)
    return ", ".join(f"{n} of {size} bytes" for size, n in own.items())


def _step(boxes: tuple[Box, ...], gpfs: bool) -> Step:
    looks = (
        Look("`multipath -t > /dev/null`", "nothing on the screen"),
        Look("`multipath -ll`", "every alias of the file, each with two paths, one of them of the higher priority"),
        Look("`blockdev --getsize64 /dev/mapper/ALIAS`", "the bytes named at the box, the same on both servers"),
        *((Look(f"`{_FOLDER}/nsddevices`", "a line for every alias"),) if gpfs else ()),
    )
    return Step(
        "Name the volumes on the servers",
        boxes,
        looks,
        needs=(PREPARED, VOLUMES),
        after=(REPLIES,),
        provides=(DEVICES,),
        text=(
            "Where `rescan-scsi-bus.sh` is missing: `echo '- - -' > /sys/class/scsi_host/hostN/scan` for each adapter.",
        ),
        commands=(
            "rescan-scsi-bus.sh",
            "install -m 0644 multipath.conf /etc/multipath.conf",
            "systemctl enable --now multipathd",
            "multipath -r",
            "dracut -f",
            *((f"install -m 0755 nsddevices {_FOLDER}/nsddevices",) if gpfs else ()),
        ),
    )
