"""PowerFlex: the scripts that run on every server, as root, on loop devices and beside programs that note their calls."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.lustre.render_lustre import Shell, powerflex
from tests.powerflex.test_files import HERE, files_of
from tests.support.programs import tool


def test_the_sdc_is_told_its_mdms_once(tmp_path: Path) -> None:
    text = files_of(powerflex())["06-sdc.sh"].text
    shell = Shell(tmp_path, ip=HERE, systemctl="", drv_cfg="", id="echo 0")
    drv = {"DRV_CFG": str(shell.bin / "drv_cfg")}
    done = shell.run(text, **drv)
    assert (done.returncode, done.stderr) == (0, "")
    assert [c[1:] for c in shell.calls("drv_cfg", "systemctl")] == [
        ["--query_mdms"],
        ["--add_mdm", "--ip", "10.20.0.3,10.20.0.5", "--file", "/bin/emc/scaleio/drv_cfg.txt"],
        ["restart", "scini"],
        ["--query_mdms"],
    ]
    shell.program("drv_cfg", "echo 'MDM-ID 5a1 SDC ID 2 IPs [0]-10.20.0.3 [1]-10.20.0.5'")
    assert shell.run(text, **drv).returncode == 0
    told = [["--query_mdms"], ["restart", "scini"], ["--query_mdms"]]
    assert [c[1:] for c in shell.calls("drv_cfg", "systemctl")] == told
    shell.program("ip", HERE.replace("10.20.0.3", "10.20.0.9"))
    assert shell.run(text, **drv).returncode == 1
    dry = shell.run(text, "--dry-run", **drv)
    assert (dry.returncode, shell.calls()) == (0, [])
    assert "--ip 10.20.0.3\\,10.20.0.5" in dry.stdout


SDC = """\
case "$1" in
--add_mdm) echo "MDM-ID 5a1 IPs [0]-10.20.0.3 [1]-10.20.0.5" >"$TOLD" ;;
--query_mdms) cat "$TOLD" ;;
esac
"""


def test_after_a_restart_that_failed_the_scripts_own_advice_restarts_the_sdc(tmp_path: Path) -> None:
    text = files_of(powerflex())["06-sdc.sh"].text
    shell = Shell(tmp_path, ip=HERE, systemctl="exit 5", drv_cfg=SDC, id="echo 0")
    drv = {"DRV_CFG": str(shell.bin / "drv_cfg"), "TOLD": str(tmp_path / "told")}
    failed = shell.run(text, **drv)
    assert "STOP: step 2 of 2 failed with exit code 5" in failed.stderr
    assert "Then start again with --from 2" in failed.stderr
    shell.program("systemctl", "")
    for options in (("--from", "2"), ()):
        done = shell.run(text, *options, **drv)
        assert (done.returncode, done.stderr) == (0, "")
        assert [c[1:] for c in shell.calls("systemctl")] == [["restart", "scini"]]
        assert not [c for c in shell.calls("drv_cfg") if c[1] == "--add_mdm"]
    assert shell.run(text, "--from", "3", **drv).returncode == 0
    assert shell.calls("systemctl") == []


@pytest.mark.parametrize(
    "shown",
    ["[0]-10.20.0.3", "[0]-10.20.0.30 [1]-10.20.0.5", "[0]-10.20.0.3 [1]-110.20.0.4", "[0]-10.20.0.4", "none yet"],
)
def test_an_sdc_that_knows_not_all_of_its_mdms_is_told(shown: str, tmp_path: Path) -> None:
    shell = Shell(tmp_path, ip=HERE, systemctl="", drv_cfg=f"echo 'MDM-ID 5a1 IPs {shown}'", id="echo 0")
    done = shell.run(files_of(powerflex())["06-sdc.sh"].text, DRV_CFG=str(shell.bin / "drv_cfg"))
    assert done.returncode == 0
    assert [c[1] for c in shell.calls("drv_cfg")] == ["--query_mdms", "--add_mdm", "--query_mdms"]


PRIVATE = """
mount -t tmpfs none /sys/block && mkdir -p "$3" && mount -t tmpfs none "$3" || exit 99
for kept in null zero; do cp -a /dev/$kept "$3"; done
number=0
for loop in $2; do
    mknod "$3/nvme${number}n1" b $(stat -c '0x%t 0x%T' $loop)
    mkdir /sys/block/nvme${number}n1
    echo 0 >/sys/block/nvme${number}n1/hidden
    number=$((number + 1))
done
for path in ${PATHS-}; do
    mkdir "/sys/block/${path%=*}"
    [ "$path" = "${path%=*}" ] || echo "${path#*=}" >"/sys/block/${path%=*}/hidden"
done
mount --move "$3" /dev && exec bash "$1" "${@:4}"
"""


class Drives:
    """Loop devices that a script sees as the NVMe drives of a server, and a server's own address."""

    def __init__(self, folder: Path, sizes: list[int]) -> None:
        self.shell = Shell(folder, ip=HERE)
        self.images = [folder / f"drive{n}" for n in range(len(sizes))]
        for image, size in zip(self.images, sizes, strict=True):
            with image.open("wb") as file:
                file.truncate(size)
        self.loops = [self._loop(i) for i in self.images]

    def _loop(self, image: Path) -> str:
        made = subprocess.run([tool("losetup"), "-f", "--show", image], capture_output=True, text=True, check=False)
        if made.returncode:
            pytest.skip(f"no loop device: {made.stderr}")
        return made.stdout.strip()

    def close(self) -> None:
        for loop in self.loops:
            subprocess.run([tool("losetup"), "-d", loop], check=True)

    def run(self, text: str, *options: str, paths: str = "") -> subprocess.CompletedProcess[str]:
        script = self.shell.folder / "check.sh"
        script.write_text(text)
        command = [
            tool("unshare", root=True),
            "-m",
            "bash",
            "-c",
            PRIVATE,
            "bash",
            str(script),
            " ".join(self.loops),
            str(self.shell.folder / "dev"),
            *options,
        ]
        environment = {"PATH": f"{self.shell.bin}:{os.environ['PATH']}:/usr/sbin:/sbin", "PATHS": paths}
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)
        if done.returncode == 99:
            pytest.skip(f"no mounts of its own: {done.stderr}")
        return done


TABLE = r"\x00\x00\x02\x00\x83\x00\x00\x00\x00\x08\x00\x00\x00\x08\x00\x00" + r"\x00" * 48 + r"\x55\xaa"
"""The one partition of a DOS label, from its first entry to the end of the sector."""


def check_drives() -> str:
    """The check for two drives of 64 MB, which is small enough for a test."""
    text = files_of(powerflex(drives=2))["03-check-drives.sh"].text
    assert "readonly BYTES=2000000000000 " in text
    return text.replace("readonly BYTES=2000000000000 ", "readonly BYTES=64000000 ")


@pytest.mark.real
@pytest.mark.parametrize(
    ("sizes", "spoil", "complaint"),
    [
        ([64 * 10**6, 64_300_032], "", ""),
        ([64 * 10**6], "", "oss01 has no drive /dev/nvme1n1"),
        ([64 * 10**6, 80 * 10**6], "", "/dev/nvme1n1 has 80000000 bytes; planned are 64000000"),
        ([64 * 10**6, 59_999_744], "", "/dev/nvme1n1 has 59999744 bytes; planned are 64000000"),
        ([64 * 10**6] * 3, "", "oss01 has an NVMe drive that is not planned: /dev/nvme2n1"),
        ([64 * 10**6] * 2, "mke2fs -q -F {drive}", "/dev/nvme1n1 is not blank"),
        ([64 * 10**6] * 2, "mkswap -q {drive} || mkswap {drive}", "/dev/nvme1n1 is not blank"),
        ([64 * 10**6] * 2, "printf '%b' '{table}' | dd of={drive} bs=1 seek=446 conv=notrunc", "/dev/nvme1n1 is not blank"),
    ],
)  # fmt: skip
def test_drives_are_as_planned_or_the_check_stops(sizes: list[int], spoil: str, complaint: str, tmp_path: Path) -> None:
    drives = Drives(tmp_path, sizes)
    try:
        if spoil:
            environment = {"PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
            subprocess.run(
                ["bash", "-c", spoil.format(drive=drives.images[1], table=TABLE)],
                check=True,
                env=environment,
                capture_output=True,
            )
        done = drives.run(check_drives())
    finally:
        drives.close()
    if complaint:
        assert done.returncode == 1, done.stdout
        assert f"STOP: {complaint}" in done.stderr
    else:
        assert (done.returncode, done.stderr) == (0, "")
        assert "All 2 drives of oss01 are as planned." in done.stdout


@pytest.mark.real
@pytest.mark.parametrize(
    ("paths", "surplus"),
    [
        ("nvme0c0n1=1 nvme1c1n1=1", ""),
        ("nvme0c0n1=1 nvme2n1=0", "nvme2n1"),
        ("nvme2n1", "nvme2n1"),
    ],
)
def test_the_paths_of_a_drive_are_no_drives(paths: str, surplus: str, tmp_path: Path) -> None:
    """With native NVMe multipath /sys/block has a hidden entry for each; an old kernel has no file `hidden`."""
    drives = Drives(tmp_path, [64 * 10**6] * 2)
    try:
        done = drives.run(check_drives(), paths=paths)
    finally:
        drives.close()
    stopped = f"STOP: oss01 has an NVMe drive that is not planned: /dev/{surplus}"
    assert (done.returncode, stopped in done.stderr) == (int(bool(surplus)), bool(surplus)), done.stderr


CONTENTS = {
    "tar": "tar -cf - {folder} | dd of={drive} conv=notrunc",
    "dm-crypt": "head -c 64000000 /dev/urandom | dd of={drive} bs=1M conv=notrunc",
    "nsd": "printf 'NSD descriptor for /dev/sdq created by GPFS' | dd of={drive} bs=1 seek=1024 conv=notrunc",
    "zeros and then data": "yes | head -c 20M | dd of={drive} bs=1M seek=40 conv=notrunc",
    "wipefs": "mke2fs -q -F {drive}; wipefs -a {drive}",
}


@contextmanager
def spoiled_drives(content: str, folder: Path) -> Iterator[Drives]:
    """Two planned drives, of which the second holds something that has no signature."""
    (folder / "held").write_text("x" * 10**6)
    drives = Drives(folder, [64 * 10**6, 64_300_032])
    environment = {"PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
    spoil = CONTENTS[content].format(drive=drives.images[1], folder=folder / "held")
    try:
        subprocess.run(["bash", "-c", spoil], check=True, env=environment, capture_output=True)
        yield drives
    finally:
        drives.close()


def stopped_at_the_second(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 1, done.stdout
    assert "STOP: not all zeros, though no signature shows on it: /dev/nvme1n1\n" in done.stderr
    assert re.search(r"(?m)^ +/dev/nvme1n1 +[1-9]\d* of 256 +\d+ +stops this script$", done.stderr)
    assert "all zeros in 256 samples: /dev/nvme0n1\n" in done.stdout


@pytest.mark.real
@pytest.mark.parametrize("content", CONTENTS)
def test_a_drive_without_a_signature_is_not_blank_unless_it_is_all_zeros(content: str, tmp_path: Path) -> None:
    with spoiled_drives(content, tmp_path) as drives:
        stopped_at_the_second(drives.run(check_drives()))


@pytest.mark.real
def test_not_zero_passes_the_drive_that_it_names_alone(tmp_path: Path) -> None:
    with spoiled_drives("tar", tmp_path) as drives:
        stopped_at_the_second(drives.run(check_drives(), "--not-zero", "/dev/nvme0n1"))
        this = drives.run(check_drives(), "--not-zero", "/dev/nvme1n1")
    assert (this.returncode, this.stderr) == (0, "")
    assert "All 2 drives of oss01 are as planned." in this.stdout


@pytest.mark.real
def test_not_zero_passes_no_signature_and_takes_planned_drives_alone(tmp_path: Path) -> None:
    drives = Drives(tmp_path, [64 * 10**6] * 2)
    try:
        subprocess.run([tool("mke2fs"), "-q", "-F", str(drives.images[1])], check=True, capture_output=True)
        done = drives.run(check_drives(), "--not-zero", "all")
        wrong = [
            drives.run(check_drives(), *words) for words in (("--not-zero",), ("--not-zero", "/dev/nvme2n1"), ("-x",))
        ]
    finally:
        drives.close()
    assert done.returncode == 1
    assert "STOP: /dev/nvme1n1 is not blank" in done.stderr
    assert [(w.returncode, w.stdout) for w in wrong] == [(2, "")] * 3


def test_a_server_that_is_not_planned_is_not_checked(tmp_path: Path) -> None:
    shell = Shell(tmp_path, ip=HERE.replace("10.20.0.3", "10.20.0.1"), id="echo 0")
    done = shell.run(check_drives())
    assert done.returncode == 1
    assert "STOP: this server has no address of oss01, oss02, oss03 and oss04." in done.stderr
