"""The words for Lustre and its targets in findings, pages and run books of other products."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Limit
from pixsize.estimate import ids
from pixsize.plan.records import Plan
from pixsize.product import Terms
from pixsize.products.lustre.plan import DNE, SINGLE, lustre
from pixsize.texts import plural
from pixsize.units import binary_bytes


def _full_write(plan: Plan, catalog: Catalog) -> tuple[str, int]:  # noqa: ARG001  the same call for every file system
    return "A full RPC", catalog.get(Limit, "lustre.rpc_bytes").value


def _described(plan: Plan) -> str:
    fs = lustre(plan)
    stripes = "all OSTs" if fs.stripe_count == -1 else plural(fs.stripe_count, "OST")
    size = binary_bytes(fs.stripe_bytes)
    return f"{fs.name}: Lustre {fs.version}, stripes of {size} over {stripes} by default"


def _counted(plan: Plan) -> tuple[str, str]:
    kinds = Counter(t.kind for t in plan.targets)
    return "targets", ", ".join(plural(n, kind.upper()) for kind, n in kinds.items())


def _chunk_meets(plan: Plan, said: str, stripe: int, level: str) -> str:  # noqa: ARG001
    raid = f"of the RAID {level.removeprefix('r')} groups"
    return f"{raid}: {said}, which ldiskfs is told as stride and stripe width"


_ROOM: dict[str, Literal["group", "smallest", "needs"]] = {"mgt": "needs", "mdt": "smallest", "ost": "group"}
"""MDTs are made equally large: files spread evenly fill the smallest first."""

TERMS = Terms(
    makes="mkfs.lustre",
    targets="targets",
    user="a target of Lustre",
    expands=False,  # MDTs are to stay equally large, which `size max` undoes
    sized=True,
    no_growth="before mkfs.lustre: its scripts stop at a device of any other size",
    used_drives=(
        "- Where the drives may have been used before: ask now whose they were, and whether anybody needs what they hold. New volumes over",
        "  used drives may show old data, and then the scripts of `mkfs` stop until somebody has decided about it.",
    ),
    at_boot=(),
    when_named=("When both servers agree, the scripts of `mkfs` make the targets.",),
    namesakes="",
    # A target is formatted with errors=remount-ro, and the resource agents look only whether it is mounted (Lustre
    # Operations Manual, mkfs.lustre; Lustre source, lustre/scripts/ocf).
    last_path=(
        "When the last path is gone Lustre must hear of it. The target does not move to the other server by that: it",
        "remounts read-only (errors=remount-ro), and its run book (ha) says who notices.",
    ),
    full_write=_full_write,
    modules={"mds": "MDS pair"},
    variants={
        DNE: "two MDTs a pair of servers (DNE), one active on each",
        SINGLE: "one MDT a pair of servers, active/passive",
    },
    described=_described,
    counted=_counted,
    chunk_meets=_chunk_meets,
    steps={ids.TARGET_VOLUMES: "OST volumes", ids.FILESYSTEM_OVERHEAD: "ldiskfs"},
    df="lfs df",
    no_rates=(),
    pool_of=lambda _: "",
    balances=lambda target: target.kind == "ost",  # another rule spreads MGT and MDTs
    room_of=lambda target: _ROOM[target.kind],
    illegal_name=lambda _: "",
    named_as_volumes=False,  # labels have rules of their own
    beside_volumes="",
)
