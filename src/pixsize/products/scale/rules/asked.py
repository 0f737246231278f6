"""A plan of IBM Storage Scale against its request: settings of the file system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from pixsize.check.context import Case, gathered
from pixsize.findings import Finding
from pixsize.products.scale.plan import nsd_of, scale
from pixsize.products.scale.request import ScaleRequest


def request_of(case: Case) -> ScaleRequest:
    """The request, as this product has it."""
    return cast("ScaleRequest", case.request)


def scale_settings(case: Case) -> Iterator[Finding]:
    """PX525: variant, file system and descriptor are the request's."""
    plan, wanted = case.plan, request_of(case).filesystem
    nsds = [(t.servers, t.device) for t in plan.targets if nsd_of(t).usage == "descOnly"]
    due_nsds = [((wanted.descriptor.server,), wanted.descriptor.device)] if wanted.descriptor else []
    pairs: tuple[tuple[str, object, object], ...] = (
        ("name", plan.name, case.request.name),
        ("design", plan.design, case.request.design),
        ("hdmd", plan.variant, case.variant),
        ("filesystem.name", scale(plan).name, wanted.name),
        ("filesystem.block_size", scale(plan).block_bytes, wanted.block_bytes),
        ("filesystem.inode_size", scale(plan).inode_bytes, wanted.inode_bytes),
        ("filesystem.metadata_replicas", scale(plan).metadata_replicas, wanted.metadata_replicas),
        ("filesystem.failure_groups", scale(plan).failure_groups, wanted.failure_groups),
        ("filesystem.descriptor", nsds, due_nsds),
    )
    hits = ((where, f"{where} is {seen}, where {due} was asked for") for where, seen, due in pairs if seen != due)
    return gathered("PX525", hits, "the plan is what was asked for, neither less nor more")
