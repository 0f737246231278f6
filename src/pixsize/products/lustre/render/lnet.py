"""LNet, set up by one file a server and one for the clients: /etc/lnet.conf, or options of modprobe where asked for."""

from __future__ import annotations

import re
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Switch
from pixsize.findings import Finding
from pixsize.plan.records import Plan, Server
from pixsize.products.lustre.plan import LustreFilesystem, Network, lustre, server_of
from pixsize.products.lustre.render.shared import lacking_addresses, lnet_ports, nid
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import clients_name, word

_LNET = re.compile(r"(?:o2ib|tcp)[0-9]{0,4}")
_RUN_BOOK = "README.md"
_PATHS = {"lnet_conf": ("lnet.conf", "/etc/lnet.conf"), "modprobe": ("lustre.conf", "/etc/modprobe.d/lustre.conf")}
"""By the owner of LNet: the name of its file, and where it goes (Lustre Operations Manual, Configuring LNet)."""


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """A file for each server that has an address on Lustre's network, one for all clients, and a run book."""
    network = _network(plan)
    # ko2iblnd has options of its own for Omni-Path (Lustre source, ko2iblnd.conf).
    omni_path = any(catalog.get(Switch, s.model).network == "omni-path" for s in plan.switches)
    shared = {
        "omni_path": _lnet(network).startswith("o2ib") and omni_path,
        "lnet": _lnet(network),
        "interface": word(network.interface),
    }
    nodes = [(word(s.id), _nids(s, network)) for s in plan.servers if server_of(s).nids]
    clients = clients_name(name for name, _ in nodes)
    run_book = template.fill(f"lnet/{_RUN_BOOK}.j2", shared | _run_book(plan, catalog, network, nodes, clients))
    return (
        *(_file(_folder(name), name, nids, network, shared) for name, nids in nodes),
        _file(clients, "every client", [], network, shared),
        File(f"lnet/{_RUN_BOOK}", run_book),
    )


def _folder(server: str) -> str:
    """The folder of a server's file; a server called like the run book gets another name for it."""
    return f"{server}_" if server == _RUN_BOOK else server


def _file(folder: str, node: str, nids: list[str], network: Network, shared: dict[str, Any]) -> File:
    name, _ = _PATHS[network.owner]
    net = {"type": shared["lnet"], "interface": shared["interface"], "nids": nids}
    view = shared | {"node": node, "nets": [net], "networks": f"{net['type']}({net['interface']})"}
    return File(f"lnet/{folder}/{name}", template.fill(f"lnet/{name}.j2", view))


def _run_book(
    plan: Plan, catalog: Catalog, network: Network, nodes: list[tuple[str, list[str]]], clients: str
) -> dict[str, Any]:
    name, path = _PATHS[network.owner]
    return {
        "fsname": word(lustre(plan).name),
        "file": name,
        "path": path,
        "clients": clients,
        "tcp": _lnet(network).startswith("tcp"),
        "lnet_ports": lnet_ports(catalog),
        "modprobe": network.owner == "modprobe",
        "iml": lustre(plan).management == "iml_monitored",
        "nodes": [{"name": node, "folder": _folder(node), "nids": f", {', '.join(nids)}"} for node, nids in nodes],
        "nids": [one for _, nids in nodes for one in nids],
    }


def _network(plan: Plan) -> Network:
    """Lustre's network; ValueError for a plan without one, for which no file is rendered."""
    network = lustre(plan).network
    if network is None:
        raise ValueError("a plan without a network has no LNet to set up")
    return network


def _lnet(network: Network) -> str:
    """The name of the LNet network, checked: it goes into files that are read as root."""
    if _LNET.fullmatch(network.lnet) is None:
        raise ValueError(f"{network.lnet!r} is no network of LNet")
    return network.lnet


def _nids(server: Server, network: Network) -> list[str]:
    """The addresses of a server; ValueError for one that is not on the network, and for two on its one interface."""
    for address in server_of(server).nids:
        if nid(address).partition("@")[2] != network.lnet:
            raise ValueError(f"{address!r} is no address on {network.lnet}")
    if len(server_of(server).nids) != 1:
        raise ValueError(f"{server.id} has {len(server_of(server).nids)} addresses on one interface")
    return list(server_of(server).nids)


def _applies(plan: Plan) -> bool:
    return isinstance(plan.filesystem, LustreFilesystem) and not any(lacking_addresses(plan))


def _findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:  # noqa: ARG001  the same call for every renderer
    return tuple(lacking_addresses(plan))


RENDERER = Renderer(
    name="lnet",
    summary="LNet of each server and of the clients: lnet.conf, or options of modprobe where asked for",
    needs="the addresses of the servers on Lustre's network (network)",
    applies=_applies,
    findings=_findings,
    files=files,
)
