"""PowerVault ME4: arrays with linear disk groups, one volume over each."""

from __future__ import annotations

from pixsize.product import Product, Replies, Volumes
from pixsize.registry import Registry

PRODUCT = Product(
    name="me4",
    gives="arrays",
    volumes=Volumes(
        "pixsize",
        design="catalog.designs:ArrayDesign",
        build="arrays.build:build",
        parts="arrays.rules:PARTS",
        pool_record=None,
        pool_words=None,
        terms="products.me4.terms:VOLUME_TERMS",
        rules="arrays.rules:RULES",
        exact="arrays.rules:EXACT",
        reply_rules="arrays.rules:REPLY_RULES",
        sizing=None,
        steps="arrays.capacity:steps",
        throughput="products.me4.figures:THROUGHPUT",
        links="arrays.capacity:links",
        adapter_of="arrays.capacity:adapter_of",
        most_of_module="products.me4.figures:MOST_OF_MODULE",
        data_tier="arrays.system:data_tier",
        measured="arrays.system:measured",
        depends_on="arrays.system:depends_on",
    ),
    filesystem=None,
    adds_word="",
    adds_to="",
    adds=None,
    kinds=Registry({}),
    targets=Registry(
        {
            "cables": "arrays.render.cables:RENDERER",
            "multipath": "arrays.render.multipath:RENDERER",
            "me4": "products.me4.render.me4:RENDERER",
        },
        "pixsize",
    ),
    steps=Registry(
        {
            "cables": "arrays.render.cables_steps:steps",
            "multipath": "arrays.render.multipath_steps:steps",
            "me4": "products.me4.render.me4_steps:steps",
        },
        "pixsize",
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
