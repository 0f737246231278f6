"""What ldiskfs makes of a device: the numbers that `dumpe2fs -h` shows once a target is formatted."""

from __future__ import annotations

from typing import NamedTuple


class Ldiskfs(NamedTuple):
    """A formatted target. Counts are of blocks of 4 KiB; `stride` and `stripe_width` are 0 where none was given.

    `options` is the text for `--mkfsoptions`, `flags` the disk data that `tunefs.lustre --dryrun` shows before the
    first mount.
    """

    blocks: int
    inodes: int
    inode_bytes: int
    overhead_blocks: int
    reserved_blocks: int
    journal_blocks: int
    user_bytes: int
    stride: int
    stripe_width: int
    mmp: bool
    options: str
    flags: int
