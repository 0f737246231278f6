"""Throughput of servers that share their drives in a pool: each brings its share, as far as the networks carry it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import PoolDesign
from pixsize.catalog.measurements import MeasuredSystem
from pixsize.estimate.evidence import Evidence, Measured, evidence_for, merged
from pixsize.estimate.ids import DIRECTIONS, DURATIONS, FABRIC, PATTERNS, RANDOM, SEQUENTIAL
from pixsize.estimate.ranges import Range, doublings, told
from pixsize.estimate.rates import (
    Ceiling,
    Most,
    Rate,
    from_rate,
    line,
    measured_figure,
    memory,
    missing,
    network,
    show_rate,
    under_link,
)
from pixsize.estimate.spreads import AGAIN, Family, family_of
from pixsize.estimate.system import SERVER, DependsOn, Difference, Hardware, Kind, Lookup, Part, System, server_parts
from pixsize.figures import Figure, Unit
from pixsize.findings import Finding
from pixsize.plan.records import Plan

SMALL_TRANSFERS = tuple(f"{SEQUENTIAL}n_n.{d}.128k" for d in DIRECTIONS)
STORAGE = "adapters of the storage network"
SERVERS = Difference("count", "another number of servers")


class Fabric(NamedTuple):
    """The highest rate that a network allows to the clients, in bytes a second, and why."""

    rate: Fraction
    inputs: tuple[str, ...]
    rule: str


def pool_throughput(
    system: System, evidence: Evidence, catalog: Catalog, only: Collection[str] | None = None
) -> tuple[tuple[Figure, ...], tuple[Finding, ...]]:
    """The sequential figures in bytes a second, the random ones in operations a second, and what is missing.

    Those of `only` where it is given.
    """
    figure_ids = [f"{SEQUENTIAL}{p}.{d}.{t}" for p in PATTERNS for d in DIRECTIONS for t in DURATIONS]
    figure_ids += [f"{RANDOM}{d}.{t}" for d in DIRECTIONS for t in DURATIONS]
    measured_small = [i for i in SMALL_TRANSFERS if evidence.measurements(i)]
    wanted = (i for i in (*figure_ids, *measured_small) if only is None or i in only)
    found = {i: _figure(i, system, evidence, catalog) for i in wanted}
    return tuple(f for f in found.values() if f), missing([i for i, f in found.items() if not f], system.terms.modules)


def _figure(figure: str, system: System, evidence: Evidence, catalog: Catalog) -> Figure | None:
    """The figure, None without evidence. As on arrays, a measurement that a link cannot carry does not hold."""
    (part,) = system.parts
    measurements = [m for m in evidence.measurements(figure) if m.only_kind and not m.only_kind.arrays]
    nearest = min(measurements, key=lambda m: _distance(system, part, m), default=None)
    if nearest is None:
        return None
    unit: Unit = "B/s" if figure.startswith(SEQUENTIAL) else "op/s"
    family = family_of(figure, catalog)
    links = _links(part, figure.split(".")[-2], system, catalog) if unit == "B/s" else ()
    same_system = merged([m for m in measurements if system.is_data_of(m)])
    if same_system and all(same_system.rate.value <= link.most for link in links):
        return measured_figure(same_system, unit, None, family, min((link.most for link in links), default=None))
    rate = _scaled(part, system, nearest, family, unit)
    return from_rate(figure, _under(rate, links, family), family, unit)


def _distance(system: System, part: Part, measured: Measured) -> tuple[Fraction, int, Fraction, str]:
    """How far a measurement is: by the number of servers first, then by the number of other differences."""
    factor = Fraction(part.count, measured.modules.total())
    differences = len(_unlike(system, part, measured))
    # Half as many servers lie as far away as twice as many.
    return max(factor, 1 / factor), differences, measured.rate.value, measured.id


def _unlike(system: System, part: Part, nearest: Measured) -> tuple[Difference, ...]:
    """What differs between the plan and a measurement; the number of servers is not among it."""
    kind = nearest.only_kind or part.kind
    targets = Difference("setting", f"another number of {system.terms.target}s a server")
    return (*system.differences(part, nearest, kind), *((targets,) if kind.groups != part.kind.groups else ()))


def most_of_server(system: System, part: Part, figure: str, catalog: Catalog) -> Most | None:
    """What one server brings to a rate at the most, for any number of them. None without evidence."""
    found = evidence_for(catalog, system.design).measurements(figure)
    known = [m for m in found if m.only_kind and not m.only_kind.arrays]
    family = family_of(figure, catalog)
    steps = [(m, (*family.steps(_unlike(system, part, m)), *m.doubted)) for m in known]
    ranges = [m.rate.after(each).times(Fraction(1, m.modules.total())) for m, each in steps]
    if not ranges:
        return None
    best = Range(*(max(ends) for ends in zip(*ranges, strict=True)))
    return Most(best, frozenset(m.modules.total() for m in known))


def _scaled(part: Part, system: System, nearest: Measured, family: Family, unit: Unit) -> Rate:
    """The rate of the nearest measurement, multiplied by the ratio of the numbers of servers."""
    servers = nearest.modules.total()
    factor = Fraction(part.count, servers)
    counted = (family.step(SERVERS, doublings(factor)),) if factor != 1 else ()
    steps = (*family.steps(_unlike(system, part, nearest)), *counted, *nearest.doubted)
    sentences = [
        f"{servers:,} servers were measured at {units.show(round(nearest.rate.value), unit)}.",
        *nearest.caveats,
    ]
    if factor != 1:
        share = units.show(round(nearest.rate.value / servers), unit)
        sentences.append(
            f"Each of the {part.count:,} servers brings {share}: the document says that servers add, and nobody "
            "measured another number of them."
        )
    return Rate(
        nearest.rate.times(factor).after(steps),
        "extrapolated",
        " ".join((*sentences, told(steps))),
        "servers",
        nearest.ids,
        (*nearest.sources, *((system.terms.grows,) if factor != 1 else ())),
        steps,
    )


def _under(rate: Rate, links: tuple[Ceiling, ...], family: Family) -> Rate:
    """The rate, cut to what each of the links carries; the rule names the links that carry more."""
    faster = [f"{c.name} ({show_rate(c.rate)})" for c in links if (c.least or c.rate) >= rate.range.high]
    for link in links:
        rate = under_link(rate, link, family.step(AGAIN))
    rule = f"{rate.rule} More is carried by {', '.join(faster)}." if faster else rate.rule
    return rate._replace(rule=rule, inputs=tuple(dict.fromkeys((*rate.inputs, *(i for c in links for i in c.inputs)))))


def _links(part: Part, direction: str, system: System, catalog: Catalog) -> tuple[Ceiling, ...]:
    """What memory, the adapters towards clients and the network of the pool carry, for all servers together."""
    servers, pool_adapter = part.count, adapter_of(catalog.get(PoolDesign, system.design))
    clients = (c._replace(name=system.terms.adapters) for c in network(part, catalog, but=pool_adapter))
    of_all_servers = (
        c._replace(rate=c.rate * servers, most=c.most * servers, least=None if c.least is None else c.least * servers)
        for c in (*memory(part, catalog), *clients)
    )
    fabric = pool_fabric(part, direction, system, catalog)
    storage = (Ceiling.line(STORAGE, fabric.rate, fabric.inputs),) if fabric else ()
    return (*of_all_servers, *storage)


def pool_fabric(part: Part, direction: str, system: System, catalog: Catalog) -> Fabric | None:
    """What the network between the servers of the pool lets clients write or read; None without adapters on it.

    Of N servers, a written byte goes to the server of its first copy, which is another one in (N - 1) of N cases, and
    from there always to the server of the second copy. A byte that is read comes from another server in (N - 1) of N
    cases. The ports of all servers carry equal parts.
    """
    ports = network(part, catalog, only=adapter_of(catalog.get(PoolDesign, system.design)))
    if not ports:
        return None
    crossings = Fraction(part.count - 1, part.count) + (direction == "write")
    shown = f"{crossings.numerator}/{crossings.denominator}"
    path = "to the server of its first copy and on to that of the second" if direction == "write" else "from its server"
    rule = (
        f"What the adapters on the network of the pool let through: each byte crosses it {shown} times {path}, since "
        f"one of {part.count:,} servers is the {system.terms.server} itself."
    )
    return Fabric(part.count * ports[0].most / crossings, ports[0].inputs, rule)


def links(system: System, catalog: Catalog) -> tuple[Figure, ...]:
    """What the network of the pool lets clients write and read."""
    (part,) = system.parts
    found = [(d, pool_fabric(part, d, system, catalog)) for d in DIRECTIONS]
    return tuple(line(f"{FABRIC}storage.{d}", f.rate, f.inputs, f.rule, system.terms.chain) for d, f in found if f)


def adapter_of(design: PoolDesign) -> str:
    """The servers' adapter on the network of the pool."""
    return design.storage.pool_adapter


def data_tier(plan: Plan, catalog: Catalog) -> tuple[Part, ...]:  # noqa: ARG001  the same call for all volumes
    """The servers of the pool, all alike: as many volumes for data on each."""
    (pool,) = plan.pools
    servers = [s for s in plan.servers if s.id in pool.servers]
    volumes = sum(v.purpose == "data" for v in plan.volumes) // len(servers)
    kind = Kind(SERVER, 0, volumes, False, pool.drive)
    return (Part(kind, len(servers), servers[0].id, "", (servers[0],), default_chunk=True),)


def measured(system: MeasuredSystem, lookup: Lookup) -> Hardware:
    """The servers of a measured system; the metadata lies in the same pool."""
    targets = lookup.catalog.get(PoolDesign, system.design).storage.targets
    kind = Kind(SERVER, 0, targets, False, lookup.name(system.drive))
    return Hardware(Counter({kind: system.servers or 0}), "", 0)


def depends_on(design: PoolDesign, variant: str, expansion: bool) -> DependsOn:  # noqa: ARG001  the same call for all volumes
    """The parts of a system of a design: all variants have the same."""
    return DependsOn(
        server_parts("the servers", design.storage.servers), server_parts("the metadata servers", design.metadata)
    )
