"""Completes and judges the word `gateways` of a request."""

from __future__ import annotations

import re
from typing import Any

from pixsize.load.partial_request import PartialRequest
from pixsize.load.positions import item, quoted
from pixsize.load.servers import judge_address, judge_parts, subnet_of, whole
from pixsize.products.ctdb.records import GatewayDesign

WORD = "gateways"
_COUNT = 2
"""How many gateways there are where a request does not say: one alone has nobody who takes over from it."""
_LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"
_DOMAIN = re.compile(rf"{_LABEL}(\.{_LABEL})+", re.ASCII)
_FOLDER = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})+", re.ASCII)
_INTERFACE = re.compile(r"[a-z][a-z0-9_.-]{0,14}", re.ASCII)
_REALM = re.compile(rf"{_LABEL}(\.{_LABEL})*".replace("a-z", "A-Z"), re.ASCII)
_WORKGROUP = re.compile(r"[A-Z0-9][A-Z0-9-]{0,14}", re.ASCII)
_NETWORKS = ("network.addresses", "network.management.addresses", "network.bmc.addresses")
"""Where the addresses of the servers stand, as far as the file system has such words."""
_MOST_NAME = 253
"""Characters of a host name with its domain (RFC 1035, 2.3.4)."""
_MOST_PATH = 1024
"""Bytes of the path of a folder that NFS clients mount (RFC 1813, 5.1.2)."""


def hosts(partial: PartialRequest) -> list[str]:
    """The names of the gateways: gw1, gw2 and so on."""
    words = partial.words[WORD]
    count = whole(words.get("count", _COUNT))
    return [f"gw{n}" for n in range(1, count + 1)] if count <= partial.limit("pixsize.parts") else []


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
    if "addresses" in words or not few:
        return
    if subnet is None:
        partial.complete(f"{WORD}.addresses", [])
    elif subnet.num_addresses - 2 < count:
        message = f"{subnet} has {max(subnet.num_addresses - 2, 0):,} addresses for {count:,} gateways"
        partial.report("PX116", f"{WORD}.subnet", message, "A larger subnet, or addresses.")
    else:
        partial.complete(f"{WORD}.addresses", [str(subnet[n]) for n in range(1, count + 1)])


def judge(partial: PartialRequest) -> None:
    """Note names that a shell, a zone or an export could misread, and addresses that cannot be or clash."""
    words = partial.words[WORD]
    _judge_text(partial, f"{WORD}.domain", _is_domain, "no host name with a domain, such as files.example.org")
    _judge_text(partial, f"{WORD}.interface", _INTERFACE.fullmatch, "no name of an interface, such as p1p1")
    _judge_text(partial, f"{WORD}.smb.realm", _REALM.fullmatch, "no realm: capital letters, such as EXAMPLE.ORG")
    _judge_text(partial, f"{WORD}.smb.workgroup", _WORKGROUP.fullmatch, "no workgroup: at most 15 capital letters")
    _judge_exports(partial, words)
    _judge_addresses(partial, words)
    _judge_login(partial, words)


def _is_domain(text: str) -> bool:
    """Whether a text is a host name with a domain that others may serve, and no address."""
    last = text.rpartition(".")[2]
    return (
        len(text) <= _MOST_NAME and _DOMAIN.fullmatch(text) is not None and not last.isdigit() and last != "localhost"
    )


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


def _pairs(value: object) -> list[tuple[str, str]]:
    return [(str(k), v) for k, v in value.items() if isinstance(v, str)] if isinstance(value, dict) else []


def _judge_login(partial: PartialRequest, words: dict[str, Any]) -> None:
    """PX103 for Active Directory without a realm or a workgroup."""
    smb = words.get("smb")
    if isinstance(smb, dict) and smb.get("security") == "ads":
        for word in ("realm", "workgroup"):
            if word not in smb:
                partial.report("PX103", f"{WORD}.smb", f"security: ads needs the word {word}", f"Add {word}.")
