"""The figures of a plan, one family after the other."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.estimate.agreement import in_agreement
from pixsize.estimate.capacity import capacity_figures, metadata_figures
from pixsize.estimate.evidence import Evidence
from pixsize.estimate.files import files_max
from pixsize.estimate.hardware import power, rack_units
from pixsize.estimate.metadata_rates import metadata_rates
from pixsize.estimate.statements import with_statements
from pixsize.estimate.system import system_of
from pixsize.estimate.throughput import throughput_figures
from pixsize.figures import Figure
from pixsize.findings import Finding
from pixsize.plan.records import Plan


def estimate(plan: Plan, catalog: Catalog) -> tuple[dict[str, Figure], tuple[Finding, ...]]:
    """Every figure of a plan that evidence stands behind, by id, and notes on those without."""
    evidence = Evidence(catalog, plan.design)
    system = system_of(plan, catalog)
    throughput, no_throughput = throughput_figures(system, evidence, catalog)
    rates, no_rates = metadata_rates(system, evidence, catalog)
    watts, no_power = power(system, evidence)
    figures = (
        *capacity_figures(plan, catalog),
        *metadata_figures(plan, catalog),
        files_max(plan, catalog),
        *in_agreement((*throughput, *rates), system, evidence),
        rack_units(plan, catalog),
        *in_agreement(watts, system, evidence),
    )
    return {f.id: f for f in with_statements(figures, plan, catalog)}, (*no_throughput, *no_rates, *no_power)
