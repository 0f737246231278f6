"""The steps on site before the first package: racks, power, management controllers, operating system, network."""

from __future__ import annotations

from collections import Counter

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Racked, Record
from pixsize.catalog.server_parts import ServerPart, ServerParts
from pixsize.catalog.software import Software
from pixsize.plan.networks import data_networks
from pixsize.plan.records import Plan, Server
from pixsize.products.scale.plan import scale, server_of
from pixsize.products.scale.render import network_steps, ports_steps
from pixsize.products.scale.render.hosts_steps import INSTALLED
from pixsize.products.scale.render.network_steps import about, place
from pixsize.render.steps import (
    ARRAYS_ON,
    ARRAYS_RACKED,
    CABLED,
    RACKED,
    SERVERS_ON,
    Box,
    Look,
    Step,
    seconds,
)
from pixsize.render.template import code, prose, word
from pixsize.texts import plural

_ANSWERING = "management controllers that answer"
_LINUX, _KERNEL, _OFED = "Red Hat Enterprise Linux", "kernel", "MLNX_OFED_LINUX"
"""Names of software, as records of the kind `software` have them."""
GPFS = "IBM Spectrum Scale"
_CONTROLLER, _DISKS, _SOFTWARE = "system_disk_controller", "system_disks", "management_software"
"""Words of records of the kind `server_parts`."""


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """From the pallet to servers that answer each other on the network of the file system."""
    return (
        _racked(plan, catalog),
        _switched_on(plan, catalog),
        _controllers(plan, catalog),
        _installed(plan, catalog),
        *ports_steps.steps(plan, catalog),
        network_steps.step(plan, catalog, f"the driver of the adapters{_driver(plan, catalog)}"),
    )


def _driver(plan: Plan, catalog: Catalog) -> str:
    """Which driver the adapters need, behind a comma, and how it is installed; empty where no record has it."""
    ofed = versions(plan, catalog).get(_OFED, "")
    # From memory: the program of the bundle, and the service that loads its modules.
    return f", {_OFED} {prose(ofed)} (`mlnxofedinstall`, then `/etc/init.d/openibd restart`)" if ofed else ""


def versions(plan: Plan, catalog: Catalog) -> dict[str, str]:
    """The versions of the servers' software that the design was validated with, by its name."""
    records = catalog.all(Software)
    ours = (s for s in records if s.runs_on == "servers" and catalog.id_of(s.design) == plan.design)
    return {name: version for record in ours for name, version in record.versions.items()}


# Racks and power


def _racked(plan: Plan, catalog: Catalog) -> Step:
    """Servers and switches, behind the arrays; all devices are counted once."""
    each, height = seconds(catalog, "restart"), _heights(plan, catalog)
    every = [*Counter(s.model for s in plan.servers).items(), *Counter(s.model for s in plan.switches).items()]
    enclosures = [e.model for a in plan.arrays for e in a.enclosures]
    devices = len(enclosures) + sum(count for _, count in every)
    total = sum(height[model] for model in enclosures) + sum(height[model] * count for model, count in every)
    return Step(
        "Put the servers and the switches into the racks",
        tuple(
            Box(
                f"{count} {prose(catalog.get(Record, model).title)}",
                f"{plural(height[model], 'rack unit')} each, a label with its name on front and back",
                "",
                each * count,
            )
            for model, count in every
        ),
        (
            Look(
                "the delivery, against the bill (`pixsize plan --long --config REQUEST`)",
                "every part of it, none damaged",
            ),
            Look(
                "the devices in the racks, those of the arrays among them",
                f"{devices} in {total} rack units, each name once",
            ),
            Look("the rails and the floor", "they carry the weights of the vendor's manuals"),
        ),
        after=(ARRAYS_RACKED,),
        provides=(RACKED,),
        text=(
            "Which device stands in which rack unit is the site's choice; no document has it. The heaviest stand at the bottom:"
            " arrays, then servers of two rack units, then the rest. Servers of a module stand within the reach of their SAS"
            " cables. The two servers of a pair have feeds of their own, and stand in two racks where the site has two.",
            "The names are those of the boxes of the next steps.",
        ),
    )


def _heights(plan: Plan, catalog: Catalog) -> dict[str, int]:
    """The rack units of every model."""
    models = {e.model for a in plan.arrays for e in a.enclosures}
    models |= {server.model for server in plan.servers} | {switch.model for switch in plan.switches}
    return {model: catalog.get(Racked, model).rack_units for model in models}


def _switched_on(plan: Plan, catalog: Catalog) -> Step:
    look, restart = seconds(catalog, "look"), seconds(catalog, "restart")
    boxes = [
        Box(
            word(s.id),
            f"{prose(catalog.get(Record, s.model).title)}: on, {place(s.address)}, its software the newest",
            "",
            look,
        )
        for s in plan.switches
    ]
    boxes = boxes or [Box("the customer's switches", "on, with the ports of the cables", "", look)]
    boxes += [Box(word(s.id), prose(catalog.get(Record, s.model).title), "", restart) for s in plan.servers]
    infiniband = "infiniband" in data_networks(plan, catalog)
    manager = (
        Look(
            "the switches of the file system's network",
            "a subnet manager runs on one of them: without it no port is active",
        ),
    )
    return Step(
        "Switch on the switches, then the servers",
        tuple(boxes),
        (
            Look(
                "the lights of both ports of each cable",
                "a link at every port; the label says which row of the sheet it is",
            ),
            Look("both power supplies of each device", "no light that says fault, each on a feed of its own"),
            *(manager if infiniband else ()),
        ),
        after=(CABLED, ARRAYS_ON),
        provides=(SERVERS_ON,),
        text=(
            "Behind the arrays. Servers that have no operating system yet stop at its search; that is enough here.",
            *filter(None, (about(plan, "management", "The network for the management"),)),
        ),
    )


# Management controllers and operating system


def _controllers(plan: Plan, catalog: Catalog) -> Step:
    each = seconds(catalog, "look")
    known = about(plan, "bmc", "The network of the controllers")
    if not any(server_of(s).bmc for s in plan.servers):
        known = "Where the request has `network: {bmc: {subnet: ...}}`, this book names the addresses."
    return Step(
        "Give the management controllers their addresses, and the servers their firmware",
        tuple(
            Box(word(s.id), f"{place(server_of(s).bmc)}, the name {word(s.id)}, a password of the site", "", 5 * each)
            for s in plan.servers
        ),
        (
            Look(
                "the page of each controller, from the network for the management",
                "the name, the model, health OK, all power supplies",
            ),
            Look(
                "its list of firmware", "the same versions on all servers of a model: BIOS, controller, adapters, disks"
            ),
            Look(
                "its list of drives and adapters",
                "those of the server's model in the bill (`pixsize plan --long`), health OK",
            ),
        ),
        after=(SERVERS_ON,),
        provides=(_ANSWERING,),
        text=(
            "The controller has a port of its own, iDRAC in the sheet of cables; LOM port 1 is the server's own port on the"
            f" same switch. At the server's console its settings are below System Setup. {known}",
            "Firmware comes from the vendor's catalog of the day, by its management software"
            f"{console(plan, catalog)}. The document names no firmware: what counts is that equal devices have equal versions.",
        ),
    )


def console(plan: Plan, catalog: Catalog) -> str:
    """The vendor's software for management controllers with its version, in brackets; empty where no record has it."""
    parts = (_parts(server, catalog).get(_SOFTWARE) for server in plan.servers)
    return next((f" ({prose(part.item)})" for part in parts if part), "")


def _parts(server: Server, catalog: Catalog) -> dict[str, ServerPart]:
    """What a server is ordered with, as far as a document says it."""
    return next((p.parts for p in catalog.all(ServerParts) if catalog.id_of(p.server) == server.model), {})


def _installed(plan: Plan, catalog: Catalog) -> Step:
    found, each = versions(plan, catalog), seconds(catalog, "prepare")
    linux, kernel = found.get(_LINUX, ""), found.get(_KERNEL, "")
    named = f"{_LINUX} {prose(linux)}" if linux else "The operating system of the design's document"
    return Step(
        "Install the operating system",
        tuple(Box(word(s.id), _disks(s, catalog) + _address(s), "", each) for s in plan.servers),
        (
            Look("`cat /etc/redhat-release`, on each", f"release {linux}" if linux else "the same release everywhere"),
            Look(
                "`uname -r`, on each",
                f"`{code(kernel)}`, or a later one of that release" if kernel else "the same everywhere",
            ),
            Look("`hostname -s`, on each", "the name of its box"),
            Look("`lsblk -d -o NAME,SIZE,TYPE`, on each", "the system disk, and no volume of an array yet"),
            Look("`timedatectl`, on each", "the same time zone everywhere"),
            Look(
                "`ssh SERVER true`, as root, from the network for the management",
                "no question, with the key of the admin server",
            ),
        ),
        after=(SERVERS_ON, _ANSWERING),
        provides=(INSTALLED,),
        destroys="what the system disks of these servers hold",
        text=(
            f"{named}, with the packages of a server and its compilers (`gcc`, `make`, `kernel-devel` of the running kernel)."
            " Install while no volume of an array is mapped: nothing but the system disk can be chosen then. The kernel stays"
            " as it is afterwards: modules of GPFS and of the adapters are built for it.",
            *filter(None, (about(plan, "management", "The network for the management"),)),
            f"The server's own address is on LOM port 1. The admin server, {word(scale(plan).cluster.admin)}, has an SSH key"
            " of root, and every server lets it in, and every other server too: the programs of GPFS need that.",
            "Users and groups come from the site's directory, with the same numbers on every server and every client.",
        ),
    )


def _disks(server: Server, catalog: Catalog) -> str:
    """Where the operating system lies."""
    parts = _parts(server, catalog)
    if _DISKS not in parts:
        return "on its system disks, mirrored"
    behind = f", behind {prose(parts[_CONTROLLER].item)}" if _CONTROLLER in parts else ""
    return f"on {parts[_DISKS].count} x {prose(parts[_DISKS].item)}{behind}"


def _address(server: Server) -> str:
    address = server_of(server).management
    return f"; address {word(address)} on the network for the management" if address else ""
