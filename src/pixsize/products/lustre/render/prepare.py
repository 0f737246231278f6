"""The steps on servers and clients before the first file, and who watches them in the end."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, Server
from pixsize.products.lustre.plan import LustreFilesystem, lustre, server_of
from pixsize.products.lustre.render.shared import lnet_ports, ports_by_program, ports_of, storage_ports
from pixsize.render.steps import ARRAYS_ON, CLIENTS, PREPARED, SAME_TIME, SERVING, WITH_ARRAYS, Box, Look, Step, seconds
from pixsize.render.template import clients_name, prose, word


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """What the servers and clients need before anything else, and the step with IML where it was asked for."""
    each, watched = seconds(catalog, "prepare"), lustre(plan).management == "iml_monitored"
    return (
        _servers(plan, lustre(plan), catalog, each),
        _clients(plan, lustre(plan), each),
        *((_monitored(plan, seconds(catalog, "script")),) if watched else ()),
    )


def _servers(plan: Plan, filesystem: LustreFilesystem, catalog: Catalog, each: int) -> Step:
    version = word(filesystem.version)
    used = {s for t in plan.targets for s in t.servers} | {s for p in plan.pools for s in p.servers}
    servers = [s for s in plan.servers if s.id in used]
    return Step(
        "Prepare the servers",
        tuple(Box(word(s.id), ", ".join(_packages(plan, filesystem, s)), "", each) for s in servers),
        (
            Look("`modinfo -F version lustre`, on each", version),
            Look("`mke2fs -V`, on each", "a version with `wc` in it: Lustre's own e2fsprogs"),
            Look(
                "`getent ahosts SERVER`, on each", "for every server an address of the management network, no 127.x.x.x"
            ),
            SAME_TIME,
            Look("`id USER`, on each MDS", "the same answer as on the clients; else users get `permission denied`"),
            Look(
                "`getenforce`, on each",
                "what was decided for SELinux: `Disabled`, or `Permissive`, the same everywhere",
            ),
        ),
        after=(ARRAYS_ON,),
        provides=(PREPARED,),
        text=(
            "Each server has its operating system, its adapters and the packages of its box."
            f" A firewall on a server lets through: {'; '.join(_ports(plan, filesystem, catalog)) or 'nothing more'}.",
        ),
    )


def _packages(plan: Plan, filesystem: LustreFilesystem, server: Server) -> Iterator[str]:
    serves = [t for t in plan.targets if server.id in t.servers]
    if serves:
        yield f"the kernel and the server packages of Lustre {word(filesystem.version)}, with its own e2fsprogs"
    if server.module and plan.arrays:
        yield WITH_ARRAYS
    if filesystem.fence_agent and any(len(t.servers) > 1 for t in serves):
        yield "pacemaker, pcs, the resource agents and the fence agents"
        if filesystem.sbd_devices:
            yield "sbd and the driver of a watchdog"
    if server_of(server).ring:
        yield f"the address {word(server_of(server).ring)} on the network of the second link"


def _ports(plan: Plan, filesystem: LustreFilesystem, catalog: Catalog) -> Iterator[str]:
    """What a firewall has to let through, for each part that runs on the servers."""
    if filesystem.network is not None and filesystem.network.lnet.startswith("tcp"):
        yield f"TCP {lnet_ports(catalog)['listening']}, in both directions, for LNet"
    if filesystem.fence_agent:
        ports = ports_of(catalog, "pacemaker")
        rows = " and ".join(f"{row['protocol']} {row['ports']}" for row in ports_by_program(ports))
        yield f"{rows} between servers that take over from each other, for {prose(ports.product)}"
    for ports in storage_ports(plan, catalog):
        for protocol, programs in (("TCP", ports.tcp), ("UDP", ports.udp)):
            named = ", ".join(f"{', '.join(map(str, numbers))} ({program})" for program, numbers in programs.items())
            if named:
                yield f"{protocol} {named} on the storage network, for {prose(ports.product)}"


def _clients(plan: Plan, filesystem: LustreFilesystem, each: int) -> Step:
    clients = clients_name(s.id for s in plan.servers)
    interface = f"; the interface of LNet is called {word(filesystem.network.interface)}" if filesystem.network else ""
    return Step(
        "Prepare the clients",
        (Box(clients, f"on each: the client packages of Lustre {word(filesystem.version)}{interface}", "", each),),
        (
            Look(
                "`modinfo -F version lustre`, on each", f"{word(filesystem.version)}, or a release that serves with it"
            ),
            SAME_TIME,
        ),
        needs=(PREPARED,),
        provides=(CLIENTS,),
    )


def _monitored(plan: Plan, each: int) -> Step:
    clients = clients_name(s.id for s in plan.servers)
    return Step(
        "Let Integrated Manager for Lustre watch",
        (
            Box(
                "IML",
                f"add every server of this book (not the {clients}) under the *Monitored Server Profile*",
                "",
                each,
            ),
        ),
        (Look("the servers in IML", "monitored, not managed: a managed profile would own Pacemaker and LNet"),),
        needs=(SERVING,),
    )
