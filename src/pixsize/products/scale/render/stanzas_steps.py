"""The step that brings the stanza file to where the scripts of the cluster read it."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import scale
from pixsize.products.scale.render.stanzas import PATH
from pixsize.render.steps import DEVICES, Box, Look, Step, seconds
from pixsize.render.template import word

STANZAS = "the stanza file on the admin node"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """The file lies beside the folder of the scripts, and is the one of this run book."""
    admin = word(scale(plan).cluster.admin)
    count = len(plan.targets)
    return (
        Step(
            "Bring the stanzas to the admin node",
            (Box(admin, f"`{PATH}` lies there beside the folder `cluster`", PATH, seconds(catalog, "look")),),
            (Look("`grep -c '^%nsd:' stanzas/nsd.stanza`", f"{count}"),),
            after=(DEVICES,),
            provides=(STANZAS,),
        ),
    )
