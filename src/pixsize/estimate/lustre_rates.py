"""How fast Lustre is: on arrays by the model of their data path, in a pool by servers; and what its networks carry."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from pixsize.catalog.catalog import Catalog
from pixsize.estimate import ceilings, cited, throughput
from pixsize.estimate.evidence import Evidence
from pixsize.estimate.pool_rates import pool_fabric, pool_throughput
from pixsize.estimate.system import Part, System
from pixsize.figures import Figure, Source
from pixsize.findings import Finding


def throughput_figures(
    system: System, evidence: Evidence, catalog: Catalog
) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The throughput figures, what the networks carry at the most, and what is missing."""
    (first, *_) = system.parts
    if first.kind.arrays:
        rates, missing = throughput.throughput_figures(system, evidence, catalog)
        return (*rates, *_lnet(system, catalog)), missing
    rates, missing = pool_throughput(system, evidence, catalog)
    return (*rates, *_lnet(system, catalog), *_storage(first, system, catalog)), missing


def _lnet(system: System, catalog: Catalog) -> tuple[Figure, ...]:
    """What the servers' adapters on Lustre's own network carry, one way, all together."""
    links = [(p.count, c) for p in system.parts for c in ceilings.network(p, catalog, but=system.pool_adapter)]
    if not links:
        return ()
    rule = "What the adapters of all OSS on the network of LNet carry one way, each as its ports or PCIe lanes allow."
    inputs = tuple(dict.fromkeys(i for _, c in links for i in c.inputs))
    return (_line("lnet", sum((n * c.rate for n, c in links), Fraction(0)), inputs, rule, system.words.chain),)


def _storage(part: Part, system: System, catalog: Catalog) -> tuple[Figure, ...]:
    """What the network of the pool lets clients write and read."""
    found = [(d, pool_fabric(part, d, system, catalog)) for d in throughput.DIRECTIONS]
    return tuple(_line(f"storage.{d}", f.rate, f.inputs, f.rule, cited.POOL_NETWORK) for d, f in found if f)


def _line(name: str, rate: Fraction, inputs: tuple[str, ...], rule: str, source: Source) -> Figure:
    """A line rate: what the standards say, and no more than that."""
    value = floor(rate)
    return Figure(
        id=f"throughput.fabric.{name}",
        value=value,
        low=value,
        high=value,
        unit="B/s",
        basis="specified",
        rule=rule,
        sources=(source, cited.JUDGEMENT),
        inputs=inputs,
    )
