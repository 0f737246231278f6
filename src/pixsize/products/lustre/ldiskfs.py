"""ldiskfs: what mkfs.lustre makes of a device, block by block, as mke2fs and libext2fs work it out.

The record of the release says what mkfs.lustre asks for (Lustre source, lustre/utils, ldiskfs); what follows from that
is worked out as in e2fsprogs 1.47.0 (misc/mke2fs.c; lib/ext2fs/initialize.c).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pixsize.plan.records import DiskGroup, data_drives
from pixsize.products.lustre.plan import Ldiskfs
from pixsize.products.lustre.records import Below, LustreRelease, Mke2fs, Recipe

BLOCK = 4096
"""Bytes of a block: mkfs.lustre asks for no other."""
_KIB, _MIB = 2**10, 2**20
_BITS = BLOCK * 8
"""What the bitmap of a group can count: its inodes, and its blocks."""
_MOST_32 = 2**32 - 1
"""The largest number of 32 bits: ldiskfs counts inodes with them, and blocks where 64bit is not asked for."""
_JUST_OVER = 2**32 + 0x2000
"""mkfs.lustre cuts a device of 2^32 blocks or more, but fewer than these, to 2^32 - 1 (Lustre source, ldiskfs; 0x2000
is from memory)."""
_FIRST_INODES = 12
"""The fewest inodes of a file system: the first that is free, the eleventh, and one behind it (libext2fs)."""
_TAIL = 50
"""A last group that would hold fewer blocks than this beside its own tables is left out (libext2fs)."""
_ADDRESSES = BLOCK // 4
"""Most blocks that can be reserved for descriptors: one indirect block names them all."""
_LEAST_GROUP_INODES = 8
"""The fewest inodes of a group, and what their number is a multiple of: a byte of the bitmap (libext2fs)."""
_LEAST_JOURNAL_BLOCKS = 2048
"""A file system of fewer blocks gets no journal (libext2fs)."""
_COPIES: frozenset[int] = frozenset((0, *(base**n for base in (3, 5, 7) for n in range(41))))
"""The groups that hold a copy of superblock and descriptors: 0, 1 and the powers of 3, 5 and 7 (sparse_super)."""
_KIND_FLAGS = {"mdt": 0x1, "ost": 0x2, "mgt": 0x4}
_MGS_FLAG, _FIRST_TIME_FLAG, _UPDATE_FLAG, _NO_PRIMARY_FLAG = 0x4, 0x20, 0x40, 0x1000
"""Flags of a target before its first mount: it holds the MGS, was never mounted, has to write its configuration to the
MGS, and may be mounted first by any of its nodes.

tunefs.lustre derives the second flag from the colon in the label. The label of an MGT, `MGS`, has no colon: it is shown
as mounted before, whatever mkfs.lustre printed (mkfs.lustre and tunefs.lustre 2.10.8 and 2.15.8).
"""


class Kept(NamedTuple):
    """Blocks that hold no data; `descriptors` are superblock and descriptors, their copies and the room for more."""

    inode_tables: int
    journal: int
    bitmaps: int
    descriptors: int


class _Request(NamedTuple):
    """What mke2fs is asked for. `reserved_gdt` are blocks for more descriptors; None where libext2fs chooses."""

    blocks: int
    inodes: int
    inode_bytes: int
    descriptor_bytes: int
    reserved: int
    reserved_gdt: int | None


class _Layout(NamedTuple):
    """How libext2fs divides the device."""

    blocks: int
    reserved: int
    groups: int
    group_blocks: int
    group_inodes: int
    table_blocks: int
    descriptor_blocks: int
    reserved_gdt: int


def formatted(
    release: LustreRelease,
    kind: str,
    device_bytes: int,
    *,
    stride: int = 0,
    stripe_width: int = 0,
    mmp: bool,
    mgs: bool = False,
) -> Ldiskfs:
    """The numbers that `dumpe2fs -h` shows of a device that mkfs.lustre of this release has formatted.

    Stride and stripe width are in blocks, 0 where none is given; they change no other number. `mmp`: the target has
    service nodes, and multiple mount protection. `mgs`: an MDT that also holds the MGS. A device that mkfs.lustre
    refuses (`refusal`) gets numbers too. ValueError for a device of less than a block.
    """
    recipe = release.recipe(kind)
    request, layout, parts = _laid_out(release, kind, device_bytes)
    overhead = sum(parts)
    first_time = _FIRST_TIME_FLAG * (kind != "mgt")
    # mkfs.lustre(8): at most one -E, without blanks between its parts.
    alignment_words = [f"{name}={n}" for name, n in (("stride", stride), ("stripe_width", stripe_width)) if n]
    flags = _KIND_FLAGS[kind] | first_time | _UPDATE_FLAG | _MGS_FLAG * mgs | _NO_PRIMARY_FLAG * mmp
    return Ldiskfs(
        blocks=layout.blocks,
        inodes=layout.groups * layout.group_inodes,
        inode_bytes=request.inode_bytes,
        overhead_blocks=overhead,
        reserved_blocks=layout.reserved,
        journal_blocks=parts.journal,
        user_bytes=max(layout.blocks - overhead - layout.reserved, 0) * BLOCK,
        stride=stride,
        stripe_width=stripe_width,
        mmp="mmp" in recipe.features_on(mmp=mmp, large=False),
        options=f"-E {','.join(alignment_words)}" if alignment_words else "",
        flags=flags,
    )


class Formatter:
    """The formats of a release; equal targets are worked out once.

    `mmp`: whether targets are served by more than one node, and so have multiple mount protection.
    """

    def __init__(self, release: LustreRelease, *, mmp: bool) -> None:
        self._release = release
        self._mmp = mmp
        self._known: dict[tuple[str, bool, int, int, int], Ldiskfs] = {}

    def formatted(self, kind: str, combined: bool, device_bytes: int, group: DiskGroup | None) -> Ldiskfs:
        """What `mkfs.lustre` makes of a device of this size; `combined`: an MDT that holds the MGS too.

        Stride and stripe width are those of the group below, where it has chunks; an MGT is too small to need them.
        """
        stride, width = (0, 0) if kind == "mgt" or group is None else alignment(group)
        key = (kind, combined, device_bytes, stride, width)
        if key not in self._known:
            self._known[key] = formatted(
                self._release, kind, device_bytes, stride=stride, stripe_width=width, mmp=self._mmp, mgs=combined
            )
        return self._known[key]


def alignment(group: DiskGroup) -> tuple[int, int]:
    """Stride and stripe width in blocks of 4 KiB: a chunk, and a chunk on each data drive; 0 where there are no chunks.

    Lustre Operations Manual, Formatting options for ldiskfs RAID devices.
    """
    stride = (group.chunk_bytes or 0) // BLOCK
    return stride, stride * data_drives(group.level, len(group.slots))


def kept(release: LustreRelease, kind: str, device_bytes: int) -> Kept:
    """What the overhead of such a device consists of. ValueError for a device of less than a block."""
    return _laid_out(release, kind, device_bytes)[2]


def inodes_at_most(release: LustreRelease, kind: str, device_bytes: int) -> int:
    """An upper bound of the inodes of all devices up to this size: each group with the inodes of a full one.

    A larger device may have fewer inodes: how those of a group are rounded to whole blocks depends on the size.
    """
    recipe = release.recipe(kind)
    request, layout, _ = _laid_out(release, kind, device_bytes)
    full = _ceil(layout.group_blocks * BLOCK, _bytes_per_inode(recipe, release.mke2fs, device_bytes))
    each = _ceil(full * request.inode_bytes, BLOCK) * BLOCK
    most = _ceil(request.blocks, layout.group_blocks) * each // request.inode_bytes
    return min(max(most, layout.groups * layout.group_inodes), _MOST_32)


def _laid_out(release: LustreRelease, kind: str, device_bytes: int) -> tuple[_Request, _Layout, Kept]:
    """What mke2fs is asked for, how it divides the device, and what it keeps."""
    recipe = release.recipe(kind)
    request = _request(recipe, release.mke2fs, device_bytes)
    layout = _initialized(request)
    return request, layout, _kept(layout, request, _journal_blocks(recipe, release.mke2fs, device_bytes, layout.blocks))


def refusal(release: LustreRelease, kind: str, device_bytes: int) -> str:
    """Why mkfs.lustre could not format a device of this size, or should not; empty where it can."""
    recipe = release.recipe(kind)
    blocks = _blocks(device_bytes)
    if blocks * BLOCK // _bytes_per_inode(recipe, release.mke2fs, device_bytes) > _MOST_32:
        return "more inodes than ldiskfs can count: 2^32 - 1"
    resize = recipe.resize
    if resize and resize.blocks <= blocks and device_bytes // BLOCK <= _MOST_32:
        return (
            f"mkfs.lustre asks mke2fs for room to grow to {resize.blocks:,} blocks, which mke2fs refuses on a device "
            f"that has as many; from {2**44:,} B on it asks for none"
        )
    features = recipe.features_on(mmp=False, large=blocks >= _MOST_32)
    if "64bit" in features and "extents" not in features:
        return f"mke2fs wants extents on a device of {2**44:,} B and more, and mkfs.lustre asks for none"
    return "" if blocks >= _LEAST_JOURNAL_BLOCKS else "too small for a journal"


def _blocks(device_bytes: int) -> int:
    """Whole blocks of the device, as mkfs.lustre counts them: one of just over 2^32 is cut short."""
    blocks = device_bytes // BLOCK
    return _MOST_32 if _MOST_32 < blocks < _JUST_OVER else blocks


def _request(recipe: Recipe, mke2fs: Mke2fs, device_bytes: int) -> _Request:
    """The numbers that mke2fs works with: from the options of mkfs.lustre, or else from its own tables."""
    blocks = _blocks(device_bytes)
    if blocks < 1:
        raise ValueError(f"{device_bytes} B is less than a block")
    large = "64bit" in recipe.features_on(mmp=False, large=device_bytes // BLOCK >= _MOST_32)
    descriptor_bytes = 64 if large else 32
    return _Request(
        blocks=blocks,
        inodes=min(blocks * BLOCK // _bytes_per_inode(recipe, mke2fs, device_bytes), _MOST_32),
        inode_bytes=recipe.inode_bytes or mke2fs.inode_bytes,
        descriptor_bytes=descriptor_bytes,
        reserved=blocks * mke2fs.reserved_percent // 100,
        reserved_gdt=0 if large else _room_to_grow(recipe, device_bytes, blocks, BLOCK // descriptor_bytes),
    )


def _bytes_per_inode(recipe: Recipe, mke2fs: Mke2fs, device_bytes: int) -> int:
    """The recipe's row with the largest bound that the device exceeds, in whole KiB; without one, the row of mke2fs."""
    exceeded = [row for row in recipe.bytes_per_inode if device_bytes // _KIB * _KIB > row.above_bytes]
    if exceeded:
        return max(exceeded, key=lambda row: row.above_bytes).bytes
    return _below(mke2fs.bytes_per_inode, _blocks(device_bytes))


def _below(rows: tuple[Below, ...], blocks: int) -> int:
    """The bytes of the first row whose bound is larger than the device."""
    return next(row.bytes for row in rows if row.below_bytes is None or blocks * BLOCK < row.below_bytes)


def _room_to_grow(recipe: Recipe, device_bytes: int, blocks: int, descriptors: int) -> int | None:
    """Blocks for more descriptors that `-E resize` reserves; None where it is not given, or comes to nothing.

    mke2fs counts with full groups, whatever libext2fs makes of them later (misc/mke2fs.c, extended options).
    """
    resize = recipe.resize
    if resize is None or device_bytes // _KIB * _KIB <= resize.above_bytes:
        return None
    room = _ceil(_ceil(resize.blocks, _BITS), descriptors) - _ceil(_ceil(blocks, _BITS), descriptors)
    return min(room, _ADDRESSES) if room > 0 else None


@lru_cache(maxsize=4096)
def _initialized(request: _Request) -> _Layout:
    """How libext2fs divides the device.

    Where the inodes of a group would not fit its bitmap, groups are made smaller by eight blocks, and all is tried
    again on the whole device. A last group too small for its own tables is dropped, and with it its part of the blocks
    reserved for root: what was worked out last stays reserved, even when a later trial keeps the whole device.
    """
    blocks, reserved, size = request.blocks, request.reserved, _BITS
    while True:
        groups = _ceil(blocks, size)
        if _ceil(max(request.inodes, _FIRST_INODES), groups) > _BITS:
            size, blocks = size - 8, request.blocks
            continue
        layout = _divided(request, blocks, reserved, size)
        tail = blocks % size
        if groups == 1 or not 0 < tail < _last_group_needs(layout) + _TAIL:
            return layout
        blocks -= tail
        reserved = int(request.reserved / request.blocks * blocks)  # in floating point, as libext2fs has it


def _divided(request: _Request, blocks: int, reserved: int, size: int) -> _Layout:
    """One trial: groups of `size` blocks, whole blocks of inodes in each, and room for more descriptors."""
    groups = _ceil(blocks, size)
    inodes, table = _per_group(request, groups)
    per_block = BLOCK // request.descriptor_bytes
    descriptors = _ceil(groups, per_block)
    room = request.reserved_gdt
    if room is None:
        largest = min(blocks * 1024, _MOST_32)
        room = min(_ceil(_ceil(largest, size), per_block) - descriptors, _ADDRESSES)
    return _Layout(blocks, reserved, groups, size, inodes, table, descriptors, max(room, 0))


def _per_group(request: _Request, groups: int) -> tuple[int, int]:
    """Inodes of a group and the blocks of their table: whole blocks, a multiple of eight, 2^32 - 1 in all at most."""
    requested = _ceil(max(request.inodes, _FIRST_INODES), groups)
    while True:
        inodes = _table_blocks(request, requested) * BLOCK // request.inode_bytes
        inodes = max(inodes, _LEAST_GROUP_INODES) // _LEAST_GROUP_INODES * _LEAST_GROUP_INODES
        if inodes * groups <= _MOST_32 or inodes == _LEAST_GROUP_INODES:
            return inodes, _table_blocks(request, inodes)
        requested -= 1


def _table_blocks(request: _Request, inodes: int) -> int:
    return _ceil(inodes * request.inode_bytes, BLOCK)


def _last_group_needs(layout: _Layout) -> int:
    """Two bitmaps and the inode table, and the superblock with the descriptors where the last group has a copy."""
    blocks = 2 + layout.table_blocks
    if layout.groups - 1 not in _COPIES:
        return blocks
    return blocks + 1 + layout.descriptor_blocks + layout.reserved_gdt


def _kept(layout: _Layout, request: _Request, journal: int) -> Kept:
    """Blocks that hold no data: bitmaps and inode tables, the journal, and the copies of superblock and descriptors.

    Where the descriptors would fill more than three quarters of a group, they are spread (`meta_bg`): each block of
    them lies in the first, the second and the last of the groups that it describes.
    """
    copies = sum(group < layout.groups for group in _COPIES)
    if layout.descriptor_blocks + layout.reserved_gdt <= layout.group_blocks * 3 // 4:
        descriptors = copies * (1 + layout.descriptor_blocks + layout.reserved_gdt)
    else:
        full, rest = divmod(layout.groups, BLOCK // request.descriptor_bytes)
        descriptors = copies * (1 + layout.reserved_gdt) + 3 * full + min(rest, 2)
    return Kept(layout.groups * layout.table_blocks, journal, 2 * layout.groups, descriptors)


def _journal_blocks(recipe: Recipe, mke2fs: Mke2fs, device_bytes: int, blocks: int) -> int:
    """The journal: whole MiB of the device's share as mkfs.lustre asks for it, or what libext2fs takes by itself."""
    journal = recipe.journal
    if journal and device_bytes // _KIB * _KIB > journal.above_bytes:
        share = int(device_bytes // _KIB * journal.share) // _KIB * _MIB
        return min(share, journal.most_bytes) // BLOCK
    return _below(mke2fs.journal, blocks) // BLOCK if blocks >= _LEAST_JOURNAL_BLOCKS else 0


def _ceil(dividend: int, divisor: int) -> int:
    return -(-dividend // divisor)
