"""What ldiskfs makes of each target, worked out roughly a second time; and the stripes of the RAID group below it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pixsize import units
from pixsize.check.context import Context, Hit, data_drives, grouped
from pixsize.findings import Finding
from pixsize.plan.records import DiskGroup, Target
from pixsize.products.lustre.plan import Ldiskfs, lustre, target_of
from pixsize.products.lustre.records import LustreRelease, Recipe

_BLOCK = 4096
_GROUP_BLOCKS = 8 * _BLOCK
"""What one block can map: at most so many blocks are left unused at the end of a device (libext2fs)."""
_ROUNDED = 0.01
"""Inodes are rounded up to whole blocks in each group: by less than this in any but the smallest file systems."""
_JUST_OVER = 0x2000
_FEW, _MOST_INODES = 128, 2**32 - 1
_KIND_FLAGS = {"mdt": 0x1, "ost": 0x2, "mgt": 0x4}
_FRESH = {"mdt": 0x60, "ost": 0x60, "mgt": 0x40}
_MGS, _ANY_NODE = 0x4, 0x1000
"""Bits of Lustre's disk data as tunefs.lustre shows it before the first mount: an MGS lies here; any of its nodes may
be the first to mount it. An MGS of its own never reads back as one that was not mounted yet."""


def formats(context: Context) -> Iterator[Finding]:
    """PX543: blocks, inodes, reserve and flags follow from the target's size, kind and release."""
    release = context.catalog.get(LustreRelease, lustre(context.plan).release)
    known: dict[tuple[object, ...], str] = {}

    def hits() -> Iterator[Hit]:
        for target in context.plan.targets:
            key = (target.kind, target_of(target).mgs, context.bytes_of(target), target_of(target).ldiskfs)
            if key not in known:
                known[key] = _format_trouble(context, release, target)
            if known[key]:
                yield context.where_of(target), f"{target.id} {known[key]}"

    return grouped("PX543", hits(), "what is formatted follows from size, kind and release")


def alignment(context: Context) -> Iterator[Finding]:
    """PX544: stride and stripe width are those of the RAID group below, and what is handed to mke2fs says so."""
    room = context.limit("lustre.mkfsoptions_chars")

    def hits() -> Iterator[Hit]:
        for target in context.plan.targets:
            made = target_of(target).ldiskfs
            if made is None:
                continue  # PX543 names it
            group = _group_below(context, target)
            stride, width = (0, 0) if group is None or target.kind == "mgt" else _stripe(group)
            if (made.stride, made.stripe_width) != (stride, width):
                due = f"{stride} and {width} are due"
                yield context.where_of(target), f"{target.id} has {made.stride} and {made.stripe_width}, where {due}"
            elif made.options != _options(stride, width):
                yield context.where_of(target), f"{target.id} is to be made with {made.options!r}"
            elif len(made.options) >= room:
                yield context.where_of(target), f"{target.id} has options of {len(made.options)} characters"

    allowed = f"a chunk, and a chunk on each data drive, in blocks of 4 KiB, in fewer than {room} characters"
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
            message = (
                f"a full stripe of {drives} data drives with chunks of {units.binary_bytes(chunk)} is "
                f"{units.binary_bytes(chunk * drives)}, of which no whole number makes the RPC of "
                f"{units.binary_bytes(rpc)}: the array reads before it writes"
            )
            yield Finding("PX545", message, f"{where}.chunk_size", _fitting(context, rpc, drives))


RULES = (formats, alignment)


def _format_trouble(context: Context, release: LustreRelease, target: Target) -> str:
    """The first number that does not follow from the others; empty when all do."""
    made = target_of(target).ldiskfs
    if made is None or target.kind not in _KIND_FLAGS:
        return "has no format"
    size, recipe = context.bytes_of(target), release.recipe(target.kind)
    reserve = Fraction(release.mke2fs.reserved_percent, 100)
    inode = recipe.inode_bytes or release.mke2fs.inode_bytes
    flags = (
        _KIND_FLAGS[target.kind]
        | _FRESH[target.kind]
        | (_MGS if target_of(target).mgs else 0)
        | (_ANY_NODE if made.mmp else 0)
    )
    inodes = min(made.blocks * _BLOCK // _bytes_an_inode(recipe, release, size), _MOST_INODES)
    tables = made.inodes * made.inode_bytes // _BLOCK
    rules = (
        (f"has {made.blocks:,} blocks on {size:,} B", 0 <= size // _BLOCK - made.blocks < _GROUP_BLOCKS),
        (f"has inodes of {made.inode_bytes} B, where {inode} are due", made.inode_bytes == inode),
        (f"has {made.inodes:,} inodes, where about {inodes:,} are due", _near(made.inodes, inodes)),
        (f"has {made.inodes:,} inodes, which its groups do not share alike", _inodes_of_groups(made)),
        (f"has a journal of {made.journal_blocks:,} blocks", _journal_fits(recipe, size, made)),
        (
            f"has a reserve of {made.reserved_blocks:,} blocks of {made.blocks:,}",
            abs(made.reserved_blocks - made.blocks * reserve) <= _GROUP_BLOCKS * reserve + 1,
        ),
        (
            f"loses {made.overhead_blocks:,} blocks, where inodes and journal take {tables + made.journal_blocks:,}",
            made.overhead_blocks >= tables + made.journal_blocks,
        ),
        (
            f"leaves {made.user_bytes:,} B to its users",
            made.user_bytes == (made.blocks - made.overhead_blocks - made.reserved_blocks) * _BLOCK,
        ),
        (f"has the flags {made.flags:#x}, where {flags:#x} are due", made.flags == flags),
    )
    return next((trouble for trouble, holds in rules if not holds), "")


def _near(seen: int, due: int) -> bool:
    return abs(seen - due) <= due * _ROUNDED + _FEW


def _inodes_of_groups(made: Ldiskfs) -> bool:
    """Whether each group of blocks has as many inodes: whole blocks of them, and a multiple of eight (libext2fs).

    Where so many inodes would not fit a group's bitmap groups are made smaller, and how many there are is not judged.
    """
    groups = -(-made.blocks // _GROUP_BLOCKS)
    if made.inodes > groups * _GROUP_BLOCKS:
        groups = 1
    each, over = divmod(made.inodes, max(groups, 1))
    return not over and not each % 8 and not each * made.inode_bytes % _BLOCK


def _bytes_an_inode(recipe: Recipe, release: LustreRelease, size: int) -> int:
    """mkfs.lustre's own ratio for a device of this size, or what mke2fs takes where it names none.

    A device of just over 2^32 blocks is cut to one less before mke2fs sees it (Lustre source, lustre/utils).
    """
    named = [(row.above_bytes, row.bytes) for row in recipe.bytes_per_inode if size > row.above_bytes]
    if named:
        return max(named)[1]
    if 0 <= size // _BLOCK - 2**32 < _JUST_OVER:
        size = (2**32 - 1) * _BLOCK
    return next(r.bytes for r in release.mke2fs.bytes_per_inode if r.below_bytes is None or size < r.below_bytes)


def _journal_fits(recipe: Recipe, size: int, made: Ldiskfs) -> bool:
    """Whether the journal is whole MiB: the recipe's share of the device, or its most, or any that mke2fs chooses."""
    if made.journal_blocks * _BLOCK % 2**20:
        return False
    wanted = recipe.journal
    if wanted is None or size <= wanted.above_bytes:
        return True
    due = min(int(size * wanted.share), wanted.most_bytes)
    return abs(made.journal_blocks * _BLOCK - due) <= 2**20


def _group_below(context: Context, target: Target) -> DiskGroup | None:
    volume = context.volumes.get(target.volume or "")
    return context.groups.get(volume.backing) if volume else None


def _stripe(group: DiskGroup) -> tuple[int, int]:
    stride = (group.chunk_bytes or 0) // _BLOCK
    return stride, stride * data_drives(group)


def _options(stride: int, width: int) -> str:
    return f"-E stride={stride},stripe_width={width}" if stride else ""


def _fitting(context: Context, rpc: int, drives: int) -> str:
    """The largest chunk of the array with which full stripes fit the RPC."""
    fitting = [c for c in context.choice(f"{context.design.volumes}.chunk_sizes") if rpc % (c * drives) == 0]
    return f"chunk_size: {units.binary_bytes(max(fitting))}" if fitting else "a power of two of data drives"
