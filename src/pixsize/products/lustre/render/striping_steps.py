"""The steps that give a Lustre file system its default layouts."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import lustre
from pixsize.products.lustre.render.striping import files
from pixsize.render.steps import LAID_OUT, MOUNTED, PROVEN, Box, Look, Step, seconds
from pixsize.render.template import binary_size, clients_name

_PAGE = "striping/README.md"
_DIRECTORIES = {
    "directory-layout.sh": Look("what it prints", "stripe count 1, offset -1, and 3 in `max_inherit_rr`"),
    "round-robin.sh": Look("`lfs getdirstripe -D` of the mount point", "1 in `max_inherit_rr`"),
    "directories.sh": Look("`lfs getdirstripe DIRECTORY` of each", "one MDT after the other"),
}
"""Scripts for directories, the first that a plan has being the one that is run, and how to see what it did."""


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """Layouts of files, and how directories spread over several MDTs, from one client."""
    where = f"one of the {clients_name(s.id for s in plan.servers)}"
    names = [file.path.rpartition("/")[2] for file in files(plan, catalog)]
    script, size = seconds(catalog, "script"), binary_size(lustre(plan).stripe_bytes)
    boxes = [
        Box(
            where,
            "in the folder `striping`: `./default-layout.sh --dry-run`, then `./default-layout.sh`",
            f"{_PAGE}#Files over OSTs",
            script,
        )
    ]
    looks = [
        Look("`lfs getstripe -d` of the mount point", f"stripe count {lustre(plan).stripe_count}, stripe size {size}")
    ]
    directories = next((name for name in _DIRECTORIES if name in names), "")
    if directories:
        arguments = " NAME...`, with the names of the first directories" if directories == "directories.sh" else "`"
        do = f"in the folder `striping`: `./{directories}{arguments}"
        boxes.append(Box(where, do, f"{_PAGE}#Directories over MDTs", script))
        looks.append(_DIRECTORIES[directories])
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
