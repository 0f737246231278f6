"""Rates of parts and of links, and the figures that they become."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.records import Adapter, Constant, Server, Switch
from pixsize.estimate.evidence import JUDGEMENT, Measured
from pixsize.estimate.ranges import Range, Step, told
from pixsize.estimate.spreads import AGAIN, Family
from pixsize.estimate.system import Part
from pixsize.figures import Basis, Figure, Source, Unit, weakest
from pixsize.findings import Finding
from pixsize.plan.networks import AGGREGATE, aggregated
from pixsize.plan.records import Plan

MEMORY_SHARE = "server.memory_share"
NETWORK_SHARE = "network.share"


class Rate(NamedTuple):
    """What a part of a system delivers: a range, and how it is known, as a rule in words and by ids.

    `limit` names what sets it: a link, the drives, the servers; empty where that is not known. `steps` are those away
    from the evidence that the range holds.
    """

    range: Range
    basis: Basis
    rule: str
    limit: str
    inputs: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    steps: tuple[Step, ...] = ()


class Most(NamedTuple):
    """The most that one module can bring to a rate of all modules, at each end of the range.

    `seen` are the numbers of modules that the evidence was measured with; up to such a number no step is taken for it.
    """

    range: Range
    seen: frozenset[int]


class Ceiling(NamedTuple):
    """What a link carries in bytes a second, the catalog records that say so, and the basis of a rate that it limits.

    `most` is the rate that it cannot exceed. `least` is the rate that it reaches for certain; None for a line rate,
    since no document says how much of it is reached. `guesses` are records of judgement; a figure rests on them only
    where the link limits it.
    """

    name: str
    rate: Fraction
    inputs: tuple[str, ...]
    most: Fraction
    least: Fraction | None = None
    basis: Basis = "extrapolated"
    guesses: tuple[str, ...] = ()

    @classmethod
    def line(cls, name: str, rate: Fraction, inputs: tuple[str, ...]) -> Ceiling:
        """A line rate."""
        return cls(name, rate, inputs, rate)


def memory(part: Part, catalog: Catalog) -> tuple[Ceiling, ...]:
    """The ceiling of the servers' memory; None where the records of the servers or the catalog do not give it."""
    rates = [catalog.get(Server, s.model).memory_bytes_per_s for s in part.servers]
    if not rates or None in rates or MEMORY_SHARE not in catalog:
        return ()
    share = catalog.get(Constant, MEMORY_SHARE)
    total = sum(r or 0 for r in rates)
    models = tuple(dict.fromkeys(s.model for s in part.servers))
    value, low, high = (total * s for s in (share.value, share.low, share.high))
    return (Ceiling("server memory", value, models, high, low, share.basis, (MEMORY_SHARE,)),)


def network(part: Part, catalog: Catalog, *, only: str = "", but: str = "") -> tuple[Ceiling, ...]:
    """The smaller of what the ports and what the PCIe lanes of the cards carry: of the cards of one id, or of all
    others.
    """
    cards = [(c, n) for c, n in adapters(part, "network", catalog) if c.id != but and only in ("", c.id)]
    if not cards:
        return ()
    total = sum(c.bytes_per_s * n for c, n in cards)
    inputs = tuple(dict.fromkeys(c.id for c, _ in cards))
    share = catalog.get(Constant, NETWORK_SHARE)
    value, low, high = (total * s for s in (share.value, share.low, share.high))
    return (Ceiling("network adapters", value, inputs, high, low, "extrapolated", (NETWORK_SHARE,)),)


def adapters(part: Part, use: str, catalog: Catalog) -> list[tuple[Adapter, int]]:
    """The module's adapters of one use and how many of each, both servers together."""
    cards = ((catalog.get(Adapter, a), n) for s in part.servers for a, n in s.adapters)
    return [(card, n) for card, n in cards if card.use == use]


class Links(NamedTuple):
    """The links of servers of one role to the file system: how many each server has, what all carry together one way in
    bytes a second, and the ids of their adapters. `told` is a further sentence for a rule: what the rate rests on.
    """

    servers: int
    a_server: int
    rate: Fraction
    adapters: tuple[str, ...]
    told: str = ""


def links_of(plan: Plan, role: str, catalog: Catalog) -> Links:
    """The links of what a product adds to a system: as many of a server's adapters as the design's switches have ports
    for it, the first ones.
    """
    design = catalog.get(Design, plan.design)
    data = (s for s in design.switches if catalog.get(Switch, s.model).network != "management")
    ports = sum(s.count * s.ports_a_server for s in data)
    servers = [s for s in plan.servers if s.role == role]
    cards = [(catalog.get(Adapter, name), n) for s in servers for name, n in s.adapters]
    of_network = [(card, min(n, ports)) for card, n in cards if card.use == "network"]
    rate = sum((Fraction(card.bytes_per_s * n) for card, n in of_network), Fraction(0))
    most = max((n for _, n in of_network), default=0)
    told = f" The links of a server count together, {AGGREGATE}." if most > 1 and aggregated(plan, catalog) else ""
    return Links(len(servers), most, rate, tuple(dict.fromkeys(card.id for card, _ in of_network)), told)


def line(figure: str, rate: Fraction, inputs: tuple[str, ...], rule: str, source: Source) -> Figure:
    """A line rate in bytes a second as a figure: what the standards say, and no more than that."""
    value = floor(rate)
    return Figure(
        id=figure,
        value=value,
        low=value,
        high=value,
        unit="B/s",
        basis="specified",
        rule=rule,
        sources=(source, JUDGEMENT),
        inputs=inputs,
    )


def under_link(rate: Rate, ceiling: Ceiling, again: Step) -> Rate:
    """The rate with a further link in the chain, which limits it where the link carries no more than the value.

    What a link was seen to carry, or its line rate, may be less elsewhere, by as much as a repetition of a benchmark
    may differ (`again`).
    """
    seen = ceiling.rate if ceiling.least is None else ceiling.least
    least = min(seen, ceiling.rate / again.down)
    bounds = rate.range.under(Range(least, ceiling.rate, ceiling.most))
    if bounds == rate.range or (seen >= rate.range.value and ceiling.most >= rate.range.high):
        return rate
    most = "" if ceiling.most == ceiling.rate else f", {show_rate(ceiling.most)} at the most"
    return rate._replace(
        range=bounds,
        basis=weakest((rate.basis, ceiling.basis)),
        rule=f"{rate.rule} The {ceiling.name} carry {show_rate(ceiling.rate)}{most}, {show_rate(least)} at the least.",
        limit=ceiling.name if seen <= rate.range.value else rate.limit,
        inputs=(*rate.inputs, *ceiling.guesses),
    )


def show_rate(rate: Fraction) -> str:
    """A rate in bytes a second as a rule names it."""
    return units.show(round(rate), "B/s")


def measured_figure(
    found: Measured, unit: Unit, limited_by: str | None, family: Family, most: Fraction | None = None
) -> Figure:
    """The figure of exactly the system that was benchmarked: the reading used, and what measuring it again may bring.

    The range holds every reading that is no misprint, too, and nothing above the `most` that the links carry.
    """
    steps = (family.step(AGAIN), *found.doubted)
    value, low, high = found.rate.after(steps).whole()
    capped = high if most is None else min(high, max(value, floor(most)))
    cap = () if capped == high else (f"The links carry no more than {units.show(capped, unit)}.",)
    return Figure(
        id=found.figure,
        value=value,
        low=low,
        high=capped,
        unit=unit,
        basis=found.basis,
        rule=" ".join((_MEASURED, told(steps), *cap, *found.caveats)),
        sources=found.sources,
        inputs=tuple(dict.fromkeys((*found.ids, family.id))),
        limited_by=limited_by or None,
        readings=found.readings,
        steps=tuple(s.kind for s in steps),
    )


_MEASURED = "This configuration was benchmarked: the value is the reading used, and the range holds all readings."


def from_rate(figure: str, rate: Rate, family: Family, unit: Unit) -> Figure:
    """A modelled rate as a figure."""
    value, low, high = rate.range.whole()
    return Figure(
        id=figure,
        value=value,
        low=low,
        high=high,
        unit=unit,
        basis=rate.basis,
        rule=rate.rule,
        sources=rate.sources,
        inputs=tuple(dict.fromkeys((*rate.inputs, family.id))),
        limited_by=rate.limit or None,
        steps=tuple(dict.fromkeys(s.kind for s in rate.steps)),
    )


def missing(figures: list[str], where: str) -> tuple[Finding, ...]:
    """One note for all figures that no evidence supports."""
    if not figures:
        return ()
    names = ", ".join(figures[:2]) + (f" and {len(figures) - 2} more" if len(figures) > 2 else "")
    return (Finding("PX411", f"no evidence for {names}: no measurement of the design comes near", where),)
