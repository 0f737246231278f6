"""The steps that start a Lustre file system by hand, and mount its clients."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import lustre
from pixsize.products.lustre.render.shared import mgs_nids, starts
from pixsize.render.steps import MADE, MOUNTED, NETWORK, SERVING, STARTED, Box, Look, Step, seconds
from pixsize.render.template import clients_name, word

_PAGE = "mount/README.md"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """The first start, in the order that Lustre needs: MGT, MDT0000, other MDTs, OSTs; then the clients."""
    script, look = seconds(catalog, "script"), seconds(catalog, "look")
    clients, fsname = clients_name(s.id for s in plan.servers), word(lustre(plan).name)
    return (
        Step(
            "Start the targets by hand for the first time",
            tuple(
                Box(
                    word(server),
                    f"in the folder `mount`: `./{word(server)}.sh start {word(kind)}`",
                    f"{_PAGE}#Start",
                    script,
                )
                for kind, server in starts(plan)
            ),
            (
                Look("each script", "every target mounted; it stops at the first that is not"),
                Look("`lctl get_param health_check`, on each server", "`healthy`"),
            ),
            needs=(MADE, NETWORK),
            provides=(STARTED, SERVING),
            text=(
                "In this order: each target registers with the MGS at its first start. A target is mounted on one server"
                " only. Where no Pacemaker does it, somebody starts the targets in this order after every restart.",
            ),
        ),
        Step(
            "Mount the clients",
            (
                Box(
                    clients,
                    f"`mkdir -p /mnt/{fsname}`, add the line of `mount/{clients}.fstab` to `/etc/fstab`, then"
                    f" `mount /mnt/{fsname}`",
                    f"{_PAGE}#Clients",
                    script,
                ),
            ),
            (
                Look(
                    "`lfs df`, on a client",
                    f"every MDT and OST of the plan: {sum(t.kind != 'mgt' for t in plan.targets)} lines",
                ),
                Look(f"`lctl ping`, where a mount of `{mgs_nids(plan)}` hangs", "an answer from the MGS"),
            ),
            needs=(SERVING, NETWORK),
            provides=(MOUNTED,),
            takes=f"{look // 60} min for each client",
        ),
    )
