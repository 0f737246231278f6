"""The servers of a request: their names, made or given, and their addresses, taken from a subnet or given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from pixsize.load import names
from pixsize.load.partial_request import PartialRequest, did_you_mean
from pixsize.load.positions import item, join, quoted
from pixsize.product import additions_to

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv4Network

_PARTS = "pixsize.parts"


def whole(value: object) -> int:
    """A count as it stands in the words; 0 where it is none, which the shape reports."""
    return value if type(value) is int and value > 0 else 0


def judge_total(partial: PartialRequest, pattern: str, most: int) -> bool:
    """Whether the modules counted at `pattern` are few enough to plan; PX114 where the total first passes `most`."""
    total = 0
    for value, path in partial.values(pattern):
        total += whole(value)
        if total > most:
            partial.report("PX114", path, f"{total:,} modules up to here; pixsize plans at most {most:,}")
            return False
    return True


def judge_parts(partial: PartialRequest, where: str, what: str, total: int) -> bool:
    """Whether so many things may be made; PX120 at `where` when they are more than `pixsize.parts`."""
    most = partial.limit(_PARTS)
    if total > most:
        partial.report("PX120", where, f"{total:,} {what}; pixsize plans at most {most:,} (catalog: {_PARTS})")
    return total <= most


def in_modules(prefix: str) -> Callable[[int, int], str]:
    """Names such as `sm01n2`, the second server of the first module."""
    return lambda module, server: f"{prefix}{module:02d}n{server}"


def in_a_row(prefix: str, servers: int) -> Callable[[int, int], str]:
    """Names such as `oss03`: the servers counted through, `servers` a module."""
    return lambda module, server: f"{prefix}{(module - 1) * servers + server:02d}"


def complete_hosts(
    partial: PartialRequest, pattern: str, counted: str, servers: int, name: Callable[[int, int], str]
) -> None:
    """Name the servers at `pattern`: `servers` for each module that the word `counted` beside it counts.

    `name` makes a name of the module's number and the server's, both from 1.
    """
    number = 0
    for node, word, path in partial.each(pattern):
        count = whole(node.get(counted, 1 if not counted else 0))
        if not judge_parts(partial, path.rpartition(".")[0], "servers up to here", (number + count) * servers):
            partial.bad.add(path)
        elif not count and word not in node:
            partial.bad.add(path)  # how many names are due is not known
            _judge_missing(partial, node, path, counted)
        elif word not in node:
            modules = range(number + 1, number + count + 1)
            node[word] = [name(m, s) for m in modules for s in range(1, servers + 1)]
            partial.defaults.append(path)
        elif count and isinstance(node[word], list) and len(node[word]) != count * servers:
            given = f"{len(node[word]):,} name{'' if len(node[word]) == 1 else 's'}"
            message = f"{given} for {count * servers:,} servers"
            partial.report("PX112", path, message)
        number += count


def _judge_missing(partial: PartialRequest, node: Mapping[str, object], path: str, counted: str) -> None:
    """PX103 for a count that neither the request nor the design has; one at the top its shape asks for."""
    parent = path.rpartition(".")[0]
    if parent and counted not in node:
        message = f"the word {counted} is missing, and the design has no default for it"
        partial.report("PX103", join(parent, counted), message, f"Add {counted}, or a default to the design.")


def leave_unnamed(partial: PartialRequest, patterns: tuple[str, ...]) -> None:
    """Mark missing host names as reported: the request has too many modules for pixsize to generate names."""
    unnamed = (found for pattern in patterns for found in partial.each(pattern))
    partial.bad |= {path for node, word, path in unnamed if word not in node}


def management_names(partial: PartialRequest) -> list[str]:
    """The names that pixsize gives to the management servers of the design."""
    role = partial.design.management
    return [f"mgmt{n + 1}" for n in range(role.count if role else 0)]


def added_hosts(partial: PartialRequest) -> list[str]:
    """The names of the servers that products add to the system."""
    present = (a for a in additions_to(partial.design.filesystem) if isinstance(partial.words.get(a.word), dict))
    return [name for addition in present for name in addition.adds.hosts(partial)]


def judge_hosts(
    partial: PartialRequest,
    patterns: tuple[str, ...],
    generated: list[str],
    *,
    by_host: bool = False,
    trouble_of: Callable[[str], str] = names.host_trouble,
) -> None:
    """PX107 for a name that `trouble_of` refuses, PX110 for a name that is used twice; `generated` are pixsize's own.

    `by_host` also refuses names that differ in their domains alone: scripts know a server by what `hostname` prints,
    with its domain or without.
    """
    own = "a server that pixsize names itself"
    taken = {_key(name, by_host): (name, own) for name in generated}
    given: list[tuple[str, str]] = []
    for pattern in patterns:
        for value, path in partial.values(pattern):
            listed = [
                (n, item(path, i)) for i, n in enumerate(value if isinstance(value, list) else []) if isinstance(n, str)
            ]
            if path in partial.defaults:
                taken |= {_key(name, by_host): (name, own) for name, _ in listed}
            else:
                given += listed
    for name, path in given:
        _judge_host(partial, name, path, trouble_of(name), taken.get(_key(name, by_host)))
        taken.setdefault(_key(name, by_host), (name, path))


def _key(name: str, by_host: bool) -> str:
    return name.lower().partition(".")[0] if by_host else name.lower()


def _judge_host(partial: PartialRequest, name: str, path: str, trouble: str, earlier: tuple[str, str] | None) -> None:
    if trouble:
        partial.report("PX107", path, f"{quoted(name)} cannot name a server: {trouble}")
    elif earlier and earlier[0].lower() == name.lower():
        partial.report("PX110", path, f"{quoted(name)} is already the name of {earlier[1]}")
    elif earlier:
        message = f"{quoted(name)} is {quoted(earlier[0])} up to the first point, the name of {earlier[1]}"
        partial.report(
            "PX110", path, message, "Scripts take either for the server: a host may say its name without its domain."
        )


_SUBNET = re.compile(r"[0-9.]+/[0-9]{1,2}", re.ASCII)


def complete_addresses(
    partial: PartialRequest, parent: str, servers: Sequence[str], kept: Set[str] = frozenset()
) -> None:
    """Give each server its address below the word `parent`, where that word stands and does not give them itself.

    The servers have the first addresses of the subnet, but for those that are `kept` for others, and that of the router
    beside it. PX115 for what is no address or subnet, PX116 where addresses and servers do not go together.
    """
    for node, word, path in list(partial.each(f"{parent}.addresses")):
        subnet = subnet_of(partial, node, parent)
        router = router_of(partial, node, parent, subnet)
        if word in node:
            if isinstance(node[word], dict):
                _judge(partial, path, node[word], subnet, servers, router)
        elif subnet is None:
            partial.bad.add(path)
            if "subnet" not in node:
                partial.report("PX103", parent, "neither subnet nor addresses stand here", "Add subnet: 10.10.0.0/24.")
        else:
            _take(partial, node, path, subnet, servers, kept | {router})


def router_of(partial: PartialRequest, node: Mapping[str, Any], parent: str, subnet: IPv4Network | None) -> str:
    """The address of the router that stands below the word `parent`; empty where none does, or it was reported."""
    text, where = node.get("router"), join(parent, "router")
    if not isinstance(text, str) or partial.is_bad(where):
        return ""
    judge_address(partial, where, text, subnet, {})
    return "" if partial.is_bad(where) else text


def free_addresses(subnet: IPv4Network, kept: Set[str]) -> Iterator[str]:
    """The addresses of a subnet that servers can have, the lowest first, but for those that are kept for others."""
    every = (str(subnet[number]) for number in range(1, subnet.num_addresses - 1))
    return (address for address in every if address not in kept)


def subnet_of(partial: PartialRequest, node: Mapping[str, Any], parent: str) -> IPv4Network | None:
    """The subnet that stands below the word `parent`; None where none does, or PX115 for what is none."""
    from ipaddress import IPv4Network

    text = node.get("subnet")
    if not isinstance(text, str):
        return None
    if ":" in text:
        message = f"{quoted(text)} is of IPv6: pixsize plans IPv4 only"
        partial.report("PX115", join(parent, "subnet"), message, "Such as 10.10.0.0/24.")
        return None
    if not _SUBNET.fullmatch(text):
        message = f"{quoted(text)} is no subnet: an address, a slash and the number of its bits are one"
        partial.report("PX115", join(parent, "subnet"), message, "Such as 10.10.0.0/24.")
        return None
    try:
        subnet = IPv4Network(text)
    except ValueError as error:
        hint = "An address and its length, such as 10.10.0.0/24, with no bits behind the length."
        # The library repeats the text, which is quoted already.
        why = str(error).partition(" in ")[0]
        why = "it has bits behind the length" if str(error).endswith("host bits set") else why
        partial.report("PX115", join(parent, "subnet"), f"{quoted(text)} is no IPv4 subnet: {why}", hint)
        return None
    trouble = _no_servers(subnet.network_address) or _no_servers(subnet.broadcast_address)
    if trouble or not subnet.prefixlen:
        why = trouble or "all addresses there are"
        partial.report("PX115", join(parent, "subnet"), f"{quoted(text)} holds {why}: no server can have them")
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


def _take(
    partial: PartialRequest,
    node: dict[str, Any],
    path: str,
    subnet: IPv4Network,
    servers: Sequence[str],
    kept: Set[str],
) -> None:
    taken = dict(zip(servers, free_addresses(subnet, kept), strict=False))
    if len(servers) > len(taken):
        beside = " beside those that are kept" if len(taken) < subnet.num_addresses - 2 else ""
        message = f"{subnet} has {len(taken):,} addresses{beside} for {len(servers):,} servers"
        partial.report("PX116", path.rpartition(".")[0] + ".subnet", message, "A larger subnet, or addresses.")
        partial.bad.add(path)
        return
    node["addresses"] = taken
    partial.defaults.append(path)


def _judge(
    partial: PartialRequest,
    path: str,
    given: Mapping[str, Any],
    subnet: IPv4Network | None,
    servers: Iterable[str],
    router: str,
) -> None:
    expected = list(servers)
    taken: dict[str, str] = {router: "the router"} if router else {}
    for server, address in given.items():
        where = join(path, str(server))
        if server not in expected:
            partial.report("PX116", where, f"no server is called {quoted(server)}", did_you_mean(str(server), expected))
        elif isinstance(address, str):
            judge_address(partial, where, address, subnet, taken)
            taken.setdefault(address, str(server))
    missing = [server for server in expected if server not in given]
    if missing:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        partial.report("PX116", path, f"no address for {missing[0]}{more}", f"Add {missing[0]}.")


def judge_address(
    partial: PartialRequest, where: str, address: str, subnet: IPv4Network | None, taken: Mapping[str, str]
) -> None:
    """PX115 for what no server can have, PX110 for an address in `taken`, PX116 for one that is not in the subnet."""
    from ipaddress import IPv4Address

    try:
        number = IPv4Address(address)
    except ValueError:
        why = "is of IPv6: pixsize plans IPv4 only" if ":" in address else "is no IPv4 address"
        partial.report("PX115", where, f"{quoted(address)} {why}", "Four numbers, such as 10.10.0.7.")
        return
    trouble = _no_servers(number)
    if trouble:
        partial.report("PX115", where, f"{address} is one of the {trouble}: no server can have it")
        return
    if address in taken:
        partial.report("PX110", where, f"{quoted(address)} is already the address of {taken[address]}")
    elif subnet is not None and (number not in subnet or number in (subnet.network_address, subnet.broadcast_address)):
        partial.report("PX116", where, f"{address} is no server's address in {subnet}")
