"""Files -> records, with a side table of places. The only parser of YAML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pixsize.findings import Finding
from pixsize.load.catalog_loader import load_catalog
from pixsize.load.request_loader import Loaded, find_request, load_request, load_words
from pixsize.observed import Observed

__all__ = ["Loaded", "find_request", "load_catalog", "load_observed", "load_request", "load_words"]


def load_observed(folder: Path, products: Sequence[str] = ()) -> tuple[Observed, tuple[Finding, ...]]:
    """What the replies in `folder` report, read as those of `products` first, and what is wrong with them."""
    from pixsize.load.observed_loader import load_observed as load  # most runs have no replies

    return load(folder, products)
