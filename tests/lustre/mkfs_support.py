"""A small Lustre plan: its devices are small enough to be formatted in a test."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.load import load_catalog
from pixsize.plan.records import DiskGroup, Module, Plan, Pool, Server, Target, Volume
from pixsize.products.lustre.ldiskfs import formatted
from pixsize.products.lustre.plan import (
    Ldiskfs,
    LustreFilesystem,
    LustreServer,
    LustreTarget,
    Network,
    lustre,
    target_of,
)
from pixsize.products.lustre.records import LustreRelease
from tests.support.changing import replace

KIB, MIB = 2**10, 2**20
PAIRS = {"mm01": ("mds01", "mds02"), "sm01": ("oss01", "oss02")}
ADDRESSES = {"mds01": "10.10.0.1", "mds02": "10.10.0.2", "oss01": "10.10.0.3", "oss02": "10.10.0.4"}

MGT_BYTES = 32384 * KIB
BYTES = 16 * MIB
"""Of an MDT or OST. A script reads a blank device of this size with one `dd`, and a larger one with 226."""
_STRIPES = {"mgt": (0, 0), "mdt": (16, 80), "ost": (32, 256)}
RELEASES = ("2.15.8", "2.10.8")
"""The releases whose replies are recorded."""


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    """The shipped records: the release says what mkfs.lustre refuses."""
    return load_catalog()[0]


@lru_cache(maxsize=8)
def _disk(version: str, kind: str, size: int) -> Ldiskfs:
    """What a release makes of such a device; the scripts compare it with what mke2fs has made."""
    stride, width = _STRIPES[kind]
    release = catalog().get(LustreRelease, f"lustre-{version}")
    return formatted(release, kind, size, stride=stride, stripe_width=width, mmp=True)


def plan(version: str = "2.15.8", size: int = BYTES) -> Plan:
    """An MDS pair with MGT and two MDTs, an OSS pair with three OSTs, on arrays; MDTs and OSTs of a size."""
    volumes = (
        _volume("mm01a1_mgt01", "dg_mm01a1_meta01", "mgt", MGT_BYTES),
        _volume("mm01a1_meta01", "dg_mm01a1_meta01", "mdt", size),
        _volume("mm01a1_meta02", "dg_mm01a1_meta02", "mdt", size),
        *(_volume(f"sm01a1_data0{n}", f"dg_sm01a1_data0{n}", "ost", size) for n in (1, 2, 3)),
    )
    groups = tuple(_group(g, i) for i, g in enumerate(dict.fromkeys(v.backing for v in volumes)))
    return Plan(
        name="demo",
        design="lustre-me4",
        variant="dne",
        filesystem=LustreFilesystem(
            name="scratch",
            version=version,
            release=f"lustre-{version}",
            dne=True,
            mgt_own=True,
            failover=True,
            management="none",
            stripe_count=1,
            stripe_bytes=MIB,
            network=Network("o2ib", "ib0"),
        ),
        modules=tuple(_module(m) for m in PAIRS),
        servers=tuple(_server(s, m) for m, pair in PAIRS.items() for s in pair),
        arrays=(),
        switches=(),
        disk_groups=groups,
        spares=(),
        volumes=volumes,
        targets=tuple(_targets(volumes, version)),
    )


def pool_plan(devices: Iterable[str] = ()) -> Plan:
    """The same on a PowerFlex pool without failover, one MDT that holds the MGS too; devices where they are known."""
    names = list(devices)
    given = plan()
    kept = (given.targets[1], given.targets[3], given.targets[4])
    volumes = tuple(
        Volume(id=n, provider="powerflex", backing="sp1", array="", bytes=BYTES, purpose="data")
        for n in ("mdt0000", "ost0000", "ost0001")
    )
    targets = tuple(
        replace(
            t,
            volume=v.id,
            device=names[i] if names else "",
            servers=t.servers[:1],
            mgs=t.kind == "mdt",
            ldiskfs=target_of(t).ldiskfs._replace(
                stride=0, stripe_width=0, options="", mmp=False, flags=0x65 if t.kind == "mdt" else 0x62
            )
            if target_of(t).ldiskfs
            else None,
        )
        for i, (t, v) in enumerate(zip(kept, volumes, strict=True))
    )
    return given._replace(
        filesystem=lustre(given)._replace(failover=False, mgt_own=False, dne=False),
        modules=(),
        disk_groups=(),
        volumes=volumes,
        targets=targets,
        pools=(Pool("sp1", "pd1", ("oss01", "oss02"), None, "nvme", 16, 10, 1),),
    )


def _targets(volumes: tuple[Volume, ...], version: str) -> Iterable[Target]:
    kinds: tuple[Any, ...] = ("mgt", "mdt", "mdt", "ost", "ost", "ost")
    turns = (1, 0, 1, 0, 1, 0)
    counts = {"mdt": 0, "ost": 0}
    for volume, kind, turn in zip(volumes, kinds, turns, strict=True):
        index = None if kind == "mgt" else counts[kind]
        counts[kind] = counts.get(kind, 0) + 1
        pair = PAIRS["sm01" if kind == "ost" else "mm01"]
        yield Target(
            id="MGS" if index is None else f"scratch-{kind.upper()}{index:04x}",
            kind=kind,
            volume=volume.id,
            device=f"/dev/mapper/{volume.id}",
            servers=pair[turn:] + pair[:turn],
            purpose=volume.purpose,
            own=LustreTarget(index=index, mgs=kind == "mgt", ldiskfs=_disk(version, kind, volume.bytes)),
        )


def _volume(name: str, backing: str, kind: str, size: int) -> Volume:
    array = name.partition("_")[0]
    purpose: Any = "data" if kind == "ost" else "metadata"
    return Volume(id=name, provider="me4", backing=backing, array=array, bytes=size, purpose=purpose, lun=1, owner="a")


def _group(name: str, number: int) -> DiskGroup:
    data = "data" in name
    return DiskGroup(
        id=name,
        array=name.split("_")[1],
        enclosure=0,
        slots=tuple(range(number * 10, number * 10 + 10)),
        level="r6" if data else "r10",
        owner="a",
        purpose="data" if data else "metadata",
        drive="x",
        bytes=10**9,
        chunk_bytes=(128 if data else 64) * KIB,
    )


def _module(name: str) -> Module:
    role: Any = "metadata" if name == "mm01" else "storage"
    where = "metadata" if name == "mm01" else "storage_modules[0]"
    return Module(name, role, "small", False, "x", PAIRS[name], (f"{name}a1",), 128 * KIB, where)


def _server(name: str, module: str) -> Server:
    role: Any = "metadata" if module == "mm01" else "storage"
    return Server(id=name, role=role, model="r740", module=module, own=LustreServer(nids=(f"{ADDRESSES[name]}@o2ib",)))
