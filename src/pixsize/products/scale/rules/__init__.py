"""What a plan of IBM Storage Scale must keep."""

from pixsize.products.scale.rules import design, failure_groups, nsds

RULES = (
    design.scale_settings,
    *nsds.RULES,
    *failure_groups.RULES,
    *design.RULES,
)
EXACT = (*nsds.EXACT, *failure_groups.EXACT)
ON_ARRAYS = ()
"""None beside those of every plan."""
