"""A Lustre plan against its request: settings, the number and the size of volumes, and volumes that exist already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import cast

from pixsize import units
from pixsize.arrays.rules.observed_drives import read_at
from pixsize.catalog.designs import PoolDesign
from pixsize.catalog.records import Record
from pixsize.check.context import Context, Hit, Stack, capacity, grouped
from pixsize.check.rules import MATCHES_REQUEST, modules
from pixsize.expected import Expected, ExpectedModules, ExpectedPool
from pixsize.findings import About, Finding
from pixsize.plan.records import Plan, Purpose, Target
from pixsize.products.lustre.plan import DNE, SINGLE, Network, lustre
from pixsize.products.lustre.records import LustreRelease
from pixsize.products.lustre.request import ArrayLustreRequest, LustreRequest, PoolLustreRequest

_UNUSED_SHARE = Fraction(25, 1000)
"""No rounding leaves more than this of a group, nor does the planned margin: arrays keep 1 to 3 % of what is sold."""


def request_of(context: Context) -> LustreRequest:
    """The request, as this product has it."""
    return cast("LustreRequest", context.request)


def pool_request(context: Context) -> PoolLustreRequest:
    """The request, where the volumes lie in a pool."""
    return cast("PoolLustreRequest", context.request)


def pool_design(context: Context) -> PoolDesign:
    """The design, where the volumes lie in a pool."""
    return context.catalog.get(PoolDesign, context.request.design)


def lnet_of(word: str) -> str:
    """How Lustre itself calls a network: the first of its kind goes without a number, `o2ib0` is `o2ib`."""
    return re.sub(r"\A(o2ib|tcp)0\Z", r"\1", word, flags=re.ASCII)


def settings_as_requested(context: Context) -> Iterator[Finding]:
    """PX525: release, failover, networks, fencing and default layout are the request's."""
    planned, request = lustre(context.plan), request_of(context)
    network = request.network
    pool = request.pool.network if isinstance(request, PoolLustreRequest) else None
    second = request.fencing.second if request.fencing else None
    settings: tuple[tuple[str, object, object], ...] = (
        ("lustre_version", planned.version, request.lustre_version),
        ("management", planned.management, request.management),
        ("metadata.dne", planned.dne, request.metadata.dne),
        ("metadata.mgt", planned.mgt_own, request.metadata.mgt == "own"),
        ("failover", planned.failover, request.failover if isinstance(request, PoolLustreRequest) else True),
        (
            "network",
            planned.network,
            Network(lnet_of(network.lnet), network.interface, network.configured_by) if network else None,
        ),
        (f"{context.design.volumes}.network.interface", planned.storage_interface, pool.interface if pool else ""),
        ("fencing.agent", planned.fence_agent, request.fencing.agent if request.fencing else ""),
        ("fencing.second.agent", planned.second_fence_agent, second.agent if second else ""),
        ("fencing.second.devices", planned.sbd_devices, (second.devices or ()) if second else ()),
        ("filesystem.name", planned.name, request.filesystem.name),
        ("filesystem.stripe_count", planned.stripe_count, request.filesystem.stripe_count),
        ("filesystem.stripe_size", planned.stripe_bytes, request.filesystem.stripe_bytes),
    )
    hits = (
        (word, f"{word} is {value}, where {expected} was asked for")
        for word, value, expected in settings
        if value != expected
    )
    return grouped("PX525", hits, MATCHES_REQUEST)


def array_volumes(context: Context) -> Iterator[Finding]:
    """PX525: on arrays, each pair has the MDTs asked for; an MGT has the size due, and all MDTs have one size.

    A small group leaves less for an MGT, and volumes that exist are what they are: PX306 says that they are unlike.
    """
    align = context.limit(f"{context.design.volumes}.volume_alignment")
    mgt_bytes = context.limit("lustre.mgt_volume") // align * align
    pairs = sum(expected.number for expected in modules(context) if expected.fields["role"] == "metadata")
    mdts = pairs * (2 if request_of(context).metadata.dne else 1)

    def hits() -> Iterator[Hit]:
        if len(context.of_kind["mdt"]) != mdts:
            yield "metadata.dne", f"{len(context.of_kind['mdt']):,} MDTs, where {mdts:,} were asked for"
        for target in context.of_kind["mgt"]:
            if context.bytes_of(target) != mgt_bytes and not _size_is_given(context, target):
                yield "metadata.mgt", f"{target.id} has {context.bytes_of(target):,} bytes, where {mgt_bytes:,} are due"
        planned = [t for t in context.of_kind["mdt"] if _reported_bytes(context, t) is None]
        if unequal := _unequal((context.bytes_of(t), t) for t in planned):
            yield "metadata", f"MDTs of {unequal}, where all have one size"

    return grouped("PX525", hits(), MATCHES_REQUEST)


def mdts_alike(context: Context) -> Iterator[Finding]:
    """PX306: MDTs that exist as volumes already have one size."""
    sizes = [(size, t) for t in context.of_kind["mdt"] if (size := _reported_bytes(context, t)) is not None]
    if unequal := _unequal(sizes):
        message = f"MDTs of {unequal} exist; files spread evenly fill the smallest first"
        arrays = dict.fromkeys(context.volumes[t.volume or ""].array for size, t in sizes if size)
        about = tuple(About(array, "volume", message) for array in arrays)
        yield Finding("PX306", message, "metadata", "make the volumes anew, all of one size", about=about)


def _unequal(sizes: Iterable[tuple[int, Target]]) -> str:
    """The two smallest sizes, each with the first target that has it; empty where all targets have one size."""
    first: dict[int, str] = {}
    for size, target in sizes:
        first.setdefault(size, target.id)
    texts = [f"{size:,} bytes ({name})" for size, name in sorted(first.items())[:2]]
    return " and ".join(texts) if len(texts) > 1 else ""


def _reported_bytes(context: Context, target: Target) -> int | None:
    """The size of the volume below a target, where it exists."""
    volume = context.volumes.get(target.volume or "")
    return volume.reported_bytes if volume else None


def _size_is_given(context: Context, target: Target) -> bool:
    """Whether the size of a target follows from a reported volume or group, and was not chosen by pixsize."""
    volume = context.volumes.get(target.volume or "")
    group = context.groups.get(volume.backing) if volume else None
    if volume is None or volume.reported_bytes is not None:
        return volume is not None
    small = group is not None and group.reported_bytes is not None and group.reported_bytes < group.bytes // 2
    return small and volume.bytes < context.limit("lustre.mgt_volume")


def small_volumes(context: Context) -> Iterator[Finding]:
    """PX306: a volume that exists takes about all that its group has for it.

    An MGT takes what it needs, and an MDT as much as the smallest group of them has.
    """
    possible = {s.target.id: max(s.volume.bytes + _unused_bytes(context, s), 0) for s in context.stacks}
    mdts = [s.target.id for s in context.stacks if s.target.kind == "mdt"]
    possible |= dict.fromkeys(mdts, min((possible[t] for t in mdts), default=0))

    def hits() -> Iterator[Hit]:
        for stack in context.stacks:
            unused = possible[stack.target.id] - stack.volume.bytes
            large = unused > _UNUSED_SHARE * capacity(stack.group)
            if stack.target.kind != "mgt" and large and _is_judged(context, stack):
                yield stack.module.where, About(stack.array.id, "volume", _described(context, stack))

    hint = (
        "a size without a unit in `create volume` counts blocks of 512 bytes; expand volumes before mkfs.lustre, never "
        "after it"
    )
    return grouped("PX306", hits(), "a volume spans its group", hint)


def _is_judged(context: Context, stack: Stack) -> bool:
    """Whether the volume exists, and no other rule judges it, as one does on groups that report no free space."""
    array = context.observed.arrays.get(stack.array.id)
    if array is None or not context.was_made(stack.volume):
        return False
    reported = array.groups.get(stack.group.id)
    return reported is None or reported.free_bytes is not None or stack.group.purpose == "metadata"


def _unused_bytes(context: Context, stack: Stack) -> int:
    """The bytes of a group that its volumes leave: as reported, or else what the planned margin leaves of the group."""
    group = stack.group
    volumes = [context.volumes[v] for v in context.volumes_on[group.id]]
    used = sum(v.bytes for v in volumes)
    array = context.observed.arrays.get(stack.array.id)
    reported = array.groups.get(group.id) if array else None
    if reported is None:
        return int(group.bytes * (1 - context.share(f"{context.family(stack.array.id)}.volume_margin"))) - used
    if reported.free_bytes is None:
        return reported.bytes - used
    # The reply about free space may be older than volumes that the array does not report yet.
    not_made = sum(v.bytes for v in volumes if not context.was_made(v))
    return min(reported.bytes - used, reported.free_bytes - not_made)


def _described(context: Context, stack: Stack) -> str:
    volume, group, array = stack.volume, stack.group, context.observed.arrays[stack.array.id]
    size, unused = units.decimal_bytes(volume.bytes), units.decimal_bytes(_unused_bytes(context, stack))
    free_text = (
        f"and {group.id} has {unused} free" if group.id in array.groups else f"{unused} less than {group.id} has for it"
    )
    return f"{volume.id} has {size}, {free_text}{read_at(array, 'volume', volume.id)}"


def pool_targets(context: Context) -> Iterator[Finding]:
    """PX525: in a pool there are as many MGTs, MDTs and OSTs as asked."""
    metadata = pool_request(context).metadata
    rows = (
        ("mgt", "metadata.mgt", int(metadata.mgt == "own")),
        ("mdt", "metadata.dne", 2 if metadata.dne else 1),
        ("ost", "servers", pool_request(context).servers * pool_design(context).storage.targets),
    )
    hits = (
        (word, f"{len(context.of_kind[kind]):,} {kind.upper()}s, where {count:,} were asked for")
        for kind, word, count in rows
        if len(context.of_kind[kind]) != count
    )
    return grouped("PX525", hits, MATCHES_REQUEST)


_METADATA = "metadata"
"""The path of the request's part for metadata."""


def _modules(request: LustreRequest, sizes: Mapping[str, int]) -> Iterator[ExpectedModules]:
    """The modules that each part of the request makes; a pool has none. `sizes` are the arrays of each size."""
    if not isinstance(request, ArrayLustreRequest):
        return
    fields_of_all: dict[str, object] = {"expansion": False, "metadata_drive": None}
    metadata = request.metadata
    fields: dict[str, object] = {
        "role": "metadata",
        "drive": metadata.drive,
        "chunk_bytes": metadata.chunk_bytes,
        "hosts": metadata.hosts,
    }
    drives: dict[str, tuple[str, str | None]] = {"metadata": ("drive", metadata.drive)}
    yield ExpectedModules(_METADATA, metadata.pairs, "mm", drives, fields | fields_of_all | {"arrays": 1})
    for index, entry in enumerate(request.storage_modules):
        fields = {
            "role": "storage",
            "size": entry.size,
            "drive": entry.data_drive,
            "chunk_bytes": entry.chunk_bytes,
            "hosts": entry.hosts,
            "arrays": sizes[entry.size],
        }
        drives = {"data": ("data_drive", entry.data_drive)}
        yield ExpectedModules(f"storage_modules[{index}]", entry.count, "sm", drives, fields | fields_of_all)


def _variant(request: LustreRequest) -> str:
    return DNE if request.metadata.dne else SINGLE


def _drives(request: LustreRequest) -> Iterator[tuple[str, str]]:
    if isinstance(request, PoolLustreRequest):
        yield "drive", request.drive


def _pool(request: PoolLustreRequest, design: PoolDesign) -> ExpectedPool:
    """What a request asks of the pool. The volumes are for the MGT, the MDTs and the OSTs, in this order."""
    sizes, metadata, network = request.pool, request.metadata, request.network
    mdts, osts = 2 if metadata.dne else 1, request.servers * design.storage.targets
    volumes: list[tuple[str, Purpose]] = [("mgt", "metadata")] if metadata.mgt == "own" else []
    volumes += [(f"mdt{n:04x}", "metadata") for n in range(mdts)]
    volumes += [(f"ost{n:04x}", "data") for n in range(osts)]
    return ExpectedPool(
        words=sizes,
        sharing=request.hosts,
        metadata=metadata.hosts,
        drive=request.drive,
        takeover=request.failover,
        volumes=tuple(volumes),
        sizes={"mgt": sizes.mgt_bytes or 0, "mdt": sizes.mdt_bytes, "ost": sizes.ost_bytes},
        other_addresses=frozenset(network.addresses.values()) if network else frozenset(),
        sharing_at="hosts",
        drive_at="drive",
        takeover_at="failover",
        takeover_word="failover: true",
    )


def _records(plan: Plan) -> Iterator[tuple[str, type[Record], str]]:
    yield plan.filesystem.name, LustreRelease, lustre(plan).release


EXPECTED = Expected(
    modules=_modules,
    variant=_variant,
    metadata=_METADATA,
    managed=lambda request: request.management == "iml_monitored",
    addresses=lambda _: {},
    subnet=lambda _: "",
    # An MGT of its own lies beside the first MDT.
    small_volume=lambda request: ("mgt01", "the MGT") if request.metadata.mgt == "own" else ("", ""),
    drives=_drives,
    pool=_pool,
    records=_records,
)
"""What a request asks for, worked out a second time for the rules that judge a plan."""
