"""PowerFlex: servers that share their drives in one mirrored pool, and volumes in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pixsize.product import Place, Product, Replies, Volumes
from pixsize.registry import Registry

if TYPE_CHECKING:
    from pixsize.catalog.tunings import Tuning

_HERE = "pixsize.products.powerflex"


def _refusal(tuning: Tuning) -> str:
    """Why the MDM may not be given this parameter, as `WORD: reason`; empty where it may.

    scli takes commands and parameters in the same form (`--remove_volume`): only parameters of SDS, SDC and MDM pass.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", tuning.parameter):
        return "parameter: a parameter of PowerFlex is a plain name"
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", tuning.printed_name):
        return "printed: a parameter of PowerFlex is a plain name"
    for word, name in (("parameter", tuning.parameter), ("printed", tuning.printed_name)):
        if not re.fullmatch(r"(?:sds|sdc|mdm)_[a-z0-9_]+", name):
            return f"{word}: a parameter of PowerFlex begins with sds_, sdc_ or mdm_, not as {name!r} does"
    return ""


MDM = Place("permanent", ("sds", "sdc"), _refusal, ())
"""Where the parameters of a tuning are set: at the MDM, for all SDS or all SDC."""

PRODUCT = Product(
    name="powerflex",
    gives="pool",
    volumes=Volumes(
        "pixsize",
        design="catalog.designs:PoolDesign",
        build="products.powerflex.build:build",
        parts="products.powerflex.rules:PARTS",
        pool_record="products.powerflex.plan:PowerFlexPool",
        pool_words="products.powerflex.request:PowerFlex",
        terms="products.powerflex.terms:VOLUME_TERMS",
        rules="products.powerflex.rules:RULES",
        exact="products.powerflex.rules:EXACT",
        reply_rules="products.powerflex.rules:REPLY_RULES",
        sizing="products.powerflex.request:SIZING",
        steps="products.powerflex.figures.capacity:pool_steps",
        throughput="products.powerflex.figures.throughput:pool_throughput",
        links="products.powerflex.figures.throughput:links",
        adapter_of="products.powerflex.figures.throughput:adapter_of",
        most_of_module="products.powerflex.figures.throughput:most_of_server",
        data_tier="products.powerflex.figures.throughput:data_tier",
        measured="products.powerflex.figures.throughput:measured",
        depends_on="products.powerflex.figures.throughput:depends_on",
    ),
    filesystem=None,
    adds_word="",
    adds_to="",
    adds=None,
    kinds=Registry({}),
    targets=Registry({"powerflex": "render.powerflex:RENDERER"}, _HERE),
    steps=Registry({"powerflex": "render.powerflex_steps:steps"}, _HERE),
    replies=Replies(
        _HERE,
        names="replies:NAMES",
        claims="replies:claims",
        reader="replies:Reader",
        system="replies:SYSTEM",
    ),
    places=Registry({"powerflex": "product:MDM"}, _HERE),
)
