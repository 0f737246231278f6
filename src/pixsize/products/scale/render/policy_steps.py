"""The steps that give the file system its policy, and write the first file."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import scale
from pixsize.products.scale.render.policy import CALLBACK, INSTALL, path_of, pools
from pixsize.render.steps import MADE, MOUNTED, MOVERS, PLACED, SERVED, SERVING, Box, Look, Step, seconds
from pixsize.render.template import binary_size, word

_BESIDE = (
    "Rules of a program that moves files stand before those of the file, which the script takes from GPFS only where the"
    " file has them, too: write them into it first."
)


_BLOCKS = 1024
"""How many blocks of the file system the first file has."""


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """The policy, then a file that shows where new files go."""
    return (_policy(plan, catalog), _first_file(plan, catalog))


def _policy(plan: Plan, catalog: Catalog) -> Step:
    """The script on the admin node; it tests the rules before it installs them."""
    filesystem, admin, path = word(scale(plan).name), word(scale(plan).cluster.admin), path_of(plan)
    each, tiers = seconds(catalog, "script"), pools(plan)
    last = (Look("`mmlscallback`", "the callback of the script, for each pool that files leave"),) if tiers else ()
    return Step(
        f"Give {filesystem} its policy",
        (
            Box(admin, f"`{INSTALL.path}`: {INSTALL.summary}, `{path}`", INSTALL.path, each),
            *((Box(admin, f"`{CALLBACK.path}`: {CALLBACK.summary}", CALLBACK.path, each),) if tiers else ()),
        ),
        (Look(f"`mmlspolicy {filesystem} -L`", f"the rules of `{path}`, the default rule last"), *last),
        needs=(MADE,),
        after=(SERVING, MOVERS) if scale(plan).dmapi else (SERVING,),
        provides=(PLACED,),
        text=(_BESIDE,) if scale(plan).dmapi else (),
    )


def _first_file(plan: Plan, catalog: Catalog) -> Step:
    """A file that is written and read past the page pool, and lies where the policy puts new files."""
    filesystem, size = scale(plan), binary_size(scale(plan).block_bytes)
    path = f"/{word(filesystem.name)}/pixsize.first"
    pool = word(next((tier.name for tier in pools(plan)), filesystem.data_pool))
    return Step(
        f"Write the first file to {word(filesystem.name)}",
        (
            Box(
                word(filesystem.cluster.admin),
                f"`{path}` written, read, and taken away",
                "",
                seconds(catalog, "script"),
            ),
        ),
        (
            Look("both lines of `dd`", f"{_BLOCKS}+0 records in and {_BLOCKS}+0 records out, and no error"),
            Look(f"`mmlsattr -L {path}`", f"storage pool name: {pool}"),
            Look("`mmhealth cluster show`", "no component that is failed or degraded"),
        ),
        needs=(PLACED, MOUNTED),
        provides=(SERVED,),
        text=("One stream of one node says whether all is well, and nothing of the rates that the plan names.",),
        commands=(
            f"dd if=/dev/zero of={path} bs={size} count={_BLOCKS} oflag=direct",
            f"mmlsattr -L {path}",
            f"dd if={path} of=/dev/null bs={size} iflag=direct",
            f"rm {path}",
        ),
    )
