"""The steps that form the GPFS cluster, and make a file system out of its NSDs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.estimate import ids
from pixsize.figures import Figure
from pixsize.plan.records import Plan
from pixsize.products.scale.figures.capacity import figures
from pixsize.products.scale.plan import scale
from pixsize.products.scale.render import acceptance_steps, rest_steps
from pixsize.products.scale.render.cluster import (
    CLASSES,
    FILESYSTEM,
    FORM,
    LICENCES,
    MOUNT,
    NSDS,
    SETTINGS,
    START,
    Script,
    view,
)
from pixsize.products.scale.render.services_steps import services
from pixsize.products.scale.render.stanzas_steps import STANZAS
from pixsize.render.steps import CLIENTS, DEVICES, MADE, MOUNTED, MOVERS, PREPARED, SERVING, Box, Look, Step, seconds
from pixsize.texts import listed, plural
from pixsize.units import decimal_bytes

_FORMED = "a GPFS cluster"
_SET = "a GPFS cluster with licences, classes and settings"
_RUNS = "GPFS, active on every node"
_NSDS = "NSDs that are made"
_ANSWERS = (
    "The file system was made with `-z yes`: a node mounts it only when the program that moves files runs and answers"
    " (mmcrfs, option -z; `dmapiMountTimeout` is how long a mount waits). Start that program first. A mount that hangs or"
    " fails here says nothing about the disks."
)


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """The scripts in the order of their numbers, all on the admin node."""
    values, each = view(plan, catalog), seconds(catalog, "script")
    usable = next(f for f in figures(plan, catalog) if f.id == ids.USABLE)
    return (
        _formed(values, each),
        _set(values, each),
        _started(values, each),
        _nsds(values, each),
        _filesystem(values, each),
        _mounted(plan, values, each, usable),
        *services(plan, catalog),
        *acceptance_steps.steps(plan, values, catalog),
        *rest_steps.steps(plan, values, catalog),
    )


def _box(values: dict[str, Any], script: Script, each: int, words: str = "") -> Box:
    return Box(values["admin"], f"`cluster/{script.name}{words}`: {script.summary}", script.path, each)


def _formed(values: dict[str, Any], each: int) -> Step:
    voters = [node["name"] for node in values["nodes"] if node["designation"].startswith("quorum")]
    count = len(values["nodes"])
    return Step(
        f"Form the GPFS cluster {values['cluster']}",
        (_box(values, FORM, each),),
        (
            Look("`mmlscluster`", f"{count} nodes under the names of `cluster/nodes.list`"),
            Look("`mmlscluster`, the column of designations", f"quorum for {', '.join(voters)}, and for no other"),
        ),
        needs=(PREPARED,),
        after=(DEVICES, CLIENTS),
        provides=(_FORMED,),
        text=(
            "Every script of the folder `cluster` looks before it acts: what is done already it leaves out, so that it can"
            " be started again after a stop. `--check` changes nothing, `--dry-run` prints the commands. Root reaches every"
            f" node from every other with {values['remote_shell']}, and no password is asked for.",
        ),
    )


def _set(values: dict[str, Any], each: int) -> Step:
    settings = len(values["settings"])
    return Step(
        "Give the nodes their licences, classes and settings",
        tuple(_box(values, script, each) for script in (LICENCES, CLASSES, SETTINGS)),
        (
            Look("`mmlslicense -L`", "the designated licence of each node is the required one"),
            Look("`mmlsnodeclass --user`", "each class with its members"),
            Look("`mmlsconfig`", f"the {settings} settings at the head of `cluster/{SETTINGS.name}`"),
            *_found(values),
        ),
        needs=(_FORMED,),
        provides=(_SET,),
        text=("maxblocksize is taken only while GPFS is down on every node: before the next step.",),
    )


def _found(values: dict[str, Any]) -> Iterator[Look]:
    """What the servers show whose adapters do not all lead to the file system."""
    nodes = listed([server["node"] for server in values["found"]], 8)
    if nodes:
        ports = plural(values["found"][0]["links"], "port")
        yield Look(
            "`mmlsconfig verbsPorts`",
            f"for each of {nodes}, too, {ports}: those that `ibstat` shows as active there on the cables to the file system",
        )


def _started(values: dict[str, Any], each: int) -> Step:
    return Step(
        "Start GPFS",
        (_box(values, START, each),),
        (Look("`mmgetstate -aLs`", f"{len(values['nodes'])} nodes `active`, and a quorum"),),
        needs=(_SET,),
        provides=(_RUNS,),
    )


def _nsds(values: dict[str, Any], each: int) -> Step:
    count = f"{len(values['nsds']):,}"
    return Step(
        f"Make the {count} NSDs",
        (_box(values, NSDS, each, " --check"), _box(values, NSDS, each)),
        (
            Look("`mmlsnsd -X`", f"{count} NSDs, each on the device and servers of the file, in its order"),
            Look("`mmlsnsd -F`", f"the same {count} NSDs: none belongs to a file system yet"),
        ),
        needs=(DEVICES, _RUNS, STANZAS),
        provides=(_NSDS,),
        destroys="what the devices of the stanza file hold",
        text=(
            "The script stops at a device on which a server finds a signature, and mmcrnsd at one that carries an NSD"
            " already. Find out whose it is; never pass `-v no`. After a stop half-way, start it again: it takes the"
            " stanzas of the missing NSDs, and no more.",
        ),
    )


def _filesystem(values: dict[str, Any], each: int) -> Step:
    name, options = values["filesystem"], values["mmcrfs"]
    return Step(
        f"Make the file system {name}",
        (_box(values, FILESYSTEM, each, " --nodes NODES"),),
        (
            Look(f"`mmlsfs {name}`", f"block size, inode size, replicas and `-j` of the command: {options}"),
            Look(f"`mmlsdisk {name} -L`", "every NSD ready and up, with usage, pool and failure group of the file"),
        ),
        needs=(_NSDS,),
        provides=(MADE,),
        text=(
            "NODES is the number of nodes that will ever mount the file system: it cannot be changed later, and is"
            f" {len(values['nodes'])} at the least, those of the plan. For fewer files"
            f" than {values['inodes']}, the low end of what the metadata NSDs hold (figure files.max), add `--inodes INODES`.",
        ),
    )


def _mounted(plan: Plan, values: dict[str, Any], each: int, usable: Figure) -> Step:
    name = values["filesystem"]
    beside = sum(v.bytes for v in plan.volumes if not v.array)
    low, high = (decimal_bytes(int(size) + beside) for size in (usable.low, usable.high))
    more = " and the NSDs beside the arrays" if beside else ""
    return Step(
        f"Mount {name}",
        (_box(values, MOUNT, each),),
        (
            Look(f"`mmlsmount {name} -L`", "every node of the cluster that is to mount it"),
            Look(f"`df -H /{name}`", f"between {low} and {high} (figure capacity.usable{more})"),
        ),
        needs=(MADE,),
        after=(MOVERS,) if scale(plan).dmapi else (),
        provides=(SERVING, MOUNTED),
        text=(_ANSWERS,) if scale(plan).dmapi else (),
    )
