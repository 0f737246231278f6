"""The stand-in for mkfs.lustre and tunefs.lustre prints, word for word, what the real programs printed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pixsize.products.lustre.records import LustreRelease
from tests.lustre.mke2fs import line
from tests.lustre.mkfs_lab import Lab
from tests.lustre.mkfs_support import RELEASES, catalog
from tests.support.programs import tool

RECORDED = Path(__file__).parent / "recorded"
DEVICE = "/dev/mapper/x"
SIZE = 20480 * 2**20
MGS_NODES = ("10.10.0.2@o2ib", "10.10.0.1@o2ib")
KINDS = {
    "mgs": (("--mgs",), False, ("10.10.0.1@o2ib", "10.10.0.2@o2ib")),
    "mdtmgs": (("--mdt", "--mgs", "--fsname=scratch", "--index=0"), False, ("10.10.0.1@o2ib", "10.10.0.2@o2ib")),
    "mdt": (("--mdt", "--fsname=scratch", "--index=1"), True, ("10.10.0.1@o2ib", "10.10.0.2@o2ib")),
    "ost": (("--ost", "--fsname=scratch", "--index=30"), True, ("10.10.0.3@o2ib", "10.10.0.4@o2ib")),
}
"""What the recorded targets were made with: the kind, whether it was told the MGS, and its service nodes."""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    made = Lab(tmp_path, "oss01")
    try:
        made.device(DEVICE, SIZE)
        yield made
    finally:
        made.close()


def words(kind: str) -> list[str]:
    own, told, nodes = KINDS[kind]
    mgs = [f"--mgsnode={n}" for n in MGS_NODES] if told else []
    return [*own, *mgs, *(f"--servicenode={n}" for n in nodes), DEVICE]


def test_every_recording_is_compared() -> None:
    names = {
        f"{version}-{kind}.{program}.txt" for version in RELEASES for kind in KINDS for program in ("mkfs", "tunefs")
    }
    assert {p.name for p in RECORDED.iterdir()} == names


@pytest.mark.real
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", RELEASES)
def test_the_stand_in_prints_what_the_real_programs_printed(version: str, kind: str, lab: Lab) -> None:
    made = lab.run(lab.bin / "mkfs.lustre", *words(kind), RELEASE=version)
    recorded = (RECORDED / f"{version}-{kind}.mkfs.txt").read_text()
    assert f"{made.out}rc {made.code}\n" == recorded
    assert made.err == ""
    read = lab.run(lab.bin / "tunefs.lustre", "--dryrun", DEVICE, RELEASE=version)
    recorded = (RECORDED / f"{version}-{kind}.tunefs.txt").read_text()
    assert f"{read.out}rc {read.code}\n" == recorded
    assert read.err == ""


@pytest.mark.real
def test_the_device_of_the_recordings_is_really_formatted(lab: Lab) -> None:
    """So that what is printed of mke2fs was also done, as far as the stock one can."""
    assert lab.run(lab.bin / "mkfs.lustre", *words("ost")).code == 0
    command = [tool("dumpe2fs"), "-h", lab.links[DEVICE]]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    told = {line.partition(":")[0]: line.partition(":")[2].strip() for line in shown.splitlines()}
    wanted = {"Block count": "5242880", "Inode size": "512", "Filesystem volume name": "scratch:OST001e"}
    assert {key: told[key] for key in wanted} == wanted


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", RELEASES)
def test_the_records_of_the_releases_say_the_words_of_the_recordings(version: str, kind: str) -> None:
    """But for ^fast_commit, which only an mke2fs that knows the feature is told, and for what changes no size."""
    recorded = (RECORDED / f"{version}-{kind}.mkfs.txt").read_text()
    (printed,) = (text.split()[1:] for text in recorded.splitlines() if text.startswith("\toptions"))
    own = line(catalog().get(LustreRelease, f"lustre-{version}"), {"mgs": "mgt", "ost": "ost"}.get(kind, "mdt"), SIZE)
    assert without_lazy(" ".join(own).replace(",^fast_commit", "")) == without_lazy(" ".join(printed).replace('"', ""))


def without_lazy(words: str) -> str:
    return re.sub(r" -E (?= *-F)", " ", re.sub(r",?lazy_\w+(=0)?", "", words)).replace("  ", " ")


@pytest.mark.parametrize(("version", "tables", "journal"), [("2.15.8", "all", "all"), ("2.10.8", "at_most", "none")])
def test_the_records_say_of_a_format_what_the_recordings_show(version: str, tables: str, journal: str) -> None:
    written = catalog().get(LustreRelease, f"lustre-{version}").at_format
    assert (written.inode_tables, written.journal) == (tables, journal)
    for kind in KINDS:
        recorded = (RECORDED / f"{version}-{kind}.mkfs.txt").read_text()
        assert ('lazy_itable_init="0"' in recorded) == (tables == "all")
        assert ('lazy_journal_init="0"' in recorded) == (journal == "all")
        assert "lazy_journal_init" in recorded
