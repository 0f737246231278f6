"""The step that brings up the network of the file system on every server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from ipaddress import IPv4Network

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Adapter
from pixsize.plan.networks import data_networks, network_for
from pixsize.plan.records import Plan, Server
from pixsize.products.scale.render import hosts
from pixsize.products.scale.render.hosts_steps import INSTALLED, NAMED
from pixsize.render.outward import ONCE, bond_commands, slots_of
from pixsize.render.steps import NETWORK, PORTS_SET, SAME_TIME, Box, Look, Step, seconds
from pixsize.render.template import prose, word

BOND = "bond0"
"""The interface over the adapters that lead to the file system; those that lead outwards have another."""


def place(address: str) -> str:
    """The address of a device, in words."""
    return f"address {word(address)}" if address else "an address of the site"


def about(plan: Plan, role: str, called: str) -> str:
    """A sentence with the subnet of a network, its mask and its router; empty where the request has no subnet of it."""
    network = network_for(plan, role)
    if network is None:
        return ""
    router = f", its router {word(network.router)}" if network.router else "; its router, if it has one, is the site's"
    subnet = IPv4Network(network.subnet)
    return f"{called} is {subnet} (netmask {subnet.netmask}){router}."


_LACP = "mode=802.3ad,miimon=100,xmit_hash_policy=layer3+4"
_ONE_ACTIVE = "mode=active-backup,miimon=100,fail_over_mac=active"
"""Options of bonds. Ports of InfiniBand keep their hardware addresses (Linux bonding documentation, fail_over_mac)."""
_TWICE = (
    f", on `{BOND}`, which outlives the loss of one of its two adapters (a bond in which one is active), so that either"
    " switch may fail. The two switches are joined to each other, or to the cluster's own: a server that lost one of them"
    " still reaches all others."
)
_AGGREGATE = (
    f", on `{BOND}`, which is both of its adapters together (LACP: a bond of `{_LACP}`),"
    " so that both carry data, and either switch may fail. The two switches are joined to each other, and make one aggregate of"
    " the two ports of each server (MLAG or the like, by the guide of the switches)."
)
_OVER_RDMA = (
    "RDMA uses the adapters by themselves, and needs no bond: `verbsPorts` in `cluster/04-settings.sh` names them."
)
_OVER_IP = (
    "GPFS and the file system's clients use IP on Ethernet: RDMA is set on InfiniBand alone. What the plan says of links counts"
    " all links of a server. One connection uses one of them, many connections use both. Where two switches cannot make one"
    " aggregate, the bond has one active link (`mode=active-backup`), and the links carry half of what the plan says"
    ' (`throughput.fabric`, `nvme.throughput.fabric`, "network adapters" in `pixsize explain`).',
    "An adapter that comes up as InfiniBand (`ibstat` shows it, `ip link` does not) is set to Ethernet first, by the guide of"
    " the adapters.",
)
_ONCE = ". Servers with one adapter are lost to the network with its cable or its switch: the other server of the pair goes on."
_JOINED = (
    "IF1 and IF2 are the interfaces of these adapters (`ibdev2netdev`, or `ls /sys/class/net` and `ethtool -i INTERFACE`),"
    f" ADDRESS is that of the box. {ONCE}"
)
_UNNAMED = (
    "The target `hosts` is left out of this folder: a line for each server, with its name and the address of its box, is"
    " written into `/etc/hosts` of all of them, and all have their time from the same servers (chrony), before they are"
    " prepared."
)
_UNPLUGGED = Look(
    "the same, with either cable of the server unplugged for a moment", "no more than some seconds without an answer"
)


_AGGREGATED = (
    Look(
        f"`cat /proc/net/bonding/{BOND}`, on each",
        "`IEEE 802.3ad Dynamic link aggregation`, `layer3+4`, both ports `MII Status: up` with the same Aggregator ID",
    ),
    Look("the aggregates of the two switches, by their guide", "one for each server, both of its ports in it and up"),
)


def step(plan: Plan, catalog: Catalog, driver: str) -> Step:
    """One interface a server, over all of its adapters that lead to the file system; `driver` is what they need."""
    infiniband = "infiniband" in data_networks(plan, catalog)
    together = _TWICE if infiniband else _AGGREGATE
    first, twice = plan.servers[0], all(_cards(server, catalog).total() > 1 for server in plan.servers)
    unnamed = any(found.code in hosts.RENDERER.left_out_for for found in hosts.findings(plan, catalog))
    kind, options = ("infiniband", _ONE_ACTIVE) if infiniband else ("ethernet", _LACP)
    network = network_for(plan, "data")
    length = IPv4Network(network.subnet).prefixlen if network else "LENGTH"
    address = ("ipv4.method manual", f"ipv4.addresses ADDRESS/{length}")
    return Step(
        "Bring up the network of the file system",
        tuple(Box(word(s.id), _interface(s, plan, catalog), "", seconds(catalog, "script")) for s in plan.servers),
        (
            *(_over_infiniband(plan, catalog) if infiniband else _over_ethernet(plan, catalog)),
            *(_AGGREGATED if twice and not infiniband else ()),
            Look("`ip -br addr`, on each", "the address of its box, on one interface, UP"),
            *((_named(first), SAME_TIME) if unnamed else ()),
            Look(f"`ping -c 3 {word(first.id)}`, from each", "3 received, from its address on this network"),
            *((_UNPLUGGED,) if twice else ()),
        ),
        after=(INSTALLED, NAMED, PORTS_SET),
        provides=(NETWORK,),
        text=(
            f"First {driver}, on every server; then one address a server{together if twice else _ONCE}",
            *filter(None, (about(plan, "data", "The network"), _JOINED if twice else "")),
            *((_OVER_RDMA,) if infiniband else _OVER_IP if twice else ()),
            *((_UNNAMED,) if unnamed else ()),
        ),
        commands=bond_commands(BOND, options, kind, address) if twice else (),
    )


def _named(first: Server) -> Look:
    shown = f"`{word(first.address)}`" if first.address else "its address on this network"
    return Look(f"`getent ahostsv4 {word(first.id)}`, on each", f"{shown}, and no other address")


def _cards(server: Server, catalog: Catalog) -> Counter[str]:
    """How many adapters a server has on networks, by what they are."""
    counts = Counter[str]()
    for card in server.adapters:
        record = catalog.get(Adapter, card.model)
        if record.use == "network":
            counts[prose(record.title)] += card.count
    return counts


def _interface(server: Server, plan: Plan, catalog: Catalog) -> str:
    """The adapters that lead to the file system, with their slots where others lead elsewhere; and the address."""
    outward = sum(link.network == "outward" and link.start.device == server.id for link in plan.links)
    counts = Counter({title: max(count - outward, 0) for title, count in _cards(server, catalog).items()})
    cards = " and ".join(f"{count} {title}" for title, count in counts.items())
    slots, others = slots_of(plan, server.id, "data"), slots_of(plan, server.id, "outward")
    where = (f" in {slots}" if slots else f", not those in {others}") if outward else ""
    return f"{cards or 'its adapters'}{where}; {place(server.address)}"


def _rates(plan: Plan, catalog: Catalog) -> Iterator[int]:
    """What a port of each kind of adapter on the network carries, in Gb/s."""
    cards = dict.fromkeys(card.model for server in plan.servers for card in server.adapters)
    records = (catalog.get(Adapter, card) for card in cards)
    every = (round(r.lanes * r.lane_bytes_per_s * 8 / 10**9) for r in records if r.use == "network")
    yield from dict.fromkeys(every)


def _over_infiniband(plan: Plan, catalog: Catalog) -> Iterator[Look]:
    rates = " or ".join(map(str, _rates(plan, catalog)))
    yield Look("`ofed_info -s`, on each", "the same version everywhere")
    yield Look("`ibstat`, on each", f"State: Active, Rate: {rates}, for every adapter that leads to these switches")
    cables = sum(link.network == "data" for link in plan.links)
    shown = (
        f"{cables}, one for each data cable of the sheet; more where clients are there" if cables else "every adapter"
    )
    # From memory: a switch with SHARP is listed among the hosts, as an aggregation node; one without it is not.
    yield Look("`ibhosts | grep -vc 'Aggregation Node'`, on one", shown)


def _over_ethernet(plan: Plan, catalog: Catalog) -> Iterator[Look]:
    rates = " or ".join(f"{rate}000Mb/s" for rate in _rates(plan, catalog))
    yield Look("`ethtool INTERFACE`, on each", f"Speed: {rates}, for every adapter that leads to these switches")
    yield Look("`ip link show`, on each", "the same MTU everywhere, that of the switches")
