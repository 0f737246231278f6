"""Capacities of the NVMe tier and what its links carry, under names of their own."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Drive, Limit
from pixsize.estimate import ids
from pixsize.estimate.ids import FABRIC
from pixsize.estimate.rates import line, links_of
from pixsize.figures import Figure, exact
from pixsize.plan.records import Plan, added
from pixsize.products.nvmesh.build import slice_bytes
from pixsize.products.nvmesh.plan import NVME, PROVIDER, NvmeTier
from pixsize.products.nvmesh.records import DRIVE_OVERHEAD, PRIVATE_AREA, SLICE, NvmeDesign

TIER = "nvme."
"""The beginning of the ids of the tier's figures."""
RAW, FORMATTED, USABLE = (f"{TIER}{size}" for size in (ids.RAW, ids.FORMATTED, ids.USABLE))


def figures(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """The drives as sold, one copy of them, what the volumes hold, and what the links let through."""
    tier = added(plan, NvmeTier)
    assert tier is not None
    (section, *_) = catalog.of_design(NvmeDesign, plan.design)
    drives = [s.drives for s in plan.servers if s.drives and any(s.id in pair.servers for pair in tier.pairs)]
    sold = sum(d.count * catalog.get(Drive, d.drive).capacity_bytes for d in drives)
    models = tuple(dict.fromkeys(d.drive for d in drives))
    rule = "The NVMe drives of all pairs as sold: their number times their capacity."
    copies = "Half of the drives as sold: RAID 10 keeps every block twice, once on each server of a pair."
    raw = exact(RAW, sold, rule, section.citations(), (*models, section.id))
    formatted = exact(FORMATTED, sold // 2, copies, section.citations(), (RAW,))
    return raw, formatted, _usable(plan, tier, models[0], section, catalog), *_links(plan, section, catalog)


def _links(plan: Plan, section: NvmeDesign, catalog: Catalog) -> tuple[Figure, Figure]:
    """What the links of the tier's servers let through: a write crosses them on its way in, and again to its mirror."""
    links = links_of(plan, NVME, catalog)
    servers = f"{links.a_server} links of each of {links.servers:,} servers with NVMe drives"
    reads = f"What {servers} carry one way. No document has rates of the tier of this generation."
    writes = (
        f"Half of what {servers} carry one way: every write goes to both servers of a pair over the same links. No "
        "document has rates of the tier of this generation."
    )
    source = section.citations()[0]
    return (
        line(f"{TIER}{FABRIC}write", links.rate / 2, links.adapters, writes + links.told, source),
        line(f"{TIER}{FABRIC}read", links.rate, links.adapters, reads + links.told, source),
    )


def _usable(plan: Plan, tier: NvmeTier, drive: str, section: NvmeDesign, catalog: Catalog) -> Figure:
    """The volumes as they are asked for; less where NVMesh keeps the largest private area on each drive."""
    share, overhead = catalog.get(Constant, PRIVATE_AREA), catalog.get(Limit, DRIVE_OVERHEAD)
    volumes = [v for v in plan.volumes if v.provider == PROVIDER]
    value = sum(v.bytes for v in volumes)
    ends = [slice_bytes(drive, section.volumes, part, catalog) for part in (share.high, share.low)]
    low, high = (len(volumes) * tier.stripe_width * each for each in ends)
    return Figure(
        id=USABLE,
        value=value,
        low=min(low, value),
        high=max(high, value),
        unit="B",
        basis=share.basis,
        rule=f"{len(volumes):,} volumes of {tier.stripe_width} slices of {tier.slice_bytes // 2**20:,} MiB, mirrored. "
        f"A slice is an equal part of what NVMesh leaves of a drive, whole MiB of it. Low: with a private area of "
        f"{float(share.high * 100):g} % of each drive.",
        sources=tuple(dict.fromkeys((*section.citations(), *share.citations(), *overhead.citations()))),
        inputs=(FORMATTED, PRIVATE_AREA, DRIVE_OVERHEAD, SLICE),
    )
