"""What a plan holds of PowerFlex."""

from __future__ import annotations

from pixsize.plan.records import Plan

PROVIDER = "powerflex"
"""What makes the volumes, as a plan names it: the word of designs."""


def on_powerflex(plan: Plan) -> bool:
    """Whether the volumes of a plan lie in a pool of PowerFlex."""
    return bool(plan.pools) and any(v.provider == PROVIDER for v in plan.volumes)
