"""The networks of the servers: who has which address on them, and what the site gives the servers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING

from pixsize.check.context import IPV4, Context, Hit, grouped
from pixsize.check.devices import factory_addresses, first_address_given_out
from pixsize.check.rules import MATCHES_REQUEST
from pixsize.findings import Finding
from pixsize.plan.records import Server
from pixsize.products.scale.plan import Site, scale, server_of
from pixsize.products.scale.rules.design import request_of
from pixsize.texts import plural

if TYPE_CHECKING:
    from ipaddress import IPv4Network

    from pixsize.products.scale.request import ScaleNetwork, ServersNetwork


def addresses_of_their_own(context: Context) -> Iterator[Finding]:
    """PX540: no two servers, and no two networks, share an address, and each lies in the subnet of its network."""
    subnets = {where: _subnet(text) for where, text in _subnets(context).items()}

    def hits() -> Iterator[Hit]:
        every = [(where, s.id, a) for s in context.plan.servers for where, a in _addresses(s).items() if a]
        every += [("network", client.name, client.address) for client in scale(context.plan).clients if client.address]
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


def routers_of_the_networks(context: Context) -> Iterator[Finding]:
    """PX570: no server has the address that the router of its management, or of its controller, commonly has."""
    for word, words in _managed(context):
        given = ((server, address) for server, address in words.addresses.items())
        yield from first_address_given_out(f"network.{word}", words.subnet or "", words.router or "", given)


def new_controllers_find_their_addresses_free(context: Context) -> Iterator[Finding]:
    """PX571: no server has an address that a new or reset controller of an array comes with."""
    new = factory_addresses(context)
    for word, words in _managed(context):
        for server, address in words.addresses.items():
            if address in new:
                message = f"{server} has {address}, which new controllers of the arrays come with"
                yield Finding(
                    "PX571", message, f"network.{word}.addresses.{server}", "Any other address of the subnet."
                )


def _managed(context: Context) -> Iterator[tuple[str, ServersNetwork]]:
    """The networks on the switch of the management that the request has, each by its word."""
    network = request_of(context).network
    for word in ("management", "bmc") if network else ():
        words = getattr(network, word)
        if words is not None:
            yield word, words


def clients_find_addresses(context: Context) -> Iterator[Finding]:
    """PX572: the subnet of the file system has an address for each client whose port was counted."""
    network = request_of(context).network
    if network is None or not network.subnet or not network.client_ports:
        return
    subnet, taken = _subnet(network.subnet), {*network.addresses.values(), network.router or ""}
    free = max(subnet.num_addresses - 2, 0) - sum(1 for a in taken if a and _is_inside(a, subnet))
    due = network.client_ports - len(scale(context.plan).clients)
    if free < due:
        left = f"{subnet} has {plural(free, 'address')} left, for {plural(due, 'port')} of clients"
        yield Finding("PX572", left, "network.subnet", "A larger subnet, unless a router leads to the clients.")


def networks_of_the_request(context: Context) -> Iterator[Finding]:
    """PX525: the networks are those that the request has a subnet of, each with its router."""
    subnets, roles = _subnets(context), {"data": "network", "management": "network.management", "bmc": "network.bmc"}
    routers = {where: words.router or "" for where, words in _routed(context)}
    due = {role: (subnets[where], routers[where]) for role, where in roles.items() if where in subnets}
    found = {network.role: (network.subnet, network.router) for network in context.plan.networks}
    hits = [
        (roles[role], f"the network {role} is {found.get(role, 'none')}, where {due.get(role, 'none')} was asked for")
        for role in roles
        if found.get(role) != due.get(role)
    ]
    if len(found) != len(context.plan.networks):
        hits.append(("network", f"{len(context.plan.networks)} networks have {len(found)} roles"))
    yield from grouped("PX525", hits, MATCHES_REQUEST)


def _routed(context: Context) -> Iterator[tuple[str, ServersNetwork | ScaleNetwork]]:
    """Every network of the request, by the path of its words."""
    network = request_of(context).network
    if network is not None:
        yield "network", network
        yield from ((f"network.{word}", words) for word, words in _managed(context))


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


RULES = (
    addresses_of_their_own,
    routers_of_the_networks,
    new_controllers_find_their_addresses_free,
    clients_find_addresses,
)
EXACT = (further_addresses, networks_of_the_request, site_of_the_request)
