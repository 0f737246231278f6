"""Addresses and fencing: each server can be reached on every network, and be switched off by the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from pixsize.check.context import IPV4, Context, Hit, address_troubles, grouped
from pixsize.findings import Finding
from pixsize.plan.records import Server
from pixsize.products.lustre.plan import lustre, server_of
from pixsize.products.lustre.request import PoolLustreRequest
from pixsize.products.lustre.rules.requested import lnet_of, request_of
from pixsize.texts import listed

_OUTLETS, _DEVICES = "fencing.second.outlets", "fencing.second.devices"
_NID = re.compile(r"(?P<address>[0-9.]+)@(?P<net>(?:o2ib|tcp)[0-9]*)", re.ASCII)
"""One address on one network. A comma would add an address of the same node, a colon another node, and without `@` and
its network mkfs.lustre would take the address for one on tcp (Lustre Operations Manual, mkfs.lustre, NIDs)."""


def nids(context: Context) -> Iterator[Finding]:
    """PX540: each server has one NID, on the plan's network, that no other server has: the one asked for."""
    network = request_of(context).network
    net = lnet_of(network.lnet) if network else ""
    requested = {server: f"{address}@{net}" for server, address in network.addresses.items()} if network else {}
    used = Counter(nid for s in context.plan.servers for nid in server_of(s).nids)

    def hits() -> Iterator[Hit]:
        for server in _servers(context):
            trouble = _nid_trouble(server, net, requested.get(server.id, ""), used)
            if trouble:
                yield "network.addresses", f"{server.id} {trouble}"

    allowed = "each server has one address of its own, written as ADDRESS@NETWORK"
    return grouped("PX540", hits(), allowed, "add it to `network`" if network else "")


def known_agent(context: Context) -> Iterator[Finding]:
    """PX420: the catalog knows the fence agent, and so its options, where one is needed."""
    requested_fencing = request_of(context).fencing
    known = context.catalog.ids("fence_agent")
    if requested_fencing is None or not lustre(context.plan).failover:
        return
    agents = {"fencing.agent": requested_fencing.agent} | (
        {"fencing.second.agent": requested_fencing.second.agent} if requested_fencing.second else {}
    )
    for where, agent in agents.items():
        if agent not in known:
            message = f"{agent}: nobody checked that it exists and what it needs; known are {listed(known, 8)}"
            yield Finding("PX420", message, where, "another agent, or a record of the kind fence_agent")


def fencing(context: Context) -> Iterator[Finding]:
    """PX541: each server is switched off through an address of its own, that none of its other interfaces has."""
    requested_fencing = request_of(context).fencing
    others = {address for s in context.plan.servers for address in _network_addresses(s)}
    requested = requested_fencing.addresses if requested_fencing else {}
    troubles = address_troubles(context, lambda s: tuple(filter(None, (server_of(s).bmc,))), requested, others)
    allowed = "each server is fenced through a management controller of its own, by the others"
    return grouped("PX541", (("fencing.addresses", trouble) for trouble in troubles), allowed)


def unused_fencing(context: Context) -> Iterator[Finding]:
    """PX421: what the request says of fencing is used."""
    if request_of(context).fencing and not lustre(context.plan).failover:
        message = (
            "`fencing` is used for nothing: with failover: false no server takes over, and none has to be off first"
        )
        yield Finding("PX421", message, "fencing", "leave it out, or failover: true")


def left_out(context: Context) -> Iterator[Finding]:
    """PX417: the request gives the addresses that the rendered files need."""
    request, volumes = request_of(context), context.design.volumes
    pool = request.pool if isinstance(request, PoolLustreRequest) else None
    rows = (
        (request.network is None, "network", "what names Lustre's servers (mkfs, lnet, mount, ha)"),
        (lustre(context.plan).failover and request.fencing is None, "fencing", "high availability (ha)"),
        (pool is not None and pool.network is None, f"{volumes}.network", f"the commands for the pool ({volumes})"),
    )
    for missing, word, what in rows:
        if missing:
            message = f"the request has no `{word}`: {what} will not be rendered"
            yield Finding("PX417", message, "", f"add `{word}` when the addresses are known")


def no_other_addresses(context: Context) -> Iterator[Finding]:
    """PX540: a management server has no address in the networks of the file system, and nothing that fences it."""

    def hits() -> Iterator[Hit]:
        for server in (s for s in context.plan.servers if s.role == "management"):
            record = server_of(server)
            known = (*record.nids, *server.storage_ips, record.bmc, *record.outlets, record.ring)
            addresses = [address for address in known if address]
            if addresses:
                yield "network.addresses", f"{server.id} has {listed(addresses)}, where no address was asked for"

    return grouped("PX540", hits(), "the servers of the file system have addresses, and no others")


def _servers(context: Context) -> Iterator[Server]:
    """The servers of the file system, without a management server: it has none of these addresses."""
    return (s for s in context.plan.servers if s.role != "management")


def _nid_trouble(server: Server, net: str, requested: str, used: Mapping[str, int]) -> str:
    """What is wrong with a server's NIDs; empty when nothing is."""
    nids = server_of(server).nids
    if not net:
        return f"has the NID {nids[0]}, though no network was asked for" if nids else ""
    if len(nids) != 1:
        return f"has {len(nids)} NIDs"
    nid = nids[0]
    match = _NID.fullmatch(nid)
    if match is None or not IPV4.fullmatch(match["address"]):
        return f"has {nid!r}, which is no NID"
    if lnet_of(match["net"]) != net:
        return f"has the NID {nid}, where the network is {net}"
    if used[nid] > 1:
        return f"has the NID {nid}, which {used[nid]} servers have"
    return f"has the NID {nid}, where {requested or 'none'} was asked for" if nid != requested else ""


def ring(context: Context) -> Iterator[Finding]:
    """PX561: each server has one address of its own on the second link: the one asked for, and no controller's.

    It may be the server's own address on another network, which then carries the cluster's messages too.
    """
    fencing = request_of(context).fencing
    addresses = fencing.ring.addresses if fencing and fencing.ring else {}
    pdus = {outlet.partition("/")[0] for s in context.plan.servers for outlet in server_of(s).outlets}
    others = {server_of(s).bmc for s in context.plan.servers} | pdus
    troubles = address_troubles(context, lambda s: tuple(filter(None, (server_of(s).ring,))), addresses, others)
    hits = [("fencing.ring.addresses", trouble) for trouble in (*troubles, *_rings_of_others(context))]
    yield from grouped("PX561", hits, "each server has one address of its own on the second link")


def _rings_of_others(context: Context) -> Iterator[str]:
    """Addresses of the second link by which another server is known on one of its networks."""
    owners = {address: s.id for s in context.plan.servers for address in _network_addresses(s)}
    for server in _servers(context):
        owner = owners.get(server_of(server).ring, server.id)
        if owner != server.id:
            yield f"{server.id} has the address {server_of(server).ring}, which is {owner}'s on another network"


def _network_addresses(server: Server) -> tuple[str, ...]:
    """The addresses of a server on Lustre's network and on that of the pool."""
    return (*(nid.partition("@")[0] for nid in server_of(server).nids), *server.storage_ips)


def second_level(context: Context) -> Iterator[Finding]:
    """PX562: outlets feed the server that they are given for and no other, and devices of SBD hold nothing else."""
    devices = {t.device: t.id for t in context.plan.targets if t.device}
    overwritten = (
        (_DEVICES, f"{device} is the device of {devices[device]}, which SBD would overwrite")
        for device in lustre(context.plan).sbd_devices
        if device in devices
    )
    hits = (*_outlet_hits(context), *overwritten)
    yield from grouped("PX562", hits, "a second level switches one server off, and touches nothing else")


def _outlet_hits(context: Context) -> Iterator[Hit]:
    """Outlets that were not asked for, that feed two servers, or whose PDU has the address of a server."""
    fencing = request_of(context).fencing
    second = fencing.second if fencing else None
    requested = (second.outlets or {}) if second else {}
    used = Counter(outlet for s in context.plan.servers for outlet in server_of(s).outlets)
    owners = {
        address: s.id
        for s in context.plan.servers
        for address in (*_network_addresses(s), server_of(s).bmc, server_of(s).ring)
        if address
    }
    for server in _servers(context):
        if server_of(server).outlets != tuple(requested.get(server.id, ())):
            outlets = listed(server_of(server).outlets) or "no outlet"
            yield _OUTLETS, f"{server.id} has {outlets}, where another was asked for"
        for outlet in server_of(server).outlets:
            if used[outlet] > 1:
                yield _OUTLETS, f"{outlet} of {server.id} feeds {used[outlet]} servers"
            owner = owners.get(outlet.partition("/")[0])
            if owner:
                yield _OUTLETS, f"the PDU of {outlet}, for {server.id}, has an address of {owner}"


def sbd_elsewhere(context: Context) -> Iterator[Finding]:
    """PX563: each device of SBD that is no target is of another storage: no rendered file makes it."""
    targets = {t.device for t in context.plan.targets}
    others = [d for d in lustre(context.plan).sbd_devices if d not in targets]
    hits = [(_DEVICES, f"{device} is no volume of this plan, and no file here makes it") for device in others]
    hint = "devices of another storage that every server of a cluster sees, below /dev/disk/by-id; then accept this"
    yield from grouped("PX563", hits, "SBD needs it before the cluster starts", hint)
