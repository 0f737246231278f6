"""A Lustre plan against its request: settings, and the sizes of the volumes that it states or that the design fixes."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.records import PoolDesign
from pixsize.check.context import Context, Hit, differences, grouped
from pixsize.check.rules import modules
from pixsize.findings import About, Finding
from pixsize.plan.records import Target
from pixsize.products.lustre.plan import Network, lustre
from pixsize.products.lustre.request import PoolLustreRequest
from pixsize.products.lustre.rules.due import pool_request, request_of
from pixsize.products.lustre.rules.network import lnet_of

_ALLOWED = "the plan is what was asked for, neither less nor more"


def settings_as_asked(context: Context) -> Iterator[Finding]:
    """PX525: variant, release, failover, networks, fencing and default layout are the request's."""
    plan, seen, wanted = context.plan, lustre(context.plan), request_of(context)
    pool = wanted.powerflex.network if isinstance(wanted, PoolLustreRequest) else None
    second = wanted.fencing.second if wanted.fencing else None
    pairs: tuple[tuple[str, object, object], ...] = (
        ("name", plan.name, wanted.name),
        ("design", plan.design, wanted.design),
        ("lustre_version", seen.version, wanted.lustre_version),
        ("management", seen.management, wanted.management),
        ("metadata.dne", (plan.variant, seen.dne), ("dne" if wanted.metadata.dne else "single", wanted.metadata.dne)),
        ("metadata.mgt", seen.mgt_own, wanted.metadata.mgt == "own"),
        ("failover", seen.failover, wanted.failover if isinstance(wanted, PoolLustreRequest) else True),
        ("network", seen.network, _network(context)),
        ("powerflex.network.interface", seen.storage_interface, pool.interface if pool else ""),
        ("fencing.agent", seen.fence_agent, wanted.fencing.agent if wanted.fencing else ""),
        ("fencing.second.agent", seen.second_fence_agent, second.agent if second else ""),
        ("fencing.second.devices", seen.sbd_devices, (second.devices or ()) if second else ()),
        ("filesystem.name", seen.name, wanted.filesystem.name),
        ("filesystem.stripe_count", seen.stripe_count, wanted.filesystem.stripe_count),
        ("filesystem.stripe_size", seen.stripe_bytes, wanted.filesystem.stripe_bytes),
    )
    hits = ((where, f"{where} is {there}, where {due} was asked for") for where, there, due in pairs if there != due)
    return grouped("PX525", hits, _ALLOWED)


def array_volumes(context: Context) -> Iterator[Finding]:
    """PX525: on arrays, each pair has the MDTs asked for; an MGT has the size due, and all MDTs have one size.

    A small group leaves less for an MGT, and volumes that exist are what they are: PX306 says that they are unlike.
    """
    align = context.limit(f"{context.design.volumes}.volume_alignment")
    due = context.limit("lustre.mgt_volume") // align * align
    pairs = sum(count for _, count, module in modules(context) if module["role"] == "metadata")
    number = pairs * (2 if request_of(context).metadata.dne else 1)

    def hits() -> Iterator[Hit]:
        if len(context.of_kind["mdt"]) != number:
            yield "metadata.dne", f"{len(context.of_kind['mdt']):,} MDTs, where {number:,} were asked for"
        for target in context.of_kind["mgt"]:
            if context.bytes_of(target) != due and not _is_given(context, target):
                yield "metadata.mgt", f"{target.id} has {context.bytes_of(target):,} bytes, where {due:,} are due"
        mdts = [t for t in context.of_kind["mdt"] if _made_bytes(context, t) is None]
        sizes = {context.bytes_of(t): t.id for t in reversed(mdts)}
        if len(sizes) > 1:
            differences = " and ".join(f"{size:,} bytes ({name})" for size, name in sorted(sizes.items())[:2])
            yield "metadata", f"MDTs of {differences}, where all have one size"

    return grouped("PX525", hits(), _ALLOWED)


def mdts_alike(context: Context) -> Iterator[Finding]:
    """PX306: MDTs that exist as volumes already have one size."""
    made = {size: t.id for t in reversed(context.of_kind["mdt"]) if (size := _made_bytes(context, t)) is not None}
    if len(made) > 1:
        differences = " and ".join(f"{size:,} bytes ({name})" for size, name in sorted(made.items())[:2])
        message = f"MDTs of {differences} exist; files spread evenly fill the smallest first"
        arrays = dict.fromkeys(
            context.volumes[t.volume or ""].array for t in context.of_kind["mdt"] if _made_bytes(context, t)
        )
        about = tuple(About(array, "volume", message) for array in arrays)
        yield Finding("PX306", message, "metadata", "make the volumes anew, all of one size", about=about)


def _made_bytes(context: Context, target: Target) -> int | None:
    """The size of the volume below a target, where it exists."""
    volume = context.volumes.get(target.volume or "")
    return volume.reported_bytes if volume else None


def _is_given(context: Context, target: Target) -> bool:
    """Whether what is there, volume or group, and not pixsize, sets the size of a target."""
    volume = context.volumes.get(target.volume or "")
    group = context.groups.get(volume.backing) if volume else None
    if volume is None or volume.reported_bytes is not None:
        return volume is not None
    small = group is not None and group.reported_bytes is not None and group.reported_bytes < group.bytes // 2
    return small and volume.bytes < context.limit("lustre.mgt_volume")


def pool_volumes(context: Context) -> Iterator[Finding]:
    """PX525: in a pool there are as many MGTs, MDTs and OSTs as asked, each of the size asked for."""
    wanted, sizes = pool_request(context), pool_request(context).powerflex
    osts = wanted.servers * context.catalog.get(PoolDesign, context.request.design).storage.targets
    dues = (
        ("mgt", "metadata.mgt", int(wanted.metadata.mgt == "own"), sizes.mgt_bytes or 0),
        ("mdt", "metadata.dne", 2 if wanted.metadata.dne else 1, sizes.mdt_bytes),
        ("ost", "servers", osts, sizes.ost_bytes),
    )

    def hits() -> Iterator[Hit]:
        for kind, where, count, size in dues:
            there = context.of_kind[kind]
            if len(there) != count:
                yield where, f"{len(there):,} {kind.upper()}s, where {count:,} were asked for"
            for target in there:
                seen = context.bytes_of(target)
                if seen != size:
                    yield f"powerflex.{kind}", f"{target.id} has {seen:,} bytes, where {size:,} were asked for"

    return grouped("PX525", hits(), _ALLOWED)


def pool_volumes_in_order(context: Context) -> Iterator[Finding]:
    """PX525: the volumes of a pool have the names and the order that the request gives: MGT, MDTs, OSTs."""
    wanted, design = pool_request(context), context.catalog.get(PoolDesign, context.request.design)
    names = [("mgt", "metadata")] if wanted.metadata.mgt == "own" else []
    names += [(f"mdt{n:04x}", "metadata") for n in range(2 if wanted.metadata.dne else 1)]
    names += [(f"ost{n:04x}", "data") for n in range(wanted.servers * design.storage.targets)]
    due = [(name, design.pool, purpose, 0, "") for name, purpose in names]
    why = differences("volume", ("id", "backing", "purpose", "lun", "owner"), context.plan.volumes, due)
    return grouped("PX525", (("", each) for each in why), _ALLOWED)


RULES = (settings_as_asked,)
"""Those of every Lustre plan; the sizes of volumes have a rule for each way to make them."""


def _network(context: Context) -> Network | None:
    wanted = request_of(context).network
    return Network(lnet_of(wanted.lnet), wanted.interface, wanted.configured_by) if wanted else None
