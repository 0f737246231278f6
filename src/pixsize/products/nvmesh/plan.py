"""What NVMesh has of a plan: its pairs of servers, and how its volumes lie over their drives."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pixsize.plan.records import FilledPool

PROVIDER = "nvmesh"
NVME = "nvme"
ROLES = frozenset({NVME})
"""The role of the servers with NVMe drives. They serve volumes to others."""
BLOCK = 4096
"""Bytes of a block of NVMesh."""


class NvmePair(NamedTuple):
    """Two servers that mirror each other's drives."""

    id: Annotated[str, "its name"]
    servers: Annotated[tuple[str, ...], "its servers"]


class NvmeArbiter(NamedTuple):
    """A third target of NVMesh, which holds no data of the tier."""

    server: Annotated[str, "its server"]
    drive: Annotated[str, "catalog id of its drive"]


class NvmeTier(NamedTuple):
    """The NVMe tier of a plan."""

    pairs: Annotated[tuple[NvmePair, ...], "the pairs of servers"]
    pool: Annotated[str, "the pool of its targets"]
    slice_bytes: Annotated[int, "what a volume takes of each drive"]
    stripe_width: Annotated[int, "drives of a stripe, the mirrors left out"]
    stripe_blocks: Annotated[int, "blocks of 4 KiB that a drive takes of a stripe"]
    limit: Annotated[int, "per cent of the pool from which on new files go to the main pool"]
    high: Annotated[int, "per cent of the pool from which on files move to the main pool"]
    low: Annotated[int, "per cent of the pool that they leave"]
    arbiter: Annotated[NvmeArbiter | None, "the third target, where one was named"] = None


def pools(tier: NvmeTier) -> tuple[FilledPool, ...]:
    """The pool of the tier, and how full it may be."""
    return (FilledPool(tier.pool, tier.limit, tier.high, tier.low),)


def drives(tier: NvmeTier) -> tuple[tuple[str, int, str], ...]:
    """The drive of the arbiter, which is in no server of the pairs."""
    return ((tier.arbiter.drive, 1, f"as arbiter in {tier.arbiter.server}"),) if tier.arbiter else ()


def servers_of_pair(number: int) -> tuple[str, str]:
    """The names of the servers of a pair, by its number from 1: nvme1 and nvme2 are the first."""
    return f"{NVME}{2 * number - 1}", f"{NVME}{2 * number}"
