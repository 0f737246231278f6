"""Plans of Lustre small enough to know by heart, and shells to run what is rendered from them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.load import load_catalog
from pixsize.plan.records import Plan, Pool, Server, SwitchSet, Target, Volume
from pixsize.products.lustre.plan import LustreFilesystem, LustreServer, LustreTarget, Network
from pixsize.products.powerflex.plan import PowerFlexPool
from tests.support.programs import tool

GIB = 2**30


@lru_cache(maxsize=1)
def shipped() -> Catalog:
    return load_catalog()[0]


def filesystem(**changes: Any) -> LustreFilesystem:
    words: dict[str, Any] = {
        "name": "fast",
        "version": "2.10.8",
        "release": "lustre-2.10.8",
        "dne": True,
        "mgt_own": True,
        "failover": True,
        "management": "none",
        "stripe_count": 1,
        "stripe_bytes": 4 * 2**20,
        "network": Network("o2ib", "ib0"),
        "storage_interface": "p1p1",
    }
    return LustreFilesystem(**words | changes)


def powerflex(count: int = 4, *, drives: int = 8, ost_gib: int = 1304, **changes: Any) -> Plan:
    """Lustre on a pool of `count` servers with four OSTs each, two MDTs and an MGT."""
    fs = filesystem(**changes)
    mds, oss = ("mds01", "mds02"), tuple(f"oss{n:02}" for n in range(1, count + 1))
    servers = tuple(
        _server(s, turn, "metadata" if s in mds else "storage", drives, fs) for turn, s in enumerate(mds + oss, 1)
    )
    sizes = {"mgt": 8 * GIB, "mdt0000": 552 * GIB, "mdt0001": 552 * GIB}
    sizes |= {f"ost{n:04x}": ost_gib * GIB for n in range(4 * count)}
    serving = {"mgt": mds[::-1], "mdt0000": mds, "mdt0001": mds[::-1]}
    serving |= {
        f"ost{n:04x}": (oss[n // 4], oss[n // 4 ^ 1 if count % 2 == 0 else (n // 4 + 1) % count])
        for n in range(4 * count)
    }
    return Plan(
        name="demo",
        design="lustre-powerflex",
        variant="dne",
        filesystem=fs,
        modules=(),
        servers=(*servers, Server("mgmt01", "management", "r640-lustre-me4", None)),
        arrays=(),
        switches=(
            SwitchSet("sw1", "lustre", "omni-path-100swe48qf"),
            SwitchSet("sw2", "powerflex", "arista-7060cx-32"),
        ),
        disk_groups=(),
        spares=(),
        volumes=tuple(
            Volume(v, "powerflex", "sp1", size, "data" if "ost" in v else "metadata") for v, size in sizes.items()
        ),
        targets=tuple(_target(v, serving[v] if fs.failover else serving[v][:1], fs.name) for v in sizes),
        pools=(
            Pool(
                "sp1",
                "pd1",
                oss,
                PowerFlexPool(_mdms(mds, oss)),
                "nvme-2tb",
                drives * count,
                -(-100 // count),
                drives * count * 2 * 10**12,
                fs.storage_interface,
                fs.failover,
            ),
        ),
    )


def _mdms(mds: tuple[str, ...], oss: tuple[str, ...]) -> tuple[str, ...]:
    """The members of the MDM cluster, by hand: managers of different pairs first, three members or five."""
    few = {2: (0, 1), 3: (0, 1), 4: (0, 2)}
    if len(oss) in few:
        first, second = few[len(oss)]
        return (oss[first], mds[0], oss[second]) if len(oss) < 4 else (oss[first], oss[second], mds[0])
    if len(oss) == 5:
        return (oss[0], oss[2], mds[0], oss[1], oss[3])
    return (oss[0], oss[2], oss[4], *((oss[6], mds[0]) if len(oss) > 7 else (mds[0], oss[1])))


def me4(**changes: Any) -> Plan:
    """Lustre on an ME4 design as far as LNet, tunings and striping see it: two MDTs and 32 OSTs."""
    given = powerflex(2, **{"name": "scratch", "storage_interface": "", "stripe_bytes": 2**20} | changes)
    osts = tuple(_target(f"ost{n:04x}", ("oss01", "oss02"), "scratch") for n in range(32))
    servers = tuple(s._replace(storage_ips=(), drives=None) for s in given.servers)
    return given._replace(
        design="lustre-me4", servers=servers, targets=(*given.targets[:3], *osts), pools=(), volumes=()
    )


def _server(name: str, turn: int, role: Any, drives: int, fs: LustreFilesystem) -> Server:
    return Server(
        id=name,
        role=role,
        model="r640-lustre-powerflex-oss",
        module=None,
        own=LustreServer(nids=(f"10.10.0.{turn}@{fs.network.lnet}",) if fs.network else ()),
        storage_ips=(f"10.20.0.{turn}",) if fs.storage_interface else (),
        drives=("nvme-2tb", drives) if role == "storage" else None,
    )


def _target(volume: str, servers: tuple[str, ...], fsname: str) -> Target:
    kind: Any = volume[:3]
    index = None if kind == "mgt" else int(volume[3:], 16)
    return Target(
        id="MGS" if kind == "mgt" else f"{fsname}-{kind.upper()}{index:04x}",
        kind=kind,
        volume=volume,
        device="",
        servers=servers,
        purpose="data" if kind == "ost" else "metadata",
        own=LustreTarget(index=index, mgs=kind == "mgt"),
    )


class Shell:
    """A folder with rendered scripts and programs that note their arguments, one call a line."""

    def __init__(self, folder: Path, **programs: str) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.log = folder / "calls"
        self.bin.mkdir()
        self.log.touch()
        for name, body in programs.items():
            self.program(name, body)

    def program(self, name: str, body: str = "") -> None:
        """A program that notes its call and then does what `body` says."""
        path = self.bin / name
        path.write_text(f'#!/bin/bash\nprintf "%q " {name} "$@" >>{self.log}\nprintf "\\n" >>{self.log}\n{body}\n')
        path.chmod(0o755)

    def run(self, text: str, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a script; its calls are those since the last run."""
        self.log.write_text("")
        script = self.folder / "script.sh"
        script.write_text(text)
        environment = {"PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(self.folder)} | variables
        command = [tool("bash"), str(script), *options]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=60, env=environment, cwd=self.folder
        )

    def calls(self, *programs: str) -> list[list[str]]:
        """The calls of the last run, of these programs or of all, in order."""
        calls = [shlex.split(line) for line in self.log.read_text().splitlines()]
        return [c for c in calls if not programs or c[0] in programs]


def clean_script(text: str, folder: Path) -> None:
    """A script as bash and shellcheck have it: nothing to complain of, and nothing but ASCII."""
    assert text.isascii()
    assert text.startswith("#!/bin/bash\n")
    path = folder / "checked.sh"
    path.write_text(text)
    subprocess.run([tool("bash"), "-n", path], check=True)
    checked = subprocess.run([tool("shellcheck"), "-s", "bash", path], capture_output=True, text=True, check=False)
    assert (checked.stdout, checked.returncode) == ("", 0)


def has(program: str) -> bool:
    return shutil.which(program) is not None
