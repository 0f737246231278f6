"""What the estimates of a kind of system are worded with: what things are called, and the places that say so."""

from __future__ import annotations

from typing import NamedTuple

from pixsize.estimate import cited
from pixsize.figures import Source
from pixsize.plan.records import LustreFilesystem, Plan


class Words(NamedTuple):
    """What a kind of system calls its targets, how files are spread over `n` of them, and where its document says what.

    `doubled` tells where twice the drives behind the same controllers were seen, `counted` what the document's
    formatted capacity leaves aside; `modules` is the request's path to what can be had several times.
    """

    target: str
    spread: str
    doubled: str
    counted: str
    modules: str
    raw: Source
    formatted: Source
    layout: Source
    spreading: Source
    grows: Source
    controllers: Source
    chain: Source


SCALE = Words(
    target="NSD",
    spread="GPFS stripes over all {n:,} NSDs alike",
    doubled="as seen with the expansion",
    counted="It takes nothing off for the array or the file system, and prints GB where TB is meant.",
    modules="storage_modules",
    raw=cited.RAW,
    formatted=cited.FORMATTED,
    layout=cited.LAYOUT,
    spreading=cited.STRIPING,
    grows=cited.MODULES_ADD,
    controllers=cited.CONTROLLERS,
    chain=cited.CHAIN,
)

LUSTRE_ON_ARRAYS = Words(
    target="OST",
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
    """The words for a plan's kind of system."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        return SCALE
    return LUSTRE_IN_A_POOL if plan.pools else LUSTRE_ON_ARRAYS
