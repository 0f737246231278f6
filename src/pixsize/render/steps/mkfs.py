"""The steps that format the targets of a Lustre file system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.render import mkfs_view
from pixsize.render.steps import DEVICES, MADE, NETWORK, Box, Look, Step, seconds

_PAGE = "mkfs/README.md"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """Every check on every server first, then one server after the other, the one with the MGS first."""
    scripts = mkfs_view.scripts(plan, frozenset())
    script = seconds(catalog, "script")
    return (
        Step(
            "Check the devices of all targets",
            tuple(
                Box(s["server"], f"in the folder `mkfs`: `./{s['server']}.sh --check`", f"{_PAGE}#2.", script)
                for s in scripts
            ),
            (Look("the last line of each script", "`Every check has passed. Nothing was formatted.`"),),
            needs=(DEVICES, NETWORK),
            provides=("devices that passed every check",),
            text=("Pacemaker is stopped on all servers, and nothing of this file system is mounted.",),
        ),
        Step(
            "Format the targets",
            tuple(
                Box(
                    s["server"],
                    f"in the folder `mkfs`: `./{s['server']}.sh` formats {_counted(s['targets'])}",
                    f"{_PAGE}#2.",
                    script,
                )
                for s in scripts
            ),
            (
                Look("the last lines of each script", "they begin with `Done.`; start on the next server only then"),
                Look("any other end", "`STOP`, what is wrong, and how to go on: do that, and nothing else"),
            ),
            needs=("devices that passed every check",),
            provides=(MADE,),
            destroys="what the devices of the targets hold",
            text=("In this order. Work in `tmux` or `screen`.",),
        ),
    )


def _counted(targets: Sequence[Mapping[str, Any]]) -> str:
    """The first target with its device, and how many more there are."""
    first = f"{targets[0]['label']} on `{targets[0]['device']}`"
    return first if len(targets) == 1 else f"{first} and {len(targets) - 1} more (the page names all)"
