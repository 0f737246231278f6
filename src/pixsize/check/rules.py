"""Every rule that a request, its plan and the replies of arrays must keep; a new one is a function and a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.check.case import Case
from pixsize.findings import Finding, has_errors
from pixsize.observed import Observed
from pixsize.plan.records import Plan
from pixsize.request import Request

Rule = Callable[[Case], Iterator[Finding]]


def _scale_on_me4() -> tuple[Rule, ...]:
    from pixsize.check import asked, design, failure_groups, nsds

    return (
        *asked.RULES,
        asked.scale_settings,
        *_on_me4(),
        *nsds.RULES,
        *failure_groups.RULES,
        *design.RULES,
    )


def _lustre_on_me4() -> tuple[Rule, ...]:
    from pixsize.check import asked, lustre_asked, lustre_formats, lustre_volumes

    return (
        *asked.RULES,
        lustre_asked.array_volumes,
        lustre_asked.mdts_alike,
        *_on_me4(),
        *lustre_volumes.RULES,
        *_lustre(),
        lustre_formats.stripe_fits_rpc,
    )


def _lustre_on_powerflex() -> tuple[Rule, ...]:
    from pixsize.check import (
        asked,
        lustre_asked,
        lustre_network,
        lustre_service,
        pool_replies,
        powerflex,
        replies,
        volumes,
    )

    return (
        *powerflex.ASKED,
        lustre_asked.pool_volumes,
        asked.servers_and_switches,
        volumes.one_to_one,
        volumes.names,
        *_lustre(),
        lustre_service.balanced_servers,
        lustre_network.pool_addresses,
        *powerflex.RULES,
        replies.known_arrays,
        *pool_replies.RULES,
    )


def _scale_on_me4_exactly() -> tuple[Rule, ...]:
    from pixsize.check import asked, failure_groups, nsds, slots, volumes

    return (*asked.EXACT, *slots.EXACT, *volumes.EXACT, *nsds.EXACT, *failure_groups.EXACT)


def _lustre_on_me4_exactly() -> tuple[Rule, ...]:
    from pixsize.check import asked, lustre_network, lustre_service, lustre_targets, slots, volumes

    return (
        *asked.EXACT,
        *slots.EXACT,
        *volumes.EXACT,
        *lustre_targets.EXACT,
        *lustre_service.EXACT,
        *lustre_network.EXACT,
    )


def _lustre_on_powerflex_exactly() -> tuple[Rule, ...]:
    from pixsize.check import lustre_network, lustre_service, lustre_targets, powerflex

    return (*powerflex.EXACT, *lustre_targets.EXACT, *lustre_service.EXACT, *lustre_network.EXACT)


def _on_me4() -> tuple[Rule, ...]:
    """Those of modules and arrays, whatever file system lies on them."""
    from pixsize.check import balance, cabling, pool_replies, replies, reported, slots, volumes

    return (
        *slots.RULES,
        *volumes.RULES,
        *cabling.RULES,
        *balance.RULES,
        *replies.RULES,
        *reported.RULES,
        pool_replies.known_pool,
    )


def _lustre() -> tuple[Rule, ...]:
    """Those of Lustre, whatever its volumes lie on."""
    from pixsize.check import (
        design,
        lustre_asked,
        lustre_fencing,
        lustre_files,
        lustre_formats,
        lustre_limits,
        lustre_network,
        lustre_release,
        lustre_service,
        lustre_targets,
    )

    return (
        *lustre_asked.RULES,
        *lustre_targets.RULES,
        *lustre_formats.RULES,
        *lustre_service.RULES,
        *lustre_network.RULES,
        *lustre_fencing.RULES,
        *lustre_limits.RULES,
        *lustre_files.RULES,
        *lustre_release.RULES,
        design.confirmed_drives,
        design.access_layer,
    )


RULES: dict[tuple[str, str], Callable[[], tuple[Rule, ...]]] = {
    ("scale", "me4"): _scale_on_me4,
    ("lustre", "me4"): _lustre_on_me4,
    ("lustre", "powerflex"): _lustre_on_powerflex,
}
"""A design's words `filesystem` and `volumes` -> its rules; a run loads no others."""

LAST: dict[tuple[str, str], Callable[[], tuple[Rule, ...]]] = {
    ("scale", "me4"): _scale_on_me4_exactly,
    ("lustre", "me4"): _lustre_on_me4_exactly,
    ("lustre", "powerflex"): _lustre_on_powerflex_exactly,
}
"""Likewise the rules that compare names, numbers and order part by part. They are asked where no other rule has found
an error: what another rule names has its cause there."""


def check(request: Request, plan: Plan, catalog: Catalog, observed: Observed) -> tuple[Finding, ...]:
    """What is wrong or doubtful about a plan: one finding a rule and cause, however many parts share it."""
    from pixsize.check import kinds

    case = Case(request, plan, catalog, observed)
    strange = tuple(finding for rule in kinds.RULES for finding in rule(case))
    if strange:
        return strange
    key = (case.design.filesystem, case.design.volumes)
    found = tuple(finding for rule in RULES[key]() for finding in rule(case))
    last = () if has_errors(found) else LAST[key]()
    return found + tuple(finding for rule in last for finding in rule(case))
