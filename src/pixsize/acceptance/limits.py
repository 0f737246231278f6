"""Why a rate may lie outside its range, in words: below, the limits in the order in which data pass them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pixsize import units
from pixsize.acceptance.rules import Doubted
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Adapter
from pixsize.estimate.ids import FABRIC, METADATA
from pixsize.figures import Figure
from pixsize.plan.records import Plan
from pixsize.results.records import Run
from pixsize.texts import plural


def above(figure: Figure, rate: int, counted: Sequence[Doubted], is_far: bool) -> str:
    """Which is likelier above the range, a cache or a better system, and why."""
    times = f"{units.show(rate, figure.unit)} are {rate / figure.high:.2f} times the high end of the range"
    up = [d.code for d in counted if d.way in ("up", "both")]
    if is_far:
        return (
            f"above: {times}: no system of this plan comes near that; the data came from a cache, or the results "
            "are of another system"
        )
    if up:
        return f"above: {times}: a cache or the way of counting is likelier than a better system: {', '.join(up)}"
    return f"above: {times}, and nothing in the output speaks for a cache: a better system is likelier"


def below(
    figure: Figure, rate: int, run: Run, plan: Plan, figures: Mapping[str, Figure], catalog: Catalog
) -> Iterator[str]:
    """How far below the range, and what to look at, from the clients to the drives."""
    share = f"{rate / figure.low:.0%} of its low end" if figure.low else "of nothing"
    named = f"; the plan names {figure.limited_by} as its limit" if figure.limited_by else ""
    yield f"below: {units.show(rate, figure.unit)} are {share}{named}"
    yield f"(1) clients: {_clients(run, rate, figure.unit)}"
    yield f"(2) links: {_links(plan, figures, catalog)}"
    of = _METADATA if figure.id.startswith(METADATA) else _ARRAYS if plan.arrays else _POOL
    yield from (f"({number}) {what}" for number, what in enumerate(of, 3))


_METADATA = (
    "metadata servers: all of them serve, none is at its limit of processors, and no target has moved to the partner",
    "metadata drives: no group is degraded, and none is initialised or rebuilt",
)
_ARRAYS = (
    "controllers: both of each array serve, write back, and own half of the groups; every volume has all its paths",
    "drives: no group is degraded, and none is initialised, scrubbed or rebuilt; one target at a time shows a slow one",
)
_POOL = (
    "servers of the pool: all of them serve, and no rebuild or rebalance runs",
    "drives: none is missing or failing; one target at a time shows a slow one",
)
"""Where data pass behind the links, in this order, and what to look at there."""


def _clients(run: Run, rate: int, unit: str) -> str:
    said = [f"{run.nodes:,} took part" if run.nodes else "", plural(run.tasks, "thread") if run.tasks else ""]
    each = f", {units.show(rate // run.nodes, unit)} each" if run.nodes else ""
    listed = " with ".join(s for s in said if s) or "the output does not say how many"
    return f"{listed}{each}; measure each alone, a slow one holds up all others"


def _links(plan: Plan, figures: Mapping[str, Figure], catalog: Catalog) -> str:
    """What the network carries: the plan's figure, or the adapters of the servers of the data."""
    fabric = next((f for i, f in figures.items() if i.startswith(FABRIC)), None)
    if fabric is not None:
        carried = f"the servers' links carry {units.show(fabric.value, fabric.unit)} together"
    else:
        rates: Counter[str] = Counter()
        for server in plan.servers:
            for cards in server.adapters if server.role == "storage" else ():
                record = catalog.get(Adapter, cards.model)
                rates[record.use] += record.bytes_per_s * cards.count
        carried = (
            f"the storage servers' links carry {units.show(rates['network'], 'B/s')} together"
            if rates["network"]
            else ""
        )
    look = "look for links at a lower rate, with errors, or not used at all"
    return f"{carried}; {look}" if carried else look
