"""From the drives of a mirrored pool as sold to the volumes in it."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Limit
from pixsize.estimate import ids
from pixsize.estimate.evidence import JUDGEMENT
from pixsize.estimate.system import FigureTerms
from pixsize.figures import Figure, exact
from pixsize.plan.records import Plan
from pixsize.products.powerflex.build import MIRROR_COPIES, POOL_FREE, mirrored_bytes
from pixsize.products.powerflex.request import VOLUME_STEP

_RAW = "All drives of the pool as sold. Metadata and data lie in the same pool, so that both are in it."
_MIRROR = "Each block lies on two servers: half of the drives holds the second copies."


def pool_steps(plan: Plan, terms: FigureTerms, catalog: Catalog) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """The steps from the drives as sold down to the volumes for data, and the capacities of the metadata. In bytes."""
    (pool,) = plan.pools
    copies = catalog.get(Limit, MIRROR_COPIES).value
    one_copy = pool.bytes // copies
    available = mirrored_bytes(pool.bytes, pool.spare_percent, copies)
    metadata, data = (sum(v.bytes for v in plan.volumes if v.purpose == use) for use in ("metadata", "data"))
    formatted_rule = f"The document's method: half of raw, decimal. {terms.counted}"
    spare_rule = (
        f"The {pool.spare_percent} % of the pool that stay free, so that what a lost server held finds room elsewhere."
    )
    metadata_rule = f"The volumes of {terms.metadata} lie in the same pool."
    rounding_rule = _rounding(catalog.get(Limit, VOLUME_STEP).value, terms.target, catalog)
    steps = (
        exact(ids.RAW, pool.bytes, _RAW, (terms.raw,), (pool.drive, plan.design)),
        exact(ids.MIRROR, pool.bytes - one_copy, _MIRROR, (terms.layout,), (ids.RAW, MIRROR_COPIES)),
        exact(ids.FORMATTED, one_copy, formatted_rule, (terms.formatted,), (ids.RAW, ids.MIRROR)),
        exact(ids.POOL_SPARE, one_copy - available, spare_rule, (JUDGEMENT,), (ids.FORMATTED, plan.design)),
        exact(ids.POOL_METADATA, metadata, metadata_rule, (terms.layout,), (plan.design, VOLUME_STEP)),
        exact(
            ids.ROUNDING,
            available - metadata - data,
            rounding_rule,
            (JUDGEMENT,),
            (VOLUME_STEP, POOL_FREE, plan.design),
        ),
    )
    raw_rule = f"What the volumes of {terms.metadata} take of the drives, both copies."
    usable_rule = f"The volumes of {terms.metadata}, before they are formatted."
    return steps, (
        exact(ids.METADATA_RAW, metadata * copies, raw_rule, (terms.layout,), (ids.POOL_METADATA, MIRROR_COPIES)),
        exact(ids.METADATA_USABLE, metadata, usable_rule, (terms.layout,), (ids.POOL_METADATA,)),
    )


def _rounding(step: int, target: str, catalog: Catalog) -> str:
    """Why the volumes leave a part of the pool: the free share, and whole steps of `step` bytes."""
    free_share = catalog.get(Constant, POOL_FREE).value
    return (
        f"What the volumes leave of the pool: {float(free_share * 100):g} % of it stays free, as drives hold a little "
        f"less than as sold; each volume is a multiple of {step >> 30} GiB, and all {target}s are equally large. Sizes "
        "that a request gives leave what they leave."
    )
