"""What a plan with gateways must keep: the gateways and the cluster that the request asks for."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from pixsize.check.additions import links_carry, record_of, servers, words_of
from pixsize.check.context import Context, Hit, grouped
from pixsize.check.devices import first_address_given_out
from pixsize.check.rules import MATCHES_REQUEST
from pixsize.expected import ExpectedServer
from pixsize.findings import Finding
from pixsize.products.ctdb.plan import CtdbCluster
from pixsize.products.ctdb.records import SETTINGS, GatewayDesign, GatewaySettings
from pixsize.products.ctdb.request import Gateways
from pixsize.texts import listed

if TYPE_CHECKING:
    from ipaddress import IPv4Network

_WHERE = "gateways"
_GIVES_NONE = ""


def expected(words: Gateways, section: GatewayDesign) -> Iterator[ExpectedServer]:
    """The gateways."""
    return servers("gw", "gateway", words.count, section)


def exports(folders: Sequence[str], settings: GatewaySettings) -> Iterator[tuple[str, str, int]]:
    """Path, name and number of each folder, as it must be: both follow from the path, whatever else is exported.

    A folder has its own name where no other has the same (SMB: case does not count), else its whole path.
    """
    lasts = [folder.lower().split("/")[-1] for folder in folders]
    given: list[int] = []
    for folder, last in zip(folders, lasts, strict=True):
        start = zlib.crc32(folder.encode()) % 65535
        given.append(next(n for n in ((start + k) % 65535 + 1 for k in range(65535)) if n not in given))
        plain = lasts.count(last) < 2 and last not in settings.reserved_shares
        share = folder.split("/")[-1] if plain else "~".join(folder.split("/")[1:])
        yield folder, f"~{given[-1]}" if len(share) > settings.share_chars else share, given[-1]


def _host(words: Gateways) -> str:
    return (words.domain or _GIVES_NONE).split(".")[0].upper()


def _netbios_chars(context: Context) -> int:
    return context.catalog.get(GatewaySettings, SETTINGS).netbios_chars


def cluster_as_requested(context: Context) -> Iterator[Finding]:
    """PX525: the cluster is that of the request: its nodes, addresses, folders, and how clients log in."""
    words, found = words_of(context, Gateways), record_of(context, CtdbCluster)
    bits = words.subnet.rpartition("/")[2] if words.subnet else _GIVES_NONE
    wanted = (
        ("gateways", tuple(server.id for server in context.added_servers if server.role == "gateway")),
        ("protocols", tuple(sorted(words.protocols, reverse=True))),
        ("nfs_server", words.nfs_server),
        ("domain", words.domain or _GIVES_NONE),
        ("public_addresses", tuple((f"{address}/{bits}", words.interface) for address in words.addresses)),
        ("exports", tuple(exports(words.exports, context.catalog.get(GatewaySettings, SETTINGS)))),
        ("netbios_name", _host(words)[: _netbios_chars(context)].strip("-")),
        ("smb_security", words.smb.security),
        ("realm", words.smb.realm or _GIVES_NONE),
        ("workgroup", words.smb.workgroup or _GIVES_NONE),
        ("router", words.router or _GIVES_NONE),
    )
    fields = [name for name, _ in wanted]
    present = tuple(getattr(found, name) for name in fields)
    hits: list[Hit] = [
        (_WHERE, f"{name} of the gateways: {shown!r}, where {value!r} was asked for")
        for (name, value), shown in zip(wanted, present, strict=True)
        if shown != value
    ]
    yield from grouped("PX525", hits, MATCHES_REQUEST)


def somebody_takes_over(context: Context) -> Iterator[Finding]:
    """PX580: a gateway that fails has another one to take its addresses."""
    if len(record_of(context, CtdbCluster).gateways) < 2:
        message = "one gateway alone: while it is down, no client of SMB or NFS has access"
        yield Finding("PX580", message, f"{_WHERE}.count", "count: 2")


def nobody_measured_gateways(context: Context) -> Iterator[Finding]:
    """PX581: no document has rates of gateways; what their links to the file system carry is the most there can be."""
    (section, *_) = context.catalog.of_design(GatewayDesign, context.design.id)
    carried = links_carry(context, section, "gateway", words_of(context, Gateways).count)
    yield Finding("PX581", f"no document has rates of gateways: {carried}", _WHERE)


def clients_are_apart(context: Context) -> Iterator[Finding]:
    """PX592: the public addresses are in another network than the servers of the file system."""
    words = words_of(context, Gateways)
    if words.subnet is None:
        return
    public = _network(words.subnet)
    expected = context.filesystem.expected
    addresses = expected.addresses(context.request)  # those of a plan may be no addresses
    inside = [server for server, address in addresses.items() if _network(f"{address}/32").subnet_of(public)]
    private = expected.subnet(context.request)
    if inside or (private and _network(private).overlaps(public)):
        other = f"of {listed(inside, 4)}" if inside else f"{private} of the file system"
        message = f"the public addresses are taken from {public}, where the network {other} is as well"
        yield Finding("PX592", message, f"{_WHERE}.subnet", "A network of its own for the clients.")


def _network(text: str) -> IPv4Network:
    from ipaddress import IPv4Network

    return IPv4Network(text)


def router_keeps_its_address(context: Context) -> Iterator[Finding]:
    """PX570: no gateway takes the address that the router of the clients commonly has."""
    words = words_of(context, Gateways)
    given = (("a gateway", address) for address in words.addresses)
    yield from first_address_given_out(f"{_WHERE}.subnet", words.subnet or "", words.router or "", given)


def exports_are_apart(context: Context) -> Iterator[Finding]:
    """PX593: no exported folder lies in another one."""
    folders = words_of(context, Gateways).exports
    for outer, inner in permutations(folders, 2):
        if inner.startswith(f"{outer}/"):
            yield Finding("PX593", f"{inner} lies in {outer}, and both are exported", f"{_WHERE}.exports")


def name_fits_netbios(context: Context) -> Iterator[Finding]:
    """PX594: SMB clients that know NetBIOS names alone see the whole first part of the host name."""
    words, most = words_of(context, Gateways), _netbios_chars(context)
    if "smb" in words.protocols and len(_host(words)) > most:
        message = f"{_host(words)} has {len(_host(words))} characters, and a NetBIOS name {most} at the most"
        yield Finding("PX594", message, f"{_WHERE}.domain", "A shorter first part.")


def name_is_no_workgroup(context: Context) -> Iterator[Finding]:
    """PX596: the gateways are not called as their workgroup."""
    words = words_of(context, Gateways)
    workgroup = words.smb.workgroup or "WORKGROUP"
    if "smb" in words.protocols and record_of(context, CtdbCluster).netbios_name == workgroup:
        message = f"{workgroup} is the name of the gateways and their workgroup"
        yield Finding("PX596", message, f"{_WHERE}.domain", "Another first part, or another workgroup.")


def zone_is_its_own(context: Context) -> Iterator[Finding]:
    """PX595: the zone of the gateways is none that the domain controllers serve."""
    words = words_of(context, Gateways)
    zone = (words.domain or _GIVES_NONE).partition(".")[2].upper()
    if zone and words.smb.security == "ads" and zone == words.smb.realm:
        message = f"the domain controllers of {words.smb.realm} serve the zone {zone.lower()} already"
        yield Finding("PX595", message, f"{_WHERE}.domain", "Enter the A records there, and load no zone of your own.")


RULES = (
    somebody_takes_over,
    nobody_measured_gateways,
    clients_are_apart,
    router_keeps_its_address,
    exports_are_apart,
    name_fits_netbios,
    name_is_no_workgroup,
    zone_is_its_own,
)
EXACT = (cluster_as_requested,)
