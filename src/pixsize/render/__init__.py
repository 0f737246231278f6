"""Plan -> the files that an engineer runs: the render targets of all products, and the benchmarks of every plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixsize.product import PRODUCTS
from pixsize.registry import Registry
from pixsize.render.records import File, Renderer

if TYPE_CHECKING:
    from pixsize.render.steps import Steps

RENDERERS: Registry[Renderer] = Registry(
    {name: place for product in PRODUCTS.values() for name, place in product.targets.places.items()}
    | {"bench": "pixsize.bench.render:RENDERER"}
)
"""Every render target by its name, in the order in which `render --list` shows them; loaded when asked for."""
STEPS: Registry[Steps] = Registry(
    {name: place for product in PRODUCTS.values() for name, place in product.steps.places.items()}
    | {"bench": "pixsize.bench.steps:steps"}
)
"""What is done on site for each render target, by its name; loaded when a run book is made."""


def summary(name: str) -> str:
    """What a render target makes, and what file systems add to it."""
    added = (p.filesystem.adds[name].summary for p in PRODUCTS.values() if p.filesystem and name in p.filesystem.adds)
    return ", with ".join((RENDERERS[name].summary, *added))


__all__ = ["RENDERERS", "STEPS", "File", "Renderer", "summary"]
