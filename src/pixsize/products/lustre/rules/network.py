"""Addresses: each server can be reached on Lustre's network and the pool's, and be switched off by another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from pixsize.check.context import Context, Hit, grouped, listed
from pixsize.findings import Finding
from pixsize.plan.records import Server
from pixsize.products.lustre.plan import lustre, server_of
from pixsize.products.lustre.request import PoolLustreRequest
from pixsize.products.lustre.rules.due import pool_request, request_of

_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = re.compile(rf"{_BYTE}(?:\.{_BYTE}){{3}}", re.ASCII)
_NID = re.compile(r"(?P<address>[0-9.]+)@(?P<net>(?:o2ib|tcp)[0-9]*)", re.ASCII)
"""One address on one network. A comma would add an address of the same node, a colon another node, and without `@` and
its network mkfs.lustre would take the address for one on tcp (Lustre Operations Manual, mkfs.lustre, NIDs)."""


def lnet_of(word: str) -> str:
    """How Lustre itself calls a network: the first of its kind goes without a number, `o2ib0` is `o2ib`."""
    return re.sub(r"\A(o2ib|tcp)0\Z", r"\1", word, flags=re.ASCII)


def nids(context: Context) -> Iterator[Finding]:
    """PX540: each server has one NID, on the plan's network, that no other server has: the one asked for."""
    wanted = request_of(context).network
    net = lnet_of(wanted.lnet) if wanted else ""
    due = {server: f"{address}@{net}" for server, address in wanted.addresses.items()} if wanted else {}
    used = Counter(nid for s in context.plan.servers for nid in server_of(s).nids)

    def hits() -> Iterator[Hit]:
        for server in servers_of(context):
            why = _nid_trouble(server, net, due.get(server.id, ""), used)
            if why:
                yield "network.addresses", f"{server.id} {why}"

    allowed = "each server has one address of its own, written as ADDRESS@NETWORK"
    return grouped("PX540", hits(), allowed, "add it to `network`" if wanted else "")


def pool_addresses(context: Context) -> Iterator[Finding]:
    """PX540: each server has one address of its own on the pool's network: the one asked for, and no NID's."""
    wanted = pool_request(context).powerflex.network
    taken = {nid.partition("@")[0] for s in context.plan.servers for nid in server_of(s).nids}
    hits = address_hits(context, lambda s: s.storage_ips, wanted.addresses if wanted else {}, taken)
    allowed = "each server has one address of its own on the network of the pool"
    return grouped("PX540", (("powerflex.network.addresses", why) for why in hits), allowed)


def known_agent(context: Context) -> Iterator[Finding]:
    """PX420: the catalog knows the fence agent, and so its options, where one is needed."""
    wanted = request_of(context).fencing
    known = context.catalog.ids("fence_agent")
    if wanted is None or not lustre(context.plan).failover:
        return
    agents = {"fencing.agent": wanted.agent} | ({"fencing.second.agent": wanted.second.agent} if wanted.second else {})
    for where, agent in agents.items():
        if agent not in known:
            message = f"{agent}: nobody checked that it exists and what it needs; known are {listed(known, 8)}"
            yield Finding("PX420", message, where, "another agent, or a record of the kind fence_agent")


def fencing(context: Context) -> Iterator[Finding]:
    """PX541: each server is switched off through an address of its own, that none of its other interfaces has."""
    wanted = request_of(context).fencing
    taken = {nid.partition("@")[0] for s in context.plan.servers for nid in server_of(s).nids}
    taken |= {address for s in context.plan.servers for address in s.storage_ips}
    due = wanted.addresses if wanted else {}
    hits = address_hits(context, lambda s: tuple(filter(None, (server_of(s).bmc,))), due, taken)
    allowed = "each server is fenced through a management controller of its own, by the others"
    return grouped("PX541", (("fencing.addresses", why) for why in hits), allowed)


def unused_fencing(context: Context) -> Iterator[Finding]:
    """PX421: what the request says of fencing is used."""
    if request_of(context).fencing and not lustre(context.plan).failover:
        message = (
            "`fencing` is used for nothing: with failover: false no server takes over, and none has to be off first"
        )
        yield Finding("PX421", message, "fencing", "leave it out, or failover: true")


def left_out(context: Context) -> Iterator[Finding]:
    """PX417: the request gives the addresses that the rendered files need."""
    request = request_of(context)
    pool = request.powerflex if isinstance(request, PoolLustreRequest) else None
    rows = (
        (request.network is None, "network", "what names Lustre's servers (mkfs, lnet, mount, ha)"),
        (lustre(context.plan).failover and request.fencing is None, "fencing", "high availability (ha)"),
        (pool is not None and pool.network is None, "powerflex.network", "the commands for the pool (powerflex)"),
    )
    for missing, word, what in rows:
        if missing:
            message = f"the request has no `{word}`: {what} will not be rendered"
            yield Finding("PX417", message, "", f"add `{word}` when the addresses are known")


def no_other_addresses(context: Context) -> Iterator[Finding]:
    """PX540: a management server has no address in the networks of the file system, and nothing that fences it."""

    def hits() -> Iterator[Hit]:
        for server in (s for s in context.plan.servers if s.role == "management"):
            own = server_of(server)
            given = [a for a in (*own.nids, *server.storage_ips, own.bmc, *own.outlets, own.ring) if a]
            if given:
                yield "network.addresses", f"{server.id} has {listed(given)}, where no address was asked for"

    return grouped("PX540", hits(), "the servers of the file system have addresses, and no others")


RULES = (known_agent, nids, fencing, unused_fencing, left_out)
EXACT = (no_other_addresses,)
"""Asked last, where no other rule has found an error."""


def servers_of(context: Context) -> Iterator[Server]:
    """The servers of the file system; a management server is in nobody's way."""
    return (s for s in context.plan.servers if s.role != "management")


def _nid_trouble(server: Server, net: str, due: str, used: Mapping[str, int]) -> str:
    """What is wrong with a server's NIDs; empty when nothing is."""
    nids = server_of(server).nids
    if not net:
        return f"has the NID {nids[0]}, though no network was asked for" if nids else ""
    if len(nids) != 1:
        return f"has {len(nids)} NIDs"
    nid = nids[0]
    match = _NID.fullmatch(nid)
    if match is None or not _IPV4.fullmatch(match["address"]):
        return f"has {nid!r}, which is no NID"
    if lnet_of(match["net"]) != net:
        return f"has the NID {nid}, where the network is {net}"
    if used[nid] > 1:
        return f"has the NID {nid}, which {used[nid]} servers have"
    return f"has the NID {nid}, where {due or 'none'} was asked for" if nid != due else ""


def address_hits(
    context: Context, given: Callable[[Server], tuple[str, ...]], due: Mapping[str, str], taken: set[str]
) -> Iterator[str]:
    """What is wrong with each server's address on a network, `taken` being those that mean something else."""
    used = Counter(address for s in context.plan.servers for address in given(s))
    for server in servers_of(context):
        there = given(server)
        if not due and there:
            yield f"{server.id} has the address {there[0]}, though none was asked for"
        elif due and len(there) != 1:
            yield f"{server.id} has {len(there)} addresses"
        elif there:
            troubles = (
                ("which is no IPv4 address", not _IPV4.fullmatch(there[0])),
                (f"which {used[there[0]]} servers have", used[there[0]] > 1),
                ("which is an address of another network's too", there[0] in taken),
                (f"where {due.get(server.id, 'none')} was asked for", there[0] != due.get(server.id)),
            )
            why = [word for word, holds in troubles if holds]
            if why:
                yield f"{server.id} has the address {there[0]}, {why[0]}"
