"""What every server knows of the others: names, time, sets of nodes; and an inventory for Ansible."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Address
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.load.names import LONGEST_HOST, LONGEST_LABEL
from pixsize.plan.naming import ENDINGS, names_on
from pixsize.plan.networks import devices_of
from pixsize.plan.records import Plan, Server, Target
from pixsize.products.scale.plan import CLIENT, Client, ScaleFilesystem, Site, nsd_of, scale, server_of
from pixsize.products.scale.quorum import ROLES
from pixsize.products.scale.render.cluster import outside
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import binary_size, checked, comma_list, device, name, word

_FILES = ("hosts", "chrony.conf", "genders", "inventory.yaml")
_RESOLVER = "resolv.conf"
_GROUPS = frozenset({"all", "ungrouped"})
"""Names that Ansible gives to groups of its own."""
_CLIENTS = "client_nodes"
"""The group of the clients: a host may be called like their class, `clients`, and has no `_`."""
_GROUP = re.compile(r"[a-z]+_[A-Za-z0-9_]+")


class Host(NamedTuple):
    """A line of /etc/hosts: an address and its names, the one with the domain first. `where` is the request's word."""

    address: str
    names: tuple[str, ...]
    where: str


def hosts(plan: Plan) -> Iterator[Host]:
    """The addresses of the servers and their names, network by network; then those of controllers and switches."""
    for network in ENDINGS:
        for server in plan.servers:
            address = getattr(server_of(server), network) if network else server.address
            if address:
                names = names_on(network, server.id, _site(plan).domain)
                yield Host(address, names, f"network.{network}" if network else "network")
        for client in scale(plan).clients if not network else ():
            if client.address:
                yield Host(client.address, names_on("", client.name, _site(plan).domain), "network")
    for called, address in devices_of(plan):
        yield Host(address, names_on("", called, _site(plan).domain), "network.management")


def _site(plan: Plan) -> Site:
    return scale(plan).site or Site()


def applies(plan: Plan) -> bool:
    """Whether the plan has servers of this file system."""
    return isinstance(plan.filesystem, ScaleFilesystem) and bool(plan.servers)


def findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:  # noqa: ARG001  the same call for every renderer
    """PX642 to PX644: the first thing that the files lack, or cannot say."""
    return tuple(_missing(plan))[:1] if applies(plan) else ()


def _missing(plan: Plan) -> Iterator[Finding]:
    if not all(server.address for server in plan.servers):
        hint = "Add network: {subnet: 10.10.0.0/24}."
        yield Finding("PX642", "no addresses of the servers on the network of the file system", "", hint)
    elif not _site(plan).ntp:
        yield Finding("PX644", "nobody whom the servers ask for the time", "network", "Add ntp: [ntp.example.org].")
    yield from _ambiguous(plan)


def _ambiguous(plan: Plan) -> Iterator[Finding]:
    """PX643 for a name of two servers, one that is too long, and one that Ansible has for a group of its own."""
    labels = Counter(_label(server) for server in _nodes(plan))
    for label in (label for label, count in labels.items() if count > 1 or label in _GROUPS):
        why = (
            "is a group of Ansible's own"
            if label in _GROUPS
            else f"is the first part of {labels[label]} servers' names"
        )
        yield Finding("PX643", f"{label} {why}", "", "Rename them.")
    owners: dict[str, str] = {}
    for host in hosts(plan):
        for found in host.names:
            if len(found) > LONGEST_HOST or max(map(len, found.split("."))) > LONGEST_LABEL:
                message = f"{found} is longer than a name can be ({LONGEST_HOST}, a part {LONGEST_LABEL} characters)"
                yield Finding("PX643", message, host.where, "Shorter names of the servers.")
            elif owners.setdefault(found.lower(), host.address) != host.address:
                message = f"{found} would be {owners[found.lower()]} and {host.address}"
                yield Finding("PX643", message, host.where, "Rename the server that is called like this.")


def _label(server: str) -> str:
    return server.partition(".")[0].lower()


def _nodes(plan: Plan) -> tuple[str, ...]:
    """All nodes of the cluster: the servers of the plan, others that hold a descriptor, and the clients."""
    clients = (client.name for client in scale(plan).clients)
    return (*(server.id for server in plan.servers), *outside(plan), *clients)


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:  # noqa: ARG001  the same call for every renderer
    """The files of every server; that of the name servers where the request has some."""
    values = view(plan)
    named = (*_FILES, *((_RESOLVER,) if values["dns"] else ()))
    return tuple(File(f"hosts/{file}", template.fill(f"hosts/{file}.j2", values)) for file in named)


def view(plan: Plan) -> dict[str, Any]:
    """What the templates show; every value is one word."""
    site = _site(plan)
    lines = [(str(IPv4Address(h.address)), " ".join(map(word, h.names))) for h in hosts(plan)]
    return {
        "plan": word(plan.name),
        "cluster": word(scale(plan).cluster.name),
        "domain": word(site.domain) if site.domain else "",
        "hosts": [f"{address:<16}{names}" for address, names in lines],
        "devices": bool(devices_of(plan)),
        "outside": [word(server) for server in outside(plan)],
        "ntp": [word(server) for server in site.ntp],
        "dns": [str(IPv4Address(server)) for server in site.dns],
        "genders": [*(_gender(server, plan) for server in plan.servers), *map(_gender_of_client, scale(plan).clients)],
        "outside_genders": [word(server).partition(".")[0] for server in outside(plan)],
        "nodes": [
            *(_node(server, plan) for server in plan.servers),
            *map(_other, outside(plan)),
            *(_other(client.name, client.address) for client in scale(plan).clients),
        ],
        "groups": [{"name": checked(_GROUP, g), "nodes": nodes} for g, nodes in _groups(plan).items()],
        "storage": _storage(plan),
    }


def _pair(server: Server, plan: Plan) -> str:
    """What a server fails together with: its module, the management, or what the volumes lie on that it serves with
    others; empty for what products add beside.
    """
    if server.role in ROLES:
        return server.module or server.role
    volumes = {target.volume for target in plan.targets if server.id in target.servers}
    return next((volume.backing for volume in plan.volumes if volume.id in volumes), "")


def _gender(server: Server, plan: Plan) -> str:
    """A line of genders: the name without its domain, then what the server is."""
    own, pair = server_of(server), _pair(server, plan)
    said = [f"role={word(server.role)}", *([f"pair={word(pair)}"] if pair else [])]
    said += [what for what, true in (("quorum", own.quorum), ("manager", own.manager)) if true]
    return f"{word(server.id).partition('.')[0]} node,{','.join(said)}"


def _gender_of_client(client: Client) -> str:
    return f"{word(client.name).partition('.')[0]} node,role={CLIENT}"


def _node(server: Server, plan: Plan) -> dict[str, Any]:
    own = server_of(server)
    return {
        "name": word(server.id),
        "address": str(IPv4Address(own.management or server.address)),
        "quorum": _boolean(own.quorum),
        "manager": _boolean(own.manager),
        "admin": _boolean(server.id == scale(plan).cluster.admin),
    }


def _other(server: str, address: str = "") -> dict[str, Any]:
    """A node that is no server of the plan: a client; or it serves a descriptor, and is reached by its name."""
    shown = str(IPv4Address(address)) if address else ""
    return {"name": word(server), "address": shown, "quorum": "false", "manager": "false", "admin": "false"}


def _boolean(true: bool) -> str:
    return "true" if true else "false"


def _groups(plan: Plan) -> Mapping[str, Sequence[str]]:
    """The groups of the inventory: roles, pairs, quorum nodes and managers. No host is called so: none has a `_`."""
    groups: dict[str, list[str]] = {}
    for server in plan.servers:
        own, pair = server_of(server), _pair(server, plan)
        of = [own.node_class, f"pair_{pair}" if pair else ""]
        of += ["quorum_nodes" if own.quorum else "", "manager_nodes" if own.manager else ""]
        for group in filter(None, of):
            groups.setdefault(group, []).append(word(server.id))
    clients = [word(client.name) for client in scale(plan).clients]
    return groups | ({_CLIENTS: clients} if clients else {})


def _storage(plan: Plan) -> dict[str, Any]:
    """The file system in the words of IBM's roles, as `cluster` and `stanzas` make it."""
    filesystem = scale(plan)
    return {
        "filesystem": word(filesystem.name),
        "blockSize": binary_size(filesystem.block_bytes),
        "metadata_replicas": filesystem.metadata_replicas,
        "max_metadata_replicas": max(filesystem.metadata_replicas, 2),
        "disks": [_disk(target) for target in plan.targets],
    }


def _disk(target: Target) -> dict[str, Any]:
    return {
        "device": device(target.device),
        "nsd": name(target.id),
        "servers": comma_list(target.servers),
        "failureGroup": nsd_of(target).failure_group,
        "usage": word(nsd_of(target).usage),
        "pool": word(nsd_of(target).pool),
    }


RENDERER = Renderer(
    name="hosts",
    summary="names, time and node sets of the servers, and an inventory for Ansible",
    needs="the addresses of the servers (network), and whom they ask for the time (network.ntp)",
    applies=applies,
    files=files,
    findings=findings,
    left_out_for=frozenset({"PX642", "PX643", "PX644"}),
)
