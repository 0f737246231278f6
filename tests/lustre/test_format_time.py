"""What formatting a target writes, how long that takes, and the words for it."""

from __future__ import annotations

import re

import pytest

from pixsize.catalog.run_book import Rate
from pixsize.plan.records import Plan
from pixsize.products.lustre.ldiskfs import formatted, kept
from pixsize.products.lustre.records import AtFormat, LustreRelease
from pixsize.products.lustre.render.format_time import (
    FORMAT_RATE,
    FormatWork,
    format_work,
    format_works,
    sentence,
    takes,
    written,
)
from pixsize.products.lustre.render.mkfs import RENDERER
from pixsize.render.template import duration
from tests.lustre.lustre_plan import OTHER_FILESYSTEM
from tests.lustre.mkfs_support import catalog, plan
from tests.support.changing import replace

GB = 10**9
MDT, OST = 4_791_409_311_744, 63_999_999_737_856


def release(version: str) -> LustreRelease:
    return catalog().get(LustreRelease, f"lustre-{version}")


def work(version: str, kind: str, size: int, rate: int = GB) -> FormatWork:
    return format_work(formatted(release(version), kind, size, mmp=True), release(version), rate)


@pytest.mark.parametrize("kind", ["mgt", "mdt", "ost"])
@pytest.mark.parametrize("size", [64 * 2**20, 20 * 2**30, MDT])
def test_the_bytes_are_the_blocks_of_inode_tables_and_journal(kind: str, size: int) -> None:
    made, parts = work("2.15.8", kind, size), kept(release("2.15.8"), kind, size)
    assert (made.inode_table_bytes, made.journal_bytes) == (parts.inode_tables * 4096, parts.journal * 4096)


def test_the_newest_release_writes_all_of_it_while_it_formats() -> None:
    """1.92 TB on an MDT of 4.79 TB, and 31 GB on an OST of 64 TB: mkfs.lustre 2.15.8 gives lazy_itable_init="0"."""
    mdt, ost = work("2.15.8", "mdt", MDT), work("2.15.8", "ost", OST)
    assert (round(mdt.inode_table_bytes / GB), mdt.journal_bytes, mdt.at_most) == (1916, 2**32, False)
    assert (round(ost.inode_table_bytes / GB), ost.journal_bytes, ost.at_most) == (31, 2**30, False)
    assert mdt.seconds == -(-(mdt.inode_table_bytes + mdt.journal_bytes) // GB)
    assert sentence(mdt) == "writes 1.92 TB of inode tables and 4.29 GB of journal, at 1 GB/s about 33 min"


@pytest.mark.parametrize(("version", "journal", "minutes"), [("2.10.8", 0, 32), ("2.12.9", 2**32, 33)])
def test_of_older_releases_it_is_at_most_that(version: str, journal: int, minutes: int) -> None:
    """2.10.8 gives lazy_journal_init and leaves inode tables to mke2fs; of 2.12 nobody has read it."""
    made = work(version, "mdt", MDT)
    assert (made.at_most, made.journal_bytes) == (True, journal)
    assert written(made).startswith("writes up to 1.92 TB of inode tables")
    assert takes([made]) == f"up to {minutes} min"


def test_a_release_whose_way_nobody_read_promises_nothing() -> None:
    assert AtFormat() == AtFormat(inode_tables="at_most", journal="at_most")
    none = release("2.15.8").model_copy(update={"at_format": AtFormat(inode_tables="none", journal="none")})
    made = format_work(formatted(none, "mdt", MDT, mmp=True), none, GB)
    assert (made.seconds, sentence(made)) == (0, "writes next to nothing, at 1 GB/s less than a minute")


@pytest.mark.parametrize(
    ("seconds", "formats", "steps"),
    [
        (60, "1 min", "1 min"),
        (61, "2 min", "2 min"),
        (3540, "59 min", "59 min"),
        (3541, "60 min", "1 h"),
        (7140, "119 min", "1 h 59 min"),
        (7200, "2 h 00 min", "2 h"),
        (7201, "2 h 01 min", "2 h 1 min"),
        (90_000, "25 h 00 min", "25 h"),
        (3_600_000, "1,000 h 00 min", "1,000 h"),
    ],
)
def test_durations_are_rounded_up_to_minutes(seconds: int, formats: str, steps: str) -> None:
    """Formats are named in minutes below two hours, steps of the run book below one."""
    one = FormatWork(inode_table_bytes=GB, journal_bytes=0, at_most=False, seconds=seconds, rate=GB)
    assert takes([one]) == f"about {formats}"
    assert duration(seconds) == steps


def test_targets_of_one_server_are_formatted_one_after_the_other() -> None:
    one = FormatWork(inode_table_bytes=40 * GB, journal_bytes=0, at_most=False, seconds=100, rate=4 * 10**8)
    assert takes([one] * 16) == "about 27 min"
    assert takes([one, one._replace(at_most=True)]) == "up to 4 min"
    assert takes([one._replace(seconds=29)] * 2) == "less than a minute"


def test_every_target_of_a_plan_has_its_work_by_its_label() -> None:
    given = plan()
    works = format_works(given, catalog())
    assert list(works) == [t.id for t in given.targets]
    assert {w.rate for w in works.values()} == {catalog().get(Rate, FORMAT_RATE).value_per_s} == {400 * 10**6}
    scale = given._replace(filesystem=OTHER_FILESYSTEM, targets=())
    assert format_works(scale, catalog()) == {}


def large(version: str) -> Plan:
    """The plan with the volumes of a real system: only numbers of a text are looked at."""
    given = plan(version)
    sizes = {"mgt": 2**33, "mdt": MDT, "ost": OST}
    kinds = {t.volume: t.kind for t in given.targets}
    volumes = tuple(v._replace(bytes=sizes[kinds[v.id]]) for v in given.volumes)
    disks = {k: formatted(release(version), k, s, mmp=True) for k, s in sizes.items()}
    targets = tuple(replace(t, ldiskfs=disks[t.kind]) for t in given.targets)
    return given._replace(volumes=volumes, targets=targets)


@pytest.mark.parametrize(
    ("version", "mdt", "ost"),
    [
        ("2.15.8", "1.92 TB of inode tables and 4.29 GB of journal", "31.25 GB of inode tables and 1.07 GB of journal"),
        ("2.10.8", "up to 1.92 TB of inode tables", "up to 31.25 GB of inode tables"),
        ("2.12.9", "up to 1.92 TB of inode tables and 4.29 GB of journal", "up to 31.25 GB of inode tables and 419.43 MB of journal"),
    ],
)  # fmt: skip
def test_scripts_and_run_book_say_how_long_it_takes(version: str, mdt: str, ost: str) -> None:
    files = {f.path.removeprefix("mkfs/"): f.text for f in RENDERER.files(large(version), catalog())}
    word = "up to" if "up to" in mdt else "about"
    minutes = {"2.15.8": "81", "2.10.8": "80", "2.12.9": "81"}[version]
    assert f'takes="writes {mdt}, at 400 MB/s {word} {minutes} min"' in files["mds01.sh"]
    book = files["README.md"]
    assert re.search(rf"\| scratch-MDT0000 \|.*\| {re.escape(mdt)} \| {word} {minutes} min \|", book)
    assert re.search(rf"\| scratch-OST0000 \|.*\| {re.escape(ost)} \| {word} 2 min \|", book)
    assert f"| 2 | `./mds01.sh` | mds01 | scratch-MDT0000 | {word} {minutes} min |" in book
    assert ('"Up to" is for Lustre' in book) == (word == "up to")
    assert "prints nothing meanwhile" in book
    said = " ".join(book.split())
    unknown = "for Lustre 2.12.9: what is written while a target is formatted is not known. It is at most this, all"
    assert (unknown in said, "the sizes of 2.10.8;" in said) == 2 * (version == "2.12.9",)
    assert ("lazy_itable_init" in said, "leave inode tables to the kernel" in said) == 2 * (version == "2.10.8",)
    assert ("mke2fs may write inode tables and journal" in said) == (version == "2.12.9")
