"""The figures of a plan, one family after the other: what a kind of file system has of its own, and what all share."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design
from pixsize.estimate.agreement import in_agreement
from pixsize.estimate.evidence import Evidence
from pixsize.estimate.hardware import power, rack_units
from pixsize.estimate.statements import with_statements
from pixsize.figures import Figure
from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.product import filesystem_of, volumes_of

Rates = tuple[tuple[Figure, ...], tuple[Finding, ...]]


def estimate(plan: Plan, catalog: Catalog) -> tuple[dict[str, Figure], tuple[Finding, ...]]:
    """Every figure of a plan that evidence stands behind, by id, and notes on those without."""
    design = catalog.get(Design, plan.design)
    filesystem, volumes = filesystem_of(design), volumes_of(design)
    evidence = Evidence(catalog, plan.design)
    system = filesystem.system(plan, catalog)
    throughput, no_throughput = volumes.throughput(system, evidence, catalog)
    rates, no_rates = filesystem.metadata_rates(system, evidence, catalog)
    links = (*filesystem.links(system, catalog), *volumes.links(system, catalog))
    watts, no_power = power(system, evidence)
    figures = (
        *filesystem.capacity(plan, catalog),
        *in_agreement((*throughput, *links, *rates), system, evidence),
        rack_units(plan, system.words, catalog),
        *in_agreement(watts, system, evidence),
    )
    printed = with_statements(figures, plan, system.parts, catalog)
    return {f.id: f for f in printed}, (*no_throughput, *no_rates, *no_power)
