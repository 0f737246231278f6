"""Every rule that a request, its plan and the arrays' replies must keep; a new one is a function and a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.check import asked, balance, cabling, design, failure_groups, nsds, replies, reported, slots, volumes
from pixsize.check.case import Case
from pixsize.findings import Finding
from pixsize.observed import Observed
from pixsize.plan.records import Plan
from pixsize.request import Request

Rule = Callable[[Case], Iterator[Finding]]

RULES: tuple[Rule, ...] = (
    *asked.RULES,
    *slots.RULES,
    *volumes.RULES,
    *cabling.RULES,
    *nsds.RULES,
    *failure_groups.RULES,
    *balance.RULES,
    *design.RULES,
    *replies.RULES,
    *reported.RULES,
)
"""The rules, in the order in which their findings are shown."""


def check(request: Request, plan: Plan, catalog: Catalog, observed: Observed) -> tuple[Finding, ...]:
    """What is wrong or doubtful about a plan: one finding a rule and cause, however many parts share it."""
    case = Case(request, plan, catalog, observed)
    return tuple(finding for rule in RULES for finding in rule(case))
