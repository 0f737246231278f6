"""Plan -> the files that an engineer runs: one module a renderer, and this registry of them."""

from __future__ import annotations

from pixsize.render import me4, multipath, stanzas
from pixsize.render.records import File, Renderer

RENDERERS: dict[str, Renderer] = {r.name: r for r in (stanzas.RENDERER, multipath.RENDERER, me4.RENDERER)}
"""Every render target by its name, in the order in which `render --list` shows them."""

__all__ = ["RENDERERS", "File", "Renderer"]
