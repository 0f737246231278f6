"""What is done on site with the sheet of cables."""

from __future__ import annotations

from collections import Counter

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Enclosure
from pixsize.plan.records import Plan
from pixsize.render.steps import CABLED, RACKED, Box, Look, Step, seconds
from pixsize.texts import plural

_WHAT = {
    "sas": ("SAS", "from each server to both controllers of each of its arrays, and on to the expansions"),
    "data": ("data", "from each server to both switches of the network of the file system"),
    "management": ("management", "servers, controllers and switches of the data to the management switch"),
    "joint": ("joint", "the two switches of a pair to each other, port by port"),
    "outward": (
        "outward",
        "adapters and switches that lead to the network of the site: which of its switches is its choice",
    ),
    "power": (
        "power",
        "to both feeds of the rack, last of all: expansions, then controllers, servers at the end; no PDU is planned",
    ),
}
"""What the cables of a network are called, and what they join."""

_UNPLANNED = (
    "they are not on the sheet: each server to two switches of the network of the file system, each server and each "
    "controller to the network for the management; label them as well"
)
"""What to do about switches that are not part of the plan."""

_LATER = (
    "; those of the controllers of arrays at the switch alone: new controllers share an address, and each is plugged in"
    " when its array gets its own"
)
"""What is said of the management where controllers come with an address of the factory."""


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """Label and plug in every cable, one box a network."""
    counts = Counter(link.network for link in plan.links)
    each, later = seconds(catalog, "cable"), _shared(plan, catalog)
    boxes = tuple(
        Box(
            plural(count, f"{_WHAT[network][0]} cable"),
            f"{_WHAT[network][1]}{_LATER if later and network == 'management' else ''}: [the sheet](cables/cables.txt)",
            "",
            each * count,
        )
        for network, count in counts.items()
    )
    if not plan.switches:
        boxes = (*boxes, Box("cables to the customer's switches", _UNPLANNED))
    apart = "; the management port of each controller empty, its cable beside it" if later else ""
    looks = [Look("each cable, at both ends", f"the label of its row, in the port of its row{apart}")]
    if counts["power"]:
        looks.append(
            Look("the lights of every power supply, and the sheet", "power at each, from feed A and from feed B")
        )
    title = "Label the cables and plug them in"
    return (Step(title, boxes, tuple(looks), after=(RACKED,), provides=(CABLED,)),)


def _shared(plan: Plan, catalog: Catalog) -> bool:
    """Whether new controllers of several arrays would come up with one address."""
    models = [catalog.get(Enclosure, array.model) for array in plan.arrays]
    return len([model for model in models if model.factory_addresses]) > 1
