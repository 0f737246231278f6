"""The parts of an IBM Storage Scale system that measurements are compared by; terms and sources of its figures."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.fabrics import Chosen, network_of, used_by
from pixsize.catalog.measurements import StepKind
from pixsize.catalog.records import Adapter, Design, Drive
from pixsize.estimate.system import (
    Conditions,
    Difference,
    FigureTerms,
    Hardware,
    Lookup,
    MetadataTier,
    Settings,
    System,
    default_drive,
    default_size,
)
from pixsize.figures import Source
from pixsize.plan.records import Plan
from pixsize.product import volumes_of
from pixsize.products.scale.plan import HDMD, MeasuredScale, scale

SCALE = FigureTerms(
    target="NSD",
    server="NSD server",
    adapters="network adapters",
    metadata="metadata NSDs",
    metadata_targets="metadata NSDs",
    spread="GPFS stripes over all {n:,} NSDs alike",
    spreading=Source("ibm-scale", "Creating storage pools: blocks are striped over all disks of a pool"),
    doubled="as seen with the expansion",
    modules="storage_modules",
)


def system_of(plan: Plan, catalog: Catalog) -> System:
    """The storage of a plan, in the form in which it is compared with measurements."""
    design = catalog.get(Design, plan.design)
    storage = [m for m in plan.modules if m.role == "storage"]
    metadata = [m for m in plan.modules if m.role == "metadata"]
    ssds = frozenset(m.drive for m in metadata) or frozenset(m.metadata_drive for m in storage if m.metadata_drive)
    usual = default_drive(design, "storage_modules[].metadata_drive", catalog)
    inode, copies = default_size(design, "filesystem.inode_size"), design.defaults.get("filesystem.metadata_replicas")
    # Where the design has no default, nothing is known to differ from it.
    default_metadata = inode in (None, scale(plan).inode_bytes) and copies in (None, scale(plan).metadata_replicas)
    return System(
        design=plan.design,
        variant=plan.variant,
        parts=volumes_of(design).data_tier(plan, catalog),
        settings=_settings(plan.variant, scale(plan).block_bytes),
        software=_network(design, plan, catalog),
        metadata=MetadataTier(len(metadata), sum(len(m.arrays) for m in metadata), 0, ssds),
        default_ssds=not metadata and all(catalog.get(Drive, s).capacity_bytes == usual for s in ssds),
        metadata_unlike=() if default_metadata else ("another inode size or number of copies",),
        terms=SCALE.for_design(design),
    )


def _network(design: Design, plan: Plan, catalog: Catalog) -> Settings:
    """In what the network differs from the design's own, which is the measured one; nothing where it is that.

    A slower link is a setting of the same network. Another network is what lies between generations, as one part of it:
    RDMA may be missing, and nobody measured it. Where no link is faster than the measured one, it brings no more.
    """
    cards = (card for server in plan.servers if server.role == "storage" for card, _ in server.adapters)
    used = used_by(design, cards, catalog)
    if used is None or used.link == design.fabrics[0].links[0]:
        return ()
    own = Chosen(design.fabrics[0], design.fabrics[0].links[0])
    card, measured_card = (catalog.get(Adapter, each.link.adapter) for each in (used, own))
    same = network_of(used.fabric, catalog) == network_of(own.fabric, catalog)
    step: StepKind = "setting" if same else "generation"
    what = f"another network: {card.title}, where {measured_card.title} was measured"
    return ((Difference(step, what, less=card.bytes_per_s <= measured_card.bytes_per_s), used.link.adapter),)


def measured(system: MeasuredScale, hardware: Hardware, lookup: Lookup) -> Conditions:  # noqa: ARG001
    """What a measured system was: in the standard variant its metadata lay on SSDs in the arrays of the data."""
    hdmd = system.hdmd
    named = (hdmd.drive,) if hdmd else tuple(m.metadata_drive for m in system.storage_modules)
    drives = frozenset(lookup.name(drive) if drive else "" for drive in named)
    modules, arrays = (hdmd.modules, hdmd.modules * hdmd.arrays) if hdmd else (0, 0)
    return Conditions(_settings(system.variant, system.block_bytes), (), MetadataTier(modules, arrays, 0, drives))


def _settings(variant: str, block_bytes: int | None) -> Settings:
    """What data figures depend on; how metadata is stored matters to them where it lies on the arrays of the data."""
    return (
        (Difference("variant", "another variant"), variant == HDMD),
        (Difference("setting", "another block size"), block_bytes),
    )
