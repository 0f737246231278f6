"""Rules that compare a plan with its request and with what the design's document sells, suggests and confirms."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import cast

from pixsize import units
from pixsize.arrays.rules.modules import design_of
from pixsize.catalog.fabrics import Chosen, FabricChoice, chosen, told
from pixsize.check.context import Context, Stack, grouped
from pixsize.check.rules import MATCHES_REQUEST
from pixsize.expected import Expected, ExpectedModules
from pixsize.findings import Finding
from pixsize.plan.networks import AGGREGATE, aggregated
from pixsize.plan.records import Module
from pixsize.product import PRODUCTS
from pixsize.products.scale.plan import HDMD, MIGRATION, STANDARD, nsd_of, scale
from pixsize.products.scale.request import ScaleRequest
from pixsize.texts import listed


def request_of(context: Context) -> ScaleRequest:
    """The request, as this product has it."""
    return cast("ScaleRequest", context.request)


def scale_settings(context: Context) -> Iterator[Finding]:
    """PX525: file system and descriptor are the request's."""
    plan, requested = context.plan, request_of(context).filesystem
    nsds = [(t.servers, t.device) for t in plan.targets if nsd_of(t).usage == "descOnly"]
    expected_nsds = [((requested.descriptor.server,), requested.descriptor.device)] if requested.descriptor else []
    pairs: tuple[tuple[str, object, object], ...] = (
        ("filesystem.name", scale(plan).name, requested.name),
        ("filesystem.block_size", scale(plan).block_bytes, requested.block_bytes),
        ("filesystem.inode_size", scale(plan).inode_bytes, requested.inode_bytes),
        ("filesystem.metadata_replicas", scale(plan).metadata_replicas, requested.metadata_replicas),
        ("filesystem.failure_groups", scale(plan).failure_groups, requested.failure_groups),
        ("filesystem.descriptor", nsds, expected_nsds),
    )
    hits = (
        (where, f"{where} is {found}, where {expected} was asked for")
        for where, found, expected in pairs
        if found != expected
    )
    return grouped("PX525", hits, MATCHES_REQUEST)


def made_for_movers(context: Context) -> Iterator[Finding]:
    """PX525: the file system is made for programs that move files where the request adds one, and else is not."""
    words = [addition.word for addition, _ in context.added if PRODUCTS[addition.product].adds_to == MIGRATION]
    if scale(context.plan).dmapi and not words:
        message = "the file system is made with -z yes (DMAPI), and the request adds nothing that moves files"
        yield Finding("PX525", f"{message}; {MATCHES_REQUEST}", "filesystem")
    elif words and not scale(context.plan).dmapi:
        message = "the file system is made without -z yes (DMAPI), and nothing could move files"
        yield Finding("PX525", f"{message}; {MATCHES_REQUEST}", words[0])


def expansion_by_size(context: Context) -> Iterator[Finding]:
    """PX401: expansions stand behind the sizes of module that they are sold for."""
    sold_for = design_of(context).storage.expansion_sold_for
    for index, entry in enumerate(request_of(context).storage_modules):
        if entry.expansion and entry.size not in sold_for:
            expansion = context.enclosure(design_of(context).storage.expansion).title
            message = (
                f"{expansion} behind a {entry.size} module; it is sold for {listed(sold_for)}, and possible for any"
            )
            hint = "ask the vendor, then accept it; or expansion: false"
            yield Finding("PX401", message, f"storage_modules[{index}].expansion", hint)


def arrays_need_a_large(context: Context) -> Iterator[Finding]:
    """PX402: as many metadata arrays as the document names for one size of module only come with such a module."""
    hdmd, role = request_of(context).hdmd, design_of(context).metadata
    if hdmd is None or hdmd.modules * hdmd.arrays < role.arrays_max or _has_the_size(context):
        return
    model = context.enclosure(role.array).title
    spread = f" in {hdmd.modules} HDMD modules" if hdmd.modules > 1 else ""
    sizes = listed(sorted({m.size for m in request_of(context).storage_modules}))
    message = (
        f"{hdmd.modules * hdmd.arrays} {model}{spread}; the document names {role.arrays_max} for "
        f"{role.arrays_max_needs} only, and the modules are {sizes}"
    )
    where = "hdmd.arrays" if hdmd.arrays >= role.arrays_max else "hdmd.modules"
    hint = f"up to {role.arrays_max - 1} arrays in all, or a {role.arrays_max_needs} module"
    yield Finding("PX402", message, where, hint)


def first_module_full(context: Context) -> Iterator[Finding]:
    """PX403: a further HDMD module comes after the first has all its arrays."""
    hdmd, most = request_of(context).hdmd, design_of(context).metadata.arrays_max
    if hdmd is not None and hdmd.modules > 1 and hdmd.arrays < most:
        message = (
            f"{hdmd.modules} HDMD modules of {hdmd.arrays} array{'s' if hdmd.arrays > 1 else ''} each; "
            f"the document suggests {most} in the first before another"
        )
        yield Finding("PX403", message, "hdmd.modules", _fewer_modules(context, hdmd.modules * hdmd.arrays))


def like_data_nsds(context: Context) -> Iterator[Finding]:
    """PX408: all data NSDs share one size and one rate: the same size of module, drives, expansion and chunk."""
    kinds: dict[tuple[object, ...], Module] = {}
    for module in context.plan.modules:
        if module.role == "storage":
            kinds.setdefault((module.size, module.expansion, module.drive, module.chunk_bytes), module)
    if len(kinds) < 2:
        return
    nsds = Counter(_kind(n) for n in context.stacks if n.group.purpose == "data")
    sizes = {_kind(n): n.group.bytes for n in context.stacks if n.group.purpose == "data"}
    chunks = len({m.chunk_bytes for m in kinds.values()}) > 1
    descriptions = {k: _described(m, chunks=chunks) for k, m in kinds.items()}
    parts = [f"{nsds[k]:,} of {units.decimal_bytes(sizes[k])} ({descriptions[k]})" for k in kinds if k in nsds]
    differences = list(kinds.values())[1]
    message = (
        f"pool {scale(context.plan).data_pool} holds unlike NSDs: {listed(parts)}; "
        "GPFS stripes over all of them alike, so the slowest paces the rest"
    )
    hint = "equal modules, or one file system for each kind, in a cluster of its own"
    yield Finding("PX408", message, differences.where, hint)


def like_metadata_nsds(context: Context) -> Iterator[Finding]:
    """PX408: all metadata NSDs have one size."""
    first: dict[int, Stack] = {}
    count: Counter[int] = Counter()
    for nsd in context.stacks:
        if nsd.group.purpose == "metadata":
            first.setdefault(nsd.group.bytes, nsd)
            count[nsd.group.bytes] += 1
    if len(first) < 2:
        return
    parts = listed(f"{count[size]:,} of {units.decimal_bytes(size)}" for size in first)
    differences = list(first.values())[1].module
    where = "hdmd.drive" if differences.role == "metadata" else f"{differences.where}.metadata_drive"
    message = f"the system pool holds unlike NSDs: {parts}; GPFS stripes over all of them alike"
    yield Finding("PX408", message, where, "the same SSDs everywhere")


def like_reported_sizes(context: Context) -> Iterator[Finding]:
    """PX408: NSDs of a pool that stand on like drives have one size, also as the arrays report their groups.

    Groups that no array has reported yet are PX410's, and what else lies in a group is PX304's.
    """
    alike: dict[tuple[str, int], list[Stack]] = defaultdict(list)
    for nsd in context.stacks:
        reported = nsd.group.reported_bytes
        if reported is not None and not _differ(nsd.volume.bytes, reported):
            alike[nsd_of(nsd.target).pool, nsd.group.bytes].append(nsd)
    for (pool, _), nsds in alike.items():
        usual = sorted(n.volume.bytes for n in nsds)[len(nsds) // 2]
        odd = [n for n in nsds if _differ(n.volume.bytes, usual)]
        if odd:
            more = f" and {len(odd) - 1:,} more" if len(odd) > 1 else ""
            first = f"{odd[0].volume.id} of {units.decimal_bytes(odd[0].volume.bytes)}{more}"
            rest = f"{len(nsds) - len(odd):,} of {units.decimal_bytes(usual)}"
            message = f"pool {pool} holds unlike NSDs: {first}, beside {rest}; GPFS stripes over all of them alike"
            commands = context.volume_terms.commands
            hint = f"compare `{commands['groups']}` and `{commands['disks']}`: groups of equal drives have one size"
            yield Finding("PX408", message, odd[0].module.where, hint)


def _measured_adapters(context: Context) -> Iterator[str]:
    """The adapters on the networks that measurements of the design name."""
    catalog, design = context.catalog, context.described
    for record in catalog.ids("measurement"):
        system = catalog.raw[record].get("system") or {}
        choice = FabricChoice(system.get("fabric", ""), system.get("link", ""))
        if choice != FabricChoice() and catalog.id_of(system["design"]) == design.id:
            found = chosen(design, choice)
            yield from (found.link.adapter,) if found else ()


def unmeasured_network(context: Context) -> Iterator[Finding]:
    """PX632: nobody measured the network; all shipped measurements are over the design's own at its full rate."""
    fabrics, wanted = context.described.fabrics, chosen(context.described, context.fabric_choice)
    if wanted is None or wanted.link.adapter in {fabrics[0].links[0].adapter, *_measured_adapters(context)}:
        return
    own, word = Chosen(fabrics[0], fabrics[0].links[0]), "link" if context.fabric_choice.link else "fabric"
    message = f"nobody measured {told(wanted)}: the rates are those over {told(own)}, with a lower low end"
    if aggregated(context.plan, context.catalog):
        message += f", and all links of a server count, {AGGREGATE}"
    yield Finding("PX632", message, f"network.{word}", "`pixsize explain` names the step")


RULES = (
    made_for_movers,
    expansion_by_size,
    arrays_need_a_large,
    first_module_full,
    like_data_nsds,
    like_metadata_nsds,
    like_reported_sizes,
    unmeasured_network,
)
_TOLERANCE = 200
"""Sizes that differ by more than one part in so many are unlike: groups of like drives differ by a few MiB."""


def _differ(one: int, other: int) -> bool:
    return abs(one - other) * _TOLERANCE > max(one, other)


def _has_the_size(context: Context) -> bool:
    """Whether a module has the size that the document names the most metadata arrays for."""
    return design_of(context).metadata.arrays_max_needs in {m.size for m in request_of(context).storage_modules}


def _fewer_modules(context: Context, total: int) -> str:
    """A hint: as many arrays in fewer modules, or fewer arrays where no module of the required size is planned."""
    role = design_of(context).metadata
    if total < role.arrays_max or _has_the_size(context):
        return f"modules: {-(-total // role.arrays_max)} and arrays: {min(role.arrays_max, total)}"
    return f"modules: 1 and arrays: {role.arrays_max - 1}; more are named for {role.arrays_max_needs} only"


def _described(module: Module, *, chunks: bool) -> str:
    """What sets the size and rate of a module's data NSDs; the chunk size where chunks are unlike."""
    expansion = " with expansion" if module.expansion else ""
    chunk = f", chunks of {units.binary_bytes(module.chunk_bytes)}" if chunks else ""
    return f"{module.size}{expansion}, {module.drive}{chunk}"


def _kind(nsd: Stack) -> tuple[object, ...]:
    module = nsd.module
    return (module.size, module.expansion, module.drive, module.chunk_bytes)


_HDMD = "hdmd"
"""The path of the request's part for metadata on arrays of its own."""


def _modules(request: ScaleRequest, sizes: Mapping[str, int]) -> Iterator[ExpectedModules]:
    hdmd = request.hdmd
    for index, entry in enumerate(request.storage_modules):
        metadata_drive = entry.metadata_drive if hdmd is None else None
        fields: dict[str, object] = {
            "role": "storage",
            "size": entry.size,
            "expansion": entry.expansion,
            "drive": entry.data_drive,
            "metadata_drive": metadata_drive,
            "chunk_bytes": entry.chunk_bytes,
            "hosts": entry.hosts,
            "arrays": sizes[entry.size],
        }
        drives = {"data": ("data_drive", entry.data_drive), "metadata": ("metadata_drive", metadata_drive)}
        yield ExpectedModules(f"storage_modules[{index}]", entry.count, "sm", drives, fields)
    if hdmd is not None:
        fields = {"role": "metadata", "drive": hdmd.drive, "hosts": hdmd.hosts, "arrays": hdmd.arrays}
        yield ExpectedModules(_HDMD, hdmd.modules, "hm", {"metadata": ("drive", hdmd.drive)}, fields)


def _variant(request: ScaleRequest) -> str:
    return STANDARD if request.hdmd is None else HDMD


EXPECTED = Expected(
    modules=_modules,
    variant=_variant,
    metadata=_HDMD,
    managed=lambda _: True,
    addresses=lambda request: request.network.addresses if request.network else {},
    subnet=lambda request: (request.network.subnet or "") if request.network else "",
    small_volume=lambda _: ("", ""),
    drives=lambda _: (),
    pool=None,
    records=lambda _: (),
)
