"""What is done on site with the sheet of cables."""

from __future__ import annotations

from collections import Counter

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.render.steps import CABLED, Box, Look, Step, seconds

_WHAT = {
    "sas": ("SAS", "from each server to both controllers of each of its arrays, and on to the expansions"),
    "data": ("data", "from each server to both switches of the network of the file system"),
    "management": ("management", "servers and controllers to the management switch"),
}
"""What the cables of a network are called, and what they join."""

_UNPLANNED = (
    "they are not on the sheet: each server to two switches of the network of the file system, each server and each "
    "controller to the network for the management; label them as well"
)
"""What to do about switches that are not part of the plan."""


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """Label and plug in every cable, one box a network."""
    counts = Counter(link.network for link in plan.links)
    each = seconds(catalog, "cable")
    boxes = tuple(
        Box(
            f"{count} {_WHAT[network][0]} cables",
            f"{_WHAT[network][1]}: [the sheet](cables/cables.txt)",
            "",
            each * count,
        )
        for network, count in counts.items()
    )
    if not plan.switches:
        boxes = (*boxes, Box("cables to the customer's switches", _UNPLANNED))
    look = Look("the lights of both ports of each cable", "a link at every port")
    return (Step("Label the cables and plug them in", boxes, (look,), provides=(CABLED,)),)
