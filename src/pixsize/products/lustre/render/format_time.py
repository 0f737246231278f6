"""How long mkfs.lustre takes: what mke2fs writes of a target before it ends, the time for that, and both in words."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.run_book import Rate
from pixsize.plan.records import Plan
from pixsize.products.lustre.ldiskfs import BLOCK
from pixsize.products.lustre.plan import Ldiskfs, LustreFilesystem, target_of
from pixsize.products.lustre.records import LustreRelease
from pixsize.render.template import duration
from pixsize.units import decimal_bytes, show

FORMAT_RATE = "lustre.format_rate"
"""The record of the rate at which inode tables and journal are written."""
_MINUTE = 60  # seconds


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
    at_format = release.at_format
    tables = 0 if at_format.inode_tables == "none" else disk.inodes * disk.inode_bytes
    journal = 0 if at_format.journal == "none" else disk.journal_blocks * BLOCK
    at_most = "at_most" in (at_format.inode_tables, at_format.journal)
    return FormatWork(tables, journal, at_most, -(-(tables + journal) // rate), rate)


def format_works(plan: Plan, catalog: Catalog) -> dict[str, FormatWork]:
    """The work for every target that mkfs.lustre makes, by its label; empty for another file system than Lustre."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        return {}
    release = catalog.get(LustreRelease, plan.filesystem.release)
    rate = catalog.get(Rate, FORMAT_RATE).value_per_s
    return {t.id: format_work(disk, release, rate) for t in plan.targets if (disk := target_of(t).ldiskfs)}


def written(work: FormatWork) -> str:
    """What a format writes: `writes 1.92 TB of inode tables and 4.29 GB of journal`."""
    parts = [(work.inode_table_bytes, "inode tables"), (work.journal_bytes, "journal")]
    named = " and ".join(f"{decimal_bytes(size)} of {what}" for size, what in parts if size)
    return f"writes {'up to ' if work.at_most else ''}{named}" if named else "writes next to nothing"


def takes(works: Collection[FormatWork]) -> str:
    """The time for formatting such targets one after the other: `about 80 min`, or `up to 80 min`."""
    seconds = sum(w.seconds for w in works)
    if seconds < _MINUTE:
        return "less than a minute"
    time = duration(seconds, minutes_below=120, two_digits=True)
    return f"{'up to' if any(w.at_most for w in works) else 'about'} {time}"


def rate(work: FormatWork) -> str:
    """The rate that a duration was worked out with: `400 MB/s`."""
    return show(work.rate, "B/s")


def sentence(work: FormatWork) -> str:
    """What a script says before it formats: bytes, rate and time."""
    return f"{written(work)}, at {rate(work)} {takes([work])}"
