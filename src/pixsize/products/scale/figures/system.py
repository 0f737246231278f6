"""The parts of an IBM Storage Scale system that measurements are compared by; terms and sources of its figures."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.fabrics import Chosen, FabricChoice, chosen, network_of, used_by
from pixsize.catalog.records import Adapter, Drive
from pixsize.estimate.system import (
    NETWORK,
    Conditions,
    Difference,
    FigureTerms,
    Hardware,
    Lookup,
    MetadataTier,
    NetworkOf,
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
    cards = (card for server in plan.servers if server.role == "storage" for card, _ in server.adapters)
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
        software=_network(used_by(design, cards, catalog), catalog),
        metadata=MetadataTier(len(metadata), sum(len(m.arrays) for m in metadata), 0, ssds),
        default_ssds=not metadata and all(catalog.get(Drive, s).capacity_bytes == usual for s in ssds),
        metadata_unlike=() if default_metadata else ("another inode size or number of copies",),
        terms=SCALE.for_design(design),
    )


def _network(wanted: Chosen | None, catalog: Catalog) -> Settings:
    """The network as it is compared; nothing where a design has one alone."""
    if wanted is None:
        return ()
    card = catalog.get(Adapter, wanted.link.adapter)
    kind = network_of(wanted.fabric, catalog)
    return ((NETWORK, NetworkOf(wanted.link.adapter, card.title, card.bytes_per_s, kind)),)


def measured(system: MeasuredScale, hardware: Hardware, lookup: Lookup) -> Conditions:  # noqa: ARG001
    """What a measured system was: in the standard variant its metadata lay on SSDs in the arrays of the data."""
    hdmd = system.hdmd
    named = (hdmd.drive,) if hdmd else tuple(m.metadata_drive for m in system.storage_modules)
    drives = frozenset(lookup.name(drive) if drive else "" for drive in named)
    modules, arrays = (hdmd.modules, hdmd.modules * hdmd.arrays) if hdmd else (0, 0)
    design = lookup.catalog.get(Design, system.design)
    network = _network(chosen(design, FabricChoice(system.fabric, system.link)), lookup.catalog)
    tier = MetadataTier(modules, arrays, 0, drives)
    return Conditions(_settings(system.variant, system.block_bytes), network, tier)


def _settings(variant: str, block_bytes: int | None) -> Settings:
    """What data figures depend on; how metadata is stored matters to them where it lies on the arrays of the data."""
    return (
        (Difference("variant", "another variant"), variant == HDMD),
        (Difference("setting", "another block size"), block_bytes),
    )
