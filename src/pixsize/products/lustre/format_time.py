"""How long mkfs.lustre takes: what mke2fs writes of a target before it ends, and the time for that at a stated rate."""

from __future__ import annotations

from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.run_book import Rate
from pixsize.plan.records import Plan
from pixsize.products.lustre.ldiskfs import BLOCK
from pixsize.products.lustre.plan import Ldiskfs, LustreFilesystem, target_of
from pixsize.products.lustre.records import LustreRelease

FORMAT_RATE = "lustre.format_rate"
"""The record of the rate at which inode tables and journal are written."""


class FormatWork(NamedTuple):
    """What formatting one target writes, in bytes, and the seconds for that at `rate` bytes a second, rounded up.

    `at_most`: the release, or the kernel of the server, may leave some of it for later.
    """

    inode_table_bytes: int
    journal_bytes: int
    at_most: bool
    seconds: int
    rate: int


def format_work(disk: Ldiskfs, release: LustreRelease, rate: int) -> FormatWork:
    """What mke2fs writes for a target of a release, at `rate` bytes a second.

    Bitmaps, descriptors and what mkfs.lustre itself writes are left out: they are small beside these two. Inode tables
    are whole blocks, so that their bytes are those of the inodes (libext2fs).
    """
    written = release.at_format
    tables = 0 if written.inode_tables == "none" else disk.inodes * disk.inode_bytes
    journal = 0 if written.journal == "none" else disk.journal_blocks * BLOCK
    at_most = "at_most" in (written.inode_tables, written.journal)
    return FormatWork(tables, journal, at_most, -(-(tables + journal) // rate), rate)


def format_works(plan: Plan, catalog: Catalog) -> dict[str, FormatWork]:
    """The work for every target that mkfs.lustre makes, by its label; empty for another file system than Lustre."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        return {}
    release = catalog.get(LustreRelease, plan.filesystem.release)
    rate = catalog.get(Rate, FORMAT_RATE).value_per_s
    return {t.id: format_work(disk, release, rate) for t in plan.targets if (disk := target_of(t).ldiskfs)}
