"""What a plan with gateways must keep: the gateways and the cluster that the request asks for."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.records import Adapter
from pixsize.check.context import Context, Hit, grouped
from pixsize.check.rules import MATCHES_REQUEST
from pixsize.findings import Finding
from pixsize.product import ExpectedServer
from pixsize.products.ctdb.plan import CtdbCluster
from pixsize.products.ctdb.records import GatewayDesign
from pixsize.products.ctdb.request import Gateways
from pixsize.units import show

_WHERE = "gateways"
_GIVES_NONE = ""


def expected(words: Gateways, section: GatewayDesign) -> Iterator[ExpectedServer]:
    """The gateways: as many servers of the design as the request counts."""
    adapters = tuple(sorted(section.servers.adapters.items()))
    for number in range(words.count):
        yield ExpectedServer(f"gw{number + 1}", "gateway", section.servers.model, adapters)


def cluster(context: Context) -> CtdbCluster:
    """The cluster of a plan. TypeError where the plan has none; its class was judged before."""
    for addition in context.plan.additions:
        if isinstance(addition.own, CtdbCluster):
            return addition.own
    raise TypeError("the plan has no gateways")


def words_of(context: Context) -> Gateways:
    """The words of the request. TypeError where it has none."""
    for _, words in context.added:
        if isinstance(words, Gateways):
            return words
    raise TypeError("the request asks for no gateways")


def cluster_as_requested(context: Context) -> Iterator[Finding]:
    """PX525: the cluster is that of the request: its nodes, addresses, folders, and how clients log in."""
    words, found = words_of(context), cluster(context)
    bits = words.subnet.rpartition("/")[2] if words.subnet else _GIVES_NONE
    wanted = (
        ("gateways", tuple(server.id for server in context.added_servers if server.role == "gateway")),
        ("protocols", tuple(sorted(words.protocols, reverse=True))),
        ("nfs_server", words.nfs_server),
        ("domain", words.domain or _GIVES_NONE),
        ("public_addresses", tuple((f"{address}/{bits}", words.interface) for address in words.addresses)),
        ("exports", words.exports),
        ("smb_security", words.smb.security),
        ("realm", words.smb.realm or _GIVES_NONE),
        ("workgroup", words.smb.workgroup or _GIVES_NONE),
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
    if len(cluster(context).gateways) < 2:
        message = "one gateway alone: while it is down, no client of SMB or NFS has access"
        yield Finding("PX580", message, f"{_WHERE}.count", "count: 2")


def nobody_measured_gateways(context: Context) -> Iterator[Finding]:
    """PX581: no document has rates of gateways; what their links to the file system carry is the most there can be."""
    for addition, words in context.added:
        if not isinstance(words, Gateways):
            continue
        (section, *_) = context.catalog.of_design(GatewayDesign, context.design.id)
        ((model, _), *_) = section.servers.adapters.items()
        adapter = context.catalog.get(Adapter, model)
        line, bus = (
            adapter.ports * adapter.lanes * adapter.lane_bytes_per_s,
            adapter.pcie_lanes * adapter.pcie_lane_bytes_per_s,
        )
        each = min(line, bus) * section.links
        one, all_of_them = (show(round(rate), "B/s") for rate in (each, each * words.count))
        message = (
            f"no document has rates of gateways: {section.links} links of a gateway to the file system carry {one} at "
            f"the most, those of {words.count:,} together {all_of_them}"
        )
        yield Finding("PX581", message, addition.word)


RULES = (somebody_takes_over, nobody_measured_gateways)
EXACT = (cluster_as_requested,)
