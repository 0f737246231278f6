"""From a completed request to a plan: the order, the volumes, the settings and targets of the file system, switches."""

from __future__ import annotations

from collections.abc import Iterable

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.fabrics import fitted_to, with_fabric, without_switches
from pixsize.catalog.records import Switch
from pixsize.findings import Finding
from pixsize.observed import Observed
from pixsize.plan.links import links_of
from pixsize.plan.networks import Devices, addressed, too_few_addresses, with_factory_addresses
from pixsize.plan.orders import switch_counts, too_many
from pixsize.plan.records import Addition, Array, Plan, Server, SwitchSet
from pixsize.product import added_by, filesystem_of, volumes_of
from pixsize.request import Request


def make_plan(request: Request, catalog: Catalog, observed: Observed) -> tuple[Plan | None, tuple[Finding, ...]]:
    """The complete plan; or None and the reasons, where the counts alone show that no file system can be made."""
    described = catalog.get(Design, request.design)
    kind = filesystem_of(described)
    choice = kind.fabric(request)
    design = with_fabric(described, choice, catalog)
    if choice.customer:
        design = without_switches(design)
    order = kind.order(request, design, catalog)
    refusals = kind.refusals(request, order, catalog) or too_many(order, design, catalog)
    if refusals:
        return None, refusals
    built = volumes_of(design).build(order, design, observed, catalog)
    filesystem = kind.settings(request, design, catalog)
    added = {
        each.product: each.adds.build(words, fitted_to(section, described, choice, catalog), catalog)
        for each, words in added_by(request, design)
        for section in catalog.of_design(each.adds.section, design.id)[:1]
    }
    built = built._replace(added=tuple(volume for each in added.values() for volume in each.volumes))
    servers = (*built.servers, *(server for each in added.values() for server in each.servers))
    servers = kind.addressed(request, filesystem, servers)
    managed = with_factory_addresses(kind.device_network(request), built.arrays, catalog)
    devices = Devices(built.arrays, _switches(design, servers, built.arrays, kind.client_ports(request), catalog))
    refusals = too_few_addresses(devices, managed)
    if refusals:
        return None, refusals
    devices = addressed(devices, managed)
    plan = Plan(
        name=request.name,
        design=request.design,
        variant=kind.variant_of(request),
        filesystem=filesystem,
        modules=built.modules,
        servers=servers,
        arrays=devices.arrays,
        switches=devices.switches,
        disk_groups=built.disk_groups,
        spares=built.spares,
        volumes=(*built.volumes, *(each.volume for each in built.added)),
        targets=kind.targets(request, filesystem, built, catalog),
        pools=built.pools,
        additions=tuple(Addition(name, each.own) for name, each in added.items()),
        networks=kind.networks(request),
        benchmark=getattr(request, "benchmark", None),
    )
    return plan._replace(links=links_of(plan, design, catalog)), ()


def _switches(
    design: Design, servers: Iterable[Server], arrays: Iterable[Array], clients: int, catalog: Catalog
) -> tuple[SwitchSet, ...]:
    """The access switches: as many sets of each role as its ports need."""
    counts = switch_counts(design, len(tuple(servers)), len(tuple(arrays)), catalog, clients)
    return tuple(
        SwitchSet(id=f"{role.model}-{n}", role=catalog.get(Switch, role.model).network, model=role.model)
        for role, number in counts
        for n in range(1, number + 1)
    )
