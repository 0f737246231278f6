"""What IBM Storage Scale has of a plan."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pixsize.plan.records import Plan, Target


class ScaleFilesystem(NamedTuple):
    """The settings of a file system of IBM Storage Scale."""

    name: str
    block_bytes: int
    inode_bytes: int
    metadata_replicas: int
    data_pool: str
    failure_groups: Literal["per_array", "sides"]


SYSTEM_POOL = "system"
"""The pool that metadata and descriptors live in (IBM Storage Scale, message 6027-2636)."""
KINDS = frozenset({"nsd"})
"""The kinds of target."""


class Nsd(NamedTuple):
    """What GPFS has of a target."""

    usage: Literal["dataOnly", "metadataOnly", "descOnly"]
    pool: str
    failure_group: int


def nsd_of(target: Target) -> Nsd:
    """What GPFS has of a target; TypeError where it is another product's."""
    if not isinstance(target.own, Nsd):
        raise TypeError(f"{target.id} is no NSD")
    return target.own


def scale(plan: Plan) -> ScaleFilesystem:
    """The settings of the file system; TypeError where it is another product's."""
    if not isinstance(plan.filesystem, ScaleFilesystem):
        raise TypeError(f"{plan.filesystem.name} is no file system of IBM Storage Scale")
    return plan.filesystem
