"""The step that sets the ports of adapters to Ethernet: a card for both networks comes up as InfiniBand."""

from __future__ import annotations

from pixsize.catalog.catalog import Catalog
from pixsize.plan.networks import data_networks
from pixsize.plan.records import Plan, Server
from pixsize.products.scale.render.hosts_steps import INSTALLED
from pixsize.render.outward import slots_of
from pixsize.render.steps import PORTS_SET, Box, Look, Step, seconds
from pixsize.render.template import word

_ETHERNET = "ethernet"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """The link type of every port that leads to an Ethernet network; nothing where there is none."""
    networks = ("data", "outward") if _ETHERNET in data_networks(plan, catalog) else ("outward",)
    boxes = tuple(
        Box(word(server.id), f"to Ethernet: {adapters}", "", seconds(catalog, "script"))
        for server in plan.servers
        for adapters in (_adapters(plan, server, networks),)
        if adapters
    )
    return (_set(boxes),) if boxes else ()


def _adapters(plan: Plan, server: Server, networks: tuple[str, ...]) -> str:
    """The adapters of a server that lead to these networks, in words; empty where none does."""
    named = [slots for network in networks if (slots := slots_of(plan, server.id, network))]
    if named or "data" not in networks:
        return " and ".join(named)
    return "all its network adapters"


def _set(boxes: tuple[Box, ...]) -> Step:
    return Step(
        "Set the ports of the adapters to Ethernet",
        boxes,
        (
            Look("`mstconfig -d PCI query LINK_TYPE_P1`, of each adapter of the box, after the restart", "`ETH(2)`"),
            Look("the same, of every other network adapter", "`IB(1)`, where there is one"),
            Look(
                "`ip -br link`, on each",
                "an interface for each adapter of the box, UP where its cable leads to a switch",
            ),
        ),
        after=(INSTALLED,),
        provides=(PORTS_SET,),
        text=(
            "The adapters are VPI cards: each port is one of InfiniBand or of Ethernet, and a new one comes up as InfiniBand. PCI"
            " is the address that `lspci` shows; `dmidecode -t slot` says which address is which slot. The setting stays in the"
            " card, and counts from the next start of the server.",
        ),
        commands=(
            "dnf install -y mstflint",
            "lspci -D -d 15b3:",
            "mstconfig -d PCI query LINK_TYPE_P1",
            "mstconfig -y -d PCI set LINK_TYPE_P1=2",
            "systemctl reboot",
        ),
    )
