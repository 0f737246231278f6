"""How the servers of a cluster are switched off: the devices of each level, as words of pcs and of the agents alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, Server
from pixsize.products.lustre.ha_records import FenceAgent, FenceWords, HaPolicy
from pixsize.products.lustre.plan import lustre, server_of
from pixsize.render.template import device, word

_OUTLET = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3}){3})/([A-Za-z0-9][A-Za-z0-9:_.-]{0,31})", re.ASCII)
_LOGIN = {
    "user": '"$user=${FENCE%s_USER}" "$password=${FENCE%s_PASSWORD}"',
    "community": '"community=${FENCE%s_COMMUNITY}"',
    "none": "",
}
"""What an agent logs in with, as words for the shell; %s is nothing for the first level, and 2 for the second."""
_SECRETS = {
    "user": (("USER", "the user of"), ("PASSWORD", "the password of")),
    "community": (("COMMUNITY", "the SNMP community, with the right to write, of"),),
    "none": (),
}
_PAIR = 2  # servers, of which one waits, so that they do not switch each other off at once
_DEVICES = {"controller": "the management controllers", "outlet": "the PDUs", "disk": "the disks"}


class Secret(NamedTuple):
    """A variable of the shell that the scripts want, what it holds, and the level whose devices want it."""

    name: str
    what: str
    level: int


class Device(NamedTuple):
    """A device of stonith: `words` are its options in the shell, `plug` one more for a trial, `where` for people."""

    id: str
    node: str
    agent: str
    level: int
    words: str
    agent_options: tuple[str, ...]
    options: str
    plug: str
    where: str


def agents(plan: Plan, catalog: Catalog) -> list[FenceAgent]:
    """The agents of the first level, and of the second where there is one."""
    names = filter(None, (lustre(plan).fence_agent, lustre(plan).second_fence_agent))
    return [catalog.get(FenceAgent, name) for name in names]


def secrets(plan: Plan, catalog: Catalog) -> list[Secret]:
    """The variables that the agents' logins need, in the order in which a person is asked."""
    found = []
    for level, agent in enumerate(agents(plan, catalog), 1):
        number = "" if level == 1 else str(level)
        rows = _SECRETS[agent.login]
        found += [Secret(f"FENCE{number}_{n}", f"{what} {_DEVICES[agent.reaches]}", level) for n, what in rows]
    return found


def ask(names: Sequence[str]) -> str:
    """One line of a shell that asks a person for variables: pasted as several, a `read` would take the next line."""
    reads = (f"read -r{'' if n.endswith('USER') else 's'}p '{n}: ' {n}" for n in names)
    return " && ".join([*reads, f"export {' '.join(names)}"])


def devices(plan: Plan, catalog: Catalog, servers: Sequence[Server], policy: HaPolicy) -> list[Device]:
    """The devices of every server, level by level. Of a pair, the first server is fenced late at each level."""
    found: list[Device] = []
    for level, agent in enumerate(agents(plan, catalog), 1):
        for rank, server in enumerate(servers):
            delay = policy.delay_s if rank == 0 and len(servers) == _PAIR else 0
            # fence_sbd kills `sbd message` after power_timeout, and that takes msgwait (fence_sbd(8); sbd(8)).
            waits = (f"power_timeout={policy.sbd_power_s}",) if agent.reaches == "disk" else ()
            found += _devices_of_server(plan, server, agent, level, delay, waits)
    return found


def _devices_of_server(
    plan: Plan, server: Server, agent: FenceAgent, level: int, delay_s: int, waits: tuple[str, ...]
) -> Iterator[Device]:
    name, number = word(server.id), "" if level == 1 else str(level)
    options = [*agent.options, *waits, f"pcmk_host_list={name}", *([f"pcmk_delay_base={delay_s}s"] if delay_s else [])]
    login = _LOGIN[agent.login].replace("%s", number)
    for part, (words, plug, where) in enumerate(_reached(plan, server, agent)):
        suffix = f".{part + 1}" if part else ""  # no server's name ends in a point and a number
        yield Device(
            f"fence{number}-{name}{suffix}",
            name,
            word(agent.id),
            level,
            " ".join(filter(None, (words, login))),
            tuple(agent.options),
            " ".join(options),
            plug,
            where,
        )


def _reached(plan: Plan, server: Server, agent: FenceAgent) -> Iterator[tuple[str, str, str]]:
    """For each device of a server: how the agent reaches it, the plug that Pacemaker adds by itself, and in words."""
    if agent.reaches == "controller":
        yield f'"$address={word(server_of(server).bmc)}"', "", word(server_of(server).bmc)
    elif agent.reaches == "disk":
        paths = ",".join(map(device, lustre(plan).sbd_devices))
        yield f"devices={paths}", f'"$plug={word(server.id)}"', paths
    else:
        for outlet in server_of(server).outlets:
            match = _OUTLET.fullmatch(outlet)
            if match is None:
                raise ValueError(f"{outlet!r} is no outlet, and may not stand in a rendered file")
            yield f'"$address={match[1]}" "$plug={match[2]}"', "", f"outlet {match[2]} of {match[1]}"


def variables(plan: Plan, names: FenceWords, catalog: Catalog) -> str:
    """What the agents call address, login and plug, as variables of the shell: those alone that the devices use."""
    used = " ".join(_LOGIN[a.login] for a in agents(plan, catalog))
    used += "".join(
        {"controller": "$address", "outlet": "$address$plug", "disk": "$plug"}[a.reaches] for a in agents(plan, catalog)
    )
    rows = {"address": names.address, "user": names.user, "password": names.password, "plug": names.plug}
    return " ".join(f"{name}={word(value)}" for name, value in rows.items() if f"${name}" in used)


def tries(devices: Sequence[Device], secrets: Sequence[Secret]) -> list[dict[str, Any]]:
    """For each level its devices as they are asked for the state of a server, and the variables that this needs."""
    numbers = dict.fromkeys(d.level for d in devices)
    return [
        {
            "level": number,
            "fences": [d for d in devices if d.level == number],
            "secrets": [s.name for s in secrets if s.level == number],
        }
        for number in numbers
    ]


def levels(devices: Sequence[Device]) -> list[dict[str, Any]]:
    """For each server and level the ids of its devices; none where there is one level only."""
    if all(d.level == 1 for d in devices):
        return []
    rows: dict[tuple[str, int], list[str]] = {}
    for one in devices:
        rows.setdefault((one.node, one.level), []).append(one.id)
    return [{"node": n, "level": level, "devices": " ".join(ids)} for (n, level), ids in sorted(rows.items())]
