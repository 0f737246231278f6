"""From the drives of a mirrored pool as sold to the volumes in it."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Limit
from pixsize.estimate import ids
from pixsize.estimate.evidence import JUDGEMENT
from pixsize.estimate.system import FigureTerms
from pixsize.figures import Figure, exact
from pixsize.plan.records import Plan
from pixsize.products.powerflex.build import COPIES, FREE, mirrored_bytes
from pixsize.products.powerflex.sizing import STEP


def pool_steps(plan: Plan, terms: FigureTerms, catalog: Catalog) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """The steps from the drives as sold down to the volumes for data, and the capacities of the metadata."""
    (pool,) = plan.pools
    copies = catalog.get(Limit, COPIES).value
    once = pool.bytes // copies
    room = mirrored_bytes(pool.bytes, pool.spare_percent, copies)
    metadata = sum(v.bytes for v in plan.volumes if v.purpose == "metadata")
    data = sum(v.bytes for v in plan.volumes if v.purpose == "data")
    step = catalog.get(Limit, STEP).value
    spared = (ids.FORMATTED, plan.design)
    lie = f"The volumes of {terms.metadata} lie in the same pool."
    taken = f"What the volumes of {terms.metadata} take of the drives, both copies."
    usable = f"The volumes of {terms.metadata}, before they are formatted."
    steps = (
        exact(ids.RAW, pool.bytes, _RAW, (terms.raw,), (pool.drive, plan.design)),
        exact(ids.MIRROR, pool.bytes - once, _MIRROR, (terms.layout,), (ids.RAW, COPIES)),
        _formatted(once, terms),
        exact(ids.POOL_SPARE, once - room, _spare_rule(pool.spare_percent), (JUDGEMENT,), spared),
        exact(
            ids.POOL_METADATA,
            metadata,
            lie,
            (terms.layout,),
            (plan.design, STEP),
        ),
        exact(
            ids.ROUNDING,
            room - metadata - data,
            _rounding(step, terms.target, catalog),
            (JUDGEMENT,),
            (STEP, FREE, plan.design),
        ),
    )
    return steps, (
        exact(
            ids.METADATA_RAW,
            metadata * copies,
            taken,
            (terms.layout,),
            _METADATA_INPUTS,
        ),
        exact(
            ids.METADATA_USABLE,
            metadata,
            usable,
            (terms.layout,),
            (ids.POOL_METADATA,),
        ),
    )


_RAW = "All drives of the pool as sold. Metadata and data lie in the same pool, so that both are in it."
_MIRROR = "Each block lies on two servers: half of the drives holds the second copies."
_METADATA_INPUTS = (ids.POOL_METADATA, COPIES)


def _formatted(value: int, terms: FigureTerms) -> Figure:
    rule = f"The document's method: half of raw, decimal. {terms.counted}"
    return exact(ids.FORMATTED, value, rule, (terms.formatted,), (ids.RAW, ids.MIRROR))


def _spare_rule(percent: int) -> str:
    return f"The {percent} % of the pool that stay free, so that what a lost server held finds room elsewhere."


def _rounding(step: int, target: str, catalog: Catalog) -> str:
    share = catalog.get(Constant, FREE).value
    return (
        f"What the volumes leave of the pool: {float(share * 100):g} % of it stays free, as drives hold a little less "
        f"than as sold; each volume is a multiple of {step >> 30} GiB, and all {target}s are equally large. Sizes that "
        "a request gives leave what they leave."
    )
