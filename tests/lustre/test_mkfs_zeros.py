"""The scripts of `mkfs` look into devices without a signature: what is not all zeros stops them, once, in one table."""

from __future__ import annotations

import io
import os
import random
import re
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pixsize.render import template
from tests.lustre.mkfs_lab import OST0, OST2, Content, Lab, Ran, oss01, scripts, stopped, xfs
from tests.lustre.mkfs_support import BYTES, KIB, MIB, plan
from tests.support.programs import tool

pytestmark = pytest.mark.real

SAMPLE = 64 * KIB
GIB = 2**30
SIZE = 64 * MIB
"""Of large devices: of these the scripts look at samples. Others they read whole, which takes a hundredth of the time."""


@pytest.fixture
def large_oss(tmp_path: Path) -> Iterator[tuple[Lab, Path]]:
    """The server oss01 with two large devices, and its script."""
    with oss01(tmp_path, SIZE) as made:
        yield made


def large_script(folder: Path) -> Path:
    """The script of oss01 for large devices."""
    return scripts(folder, plan(size=SIZE))["oss01"]


def archive() -> Content:
    """A tar of one file of 3 MB, written to the device itself."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as tar:
        name = tarfile.TarInfo("results/run1.dat")
        name.size = 3 * 10**6
        tar.addfile(name, io.BytesIO(b"x" * name.size))
    return [(0, held.getvalue())]


def encrypted() -> Content:
    """A dm-crypt volume without a header: as good as random numbers from end to end."""
    return [(0, random.Random(1).randbytes(SIZE))]


def nsd() -> Content:
    """An NSD of GPFS before release 4.1: descriptors in its first sectors, without a partition table (mmcrnsd)."""
    head = bytes.fromhex("0a0a00034f9c1e2d") + b"NSD descriptor for /dev/sdq created by GPFS Fri Mar  2 10:11:12 2012\n"
    return [(1024, head), (4 * SAMPLE + 4096, b"\x11\x22SG descriptor" * 30)]


def further_behind() -> Content:
    """Zeros, and then data to the end: what dd if=/dev/zero leaves when it was stopped."""
    return [(40 * MIB, b"\x5a" * (24 * MIB))]


CONTENTS = {
    "tar": (archive, 0),
    "dm-crypt": (encrypted, 0),
    "nsd": (nsd, 1024),
    "zeros and then data": (further_behind, None),
}


def rows(ran: Ran) -> dict[str, tuple[int, int, int]]:
    """The rows of the table: the target, samples that are not zero, all samples, first such byte."""
    found = re.findall(r"(?m)^ +(scratch-\S+|MGS) +(\d+) of (\d+) +(\d+) ", ran.err)
    return {label: (int(filled), int(samples), int(first)) for label, filled, samples, first in found}


@pytest.mark.parametrize("content", CONTENTS)
def test_what_has_no_signature_is_not_blank(content: str, lab: Lab, tmp_path: Path) -> None:
    made, first = CONTENTS[content]
    lab.device(OST0, SIZE)
    lab.device(OST2, SIZE, made())
    seen = subprocess.run([tool("blkid"), "-p", lab.links[OST2]], capture_output=True, text=True, check=False)
    signs = subprocess.run([tool("wipefs"), "-n", lab.links[OST2]], capture_output=True, text=True, check=False)
    assert (seen.returncode, signs.stdout) == (2, ""), "it has a signature, and so proves nothing"
    ran = lab.run(large_script(tmp_path))
    stopped(ran, "not all zeros, though no signature shows on it: scratch-OST0002\n", OST2, "--not-zero")
    ((label, (filled, samples, at)),) = rows(ran).items()
    assert (label, samples) == ("scratch-OST0002", 256)
    assert filled >= 1
    assert at == first if first is not None else 40 * MIB <= at < 41 * MIB


def test_no_option_but_not_zero_and_only_passes_what_is_not_blank(lab: Lab, tmp_path: Path) -> None:
    lab.device(OST0, BYTES)
    lab.device(OST2, BYTES, archive())
    script = scripts(tmp_path)["oss01"]
    for option in ("--check", "--resume"):
        ran = lab.run(script, option)
        stopped(ran, "not all zeros, though no signature shows on it: scratch-OST0002\n", OST2, "--not-zero")
        ((label, (_, samples, at)),) = rows(ran).items()
        assert (label, samples, at) == ("scratch-OST0002", 256, 0)
    one = lab.run(script, "--only", "scratch-OST0000")
    assert (one.code, [c[-1] for c in one.calls]) == (0, [OST0])


def test_one_table_names_them_all(lab: Lab, tmp_path: Path) -> None:
    lab.device(OST0, SIZE, further_behind())
    lab.device(OST2, SIZE, archive())
    ran = lab.run(large_script(tmp_path), "--check")
    stopped(ran, "not all zeros, though no signature shows on it: scratch-OST0000 scratch-OST0002\n")
    assert list(rows(ran)) == ["scratch-OST0000", "scratch-OST0002"]


def test_not_zero_goes_on_for_its_labels_alone(lab: Lab, tmp_path: Path) -> None:
    lab.device(OST0, BYTES, nsd())
    lab.device(OST2, BYTES, archive())
    script = scripts(tmp_path)["oss01"]
    ran = lab.run(script, "--not-zero", "scratch-OST0000")
    stopped(ran, "not all zeros, though no signature shows on it: scratch-OST0002\n")
    assert list(rows(ran)) == ["scratch-OST0000", "scratch-OST0002"]
    assert re.search(r"scratch-OST0000 .* --not-zero ", ran.err)
    assert re.search(r"scratch-OST0002 .* stops ", ran.err)
    assert lab.run(script, "--check", "--not-zero", "all").code == 0
    ran = lab.run(script, "--not-zero", "scratch-OST0000", "--not-zero", "scratch-OST0002")
    assert (ran.code, ran.err, [c[-1] for c in ran.calls]) == (0, "", [OST0, OST2])
    assert "formatted all the same, as --not-zero says" in ran.out


def test_not_zero_never_passes_a_signature_a_holder_or_a_mount(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    holders = f"/sys/block/{Path(lab.links[OST2]).name}/holders"
    held = f"mount -t tmpfs none {holders}; mkdir {holders}/md0"
    stopped(lab.run(script, "--not-zero", "all", before=held), f"{OST2} is in use, or has partitions: holders/md0")
    mounted = f"mkdir -p $RECORD/place; mount -t tmpfs {lab.links[OST2]} $RECORD/place"
    stopped(lab.run(script, "--not-zero", "all", before=mounted), f"{OST2} is in use: mounted on ")
    with Path(lab.links[OST2]).open("r+b") as disk:
        disk.write(xfs()[0][1])
    stopped(lab.run(script, "--not-zero", "all"), f"{OST2} is not blank.", 'TYPE="xfs"')


@pytest.mark.parametrize("words", [("--not-zero",), ("--not-zero", "scratch-OST0001"), ("--not-zero", "*")])
def test_not_zero_wants_a_label_of_the_script(words: tuple[str, ...], oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    ran = lab.run(script, *words)
    assert (ran.code, ran.out, ran.calls) == (2, "", [])
    assert "usage: oss01.sh" in ran.err


def test_wipefs_alone_makes_no_device_blank(oss: tuple[Lab, Path]) -> None:
    """It takes the signatures away: that is why the run book does not stop there."""
    lab, script = oss
    subprocess.run([tool("mke2fs"), "-q", "-F", "-t", "ext4", lab.links[OST2]], check=True)
    stopped(lab.run(script), "is not blank")
    subprocess.run([tool("wipefs"), "-q", "-a", lab.links[OST2]], check=True, capture_output=True)
    ran = lab.run(script)
    stopped(ran, "not all zeros")
    assert list(rows(ran)) == ["scratch-OST0002"]
    ran = lab.run(script, "--not-zero", "scratch-OST0002")
    assert (ran.code, ran.err, len(ran.calls)) == (0, "", 2)


def test_data_that_comes_while_another_is_formatted_stops_it(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    (lab.folder / "real").mkdir()
    program = (lab.bin / "mkfs.lustre").rename(lab.folder / "real" / "mkfs.lustre")
    change = f"yes | head -c 1M | /bin/dd of={lab.links[OST2]} bs=1M seek=15 count=1 iflag=fullblock 2>/dev/null"
    lab.fake("mkfs.lustre", f'#!/bin/sh\n{change}\nexec {program} "$@"\n')
    ran = lab.run(script)
    assert (ran.code, [c[-1] for c in ran.calls]) == (1, [OST0]), ran.err
    assert rows(ran) == {"scratch-OST0002": (16, 256, 15 * MIB)}
    assert ran.err.endswith("This run formatted, exactly as planned: scratch-OST0000\n")


# --- the look itself -------------------------------------------------------------------------------------------------


def look(device: str, size: int) -> str:
    """What the shell's function says of a device."""
    text = template.fill("shell/zeros.sh.j2", {}) + '\nlook_into "$1" "$2" || echo failed\n'
    command = ["bash", "-Eeuo", "pipefail", "-c", text, "bash", device, str(size)]
    # As in the scripts: in another locale each of the 226 reads opens a dozen files first.
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"})
    return done.stdout.strip()


def places(size: int) -> list[int]:
    """Where samples have to lie, worked out a second time: 16 in the first MiB, 16 in the last, 224 between."""
    between = [MIB + (size - 2 * MIB) // 224 * turn for turn in range(224)]
    first, last = range(0, MIB, SAMPLE), range(size - MIB, size, SAMPLE)
    return [*first, *(place // SAMPLE * SAMPLE for place in between), *last]


@pytest.mark.parametrize(
    "size", [512, 48 * KIB + 512, 10 * MIB + 512, 16 * MIB, 16 * MIB + 512, 17 * MIB, 3 * GIB + 5 * 512, 15 * 2**40]
)
def test_a_device_of_zeros_is_all_zeros(size: int, lab: Lab) -> None:
    lab.device("/dev/mapper/x", size)
    samples = 256 if size > 16 * MIB else -(-size // SAMPLE)
    assert look(lab.links["/dev/mapper/x"], size) == f"{samples} 0 none"


@pytest.mark.parametrize("size", [48 * KIB + 512, 10 * MIB + 512, 16 * MIB])
def test_a_small_device_is_read_whole(size: int, lab: Lab) -> None:
    for place in (0, 1, size // 2, size - 1):
        lab.device(f"/dev/mapper/{place}", size, [(place, b"\x01")])
        assert look(lab.links[f"/dev/mapper/{place}"], size) == f"{-(-size // SAMPLE)} 1 {place}"


@pytest.mark.parametrize("size", [16 * MIB + 512, 3 * GIB + 5 * 512, 2**43 + 4096])
def test_every_sample_is_seen_at_its_place(size: int, lab: Lab) -> None:
    """One alone on either side of where the three parts meet, and at the end; all of them at once.

    The first part and the end are told in the same way for every size.
    """
    where = places(size)
    assert len(where) == len(set(where)) == 256
    for number in (15, 16, 239, 240, 255) if size < GIB else (239, 240):
        place = where[number] + 77 * number
        lab.device(f"/dev/mapper/{number}", size, [(place, b"\x80")])
        assert look(lab.links[f"/dev/mapper/{number}"], size) == f"256 1 {place}"
    lab.device("/dev/mapper/all", size, [(place + SAMPLE - 1, b"\x01") for place in where])
    assert look(lab.links["/dev/mapper/all"], size) == f"256 256 {SAMPLE - 1}"


def test_samples_that_are_all_alike_are_counted_too(lab: Lab) -> None:
    """od shows lines that repeat once."""
    lab.device("/dev/mapper/x", SIZE, [(0, b"\xff" * SIZE)])
    lab.device("/dev/mapper/y", SIZE, [(512 * KIB, b"\xff" * 512 * KIB)])
    assert look(lab.links["/dev/mapper/x"], SIZE) == "256 256 0"
    assert look(lab.links["/dev/mapper/y"], SIZE) == f"256 8 {512 * KIB}"


def test_a_device_with_sectors_of_4_kib(lab: Lab) -> None:
    size = 3 * GIB + 5 * 4096
    lab.device("/dev/mapper/x", size, [(size - 1, b"\x01")], "-b", "4096")
    assert look(lab.links["/dev/mapper/x"], size) == f"256 1 {size - 1}"


def test_a_device_that_ends_early_fails(lab: Lab) -> None:
    lab.device("/dev/mapper/x", 32 * MIB)
    assert look(lab.links["/dev/mapper/x"], 33 * MIB) == "failed"
    assert look("/dev/nowhere", 33 * MIB) == "failed"


def test_a_device_that_cannot_be_read_stops_the_script(large_oss: tuple[Lab, Path]) -> None:
    lab, script = large_oss
    lab.fake("dd", f'#!/bin/sh\ncase "$*" in *{OST2}*skip=5*) echo I/O error >&2; exit 1 ;; esac\nexec /bin/dd "$@"\n')
    stopped(lab.run(script), f"scratch-OST0002: {OST2} cannot be read.", "dmesg")


def test_reads_are_direct_and_few(large_oss: tuple[Lab, Path]) -> None:
    """So that neither a cache answers nor the look takes long on 32 devices."""
    lab, script = large_oss
    lab.fake("dd", '#!/bin/sh\necho "$@" >>"$RECORD/reads"\nexec /bin/dd "$@"\n')
    assert lab.run(script, "--check").code == 0
    reads = (lab.folder / "reads").read_text().splitlines()
    assert all("iflag=direct" in r and "bs=65536" in r for r in reads)
    for device in (OST0, OST2):
        counts = [int(m[1]) for r in reads if f"if={device} " in r and (m := re.search(r"count=(\d+)", r))]
        assert sum(counts) == 256


def test_targets_that_stay_or_are_to_be_destroyed_are_not_looked_into(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    assert lab.run(script, "--only", "scratch-OST0000").code == 0
    ran = lab.run(script, "--resume", "--check")
    assert re.findall(r"all zeros in 256 samples: (\S+)", ran.out) == ["scratch-OST0002"]
    old = scripts(lab.folder, None, "scratch-OST0000")["oss01"]
    ran = lab.run(old, "--check")
    assert re.findall(r"all zeros in 256 samples: (\S+)", ran.out) == ["scratch-OST0002"]
