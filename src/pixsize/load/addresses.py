"""Addresses of servers: taken from a subnet in the order of the servers, or given one by one and compared with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pixsize.load.draft import Draft, did_you_mean
from pixsize.load.positions import join, quoted

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv4Network

_SUBNET = re.compile(r"[0-9.]+/[0-9]{1,2}", re.ASCII)


def complete_addresses(draft: Draft, parent: str, servers: Sequence[str]) -> None:
    """Give each server its address below the word `parent`, where that word stands and does not give them itself.

    The first server has the first address of the subnet. PX115 for what is no address or subnet, PX116 where addresses
    and servers do not go together.
    """
    for node, word, path in list(draft.each(f"{parent}.addresses")):
        subnet = _subnet(draft, node, parent)
        if word in node:
            if isinstance(node[word], dict):
                _judge(draft, path, node[word], subnet, servers)
        elif subnet is None:
            draft.bad.add(path)
            if "subnet" not in node:
                draft.report("PX103", parent, "neither subnet nor addresses stand here", "Add subnet: 10.10.0.0/24.")
        else:
            _take(draft, node, path, subnet, servers)


def _subnet(draft: Draft, node: Mapping[str, Any], parent: str) -> IPv4Network | None:
    from ipaddress import IPv4Network

    text = node.get("subnet")
    if not isinstance(text, str):
        return None
    if not _SUBNET.fullmatch(text):
        message = f"{quoted(text)} is no subnet: an address, a slash and the number of its bits are one"
        draft.report("PX115", join(parent, "subnet"), message, "Such as 10.10.0.0/24.")
        return None
    try:
        subnet = IPv4Network(text)
    except ValueError as error:
        hint = "An address and its length, such as 10.10.0.0/24, with no bits behind the length."
        draft.report("PX115", join(parent, "subnet"), f"{quoted(text)} is no IPv4 subnet: {_said(error)}", hint)
        return None
    trouble = _no_servers(subnet.network_address) or _no_servers(subnet.broadcast_address)
    if trouble or not subnet.prefixlen:
        why = trouble or "all addresses there are"
        draft.report("PX115", join(parent, "subnet"), f"{quoted(text)} holds {why}: no server can have them")
        return None
    return subnet


def _no_servers(address: IPv4Address) -> str:
    """Why no server has such an address (RFC 6890); empty where one can."""
    kinds = {
        "addresses of this host alone": address.is_loopback or int(address) >> 24 == 0,
        "multicast addresses": address.is_multicast,
        "reserved addresses": address.is_reserved or int(address) == 2**32 - 1,
        "link-local addresses": address.is_link_local,
    }
    return next((kind for kind, true in kinds.items() if true), "")


def _said(error: ValueError) -> str:
    """The library's words, without the text that they are about: it is quoted once already."""
    text = str(error)
    return "it has bits behind the length" if text.endswith("host bits set") else text.partition(" in ")[0]


def _take(draft: Draft, node: dict[str, Any], path: str, subnet: IPv4Network, servers: Sequence[str]) -> None:
    room = max(subnet.num_addresses - 2, 0)
    if len(servers) > room:
        message = f"{subnet} has {room:,} addresses for {len(servers):,} servers"
        draft.report("PX116", path.rpartition(".")[0] + ".subnet", message, "A larger subnet, or addresses.")
        draft.bad.add(path)
        return
    first = int(subnet.network_address) + 1
    node["addresses"] = {server: _text(first + turn) for turn, server in enumerate(servers)}
    draft.defaults.append(path)


def _text(number: int) -> str:
    return ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))


def _judge(
    draft: Draft, path: str, given: Mapping[str, Any], subnet: IPv4Network | None, servers: Iterable[str]
) -> None:
    due = list(servers)
    seen: dict[str, str] = {}
    for server, address in given.items():
        where = join(path, str(server))
        if server not in due:
            draft.report("PX116", where, f"no server is called {quoted(server)}", did_you_mean(str(server), due))
        elif isinstance(address, str):
            judge_address(draft, where, address, subnet, seen)
            seen.setdefault(address, str(server))
    missing = [server for server in due if server not in given]
    if missing:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        draft.report("PX116", path, f"no address for {missing[0]}{more}", f"Add {missing[0]}.")


def judge_address(draft: Draft, where: str, address: str, subnet: IPv4Network | None, seen: Mapping[str, str]) -> None:
    """PX115 for what no server can have, PX110 for an address in `seen`, PX116 for one that is not in the subnet."""
    from ipaddress import IPv4Address

    try:
        number = IPv4Address(address)
    except ValueError:
        draft.report("PX115", where, f"{quoted(address)} is no IPv4 address", "Four numbers, such as 10.10.0.7.")
        return
    trouble = _no_servers(number)
    if trouble:
        draft.report("PX115", where, f"{address} is one of the {trouble}: no server can have it")
        return
    if address in seen:
        draft.report("PX110", where, f"{quoted(address)} is already the address of {seen[address]}")
    elif subnet is not None and (number not in subnet or number in (subnet.network_address, subnet.broadcast_address)):
        draft.report("PX116", where, f"{address} is no server's address in {subnet}")
