"""The figures of a plan, one family after the other: what a kind of file system has of its own, and what all share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.estimate.agreement import in_agreement
from pixsize.estimate.evidence import Evidence
from pixsize.estimate.hardware import power, rack_units
from pixsize.estimate.statements import with_statements
from pixsize.estimate.system import System, system_of
from pixsize.figures import Figure
from pixsize.findings import Finding
from pixsize.plan.records import LustreFilesystem, Plan

Rates = tuple[tuple[Figure, ...], tuple[Finding, ...]]


class Family(NamedTuple):
    """What a kind of file system holds, and how fast it is: figures, and notes on those without evidence."""

    sizes: Callable[[Plan, Catalog], tuple[Figure, ...]]
    throughput: Callable[[System, Evidence, Catalog], Rates]
    metadata: Callable[[System, Evidence, Catalog], Rates]


def estimate(plan: Plan, catalog: Catalog) -> tuple[dict[str, Figure], tuple[Finding, ...]]:
    """Every figure of a plan that evidence stands behind, by id, and notes on those without."""
    family = _lustre() if isinstance(plan.filesystem, LustreFilesystem) else _scale()
    evidence = Evidence(catalog, plan.design)
    system = system_of(plan, catalog)
    throughput, no_throughput = family.throughput(system, evidence, catalog)
    rates, no_rates = family.metadata(system, evidence, catalog)
    watts, no_power = power(system, evidence)
    figures = (
        *family.sizes(plan, catalog),
        *in_agreement((*throughput, *rates), system, evidence),
        rack_units(plan, system.words, catalog),
        *in_agreement(watts, system, evidence),
    )
    return {f.id: f for f in with_statements(figures, plan, catalog)}, (*no_throughput, *no_rates, *no_power)


def _scale() -> Family:
    from pixsize.estimate.capacity import capacity_figures, metadata_figures
    from pixsize.estimate.files import files_max
    from pixsize.estimate.metadata_rates import metadata_rates
    from pixsize.estimate.throughput import throughput_figures

    def sizes(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
        return *capacity_figures(plan, catalog), *metadata_figures(plan, catalog), files_max(plan, catalog)

    return Family(sizes, throughput_figures, metadata_rates)


def _lustre() -> Family:
    from pixsize.estimate.lustre_capacity import sizes
    from pixsize.estimate.lustre_rates import throughput_figures
    from pixsize.estimate.mdt_rates import metadata_rates

    return Family(sizes, throughput_figures, metadata_rates)
