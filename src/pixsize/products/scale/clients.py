"""Completes and judges the words of the clients: nodes of the cluster that mount the file system and serve nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pixsize.load.partial_request import PartialRequest
from pixsize.load.positions import item, quoted
from pixsize.load.servers import complete_hosts
from pixsize.plan.records import same_host
from pixsize.products.scale.plan import CLIENTS

HOSTS = "cluster.clients.hosts"
"""Where their names stand."""
_PORTS = "network.client_ports"


def complete(partial: PartialRequest) -> None:
    """The number of the clients from their names, or their names from the number."""
    for node, word, _ in list(partial.each(HOSTS)):
        if isinstance(node.get(word), list) and node[word]:
            partial.complete("cluster.clients.count", len(node[word]))
    complete_hosts(partial, HOSTS, "count", 1, lambda client, _: f"client{client:04d}")


def complete_ports(partial: PartialRequest) -> None:
    """A port of the switches for each client, where the request says nothing of ports."""
    names = clients(partial)
    if names:
        partial.complete(_PORTS, len(names))


def clients(partial: PartialRequest) -> list[str]:
    """The names of the clients, in the order of the plan."""
    return [str(name) for names, _ in partial.values(HOSTS) if isinstance(names, list) for name in names]


def judge(partial: PartialRequest, hosts: Sequence[str], servers: Sequence[str]) -> None:
    """Note names that mean two things; `hosts` is where the names of the `servers` stand."""
    names = clients(partial)
    if not names:
        return
    _judge_class(partial, (*hosts, HOSTS))
    _judge_servers(partial, servers)
    for value, path in list(partial.values("filesystem.descriptor.server")):
        if isinstance(value, str) and any(same_host(value, client) for client in names):
            message = f"{quoted(value)} is a client: who serves a descriptor to others has a server licence"
            partial.report("PX107", path, message, "A server that is no client.")


def _judge_class(partial: PartialRequest, patterns: Sequence[str]) -> None:
    """PX107 for a host that is called like the class of the clients: `mmchconfig -N` would not mean the host."""
    for text, path in _named(partial, patterns):
        if text.lower() == CLIENTS:
            message = f"{quoted(text)} cannot name a server: the clients are the class of nodes of that name"
            partial.report("PX107", path, message)


def _judge_servers(partial: PartialRequest, servers: Sequence[str]) -> None:
    """PX110 for a client that is a server but for its domain."""
    for text, path in _named(partial, (HOSTS,)):
        server = next((s for s in servers if same_host(text, s)), "")
        if server and not partial.is_bad(path):
            partial.report("PX110", path, f"{quoted(text)} is {server}, a server of the system")


def _named(partial: PartialRequest, patterns: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The names that stand at these patterns, each with its path."""
    for pattern in patterns:
        for value, path in list(partial.values(pattern)):
            texts = enumerate(value if isinstance(value, list) else [])
            yield from ((text, item(path, index)) for index, text in texts if isinstance(text, str))
