"""What a plan of IBM Storage Scale must keep."""

from pixsize.products.scale.rules import asked, design, failure_groups, nsds

RULES = (
    asked.scale_settings,
    *nsds.RULES,
    *failure_groups.RULES,
    *design.RULES,
)
EXACT = (*nsds.EXACT, *failure_groups.EXACT)
ON_ARRAYS = ()
"""None beside those of every plan."""
