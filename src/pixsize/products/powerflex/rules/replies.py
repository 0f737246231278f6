"""What the MDM of a PowerFlex system reported against the plan."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.check.context import Context, Hit, grouped
from pixsize.findings import About, Finding
from pixsize.plan.records import Volume
from pixsize.product import pool_terms
from pixsize.products.powerflex.observed import ObservedPool, reported_pool
from pixsize.products.powerflex.plan import PROVIDER, on_powerflex
from pixsize.texts import listed

_UNMAP = "unmap it from the other servers, and collect the reply again"


def known_pool(context: Context) -> Iterator[Finding]:
    """PX302: replies of a PowerFlex system belong to a plan with a pool of PowerFlex."""
    if reported_pool(context.observed) is not None and not on_powerflex(context.plan):
        message = "replies of a PowerFlex system; the plan has none"
        yield Finding("PX302", message, "", "another folder of replies, or another design")


def volume_sizes(context: Context) -> Iterator[Finding]:
    """PX304: a volume that exists has the planned size, to the byte: what makes targets stops at any other."""

    def hits() -> Iterator[Hit]:
        for volume, system in _reported_volumes(context):
            size = system.volumes[volume.id].bytes
            if size != volume.bytes:
                kinds = (t.kind for t in context.plan.targets if t.volume == volume.id)
                kind = next(kinds, pool_terms(context.terms).data)
                message = f"{volume.id} has {size:,} bytes, planned are {volume.bytes:,}{_read_at(system, volume.id)}"
                yield f"powerflex.{kind}", message

    return grouped("PX304", hits(), "a volume has the planned size", "correct the request, or make the volume again")


def mapped_servers(context: Context) -> Iterator[Finding]:
    """PX304: a volume is mapped to each server that may serve its target, where the reply says to how many it is."""
    few = (
        _mapping_hit(v, system, servers) for v, system, sdcs, servers in _mapped_volumes(context) if sdcs < len(servers)
    )
    allowed = "a volume is mapped to the SDC of each server of its target"
    return grouped("PX304", few, allowed, "finish 09-maps.sh, and collect the reply again")


def mapped_to_a_second(context: Context) -> Iterator[Finding]:
    """PX304: a volume for a target of one server is mapped to no second one, which could mount it too."""
    many = (
        _mapping_hit(v, system, servers)
        for v, system, sdcs, servers in _mapped_volumes(context)
        if sdcs > len(servers) == 1
    )
    allowed = "a target of one server has nothing that stops a second one from mounting it"
    return grouped("PX304", many, allowed, _UNMAP)


def mapped_elsewhere(context: Context) -> Iterator[Finding]:
    """PX306: a volume is mapped to no server beside those that may serve its target."""
    many = (
        _mapping_hit(v, system, servers)
        for v, system, sdcs, servers in _mapped_volumes(context)
        if sdcs > len(servers) > 1
    )
    hits = ((where, _about(why)) for where, why in many)
    return grouped("PX306", hits, "a volume is mapped to the servers of its target alone", _UNMAP)


def whole_list(context: Context) -> Iterator[Finding]:
    """PX304: the list of volumes has as many rows as it announces."""
    system = reported_pool(context.observed)
    if (
        system
        and on_powerflex(context.plan)
        and system.announced is not None
        and (system.rows or 0) != system.announced
    ):
        message = f"the reply lists {system.rows or 0:,} volumes, and announces {system.announced:,}"
        yield Finding("PX304", message, "powerflex", "collect the whole reply to `scli --query_all_volumes`")


def pool_of_volumes(context: Context) -> Iterator[Finding]:
    """PX306: a volume that exists lies in the planned pool."""

    def hits() -> Iterator[Hit]:
        for volume, system in _reported_volumes(context):
            pool = system.volumes[volume.id].pool
            if pool is not None and pool != volume.backing:
                place = _read_at(system, volume.id)
                yield "powerflex", _about(f"{volume.id} lies in pool {pool}, planned is {volume.backing}{place}")

    return grouped("PX306", hits(), "a volume lies in the planned pool", "compare before going on")


def thick_volumes(context: Context) -> Iterator[Finding]:
    """PX306: a volume that exists is thick: its space is its own, whatever else fills the pool."""
    thin = ((v.id, _read_at(system, v.id)) for v, system in _reported_volumes(context) if system.volumes[v.id].thin)
    hits = (("powerflex", _about(f"{name} is thin-provisioned, planned is thick{place}")) for name, place in thin)
    return grouped("PX306", hits, "the space of a volume is its own", "compare before going on")


def missing_volumes(context: Context) -> Iterator[Finding]:
    """PX306: a system with some of the planned volumes has all of them."""
    system = reported_pool(context.observed)
    missing = [v.id for v in context.plan.volumes if system and v.provider == PROVIDER and v.id not in system.volumes]
    if system and 0 < len(missing) < len(context.plan.volumes):
        message = f"the system reports volumes, but not the planned {listed(missing)}"
        hint = "finish the commands, and collect the reply again"
        yield Finding("PX306", message, "powerflex", hint, about=(_about(message),))


def strange_volumes(context: Context) -> Iterator[Finding]:
    """PX306: the system holds no volume that the plan does not have: it would take space in the pool."""
    system = reported_pool(context.observed)
    unknown = sorted(set(system.volumes) - set(context.volumes)) if system and on_powerflex(context.plan) else []
    if system and unknown:
        place = _read_at(system, unknown[0])
        message = f"the system reports volumes that are not planned: {listed(unknown)}{place}"
        yield Finding("PX306", message, "powerflex", "compare before going on", about=(_about(message),))


RULES = (
    volume_sizes,
    mapped_servers,
    mapped_to_a_second,
    mapped_elsewhere,
    whole_list,
    pool_of_volumes,
    thick_volumes,
    missing_volumes,
    strange_volumes,
)


def _about(message: str) -> About:
    return About("powerflex", "volume", message)


def _reported_volumes(context: Context) -> Iterator[tuple[Volume, ObservedPool]]:
    """Each planned volume that the system reported, with the system."""
    system = reported_pool(context.observed)
    for volume in context.plan.volumes if system and context.plan.pools else ():
        if system and volume.provider == PROVIDER and volume.id in system.volumes:
            yield volume, system


def _mapped_volumes(context: Context) -> Iterator[tuple[Volume, ObservedPool, int, tuple[str, ...]]]:
    """Each volume with a reported number of SDCs: volume, system, that number, and the servers of its target."""
    servers_of = {t.volume: t.servers for t in context.plan.targets}
    for volume, system in _reported_volumes(context):
        sdcs = system.volumes[volume.id].sdcs
        if sdcs is not None:
            yield volume, system, sdcs, servers_of.get(volume.id, ())


def _mapping_hit(volume: Volume, system: ObservedPool, servers: tuple[str, ...]) -> tuple[str, str]:
    sdcs = system.volumes[volume.id].sdcs
    state = f"mapped to {sdcs:,} SDC" if sdcs else "not mapped"
    verb = "is" if len(servers) == 1 else "are"
    return "powerflex", f"{volume.id} is {state}, planned {verb} {listed(servers)}{_read_at(system, volume.id)}"


def _read_at(system: ObservedPool, name: str) -> str:
    place = system.places.get(name)
    return f" ({place})" if place else ""
