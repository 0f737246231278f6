"""What the estimates of Lustre are worded with, on arrays and in a pool."""

from __future__ import annotations

from pixsize.estimate import cited
from pixsize.estimate.words import Words
from pixsize.plan.records import Plan

LUSTRE_ON_ARRAYS = Words(
    target="OST",
    metadata="the MDTs and of an MGT",
    spread="Lustre takes all {n:,} OSTs by turns",
    doubled="as PixStor saw with expansions behind the same controllers",
    counted="It takes nothing off for the array or the file system.",
    modules="storage_modules",
    raw=cited.LUSTRE_RAW,
    formatted=cited.LUSTRE_ARRAYS,
    layout=cited.LUSTRE_ARRAYS,
    spreading=cited.STRIPES_BY_TURNS,
    grows=cited.LUSTRE_GROWS,
    controllers=cited.CONTROLLERS,
    chain=cited.LUSTRE_CHAIN,
)

LUSTRE_IN_A_POOL = LUSTRE_ON_ARRAYS._replace(
    counted="It takes nothing off for the spare of the pool, its metadata or the file system.",
    modules="servers",
    raw=cited.POOL,
    formatted=cited.POOL,
    layout=cited.POOL,
    grows=cited.POOL_GROWS,
    chain=cited.POOL_NETWORK,
)


def words_of(plan: Plan) -> Words:
    """The words for what the volumes stand on."""
    return LUSTRE_IN_A_POOL if plan.pools else LUSTRE_ON_ARRAYS
