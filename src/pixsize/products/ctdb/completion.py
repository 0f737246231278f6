"""Completes and judges the word `gateways` of a request."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from pixsize.load.partial_request import PartialRequest
from pixsize.load.positions import item, quoted
from pixsize.load.servers import (
    added_hosts,
    free_addresses,
    judge_address,
    judge_parts,
    management_names,
    router_of,
    subnet_of,
    whole,
)
from pixsize.plan.naming import ENDINGS, names_on
from pixsize.products.ctdb import plan
from pixsize.products.ctdb.records import GatewayDesign

if TYPE_CHECKING:
    from ipaddress import IPv4Network

WORD = "gateways"
_COUNT = 2
"""How many gateways there are where a request does not say: one alone has nobody who takes over from it."""
_LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"
_DOMAIN = re.compile(rf"{_LABEL}(\.{_LABEL})+", re.ASCII)
_FOLDER = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})+", re.ASCII)
_INTERFACE = re.compile(r"[a-z][a-z0-9_.-]{0,14}", re.ASCII)
_REALM = re.compile(rf"{_LABEL}(\.{_LABEL})*".replace("a-z", "A-Z"), re.ASCII)
_WORKGROUP = re.compile(r"[A-Z0-9][A-Z0-9-]{0,14}", re.ASCII)
_HOSTS = ("storage_modules[].hosts", "hdmd.hosts", "cluster.clients.hosts")
_TIME = "network.ntp"
"""Where other hosts have names, as far as the file system has such words."""
_NETWORKS = ("network.addresses", "network.management.addresses", "network.bmc.addresses")
"""Where the addresses of the servers stand, as far as the file system has such words."""
_MANAGED = ("network.management", "network.bmc")
"""Networks of the servers that nobody else is on, as far as the file system has such words."""
_MOST_NAME = 253
"""Characters of a host name with its domain (RFC 1035, 2.3.4)."""
_MOST_PATH = 1024
"""Bytes of the path of a folder that NFS clients mount (RFC 1813, 5.1.2)."""


def hosts(partial: PartialRequest) -> list[str]:
    """The names of the gateways: gw1, gw2 and so on."""
    words = partial.words[WORD]
    count = whole(words.get("count", _COUNT))
    return list(plan.names(count)) if count <= partial.limit("pixsize.parts") else []


def complete(partial: PartialRequest) -> None:
    """Fill in the interface of the design, the public addresses, and the root of the file system as the one export."""
    words = partial.words[WORD]
    (design, *_) = partial.catalog.of_design(GatewayDesign, partial.design.id)
    partial.complete(f"{WORD}.interface", design.interface)
    count = whole(words.get("count", _COUNT))
    few = judge_parts(partial, f"{WORD}.count", "gateways", count)
    filesystem = partial.words.get("filesystem")
    name = filesystem.get("name") if isinstance(filesystem, dict) else None
    if isinstance(name, str):
        partial.complete(f"{WORD}.exports", [f"/{name}"])
    elif "exports" not in words:
        partial.bad.add(f"{WORD}.exports")  # what is missing is the name of the file system
    subnet = subnet_of(partial, words, WORD)
    router = router_of(partial, words, WORD, subnet)
    if "addresses" not in words and few:
        _take(partial, subnet, router, count)


def _take(partial: PartialRequest, subnet: IPv4Network | None, router: str, count: int) -> None:
    """The first public addresses of the subnet, but for that of its router."""
    found = list(islice(free_addresses(subnet, {router}), count)) if subnet else []
    if subnet and len(found) < count:
        message = f"{subnet} has {len(found):,} addresses for {count:,} gateways"
        partial.report("PX116", f"{WORD}.subnet", message, "A larger subnet, or addresses.")
    else:
        partial.complete(f"{WORD}.addresses", found)


def judge(partial: PartialRequest) -> None:
    """Note names that a shell, a zone or an export could misread, and addresses that cannot be or clash."""
    words = partial.words[WORD]
    _judge_text(partial, f"{WORD}.domain", _is_domain, "no host name with a domain, such as files.example.org")
    _judge_name(partial)
    _judge_text(partial, f"{WORD}.interface", _INTERFACE.fullmatch, "no name of an interface, such as p1p1")
    _judge_text(partial, f"{WORD}.smb.realm", _REALM.fullmatch, "no realm: capital letters, such as EXAMPLE.ORG")
    _judge_text(partial, f"{WORD}.smb.workgroup", _WORKGROUP.fullmatch, "no workgroup: at most 15 capital letters")
    _judge_exports(partial, words)
    _judge_addresses(partial, words)
    _judge_apart(partial, words)
    _judge_login(partial, words)


def _is_domain(text: str) -> bool:
    """Whether a text is a host name with a domain that others may serve, and no address."""
    last = text.rpartition(".")[2]
    return (
        len(text) <= _MOST_NAME and _DOMAIN.fullmatch(text) is not None and not last.isdigit() and last != "localhost"
    )


def _judge_name(partial: PartialRequest) -> None:
    """PX110 for a host name that a server, a client or a time server has already: it would lead to both."""
    own = next((value for value, _ in partial.values("network.domain") if isinstance(value, str)), "")
    listed = (value for pattern in _HOSTS for value, _ in partial.values(pattern) if isinstance(value, list))
    servers = [*(str(host) for hosts in listed for host in hosts), *management_names(partial), *added_hosts(partial)]
    taken = {name.lower(): server for server in servers for on in ENDINGS for name in names_on(on, server, own)}
    for value, _ in partial.values(_TIME):
        hosts_of_time = value if isinstance(value, list) else []
        taken |= {host.lower(): f"a time server of {_TIME}" for host in hosts_of_time if isinstance(host, str)}
    for value, where in list(partial.values(f"{WORD}.domain")):
        if isinstance(value, str) and value.lower() in taken:
            message = f"{quoted(value)} is already the name of {taken[value.lower()]}"
            partial.report("PX110", where, message, "A name that no server has, such as files.example.org.")


def _judge_text(partial: PartialRequest, path: str, accepts: Any, otherwise: str) -> None:  # noqa: ANN401  a match or a bool
    for value, where in list(partial.values(path)):
        if isinstance(value, str) and not accepts(value):
            partial.report("PX107", where, f"{quoted(value)} is {otherwise}")


def _judge_exports(partial: PartialRequest, words: dict[str, Any]) -> None:
    """PX107 for a folder outside the file system, or one that a shell or an export could misread."""
    filesystem, exports = partial.words.get("filesystem"), words.get("exports")
    name = filesystem.get("name") if isinstance(filesystem, dict) else None
    if not isinstance(exports, list):
        return
    for index, folder in enumerate(exports):
        where = item(f"{WORD}.exports", index)
        if not isinstance(folder, str) or partial.is_bad(where):
            continue
        if len(folder) > _MOST_PATH or not _FOLDER.fullmatch(folder):
            partial.report(
                "PX107", where, f"{quoted(folder)} is no folder that can be exported", "Such as /mmfs1/data."
            )
        elif isinstance(name, str) and folder != f"/{name}" and not folder.startswith(f"/{name}/"):
            partial.report(
                "PX107", where, f"{quoted(folder)} does not lie in the file system", f"It begins with /{name}."
            )
        elif folder in exports[:index]:
            partial.report("PX110", where, f"{quoted(folder)} is exported twice")


def _judge_addresses(partial: PartialRequest, words: dict[str, Any]) -> None:
    """PX115, PX116 and PX110 for public addresses; none is an address of a server."""
    given = words.get("addresses")
    if not isinstance(given, list):
        return
    subnet = subnet_of(partial, words, WORD) if not partial.is_bad(f"{WORD}.subnet") else None
    taken = {a: name for where in _NETWORKS for value, _ in partial.values(where) for name, a in _pairs(value)}
    if isinstance(words.get("router"), str):
        taken.setdefault(words["router"], "the router")
    for index, address in enumerate(given):
        where = item(f"{WORD}.addresses", index)
        if isinstance(address, str) and not partial.is_bad(where):
            judge_address(partial, where, address, subnet, taken)
            taken.setdefault(address, "another gateway")
    count = whole(words.get("count", _COUNT))
    if given and len(given) < count and not partial.is_bad(f"{WORD}.addresses"):
        message = f"{len(given)} public addresses for {count} gateways: one of them would serve nobody"
        partial.report("PX116", f"{WORD}.addresses", message, "One address a gateway at the least.")
    if given and subnet is None and not partial.is_bad(f"{WORD}.subnet"):
        partial.report("PX103", WORD, "addresses stand here, and no subnet", "Add subnet: it gives their length.")


def _judge_apart(partial: PartialRequest, words: dict[str, Any]) -> None:
    """PX116 for a subnet of public addresses that the servers, or their controllers, are managed on."""
    path = f"{WORD}.subnet"
    own = subnet_of(partial, words, WORD) if not partial.is_bad(path) else None
    for where in _MANAGED if own else ():
        for node, _, _ in list(partial.each(f"{where}.addresses")):
            other = subnet_of(partial, node, where) if not partial.is_bad(f"{where}.subnet") else None
            inside = next((a for _, a in _pairs(node.get("addresses")) if _is_inside(a, own)), "")
            if other and own and own.overlaps(other):
                message = f"{own} overlaps {other}, the subnet of {where}"
            elif inside:
                message = f"{own} holds {inside}, an address of {where}"
            else:
                continue
            partial.report("PX116", path, message, "A subnet of its own for the clients.")


def _is_inside(address: str, subnet: IPv4Network | None) -> bool:
    """Whether a text is an address of a subnet; what is no address was reported where it stands."""
    from ipaddress import AddressValueError, IPv4Address

    try:
        return subnet is not None and IPv4Address(address) in subnet
    except AddressValueError:
        return False


def _pairs(value: object) -> list[tuple[str, str]]:
    return [(str(k), v) for k, v in value.items() if isinstance(v, str)] if isinstance(value, dict) else []


def _judge_login(partial: PartialRequest, words: dict[str, Any]) -> None:
    """PX103 for Active Directory without a realm or a workgroup."""
    smb = words.get("smb")
    if isinstance(smb, dict) and smb.get("security") == "ads":
        for word in ("realm", "workgroup"):
            if word not in smb:
                partial.report("PX103", f"{WORD}.smb", f"security: ads needs the word {word}", f"Add {word}.")
