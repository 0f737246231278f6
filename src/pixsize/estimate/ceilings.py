"""The data path of a storage module as a chain of ceilings: what each link carries at the most, one way."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Adapter, Constant, Server
from pixsize.catalog.records import Enclosure as EnclosureModel
from pixsize.estimate.evidence import JUDGEMENT, Evidence
from pixsize.estimate.system import Part
from pixsize.figures import Basis, Figure, Source

MEMORY_SHARE = "server.memory_share"


class Ceiling(NamedTuple):
    """What a link carries in bytes a second, the catalog records that say so, and what a rate is that it caps.

    `most` is what it cannot carry more than, `least` what it surely carries; None for a line rate: nobody knows how far
    that is reached. `guesses` are records of judgement, which a figure rests on only where the link caps it.
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


def controllers(part: Part, direction: str, evidence: Evidence, catalog: Catalog) -> Ceiling | None:
    """What a module's array controllers carry: the most that one array was seen or is specified to carry, times them.

    None where nothing is known. Over all patterns, peak and sustained, and all designs: a controller does not tell them
    apart. A model that is neither measured nor specified is taken for those that were measured.
    """
    model = catalog.get(EnclosureModel, part.array)
    specified = model.write_bytes_per_s if direction == "write" else model.read_bytes_per_s
    found = [(Fraction(specified), part.array)] if specified else []
    seen = [m for m in evidence.of_arrays("throughput.sequential.") if f".{direction}." in m.figure]
    found += [(m.rate.value / m.arrays, m.id) for m in seen if m.array == part.array]
    found = found or [(m.rate.value / m.arrays, m.id) for m in seen]
    if not found:
        return None
    rate, source = max(found)
    return Ceiling.line("array controllers", rate * part.kind.arrays, (source,))


def others(part: Part, catalog: Catalog) -> tuple[Ceiling, ...]:
    """The links in front of the arrays: SAS lanes, SAS adapters' PCIe, server memory, network adapters."""
    return (*_sas(part, catalog), *memory(part, catalog), *network(part, catalog))


def _adapters(part: Part, use: str, catalog: Catalog) -> list[tuple[Adapter, int]]:
    """The module's adapters of one use and how many of each, both servers together."""
    cards = ((catalog.get(Adapter, a), n) for s in part.servers for a, n in s.adapters)
    return [(card, n) for card, n in cards if card.use == use]


def _sas(part: Part, catalog: Catalog) -> tuple[Ceiling, ...]:
    """One cable from each server to each controller of each array, as far as the adapters have ports."""
    cards = _adapters(part, "sas", catalog)
    if not cards:
        return ()
    ids = tuple(dict.fromkeys(c.id for c, _ in cards))
    cables = part.kind.arrays * catalog.get(EnclosureModel, part.array).controllers * len(part.servers)
    ports = sum(c.ports * n for c, n in cards)
    lane = min(c.lanes * c.lane_bytes_per_s for c, _ in cards)
    pcie = sum(c.pcie_lanes * c.pcie_lane_bytes_per_s * n for c, n in cards)
    return (
        Ceiling.line("SAS lanes", Fraction(min(cables, ports) * lane), (*ids, part.array)),
        Ceiling.line("SAS adapters", Fraction(pcie), ids),
    )


def memory(part: Part, catalog: Catalog) -> tuple[Ceiling, ...]:
    """The servers' memory, where their records and the catalog say what it carries."""
    rates = [catalog.get(Server, s.model).memory_bytes_per_s for s in part.servers]
    if not rates or None in rates or MEMORY_SHARE not in catalog:
        return ()
    share = catalog.get(Constant, MEMORY_SHARE)
    total = sum(r or 0 for r in rates)
    models = tuple(dict.fromkeys(s.model for s in part.servers))
    value, low, high = (total * s for s in (share.value, share.low, share.high))
    return (Ceiling("server memory", value, models, high, low, share.basis, (MEMORY_SHARE,)),)


def network(part: Part, catalog: Catalog, *, only: str = "", but: str = "") -> tuple[Ceiling, ...]:
    """The smaller of what its ports and its PCIe lanes carry, for each card: for those of one id, or all but those."""
    cards = [(c, n) for c, n in _adapters(part, "network", catalog) if c.id != but and only in ("", c.id)]
    if not cards:
        return ()
    total = sum(
        min(c.ports * c.lanes * c.lane_bytes_per_s, c.pcie_lanes * c.pcie_lane_bytes_per_s) * n for c, n in cards
    )
    return (Ceiling.line("network adapters", Fraction(total), tuple(dict.fromkeys(c.id for c, _ in cards))),)


def line(name: str, rate: Fraction, inputs: tuple[str, ...], rule: str, source: Source) -> Figure:
    """A line rate in bytes a second as a figure: what the standards say, and no more than that."""
    value = floor(rate)
    return Figure(
        id=f"throughput.fabric.{name}",
        value=value,
        low=value,
        high=value,
        unit="B/s",
        basis="specified",
        rule=rule,
        sources=(source, JUDGEMENT),
        inputs=inputs,
    )
