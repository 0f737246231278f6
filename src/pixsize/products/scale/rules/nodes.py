"""The nodes of the cluster: which of them vote, manage, need a server licence, and share settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pixsize.check.context import Context, Hit, grouped
from pixsize.check.rules import MATCHES_REQUEST
from pixsize.findings import Finding
from pixsize.plan.records import Server, same_host
from pixsize.product import exporting_roles
from pixsize.products.scale.plan import Cluster, Services, scale, server_of
from pixsize.products.scale.rules.design import request_of
from pixsize.texts import listed


def quorum(context: Context) -> Iterator[Finding]:
    """PX590: an odd number of quorum nodes, few enough, and a majority of them is left where one can be left."""
    voters = [s for s in context.plan.servers if server_of(s).quorum]
    most, losses = context.limit("scale.quorum_nodes"), _stopping(context)
    pairs = _pairs(context.plan.servers)

    def hits() -> Iterator[Hit]:
        if len(voters) % 2 == 0 or len(voters) > most:
            yield "", f"{len(voters)} quorum nodes"
        able = {s.id for pair in pairs.values() for s in pair}
        yield from (("", f"{s.id} is one, a server for {s.role}") for s in voters if s.id not in able)
        if len(pairs) > 2 and losses:
            yield "", f"the loss of {listed(losses)} leaves no majority of {len(voters)}"
        if len(pairs) > 1 and len(voters) < _SURVIVING:
            yield "", f"no quorum node may fail, since there are {len(voters)}"

    allowed = f"an odd number, {most} at the most, over the pairs that may vote; a majority outlives any of them"
    return grouped("PX590", hits(), allowed)


def stopping_pair(context: Context) -> Iterator[Finding]:
    """PX591: with two pairs or one, the loss of a pair takes the majority."""
    losses = _stopping(context)
    if losses and len(_pairs(context.plan.servers)) < 3:
        voters = [s.id for s in context.plan.servers if server_of(s).quorum]
        message = f"the loss of {listed(losses)} stops the cluster: its quorum nodes are {listed(voters)}"
        more = "any one server may fail; " if len(voters) > 2 else ""
        yield Finding("PX591", message, "storage_modules", f"{more}a third pair, such as hdmd, leaves a majority")


def cluster_of_the_request(context: Context) -> Iterator[Finding]:
    """PX525: name, admin node and programs of the cluster are the request's, or what stands for them."""
    words, request = request_of(context).cluster, request_of(context)
    managers = [s.id for s in context.plan.servers if s.role == "management"]
    expected = Cluster(
        name=(words.name if words else None) or request.name,
        admin=(words.admin if words else None) or (managers or [s.id for s in context.plan.servers])[0],
        remote_shell=words.remote_shell if words else "/usr/bin/ssh",
        remote_copy=words.remote_copy if words else "/usr/bin/scp",
    )
    found = scale(context.plan).cluster
    if not isinstance(found, Cluster):
        yield Finding("PX525", "the plan has no cluster; " + MATCHES_REQUEST, "cluster")
        return
    hits = (
        (f"cluster.{word}", f"cluster.{word} is {has}, where {due} was asked for")
        for word, has, due in zip(Cluster._fields, found, expected, strict=True)
        if has != due
    )
    yield from grouped("PX525", hits, MATCHES_REQUEST)


def nodes_in_order(context: Context) -> Iterator[Finding]:
    """PX597: the votes, managers, licences and classes of all servers, counted again from their roles and pairs."""
    voters = _votes(context)
    helpers = [s for t in context.plan.targets if t.volume is None for s in t.servers]

    def hits() -> Iterator[Hit]:
        exporting = exporting_roles()
        for server in context.plan.servers:
            own, votes = server_of(server), server.id in voters
            manages = votes or server.role == "management"
            licensed = manages or server.module is not None or server.role in exporting
            licensed = licensed or any(same_host(server.id, helper) for helper in helpers)
            due = (votes, manages, "server" if licensed else "client", f"{server.role}_servers")
            for word, has, expected in zip(_IN_CLUSTER, own[: len(_IN_CLUSTER)], due, strict=True):
                if has != expected:
                    yield "", f"{server.id}: {word.replace('_', ' ')} {_plain(has)}, expected {_plain(expected)}"

    return grouped("PX597", hits(), "roles and pairs decide what a server is in the cluster")


def clients_of_the_request(context: Context) -> Iterator[Finding]:
    """PX525: the clients are those of the request, each with its address, and nothing else is one."""
    request = request_of(context)
    words = request.cluster.clients if request.cluster else None
    addresses = request.network.addresses if request.network else {}
    due = [(host, addresses.get(host, "")) for host in words.hosts] if words else []
    found = [(c.name, c.address) for c in scale(context.plan).clients]

    def hits() -> Iterator[Hit]:
        if len(found) != len(due):
            yield "cluster.clients", f"{len(found):,} clients, where {len(due):,} were asked for"
        for has, expected in zip(found, due, strict=False):
            if has != expected:
                told = " at ".join(filter(None, has))
                yield "cluster.clients", f"the client {told}, where {' at '.join(filter(None, expected))} was asked for"

    return grouped("PX525", hits(), MATCHES_REQUEST)


def clients_serve_nothing(context: Context) -> Iterator[Finding]:
    """PX579: no client is a server of the plan, or serves an NSD: its licence and its class are those of clients."""
    clients = [client.name for client in scale(context.plan).clients]
    serving = {s for target in context.plan.targets for s in target.servers}

    def hits() -> Iterator[Hit]:
        for client in clients:
            if any(same_host(client, server.id) for server in context.plan.servers):
                yield "cluster.clients", f"{client} is a server of the plan"
            elif any(same_host(client, server) for server in serving):
                yield "cluster.clients", f"{client} serves an NSD"
        for client, count in Counter(client.lower() for client in clients).items():
            if count > 1:
                yield "cluster.clients", f"{client} stands {count} times"

    return grouped("PX579", hits(), "a client votes nowhere, and serves nothing to others")


def services_of_the_request(context: Context) -> Iterator[Finding]:
    """PX525: search and monitoring lie on the management servers where the request asks for them, and nowhere else."""
    words, found = request_of(context).management, scale(context.plan).services
    managers = tuple(s.id for s in context.plan.servers if s.role == "management")
    due = {word: managers if words and getattr(words, word) else () for word in Services._fields}
    hits = (
        (
            f"management.{word}",
            f"{word} lies on {listed(has) or 'no server'}, where {listed(servers) or 'none'} was asked for",
        )
        for word, servers in due.items()
        if (has := getattr(found or Services(), word)) != servers
    )
    yield from grouped("PX525", hits, MATCHES_REQUEST)
    if found is not None and not any(found):
        yield Finding("PX525", "the plan lists services, and has none; " + MATCHES_REQUEST, "management")


def services_by_their_guide(context: Context) -> Iterator[Finding]:
    """PX645: search and monitoring are installed by the vendor's guide, and by no file."""
    found = scale(context.plan).services
    named = [word for word in Services._fields if found and getattr(found, word)]
    if named:
        message = f"no file installs {' and '.join(named)}: no public document says how"
        yield Finding("PX645", message, "management", "RUNBOOK.md has a step for each, by the vendor's guide")


RULES = (quorum, stopping_pair, clients_serve_nothing, services_by_their_guide)
EXACT = (cluster_of_the_request, nodes_in_order, clients_of_the_request, services_of_the_request)
"""These run where no rule of the first stage has found an error."""
_SURVIVING = 3
"""The fewest quorum nodes of which one may fail."""
_IN_CLUSTER = ("quorum", "manager", "licence", "node_class")
"""What roles and pairs decide of a server; its addresses are the request's."""
_VOTING = frozenset({"storage", "metadata", "management"})


def _plain(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _pairs(servers: Sequence[Server]) -> dict[str, list[Server]]:
    """The servers that may vote, by what takes them down together.

    Beside two pairs the first two servers with drives of their own are a third: they serve NSDs as well.
    """
    pairs: dict[str, list[Server]] = {}
    for server in servers:
        if server.role in _VOTING:
            pairs.setdefault(server.module or "the management servers", []).append(server)
    holders = [server for server in servers if server.drives is not None and server.role not in _VOTING]
    if len(pairs) == 2 and holders:
        pairs[f"the first servers for {holders[0].role}"] = holders[:2]
    return pairs


def _stopping(context: Context) -> list[str]:
    """The pairs whose loss leaves no majority of the quorum nodes."""
    total = sum(server_of(s).quorum for s in context.plan.servers)
    return [
        pair
        for pair, servers in _pairs(context.plan.servers).items()
        if 2 * (total - sum(server_of(s).quorum for s in servers)) <= total
    ]


def _votes(context: Context) -> set[str]:
    """Who votes, counted without the code that plans it: the first of each pair, then the second of the first pairs.

    With two pairs the storage has two votes of three; up to six pairs share five votes, more pairs have seven. Where
    there are more pairs than votes, the first storage, metadata and management pair have theirs before all others.
    """
    pairs = list(_pairs(context.plan.servers).values())
    number = len(pairs)
    total = {0: 0, 1: 1, 2: 3}.get(number, 5 if number < 7 else 7)
    spread = [next((p for p in pairs if p[0].role == role), None) for role in ("storage", "metadata", "management")]
    rest = [p for p in pairs if not any(p is chosen for chosen in spread)]
    firsts = [p[0].id for p in (*filter(None, spread), *rest)]
    seconds = [p[1].id for p in pairs if len(p) > 1]
    return set((firsts + seconds)[:total])
