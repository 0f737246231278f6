"""The steps that make a GPFS file system out of its NSDs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.estimate import ids
from pixsize.figures import Figure
from pixsize.plan.records import Plan
from pixsize.products.scale.figures.capacity import figures
from pixsize.products.scale.render.stanzas import PATH, view
from pixsize.render.steps import DEVICES, MADE, MOUNTED, MOVERS, SERVING, Box, Look, Step, seconds
from pixsize.render.template import word
from pixsize.units import decimal_bytes

_NSDS = "NSDs that are made"
_ANSWERS = (
    "The file system was made with `-z yes`: a node mounts it only when the program that moves files runs and answers"
    " (mmcrfs, option -z; `dmapiMountTimeout` is how long a mount waits). Start that program first. A mount that hangs or"
    " fails here says nothing about the disks."
)
_SET = "servers that let go of a failed descriptor"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """NSDs, file system, mount: the commands run on one server of the cluster."""
    values = view(plan, catalog)
    script, look = seconds(catalog, "script"), seconds(catalog, "look")
    first = word(plan.modules[0].servers[0])
    usable = next(f for f in figures(plan, catalog) if f.id == ids.USABLE)
    return (
        _nsds(values, first, script),
        *_descriptors(values, first, look),
        _filesystem(values, first, script + look),
        _mounted(values, first, look, usable),
    )


def _nsds(values: dict[str, Any], first: str, each: int) -> Step:
    count = values["nsds"]
    return Step(
        f"Make the {count} NSDs",
        (Box(first, f"copy `{PATH}` to {first}, then `mmcrnsd -F nsd.stanza`", PATH, each),),
        (
            Look("`mmlsnsd -X`", f"{count} NSDs, each on the device and servers of the file, in its order"),
            Look("`mmlsnsd -F`", f"the same {count} NSDs: none belongs to a file system yet"),
        ),
        needs=(DEVICES,),
        provides=(_NSDS,),
        destroys="what the devices of the stanza file hold",
        text=(
            "mmcrnsd refuses a device that carries an NSD already. Find out whose it is; never pass `-v no`. When it"
            " stopped half-way, `mmlsnsd -F` lists the NSDs that were made and belong to no file system. Copy the"
            " stanzas of the others, and no more, into a file of their own, and run mmcrnsd with that one. The next"
            " step takes the whole file.",
        ),
    )


def _descriptors(values: dict[str, Any], first: str, each: int) -> Iterator[Step]:
    """A server of a descriptor alone must let go of the file system when its disk fails."""
    if values["descriptors"]:
        yield Step(
            "Unmount where a descriptor fails",
            tuple(
                Box(first, f"`mmchconfig unmountOnDiskFail=yes -N {d['servers']}`", PATH, each)
                for d in values["descriptors"]
            ),
            (Look("`mmlsconfig unmountOnDiskFail`", "`yes` for the servers of the box, and for no other"),),
            needs=(_NSDS,),
            provides=(_SET,),
        )


def _filesystem(values: dict[str, Any], first: str, each: int) -> Step:
    name, options = values["filesystem"], values["options"]
    command = f"mmcrfs {name} -F nsd.stanza -T /{name} {options} -n NODES --inode-limit INODES"
    return Step(
        f"Make the file system {name}",
        (Box(first, f"`{command}`", PATH, each),),
        (
            Look(f"`mmlsfs {name}`", f"block size, inode size, replicas and `-j` of the command: {options}"),
            Look(f"`mmlsdisk {name} -L`", "every NSD ready and up, with usage, pool and failure group of the file"),
        ),
        needs=(_NSDS,),
        after=(_SET,),
        provides=(MADE,),
        text=(
            "NODES is the number of nodes that will ever mount the file system: it cannot be changed later. INODES is"
            f" at most {values['inodes']}, the low end of what the metadata NSDs hold (figure files.max).",
        ),
    )


def _mounted(values: dict[str, Any], first: str, each: int, usable: Figure) -> Step:
    name = values["filesystem"]
    low, high = (decimal_bytes(int(size)) for size in (usable.low, usable.high))
    return Step(
        f"Mount {name}",
        (Box(first, f"`mmmount {name} -a`", "", each),),
        (
            Look(f"`mmlsmount {name} -L`", "every node of the cluster that is to mount it"),
            Look(f"`df -H /{name}`", f"between {low} and {high} (figure capacity.usable)"),
        ),
        needs=(MADE,),
        after=(MOVERS,) if values["dmapi"] else (),
        provides=(SERVING, MOUNTED),
        text=(_ANSWERS,) if values["dmapi"] else (),
    )
