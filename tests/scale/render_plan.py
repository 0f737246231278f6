"""A plan small enough to write its files out by hand: one array with an expansion, and a descriptor."""

from __future__ import annotations

from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.load import load_catalog
from pixsize.plan.records import Array, DiskGroup, Enclosure, Module, Plan, Server, Spares, Target, Volume
from pixsize.products.scale.plan import Cluster, Nsd, ScaleFilesystem, ScaleServer
from tests.support.changing import replace

WWIDS = {
    "sm01a1_data01": "3600c0ff0001e2cca8cbd4c0101000000",
    "sm01a1_data02": "3600c0ff0001e2cca8cbd4c0102000000",
    "sm01a1_meta01": "3600c0ff0001e2cca8cbd4c0103000000",
}
SERVERS = ("sm01n1", "sm01n2")
SCSI = {"scsi_vendor": "DellEMC", "scsi_product": "ME4"}


def catalog(**changes: dict[str, Any]) -> Catalog:
    """The few records that the renderers ask for; `changes` are laid over one by its id."""
    records = [
        {"kind": "array", "id": "me4", "title": "PowerVault ME4084", "controllers": 2} | SCSI,
        {"kind": "array", "id": "me4x", "title": "PowerVault ME484", "controllers": 0},
        {"kind": "drive", "id": "hdd", "title": "NL-SAS 12 TB", "capacity": "12 TB", "media": "nl-sas"},
        {"kind": "drive", "id": "ssd", "title": "SSD 960 GB", "capacity": "960 GB", "media": "sas-ssd"},
        {"kind": "constant", "id": "me4.array_overhead", "value": "2.2 %", "low": "1 %", "high": "3 %"},
        {"kind": "constant", "id": "me4.volume_margin", "value": "3 %", "low": "3 %", "high": "3 %"},
        {"kind": "limit", "id": "me4.volume_alignment", "title": "x", "value": "4 MiB"},
        {"kind": "limit", "id": "me4.volume_bytes", "title": "y", "value": "128 TiB", "confirmed": False},
    ]
    for record in records:
        if record["kind"] == "array":
            record.update({"family": "me4", "slots": 8, "rack_units": "5 U"})
        if record["kind"] == "constant":
            record.update({"basis": "estimated", "title": "a share"})
        record.update(changes.get(str(record["id"]), {}))
    shipped, _ = load_catalog()
    return Catalog(
        {design: shipped.raw[design] for design in ("pixstor-6", "lustre-me4")} | {str(r["id"]): r for r in records}
    )


def plan(*, wwids: bool = False, reported: bool = False, descriptor: str | None = None) -> Plan:
    """The plan; with what the array reported, where wanted, and a descOnly NSD on the server `descriptor`."""
    groups = (
        _group("data01", 0, (0, 2, 4, 6), "a", reported),
        _group("data02", 1, (0, 2, 4, 6), "b", reported),
        _group("meta01", 0, (1, 7), "a", reported),
    )
    volumes = tuple(
        _volume(g, lun, WWIDS[g.id.removeprefix("dg_")] if wwids else None) for lun, g in enumerate(groups, 2)
    )
    targets = tuple(_target(v, SERVERS if i % 2 == 0 else SERVERS[::-1]) for i, v in enumerate(volumes))
    return Plan(
        name="scratch",
        design="pixstor-6",
        variant="standard",
        filesystem=ScaleFilesystem(
            name="mmfs1",
            block_bytes=2**23,
            inode_bytes=4096,
            metadata_replicas=2,
            data_pool="data",
            failure_groups="per_array",
            cluster=Cluster("scratch", "sm01n1", "/usr/bin/ssh", "/usr/bin/scp"),
        ),
        modules=(_MODULE,),
        servers=tuple(
            Server(id=s, role="storage", model="r750", module="sm01", own=_node(s == SERVERS[0])) for s in SERVERS
        ),
        arrays=(
            Array(
                id="sm01a1",
                role="storage",
                model="me4",
                module="sm01",
                enclosures=(Enclosure(index=0, model="me4", layout="x"), Enclosure(index=1, model="me4x", layout="x")),
            ),
        ),
        switches=(),
        disk_groups=groups,
        spares=(
            Spares(array="sm01a1", enclosure=0, slots=(3, 5), drive="hdd"),
            Spares(array="sm01a1", enclosure=1, slots=(1, 3, 5, 7), drive="hdd"),
        ),
        volumes=volumes,
        targets=(*targets, _descriptor(descriptor)) if descriptor else targets,
    )


def renamed(given: Plan, name: str) -> Plan:
    """The plan with its first volume under another name, in every place."""
    first, *others = given.volumes
    target, *targets = given.targets
    return replace(
        given,
        volumes=(replace(first, id=name), *others),
        targets=(replace(target, id=name, volume=name, device=f"/dev/mapper/{name}"), *targets),
    )


_MODULE = Module(
    id="sm01",
    role="storage",
    size="small",
    expansion=True,
    drive="hdd",
    metadata_drive="ssd",
    servers=SERVERS,
    arrays=("sm01a1",),
    chunk_bytes=2**20,
    where="storage_modules[0]",
)


def _node(votes: bool) -> ScaleServer:
    return ScaleServer(quorum=votes, manager=votes, licence="server", node_class="storage_servers")


def _group(name: str, enclosure: int, slots: tuple[int, ...], owner: Any, reported: bool) -> DiskGroup:
    data = name.startswith("data")
    size = 24 * 10**12 if data else 960 * 10**9
    return DiskGroup(
        id=f"dg_sm01a1_{name}",
        array="sm01a1",
        enclosure=enclosure,
        slots=slots,
        level="r6" if data else "r1",
        owner=owner,
        purpose="data" if data else "metadata",
        drive="hdd" if data else "ssd",
        bytes=size,
        chunk_bytes=2**20 if data else None,
        reported_bytes=size * 98 // 100 if reported else None,
    )


def _volume(group: DiskGroup, lun: int, wwid: str | None) -> Volume:
    size = group.reported_bytes or group.bytes * 97 // 100
    return Volume(
        id=group.id.removeprefix("dg_"),
        provider="me4",
        backing=group.id,
        array=group.array,
        bytes=size // 2**22 * 2**22,
        purpose=group.purpose,
        lun=lun,
        owner=group.owner,
        wwid=wwid,
    )


def _target(volume: Volume, servers: tuple[str, ...]) -> Target:
    data = volume.purpose == "data"
    return Target(
        id=volume.id,
        kind="nsd",
        volume=volume.id,
        device=f"/dev/mapper/{volume.id}",
        servers=servers,
        purpose=volume.purpose,
        own=Nsd("dataOnly" if data else "metadataOnly", "data" if data else "system", 1),
    )


def _descriptor(server: str) -> Target:
    return Target(
        id="desc01",
        kind="nsd",
        volume=None,
        device="/dev/disk/by-id/scsi-desc",
        servers=(server,),
        purpose="descriptor",
        own=Nsd("descOnly", "system", 4000),
    )
