"""How targets and clients are mounted by hand: lines for fstab, a script a server, and the order of start and stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.records import Plan, Server, Target
from pixsize.product import volume_terms
from pixsize.products.lustre.plan import LustreFilesystem, lustre, target_of
from pixsize.products.lustre.records import LustreRelease
from pixsize.products.lustre.render.shared import (
    TARGET_AGENTS,
    lacking,
    lnet_ports,
    mgs_nids,
    mount_options,
    mount_point,
    starts,
    stops,
    storage_ports,
)
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import clients_name, device, word


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """For each server lines of fstab and a script, for the clients a line of fstab, and the order of it all."""
    served: dict[str, list[Target]] = {}
    for target in plan.targets:
        for server in target.servers:
            served.setdefault(server, []).append(target)
    clients = clients_name(s.id for s in plan.servers)
    network = lustre(plan).network
    client = {
        "fsname": word(lustre(plan).name),
        "mgs": mgs_nids(plan),
        "clients": clients,
        # With options of modprobe the service `lnet` is off, and must not be started.
        "waits": network is not None and network.owner == "lnet_conf",
    }
    return (
        *(file for s in plan.servers if s.id in served for file in _server_files(plan, s, served[s.id])),
        File(f"mount/{clients}.fstab", template.fill("mount/clients.fstab.j2", client)),
        File(
            "mount/README.md",
            template.fill("mount/README.md.j2", client | _prerequisites(plan, catalog) | _run_book(plan, catalog)),
        ),
    )


def _server_files(plan: Plan, server: Server, targets: Iterable[Target]) -> Iterator[File]:
    rows = [_row(t, server) for t in targets]
    shared = {"fsname": word(lustre(plan).name), "failover": lustre(plan).failover}
    view = shared | {"server": word(server.id), "targets": rows}
    path = f"mount/{word(server.id)}"
    yield File(f"{path}.fstab", template.fill("mount/server.fstab.j2", view))
    yield File(f"{path}.sh", template.fill("mount/server.sh.j2", view), executable=True)


def _row(target: Target, server: Server) -> dict[str, Any]:
    options = mount_options(target)
    return {
        "kind": word(target.kind),
        "label": word(target.id),
        "device": device(target.device),
        "folder": mount_point(target),
        "fstab": ",".join(filter(None, ("defaults", "_netdev", "noauto", options))),
        "options": options or "defaults",
        "whose": "own" if target.servers[0] == server.id else "other",
        "others": [word(s) for s in target.servers if s != server.id],
    }


def _prerequisites(plan: Plan, catalog: Catalog) -> dict[str, Any]:
    """What has to be in order before the first mount: who the MDS are, and which ports are used."""
    network = lustre(plan).network
    return {
        "mdses": [word(s.id) for s in plan.servers if s.role == "metadata"],
        "lnet": word(network.lnet) if network else "",
        "interface": word(network.interface) if network else "",
        "tcp": network is not None and network.lnet.startswith("tcp"),
        "lnet_ports": lnet_ports(catalog),
        "storage_network": f"the network of {volume_terms(plan).name}",
        "storage_ports": storage_ports(plan, catalog),
    }


def _run_book(plan: Plan, catalog: Catalog) -> dict[str, Any]:
    """The order of start and of stop: a row a server and kind of target, and the OSS together."""
    agent = catalog.get(LustreRelease, lustre(plan).release).agent
    first_starts, last_stops = starts(plan), stops(plan)
    first = next(t for t in plan.targets if t.kind == "mdt")
    return {
        "starts": [_step(kind, server) for kind, server in first_starts if kind != "ost"],
        "stops": [_step(kind, server) for kind, server in last_stops if kind == "mdt"],
        "lasts": [_step(kind, server) for kind, server in last_stops if kind == "mgt"],
        "osses": [word(server) for kind, server in first_starts if kind == "ost"],
        "combined": [word(first.id)] if target_of(first).mgs else [],
        "failover": lustre(plan).failover,
        "without_options": [agent] if lustre(plan).failover and not TARGET_AGENTS[agent].options else [],
        "limits": sorted({o for t in plan.targets if (o := mount_options(t))}),
        "example": word(next(t.id for t in plan.targets if t.kind == "ost")),
    }


def _step(kind: str, server: str) -> dict[str, str]:
    return {"kind": word(kind), "server": word(server)}


def _applies(plan: Plan) -> bool:
    return isinstance(plan.filesystem, LustreFilesystem) and not any(lacking(plan))


def _findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:  # noqa: ARG001
    return tuple(lacking(plan))


RENDERER = Renderer(
    name="mount",
    summary="fstab lines and mount scripts for servers and clients, with the order of start and stop",
    needs="`network` in the request, and in a pool the replies about its volumes in --observed",
    applies=_applies,
    findings=_findings,
    files=files,
)
