"""Files of the gateways: CTDB, Samba, NFS, and the name that leads to all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.networks import data_networks
from pixsize.plan.records import Plan, added
from pixsize.products.ctdb.plan import CtdbCluster
from pixsize.products.ctdb.records import SETTINGS, GatewaySettings
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import checked, word

_CIDR = re.compile(r"[0-9.]{7,15}/[0-9]{1,2}")
_PATH = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+")
_SHARE = re.compile(r"[A-Za-z0-9_~][A-Za-z0-9_.~-]*")
_COMMON = ("nodes", "public_addresses", "script.options")
_OF_SMB = ("smb.conf",)
_OF_NFS = {
    "kernel": ("exports", "nfs.conf", "98-nfs-static-ports.conf", "rpc-rquotad"),
    "ganesha": ("ganesha.conf",),
}
_OF_DNS = ("named.conf", "gateways.zone")


def applies(plan: Plan) -> bool:
    """Whether the plan has gateways."""
    return added(plan, CtdbCluster) is not None


def findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:  # noqa: ARG001  the same call for every renderer
    """PX640 where private or public addresses are missing, or the name of the public ones."""
    cluster = added(plan, CtdbCluster)
    return tuple(_missing(plan, cluster))[:1] if cluster else ()


def _missing(plan: Plan, cluster: CtdbCluster) -> Iterator[Finding]:
    if not all(server.address for server in plan.servers if server.id in cluster.gateways):
        hint = "Add network: {subnet: 10.10.0.0/24}."
        yield Finding("PX640", "no address of the gateways on the network of the file system", "gateways", hint)
    if not cluster.public_addresses:
        yield Finding("PX640", "no public addresses of the gateways", "gateways", "Add subnet: 10.40.0.0/24 below it.")
    if not cluster.domain:
        hint = "Add domain: files.example.org below it."
        yield Finding("PX640", "no host name of the public addresses", "gateways", hint)


def own_names(plan: Plan, catalog: Catalog) -> bool:
    """Whether each gateway has a ctdb.conf of its own: on InfiniBand it says which of the nodes it is."""
    return "infiniband" in data_networks(plan, catalog)


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """What lies in /etc of each gateway, and what a DNS server needs; of the protocols that clients use alone."""
    cluster = added(plan, CtdbCluster)
    assert cluster is not None
    values = view(plan, cluster, catalog)
    names = [*_COMMON, *(_OF_SMB if values["smb"] else ()), *_OF_NFS.get(values["nfs"], ())]
    made = [File(f"ctdb/{name}", template.fill(f"ctdb/{name}.j2", values)) for name in names]
    made += [File(f"ctdb/dns/{name}", template.fill(f"ctdb/{name}.j2", values)) for name in _OF_DNS]
    if not own_names(plan, catalog):
        return (*made, _ctdb_conf("ctdb", "", "", values))
    pairs = zip(cluster.gateways, values["nodes"], strict=True)
    return (*made, *(_ctdb_conf(f"ctdb/{word(name)}", word(name), address, values) for name, address in pairs))


def _ctdb_conf(folder: str, gateway: str, address: str, values: dict[str, Any]) -> File:
    text = template.fill("ctdb/ctdb.conf.j2", values | {"gateway": gateway, "address": address})
    return File(f"{folder}/ctdb.conf", text)


def view(plan: Plan, cluster: CtdbCluster, catalog: Catalog) -> dict[str, Any]:
    """What the templates show; every value is one word."""
    settings = catalog.get(GatewaySettings, SETTINGS)
    addresses = {server.id: server.address for server in plan.servers}
    public = [(checked(_CIDR, a.address), word(a.interface)) for a in cluster.public_addresses]
    return {
        "plan": word(plan.name),
        "mount": f"/{word(plan.filesystem.name)}",
        "nodes": [word(addresses[gateway]) for gateway in cluster.gateways],
        "public": [f"{address} {interface}" for address, interface in public],
        "answers": [address.partition("/")[0] for address, _ in public],
        "smb": "smb" in cluster.protocols,
        "nfs": word(cluster.nfs_server) if "nfs" in cluster.protocols else "",
        "exports": [
            {"path": checked(_PATH, e.path), "share": checked(_SHARE, e.share), "id": e.id} for e in cluster.exports
        ],
        "ports": settings.nfs_ports,
        **_names(cluster),
        "first_id": settings.first_id,
        "last_id": settings.first_id + settings.domains * settings.ids_a_domain - 1,
        "ids_a_domain": settings.ids_a_domain,
        "ttl": settings.ttl,
    }


def _names(cluster: CtdbCluster) -> dict[str, str]:
    return {
        "domain": word(cluster.domain),
        "zone": word(cluster.domain.partition(".")[2]),
        "netbios_name": word(cluster.netbios_name),
        "security": word(cluster.smb_security),
        "realm": word(cluster.realm) if cluster.realm else "",
        "workgroup": word(cluster.workgroup) if cluster.workgroup else "",
    }


RENDERER = Renderer(
    name="ctdb",
    summary="CTDB, Samba, NFS and the DNS zone of the gateways",
    needs="the addresses of the gateways, and their name",
    applies=applies,
    files=files,
    findings=findings,
    left_out_for=frozenset({"PX640"}),
)
