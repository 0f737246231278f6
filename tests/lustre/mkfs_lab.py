"""A lab to run the scripts of `mkfs` in: loop devices, and programs that say what those of a server would."""

from __future__ import annotations

import ast
import marshal
import os
import shlex
import struct
import subprocess
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pixsize.plan.records import Plan
from pixsize.products.lustre.render.mkfs import reformatting
from tests.lustre import mkfs_recorder
from tests.lustre.mke2fs import CONF
from tests.lustre.mkfs_support import ADDRESSES, BYTES, catalog, plan
from tests.support.programs import stand_in, tool

OST0, OST2 = "/dev/mapper/sm01a1_data01", "/dev/mapper/sm01a1_data03"
"""The devices of oss01 in the plan of `mkfs_support`."""
OLD_OST = ("--ost", "--fsname=scratch", "--index=0", "--mgsnode=10.10.0.1@o2ib", "--servicenode=10.10.0.3@o2ib")
"""An earlier OST of this file system."""
FOREIGN_OST = ("--ost", "--fsname=scratch", "--index=0", "--mgsnode=10.9.0.1@o2ib", "--servicenode=10.9.0.3@o2ib")
"""An OST of another file system of the same name."""


def scripts(folder: Path, given: Plan | None = None, *labels: str) -> dict[str, Path]:
    """The scripts in a folder, by the server; with --reformat for some labels."""
    paths = {}
    for file in reformatting(labels).files(given or plan(), catalog()):
        if file.executable:
            path = folder / Path(file.path).name
            path.write_text(file.text)
            path.chmod(0o755)
            paths[path.stem] = path
    return paths


class Ran(NamedTuple):
    """How a script ended, and the calls of mkfs.lustre that came of it."""

    code: int
    out: str
    err: str
    calls: list[list[str]]


def stopped(ran: Ran, *words: str) -> None:
    """The script stopped with these words before it formatted anything, and says so."""
    assert ran.calls == [], ran.err
    assert ran.code == 1, ran.out + ran.err
    said = ran.err
    assert said.count("STOP: ") == 1
    assert "a command failed that should not" not in said
    assert said.endswith("This run has formatted nothing.\n")
    for word in words:
        assert word in said


class Lab:
    """A server: its name and address, its devices, and the programs that a real one has."""

    def __init__(self, folder: Path, server: str) -> None:
        self.folder, self.bin = folder, folder / "bin"
        self.bin.mkdir()
        (folder / "run").mkdir(mode=0o755)
        self.conf = folder / "mke2fs.conf"
        self.conf.write_text(CONF)
        self.links: dict[str, str] = {}
        self._loops: list[str] = []
        for name in ("mkfs.lustre", "tunefs.lustre"):
            self.fake(name, stand_in(mkfs_recorder.__file__))
        self.says("hostname", server)
        address = ADDRESSES.get(server, "192.0.2.1")
        self.says("ip", f"4: ib0    inet {address}/24 brd 10.10.0.255 scope global ib0\\       valid_lft forever")
        self.says("lnetctl", "show:\n    - net:\n          errno: -100\n", code=156)
        self.says("systemctl", "inactive", code=3)
        self.says("pgrep", "", code=1)
        self.says("crm_mon", "crm_mon: Connection to cluster failed", code=102)
        self.says("lctl", "", code=2)

    def fake(self, name: str, text: str) -> None:
        """Puts a program in front of the real one."""
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def says(self, name: str, text: str, code: int = 0) -> None:
        """A program that prints a text and ends with a code."""
        self.fake(name, f"#!/bin/sh\ncat <<'END'\n{text}\nEND\nexit {code}\n")

    def answers(self, name: str, words: tuple[str, ...], text: str) -> None:
        """A program that prints a text where it is called with exactly these words, and otherwise fails in silence."""
        self.fake(
            name,
            f'#!/bin/sh\n[ "$#" -eq {len(words)} ] && [ "$*" = {shlex.quote(" ".join(words))} ] || exit 2\n'
            f"printf '%s\\n' {shlex.quote(text)}\n",
        )

    def device(self, path: str, size: int, content: Iterable[tuple[int, bytes]] = (), *options: str) -> None:
        """A loop device of a size, with bytes at places, that the server knows as `path`; with options of losetup."""
        image = self.folder / f"{len(self._loops)}.img"
        with image.open("wb") as file:
            file.truncate(size)
            for place, data in content:
                file.seek(place)
                file.write(data)
        command = [tool("losetup", root=True), *options, "-f", "--show", str(image)]
        loop = subprocess.run(command, capture_output=True, text=True, check=False)
        if loop.returncode:
            pytest.skip(f"no loop device: {loop.stderr.strip()}")
        self._loops.append(loop.stdout.strip())
        self.links[path] = self._loops[-1]

    def close(self) -> None:
        """Gives the loop devices back."""
        for loop in self._loops:
            subprocess.run([tool("losetup"), "-d", loop], check=False)

    def run(self, script: Path, *options: str, before: str = "", **env: str) -> Ran:
        """The script, in a mount namespace in which the devices have their names, and /run is the server's own."""
        links = "\n".join(f"mkdir -p {Path(p).parent}; ln -s {loop} {p}" for p, loop in self.links.items())
        setting = f"""set -e
            for place in /dev/mapper /dev/disk/by-id; do mkdir -p "$place"; mount -t tmpfs none "$place"; done
            mount --bind "$RECORD/run" /run
            {links}
            {before}
            exec "$@" """
        record = self.folder / "calls"
        record.write_text("")
        done = subprocess.run(
            [tool("unshare", root=True), "-m", "bash", "-c", setting, "bash", str(script), *options],
            env={
                **os.environ,
                "PATH": f"{self.bin}:{os.environ['PATH']}:/usr/sbin:/sbin",
                "RECORD": str(self.folder),
                "MKE2FS_CONFIG": str(self.conf),
                **env,
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        calls = [ast.literal_eval(line) for line in record.read_text().splitlines()]
        return Ran(done.returncode, done.stdout, done.stderr, calls)

    def format_as(self, device: str, *words: str) -> None:
        """What an earlier life left on a device: the calls that made it are not counted."""
        ran = self.run(self.bin / "mkfs.lustre", *words, device)
        assert ran.code == 0, ran.err

    def holds(self, device: str) -> dict[str, Any]:
        """What the recorder keeps of a device that it has made a target of."""
        found: dict[str, Any] = marshal.loads(self._kept(device).read_bytes())
        return found

    def tell(self, device: str, **changes: Any) -> None:
        """Makes the recorder tell something else of a device."""
        self._kept(device).write_bytes(marshal.dumps(self.holds(device) | changes))

    def mounted(self, device: str) -> None:
        """What a first mount changes, from memory of Lustre's source: no colon in the label, no first_time in the flags.

        No recording shows a target after its first mount, so that a test with this state proves nothing of a real one.
        """
        held = self.holds(device)
        self.tell(device, target=held["target"].replace(":", "-"), flags=f"{int(held['flags'], 16) & ~0x20:#x}")

    def _kept(self, device: str) -> Path:
        return self.folder / f"{os.stat(self.links[device]).st_rdev}.kept"


@contextmanager
def oss01(folder: Path, size: int = BYTES) -> Iterator[tuple[Lab, Path]]:
    """The server oss01 with two blank devices of the planned size, and its script."""
    lab = Lab(folder, "oss01")
    try:
        lab.device(OST0, size)
        lab.device(OST2, size)
        yield lab, scripts(folder, plan(size=size))["oss01"]
    finally:
        lab.close()


Content = list[tuple[int, bytes]]


def xfs() -> Content:
    """A superblock of XFS, as blkid judges one."""
    head = struct.pack(
        ">4sIQQQ16sQQQQIIIIIHHHH",
        b"XFSB",
        4096,
        16384,
        0,
        0,
        b"u" * 16,
        8192,
        128,
        129,
        130,
        1,
        4096,
        4,
        0,
        1000,
        0xB4A5,
        512,
        512,
        8,
    )
    return [(0, head + bytes(12) + bytes([12, 9, 9, 3, 12, 0, 0, 25]))]


def gpt() -> Content:
    """A partition table with one partition, and the MBR that protects it."""
    sectors = BYTES // 512
    entry = (
        b"\xaf\x3d\xc6\x0f\x83\x84\x72\x47\x8e\x79\x3d\x69\xd8\x47\x7d\xe4"
        + b"i" * 16
        + struct.pack("<QQQ", 2048, 4095, 0)
    )
    entries = entry + bytes(72) + bytes(127 * 128)

    def header(crc: int) -> bytes:
        return struct.pack(
            "<8sIIIIQQQQ16sQIII",
            b"EFI PART",
            0x10000,
            92,
            crc,
            0,
            1,
            sectors - 1,
            34,
            sectors - 34,
            b"g" * 16,
            2,
            128,
            128,
            zlib.crc32(entries),
        )

    mbr = (
        bytes(446)
        + bytes([0, 0, 2, 0, 0xEE, 255, 255, 255])
        + struct.pack("<II", 1, sectors - 1)
        + bytes(48)
        + b"\x55\xaa"
    )
    return [(0, mbr), (512, header(zlib.crc32(header(0)))), (1024, entries)]


def lvm() -> Content:
    """The label of a physical volume of LVM."""
    rest = struct.pack("<I8s32s", 32, b"LVM2 001", b"a" * 32) + bytes(448)
    checksum = zlib.crc32(rest[: 512 - 20], 0xF597A6CF ^ 0xFFFFFFFF) ^ 0xFFFFFFFF
    return [(512, struct.pack("<8sQI", b"LABELONE", 1, checksum) + rest[: 512 - 20])]


def md() -> Content:
    """The superblock of a member of a Linux RAID, version 1.2."""
    head = struct.pack("<IIII16s32sQIIQII", 0xA92B4EFC, 1, 0, 0, b"r" * 16, b"host:0", 0, 1, 0, 8192, 0, 2)
    return [(4096, head + bytes(128 - len(head)) + struct.pack("<QQQ", 2048, 8192, 8) + bytes(256))]
