"""The steps that give a Lustre file system its default layouts."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.render.steps import LAID_OUT, MOUNTED, PROVEN, Box, Look, Step, seconds
from pixsize.render.striping import files
from pixsize.render.words import clients_name

_PAGE = "striping/README.md"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """Layouts of files, and directories over several MDTs, from one client."""
    client = clients_name(s.id for s in plan.servers)
    made = {file.path for file in files(plan, catalog)}
    script = seconds(catalog, "script")
    boxes = [
        Box(
            f"one of the {client}",
            "in the folder `striping`: `./default-layout.sh --dry-run`, then `./default-layout.sh`",
            f"{_PAGE}#Files over OSTs",
            script,
        )
    ]
    looks = [
        Look("`lfs getstripe -d` of the mount point", f"stripe count {plan.lustre.stripe_count}, the planned size")
    ]
    if "striping/round-robin.sh" in made:
        boxes.append(Box(f"one of the {client}", "`./round-robin.sh`", f"{_PAGE}#Directories over MDTs", script))
    if "striping/directories.sh" in made:
        boxes.append(
            Box(
                f"one of the {client}",
                "`./directories.sh NAME...` for the top directories of the users",
                f"{_PAGE}#Directories over MDTs",
                script,
            )
        )
        looks.append(Look("`lfs getdirstripe DIRECTORY` of each", "one MDT after the other"))
    return (
        Step(
            "Set the default layouts",
            tuple(boxes),
            tuple(looks),
            needs=(MOUNTED,),
            after=(PROVEN,),
            provides=(LAID_OUT,),
        ),
    )
