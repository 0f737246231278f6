"""Agents that watch a server's health beside its targets: LNet, and Lustre's own word. Their names are Lustre's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from pixsize.plan.records import Plan, Server
from pixsize.products.lustre.ha_records import HaPolicy
from pixsize.products.lustre.plan import server_of
from pixsize.products.lustre.render.lnet import nid
from pixsize.render.template import word

_LNET, _LUSTRE = "ocf:lustre:healthLNET", "ocf:lustre:healthLUSTRE"


class Health(NamedTuple):
    """A clone that sets a node attribute. `options` are its parameters in the shell, `parameters` their names alone.

    `attribute` is above zero on a server that is well (Lustre source, lustre/scripts/ocf).
    """

    id: str
    agent: str
    attribute: str
    options: str
    parameters: str


def watchers(plan: Plan, servers: Sequence[Server], agents: Sequence[str], policy: HaPolicy) -> list[Health]:
    """The agents of a release that find something to watch in a cluster.

    Each is told the name of its attribute, so that none depends on a default.
    """
    hosts = " ".join(ping_hosts(plan, servers, policy.ping_hosts))
    wait = f"dampen={policy.health_dampen_s}s"
    found = {
        _LNET: Health(
            "lnet-health",
            _LNET,
            "pingd",
            f'name=pingd {wait} lctl=true "host_list={hosts}"',
            "name dampen lctl host_list",
        ),
        _LUSTRE: Health("lustre-health", _LUSTRE, "lustred", f"name=lustred {wait}", "name dampen"),
    }
    return [found[agent] for agent in agents if agent != _LNET or hosts]


def rules(found: Sequence[Health], servers: Sequence[str], policy: HaPolicy) -> list[str]:
    """The rules of one target, as words of pcs; `servers` are its own, the preferred first.

    Of LNet: points for a server that is well, or not known. Lustre's own word counts less on the second server: a
    target whose own storage is lost takes its trouble along, and points alone would send all to and fro for ever.
    """
    rows = []
    for each in found:
        name = each.attribute
        if each.agent == _LUSTRE:
            losses = zip(servers, (policy.sick_first_score, policy.sick_second_score), strict=True)
            sick = f"defined {name} and {name} lt 1"
            rows += [f"score=-{loss} '#uname' eq {word(server)} and {sick}" for server, loss in losses]
        else:
            rows.append(f"score={policy.health_score} not_defined {name} or {name} gt 0")
    return rows


def ping_hosts(plan: Plan, servers: Sequence[Server], most: int) -> list[str]:
    """The NIDs by which a cluster tries LNet: of servers outside of it, from as many other groups as there are.

    Never a server of the cluster: each would reach itself while the fabric is dead, and when the partner is lost the
    one that is left would count as sick.
    """
    own = {s.id for s in servers}
    groups: dict[object, list[Server]] = {}
    for server in plan.servers:
        if server.id not in own and server_of(server).nids:
            groups.setdefault(server.module or server.role, []).append(server)
    turns = zip_longest(*groups.values())
    return [nid(server_of(s).nids[0]) for turn in turns for s in turn if s is not None][:most]
