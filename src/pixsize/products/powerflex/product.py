"""PowerFlex: servers that share their drives in one mirrored pool, and volumes in it."""

from __future__ import annotations

from pixsize.product import Product, Replies, Volumes
from pixsize.registry import Registry

_HERE = "pixsize.products.powerflex"

PRODUCT = Product(
    name="powerflex",
    gives="pool",
    volumes=Volumes(
        "pixsize",
        design="catalog.records:PoolDesign",
        build="products.powerflex.build:build",
        parts="products.powerflex.rules:PARTS",
        pool_record="products.powerflex.plan:PowerFlexPool",
        words="products.powerflex.request:PowerFlex",
        terms="products.powerflex.terms:VOLUME_TERMS",
        rules="products.powerflex.rules:RULES",
        exact="products.powerflex.rules:EXACT",
        reply_rules="products.powerflex.rules:REPLY_RULES",
        sizing="products.powerflex.sizing:SIZING",
        steps="products.powerflex.figures.capacity:pool_steps",
        throughput="products.powerflex.figures.throughput:pool_throughput",
        links="products.powerflex.figures.throughput:links",
        adapter_of="products.powerflex.figures.throughput:adapter_of",
        data_tier="products.powerflex.figures.throughput:data_tier",
        measured="products.powerflex.figures.throughput:measured",
        depends_on="products.powerflex.figures.throughput:depends_on",
    ),
    filesystem=None,
    kinds=Registry({}),
    targets=Registry({"powerflex": "render.powerflex:RENDERER"}, _HERE),
    steps=Registry({"powerflex": "render.powerflex_steps:steps"}, _HERE),
    replies=Replies(
        _HERE,
        names="replies:NAMES",
        claims="replies:claims",
        reader="replies:Reader",
        system="replies:SYSTEM",
    ),
    places=Registry({"powerflex": "parameters:MDM"}, _HERE),
)
