"""Lustre: a target on every volume, each with the servers that may serve it; MGT, MDTs and OSTs in this order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import count

from pixsize.arrays.build import server_orders
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import ArrayDesign, PoolDesign
from pixsize.catalog.fabrics import FabricChoice
from pixsize.catalog.records import Limit
from pixsize.findings import Finding
from pixsize.plan.networks import DeviceNetwork
from pixsize.plan.orders import (
    ArrayOrder,
    BuiltStorage,
    Modules,
    Order,
    PoolOrder,
    PoolVolume,
    SmallVolume,
    management,
    module_sizes,
    partners,
    role_servers,
)
from pixsize.plan.records import DiskGroup, Server, Target, Volume
from pixsize.product import terms_of_volume
from pixsize.products.lustre.ldiskfs import Formatter
from pixsize.products.lustre.plan import DNE, SINGLE, LustreFilesystem, LustreServer, LustreTarget, Network
from pixsize.products.lustre.records import LustreRelease, release_for
from pixsize.products.lustre.request import ArrayLustreRequest, LustreRequest, PoolLustreRequest

_MGT_SUFFIX = "mgt01"
_MGS = "MGS"
_KINDS = ("mgt", "mdt", "ost")
"""In the order of the first start (Lustre Operations Manual, Starting Lustre)."""


def client_ports(request: object) -> int:  # noqa: ARG001  the same call for every file system
    """Requests for Lustre have no word for the ports of clients."""
    return 0


def fabric(request: object) -> FabricChoice:  # noqa: ARG001  the same call for every file system
    """Requests for Lustre have no word for the network of the data: it is the design's."""
    return FabricChoice()


def device_network(request: object) -> DeviceNetwork:  # noqa: ARG001  the same call for every file system
    """Requests for Lustre have no network for the management."""
    return DeviceNetwork()


def networks(request: object) -> tuple[()]:  # noqa: ARG001  the same call for every file system
    """None: no step for Lustre sets addresses; the files of LNet have the network that they need."""
    return ()


def order(request: LustreRequest, design: ArrayDesign | PoolDesign, catalog: Catalog) -> Order:
    """The servers, modules and volumes of the request: metadata first, so that numbers stay when the system grows."""
    if isinstance(request, ArrayLustreRequest) and isinstance(design, ArrayDesign):
        return _array_order(request, design, catalog)
    if isinstance(request, PoolLustreRequest) and isinstance(design, PoolDesign):
        return _pool_order(request, design)
    raise TypeError(f"{design.id} is no design for this request")


def variant_of(request: LustreRequest) -> str:
    """The variant of the design: with two MDTs a pair of metadata servers, or one."""
    return DNE if request.metadata.dne else SINGLE


def _array_order(request: ArrayLustreRequest, design: ArrayDesign, catalog: Catalog) -> ArrayOrder:
    mds, variant = request.metadata, variant_of(request)
    sizes = module_sizes(request.design, catalog)
    role, storage = design.metadata, design.storage
    metadata = Modules(
        role="metadata",
        prefix="mm",
        size="mds",
        number=mds.pairs,
        arrays=1,
        enclosures=((role.array, role.layouts[variant]),),
        drive=mds.drive,
        metadata_drive=None,
        chunk_bytes=mds.chunk_bytes,
        servers=role_servers("metadata", role.servers, mds.hosts),
        expansion=False,
        where="metadata",
    )
    modules = [
        Modules(
            role="storage",
            prefix="sm",
            size=entry.size,
            number=entry.count,
            arrays=sizes[entry.size].arrays,
            enclosures=((storage.array, storage.layouts[variant]),),
            drive=entry.data_drive,
            metadata_drive=None,
            chunk_bytes=entry.chunk_bytes,
            servers=role_servers("storage", storage.servers, entry.hosts),
            expansion=False,
            where=f"storage_modules[{index}]",
        )
        for index, entry in enumerate(request.storage_modules)
    ]
    size = catalog.get(Limit, "lustre.mgt_volume").value
    return ArrayOrder(
        modules=(metadata, *modules),
        others=management(design) if request.management == "iml_monitored" else (),
        small_volume=SmallVolume(_MGT_SUFFIX, size) if mds.mgt == "own" else None,
        equal_metadata=True,
        as_made=True,  # mkfs takes the whole device, and a script stops at one of another size than planned
    )


def _pool_order(request: PoolLustreRequest, design: PoolDesign) -> PoolOrder:
    mds, sizes, role = request.metadata, request.pool, design.storage
    volumes = [PoolVolume("mgt", sizes.mgt_bytes or 0, "metadata")] if mds.mgt == "own" else []
    volumes += [PoolVolume(f"mdt{i:04x}", sizes.mdt_bytes, "metadata") for i in range(2 if mds.dne else 1)]
    osts = request.servers * role.targets
    volumes += [PoolVolume(f"ost{i:04x}", sizes.ost_bytes, "data") for i in range(osts)]
    return PoolOrder(
        pool=design.pool,
        domain=design.domain,
        metadata=role_servers("metadata", design.metadata, mds.hosts),
        sharing=role_servers("storage", role.servers, request.hosts),
        others=management(design) if request.management == "iml_monitored" else (),
        takeover=request.failover,
        interface=sizes.network.interface if sizes.network else "",
        drive=request.drive,
        drives=role.drives,
        spare_percent=sizes.spare,
        volumes=tuple(volumes),
    )


def refusals(request: LustreRequest, ordered: Order, catalog: Catalog) -> tuple[Finding, ...]:  # noqa: ARG001
    """Findings when the file system would have more OSTs or MDTs than Lustre allows (`lustre.osts`, `lustre.mdts`)."""
    metadata = _volumes(ordered, "metadata", catalog)
    if isinstance(ordered, PoolOrder):
        mdts, most_osts = metadata - any(v.id == "mgt" for v in ordered.volumes), "servers"
    else:
        storage = [m for m in ordered.modules if m.role == "storage"]
        mdts, most_osts = metadata, f"{max(storage, key=lambda m: m.number * m.arrays).where}.count"
    counts = (
        (_volumes(ordered, "data", catalog), "OSTs", "lustre.osts", most_osts),
        (mdts, "MDTs", "lustre.mdts", "metadata.pairs"),
    )
    found = []
    for total, what, limit_id, where in counts:
        limit = catalog.get(Limit, limit_id).value
        if total > limit:
            message = f"{total:,} {what}; Lustre takes {limit:,} in a file system"
            found.append(Finding("PX530", message, where, "fewer, or a second file system"))
    return tuple(found)


def _volumes(ordered: Order, purpose: str, catalog: Catalog) -> int:
    """How many volumes are ordered for data, or for metadata."""
    if isinstance(ordered, PoolOrder):
        return sum(v.purpose == purpose for v in ordered.volumes)
    return sum(m.groups(catalog, purpose) * m.number for m in ordered.modules)


def settings(request: LustreRequest, design: ArrayDesign | PoolDesign, catalog: Catalog) -> LustreFilesystem:  # noqa: ARG001
    """The file system's own settings, with the release whose sizes and words are used."""
    release, _ = release_for(request.lustre_version, catalog.all(LustreRelease))
    network = request.network
    # `o2ib0` and `o2ib` are one network, and Lustre calls it the latter.
    lnet = re.sub(r"\A(o2ib|tcp)0\Z", r"\1", network.lnet, flags=re.ASCII) if network else ""
    second = request.fencing.second if request.fencing else None
    pool = request.pool.network if isinstance(request, PoolLustreRequest) else None
    return LustreFilesystem(
        name=request.filesystem.name,
        version=request.lustre_version,
        release=release.id,
        dne=request.metadata.dne,
        mgt_own=request.metadata.mgt == "own",
        failover=request.failover if isinstance(request, PoolLustreRequest) else True,
        management=request.management,
        stripe_count=request.filesystem.stripe_count,
        stripe_bytes=request.filesystem.stripe_bytes,
        network=Network(lnet, network.interface, network.configured_by) if network else None,
        storage_interface=pool.interface if pool else "",
        fence_agent=request.fencing.agent if request.fencing else "",
        second_fence_agent=second.agent if second else "",
        sbd_devices=(second.devices or ()) if second else (),
    )


def addressed(request: LustreRequest, filesystem: LustreFilesystem, servers: Iterable[Server]) -> tuple[Server, ...]:
    """The servers with their LNet addresses, those of the storage network, and those of their controllers."""
    pool = request.pool.network if isinstance(request, PoolLustreRequest) else None
    storage = pool.addresses if pool else {}
    nids = request.network.addresses if request.network and filesystem.network else {}
    fencing = request.fencing
    bmcs = fencing.addresses if fencing else {}
    outlets = (fencing.second.outlets or {}) if fencing and fencing.second else {}
    ring = fencing.ring.addresses if fencing and fencing.ring else {}
    lnet = filesystem.network.lnet if filesystem.network else ""
    return tuple(
        s._replace(
            storage_ips=(storage[s.id],) if s.id in storage else (),
            own=LustreServer(
                nids=(f"{nids[s.id]}@{lnet}",) if s.id in nids else (),
                bmc=bmcs.get(s.id, ""),
                outlets=tuple(outlets.get(s.id, ())),
                ring=ring.get(s.id, ""),
            ),
        )
        for s in servers
    )


def targets(
    request: LustreRequest,  # noqa: ARG001  the same call for every file system
    filesystem: LustreFilesystem,
    built: BuiltStorage,
    catalog: Catalog,
) -> tuple[Target, ...]:
    """A target a volume, in the order of their first start: the MGT, the MDTs, the OSTs."""
    orders = _server_orders(filesystem, built)
    groups = {g.id: g for g in built.disk_groups}
    formatter = Formatter(catalog.get(LustreRelease, filesystem.release), mmp=filesystem.failover)
    numbers: dict[str, Iterator[int]] = {"mdt": count(), "ost": count()}
    make = partial(_target, filesystem, orders, groups, formatter, numbers)
    return tuple(make(volume) for volume in sorted(built.volumes, key=lambda v: _KINDS.index(_kind(v))))


def _kind(volume: Volume) -> str:
    """The kind of the target on a volume; the volume of an MGT is known by its name."""
    if volume.purpose == "data":
        return "ost"
    return "mgt" if volume.id == "mgt" or volume.id.endswith(f"_{_MGT_SUFFIX}") else "mdt"


def _target(
    filesystem: LustreFilesystem,
    orders: Mapping[str, tuple[str, ...]],
    groups: Mapping[str, DiskGroup],
    formatter: Formatter,
    numbers: Mapping[str, Iterator[int]],
    volume: Volume,
) -> Target:
    kind = _kind(volume)
    index = None if kind == "mgt" else next(numbers[kind])
    holds_mgs = kind == "mdt" and index == 0 and not filesystem.mgt_own
    return Target(
        id=_MGS if index is None else f"{filesystem.name}-{kind.upper()}{index:04x}",
        kind=kind,
        volume=volume.id,
        device=terms_of_volume(volume).device(volume),
        servers=orders[volume.id],
        purpose=volume.purpose,
        own=LustreTarget(
            index=index,
            mgs=holds_mgs or kind == "mgt",
            ldiskfs=formatter.formatted(kind, holds_mgs, volume.bytes, groups.get(volume.backing)),
        ),
    )


def _server_orders(filesystem: LustreFilesystem, built: BuiltStorage) -> dict[str, tuple[str, ...]]:
    """The servers of each volume, the preferred first; one alone where nothing takes its targets over."""
    metadata = [v for v in built.volumes if v.purpose == "metadata"]
    data = [v for v in built.volumes if v.purpose == "data"]
    if built.modules:
        orders = server_orders(built.modules, built.arrays, data)
        of_module = {m.id: m.servers for m in built.modules}
        pairs = {a.id: of_module[a.module] for a in built.arrays}
    else:
        sharing = [s.id for s in built.servers if s.role == "storage"]
        # As many volumes a server as there are, one after the other, each with its server's partner.
        each, partner = len(data) // len(sharing), partners(sharing)
        orders = {v.id: (sharing[i // each], partner[sharing[i // each]]) for i, v in enumerate(data)}
        pairs = {"": tuple(s.id for s in built.servers if s.role == "metadata")}
    orders |= _metadata_orders(metadata, pairs, filesystem)
    return orders if filesystem.failover else {v: servers[:1] for v, servers in orders.items()}


def _metadata_orders(
    volumes: Iterable[Volume], pairs: Mapping[str, tuple[str, ...]], filesystem: LustreFilesystem
) -> dict[str, tuple[str, ...]]:
    """The servers of each volume for metadata, the preferred first.

    MDTs prefer the servers of their array's pair by turns. An MGT prefers the server that does not serve MDT0000: when
    that one is lost, the MGS can tell clients where MDT0000 has gone. Without failover it is on the server of MDT0000,
    as in the PowerFlex paper (Configuration Summary). `pairs` are the servers by array, or under "" those of a pool.
    """
    orders = {}
    turns: Counter[str] = Counter()
    for volume in volumes:
        pair = pairs[volume.array]
        if _kind(volume) == "mgt":
            offset = int(filesystem.failover)
        elif filesystem.dne:
            offset = turns[volume.array] % len(pair)
            turns[volume.array] += 1
        else:
            offset = 0
        orders[volume.id] = pair[offset:] + pair[:offset]
    return orders
