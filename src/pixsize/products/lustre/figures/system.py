"""Lustre as the measurements see it, what its network carries, and the terms and sources of its figures."""

from __future__ import annotations

from fractions import Fraction

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design
from pixsize.estimate.rates import line, network
from pixsize.estimate.system import (
    Conditions,
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
from pixsize.product import volumes_of
from pixsize.products.lustre.plan import MeasuredLustre, lustre

ARRAYS = Source(
    "dell-lustre-me4", "3. Meta data targets; 4. Object storage targets: groups, hot spares, one volume a group"
)
RAW_ON_ARRAYS = Source("dell-lustre-me4", "Table 1, Object Storage Enclosure: raw counts all 84 drives of an enclosure")
GROWS = Source("dell-lustre-me4", "Introduction: easy to scale in capacity, performance, or both")
CHAIN = Source("dell-lustre-me4", "1. Solution Reference Architecture, Figure 1; Table 1: adapters and arrays")
STRIPES_BY_TURNS = Source("lustre-manual", "Managing Free Space, Stripe Allocation Methods: OSTs are taken by turns")
POOL = Source("dell-lustre-powerflex", "Installation Details: one shared pool, 64 TB of raw storage, mirrored volumes")
POOL_NETWORK = Source(
    "dell-lustre-powerflex",
    "Test Environment, Figure 1: SDS on every OSS, SDC on every server, 100 Gb Ethernet between",
)
POOL_GROWS = Source(
    "dell-lustre-powerflex", "The Lustre PowerFlex Storage Solution: more OSS with their SSDs bring more throughput"
)
LUSTRE_ON_ARRAYS = FigureTerms(
    target="OST",
    server="OSS",
    adapters="LNet adapters",
    metadata="the MDTs and of an MGT",
    metadata_targets="MDTs",
    spread="Lustre takes all {n:,} OSTs by turns",
    doubled="as PixStor saw with expansions behind the same controllers",
    counted="It takes nothing off for the array or the file system.",
    modules="storage_modules",
    raw=RAW_ON_ARRAYS,
    formatted=ARRAYS,
    layout=ARRAYS,
    spreading=STRIPES_BY_TURNS,
    grows=GROWS,
    chain=CHAIN,
)
LUSTRE_IN_A_POOL = LUSTRE_ON_ARRAYS._replace(
    counted="It takes nothing off for the spare of the pool, its metadata or the file system.",
    modules="servers",
    raw=POOL,
    formatted=POOL,
    layout=POOL,
    grows=POOL_GROWS,
    chain=POOL_NETWORK,
)


def terms_of(plan: Plan, catalog: Catalog) -> FigureTerms:
    """The terms of the design, whose volumes stand on arrays or on a pool.

    The sources are places of the document that the design cites; one that cites another document is a source itself.
    """
    terms, cited = (LUSTRE_IN_A_POOL if plan.pools else LUSTRE_ON_ARRAYS), catalog.record(plan.design).sources
    if not cited or any(s.document == terms.layout.document for s in cited):
        return terms
    own = cited[0].source()
    return terms._replace(raw=own, formatted=own, layout=own, grows=own, chain=own)


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
    lnet = lustre(plan).network
    return System(
        design=plan.design,
        variant=plan.variant,
        parts=volumes_of(design).data_tier(plan, catalog),
        settings=_settings("o2ib" if lnet is None else lnet.lnet),
        software=_software(lustre(plan).version),
        metadata=MetadataTier(modules, arrays, mdts, frozenset(m.drive for m in metadata)),
        default_ssds=False,
        metadata_unlike=() if usual else ("the chunk size of the metadata",),
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
    return (("the kind of LNet network", "tcp" if lnet.startswith("tcp") else "o2ib"),)


def _software(version: str) -> Settings:
    """The release that a version belongs to: `2.10` for 2.10.4."""
    return (("the release of Lustre", ".".join(version.split(".")[:2])),)


def lnet(system: System, catalog: Catalog) -> tuple[Figure, ...]:
    """What the servers' adapters on Lustre's own network carry, one way, all together."""
    own = volumes_of(design := catalog.get(Design, system.design)).adapter_of(design)
    links = [(p.count, c) for p in system.parts for c in network(p, catalog, but=own)]
    if not links:
        return ()
    rule = "What the adapters of all OSS on the network of LNet carry one way, each as its ports or PCIe lanes allow."
    inputs = tuple(dict.fromkeys(i for _, c in links for i in c.inputs))
    return (line("lnet", sum((n * c.rate for n, c in links), Fraction(0)), inputs, rule, system.terms.chain),)
