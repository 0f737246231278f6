"""IBM Storage Scale (GPFS): an NSD on every volume, failure groups by array, first servers in turn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pixsize.arrays.build import server_orders
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign
from pixsize.catalog.fabrics import FabricChoice
from pixsize.catalog.records import Limit
from pixsize.findings import Finding
from pixsize.plan.networks import DeviceNetwork
from pixsize.plan.orders import AddedVolume, ArrayOrder, BuiltStorage, Modules, management, module_sizes, role_servers
from pixsize.plan.records import Array, Network, Server, Target, Volume, same_host
from pixsize.product import exporting_roles, needed_by, terms_of_volume
from pixsize.products.scale.plan import (
    HDMD,
    MIGRATION,
    STANDARD,
    SYSTEM_POOL,
    Client,
    Cluster,
    Nsd,
    ScaleFilesystem,
    ScaleServer,
    Services,
    Site,
)
from pixsize.products.scale.quorum import MANAGEMENT, ROLES, pairs_of, quorum_nodes
from pixsize.products.scale.request import ClusterWords, Descriptor, Hdmd, ScaleRequest

_ADDRESS = re.compile(r"[0-9.]+", re.ASCII)


class FailureGroups(NamedTuple):
    """The numbers: of each array's data NSDs, and of each metadata volume."""

    data: Mapping[str, int]
    metadata: Mapping[str, int]


def order(request: ScaleRequest, design: ArrayDesign, catalog: Catalog) -> ArrayOrder:
    """The storage modules of a request in its order, then those for high-demand metadata; management comes last."""
    variant = variant_of(request)
    sizes = module_sizes(request.design, catalog)
    array, layout = design.storage, design.storage.layouts[variant]
    modules = [
        Modules(
            role="storage",
            prefix="sm",
            size=entry.size,
            number=entry.count,
            arrays=sizes[entry.size].arrays,
            # The controllers' own enclosure comes first: expansions are numbered behind it.
            enclosures=((array.array, layout), *([(array.expansion, layout)] if entry.expansion else [])),
            drive=entry.data_drive,
            metadata_drive=None if request.hdmd else entry.metadata_drive,
            chunk_bytes=entry.chunk_bytes,
            servers=role_servers("storage", design.storage.servers, entry.hosts),
            expansion=entry.expansion,
            where=f"storage_modules[{index}]",
        )
        for index, entry in enumerate(request.storage_modules)
    ]
    if request.hdmd is not None:
        modules.append(_hdmd(request.hdmd, design, variant))
    return ArrayOrder(tuple(modules), management(design))


def variant_of(request: ScaleRequest) -> str:
    """The variant of the design: where its metadata lies."""
    return STANDARD if request.hdmd is None else HDMD


def _hdmd(hdmd: Hdmd, design: ArrayDesign, variant: str) -> Modules:
    role = design.metadata
    return Modules(
        role="metadata",
        prefix="hm",
        size=HDMD,
        number=hdmd.modules,
        arrays=hdmd.arrays,
        enclosures=((role.array, role.layouts[variant]),),
        drive=hdmd.drive,
        metadata_drive=None,
        chunk_bytes=0,
        servers=role_servers("metadata", role.servers, hdmd.hosts),
        expansion=False,
        where="hdmd",
    )


def refusals(request: ScaleRequest, ordered: ArrayOrder, catalog: Catalog) -> tuple[Finding, ...]:
    """A finding when the file system would have more NSDs than GPFS allows (limit record `scale.nsds`)."""
    limit = catalog.get(Limit, "scale.nsds").value
    each = [m.groups(catalog) for m in ordered.modules]
    total = sum(n * m.number for n, m in zip(each, ordered.modules, strict=True))
    total += request.filesystem.descriptor is not None
    if total <= limit:
        return ()
    storage = [i for i, m in enumerate(ordered.modules) if m.role == "storage"]
    largest = max(storage, key=lambda i: each[i] * ordered.modules[i].number)
    fits = ordered.modules[largest].number - -(-(total - limit) // each[largest])
    hint = f"count: {fits} fits" if fits > 0 else "fewer modules, or a second file system"
    message = f"{total:,} NSDs; IBM Storage Scale allows {limit:,} in a file system"
    return (Finding("PX509", message, f"{ordered.modules[largest].where}.count", hint),)


def settings(request: ScaleRequest, design: ArrayDesign, catalog: Catalog) -> ScaleFilesystem:  # noqa: ARG001
    """The file system's own settings. It is made for programs that move files where an addition is one of these."""
    requested = request.filesystem
    return ScaleFilesystem(
        name=requested.name,
        block_bytes=requested.block_bytes,
        inode_bytes=requested.inode_bytes,
        metadata_replicas=requested.metadata_replicas,
        data_pool=design.data_pool,
        failure_groups=requested.failure_groups,
        cluster=_cluster(request, design),
        dmapi=MIGRATION in needed_by(request, design),
        site=_site(request),
        clients=_clients(request),
        services=_services(request, design),
    )


def _cluster(request: ScaleRequest, design: ArrayDesign) -> Cluster:
    """The cluster: its admin node is the first management server, or the first server where there is none."""
    words = request.cluster or ClusterWords.model_validate({})
    managers = [host for servers in management(design) for host in servers.hosts]
    return Cluster(
        name=words.name or request.name,
        admin=words.admin or (*managers, *request.storage_modules[0].hosts)[0],
        remote_shell=words.remote_shell,
        remote_copy=words.remote_copy,
    )


def _clients(request: ScaleRequest) -> tuple[Client, ...]:
    """The clients, each with its address."""
    words = request.cluster.clients if request.cluster else None
    addresses = request.network.addresses if request.network else {}
    return tuple(Client(host, addresses.get(host, "")) for host in words.hosts) if words else ()


def _services(request: ScaleRequest, design: ArrayDesign) -> Services | None:
    """Search and monitoring lie on all management servers (Dell PixStor 6 white paper, System Design)."""
    words = request.management
    hosts = tuple(host for servers in management(design) for host in servers.hosts)
    found = Services(hosts if words.search else (), hosts if words.monitoring else ()) if words else Services()
    return found if any(found) else None


def _site(request: ScaleRequest) -> Site | None:
    """What the request says of the site; None where that is nothing."""
    network = request.network
    site = Site(network.domain or "", network.ntp, network.dns) if network else Site()
    return site if any(site) else None


def addressed(request: ScaleRequest, filesystem: ScaleFilesystem, servers: Iterable[Server]) -> tuple[Server, ...]:  # noqa: ARG001
    """The servers with their addresses on the networks that the request has, as nodes of GPFS."""
    network, nodes = request.network, tuple(servers)
    addresses = network.addresses if network else {}
    managed = network.management.addresses if network and network.management else {}
    bmcs = network.bmc.addresses if network and network.bmc else {}
    voters = quorum_nodes(pairs_of(nodes), {s.module or s.role: s.role for s in nodes if s.role in ROLES})
    helper = request.filesystem.descriptor.server if request.filesystem.descriptor else ""
    made = {s.id: _node(s, s.id in voters, same_host(s.id, helper)) for s in nodes}
    return tuple(
        s._replace(
            address=addresses.get(s.id, ""),
            own=made[s.id]._replace(management=managed.get(s.id, ""), bmc=bmcs.get(s.id, "")),
        )
        for s in nodes
    )


def _node(server: Server, votes: bool, serves_descriptor: bool) -> ScaleServer:
    """A server as a node of GPFS.

    A server licence is for those that serve NSDs, vote, manage, or export files (IBM Storage Scale documentation,
    mmchlicense).
    """
    manages = votes or server.role == MANAGEMENT
    serves = server.role in exporting_roles().union(ROLES) or serves_descriptor
    return ScaleServer(
        quorum=votes,
        manager=manages,
        licence="server" if serves or manages else "client",
        node_class=f"{server.role}_servers",
    )


def client_ports(request: ScaleRequest) -> int:
    """The ports of clients that the request wants the switches to hold."""
    return request.network.client_ports if request.network else len(_clients(request))


def fabric(request: ScaleRequest) -> FabricChoice:
    """The network of the data that the request chooses, and whose its switches are."""
    words = request.network
    return FabricChoice(words.fabric or "", words.link or "", words.switches == "customer") if words else FabricChoice()


def device_network(request: ScaleRequest) -> DeviceNetwork:
    """The network for the management, where the request has its subnet; a router and hosts of the site may be in it."""
    from ipaddress import IPv4Address, IPv4Network

    network = request.network
    words = network.management if network else None
    if network is None or words is None or not words.subnet:
        return DeviceNetwork()
    subnet = IPv4Network(words.subnet)
    hosts = (*network.ntp, *network.dns, words.router or "")
    others = frozenset(host for host in hosts if _ADDRESS.fullmatch(host))
    inside = frozenset(host for host in others if IPv4Address(host) in subnet)
    return DeviceNetwork("network.management.subnet", words.subnet, frozenset(words.addresses.values()), inside)


def networks(request: ScaleRequest) -> tuple[Network, ...]:
    """The networks of the daemons, the management and the controllers, as far as the request has their subnets."""
    words = request.network
    if words is None:
        return ()
    every = (("data", words), ("management", words.management), ("bmc", words.bmc))
    return tuple(Network(role, n.subnet, n.router or "") for role, n in every if n and n.subnet)


def targets(
    request: ScaleRequest, filesystem: ScaleFilesystem, built: BuiltStorage, catalog: Catalog
) -> tuple[Target, ...]:
    """One NSD a volume, in the order of the volumes, and the descOnly NSD where one was asked for.

    Volumes of additions come behind those of the design, each with the servers and the pool that it was made for.

    Metadata NSDs lie in `system` as metadataOnly, data NSDs in a pool of their own as dataOnly (IBM Storage Scale
    documentation, mmcrnsd).
    """
    last = catalog.get(Limit, "scale.failure_group_max").value
    descriptor = request.filesystem.descriptor
    final = last - (descriptor is not None)
    groups = failure_groups(built.arrays, built.volumes, filesystem.failure_groups, catalog, final)
    servers = server_orders(built.modules, built.arrays, built.volumes)
    nsds = tuple(_nsd(volume, servers[volume.id], groups, filesystem.data_pool) for volume in built.volumes)
    nsds += added_nsds(built.added, catalog.get(Limit, "scale.first_added_failure_group").value)
    return nsds if descriptor is None else (*nsds, _descriptor(descriptor, last))


def added_nsds(volumes: Sequence[AddedVolume], first: int) -> tuple[Target, ...]:
    """The NSDs on volumes of additions: what fails as one has a failure group, counted from `first`."""
    numbers = {backing: first + n for n, backing in enumerate(dict.fromkeys(a.volume.backing for a in volumes))}
    return tuple(
        Target(
            id=added.volume.id,
            kind="nsd",
            volume=added.volume.id,
            device=added.device,
            servers=added.servers,
            purpose=added.volume.purpose,
            own=Nsd(usage="dataOnly", pool=added.pool, failure_group=numbers[added.volume.backing]),
        )
        for added in volumes
    )


def failure_groups(
    arrays: Sequence[Array], volumes: Sequence[Volume], choice: str, catalog: Catalog, last: int
) -> FailureGroups:
    """The failure-group numbers: the array is the fault domain, an expansion belongs to its array.

    Arrays are numbered over the whole file system. Where arrays hold both uses, one number serves both; elsewhere data
    arrays begin at a number of their own, far enough from the metadata arrays that either can grow without
    renumbering. Numbers of data arrays begin again when they run out: with one data replica that costs nothing, and two
    replicas would still lie in different groups.
    """
    meta_arrays = _holding(arrays, volumes, "metadata")
    data_arrays = _holding(arrays, volumes, "data")
    meta_numbers = {a: 1 + i % 2 if choice == "sides" else 1 + i for i, a in enumerate(meta_arrays)}
    metadata = _metadata_numbers(volumes, meta_numbers)
    if set(data_arrays) <= set(meta_arrays):
        return FailureGroups({a: meta_numbers[a] for a in data_arrays}, metadata)
    first = max(catalog.get(Limit, "scale.first_data_failure_group").value, max(metadata.values(), default=0) + 1)
    available = max(last - first + 1, 1)
    return FailureGroups({a: first + i % available for i, a in enumerate(data_arrays)}, metadata)


def _holding(arrays: Iterable[Array], volumes: Iterable[Volume], purpose: str) -> list[str]:
    holders = {v.array for v in volumes if v.purpose == purpose}
    return [a.id for a in arrays if a.id in holders]


def _metadata_numbers(volumes: Iterable[Volume], numbers: Mapping[str, int]) -> dict[str, int]:
    """The number of each metadata volume; a lone array's volumes are halved, so that two replicas have two groups."""
    metadata = [v for v in volumes if v.purpose == "metadata"]
    if len(numbers) == 1:
        half = (len(metadata) + 1) // 2
        return {v.id: 1 + (i >= half) for i, v in enumerate(metadata)}
    return {v.id: numbers[v.array] for v in metadata}


def _nsd(volume: Volume, servers: tuple[str, ...], groups: FailureGroups, data_pool: str) -> Target:
    is_data = volume.purpose == "data"
    return Target(
        id=volume.id,
        kind="nsd",
        volume=volume.id,
        device=terms_of_volume(volume).device(volume),
        servers=servers,
        purpose=volume.purpose,
        own=Nsd(
            usage="dataOnly" if is_data else "metadataOnly",
            pool=data_pool if is_data else SYSTEM_POOL,
            failure_group=groups.data[volume.array] if is_data else groups.metadata[volume.id],
        ),
    )


def _descriptor(descriptor: Descriptor, number: int) -> Target:
    """A descOnly NSD lies in the system pool (IBM Storage Scale, message 6027-2636), in the last group, alone."""
    return Target(
        id="desc01",
        kind="nsd",
        volume=None,
        device=descriptor.device,
        servers=(descriptor.server,),
        purpose="descriptor",
        own=Nsd(usage="descOnly", pool=SYSTEM_POOL, failure_group=number),
    )
