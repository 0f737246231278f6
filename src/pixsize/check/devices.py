"""Judges the addresses of controllers and switches, counted anew from the request; those that are never given out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pixsize.catalog.records import Enclosure
from pixsize.check.context import Context, Hit, grouped
from pixsize.findings import Finding

_ALLOWED = "controllers and switches have the addresses behind those of the servers, each one of its own"


def addresses_of_devices(context: Context) -> Iterator[Finding]:
    """PX525: controllers A and B of each array, then the switches, have the next addresses that nobody has."""
    network = context.filesystem.device_network(context.request)
    unasked = context.plan.networks if not context.filesystem.networks(context.request) else ()
    due = _due(network.subnet, network.servers, network.taken | factory_addresses(context))

    def hits() -> Iterator[Hit]:
        yield from (("", f"the network {found.role} has {found.subnet}, which nobody asked for") for found in unasked)
        for array in context.plan.arrays:
            wanted = tuple(address for _, address in zip("AB", due, strict=False))
            if array.addresses != wanted:
                yield network.where, f"{array.id} has {_said(array.addresses)}, where {_said(wanted)} is due"
        for switch in context.plan.switches:
            address = next(due, "")
            if switch.address != address:
                yield (
                    network.where,
                    f"{switch.id} has {switch.address or 'no address'}, where {address or 'none'} is due",
                )

    yield from grouped("PX525", hits(), _ALLOWED)


def factory_addresses(context: Context) -> frozenset[str]:
    """The addresses that controllers of the plan's arrays come with."""
    models = [context.catalog.get(Enclosure, array.model) for array in context.plan.arrays]
    return frozenset(address for model in models for address in model.factory_addresses)


def _due(subnet: str, servers: frozenset[str], taken: frozenset[str]) -> Iterator[str]:
    """The addresses that are left, from the one behind all servers on."""
    from ipaddress import IPv4Address, IPv4Network

    if subnet:
        network = IPv4Network(subnet)
        used = {IPv4Address(address) for address in taken}
        behind = max([network.network_address, *map(IPv4Address, servers)]) + 1
        while behind < network.broadcast_address:
            if behind not in used:
                yield str(behind)
            behind += 1


def first_address_given_out(
    where: str, subnet: str, router: str, given: Iterable[tuple[str, str]]
) -> Iterator[Finding]:
    """PX570: nobody said which address the router of a subnet has, and somebody has the one that is commonly its.

    A subnet that is none differs from that of the request, which other rules find.
    """
    from ipaddress import IPv4Network

    try:
        usual = str(IPv4Network(subnet)[1]) if subnet and not router else ""
    except ValueError:
        return
    for name, address in given:
        if address == usual:
            message = f"{name} has {usual}, the first address of {subnet}: commonly that of its router"
            hint = f"router: {usual} beside subnet, or the address that the router has; nothing else gets it then."
            yield Finding("PX570", message, where, hint)


def _said(addresses: tuple[str, ...]) -> str:
    return " and ".join(addresses or ()) or "no address"
