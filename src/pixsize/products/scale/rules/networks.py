"""The networks of the servers: who has which address on them, and what the site gives the servers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING

from pixsize.check.context import IPV4, Context, Hit, grouped
from pixsize.check.rules import MATCHES_REQUEST
from pixsize.findings import Finding
from pixsize.plan.records import Server
from pixsize.products.scale.plan import Site, scale, server_of
from pixsize.products.scale.rules.design import request_of

if TYPE_CHECKING:
    from ipaddress import IPv4Network


def addresses_of_their_own(context: Context) -> Iterator[Finding]:
    """PX540: no two servers, and no two networks, share an address, and each lies in the subnet of its network."""
    subnets = {where: _subnet(text) for where, text in _subnets(context).items()}

    def hits() -> Iterator[Hit]:
        every = [(where, s.id, a) for s in context.plan.servers for where, a in _addresses(s).items() if a]
        used = Counter(address for _, _, address in every)
        for where, server, address in every:
            subnet = subnets.get(where)
            if not IPV4.fullmatch(address):
                yield where, f"{server} has {address}, which is no IPv4 address"
            elif used[address] > 1:
                yield where, f"{server} has {address}, which stands {used[address]} times in the plan"
            elif subnet and not _is_inside(address, subnet):
                yield where, f"{server} has {address}, which is no server's address in {subnet}"
        for (one, first), (other, second) in combinations(subnets.items(), 2):
            if first.overlaps(second):
                yield f"{other}.subnet", f"{second} overlaps {first}, the subnet of {one}"

    return grouped("PX540", hits(), "each server has an address of its own on each network, and networks are apart")


def _addresses(server: Server) -> Mapping[str, str]:
    """The addresses of a server by the word of the request that their network has."""
    own = server_of(server)
    return {"network": server.address, "network.management": own.management, "network.bmc": own.bmc}


def _subnets(context: Context) -> Mapping[str, str]:
    """The subnets of the request by its words; a network whose addresses were given one by one may have none."""
    network = request_of(context).network
    below = {"management": network.management, "bmc": network.bmc} if network else {}
    found = {f"network.{word}": further.subnet for word, further in below.items() if further}
    return {w: text for w, text in {"network": network.subnet if network else None, **found}.items() if text}


def _subnet(text: str) -> IPv4Network:
    from ipaddress import IPv4Network

    return IPv4Network(text)


def _is_inside(address: str, subnet: IPv4Network) -> bool:
    from ipaddress import IPv4Address

    number = IPv4Address(address)
    return number in subnet and number not in (subnet.network_address, subnet.broadcast_address)


def further_addresses(context: Context) -> Iterator[Finding]:
    """PX525: each server has the addresses for its management and its controller that the request gives it."""
    network = request_of(context).network
    wanted = {
        "management": network.management.addresses if network and network.management else {},
        "bmc": network.bmc.addresses if network and network.bmc else {},
    }

    def hits() -> Iterator[Hit]:
        for server in context.plan.servers:
            for word, addresses in wanted.items():
                has, due = getattr(server_of(server), word), addresses.get(server.id, "")
                if has != due:
                    message = f"{server.id} has the address {has or 'none'}, where {due or 'none'} was asked for"
                    yield f"network.{word}", message

    return grouped("PX525", hits(), MATCHES_REQUEST)


def site_of_the_request(context: Context) -> Iterator[Finding]:
    """PX525: domain, time servers and name servers are the request's."""
    network, found = request_of(context).network, scale(context.plan).site
    due = (network.domain or "", network.ntp, network.dns) if network else ("", (), ())
    hits = (
        (f"network.{word}", f"network.{word} is {has}, where {expected} was asked for")
        for word, has, expected in zip(Site._fields, found or Site(), due, strict=True)
        if has != expected
    )
    yield from grouped("PX525", hits, MATCHES_REQUEST)


RULES = (addresses_of_their_own,)
EXACT = (further_addresses, site_of_the_request)
