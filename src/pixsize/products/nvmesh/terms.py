"""What others say of the NVMe tier."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.products.nvmesh.plan import NvmeTier
from pixsize.texts import plural


def about(tier: NvmeTier, catalog: Catalog) -> Iterator[tuple[str, str]]:  # noqa: ARG001  the same call for every product
    """The pairs of the tier and its arbiter in a line of a report."""
    arbiter = tier.arbiter.server if tier.arbiter else "none"
    yield "NVMe tier", f"{plural(len(tier.pairs), 'pair')} of servers, mirrored; pool {tier.pool}; arbiter: {arbiter}"
