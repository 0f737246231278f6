"""What a plan on arrays must keep, whatever file system lies on them."""

from pixsize.arrays.rules import balance, cabling, replies, reported, slots, volumes
from pixsize.check import asked

PARTS = frozenset({"modules", "arrays", "disk_groups", "spares"})
"""The lists of a plan that these rules judge."""
EXACT = (*asked.EXACT_OF_MODULES, *slots.EXACT, *volumes.EXACT)
RULES = (
    *asked.OF_MODULES,
    *slots.RULES,
    *volumes.RULES,
    *cabling.RULES,
    *balance.RULES,
    *replies.RULES,
    *reported.RULES,
)
