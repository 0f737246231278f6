"""Every rule that a request, its plan and the replies of the real systems must keep."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.check import asked, shared
from pixsize.check.case import Case
from pixsize.findings import Finding
from pixsize.observed import Observed
from pixsize.plan.records import Plan
from pixsize.product import PRODUCTS
from pixsize.request import Request


def check(request: Request, plan: Plan, catalog: Catalog, observed: Observed) -> tuple[Finding, ...]:
    """What is wrong or doubtful about a plan: one finding a rule and cause, however many parts share it."""
    case = Case(request, plan, catalog, observed)
    maker = PRODUCTS[case.design.volumes]
    rules = (
        *asked.RULES,
        *shared.RULES,
        *(maker.volumes.rules if maker.volumes else ()),
        *case.filesystem.rules,
        *case.filesystem.rules_on[maker.gives],
    )
    return tuple(finding for rule in rules for finding in rule(case))
