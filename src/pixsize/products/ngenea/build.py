"""The Ngenea nodes of a plan."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.orders import BuiltAddition, role_servers, servers_of
from pixsize.products.ngenea.plan import NGENEA, ColdTarget, NgeneaNodes, names
from pixsize.products.ngenea.records import NgeneaDesign
from pixsize.products.ngenea.request import Ngenea, NgeneaTarget


def build(words: Ngenea, section: NgeneaDesign, catalog: Catalog) -> BuiltAddition:  # noqa: ARG001  the same call for every product
    """The Ngenea nodes, ng1, ng2 and so on, and their targets."""
    hosts = names(words.count)
    targets = tuple(_target(each) for each in words.targets)
    nodes = NgeneaNodes(hosts, targets, words.subnet or "", words.router or "", words.addresses)
    return BuiltAddition(nodes, tuple(servers_of(role_servers(NGENEA, section.servers, hosts), None)))


def _target(words: NgeneaTarget) -> ColdTarget:
    """A target; its endpoint was judged when the request was loaded."""
    authority = (words.endpoint or "").partition("://")[2].removesuffix("/")
    return ColdTarget(
        name=words.name,
        type=words.type,
        host=authority.partition(":")[0],
        port=words.port,
        scheme=words.scheme or "",
        bucket=words.bucket or "",
        region=words.region or "",
        path=words.path or "",
        credentials_file=words.credentials_file or "",
    )
