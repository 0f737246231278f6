"""What a plan holds of PowerFlex."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pixsize.plan.records import Plan, Pool

PROVIDER = "powerflex"
"""What makes the volumes, as a plan names it: the word of designs."""


class PowerFlexPool(NamedTuple):
    """What PowerFlex has of a pool: the cluster that manages it."""

    mdms: Annotated[
        tuple[str, ...],
        "the members of the MDM cluster, three or five: managers, the master first, then the tie breakers, one less",
    ]

    @property
    def managers(self) -> tuple[str, ...]:
        """The managers of the MDM cluster, the master first: more than half of its members."""
        return self.mdms[: len(self.mdms) // 2 + 1]

    @property
    def tie_breakers(self) -> tuple[str, ...]:
        """The members of the MDM cluster that only vote."""
        return self.mdms[len(self.mdms) // 2 + 1 :]


_NO_POOL = PowerFlexPool(())


def own_of(pool: Pool) -> PowerFlexPool:
    """PowerFlex's record of a pool; an empty one where the pool is another product's."""
    return pool.own if isinstance(pool.own, PowerFlexPool) else _NO_POOL


def on_powerflex(plan: Plan) -> bool:
    """Whether the volumes of a plan lie in a pool of PowerFlex."""
    return bool(plan.pools) and any(v.provider == PROVIDER for v in plan.volumes)
