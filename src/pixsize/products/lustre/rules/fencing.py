"""The second level of fencing and the second link of a cluster: as asked for, and of no other use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pixsize.check.context import Context, Hit, grouped, listed
from pixsize.findings import Finding
from pixsize.plan.records import Server
from pixsize.products.lustre.plan import lustre, server_of
from pixsize.products.lustre.rules.due import request_of
from pixsize.products.lustre.rules.network import address_hits, servers_of

_OUTLETS, _DEVICES = "fencing.second.outlets", "fencing.second.devices"


def ring(context: Context) -> Iterator[Finding]:
    """PX561: each server has one address of its own on the second link: the one asked for, and no controller's.

    It may be the server's own address on another network, which then carries the cluster's messages too.
    """
    fencing = request_of(context).fencing
    wanted = fencing.ring.addresses if fencing and fencing.ring else {}
    taken = {server_of(s).bmc for s in context.plan.servers} | _pdus(context)
    rings = address_hits(context, lambda s: tuple(filter(None, (server_of(s).ring,))), wanted, taken)
    hits = [("fencing.ring.addresses", why) for why in rings]
    hits += [("fencing.ring.addresses", why) for why in _of_another(context)]
    yield from grouped("PX561", hits, "each server has one address of its own on the second link")


def _of_another(context: Context) -> Iterator[str]:
    """Addresses of the second link by which another server is known on one of its networks."""
    owners = {address: s.id for s in context.plan.servers for address in _known_by(s)}
    for server in servers_of(context):
        owner = owners.get(server_of(server).ring, server.id)
        if owner != server.id:
            yield f"{server.id} has the address {server_of(server).ring}, which is {owner}'s on another network"


def _known_by(server: Server) -> tuple[str, ...]:
    return (*(nid.partition("@")[0] for nid in server_of(server).nids), *server.storage_ips)


def _pdus(context: Context) -> set[str]:
    return {outlet.partition("/")[0] for s in context.plan.servers for outlet in server_of(s).outlets}


def second_level(context: Context) -> Iterator[Finding]:
    """PX562: outlets feed the server that they are given for and no other, and devices of SBD hold nothing else."""
    hits = (*_outlet_hits(context), *_device_hits(context))
    yield from grouped("PX562", hits, "a second level switches one server off, and touches nothing else")


def _outlet_hits(context: Context) -> Iterator[Hit]:
    fencing = request_of(context).fencing
    second = fencing.second if fencing else None
    due = (second.outlets or {}) if second else {}
    used = Counter(outlet for s in context.plan.servers for outlet in server_of(s).outlets)
    taken = {
        address: s.id
        for s in context.plan.servers
        for address in (*_known_by(s), server_of(s).bmc, server_of(s).ring)
        if address
    }
    for server in servers_of(context):
        if server_of(server).outlets != tuple(due.get(server.id, ())):
            yield (
                _OUTLETS,
                f"{server.id} has {listed(server_of(server).outlets) or 'no outlet'}, where another was asked for",
            )
        for outlet in server_of(server).outlets:
            if used[outlet] > 1:
                yield _OUTLETS, f"{outlet} of {server.id} feeds {used[outlet]} servers"
            owner = taken.get(outlet.partition("/")[0])
            if owner:
                yield _OUTLETS, f"the PDU of {outlet}, for {server.id}, has an address of {owner}"


def _device_hits(context: Context) -> Iterator[Hit]:
    devices = {t.device: t.id for t in context.plan.targets if t.device}
    for device in lustre(context.plan).sbd_devices:
        if device in devices:
            yield _DEVICES, f"{device} is the device of {devices[device]}, which SBD would overwrite"


def sbd_elsewhere(context: Context) -> Iterator[Finding]:
    """PX563: the devices of SBD are of the plan's own making. None is, so that it speaks of each that is no target."""
    targets = {t.device for t in context.plan.targets}
    others = [d for d in lustre(context.plan).sbd_devices if d not in targets]
    hits = [(_DEVICES, f"{device} is no volume of this plan, and no file here makes it") for device in others]
    hint = "devices of another storage that every server of a cluster sees, below /dev/disk/by-id; then accept this"
    yield from grouped("PX563", hits, "SBD needs it before the cluster starts", hint)


RULES = (ring, second_level, sbd_elsewhere)
