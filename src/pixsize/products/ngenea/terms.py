"""What others say of the Ngenea nodes."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.products.ngenea.plan import NgeneaNodes
from pixsize.texts import listed, plural


def about(nodes: NgeneaNodes, catalog: Catalog) -> Iterator[tuple[str, str]]:  # noqa: ARG001  the same call for every product
    """The nodes and their targets in a line of a report."""
    targets = listed((f"{target.name} ({target.type})" for target in nodes.targets), 4) or "none named yet"
    yield "Ngenea", f"{plural(len(nodes.nodes), 'node')}; targets: {targets}"
