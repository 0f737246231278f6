"""Sizes: what ldiskfs makes of each target, worked out roughly a second time, and what Lustre and its servers take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

from pixsize import units
from pixsize.catalog.records import Server as ServerModel
from pixsize.check.context import Context, Hit, data_drives, grouped
from pixsize.findings import Finding
from pixsize.plan.records import Server, Target
from pixsize.products.lustre.plan import Ldiskfs, lustre, target_of
from pixsize.products.lustre.records import LustreRelease, Recipe
from pixsize.units import both_bytes

_BLOCK = 4096  # of ldiskfs: mkfs.lustre asks for no other
_GROUP_BLOCKS = 8 * _BLOCK
"""The blocks of a group, as many as its bitmap counts: fewer are left unused at the end of a device (libext2fs)."""
_ROUNDED = 0.01
"""Inodes are rounded up to whole blocks in each group: by less than this in any but the smallest file systems."""
_FEW_INODES = 128
"""Rounding may add so many, however few there are."""
_MOST_32 = 2**32 - 1
"""The largest number of 32 bits, with which ldiskfs counts inodes."""
_JUST_OVER = 0x2000
"""mkfs.lustre cuts devices that exceed 2^32 blocks by fewer than these to 2^32 - 1 (Lustre source; from memory)."""
_LARGE = 2**44
"""Bytes of 2^32 blocks, more than 32 bits count: from this size on mkfs.lustre asks for no room to grow."""
_KIND_FLAGS = {"mdt": 0x1, "ost": 0x2, "mgt": 0x4}
_FRESH = {"mdt": 0x60, "ost": 0x60, "mgt": 0x40}
_MGS, _ANY_NODE = 0x4, 0x1000
"""Flags of a target as tunefs.lustre shows them before the first mount: it holds the MGS; any of its nodes may be the
first to mount it. The flags of an MGT never say that it was not mounted yet."""


def formats(context: Context) -> Iterator[Finding]:
    """PX543: blocks, inodes, reserve and flags follow from the target's size, kind and release."""
    release = context.catalog.get(LustreRelease, lustre(context.plan).release)
    trouble_of: dict[tuple[object, ...], str] = {}

    def hits() -> Iterator[Hit]:
        for target in context.plan.targets:
            key = (target.kind, target_of(target).mgs, context.bytes_of(target), target_of(target).ldiskfs)
            if key not in trouble_of:
                trouble_of[key] = _format_trouble(context, release, target)
            if trouble_of[key]:
                yield context.where_of(target), f"{target.id} {trouble_of[key]}"

    return grouped("PX543", hits(), "what is formatted follows from size, kind and release")


def alignment(context: Context) -> Iterator[Finding]:
    """PX544: stride and stripe width are those of the RAID group below, and what is handed to mke2fs says so."""
    longest = context.limit("lustre.mkfsoptions_chars")

    def hits() -> Iterator[Hit]:
        for target in context.plan.targets:
            disk = target_of(target).ldiskfs
            if disk is None:
                continue  # PX543 names it
            volume = context.volumes.get(target.volume or "")
            group = context.groups.get(volume.backing) if volume else None
            stride = 0 if group is None or target.kind == "mgt" else (group.chunk_bytes or 0) // _BLOCK
            width = stride * data_drives(group) if stride and group else 0
            options = f"-E stride={stride},stripe_width={width}" if stride else ""
            if (disk.stride, disk.stripe_width) != (stride, width):
                planned = f"{target.id} has {disk.stride} and {disk.stripe_width}"
                yield context.where_of(target), f"{planned}, where {stride} and {width} are due"
            elif disk.options != options:
                yield context.where_of(target), f"{target.id} is to be made with {disk.options!r}"
            elif len(disk.options) >= longest:
                yield context.where_of(target), f"{target.id} has options of {len(disk.options)} characters"

    allowed = f"a chunk, and a chunk on each data drive, in blocks of 4 KiB, in fewer than {longest} characters"
    return grouped("PX544", hits(), allowed)


def stripe_fits_rpc(context: Context) -> Iterator[Finding]:
    """PX545: an RPC of data is a whole number of full stripes of the RAID group: none is read before it is written."""
    rpc = context.limit("lustre.rpc_bytes")
    stripes = {
        (s.module.where, s.group.chunk_bytes or 0, data_drives(s.group))
        for s in context.stacks
        if s.target.kind == "ost" and s.group.level in ("r5", "r6") and context.width_is_legal(s.group)
    }
    for where, chunk, drives in sorted(stripes):
        if chunk and rpc % (chunk * drives):
            chunk_sizes = context.choice(f"{context.design.volumes}.chunk_sizes")
            fitting = [c for c in chunk_sizes if rpc % (c * drives) == 0]
            hint = f"chunk_size: {units.binary_bytes(max(fitting))}" if fitting else "a power of two of data drives"
            message = (
                f"a full stripe of {drives} data drives with chunks of {units.binary_bytes(chunk)} is "
                f"{units.binary_bytes(chunk * drives)}, of which no whole number makes the RPC of "
                f"{units.binary_bytes(rpc)}: the array reads before it writes"
            )
            yield Finding("PX545", message, f"{where}.chunk_size", hint)


def _format_trouble(context: Context, release: LustreRelease, target: Target) -> str:
    """The first number of the format that is wrong, as the end of a sentence; empty when none is."""
    disk = target_of(target).ldiskfs
    if disk is None or target.kind not in _KIND_FLAGS:
        return "has no format"
    volume_bytes, recipe = context.bytes_of(target), release.recipe(target.kind)
    reserve = Fraction(release.mke2fs.reserved_percent, 100)
    inode = recipe.inode_bytes or release.mke2fs.inode_bytes
    flags = (
        _KIND_FLAGS[target.kind]
        | _FRESH[target.kind]
        | (_MGS if target_of(target).mgs else 0)
        | (_ANY_NODE if disk.mmp else 0)
    )
    inodes = min(disk.blocks * _BLOCK // _bytes_an_inode(recipe, release, volume_bytes), _MOST_32)
    close = abs(disk.inodes - inodes) <= inodes * _ROUNDED + _FEW_INODES
    tables = disk.inodes * disk.inode_bytes // _BLOCK
    rules = (
        (
            f"has {disk.blocks:,} blocks on {volume_bytes:,} B",
            0 <= volume_bytes // _BLOCK - disk.blocks < _GROUP_BLOCKS,
        ),
        (f"has inodes of {disk.inode_bytes} B, where {inode} are due", disk.inode_bytes == inode),
        (f"has {disk.inodes:,} inodes, where about {inodes:,} are due", close),
        (f"has {disk.inodes:,} inodes, which its groups do not share alike", _inodes_of_groups(disk)),
        (f"has a journal of {disk.journal_blocks:,} blocks", _journal_fits(recipe, volume_bytes, disk)),
        (
            f"has a reserve of {disk.reserved_blocks:,} blocks of {disk.blocks:,}",
            abs(disk.reserved_blocks - disk.blocks * reserve) <= _GROUP_BLOCKS * reserve + 1,
        ),
        (
            f"loses {disk.overhead_blocks:,} blocks, where inodes and journal take {tables + disk.journal_blocks:,}",
            disk.overhead_blocks >= tables + disk.journal_blocks,
        ),
        (
            f"leaves {disk.user_bytes:,} B to its users",
            disk.user_bytes == (disk.blocks - disk.overhead_blocks - disk.reserved_blocks) * _BLOCK,
        ),
        (f"has the flags {disk.flags:#x}, where {flags:#x} are due", disk.flags == flags),
    )
    return next((trouble for trouble, holds in rules if not holds), "")


def _inodes_of_groups(disk: Ldiskfs) -> bool:
    """Whether each group of blocks has as many inodes: whole blocks of them, and a multiple of eight (libext2fs).

    Where so many inodes would not fit a group's bitmap groups are made smaller, and how many there are is not judged.
    """
    groups = -(-disk.blocks // _GROUP_BLOCKS)
    if disk.inodes > groups * _GROUP_BLOCKS:
        groups = 1
    each, over = divmod(disk.inodes, max(groups, 1))
    return not over and not each % 8 and not each * disk.inode_bytes % _BLOCK


def _bytes_an_inode(recipe: Recipe, release: LustreRelease, device_bytes: int) -> int:
    """mkfs.lustre's own ratio for a device of this size, or what mke2fs takes where it names none.

    A device of just over 2^32 blocks is cut to one less before mke2fs sees it (Lustre source, lustre/utils).
    """
    named = [(row.above_bytes, row.bytes) for row in recipe.bytes_per_inode if device_bytes > row.above_bytes]
    if named:
        return max(named)[1]
    if 0 <= device_bytes // _BLOCK - 2**32 < _JUST_OVER:
        device_bytes = _MOST_32 * _BLOCK
    rows = release.mke2fs.bytes_per_inode
    return next(r.bytes for r in rows if r.below_bytes is None or device_bytes < r.below_bytes)


def _journal_fits(recipe: Recipe, device_bytes: int, disk: Ldiskfs) -> bool:
    """Whether the journal is whole MiB: the recipe's share of the device, or its most, or any that mke2fs chooses."""
    if disk.journal_blocks * _BLOCK % 2**20:
        return False
    journal = recipe.journal
    if journal is None or device_bytes <= journal.above_bytes:
        return True
    expected = min(int(device_bytes * journal.share), journal.most_bytes)
    return abs(disk.journal_blocks * _BLOCK - expected) <= 2**20


def target_counts(context: Context) -> Iterator[Finding]:
    """PX530: a file system has a number of OSTs and of MDTs."""
    for kind, what, limit_id in (("ost", "OSTs", "lustre.osts"), ("mdt", "MDTs", "lustre.mdts")):
        count, most = len(context.of_kind[kind]), context.limit(limit_id)
        if count > most:
            message = f"{count:,} {what}; Lustre takes {most:,} in a file system"
            yield Finding("PX530", message, _growing_path(context, kind), "fewer, or a second file system")


def largest_ost(context: Context) -> Iterator[Finding]:
    """PX534: no OST is larger than ldiskfs takes."""
    most = context.limit("lustre.ost_bytes_max")
    hits = _larger(context, "ost", most)
    yield from grouped("PX534", hits, f"the largest OST on ldiskfs is {units.binary_bytes(most)}", _smaller(context))


def usual_ost(context: Context) -> Iterator[Finding]:
    """PX535: no OST is larger than those in use."""
    usual, most = context.limit("lustre.ost_bytes_warn"), context.limit("lustre.ost_bytes_max")
    hits = _larger(context, "ost", usual, most)
    yield from grouped("PX535", hits, f"OSTs of up to {units.decimal_bytes(usual)} are in use", _smaller(context))


def largest_mdt(context: Context) -> Iterator[Finding]:
    """PX536: no MDT is larger than its inodes can fill."""
    most = context.limit("lustre.mdt_bytes_max")
    hits = _larger(context, "mdt", most)
    allowed = f"beyond {units.binary_bytes(most)} an MDT has no more inodes, and the stock mke2fs refuses it"
    of_pool, of_arrays = (
        f"a smaller `{context.design.volumes}.mdt`",
        "smaller drives, and more pairs of MDS for more inodes",
    )
    hint = of_pool if context.plan.pools else of_arrays
    yield from grouped("PX536", hits, allowed, hint)


def formattable(context: Context) -> Iterator[Finding]:
    """PX537: mkfs.lustre and its mke2fs take devices of these sizes; of an MDT that is too large PX536 says so."""
    least, most_mdt = context.limit("lustre.device_bytes_min"), context.limit("lustre.mdt_bytes_max")
    release = context.catalog.get(LustreRelease, lustre(context.plan).release)
    devices = [(t, context.bytes_of(t)) for t in context.plan.targets if t.kind in _KIND_FLAGS]
    large = units.binary_bytes(_LARGE)

    def small(_: Recipe, device_bytes: int) -> str:
        return "which mkfs.lustre refuses" if device_bytes < least else ""

    def hits(trouble_of: Callable[[Recipe, int], str]) -> Iterator[Hit]:
        for target, device_bytes in devices:
            trouble = trouble_of(release.recipe(target.kind), device_bytes)
            if trouble and (target.kind != "mdt" or device_bytes <= most_mdt):
                yield _size_path(context, target), f"{target.id} has {both_bytes(device_bytes)}, {trouble}"

    for trouble_of, allowed, hint in (
        (small, f"devices have at least {units.binary_bytes(least)}", "a larger size"),
        (_growth_refused, f"none is asked for from {large} on", f"{large} or more, or fewer blocks than these"),
        (_extents_refused, "it wants extents, and mkfs.lustre asks for none", f"less than {large}"),
        (_inodes_refused, f"ldiskfs counts {_MOST_32:,} inodes", "a smaller size"),
    ):
        yield from grouped("PX537", hits(trouble_of), allowed, hint)


def useful_mgt(context: Context) -> Iterator[Finding]:
    """PX560: an MGT is no larger than anything that an MGS will ever keep."""
    most = context.limit("lustre.mgt_bytes_warn")
    hits = _larger(context, "mgt", most)
    allowed = f"an MGS keeps less than 100 MB; {units.binary_bytes(most)} is plenty"
    yield from grouped("PX560", hits, allowed, "a smaller MGT; was GiB meant?")


def memory(context: Context) -> Iterator[Finding]:
    """PX542: MDS and OSS have the memory that the manual wants for their targets, and for those of a lost partner."""

    def hits() -> Iterator[Hit]:
        osts = Counter(t.servers[0] for t in context.of_kind["ost"] if t.servers)
        mdts = Counter(s for t in context.of_kind["mdt"] for s in t.servers)
        for server in context.plan.servers:
            needed, what = _memory_needed(context, server, osts[server.id], mdts[server.id])
            memory_bytes = context.catalog.get(ServerModel, server.model).memory_bytes
            if memory_bytes is not None and memory_bytes < needed:
                where = "metadata" if server.role == "metadata" else "servers"
                if server.module in context.modules:
                    where = context.modules[server.module].where
                memory_text = f"{server.id} has {units.binary_bytes(memory_bytes)} of memory"
                yield where, f"{memory_text}, where {what} {units.decimal_bytes(needed)}"

    hint = "more memory, or fewer targets a server"
    return grouped("PX542", hits(), "servers hold what they know of their targets in memory", hint)


def _growing_path(context: Context, kind: str) -> str:
    """The word of the request that most targets of a kind come from."""
    if kind == "mdt":
        return "metadata.pairs" if context.plan.modules else "metadata.dne"
    paths = Counter(s.module.where for s in context.stacks if s.target.kind == kind)
    return f"{paths.most_common(1)[0][0]}.count" if paths else context.grows_at


def _size_path(context: Context, target: Target) -> str:
    """The word of the request that a target's size comes from."""
    if context.plan.pools:
        return f"{context.design.volumes}.{target.kind}"
    where = context.where_of(target)
    return f"{where}.{'data_drive' if target.kind == 'ost' else 'drive'}" if where else ""


def _smaller(context: Context) -> str:
    """The hint for OSTs that are too large."""
    return f"a smaller `{context.design.volumes}.ost`" if context.plan.pools else "smaller drives"


def _larger(context: Context, kind: str, bound: int, most: int | None = None) -> Iterator[Hit]:
    """The targets of a kind above a bound, and up to another where there is one."""
    for target in context.of_kind[kind]:
        volume_bytes = context.bytes_of(target)
        if volume_bytes > bound and (most is None or volume_bytes <= most):
            yield _size_path(context, target), f"{target.id} has {both_bytes(volume_bytes)}"


def _growth_refused(recipe: Recipe, device_bytes: int) -> str:
    """Why mke2fs refuses the room to grow that is asked for: the device has as many blocks already. Empty if not."""
    if recipe.resize is None or not recipe.resize.blocks <= device_bytes // _BLOCK <= _MOST_32:
        return ""
    top = f"{recipe.resize.blocks:,} blocks"
    return f"and mkfs.lustre asks mke2fs for room to grow to {top}, which it refuses on a device that has as many"


def _extents_refused(recipe: Recipe, device_bytes: int) -> str:
    """Why mke2fs refuses block numbers of 64 bits: no extents are asked for. Empty if not."""
    wide = device_bytes // _BLOCK >= _MOST_32 and "64bit" in recipe.features and "extents" not in recipe.features
    return f"and mke2fs refuses {units.binary_bytes(_LARGE)} of such a target" if wide else ""


def _inodes_refused(recipe: Recipe, device_bytes: int) -> str:
    """Why mke2fs refuses the number of inodes: it exceeds what 32 bits count. Empty if not."""
    each = [row.bytes for row in recipe.bytes_per_inode if device_bytes > row.above_bytes]
    inodes = device_bytes // _BLOCK * _BLOCK // each[-1] if each else 0
    return f"and mke2fs refuses to make {inodes:,} inodes" if inodes > _MOST_32 else ""


def _memory_needed(context: Context, server: Server, osts: int, mdts: int) -> tuple[int, str]:
    """The bytes of memory that a server needs, and for what: the manual's example for an MDS, its sum for an OSS."""
    if server.role == "metadata" and mdts:
        if mdts == 1:
            return context.limit("lustre.mds_memory"), "an MDT wants"
        return context.limit("lustre.mds_memory_ha"), f"{mdts} MDTs want"
    if server.role == "storage" and osts:
        failover = lustre(context.plan).failover
        each = context.limit("lustre.oss_memory_per_ost_failover" if failover else "lustre.oss_memory_per_ost")
        partner = " and as many of its partner's" if failover else ""
        return context.limit("lustre.oss_memory_base") + osts * each, f"{osts} OSTs{partner} want"
    return 0, ""
