"""Interfaces over two adapters, and the step that makes one towards the site's network, where products need it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pixsize.plan.records import Plan
from pixsize.render.steps import PORTS_SET, PREPARED, Box, Look, Step
from pixsize.render.template import prose, word

_BOND = "bond"
"""How the name of an interface begins that joins two adapters."""
_ONE_ACTIVE = "mode=active-backup,miimon=100"


def slots_of(plan: Plan, server: str, network: str) -> str:
    """Where the adapters of a server are that lead to a network, in words; empty where no cable of the plan says it."""
    found = [link.start.slot for link in plan.links if link.network == network and link.start.device == server]
    numbered = [slot for slot in found if slot.isdigit()]
    if not found:
        return ""
    if len(numbered) == len(found):
        return f"{'slots' if len(found) > 1 else 'slot'} {' and '.join(numbered)}"
    return " and ".join(map(prose, found))


ONCE = (
    "Added twice, a connection is there twice: `nmcli connection show` lists them, `nmcli connection delete NAME` takes"
    " one away."
)


class Outward(NamedTuple):
    """What servers have towards the site.

    `gets` says in words which address the interface of a server has, `address` are the words of nmcli for it, `looks`
    show that it leads there, and `told` is what else is to know.
    """

    title: str
    interface: str
    gets: Callable[[str], str]
    address: tuple[str, ...]
    looks: tuple[Look, ...]
    told: str = ""


def outward_step(plan: Plan, servers: tuple[str, ...], wanted: Outward, provides: str, seconds: int) -> Step:
    """One interface a server over its outward adapters: a bond where its name says so."""
    interface = word(wanted.interface)
    bonded = interface.startswith(_BOND)
    return Step(
        wanted.title,
        tuple(
            Box(word(server), f"{_adapters(plan, server)}: {wanted.gets(server)}", "", seconds) for server in servers
        ),
        (
            Look(f"`ip -br link show {interface}`, on each", "UP"),
            *(_of_bond(interface) if bonded else ()),
            *wanted.looks,
        ),
        after=(PORTS_SET, PREPARED),
        provides=(provides,),
        text=tuple(filter(None, (_said(interface, bonded=bonded), wanted.told))),
        commands=bond_commands(interface, _ONE_ACTIVE, "ethernet", wanted.address) if bonded else (),
    )


def _adapters(plan: Plan, server: str) -> str:
    slots = slots_of(plan, server, "outward")
    return f"the adapters in {slots}" if slots else "the adapters that lead outwards"


def _said(interface: str, *, bonded: bool) -> str:
    if not bonded:
        return f"`{interface}` is an interface of the adapters that lead to the site's network, up after a start."
    return (
        f"`{interface}` joins the two adapters that lead to the site's network; IF1 and IF2 are their interfaces"
        " (`ls /sys/class/net`, and `ethtool -i INTERFACE` for the PCI address of each). With `active-backup` one of"
        " them carries everything, and the site's switches need no setting. Where these act as one (MLAG),"
        f" `mode=802.3ad` uses both. {ONCE}"
    )


def _of_bond(interface: str) -> tuple[Look, ...]:
    return (
        Look(f"`cat /proc/net/bonding/{interface}`, on each", "two interfaces, `MII Status: up` for both"),
        Look("the same, with either cable unplugged for a moment", "the other one active"),
    )


def bond_commands(name: str, options: str, kind: str, address: tuple[str, ...]) -> tuple[str, ...]:
    """The commands that join the interfaces IF1 and IF2, of this kind of network, to one.

    nmcli(1) and nm-settings(5) of NetworkManager: bond.options, and ports of type ethernet or infiniband.
    """
    return (
        f"nmcli connection add type bond con-name {name} ifname {name} bond.options {options} {' '.join(address)}",
        f"nmcli connection add type {kind} con-name {name}-1 ifname IF1 master {name}",
        f"nmcli connection add type {kind} con-name {name}-2 ifname IF2 master {name}",
        f"nmcli connection up {name}-1",
        f"nmcli connection up {name}-2",
    )
