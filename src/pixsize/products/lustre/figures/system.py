"""Lustre as the measurements see it: a plan, and a system that was measured."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, MeasuredSystem
from pixsize.estimate.measured import Conditions, Hardware, Lookup, MetadataTier, Settings
from pixsize.estimate.system import System, default_size
from pixsize.plan.records import Plan
from pixsize.product import volumes_of
from pixsize.products.lustre.figures.words import words_of
from pixsize.products.lustre.plan import lustre


def system_of(plan: Plan, catalog: Catalog) -> System:
    """Lustre on modules of arrays, or on servers that share their drives in a pool and have one pair of MDS."""
    design = catalog.get(Design, plan.design)
    metadata = [m for m in plan.modules if m.role == "metadata"]
    mdts = sum(t.kind == "mdt" for t in plan.targets)
    # In a pool no module has the metadata for itself: one pair of MDS does.
    modules = len(metadata) or 1
    arrays = sum(len(m.arrays) for m in metadata)
    chunk = default_size(design, "metadata.chunk_size")
    usual = all(m.chunk_bytes == chunk for m in metadata)
    network = lustre(plan).network
    return System(
        design=plan.design,
        variant=plan.variant,
        parts=volumes_of(design).data_tier(plan, catalog),
        settings=_settings("o2ib" if network is None else network.lnet),
        software=_software(lustre(plan).version),
        metadata=MetadataTier(modules, arrays, mdts, frozenset(m.drive for m in metadata)),
        default_ssds=False,
        metadata_unlike=() if usual else ("the chunk size of the metadata",),
        words=words_of(plan),
    )


def measured(system: MeasuredSystem, hardware: Hardware, lookup: Lookup) -> Conditions:
    """What a measured system was: one or, with DNE, two MDTs a pair, on arrays as many as their layout has groups."""
    mdts = system.metadata
    if mdts is None:
        raise ValueError(f"a measurement of {system.design} says nothing of its MDTs")
    drives = frozenset((lookup.name(mdts.drive),) if mdts.drive else ())
    each = hardware.metadata_groups or (2 if mdts.dne else 1)
    tier = MetadataTier(mdts.pairs, mdts.pairs if hardware.array else 0, mdts.pairs * each, drives)
    return Conditions(_settings(system.lnet), _software(system.lustre_version), tier)


def _settings(lnet: str) -> Settings:
    """Whether LNet goes over RDMA or over sockets; a plan without a network is taken for the documents' own."""
    return (("the kind of LNet network", "tcp" if lnet.startswith("tcp") else "o2ib"),)


def _software(version: str) -> Settings:
    """The release that a version belongs to: `2.10` for 2.10.4."""
    return (("the release of Lustre", ".".join(version.split(".")[:2])),)
