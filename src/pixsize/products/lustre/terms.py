"""The words for Lustre and its targets in findings, pages and run books of other products."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Limit
from pixsize.estimate import ids
from pixsize.plan.records import Plan
from pixsize.product import volume_terms
from pixsize.products.lustre.plan import DNE, OST_VOLUMES, SINGLE, lustre
from pixsize.terms import PoolTerms, Terms
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


def _starts(plan: Plan, first: int) -> tuple[str, ...]:
    lnet = f"{first}. **LNet**, on its interface. A mount that comes before it brings LNet up on tcp, where no client looks."
    if not lustre(plan).failover:
        return (
            lnet,
            f"{first + 1}. **The targets**. Nothing mounts them at boot: `mount/` has the scripts, and they are run by hand.",
        )
    services = " and ".join((*(s.removesuffix(".service") for s in volume_terms(plan).services), "LNet"))
    return (
        lnet,
        f"{first + 1}. **Pacemaker**. It starts targets as soon as a cluster's servers see each other. That {services} were started before (the",
        "   run book of `ha` sees to that) does not mean that the pool is there: a target whose volume is missing fails on one",
        "   server, then on the other, and stays stopped until `pcs resource cleanup`, also when its volume has come.",
    )


def _stops(plan: Plan) -> tuple[str, ...]:
    """What is stopped before the pool; nothing where no cluster starts targets by itself."""
    if not lustre(plan).failover:
        return ()
    return (
        "Before servers are switched off on purpose: unmount the clients, then `pcs cluster stop --all` and `pcs cluster disable --all` in each",
        f"cluster, so that no target starts by itself afterwards. Then {volume_terms(plan).name} by the vendor's own instructions for it, and then the servers.",
    )


def _mounts(plan: Plan) -> tuple[str, ...]:
    if not lustre(plan).failover:
        return ("Then the targets in the order of `mount/`.",)
    return (
        "Then `pcs cluster start --all`, the cluster of the MGS first, the next when its targets have started. Where Pacemaker was faster",
        "than the pool: `pcs resource cleanup` once the list above holds. `pcs cluster enable --all` where it was disabled.",
    )


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
    managed=lambda _: (),
    counted=_counted,
    chunk_meets=_chunk_meets,
    volumes_figure=OST_VOLUMES,
    figure_names={OST_VOLUMES: "OST volumes", ids.FILESYSTEM_OVERHEAD: "ldiskfs", f"{ids.FABRIC}lnet": "LNet"},
    df="lfs df",
    no_rates=(),
    in_pool=PoolTerms(
        target="an OST",
        server="OSS",
        data="ost",
        kinds={"mgt": "MGT", "mdt": "MDTs", "ost": "OSTs"},
        named_by="mkfs",
        lvm="Lustre needs no LVM",
        two_servers=(
            "A volume that two servers see is safe only while one of them has it mounted: multiple mount protection of the",
            "targets, Pacemaker and fencing see to that. Never mount one by hand on the second server.",
        ),
        starts=_starts,
        stops=_stops,
        seen=(
            "- `lnetctl net show` shows the network that `lnet/` plans, and no tcp in its place. Where it shows another one, nothing that",
            "  is mounted works: unmount, `lustre_rmmod`, start LNet anew.",
        ),
        mounts=_mounts,
    ),
    pool_of=lambda _: "",
    balances=lambda target: target.kind == "ost",  # another rule spreads MGT and MDTs
    sized_by=lambda target: _ROOM[target.kind],
    illegal_name=lambda _: "",
    named_as_volumes=False,  # labels have rules of their own
    beside_volumes="",
    grows_at={"arrays": "storage_modules", "pool": "servers"},
)
