"""What a system built after a plan replies, by the product that makes its volumes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pixsize.catalog.designs import Design
from pixsize.findings import Finding
from pixsize.load import load_observed
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.request import Request
from tests.products.observing import groups_built, pool_built, volumes_built
from tests.support.running import catalog

Reply = Callable[[Plan, Path, int], Mapping[str, int]]
"""Writes the replies of one step of building into a folder; where sizes come out by themselves, so many per mille
smaller than their parts are sold. Returns the bytes of each disk group and volume that they report, by its id."""

REPLIES: Mapping[str, Sequence[Reply]] = {
    "me4": (groups_built, lambda plan, folder, _: volumes_built(plan, folder)),
    "powerflex": (lambda plan, folder, _: pool_built(plan, folder),),
}
"""Product of volumes -> its replies, step by step: before each, the plan knows those of the steps before.

Each product that reads replies stands here, or a test fails: no other test would build it.
"""


def built(request: Request, folder: Path, replies: Sequence[Reply], smaller: int = 22) -> tuple[Plan, Observed]:
    """The plan of a finished system, and what that system replied, step by step, into `folder`."""
    seen = Observed()
    plan = planned(request, seen)
    for reply in replies:
        reported = reply(plan, folder, smaller)
        seen, findings = observed(request, folder)
        assert not findings, findings
        plan = planned(request, seen)
        sizes = {g.id: g.reported_bytes for g in plan.disk_groups} | {v.id: v.bytes for v in plan.volumes}
        assert {part: sizes[part] for part in reported} == reported, "the reader reads other sizes than were replied"
    return plan, seen


def observed(request: Request, folder: Path) -> tuple[Observed, tuple[Finding, ...]]:
    """What the replies in a folder report, read by the products of the design: others may claim the same names."""
    design = catalog().get(Design, request.design)
    return load_observed(folder, (design.volumes, design.filesystem))


def planned(request: Request, seen: Observed) -> Plan:
    """The plan of a request, with what was seen of the system."""
    plan, refusals = make_plan(request, catalog(), seen)
    assert plan is not None, refusals
    return plan
