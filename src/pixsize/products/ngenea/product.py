"""Ngenea: nodes that move files between the file system and object storage, clouds or tapes."""

from __future__ import annotations

from pixsize.product import Adds, Product
from pixsize.registry import Registry

_HERE = "pixsize.products.ngenea"

PRODUCT = Product(
    name="ngenea",
    gives="",
    volumes=None,
    filesystem=None,
    adds_word="ngenea",
    adds_to="migration",
    adds=Adds(
        _HERE,
        words="request:Ngenea",
        section="records:NgeneaDesign",
        complete="completion:complete",
        judge="completion:judge",
        hosts="completion:hosts",
        build="build:build",
        record="plan:NgeneaNodes",
        roles="plan:ROLES",
        exporting="plan:EXPORTING",
        expected="rules:expected",
        volumes=None,
        pools=None,
        drives=None,
        figures="figures:figures",
        rules="rules:RULES",
        exact="rules:EXACT",
        about="terms:about",
    ),
    kinds=Registry({"ngenea_design": "records:NgeneaDesign", "ngenea_type": "records:NgeneaType"}, _HERE),
    targets=Registry({"ngenea": "render.ngenea:RENDERER"}, _HERE),
    steps=Registry({"ngenea": "render.ngenea_steps:steps"}, _HERE),
    replies=None,
    places=Registry({}),
)
