"""What reports are made from: a plan with its figures and findings, and the reasons for its chunk sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.figures import Figure
from pixsize.findings import Finding
from pixsize.plan.records import Plan, data_drives
from pixsize.product import terms_of
from pixsize.terms import Terms
from pixsize.units import binary_bytes


class SizedPlan(NamedTuple):
    """A plan, its figures and findings. `words` is the completed request, `defaults` are the paths left open in it."""

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


class Choice(NamedTuple):
    """A setting that was chosen for the plan, its value in words, and its effect."""

    what: str
    value: str
    why: str


def choices(plan: Plan, terms: Terms) -> tuple[Choice, ...]:
    """One for each chunk size on each number of data drives, in the order of the plan."""
    kinds = dict.fromkeys(
        (g.chunk_bytes, data_drives(g.level, len(g.slots)), g.level) for g in plan.disk_groups if g.chunk_bytes
    )
    made = []
    for chunk, data, level in kinds:
        size = chunk or 0
        sentence = f"one stripe over {data} data drives is {binary_bytes(size * data)}"
        made.append(Choice("chunk size", binary_bytes(size), terms.chunk_meets(plan, sentence, size * data, level)))
    return tuple(made)
