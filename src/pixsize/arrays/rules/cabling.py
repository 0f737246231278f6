"""What an array takes beyond its slots, and what its servers need to reach it: the vendor's bounds for both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pixsize.catalog.records import Adapter, Limit
from pixsize.check.case import Case
from pixsize.check.gather import Hit, gathered
from pixsize.findings import Finding
from pixsize.plan.records import Array, Server


def beyond_the_array(case: Case) -> Iterator[Finding]:
    """PX526: an array has no more groups, spares, enclosures and drives, nor longer names, than its vendor allows."""
    return _beyond("PX526", case, confirmed=True)


def beyond_a_sibling(case: Case) -> Iterator[Finding]:
    """PX527: the same, where the bound is known for a sibling of the array only."""
    return _beyond("PX527", case, confirmed=False)


def host_ports(case: Case) -> Iterator[Finding]:
    """PX528: a server has a SAS port for each controller of each array of its module."""
    servers = {s.id: s for s in case.plan.servers}

    def hits() -> Iterator[Hit]:
        for module in case.plan.modules:
            arrays = [case.arrays[a] for a in module.arrays if a in case.arrays]
            needed = sum(case.enclosure(a.model).controllers for a in arrays)
            for name in module.servers:
                ports = _sas_ports(case, servers[name]) if name in servers else needed
                if ports < needed:
                    seen = f"{name} needs {needed} SAS ports for the controllers of {len(arrays)} arrays"
                    yield module.where, f"{seen}, and has {ports}"

    allowed = "each server has one port to each controller of each array of its module"
    return gathered("PX528", hits(), allowed, "fewer arrays a module, or more adapters in the design's servers")


def array_ports(case: Case) -> Iterator[Finding]:
    """PX521: every server has a port of its own on each controller of its arrays."""

    def hits() -> Iterator[Hit]:
        for array in case.plan.arrays:
            module = case.modules.get(array.module)
            ports = case.enclosure(array.model).sas_ports
            if module and len(module.servers) > ports:
                seen = f"{len(module.servers)} servers are cabled to {array.id}"
                yield module.where, f"{seen}, whose controllers have {ports} ports each"

    return gathered("PX521", hits(), "one port a server on each controller")


RULES = (beyond_the_array, beyond_a_sibling, host_ports, array_ports)


class _Bound(NamedTuple):
    """Something that an array has a bounded number of, and the limit record that bounds it."""

    what: str
    limit: str
    number_of: Callable[[Case, Array], int]


def _longest_name(case: Case, array: Array) -> int:
    """In bytes; a disk group's name is longer than its volume's, unless a plan says otherwise."""
    names = (n for g in case.groups_of[array.id] for n in (g.id, *case.volumes_on[g.id]))
    return max((len(n.encode()) for n in names), default=0)


def _drives(case: Case, array: Array) -> int:
    in_groups = sum(len(group.slots) for group in case.groups_of[array.id])
    return in_groups + sum(len(spares.slots) for spares in case.spares_of[array.id])


_BOUNDS = (
    _Bound("disk groups", "{family}.groups_per_array", lambda c, a: len(c.groups_of[a.id])),
    _Bound("spares", "{family}.spares_per_array", lambda c, a: sum(len(s.slots) for s in c.spares_of[a.id])),
    _Bound("enclosures", "{family}.enclosures_{height}u", lambda _, a: len(a.enclosures)),
    _Bound("drives", "{family}.drives_{height}u", _drives),
    _Bound("bytes in a name", "{family}.name_bytes", _longest_name),
)
"""The bounds of whole arrays differ by the height of the controllers' enclosure, which tells the models apart."""


def _beyond(code: str, case: Case, *, confirmed: bool) -> Iterator[Finding]:
    """One finding a limit and path of the request."""
    hits: dict[str, list[Hit]] = defaultdict(list)
    for array in case.plan.arrays:
        model = case.enclosure(array.model)
        for bound in _BOUNDS:
            limit = case.bound(bound.limit.format(family=model.family, height=model.rack_units))
            if limit is None or limit.confirmed != confirmed:
                continue
            count = bound.number_of(case, array)
            if count > limit.value:
                hits[limit.id].append((case.where(array.id), f"{array.id} has {count:,} {bound.what}"))
    for limit_id, seen in hits.items():
        yield from gathered(code, seen, _allowed(case.catalog.get(Limit, limit_id)), f"catalog: {limit_id}")


def _allowed(limit: Limit) -> str:
    doubt = "" if limit.confirmed else ", as seen for a sibling, unconfirmed"
    return f"{limit.title}: {limit.value:,} at most{doubt}"


def _sas_ports(case: Case, server: Server) -> int:
    adapters = ((case.catalog.get(Adapter, name), count) for name, count in server.adapters)
    return sum(adapter.ports * count for adapter, count in adapters if adapter.use == "sas")
