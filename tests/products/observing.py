"""What a system built after a plan says of itself: the replies of its arrays, or of its pool, as texts in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pixsize.plan.records import Plan

GIB, MIB = 2**30, 2**20
SYSTEM = "71c0d9e4a35f1b08"
LEVELS = {"r1": "RAID1", "r5": "RAID5", "r6": "RAID6", "r10": "RAID10"}
STATUS = {"object-name": "status", "response-type": "Success", "response-type-numeric": 0, "return-code": 0}


def groups_built(plan: Plan, folder: Path, share: int) -> dict[str, int]:
    """The disk groups of each array, `share` per mille under nominal, whole MiB, nothing in them yet: their bytes."""
    sizes = {g.id: g.bytes * (1000 - share) // 1000 // MIB * MIB for g in plan.disk_groups}
    for array in plan.arrays:
        rows = []
        for group in (g for g in plan.disk_groups if g.array == array.id):
            blocks = sizes[group.id] // 512
            chunk = f"{group.chunk_bytes // 1024}k" if group.chunk_bytes else "N/A"
            rows.append(
                {
                    "object-name": "disk-group",
                    "name": group.id,
                    "blocksize": 512,
                    "size-numeric": blocks,
                    "freespace-numeric": blocks,
                    "storage-type": "Linear",
                    "raidtype": LEVELS[group.level],
                    "diskcount": len(group.slots),
                    "chunksize": chunk,
                    "owner": group.owner.upper(),
                    "health": "OK",
                }
            )
        _put(folder / f"{array.id}.disk-groups.json", "disk-groups", rows)
    return sizes


def volumes_built(plan: Plan, folder: Path) -> dict[str, int]:
    """The volumes of each array with the sizes of the plan, and what its groups have left beside them: their bytes."""
    for turn, array in enumerate(plan.arrays):
        mine = [v for v in plan.volumes if v.array == array.id]
        _put(folder / f"{array.id}.volumes.json", "volumes", [_volume(v, turn, n) for n, v in enumerate(mine)])
        path = folder / f"{array.id}.disk-groups.json"
        rows = json.loads(path.read_text())["disk-groups"]
        for row in rows:
            row["freespace-numeric"] -= sum(v.bytes for v in mine if v.backing == row["name"]) // 512
        _put(path, "disk-groups", rows)
    return {v.id: v.bytes for v in plan.volumes}


def pool_built(plan: Plan, folder: Path) -> dict[str, int]:
    """The replies to `scli --login` and `scli --query_all_volumes`, sizes in the units of the MDM: bytes of volumes."""
    (folder / "powerflex.login.txt").write_text(f"Logged in. User role is SuperUser. System ID is {SYSTEM}\n")
    (pool,) = plan.pools
    sdcs = {t.volume: len(t.servers) for t in plan.targets}
    lines = [f"Query-all-volumes returned {len(plan.volumes)} volumes", ""]
    lines += [f"Protection Domain 5c0c4e7a00000000 Name: {pool.domain}"]
    lines += [f"Storage Pool 7d8c3b9e00000000 Name: {pool.id}"]
    for n, volume in enumerate(plan.volumes):
        exact = volume.bytes // GIB
        size = f"{exact / 1024:.1f} TB ({exact} GB)" if exact >= 1024 else f"{exact}.0 GB ({exact * 1024} MB)"
        named = f" Volume ID: {0x9C57F31300000000 + n * 0x100000001:016x} Name: {volume.id} Size: {size}"
        lines.append(f"{named} Mapped to {sdcs[volume.id]} SDC Thick-provisioned")
    (folder / "powerflex.volumes.txt").write_text("\n".join(lines) + "\n")
    return {v.id: v.bytes for v in plan.volumes}


def _volume(volume: Any, array: int, number: int) -> dict[str, Any]:
    serial = f"{0x3D1040 + array:06x}", f"5c1b30{number:02x}01000000"
    return {
        "object-name": "volume",
        "virtual-disk-name": volume.backing,
        "storage-pool-name": volume.backing,
        "volume-name": volume.id,
        "size-numeric": volume.bytes // 512,
        "owner": volume.owner.upper(),
        "serial-number": f"00c0ff{serial[0]}0000{serial[1]}",
        "wwn": f"600C0FF000{serial[0]}{serial[1]}".upper(),
    }


def _put(path: Path, kind: str, rows: list[dict[str, Any]]) -> None:
    path.write_text(json.dumps({kind: rows, "status": [STATUS]}, indent=1))
