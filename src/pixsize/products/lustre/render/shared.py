"""What several renderers share: what they need of a plan, how targets are mounted, and open ports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.software import Ports
from pixsize.findings import Finding
from pixsize.plan.records import Plan, Target
from pixsize.product import volume_terms
from pixsize.products.lustre.plan import LustreFilesystem, mgs_target, server_of, target_of
from pixsize.render.template import prose, word
from pixsize.texts import listed

_NID = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3}){3}@(?:o2ib|tcp))([0-9]{0,4})")
_BLOCK_KIB = 4
"""A block of ldiskfs, in which `Ldiskfs.stripe_width` counts."""
_STOP_ORDER = ("mdt", "ost", "mgt")
"""The order in which targets stop, once no client is left (Lustre Operations Manual, Stopping the Filesystem)."""


class TargetAgent(NamedTuple):
    """A resource agent: its package, and the parameters of a target. `options` is empty where none can be given."""

    package: str
    device: str
    folder: str
    more: tuple[str, ...]
    options: str


TARGET_AGENTS = {
    # An unmount takes its time, and is no reason to kill or to fence: hence fast_stop=no, with the long timeout.
    "ocf:heartbeat:Filesystem": TargetAgent(
        "resource-agents", "device", "directory", ("fstype=lustre", "fast_stop=no"), "options"
    ),
    # Its metadata calls mountoptions unique, so that pcs refuses the same ones for a second target (Lustre source,
    # lustre/scripts/ocf).
    "ocf:lustre:Lustre": TargetAgent("lustre-resource-agents", "target", "mountpoint", (), ""),
}
"""The agents that mount targets, by the metadata that they print."""


def nid(text: str) -> str:
    """An address of LNet as Lustre writes it: the first network of a kind has no number."""
    match = _NID.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no address of LNet, and may not stand in a rendered file")
    return match[1] + (match[2] if match[2] != "0" else "")


def lacking(plan: Plan) -> Iterator[Finding]:
    """PX610, PX611: what a plan lacks for files that name addresses and devices."""
    yield from lacking_addresses(plan)
    if not isinstance(plan.filesystem, LustreFilesystem):
        return
    unnamed = [t.id for t in plan.targets if not t.device]
    if unnamed:  # the name of a volume on its servers may hold ids that its maker gives it
        yield Finding(
            "PX611",
            f"the devices of {len(unnamed)} of {len(plan.targets)} targets are unknown: {listed(unnamed)}",
            hint=f"when the volumes exist, {volume_terms(plan).collect}, and render again",
        )


def lacking_addresses(plan: Plan) -> Iterator[Finding]:
    """PX610: without addresses no LNet can be set up, and nobody can be told where the MGS is."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        return
    serving = {server for target in plan.targets for server in target.servers}
    if plan.filesystem.network is None or any(not server_of(s).nids for s in plan.servers if s.id in serving):
        yield Finding(
            "PX610",
            "the addresses of the servers are unknown: LNet cannot be set up, and nobody can be told where the MGS is",
            hint="add network: {lnet: o2ib, interface: ib0, subnet: 10.10.0.0/24}, with the values of the site",
        )


def mount_point(target: Target) -> str:
    """The folder on which a target is mounted, on each of its servers: its label below /lustre."""
    return f"/lustre/{word(target.id)}"


def mount_options(target: Target) -> str:
    """`max_sectors_kb` for an OST on a RAID group, so that a full stripe goes to the array as one request; or nothing.

    Lustre Operations Manual, mount.lustre, max_sectors_kb; Configuring Storage, RAID.
    """
    disk = target_of(target).ldiskfs
    stripe = disk.stripe_width if disk and target.kind == "ost" else 0
    return f"max_sectors_kb={stripe * _BLOCK_KIB}" if stripe else ""


def mgs_nids(plan: Plan) -> str:
    """The MGS as clients and targets name it: a comma within a server, a colon before the next."""
    servers = {s.id: s for s in plan.servers}
    return ":".join(",".join(map(nid, server_of(servers[s]).nids)) for s in mgs_target(plan).servers)


def starts(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Kind and server of targets in the order of their first start: MGT, MDT0000, other MDTs, OSTs."""
    return tuple(dict.fromkeys((t.kind, t.servers[0]) for t in plan.targets))


def stops(plan: Plan) -> list[tuple[str, str]]:
    """Kind and server of targets in the order in which they stop."""
    return [step for kind in _STOP_ORDER for step in reversed(starts(plan)) if step[0] == kind]


def ports_of(catalog: Catalog, part: Literal["lnet", "pacemaker"]) -> Ports:
    """The ports of LNet on networks of the kind tcp, or of Pacemaker in a cluster."""
    return catalog.get(Ports, f"{part}.ports")


def storage_ports(plan: Plan, catalog: Catalog) -> tuple[Ports, ...]:
    """The ports of what makes the volumes, where it runs on the servers; none where it does not."""
    sharing = volume_terms(plan).sharing
    return (catalog.get(Ports, sharing.ports),) if sharing else ()


def ports_by_program(ports: Ports) -> list[dict[str, str]]:
    """For each program of a product its protocol, its ports as a sentence names them, and its name; UDP first."""
    return [
        {"protocol": protocol, "ports": port_list(numbers), "program": prose(program)}
        for protocol, programs in (("UDP", ports.udp), ("TCP", ports.tcp))
        for program, numbers in programs.items()
    ]


def lnet_ports(catalog: Catalog) -> dict[str, Any]:
    """The ports of LNet on networks of the kind tcp, as templates name them, and those that connections come from."""
    ports = ports_of(catalog, "lnet")
    listening = [number for numbers in ports.tcp.values() for number in numbers]
    return {"open": listening, "listening": port_list(listening), "sources": port_list(ports.source_tcp)}


def port_list(ports: Sequence[int]) -> str:
    """Ports in a sentence: a range by its ends, such as `5404 to 5412`, and others with commas between them."""
    if len(ports) > 2 and list(ports) == list(range(ports[0], ports[-1] + 1)):
        return f"{ports[0]} to {ports[-1]}"
    return ", ".join(map(str, ports))
