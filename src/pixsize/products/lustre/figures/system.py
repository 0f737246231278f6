"""A Lustre plan as the measurements see it."""

from __future__ import annotations

from dataclasses import replace

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, ModuleSize, PoolDesign
from pixsize.estimate.measured import LNET, Kind, MetadataTier, release_of
from pixsize.estimate.system import Part, System, default_size, parts_of
from pixsize.plan.records import Plan
from pixsize.products.lustre.figures.words import words_of
from pixsize.products.lustre.plan import lustre


def system_of(plan: Plan, catalog: Catalog) -> System:
    """Lustre on modules of arrays, or on servers that share their drives in a pool and have one pair of MDS."""
    design = catalog.get(Design, plan.design)
    metadata = [m for m in plan.modules if m.role == "metadata"]
    mdts = sum(t.kind == "mdt" for t in plan.targets)
    chunk = default_size(design, "metadata.chunk_size")
    if plan.pools:
        parts, tier = _sharing(plan), MetadataTier(1, 0, mdts, frozenset())
    else:
        parts = _own_sizes(parts_of([m for m in plan.modules if m.role == "storage"], plan, design), plan, catalog)
        arrays = sum(len(m.arrays) for m in metadata)
        tier = MetadataTier(len(metadata), arrays, mdts, frozenset(m.drive for m in metadata))
    usual = all(m.chunk_bytes == chunk for m in metadata)
    return System(
        design=plan.design,
        variant=plan.variant,
        parts=parts,
        settings=((LNET, _lnet(plan)),),
        release=release_of(lustre(plan).version),
        metadata=tier,
        default_ssds=False,
        metadata_unlike=() if usual else ("the chunk size of the metadata",),
        words=words_of(plan),
        pool_adapter=design.storage.pool_adapter if isinstance(design, PoolDesign) else "",
    )


def _lnet(plan: Plan) -> str:
    """Whether LNet goes over RDMA or over sockets; a plan without a network is taken for the documents' own."""
    network = lustre(plan).network
    return "tcp" if network is not None and network.lnet.startswith("tcp") else "o2ib"


def _sharing(plan: Plan) -> tuple[Part, ...]:
    """The servers of the pool, all alike: as many OSTs on each."""
    (pool,) = plan.pools
    servers = [s for s in plan.servers if s.id in pool.servers]
    osts = sum(t.kind == "ost" for t in plan.targets) // len(servers)
    return (Part(Kind("server", 0, osts, False, pool.drive), len(servers), servers[0].id, "", (servers[0],), True),)


def _own_sizes(parts: tuple[Part, ...], plan: Plan, catalog: Catalog) -> tuple[Part, ...]:
    """The parts, those of a size that pixsize alone stands behind marked as such."""
    sizes = {s.size: s for s in catalog.of_design(ModuleSize, plan.design)}
    ours = {name: s.id for name, s in sizes.items() if {c.document for c in s.sources} == {"pixsize"}}
    return tuple(replace(p, own_size=ours.get(p.kind.size, "")) for p in parts)
