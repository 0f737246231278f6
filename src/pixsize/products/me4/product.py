"""PowerVault ME4: arrays with linear disk groups, one volume over each."""

from __future__ import annotations

from pixsize.product import Product, Replies, Volumes
from pixsize.registry import Registry

PRODUCT = Product(
    name="me4",
    gives="arrays",
    volumes=Volumes(
        "pixsize",
        design="catalog.records:ArrayDesign",
        build="arrays.build:build",
        parts="arrays.rules:PARTS",
        terms="products.me4.terms:TERMS",
        rules="arrays.rules:RULES",
        exact="arrays.rules:EXACT",
        sizing=None,
        steps="arrays.sold:steps",
        throughput="estimate.throughput:throughput_figures",
        links="arrays.sold:links",
    ),
    filesystem=None,
    kinds=Registry({}),
    targets=Registry(
        {"multipath": "arrays.render.multipath:RENDERER", "me4": "products.me4.render.me4:RENDERER"}, "pixsize"
    ),
    steps=Registry(
        {"multipath": "arrays.render.multipath_steps:steps", "me4": "products.me4.render.me4_steps:steps"}, "pixsize"
    ),
    replies=Replies(
        "pixsize.products.me4",
        names="replies:NAMES",
        claims="replies:claims",
        reader="replies:Reader",
        system=None,
    ),
    places=Registry({}),
)
