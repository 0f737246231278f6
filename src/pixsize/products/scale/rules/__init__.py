"""What a plan of IBM Storage Scale must keep."""

from pixsize.products.scale.rules import design, failure_groups, networks, nodes, nsds

RULES = (
    design.scale_settings,
    *nsds.RULES,
    *failure_groups.RULES,
    *design.RULES,
    *nodes.RULES,
    *networks.RULES,
)
EXACT = (*nsds.EXACT, *failure_groups.EXACT, *nodes.EXACT, *networks.EXACT)
ON_ARRAYS = ()
"""None beside those of every plan."""
