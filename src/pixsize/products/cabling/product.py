"""The cables of a plan, as a sheet for who plugs them in. The parts themselves are other products'."""

from __future__ import annotations

from pixsize.product import Product
from pixsize.registry import Registry

_HERE = "pixsize.products.cabling"

PRODUCT = Product(
    name="cabling",
    gives="",
    volumes=None,
    filesystem=None,
    adds_word="",
    adds_to="",
    adds=None,
    kinds=Registry({}),
    targets=Registry({"cables": "render.cables:RENDERER"}, _HERE),
    steps=Registry({"cables": "render.cables_steps:steps"}, _HERE),
    replies=None,
    places=Registry({}),
)
