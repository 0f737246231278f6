"""Lustre as the measurements see it, what its network carries, and the terms and sources of its figures."""

from __future__ import annotations

from fractions import Fraction

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.estimate.ids import FABRIC
from pixsize.estimate.rates import line, network
from pixsize.estimate.system import (
    Conditions,
    Difference,
    FigureTerms,
    Hardware,
    Lookup,
    MetadataTier,
    Settings,
    System,
    default_size,
)
from pixsize.figures import Figure, Source
from pixsize.plan.records import Plan
from pixsize.product import PRODUCTS, volumes_of
from pixsize.products.lustre.plan import MeasuredLustre, lustre
from pixsize.products.lustre.terms import TERMS

LUSTRE = FigureTerms(
    target="OST",
    server="OSS",
    adapters="LNet adapters",
    metadata="the MDTs and of an MGT",
    metadata_targets="MDTs",
    spread="Lustre takes all {n:,} OSTs by turns",
    spreading=Source("lustre-manual", "Managing Free Space, Stripe Allocation Methods: OSTs are taken by turns"),
    doubled="as PixStor saw with expansions behind the same controllers",
    modules="",
)


def terms_of(plan: Plan, catalog: Catalog) -> FigureTerms:
    """The terms of a design; what can be had several times depends on its volumes."""
    design = catalog.get(Design, plan.design)
    return LUSTRE._replace(modules=TERMS.grows_at[PRODUCTS[design.volumes].gives]).for_design(design)


def system_of(plan: Plan, catalog: Catalog) -> System:
    """Lustre on modules of arrays, or on servers that share their drives in a pool and have one pair of MDS."""
    design = catalog.get(Design, plan.design)
    metadata = [m for m in plan.modules if m.role == "metadata"]
    mdts = sum(t.kind == "mdt" for t in plan.targets)
    # In a pool no module has the metadata for itself: one pair of MDS does.
    modules = len(metadata) or 1
    arrays = sum(len(m.arrays) for m in metadata)
    chunk = default_size(design, "metadata.chunk_size")
    default_chunk = all(m.chunk_bytes == chunk for m in metadata)
    lnet = lustre(plan).network
    return System(
        design=plan.design,
        variant=plan.variant,
        parts=volumes_of(design).data_tier(plan, catalog),
        settings=_settings("o2ib" if lnet is None else lnet.lnet),
        software=_software(lustre(plan).version),
        metadata=MetadataTier(modules, arrays, mdts, frozenset(m.drive for m in metadata)),
        default_ssds=False,
        metadata_unlike=() if default_chunk else ("another chunk size of the metadata",),
        terms=terms_of(plan, catalog),
    )


def measured(system: MeasuredLustre, hardware: Hardware, lookup: Lookup) -> Conditions:
    """What a measured system was: one or, with DNE, two MDTs a pair, on arrays as many as their layout has groups."""
    mdts = system.metadata
    drives = frozenset((lookup.name(mdts.drive),) if mdts.drive else ())
    each = hardware.metadata_groups or (2 if mdts.dne else 1)
    tier = MetadataTier(mdts.pairs, mdts.pairs if hardware.array else 0, mdts.pairs * each, drives)
    return Conditions(_settings(system.lnet), _software(system.lustre_version), tier)


def _settings(lnet: str) -> Settings:
    """Whether LNet goes over RDMA or over sockets; a plan without a network is taken for the documents' own."""
    return ((Difference("setting", "another kind of LNet network"), "tcp" if lnet.startswith("tcp") else "o2ib"),)


def _software(version: str) -> Settings:
    """The release that a version belongs to: `2.10` for 2.10.4."""
    return ((Difference("setting", "another release of Lustre"), ".".join(version.split(".")[:2])),)


def lnet(system: System, catalog: Catalog) -> tuple[Figure, ...]:
    """What the servers' adapters on Lustre's own network carry, one way, all together."""
    adapter = volumes_of(design := catalog.get(Design, system.design)).adapter_of(design)
    links = [(p.count, c) for p in system.parts for c in network(p, catalog, but=adapter)]
    if not links:
        return ()
    rule = "What the adapters of all OSS on the network of LNet carry one way, each as its ports or PCIe lanes allow."
    inputs = tuple(dict.fromkeys(i for _, c in links for i in c.inputs))
    return (line(f"{FABRIC}lnet", sum((n * c.most for n, c in links), Fraction(0)), inputs, rule, system.terms.chain),)
