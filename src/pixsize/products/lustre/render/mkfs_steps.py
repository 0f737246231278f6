"""The steps that format the targets of a Lustre file system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.lustre.render import mkfs
from pixsize.products.lustre.render.format_time import FormatWork, format_works, rate, takes, written
from pixsize.render.steps import DEVICES, MADE, NETWORK, Box, Look, Step, seconds

_PAGE = "mkfs/README.md#2."
_CHECKED = "devices that passed every check"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """Every check on every server first, then one server after the other, the one with the MGS first."""
    works = format_works(plan, catalog)
    scripts = mkfs.scripts(plan, frozenset(), works)
    script = seconds(catalog, "script")
    return (
        Step(
            "Check the devices of all targets",
            tuple(
                Box(s["server"], f"in the folder `mkfs`: `./{s['server']}.sh --check`", _PAGE, script) for s in scripts
            ),
            (
                Look("the last line of each script", "`Every check has passed. Nothing was formatted.`"),
                Look(
                    "a table of devices that are not all zeros",
                    "stop: somebody's data may lie there; the page says how to decide, and when `--not-zero` is right",
                ),
            ),
            needs=(DEVICES, NETWORK),
            provides=(_CHECKED,),
            text=("Pacemaker is stopped on all servers, and nothing of this file system is mounted.",),
        ),
        Step(
            "Format the targets",
            tuple(
                Box(
                    s["server"],
                    f"in the folder `mkfs`: `./{s['server']}.sh` formats {_targets(s['targets'])}; it"
                    f" {_work([works[t['label']] for t in s['targets']])}",
                    _PAGE,
                    script,
                )
                for s in scripts
            ),
            (
                Look("the last lines of each script", "they begin with `Done.`; start on the next server only then"),
                Look("any other end", "`STOP`, what is wrong, and how to go on: do that, and nothing else"),
            ),
            needs=(_CHECKED,),
            provides=(MADE,),
            destroys="what the devices of the targets hold",
            takes=f"the servers {takes(works.values())} at {rate(next(iter(works.values())))}, one after the other",
            text=("In this order. Work in `tmux` or `screen`. mkfs.lustre prints nothing while it writes.",),
        ),
    )


def _targets(targets: Sequence[Mapping[str, Any]]) -> str:
    """The first target with its device, and how many more there are."""
    first = f"{targets[0]['label']} on `{targets[0]['device']}`"
    return first if len(targets) == 1 else f"{first} and {len(targets) - 1} more (the page names all)"


def _work(works: Sequence[FormatWork]) -> str:
    """What the formats of a server write together, and how long that takes."""
    total = FormatWork(
        sum(w.inode_table_bytes for w in works),
        sum(w.journal_bytes for w in works),
        any(w.at_most for w in works),
        sum(w.seconds for w in works),
        works[0].rate,
    )
    return f"{written(total)}, {takes(works)}"
