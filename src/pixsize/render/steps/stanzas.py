"""The steps that make a GPFS file system out of its NSDs."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.render.stanzas import PATH, view
from pixsize.render.steps import DEVICES, MADE, MOUNTED, PREPARED, SERVING, Box, Look, Step, seconds
from pixsize.render.words import word


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """Servers, NSDs, file system, mount: the NSD commands run on one server of the cluster."""
    words = view(plan, catalog)
    script, look = seconds(catalog, "script"), seconds(catalog, "look")
    first = word(plan.modules[0].servers[0])
    servers = tuple(dict.fromkeys(s for t in plan.targets for s in t.servers))
    filesystem, count = words["filesystem"], words["nsds"]
    return (
        Step(
            "Prepare the servers of the cluster",
            tuple(
                Box(word(s), "packages, names, time and the GPFS cluster, as below", "", seconds(catalog, "prepare"))
                for s in servers
            ),
            (
                Look("`mmlscluster`", "every server of this table under the same name"),
                Look("`mmlsconfig maxblocksize`", f"{words['block']} or more; raise it while the daemons are down"),
                Look("`chronyc tracking`, on each", "time in agreement"),
            ),
            provides=(PREPARED,),
            text=(
                "Each server has its operating system, its adapters, the GPFS packages, lsscsi, sg3_utils and"
                " device-mapper-multipath; names lead to the addresses of the daemons; users and groups are the same"
                " everywhere. multipathd starts before GPFS: `systemctl enable multipathd`.",
            ),
        ),
        Step(
            f"Make the {count} NSDs",
            (Box(first, f"copy `{PATH}` to {first}, then `mmcrnsd -F nsd.stanza`", PATH, script),),
            (
                Look("`mmlsnsd -X`", f"{count} NSDs, each on the device and servers of the file, in its order"),
                Look("`mmlsnsd -F`", f"the same {count} NSDs: none belongs to a file system yet"),
            ),
            needs=(DEVICES,),
            provides=("NSDs",),
            destroys="what the devices of the stanza file hold",
            text=(
                "mmcrnsd refuses a device that carries an NSD already. Find out whose it is; never pass `-v no`. When"
                " it stopped half-way, `mmlsnsd -F` lists the NSDs that were made and belong to no file system. Take"
                " their stanzas out of a copy of the file, and run mmcrnsd with the rest only.",
            ),
        ),
        Step(
            f"Make the file system {filesystem}",
            (
                Box(
                    first,
                    f"`mmcrfs {filesystem} -F nsd.stanza -T /{filesystem} {words['options']}`, with `-n` and"
                    " `--inode-limit` as the head of the file says",
                    PATH,
                    script + look,
                ),
            ),
            (
                Look(
                    f"`mmlsfs {filesystem}`", f"block size, inode size and replicas of the command ({words['options']})"
                ),
                Look(
                    f"`mmlsdisk {filesystem} -L`",
                    "every NSD ready and up, with the usage, pool and failure group of the file",
                ),
            ),
            needs=("NSDs",),
            provides=(MADE,),
        ),
        Step(
            f"Mount {filesystem}",
            (Box(first, f"`mmmount {filesystem} -a`", "", look),),
            (
                Look(f"`mmlsmount {filesystem} -L`", "every node of the cluster that is to mount it"),
                Look(
                    f"`mmdf {filesystem}`",
                    "both pools, with the capacity of the plan (`pixsize explain capacity.usable`)",
                ),
            ),
            needs=(MADE,),
            provides=(SERVING, MOUNTED),
        ),
    )
