"""The steps on servers before the first file, and the GPFS cluster."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, same_host
from pixsize.products.scale.plan import scale
from pixsize.render.steps import PREPARED, SAME_TIME, SAME_USERS, WITH_ARRAYS, Box, Look, Step, seconds
from pixsize.render.template import binary_size, word


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """What the servers need before anything else."""
    filesystem, each = scale(plan), seconds(catalog, "prepare")
    with_arrays = [s for m in plan.modules for s in m.servers]
    boxes = [Box(word(s), f"GPFS, {WITH_ARRAYS}", "", each) for s in with_arrays]
    others = dict.fromkeys(s for t in plan.targets for s in t.servers if not any(same_host(s, o) for o in with_arrays))
    boxes += [Box(word(s), "GPFS", "", each) for s in others]
    prepare = Step(
        "Prepare the servers, and form the GPFS cluster",
        tuple(boxes),
        (
            Look("`mmlscluster`", "every server of this list, under the same name"),
            Look(
                "`mmlslicense -L`", "a server licence for each of them; else `mmchlicense server --accept -N SERVERS`"
            ),
            Look(
                "`mmlsconfig maxblocksize`",
                f"{binary_size(filesystem.block_bytes)} or more; raise it while GPFS is down",
            ),
            Look("`mmgetstate -a`, after `mmstartup -a`", "`active` for every node"),
            SAME_TIME,
            SAME_USERS,
        ),
        provides=(PREPARED,),
        text=(
            "Each server has its operating system, its adapters and the packages of its box. Names lead to the addresses"
            " of the daemons, from every node. The document puts the SAS adapters into slots 2 and 5 in one place and"
            " 2 and 7 in another: write down which port is cabled to which controller.",
        ),
    )
    return (prepare,)
