"""IBM Storage Scale (GPFS): an NSD on every volume, failure groups by array, first servers in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Limit
from pixsize.plan.records import Array, Filesystem, Module, Target, Volume
from pixsize.request import Descriptor, Request

SYSTEM_POOL = "system"


class FailureGroups(NamedTuple):
    """The numbers: of each array's data NSDs, and of each metadata volume."""

    data: Mapping[str, int]
    metadata: Mapping[str, int]


def targets(
    request: Request,
    filesystem: Filesystem,
    modules: Iterable[Module],
    arrays: Sequence[Array],
    volumes: Sequence[Volume],
    catalog: Catalog,
) -> tuple[Target, ...]:
    """One NSD a volume, in the order of the volumes, and the descOnly NSD where one was asked for.

    Metadata NSDs lie in `system` as metadataOnly, data NSDs in a pool of their own as dataOnly (IBM Storage Scale
    documentation, mmcrnsd).
    """
    last = catalog.get(Limit, "scale.failure_group_max").value
    descriptor = request.filesystem.descriptor
    groups = failure_groups(arrays, volumes, filesystem.failure_groups, catalog, last - (descriptor is not None))
    servers = server_orders(modules, arrays, volumes)
    nsds = tuple(_nsd(volume, servers[volume.id], groups, filesystem.data_pool) for volume in volumes)
    return nsds if descriptor is None else (*nsds, _descriptor(descriptor, last))


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
    room = max(last - first + 1, 1)
    return FailureGroups({a: first + i % room for i, a in enumerate(data_arrays)}, metadata)


def server_orders(
    modules: Iterable[Module], arrays: Sequence[Array], volumes: Iterable[Volume]
) -> dict[str, tuple[str, ...]]:
    """The servers of each volume, the preferred first.

    Each volume takes the server that serves the fewest volumes of its owner so far in its module and purpose, so that
    server and controller never run in step.
    """
    module_of = {a.id: a.module for a in arrays}
    pairs = {m.id: m.servers for m in modules}
    served: Counter[tuple[str, ...]] = Counter()
    orders = {}
    for volume in volumes:
        key = (module_of[volume.array], volume.purpose)
        pair = pairs[key[0]]
        first = min(pair, key=lambda s: (served[*key, s, volume.owner], served[*key, s], pair.index(s)))
        served.update([(*key, first, volume.owner), (*key, first)])
        turn = pair.index(first)
        orders[volume.id] = pair[turn:] + pair[:turn]
    return orders


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
        device=f"/dev/mapper/{volume.id}",
        servers=servers,
        purpose=volume.purpose,
        usage="dataOnly" if is_data else "metadataOnly",
        pool=data_pool if is_data else SYSTEM_POOL,
        failure_group=groups.data[volume.array] if is_data else groups.metadata[volume.id],
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
        usage="descOnly",
        pool=SYSTEM_POOL,
        failure_group=number,
    )
