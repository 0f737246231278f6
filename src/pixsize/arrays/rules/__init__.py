"""What a plan on arrays must keep, whatever file system lies on them."""

from pixsize.arrays.rules import balance, cabling, replies, reported, slots, volumes
from pixsize.check import asked

RULES = (
    *asked.OF_MODULES,
    *slots.RULES,
    *volumes.RULES,
    *cabling.RULES,
    *balance.RULES,
    *replies.RULES,
    *reported.RULES,
)
