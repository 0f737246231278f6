"""Every rule that a request, its plan and the replies of the real systems must keep."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.check import asked, kinds, shared
from pixsize.check.case import Case
from pixsize.findings import Finding, has_errors
from pixsize.observed import Observed
from pixsize.plan.records import Plan
from pixsize.product import PRODUCTS, volumes_of
from pixsize.request import Request


def check(request: Request, plan: Plan, catalog: Catalog, observed: Observed) -> tuple[Finding, ...]:
    """What is wrong or doubtful about a plan: one finding a rule and cause, however many parts share it.

    Rules that compare names, numbers and order part by part are asked last, where no other has found an error: what
    another rule names has its cause there.
    """
    case = Case(request, plan, catalog, observed)
    strange = tuple(finding for rule in kinds.RULES for finding in rule(case))
    if strange:
        return strange
    maker, filesystem = volumes_of(case.design), case.filesystem
    gives = PRODUCTS[case.design.volumes].gives
    rules = (*asked.RULES, *shared.RULES, *maker.rules, *filesystem.rules, *filesystem.rules_on[gives])
    found = tuple(finding for rule in rules for finding in rule(case))
    last = () if has_errors(found) else (*maker.exact, *filesystem.exact, *filesystem.exact_on[gives])
    return found + tuple(finding for rule in last for finding in rule(case))
