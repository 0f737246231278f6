"""The step that gives the file system its policy."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import scale
from pixsize.products.scale.render.policy import CALLBACK, INSTALL, path_of, pools
from pixsize.render.steps import MADE, MOVERS, PLACED, SERVING, Box, Look, Step, seconds
from pixsize.render.template import word

_BESIDE = (
    "Rules of a program that moves files stand before those of the file, which the script takes from GPFS only where the"
    " file has them, too: write them into it first."
)


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """The script on the admin node; it tests the rules before it installs them."""
    filesystem, admin, path = word(scale(plan).name), word(scale(plan).cluster.admin), path_of(plan)
    each, tiers = seconds(catalog, "script"), pools(plan)
    return (
        Step(
            f"Give {filesystem} its policy",
            (
                Box(
                    admin,
                    f"`{INSTALL.path}`: {INSTALL.summary}, `{path}`",
                    INSTALL.path,
                    each,
                ),
                *((Box(admin, f"`{CALLBACK.path}`: {CALLBACK.summary}", CALLBACK.path, each),) if tiers else ()),
            ),
            (
                Look(f"`mmlspolicy {filesystem} -L`", f"the rules of `{path}`, the default rule last"),
                *(
                    (Look("`mmlscallback`", "the callback of the script, for each pool that files leave"),)
                    if tiers
                    else ()
                ),
            ),
            needs=(MADE,),
            after=(SERVING, MOVERS) if scale(plan).dmapi else (SERVING,),
            provides=(PLACED,),
            text=(_BESIDE,) if scale(plan).dmapi else (),
        ),
    )
