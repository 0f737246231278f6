"""The gateways of a plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from zlib import crc32

from pixsize.catalog.catalog import Catalog
from pixsize.plan.orders import BuiltAddition, role_servers, servers_of
from pixsize.products.ctdb.plan import GATEWAY, CtdbCluster, Export, PublicAddress, names
from pixsize.products.ctdb.records import SETTINGS, GatewayDesign, GatewaySettings
from pixsize.products.ctdb.request import Gateways

_IDS = 2**16 - 1
"""Numbers of exports from 1 on: Ganesha has 16 bits for them, and 0 is the root of NFSv4."""


def build(words: Gateways, section: GatewayDesign, catalog: Catalog) -> BuiltAddition:
    """The gateways, gw1, gw2 and so on, and their cluster."""
    settings = catalog.get(GatewaySettings, SETTINGS)
    hosts = names(words.count)
    length = (words.subnet or "").partition("/")[2]
    cluster = CtdbCluster(
        gateways=hosts,
        protocols=tuple(p for p in ("smb", "nfs") if p in words.protocols),
        nfs_server=words.nfs_server,
        domain=words.domain or "",
        public_addresses=tuple(PublicAddress(f"{a}/{length}", words.interface) for a in words.addresses),
        exports=_exports(words.exports, settings),
        netbios_name=_netbios_name(words.domain or "", settings.netbios_chars),
        smb_security=words.smb.security,
        realm=words.smb.realm or "",
        workgroup=words.smb.workgroup or "",
        router=words.router or "",
    )
    return BuiltAddition(cluster, tuple(servers_of(role_servers(GATEWAY, section.servers, hosts), None)))


def _exports(paths: Sequence[str], settings: GatewaySettings) -> tuple[Export, ...]:
    """The exports, each with the number and the name that its path gives it."""
    ends = Counter(_end(path) for path in paths)
    taken: set[int] = set()
    made = []
    for path in paths:
        number = crc32(path.encode()) % _IDS + 1
        while number in taken:
            number = number % _IDS + 1
        taken.add(number)
        alone = ends[_end(path)] == 1 and _end(path) not in settings.reserved_shares
        name = path.rpartition("/")[2] if alone else path[1:].replace("/", "~")
        made.append(Export(path, name if len(name) <= settings.share_chars else f"~{number}", number))
    return tuple(made)


def _end(path: str) -> str:
    """The last folder of a path, in the one case that SMB knows."""
    return path.rpartition("/")[2].lower()


def _netbios_name(domain: str, most: int) -> str:
    """The first part of the host name, as long as a NetBIOS name can be."""
    return domain.partition(".")[0].upper()[:most].rstrip("-")
