"""What a report speaks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.figures import Figure
from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.product import Terms, terms_of


class Facts(NamedTuple):
    """A plan and everything that is known of it. `words`: the completed request; `defaults`: what it left open."""

    plan: Plan
    figures: Mapping[str, Figure]
    findings: Sequence[Finding]
    words: Mapping[str, Any]
    defaults: Sequence[str]
    catalog: Catalog

    @property
    def terms(self) -> Terms:
        """What the file system of the plan is called."""
        return terms_of(self.plan, self.catalog)
