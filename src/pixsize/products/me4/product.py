"""PowerVault ME4: arrays with linear disk groups, one volume over each."""

from __future__ import annotations

from pixsize.figures import Source
from pixsize.product import Product, Replies, Volumes, VolumeTerms
from pixsize.registry import Registry

VOLUME_TERMS = VolumeTerms(
    page="me4/{array}/README.md#5.",
    missing="Look at multipath -ll: is the volume mapped to this server, and the rendered multipath.conf installed?",
    grows_at="storage_modules",
    drives_of="arrays",
    drive_list="the ME4 support matrix",
    # The names of the virtual pools of an ME4: no disk group or volume may take them.
    reserved_names=dict.fromkeys(("a", "b"), "the arrays call their pools A and B"),
    reported={
        "group": Source("dell-me4-cli", "show disk-groups: size-numeric, in blocks of 512 bytes"),
        "volume": Source("dell-me4-cli", "show volumes: size-numeric or blocks, in blocks of 512 bytes"),
    },
    commands={
        "disks": "show disks",
        "groups": "show disk-groups",
        "volumes": "show volumes",
        "enclosures": "show enclosures",
        "spares": "add spares",
    },
    words={
        "free": "AVAIL",
        "in_group": "LINEAR POOL or VDISK",
        "spare": "GLOBAL SP",
        "online": "FTOL",
        "kind": "linear",
    },
    multipath="Dell EMC PowerVault ME4 Series and Linux",
)

PRODUCT = Product(
    name="me4",
    gives="arrays",
    volumes=Volumes(
        "pixsize",
        design="catalog.records:ArrayDesign",
        build="arrays.build:build",
        parts="arrays.rules:PARTS",
        terms="products.me4.product:VOLUME_TERMS",
        rules="arrays.rules:RULES",
        exact="arrays.rules:EXACT",
        reply_rules="arrays.rules:REPLY_RULES",
        sizing=None,
        steps="arrays.capacity:steps",
        throughput="products.me4.figures:THROUGHPUT",
        links="arrays.capacity:links",
        adapter_of="arrays.capacity:adapter_of",
        data_tier="arrays.system:data_tier",
        measured="arrays.system:measured",
        depends_on="arrays.system:depends_on",
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
