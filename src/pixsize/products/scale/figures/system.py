"""A plan of IBM Storage Scale as the measurements see it."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, Drive
from pixsize.estimate.measured import MetadataTier
from pixsize.estimate.system import System, default_drive, default_size, parts_of
from pixsize.plan.records import Plan
from pixsize.products.scale.figures.words import SCALE
from pixsize.products.scale.plan import scale


def system_of(plan: Plan, catalog: Catalog) -> System:
    """The storage of a plan as the measurements see it."""
    design = catalog.get(Design, plan.design)
    storage = [m for m in plan.modules if m.role == "storage"]
    metadata = [m for m in plan.modules if m.role == "metadata"]
    ssds = frozenset(m.drive for m in metadata) or frozenset(m.metadata_drive for m in storage if m.metadata_drive)
    usual = default_drive(design, "storage_modules[].metadata_drive", catalog)
    return System(
        design=plan.design,
        variant=plan.variant,
        parts=parts_of(storage, plan, design),
        settings=(("the variant", plan.variant == "hdmd"), ("the block size", scale(plan).block_bytes)),
        release="",
        metadata=MetadataTier(len(metadata), sum(len(m.arrays) for m in metadata), 0, ssds),
        default_ssds=not metadata and all(catalog.get(Drive, s).capacity_bytes == usual for s in ssds),
        metadata_unlike=() if _default_metadata(plan, design) else ("the inode size or the number of copies",),
        words=SCALE,
    )


def _default_metadata(plan: Plan, design: Design) -> bool:
    inode = default_size(design, "filesystem.inode_size")
    replicas = design.defaults.get("filesystem.metadata_replicas")
    return inode in (None, scale(plan).inode_bytes) and replicas in (None, scale(plan).metadata_replicas)
