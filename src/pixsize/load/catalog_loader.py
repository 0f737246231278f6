"""The shipped records, and those that the user lays over them."""

from __future__ import annotations

from pathlib import Path

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.load.shipped import shipped


def load_catalog(overlay: Path | None = None) -> tuple[Catalog, tuple[Finding, ...]]:
    """Every record of the run, and what is wrong with those of `overlay`: a new id adds, `replaces: ID` replaces.

    Shipped records are validated when they are first used, overlay records now.
    """
    held = shipped()
    if overlay is None or held.findings:
        return Catalog(held.raw), tuple(held.findings)
    from pixsize.load.overlay import lay_over

    return lay_over(held, overlay)
