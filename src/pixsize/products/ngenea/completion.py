"""Completes and judges the word `ngenea` of a request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from pixsize.load import names
from pixsize.load.partial_request import PartialRequest, named
from pixsize.load.positions import item, join, quoted
from pixsize.load.servers import free_addresses, judge_address, judge_parts, router_of, subnet_of, whole
from pixsize.products.ngenea import plan
from pixsize.products.ngenea.records import NgeneaType, type_id
from pixsize.products.ngenea.request import NgeneaTarget
from pixsize.products.ngenea.secrets import refuse_secrets

if TYPE_CHECKING:
    from ipaddress import IPv4Network

WORD = "ngenea"
_TARGETS = f"{WORD}.targets"
_COUNT = 2
"""How many nodes there are where a request does not say: one alone has nobody who reads files back while it is down."""
_PORTS = {"https": 443, "http": 80}
_LONGEST_NAME = 31
_TAKEN = {"ngenea": "the file that lists the targets has that name", "general": "a section of its file has that name"}
_ENDPOINT = re.compile(r"(https?)://([A-Za-z0-9.-]+)(?::([0-9]{1,5}))?/?", re.ASCII)
_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}", re.ASCII)
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]", re.ASCII)
_REGION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}", re.ASCII)
_PATH = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9_.][A-Za-z0-9_.-]{0,127})+", re.ASCII)
_LONGEST_PATH = 255
_OF_SERVERS = ("network", "network.management", "network.bmc")
"""Networks of the servers, as far as the file system has such words: each has `subnet`, `router` and `addresses`."""
_OUTWARD = "gateways"
"""Who else has addresses on networks of the site."""


def hosts(partial: PartialRequest) -> list[str]:
    """The names of the nodes: ng1, ng2 and so on."""
    count = whole(partial.words[WORD].get("count", _COUNT))
    return list(plan.names(count)) if count <= partial.limit("pixsize.parts") else []


def complete(partial: PartialRequest) -> None:
    """Fill in the addresses of the nodes, and the scheme and the port of each target that has an endpoint."""
    words = partial.words[WORD]
    refuse_secrets(partial, WORD)
    few = judge_parts(partial, f"{WORD}.count", "Ngenea nodes", whole(words.get("count", _COUNT)))
    subnet = subnet_of(partial, words, WORD)
    router = router_of(partial, words, WORD, subnet)
    if subnet and "addresses" not in words and few:
        _take(partial, subnet, router, whole(words.get("count", _COUNT)))
    targets = words.get("targets")
    if not judge_parts(partial, _TARGETS, "targets", len(targets) if isinstance(targets, list) else 0):
        return
    for endpoint, where in list(partial.values(f"{_TARGETS}[].endpoint")):
        target, path = _at(partial, where)
        if isinstance(endpoint, str) and (match := _ENDPOINT.fullmatch(endpoint)):
            _fill(partial, target, path, "scheme", "https")
            port = int(match[3]) if match[3] else _PORTS.get(str(target["scheme"]))
            if port is not None:
                _fill(partial, target, path, "port", port)


def _take(partial: PartialRequest, subnet: IPv4Network, router: str, count: int) -> None:
    """The first addresses of the subnet that neither its router nor a gateway has: both may be on one network."""
    found = list(islice(free_addresses(subnet, {router, *_outward(partial)}), count))
    if len(found) < count:
        message = f"{subnet} has {len(found):,} free addresses for {count:,} Ngenea nodes"
        partial.report("PX116", f"{WORD}.subnet", message, "A larger subnet, or addresses.")
    else:
        partial.complete(f"{WORD}.addresses", found)


def _outward(partial: PartialRequest) -> dict[str, str]:
    """The addresses of others on the networks of the site, and whose each is."""
    found = {a: "a gateway" for value, _ in partial.values(f"{_OUTWARD}.addresses") for a in _texts(value)}
    routers = (value for value, _ in partial.values(f"{_OUTWARD}.router") if isinstance(value, str))
    return {**dict.fromkeys(routers, "the router of the gateways"), **found}


def _texts(value: object) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _at(partial: PartialRequest, where: str) -> tuple[dict[str, Any], str]:
    """The target that a word at a path belongs to, and its own path."""
    path = where.rpartition(".")[0]
    target: dict[str, Any] = partial.words[WORD]["targets"][int(path.rpartition("[")[2].removesuffix("]"))]
    return target, path


def _fill(partial: PartialRequest, target: dict[str, Any], path: str, word: str, value: object) -> None:
    if word not in target:
        target[word] = value
        partial.defaults.append(join(path, word))


def judge(partial: PartialRequest) -> None:
    """Note targets that lack a word or have one too many, values that a file, a shell or a reader could misread, and
    addresses that cannot be or clash.
    """
    words = partial.words[WORD]
    _judge_names(partial)
    _judge_network(partial, words)
    for target, path in _targets(partial):
        _judge_words(partial, target, path)
    for value, where in list(partial.values(f"{_TARGETS}[].endpoint")):
        if isinstance(value, str):
            _judge_endpoint(partial, value, where)
    for word, pattern, otherwise in (
        ("bucket", _BUCKET, "no bucket: 3 to 63 letters, digits, points, hyphens and underscores"),
        ("region", _REGION, "no region, such as eu-west-1"),
    ):
        for value, where in list(partial.values(f"{_TARGETS}[].{word}")):
            if isinstance(value, str) and not pattern.fullmatch(value):
                partial.report("PX107", where, f"{quoted(value)} is {otherwise}")
    for word in ("credentials_file", "path"):
        for value, where in list(partial.values(f"{_TARGETS}[].{word}")):
            if isinstance(value, str):
                _judge_path(partial, value, where)


def _targets(partial: PartialRequest) -> Iterator[tuple[dict[str, Any], str]]:
    listed = partial.words[WORD].get("targets")
    if isinstance(listed, list) and not partial.is_bad(_TARGETS):
        yield from ((t, item(_TARGETS, n)) for n, t in enumerate(listed) if isinstance(t, dict))


def _judge_network(partial: PartialRequest, words: dict[str, Any]) -> None:
    """PX110, PX115, PX116 for addresses of the nodes, or a subnet of the servers; PX103 where the subnet lacks."""
    subnet = subnet_of(partial, words, WORD) if not partial.is_bad(f"{WORD}.subnet") else None
    given, path = _texts(words.get("addresses")), f"{WORD}.addresses"
    if "subnet" not in words and (given or "router" in words):
        partial.report("PX103", WORD, "addresses or a router stand here, and no subnet", "Add subnet: 10.50.0.0/24.")
    taken = {words["router"]: "the router"} if isinstance(words.get("router"), str) else {}
    for index, address in enumerate(given if not partial.is_bad(path) else ()):
        judge_address(partial, item(path, index), address, subnet, taken | _outward(partial))
        taken.setdefault(address, "another node")
    count = whole(words.get("count", _COUNT))
    if given and len(given) != count and not partial.is_bad(path):
        partial.report("PX116", path, f"{len(given)} addresses for {count} nodes", "One address a node.")
    for where in _OF_SERVERS if subnet else ():
        for node, _, _ in list(partial.each(f"{where}.subnet")):
            other = subnet_of(partial, node, where) if not partial.is_bad(f"{where}.subnet") else None
            if other and subnet and subnet.overlaps(other):
                message = f"{subnet} overlaps {other}, the subnet of {where}: a node would have it on two interfaces"
                partial.report("PX116", f"{WORD}.subnet", message, "The subnet of the interface towards the targets.")


def _judge_names(partial: PartialRequest) -> None:
    """PX107 for a name that a file or a section cannot have, PX110 for one that stands twice in any case."""
    seen: dict[str, str] = {}
    for value, where in list(partial.values(f"{_TARGETS}[].name")):
        if not isinstance(value, str):
            continue
        trouble = names.word_trouble(value, "_-", _LONGEST_NAME) or names.reserved(value) or _TAKEN.get(value.lower())
        if trouble:
            partial.report("PX107", where, f"{quoted(value)} cannot name a target: {trouble}")
        elif value.lower() in seen:
            partial.report("PX110", where, f"{quoted(value)} is already the name of {seen[value.lower()]}")
        seen.setdefault(value.lower(), where.rpartition(".")[0])


def _judge_words(partial: PartialRequest, target: dict[str, Any], path: str) -> None:
    """PX103 for a word that the type needs, PX101 for one that it does not have."""
    kind = target.get("type")
    if not isinstance(kind, str) or type_id(kind) not in partial.catalog:
        return
    record = partial.catalog.get(NgeneaType, type_id(kind))
    for word in map(str, record.needs):
        meant = f"Did you mean {word}?"  # a misspelt word was reported, and what it was meant to be does not lack
        misspelt = any(found.hint == meant and found.where.startswith(path) for found in partial.findings)
        if word not in target and not partial.is_bad(path) and not misspelt:
            partial.report("PX103", join(path, word), f"a target of type {kind} needs the word {word}", f"Add {word}.")
    known = ("name", "type", *record.needs, *record.asks, *record.takes)
    for word in map(str, target):
        if word in NgeneaTarget.model_fields and word not in known and not partial.is_bad(join(path, word)):
            message = f"a target of type {kind} has no {word}; it has {named(known)}"
            partial.report("PX101", join(path, word), message, f"Leave out {word}.", at_key=True)


def _judge_endpoint(partial: PartialRequest, endpoint: str, where: str) -> None:
    """PX107 for what is no URL of a server alone, and for http that nobody asked for; PX108 for what is no port."""
    hint = "Such as https://s3.example.org, or https://s3.example.org:9000."
    if any(sign in endpoint for sign in "@?#"):
        partial.hide(where)
        message = "an endpoint holds a scheme, a host and a port: no user, password or query, which may be secrets"
        partial.report("PX107", where, message, "Keys belong into the file that credentials_file names.")
        return
    match = _ENDPOINT.fullmatch(endpoint)
    if match is None:
        partial.report("PX107", where, f"{quoted(endpoint)} is no URL of a server", hint)
        return
    trouble = "" if _IPV4.fullmatch(match[2]) else names.host_trouble(match[2])
    if trouble:
        partial.report("PX107", where, f"{quoted(match[2])} cannot name a host: {trouble}", hint)
        return
    target, path = _at(partial, where)
    _judge_scheme(partial, match[1], target, path)
    _judge_port(partial, match[3], target, path)


def _judge_scheme(partial: PartialRequest, scheme: str, target: dict[str, Any], path: str) -> None:
    said, where = target.get("scheme"), join(path, "endpoint")
    if scheme == "http" and join(path, "scheme") in partial.defaults:
        hint = "https://, or scheme: http beside it, where the network is your own."
        partial.report("PX107", where, "http sends the files in clear, and nobody said that it may", hint)
    elif said in _PORTS and said != scheme:
        partial.report("PX107", where, f"the URL begins with {scheme}, and scheme is {said}", "One of the two.")


def _judge_port(partial: PartialRequest, port: str | None, target: dict[str, Any], path: str) -> None:
    if port is None:
        return
    if not 1 <= int(port) <= 65535:
        partial.report("PX108", join(path, "endpoint"), f"{port} is no port: 1 to 65535 are")
        partial.bad.add(join(path, "port"))
    elif isinstance(target.get("port"), int) and target["port"] != int(port):
        partial.report("PX107", join(path, "endpoint"), f"the URL has port {port}, and port is {target['port']}")


def _judge_path(partial: PartialRequest, path: str, where: str) -> None:
    """PX107 for a path that is not absolute, that a shell could misread, or that lies in the file system.

    What is no path at all may be a secret in the wrong place: it is not shown.
    """
    if not path.startswith("/"):
        partial.hide(where)
        partial.report("PX107", where, "no absolute path stands here", "Such as /etc/pixsize/cold.")
        return
    filesystem = partial.words.get("filesystem")
    name = filesystem.get("name") if isinstance(filesystem, dict) else None
    if len(path) > _LONGEST_PATH or not _PATH.fullmatch(path):
        partial.report("PX107", where, f"{quoted(path)} is no path that every program reads alike")
    elif isinstance(name, str) and (path == f"/{name}" or path.startswith(f"/{name}/")):
        message = f"{quoted(path)} lies in the file system itself"
        partial.report("PX107", where, message, "A path on the nodes' own disks, such as /etc/pixsize/cold.")
