"""What a plan with Ngenea nodes must keep: nodes and targets of the request, and nothing that no file should hold."""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from pixsize.check.additions import links_carry, record_of, servers, words_of
from pixsize.check.context import Context, Hit, grouped
from pixsize.check.devices import first_address_given_out
from pixsize.check.rules import MATCHES_REQUEST
from pixsize.expected import ExpectedServer
from pixsize.findings import Finding
from pixsize.products.ngenea.plan import ColdTarget, NgeneaNodes
from pixsize.products.ngenea.records import NgeneaDesign, NgeneaType, type_id
from pixsize.products.ngenea.request import Ngenea, NgeneaTarget

_WHERE = "ngenea"
_NAME = frozenset(string.ascii_letters + string.digits + "_-")
_HOST = frozenset(string.ascii_letters + string.digits + ".-")
_PATH = frozenset(string.ascii_letters + string.digits + "/._-")
_LONGEST_NAME = 31
_MOST_PORT = 65535
_TAKEN = frozenset({"default", "general", "ngenea"})
"""Sections of INI files, and the file that lists the targets: no target is called like one of them."""


def expected(words: Ngenea, section: NgeneaDesign) -> Iterator[ExpectedServer]:
    """The nodes."""
    return servers("ng", "ngenea", words.count, section)


def as_requested(context: Context) -> Iterator[Finding]:
    """PX525: nodes and targets are those of the request, in its order, each with all that it says."""
    found, words = record_of(context, NgeneaNodes), words_of(context, Ngenea)
    hits: list[Hit] = []
    hosts = tuple(server.id for server in context.added_servers if server.role == "ngenea")
    if found.nodes != hosts:
        hits.append((_WHERE, f"the Ngenea nodes are {found.nodes!r}, where {hosts!r} were asked for"))
    network, wanted = (found.subnet, found.router, found.addresses), (words.subnet, words.router, words.addresses)
    hits += [
        (f"{_WHERE}.{word}", f"{word} is {has or 'none'}, where {due or 'none'} was asked for")
        for word, has, due in zip(("subnet", "router", "addresses"), network, wanted, strict=True)
        if has != (due or type(has)())
    ]
    if len(found.targets) != len(words.targets):
        hits.append((f"{_WHERE}.targets", f"{len(found.targets)} targets, where {len(words.targets)} were asked for"))
    for number, (target, asked) in enumerate(zip(found.targets, words.targets, strict=False)):
        shown = target._asdict()
        due = _wanted(asked)
        hits += [
            (_at(number), f"{field} of target {asked.name} is {shown[field]!r}, where {due[field]!r} was asked for")
            for field in shown
            if shown[field] != due[field]
        ]
    yield from grouped("PX525", hits, MATCHES_REQUEST)


def _wanted(asked: NgeneaTarget) -> dict[str, object]:
    """Each field of a target, read from the words of the request in another way than the plan is made."""
    url = urlsplit(asked.endpoint or "")
    texts = {word: value or "" for word, value in asked.model_dump().items() if word not in ("endpoint", "port")}
    return {**texts, "host": url.netloc.removesuffix(f":{url.port}"), "port": asked.port}


def _at(number: int, word: str = "") -> str:
    return f"{_WHERE}.targets[{number}]" + (f".{word}" if word else "")


def names_of_files(context: Context) -> Iterator[Finding]:
    """PX585: names are those of files and stand before names of objects; no two are alike in any case."""

    def troubles() -> Iterator[Hit]:
        seen: set[str] = set()
        for number, target in enumerate(record_of(context, NgeneaNodes).targets):
            folded = target.name.casefold()
            legal = bool(target.name) and target.name[0] in string.ascii_letters and _NAME.issuperset(target.name)
            if not legal or len(target.name) > _LONGEST_NAME or folded in _TAKEN:
                yield _at(number, "name"), f"{target.name!r} cannot be the name of a target's file"
            elif folded in seen:
                yield _at(number, "name"), f"{target.name!r} is the name of two targets"
            seen.add(folded)

    yield from grouped("PX585", troubles(), "a name is a letter, then letters, digits, `_` and `-`, once")


def endpoints_without_secrets(context: Context) -> Iterator[Finding]:
    """PX586: an endpoint is a scheme, a host and a port, and no more; a target has all three or none."""

    def troubles() -> Iterator[Hit]:
        for number, target in enumerate(record_of(context, NgeneaNodes).targets):
            parts = (target.host, target.port, target.scheme)
            where = _at(number, "endpoint")
            if not any(parts):
                continue
            if not target.host or target.host[0] in ".-" or not _HOST.issuperset(target.host):
                yield where, f"{target.name} has a host that is no name and no address"
            elif target.port is None or not 1 <= target.port <= _MOST_PORT:
                yield where, f"{target.name} has the port {target.port}"
            elif target.scheme not in ("https", "http"):
                yield where, f"{target.name} has the scheme {target.scheme!r}"

    yield from grouped("PX586", troubles(), "files hold a host, a port, and https or http")


def paths_outside(context: Context) -> Iterator[Finding]:
    """PX587: credentials and folders have absolute paths that do not lie in the file system."""
    mount = PurePosixPath("/", context.plan.filesystem.name)

    def troubles() -> Iterator[Hit]:
        for number, target in enumerate(record_of(context, NgeneaNodes).targets):
            for word, text in (("credentials_file", target.credentials_file), ("path", target.path)):
                path = PurePosixPath(text)
                if not text:
                    continue
                if not path.is_absolute() or ".." in path.parts or not _PATH.issuperset(text):
                    yield _at(number, word), f"{word} of {target.name} is no absolute path"
                elif path.is_relative_to(mount):
                    yield _at(number, word), f"{word} of {target.name} lies in the file system: {text}"

    yield from grouped("PX587", troubles(), f"the file system is mounted as {mount}")


def somebody_reads_back(context: Context) -> Iterator[Finding]:
    """PX583: a node that fails has another one that reads files back."""
    if len(record_of(context, NgeneaNodes).nodes) < 2:
        message = "one Ngenea node alone: while it is down, nobody reads the files whose data were moved away"
        yield Finding("PX583", message, f"{_WHERE}.count", "count: 2")


def router_keeps_its_address(context: Context) -> Iterator[Finding]:
    """PX570: no node takes the address that the router of the network towards the targets commonly has."""
    found = record_of(context, NgeneaNodes)
    given = zip(found.nodes, found.addresses, strict=False)
    yield from first_address_given_out(f"{_WHERE}.subnet", found.subnet, found.router, given)


def nobody_measured_ngenea(context: Context) -> Iterator[Finding]:
    """PX582: no document has rates of Ngenea; what its links to the file system carry is the most there can be."""
    (section, *_) = context.catalog.of_design(NgeneaDesign, context.design.id)
    carried = links_carry(context, section, "node", words_of(context, Ngenea).count)
    yield Finding("PX582", f"no document has rates of Ngenea: {carried}; the way to a target may be narrower", _WHERE)


def words_that_ngenea_requires(context: Context) -> Iterator[Finding]:
    """PX584: a target has what the vendor's page requires of its type."""
    for number, target, kind in _typed(context):
        for word in kind.asks:
            if not getattr(target, word):
                message = f"target {target.name} has no {word}, which Ngenea requires for {target.type}"
                yield Finding("PX584", message, _at(number), f"Add {word}.")


def in_clear(context: Context) -> Iterator[Finding]:
    """PX588: https, or somebody has taken on that it is not."""
    for number, target in enumerate(record_of(context, NgeneaNodes).targets):
        if target.scheme == "http":
            message = f"target {target.name} is reached in clear: http to {target.host}"
            yield Finding("PX588", message, _at(number, "scheme"), "https:// in endpoint, without scheme: http")


def keys_that_are_public(context: Context) -> Iterator[Finding]:
    """PX589: the keys of the target's file are on a public page."""
    for number, target, kind in _typed(context):
        if not kind.keys:
            message = f"no public page lists the keys of a target of type {target.type}: {target.name}.conf is a draft"
            hint = "The file has the values as comments; write the keys by the vendor's guide."
            yield Finding("PX589", message, _at(number, "type"), hint)


def _typed(context: Context) -> Iterator[tuple[int, ColdTarget, NgeneaType]]:
    """The targets by number, each with the record of its type. A type that nobody knows differs from the request."""
    for number, target in enumerate(record_of(context, NgeneaNodes).targets):
        if type_id(target.type) in context.catalog:
            yield number, target, context.catalog.get(NgeneaType, type_id(target.type))


RULES = (
    names_of_files,
    endpoints_without_secrets,
    paths_outside,
    somebody_reads_back,
    router_keeps_its_address,
    nobody_measured_ngenea,
    words_that_ngenea_requires,
    in_clear,
    keys_that_are_public,
)
EXACT = (as_requested,)
