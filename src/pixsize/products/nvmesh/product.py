"""NVMesh: a tier of NVMe drives, in pairs of servers that mirror each other."""

from __future__ import annotations

from pixsize.product import Adds, Product
from pixsize.registry import Registry

_HERE = "pixsize.products.nvmesh"

PRODUCT = Product(
    name="nvmesh",
    gives="",
    volumes=None,
    filesystem=None,
    adds_word="nvme",
    adds_to="storage_pools",
    adds=Adds(
        _HERE,
        words="request:Nvme",
        section="records:NvmeDesign",
        complete="completion:complete",
        judge="completion:judge",
        hosts="completion:hosts",
        build="build:build",
        record="plan:NvmeTier",
        roles="plan:ROLES",
        exporting="plan:ROLES",
        expected="rules:expected",
        volumes="rules:volumes",
        pools="plan:pools",
        drives="plan:drives",
        figures="figures:figures",
        rules="rules:RULES",
        exact="rules:EXACT",
        about="terms:about",
    ),
    kinds=Registry({"nvme_design": "records:NvmeDesign"}, _HERE),
    targets=Registry({"nvmesh": "render.nvmesh:RENDERER"}, _HERE),
    steps=Registry({"nvmesh": "render.nvmesh_steps:steps"}, _HERE),
    replies=None,
    places=Registry({}),
)
