"""The volumes of the NVMe tier as NVMesh's interface takes them, and scripts that create and attach them."""

from __future__ import annotations

import json
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, Volume, added
from pixsize.products.nvmesh.plan import PROVIDER, NvmePair, NvmeTier
from pixsize.products.nvmesh.records import PATH, NvmeDesign
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import checked, name, word

CREATE, ATTACH, VOLUMES, UNIT = "create.sh", "attach.sh", "volumes.json", "nvmesh-volumes.service"
_LEVEL, _SEPARATION = "Striped & Mirrored RAID-10", "Full Separation"
"""The words of NVMesh for RAID 10, and for copies on different servers (its schema of POST /volumes/save)."""
_TRIES, _PAUSE = 60, 5
"""How often, and after how many seconds, a device is looked for."""
_SPARE = 60
"""Seconds that systemd waits for attach.sh longer than that looks for devices."""


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """For each pair the body of one request, a script that sends it, one that attaches the volumes, and a unit of
    systemd that calls it when a server starts.
    """
    tier = added(plan, NvmeTier)
    assert tier is not None
    (design, *_) = catalog.of_design(NvmeDesign, plan.design)
    return tuple(file for pair in tier.pairs for file in _of_pair(plan, tier, pair, design))


def folder(pair: NvmePair) -> str:
    """The folder of a pair's files."""
    return f"nvmesh/{word(pair.id)}"


def installed(pair: NvmePair) -> str:
    """Where a server has the script that attaches the volumes of its pair when it starts."""
    return f"/usr/local/sbin/{word(pair.id)}-{ATTACH}"


def volumes_of(plan: Plan, pair: NvmePair) -> tuple[Volume, ...]:
    """The volumes of a pair, in the order of the plan."""
    return tuple(v for v in plan.volumes if v.provider == PROVIDER and v.backing == pair.id)


def _of_pair(plan: Plan, tier: NvmeTier, pair: NvmePair, design: NvmeDesign) -> tuple[File, ...]:
    volumes = volumes_of(plan, pair)
    body = [_body(volume, tier, pair) for volume in volumes]
    view = {
        "plan": word(plan.name),
        "pair": word(pair.id),
        "servers": [word(s) for s in pair.servers],
        "volumes": [{"name": name(v.id), "bytes": v.bytes} for v in volumes],
        "json": VOLUMES,
        "tries": _TRIES,
        "pause": _PAUSE,
        "timeout": _TRIES * _PAUSE + _SPARE,
        "services": [word(service) for service in design.services],
        "listing": checked(PATH, design.listing),
        "installed": installed(pair),
    }
    scripts = (
        File(f"{folder(pair)}/{script}", template.fill(f"nvmesh/{script}.j2", view), executable=True)
        for script in (CREATE, ATTACH)
    )
    unit = File(f"{folder(pair)}/{UNIT}", template.fill(f"nvmesh/{UNIT}.j2", view))
    return (File(f"{folder(pair)}/{VOLUMES}", json.dumps(body, indent=2) + "\n"), *scripts, unit)


def _body(volume: Volume, tier: NvmeTier, pair: NvmePair) -> dict[str, Any]:
    """A volume as the interface takes it. Its capacity is in bytes: the word MAX would leave nothing to the others."""
    return {
        "name": name(volume.id),
        "capacity": volume.bytes,
        "RAIDLevel": _LEVEL,
        "stripeSize": tier.stripe_blocks,
        "stripeWidth": tier.stripe_width,
        "numberOfMirrors": 1,
        "protectionLevel": _SEPARATION,
        "limitByNodes": [word(server) for server in pair.servers],
    }


RENDERER = Renderer(
    name="nvmesh",
    summary="the volumes of the NVMe tier: the body of a request to NVMesh, scripts that create and attach them, and a"
    " unit that attaches them before GPFS starts",
    needs="an NVMe tier",
    applies=lambda plan: added(plan, NvmeTier) is not None,
    files=files,
)
