"""CTDB with Samba and NFS: gateways for clients without the file system's own client."""

from __future__ import annotations

from pixsize.product import Adds, Product
from pixsize.registry import Registry

_HERE = "pixsize.products.ctdb"

PRODUCT = Product(
    name="ctdb",
    gives="",
    volumes=None,
    filesystem=None,
    adds_word="gateways",
    adds_to="cluster_locks",
    adds=Adds(
        _HERE,
        words="request:Gateways",
        section="records:GatewayDesign",
        complete="completion:complete",
        judge="completion:judge",
        hosts="completion:hosts",
        build="build:build",
        record="plan:CtdbCluster",
        roles="plan:ROLES",
        exporting="plan:ROLES",
        expected="rules:expected",
        volumes=None,
        pools=None,
        drives=None,
        figures="figures:figures",
        rules="rules:RULES",
        exact="rules:EXACT",
        about="terms:about",
    ),
    kinds=Registry({"gateway_design": "records:GatewayDesign", "gateway_settings": "records:GatewaySettings"}, _HERE),
    targets=Registry({"ctdb": "render.ctdb:RENDERER"}, _HERE),
    steps=Registry({"ctdb": "render.ctdb_steps:steps"}, _HERE),
    replies=None,
    places=Registry({}),
)
