"""What a request says of fencing beyond the controllers: a second level, and a second link for the cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pixsize.load import names
from pixsize.load.partial_request import PartialRequest, did_you_mean
from pixsize.load.positions import item, join, quoted
from pixsize.load.servers import judge_address
from pixsize.products.lustre.ha_records import FenceAgent

_SECOND = "fencing.second"
_AGENT = re.compile(r"fence_[a-z0-9][a-z0-9_]{0,40}")
_OUTLET = re.compile(r"[A-Za-z0-9][A-Za-z0-9:_.-]{0,31}", re.ASCII)
_WORD_OF = {"outlet": "outlets", "disk": "devices"}
"""What a fence agent reaches -> the word of the request that says where."""
_MOST_DEVICES = 3
"""sbd(8): one, two or three devices."""


def judge_fencing(partial: PartialRequest, servers: Sequence[str]) -> None:
    """Note what is wrong with agents, outlets and devices; `servers` is empty where their names are not known."""
    for pattern in ("fencing.agent", f"{_SECOND}.agent"):
        for value, path in list(partial.values(pattern)):
            if isinstance(value, str) and not _AGENT.fullmatch(value):
                partial.report("PX107", path, f"{quoted(value)} is no fence agent, such as fence_idrac")
    _judge_first(partial)
    _judge_second(partial)
    if servers:
        _judge_outlets(partial, servers)
    _judge_devices(partial)


def _reaches(partial: PartialRequest, agent: object) -> str:
    """What an agent of the catalog reaches: `controller`, `outlet` or `disk`; empty for any other."""
    known = isinstance(agent, str) and agent in partial.catalog.ids("fence_agent")
    return partial.catalog.get(FenceAgent, str(agent)).reaches if known else ""


def _agents_reaching(partial: PartialRequest, *kinds: str) -> str:
    """The agents of the catalog that reach one of `kinds`, for a message."""
    return ", ".join(a.id for a in partial.catalog.all(FenceAgent) if a.reaches in kinds)


def _judge_first(partial: PartialRequest) -> None:
    """PX102 for an agent that reaches no controller."""
    for value, path in list(partial.values("fencing.agent")):
        if _reaches(partial, value) in _WORD_OF:
            message = f"{quoted(value)} reaches no management controller, as the first level does"
            partial.report(
                "PX102", path, message, f"One of {_agents_reaching(partial, 'controller')}; {value} in fencing.second."
            )


def _judge_second(partial: PartialRequest) -> None:
    """PX102 for an agent that is none of a second level, PX101 and PX103 for the words that belong to others."""
    for node, _, path in list(partial.each(f"{_SECOND}.agent")):
        reaches = _reaches(partial, node.get("agent"))
        if partial.is_bad(path):
            continue
        if reaches == "controller":
            message = f"{quoted(node['agent'])} reaches the server's own controller, which is gone when its power is"
            partial.report("PX102", path, message, f"One of {_agents_reaching(partial, *_WORD_OF)}.")
            continue
        for kind, word in _WORD_OF.items():
            if not reaches or partial.is_bad(join(_SECOND, word)):
                continue
            if kind == reaches and word not in node:
                hint = f"Add {word}: {_EXAMPLES[word]}."
                partial.report("PX103", _SECOND, f"the word {word} is missing, which {node['agent']} needs", hint)
            elif kind != reaches and word in node:
                message = f"unknown word '{word}': {node['agent']} takes {_WORD_OF[reaches]}"
                partial.report("PX101", join(_SECOND, word), message, at_key=True)


_EXAMPLES = {"outlets": "{oss01: [10.31.0.1/7, 10.31.0.2/7], ...}", "devices": "[/dev/disk/by-id/...]"}


def _judge_outlets(partial: PartialRequest, servers: Sequence[str]) -> None:
    """PX116 where outlets and servers do not go together, PX110 for one that feeds two, PX115 for what is none."""
    for outlets, path in list(partial.values(f"{_SECOND}.outlets")):
        if not isinstance(outlets, dict):
            continue
        owners: dict[str, str] = {}
        for server, where, outlet in _outlets(partial, outlets, path, servers):
            _judge_outlet(partial, where, outlet, owners.get(outlet, ""))
            owners.setdefault(outlet, server)
        missing = [server for server in servers if server not in outlets]
        if missing:
            more = f" and {len(missing) - 1:,} more" if missing[1:] else ""
            partial.report("PX116", path, f"no outlet for {missing[0]}{more}", f"Add {missing[0]}.")


def _outlets(
    partial: PartialRequest, outlets: Mapping[str, object], path: str, servers: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    """Server, path and text of each outlet. The shape of the request reports what is no list of texts."""
    for server, listed in outlets.items():
        where = join(path, str(server))
        if server not in servers:
            partial.report("PX116", where, f"no server is called {quoted(server)}", did_you_mean(str(server), servers))
        elif isinstance(listed, list):
            if not listed:
                partial.report("PX116", where, f"no outlet for {server}", "Name each outlet that feeds it.")
            yield from ((server, item(where, i), o) for i, o in enumerate(listed) if isinstance(o, str))


def _judge_outlet(partial: PartialRequest, where: str, outlet: str, owner: str) -> None:
    """PX115 for a text that is no outlet, PX110 for an outlet that feeds `owner` already; then judge its address."""
    address, slash, plug = outlet.partition("/")
    if not slash or not _OUTLET.fullmatch(plug):
        message = f"{quoted(outlet)} is no outlet: the address of its PDU, a slash and its number or name are one"
        partial.report("PX115", where, message, "Such as 10.31.0.1/7.")
    elif owner:
        partial.report("PX110", where, f"{quoted(outlet)} feeds {owner} already")
    else:
        judge_address(partial, where, address, None, {})


def _judge_devices(partial: PartialRequest) -> None:
    """PX107 for what is no device, PX110 for one that stands twice, PX108 for more than SBD takes."""
    for devices, path in list(partial.values(f"{_SECOND}.devices")):
        if not isinstance(devices, list):
            continue
        if not 1 <= len(devices) <= _MOST_DEVICES:
            partial.report("PX108", path, f"{len(devices)} devices; SBD takes 1 to {_MOST_DEVICES}, and 3 at best")
            continue
        for index, device in enumerate(devices):
            trouble = names.device_trouble(device) if isinstance(device, str) else ""
            if trouble:
                partial.report("PX107", item(path, index), f"{quoted(device)} {trouble}")
            elif device in devices[:index]:
                partial.report("PX110", item(path, index), f"{quoted(device)} stands here twice")
