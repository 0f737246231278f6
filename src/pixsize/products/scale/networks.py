"""Completes and judges the words of the networks of the servers: addresses, domain, time and name servers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from pixsize.catalog.records import Enclosure
from pixsize.load import names
from pixsize.load.partial_request import PartialRequest
from pixsize.load.positions import item, join, quoted
from pixsize.load.servers import complete_addresses, judge_address, subnet_of
from pixsize.plan.naming import ENDINGS, names_on

if TYPE_CHECKING:
    from ipaddress import IPv4Network

NETWORKS = ("network", "network.management", "network.bmc")
"""Where the words of each network stand."""
_NAME_SERVERS = 3
"""As many as the library of every program asks (resolv.conf(5), MAXNS)."""
_ADDRESS = re.compile(r"[0-9.]+", re.ASCII)


class _Network(NamedTuple):
    """A network of the request, as far as its words are legal."""

    where: str
    subnet: IPv4Network | None
    addresses: Mapping[str, Any]


def complete(partial: PartialRequest, servers: Sequence[str], clients: Sequence[str] = ()) -> None:
    """Give each server its address on each network that the request has, and each client on that of the file system.

    Other words of the file system's network, such as its fabric, need no addresses.
    """
    words = partial.words.get(NETWORKS[0])
    is_other = isinstance(words, dict) and bool(words) and not {"subnet", "addresses"} & words.keys()
    kept = _of_new_controllers(partial)
    for where in NETWORKS[is_other:]:
        first = where == NETWORKS[0]
        complete_addresses(partial, where, [*servers, *clients] if first else servers, frozenset() if first else kept)


def _of_new_controllers(partial: PartialRequest) -> frozenset[str]:
    """The addresses that controllers of the design's arrays come with: on the switch of the management, which BMCs
    share, a new one would take them from whoever has them.
    """
    design = partial.array_design
    models = (partial.catalog.get(Enclosure, role.array) for role in (design.storage, design.metadata))
    return frozenset(address for model in models for address in model.factory_addresses)


def leave_out(partial: PartialRequest) -> None:
    """Mark all addresses as reported: the request has too many servers to give them any."""
    partial.bad |= {path for where in NETWORKS for _, _, path in partial.each(f"{where}.addresses")}


def judge(partial: PartialRequest, servers: Sequence[str]) -> None:
    """Note networks that share addresses, and names and addresses that no server could use."""
    networks = list(_networks(partial))
    for earlier, later in combinations(networks, 2):
        _judge_apart(partial, earlier, later)
    for value, path in list(partial.values("network.domain")):
        trouble = _domain_trouble(value) if isinstance(value, str) else ""
        if trouble:
            partial.report("PX107", path, f"{quoted(value)} is no domain: {trouble}", "Such as example.org.")
    taken = {a: server for n in networks for server, a in n.addresses.items() if isinstance(a, str)}
    _judge_others(partial, "ntp", taken | _own_names(partial, servers), hosts=True)
    _judge_others(partial, "dns", dict(taken), hosts=False)
    for value, path in list(partial.values("network.dns")):
        if isinstance(value, list) and len(value) > _NAME_SERVERS:
            message = f"{len(value):,} name servers; programs ask the first {_NAME_SERVERS} alone (resolv.conf(5))"
            partial.report("PX108", path, message, f"{_NAME_SERVERS} at the most.")


def _own_names(partial: PartialRequest, servers: Sequence[str]) -> dict[str, str]:
    """Every name that a server of the system may have, in small letters, and whose it is."""
    domain = next((value for value, _ in partial.values("network.domain") if isinstance(value, str)), "")
    return {name.lower(): s for s in servers for network in ENDINGS for name in names_on(network, s, domain)}


def _networks(partial: PartialRequest) -> Iterator[_Network]:
    """The networks that stand in the request; a subnet that was reported is left out."""
    for where in NETWORKS:
        for node, word, path in list(partial.each(f"{where}.addresses")):
            legal = not partial.is_bad(join(where, "subnet"))
            given = node.get(word)
            addresses = given if isinstance(given, dict) and not partial.is_bad(path) else {}
            yield _Network(where, subnet_of(partial, node, where) if legal else None, addresses)


def _judge_apart(partial: PartialRequest, earlier: _Network, later: _Network) -> None:
    """PX116 for networks that overlap, PX110 for an address that a server has on the other one."""
    if earlier.subnet and later.subnet and earlier.subnet.overlaps(later.subnet):
        message = f"{later.subnet} overlaps {earlier.subnet}, the subnet of {earlier.where}"
        partial.report("PX116", join(later.where, "subnet"), message, "A subnet of its own for each network.")
        return
    taken = {address: server for server, address in earlier.addresses.items() if isinstance(address, str)}
    for server, address in later.addresses.items():
        where = join(join(later.where, "addresses"), server)
        if not isinstance(address, str) or partial.is_bad(where):
            continue
        if address in taken:
            partial.report("PX110", where, f"{quoted(address)} is already the address of {taken[address]}")
        elif _inside(address, earlier.subnet):
            message = f"{address} is an address of {earlier.subnet}, the subnet of {earlier.where}"
            partial.report("PX116", where, message, "An address of this network.")
    inside = next((server for address, server in taken.items() if _inside(address, later.subnet)), "")
    if inside:
        message = f"{later.subnet} holds {earlier.addresses[inside]}, the address of {inside} at {earlier.where}"
        partial.report("PX116", join(later.where, "subnet"), message, "A subnet of its own for each network.")


def _inside(address: str, subnet: IPv4Network | None) -> bool:
    """Whether a text is an address of a subnet; what is no address was reported where it stands."""
    from ipaddress import AddressValueError, IPv4Address

    try:
        return subnet is not None and IPv4Address(address) in subnet
    except AddressValueError:
        return False


def _domain_trouble(text: str) -> str:
    """Why a text cannot be the domain of servers; empty when it can."""
    if text.lower().rpartition(".")[2] == "localhost":
        return "every server calls itself localhost"
    return names.host_trouble(text)


def _judge_others(partial: PartialRequest, word: str, taken: dict[str, str], *, hosts: bool) -> None:
    """PX107, PX110 and PX115 for the hosts, or the addresses, of servers that are none of the system."""
    for value, path in list(partial.values(f"network.{word}")):
        for index, text in enumerate(value if isinstance(value, list) else []):
            where = item(path, index)
            if isinstance(text, str) and (not hosts or _ADDRESS.fullmatch(text)):
                judge_address(partial, where, text, None, taken)
            elif isinstance(text, str):
                _judge_host(partial, where, text, taken)
            if isinstance(text, str):
                taken.setdefault(text.lower(), f"{path}[{index}]")


def _judge_host(partial: PartialRequest, where: str, text: str, taken: Mapping[str, str]) -> None:
    trouble = names.host_trouble(text)
    if trouble:
        partial.report("PX107", where, f"{quoted(text)} cannot name a server: {trouble}")
    elif text.lower() in taken:
        partial.report("PX110", where, f"{quoted(text)} is already the name of {taken[text.lower()]}")
