"""The steps that prepare the nodes of a Lustre file system and their network."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.render.lnet import files
from pixsize.render.steps import DRIVER, NETWORK, PREPARED, Box, Look, Step, seconds
from pixsize.render.words import clients_name, nid, word

_PAGE = "lnet/README.md"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """Packages, time and users of each server, then the file of LNet, then a ping from each to each."""
    script, version = seconds(catalog, "script"), word(plan.lustre.version)
    servers = [s for s in plan.servers if s.nids]
    paths = [file.path for file in files(plan, catalog) if file.path != _PAGE]
    modprobe = plan.lustre.network is not None and plan.lustre.network.owner == "modprobe"
    where = "/etc/modprobe.d/lustre.conf" if modprobe else "/etc/lnet.conf"
    start = "`modprobe lnet && lctl network up`" if modprobe else "`systemctl enable lnet`, then `systemctl start lnet`"
    clients = clients_name(s.id for s in servers)
    named = [*((word(s.id), f"of {', '.join(map(nid, s.nids))}") for s in servers), (clients, "on every client")]
    return (
        Step(
            "Prepare the servers",
            tuple(
                Box(word(s.id), "packages, names, time and users, as below", _PAGE, seconds(catalog, "prepare"))
                for s in servers
            ),
            (
                Look("`modinfo -F version lustre`", version),
                Look("`mke2fs -V`", "a version with `wc` in it: Lustre's own e2fsprogs"),
                Look("`ip -4 addr show`", "the address that the step for LNet names, and the link up"),
                Look("`chronyc tracking`", "time in agreement on all servers and clients"),
                Look(
                    "`getent passwd USER` on each MDS",
                    "every user and group of the clients, or they get `permission denied`",
                ),
                Look("`getenforce`", "what was decided for SELinux, the same on all servers"),
            ),
            provides=(PREPARED,),
            text=(
                f"Each server has its operating system, the kernel and packages of Lustre {version} with its own"
                " e2fsprogs, lsscsi, sg3_utils and device-mapper-multipath. Names lead to the same addresses"
                " everywhere. A firewall lets TCP port 988 through where LNet runs on tcp.",
            ),
        ),
        Step(
            "Set up LNet",
            tuple(
                Box(node, f"install `{path}` as `{where}` ({whose}); {start}", _PAGE, script)
                for (node, whose), path in zip(named, paths, strict=True)
            ),
            (
                Look("`lctl list_nids`", "the planned address and no other"),
                Look(
                    "`lctl ping NID`, from each server and one client to each server",
                    "an answer from every address above",
                ),
            ),
            needs=(PREPARED,),
            after=(DRIVER,),
            provides=(NETWORK,),
        ),
    )
