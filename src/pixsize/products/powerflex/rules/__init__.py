"""What a plan on a PowerFlex pool must keep."""

from pixsize.arrays.rules import volumes
from pixsize.check import pools
from pixsize.products.powerflex.rules import pool, replies, request

PARTS = frozenset({"pools"})
"""The lists of a plan that these rules judge."""
REPLY_RULES = (replies.known_pool,)
"""Asked of every plan with replies."""
EXACT = (*request.EXACT, *pools.EXACT)
RULES = (*request.AS_REQUESTED, *pools.RULES, volumes.one_to_one, volumes.names, *pool.RULES, *replies.RULES)
