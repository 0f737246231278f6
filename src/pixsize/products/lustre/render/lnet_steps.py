"""The steps that set up the network of a Lustre file system."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import lustre, server_of
from pixsize.products.lustre.render.lnet import files
from pixsize.products.lustre.render.shared import nid
from pixsize.render.steps import CLIENT_DRIVER, CLIENTS, DRIVER, NETWORK, PREPARED, Box, Look, Step, seconds
from pixsize.render.template import clients_name, word

_PAGE = "lnet/README.md"
_SECTION = f"{_PAGE}#On each server"
_LOADED = (
    "no such file; else unmount all of Lustre on this host, then `lustre_rmmod`: a file is not read by a loaded LNet"
)


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """The file of LNet on each server and client, then a ping from each to each."""
    script = seconds(catalog, "script")
    servers = [s for s in plan.servers if server_of(s).nids]
    paths = [file.path for file in files(plan, catalog) if file.path != _PAGE]
    clients = clients_name(s.id for s in servers)
    named = [
        *((word(s.id), f"its address is {', '.join(map(nid, server_of(s).nids))}") for s in servers),
        (clients, "on each of them"),
    ]
    network = lustre(plan).network
    modprobe = network is not None and network.owner == "modprobe"
    where = "/etc/modprobe.d/lustre.conf" if modprobe else "/etc/lnet.conf"
    return (
        Step(
            "Set up LNet",
            tuple(
                Box(node, f"`install -m 0644 {path} {where}`, then the commands; {whose}", _SECTION, script)
                for (node, whose), path in zip(named, paths, strict=True)
            ),
            (
                *(_modprobe() if modprobe else _service()),
                Look("`lctl list_nids`", "the address of the box and no other, but for `0@lo`"),
                Look(
                    "`lctl ping NID`, from each server and one client to each server",
                    "an answer from every address above",
                ),
            ),
            needs=(PREPARED, CLIENTS),
            after=(DRIVER, CLIENT_DRIVER),
            provides=(NETWORK,),
            text=("The servers first, then the clients. Look at the first two checks before the file is installed.",),
            commands=("modprobe lustre",) if modprobe else ("systemctl enable lnet", "systemctl start lnet"),
        ),
    )


def _service() -> tuple[Look, ...]:
    """Where /etc/lnet.conf and the service `lnet` own LNet."""
    return (
        Look("before: `ls -d /sys/module/lnet`", _LOADED),
        Look("before: `grep -rs 'options lnet' /etc/modprobe.d/ /etc/modprobe.conf`", "nothing: one file owns LNet"),
        Look(
            "`systemctl status lnet`",
            "`active (exited)`; `inactive` with a condition that failed: LNet was loaded before",
        ),
    )


def _modprobe() -> tuple[Look, ...]:
    """Where options of modprobe own LNet."""
    return (
        Look("before: `ls -d /sys/module/lnet`", _LOADED),
        Look("before: `grep -s net: /etc/lnet.conf`", "nothing: one file owns LNet"),
        Look("before: `grep -rs 'options lnet' /etc/modprobe.d/`", "no other file than the one of the box"),
        Look("before: `systemctl is-enabled lnet`", "not `enabled`; else `systemctl disable lnet`: one file owns LNet"),
    )
