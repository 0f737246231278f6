"""The gateways of a plan."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.orders import BuiltAddition, role_servers, servers_of
from pixsize.products.ctdb.plan import GATEWAY, CtdbCluster, PublicAddress
from pixsize.products.ctdb.records import GatewayDesign
from pixsize.products.ctdb.request import Gateways


def build(words: Gateways, section: GatewayDesign, catalog: Catalog) -> BuiltAddition:  # noqa: ARG001  the same call for every product
    """The gateways, gw1, gw2 and so on, and their cluster."""
    hosts = tuple(f"gw{n}" for n in range(1, words.count + 1))
    length = (words.subnet or "").partition("/")[2]
    cluster = CtdbCluster(
        gateways=hosts,
        protocols=tuple(p for p in ("smb", "nfs") if p in words.protocols),
        nfs_server=words.nfs_server,
        domain=words.domain or "",
        public_addresses=tuple(PublicAddress(f"{a}/{length}", words.interface) for a in words.addresses),
        exports=words.exports,
        smb_security=words.smb.security,
        realm=words.smb.realm or "",
        workgroup=words.smb.workgroup or "",
    )
    return BuiltAddition(cluster, tuple(servers_of(role_servers(GATEWAY, section.servers, hosts), None)))
