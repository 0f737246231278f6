"""What the network of Lustre carries."""

from __future__ import annotations

from fractions import Fraction

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design
from pixsize.estimate import ceilings
from pixsize.estimate.ceilings import line
from pixsize.estimate.system import System
from pixsize.figures import Figure
from pixsize.product import volumes_of


def lnet(system: System, catalog: Catalog) -> tuple[Figure, ...]:
    """What the servers' adapters on Lustre's own network carry, one way, all together."""
    own = volumes_of(design := catalog.get(Design, system.design)).adapter_of(design)
    links = [(p.count, c) for p in system.parts for c in ceilings.network(p, catalog, but=own)]
    if not links:
        return ()
    rule = "What the adapters of all OSS on the network of LNet carry one way, each as its ports or PCIe lanes allow."
    inputs = tuple(dict.fromkeys(i for _, c in links for i in c.inputs))
    return (line("lnet", sum((n * c.rate for n, c in links), Fraction(0)), inputs, rule, system.words.chain),)
