"""How drives become volumes: one module a way to make them, one line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pixsize.blocks import me4, powerflex
from pixsize.catalog.catalog import Catalog
from pixsize.observed import Observed
from pixsize.plan.built import Built

VolumeMaker = Callable[[Any, Any, Observed, Catalog], Built]
"""From an order, its design, the replies and the catalog to everything below the targets. Each maker has its own kind
of order (`pixsize.plan.orders`) and of design."""

VOLUME_MAKERS: dict[str, VolumeMaker] = {
    "me4": me4.build,
    "powerflex": powerflex.build,
}
"""The word `volumes` of a design -> how."""

__all__ = ["VOLUME_MAKERS", "Built", "VolumeMaker"]
