"""What is done on site for the NVMe tier, before its volumes become NSDs."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, added
from pixsize.products.nvmesh.plan import NvmePair, NvmeTier
from pixsize.products.nvmesh.render.nvmesh import ATTACH, CREATE, VOLUMES, folder, volumes_of
from pixsize.render.steps import ATTACHED, PREPARED, Box, Look, Step, seconds
from pixsize.render.template import word

_INSTALLED = "servers whose NVMe drives NVMesh has"
_CREATED = "volumes of the NVMe tier"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """NVMesh on the servers and the arbiter; the volumes of each pair; their devices on both servers."""
    tier = added(plan, NvmeTier)
    if tier is None:
        return ()
    return (
        _installed(tier, catalog),
        _created(plan, tier, catalog),
        _attached(plan, tier, catalog),
    )


def _installed(tier: NvmeTier, catalog: Catalog) -> Step:
    each = seconds(catalog, "prepare")
    boxes = [
        Box(word(s), "NVMesh, target and client; all NVMe drives formatted for it", "", each) for s in _servers(tier)
    ]
    if tier.arbiter:
        boxes.append(Box(word(tier.arbiter.server), "NVMesh, target; one NVMe drive formatted for it", "", each))
    return Step(
        "Install NVMesh on the servers of the NVMe tier",
        tuple(boxes),
        (
            Look(
                "the page of targets of NVMesh's management",
                f"{len(boxes)} targets, every drive of them in good health",
            ),
        ),
        needs=(PREPARED,),
        provides=(_INSTALLED,),
        destroys="what the NVMe drives hold that are formatted for NVMesh",
        text=(
            "How NVMesh is installed and licensed, and how its management is made of three nodes, is in the vendor's guide."
            " System disks are never formatted for it.",
        ),
    )


def _created(plan: Plan, tier: NvmeTier, catalog: Catalog) -> Step:
    each = seconds(catalog, "script")
    boxes = tuple(
        _box(pair, pair.servers[0], f"{CREATE} --management URL --config FILE", CREATE, each) for pair in tier.pairs
    )
    count = sum(len(volumes_of(plan, pair)) for pair in tier.pairs)
    return Step(
        f"Create the {count} volumes of the NVMe tier",
        boxes,
        (
            Look(
                "the page of volumes of NVMesh's management", f"{count} volumes, online, with the bytes of `{VOLUMES}`"
            ),
        ),
        needs=(_INSTALLED,),
        provides=(_CREATED,),
        text=(
            "URL is that of NVMesh's management. FILE is a file of curl with what a login needs, readable by root alone; no"
            " rendered file holds a secret. Where the last volume of a pair is refused for lack of room, NVMesh keeps a private"
            " area on each drive: take the new volumes away again, lay the record `nvmesh.private_area` with its size over the"
            " catalog, and render again, before anything lies on them.",
        ),
    )


def _attached(plan: Plan, tier: NvmeTier, catalog: Catalog) -> Step:
    each = seconds(catalog, "script")
    boxes = tuple(_box(pair, server, ATTACH, ATTACH, each) for pair in tier.pairs for server in pair.servers)
    most = max(len(volumes_of(plan, pair)) for pair in tier.pairs)
    return Step(
        "Attach the volumes of the NVMe tier on both servers of each pair",
        boxes,
        (Look("`ls /dev/nvmesh`, on each of these servers", f"the {most} volumes of its pair"),),
        needs=(_CREATED,),
        provides=(ATTACHED,),
        text=(
            "Before mmcrnsd: an NSD needs its device on both of its servers, and GPFS sees it by `nsddevices` alone. The mirror lies"
            " below the file system, so that GPFS keeps one copy of the data in this pool.",
        ),
    )


def _box(pair: NvmePair, server: str, words: str, script: str, each: int) -> Box:
    return Box(word(server), f"`{words}`, in the folder `{folder(pair)}`", f"{folder(pair)}/{script}", each)


def _servers(tier: NvmeTier) -> list[str]:
    return [server for pair in tier.pairs for server in pair.servers]
