"""Files -> records, with a side table of places. The only parser of YAML and of arrays' replies."""

from __future__ import annotations

from pixsize.load.catalog_loader import load_catalog
from pixsize.load.observed_loader import load_observed
from pixsize.load.request_loader import Loaded, find_request, load_request

__all__ = ["Loaded", "find_request", "load_catalog", "load_observed", "load_request"]
