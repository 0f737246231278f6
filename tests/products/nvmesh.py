"""A pool product that only tests know: servers that share their drives, and nothing else in common with PowerFlex."""

from __future__ import annotations

from pixsize.product import Contents, Product, SharedDrives, Volumes, VolumeTerms
from pixsize.registry import Registry

TERMS = VolumeTerms(
    name="NVMesh",
    page="",
    missing="Does `nvmesh volume list` show it?",
    grows_at="servers",
    drives_of="servers",
    drive_list="the vendor's list",
    reserved_names={},
    reported={},
    device=lambda volume: f"/dev/nvmesh/{volume.id}",
    collect="",
    exist=("- `nvmesh volume list` shows the volumes.",),
    services=("nvmeshclient.service",),
    unit_of="to NVMesh (nvmeshclient), ",
    contents=Contents(
        zeroed="",
        identity=": is it the volume of the plan?",
        old_data=("3. Were the drives used before?",),
        maps="`nvmesh attachments`",
    ),
    sharing=SharedDrives(
        protected=lambda pool: "mirrored",
        fenced=("Fencing an {server} takes its drives away beside its {targets}.",),
        rebuilt=(("`nvmesh status`", "no rebuild"),),
        ports="pacemaker.ports",
        mtu="powerflex.mtu",
    ),
    commands={},
    words={},
    multipath="",
)

PRODUCT = Product(
    name="nvmesh",
    gives="pool",
    volumes=Volumes("tests.products", **dict.fromkeys(Volumes.__annotations__) | {"terms": "nvmesh:TERMS"}),
    filesystem=None,
    kinds=Registry({}),
    targets=Registry({}),
    steps=Registry({}),
    replies=None,
    places=Registry({}),
)
