"""Which networks the data of a plan use, and the addresses of controllers and switches on that for the management."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.fabrics import network_of, used_by
from pixsize.catalog.records import Enclosure, Switch
from pixsize.findings import Finding
from pixsize.plan.records import Array, Network, Plan, SwitchSet
from pixsize.texts import plural

MANAGEMENT = "management"
CONTROLLERS = ("A", "B")
"""The controllers of an array, in the order of the addresses that it has."""


class DeviceNetwork(NamedTuple):
    """The network that controllers and switches are managed on, as a request has it.

    `where` is the path of its subnet, `servers` are the addresses of servers in it, and `taken` those that further
    hosts have or new devices come with. Without a `subnet` controllers and switches get no addresses.
    """

    where: str = ""
    subnet: str = ""
    servers: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()


class Devices(NamedTuple):
    """What is managed beside the servers."""

    arrays: tuple[Array, ...]
    switches: tuple[SwitchSet, ...]

    @property
    def needed(self) -> int:
        """How many addresses they need."""
        return len(CONTROLLERS) * len(self.arrays) + len(self.switches)


def addressed(devices: Devices, network: DeviceNetwork) -> Devices:
    """The arrays, then the switches, with the next free addresses of the subnet behind those of the servers."""
    free = _free(network)
    if not network.subnet:
        return devices
    arrays = tuple(array._replace(addresses=tuple(next(free) for _ in CONTROLLERS)) for array in devices.arrays)
    return Devices(arrays, tuple(switch._replace(address=next(free)) for switch in devices.switches))


def too_few_addresses(devices: Devices, network: DeviceNetwork) -> tuple[Finding, ...]:
    """PX116 for a subnet that has no address for each of them."""
    if not network.subnet or sum(1 for _ in zip(_free(network), range(devices.needed), strict=False)) == devices.needed:
        return ()
    controllers = plural(len(CONTROLLERS) * len(devices.arrays), "controller")
    switches = plural(len(devices.switches), "switch")
    free = f"{plural(sum(1 for _ in _free(network)), 'free address')} behind those of the servers"
    message = f"{network.subnet} has {free}, for {controllers} of arrays and {switches}"
    hint = (
        "A larger subnet, or lower addresses of the servers. Those without a subnet leave controllers and switches out."
    )
    return (Finding("PX116", message, network.where, hint),)


def with_factory_addresses(network: DeviceNetwork, arrays: Iterable[Array], catalog: Catalog) -> DeviceNetwork:
    """The network, with the addresses taken that new controllers of the arrays come with."""
    models = {array.model for array in arrays}
    new = frozenset(address for m in models for address in catalog.get(Enclosure, m).factory_addresses)
    return network._replace(taken=network.taken | new)


def _free(network: DeviceNetwork) -> Iterator[str]:
    """The addresses of the subnet that nobody has, behind the last one of a server; never those below it."""
    from ipaddress import IPv4Address, IPv4Network

    if network.subnet:
        found = IPv4Network(network.subnet)
        last = max((int(IPv4Address(address)) for address in network.servers), default=0)
        start = max(last, int(found.network_address)) + 1
        every = (str(IPv4Address(number)) for number in range(start, int(found.broadcast_address)))
        yield from (address for address in every if address not in network.taken)


def controllers_of(array: Array) -> Iterator[tuple[str, str]]:
    """The controllers of an array, as they are called on the network, each with its address; none without addresses."""
    return ((f"{array.id}-{c.lower()}", a) for c, a in zip(CONTROLLERS, array.addresses, strict=False))


def devices_of(plan: Plan) -> Sequence[tuple[str, str]]:
    """Every controller and switch that has an address, as it is called, and its address."""
    controllers = (named for array in plan.arrays for named in controllers_of(array))
    return (*controllers, *((switch.id, switch.address) for switch in plan.switches if switch.address))


def network_for(plan: Plan, role: str) -> Network | None:
    """The network of a plan that has this role; None where the request has no subnet of it."""
    return next((network for network in plan.networks if network.role == role), None)


def data_networks(plan: Plan, catalog: Catalog) -> frozenset[str]:
    """The kinds of network that the switches for the data make; where no switch is planned, what the adapters are
    set to.
    """
    if plan.switches:
        return frozenset(catalog.get(Switch, switch.model).network for switch in plan.switches) - {MANAGEMENT}
    design = catalog.get(Design, plan.design)
    used = used_by(design, (card for server in plan.servers for card, _ in server.adapters), catalog)
    if used is not None:
        return frozenset({network_of(used.fabric, catalog)})
    return frozenset(catalog.get(Switch, role.model).network for role in design.switches) - {MANAGEMENT}


def aggregated(plan: Plan, catalog: Catalog) -> bool:
    """Whether the links of a server are one aggregate (LACP): on Ethernet, where no RDMA spreads data over them."""
    return "ethernet" in data_networks(plan, catalog)


AGGREGATE = "as one aggregate over both switches (LACP); a bond in which one link is active carries half of it"
"""What a rate that counts all links of a server on Ethernet rests on."""
