"""What the estimates of Lustre are worded with, on arrays and in a pool."""

from __future__ import annotations

from pixsize.estimate.words import Words
from pixsize.plan.records import Plan
from pixsize.products.lustre.figures import sources

LUSTRE_ON_ARRAYS = Words(
    target="OST",
    metadata="the MDTs and of an MGT",
    metadata_targets="MDTs",
    spread="Lustre takes all {n:,} OSTs by turns",
    doubled="as PixStor saw with expansions behind the same controllers",
    counted="It takes nothing off for the array or the file system.",
    modules="storage_modules",
    raw=sources.RAW_ON_ARRAYS,
    formatted=sources.ARRAYS,
    layout=sources.ARRAYS,
    spreading=sources.STRIPES_BY_TURNS,
    grows=sources.GROWS,
    chain=sources.CHAIN,
)

LUSTRE_IN_A_POOL = LUSTRE_ON_ARRAYS._replace(
    counted="It takes nothing off for the spare of the pool, its metadata or the file system.",
    modules="servers",
    raw=sources.POOL,
    formatted=sources.POOL,
    layout=sources.POOL,
    grows=sources.POOL_GROWS,
    chain=sources.POOL_NETWORK,
)


def words_of(plan: Plan) -> Words:
    """The words for what the volumes stand on."""
    return LUSTRE_IN_A_POOL if plan.pools else LUSTRE_ON_ARRAYS
