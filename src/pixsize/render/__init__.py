"""Plan -> the files that an engineer runs: one module a renderer, and this registry of them."""

from __future__ import annotations

from pixsize.registry import Registry
from pixsize.render.records import File, Renderer

_NAMES = (
    "stanzas", "multipath", "me4", "powerflex", "mkfs", "ha", "lnet", "mount", "tuning", "striping",
)  # fmt: skip

RENDERERS: Registry[Renderer] = Registry({name: f"pixsize.render.{name}:RENDERER" for name in _NAMES})
"""Every render target by its name, in the order in which `render --list` shows them; loaded when asked for."""

__all__ = ["RENDERERS", "File", "Renderer"]
