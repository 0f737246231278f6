"""The nodes of the cluster: which of them vote, manage, need a server licence, and share settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pixsize.check.context import Context, Hit, grouped
from pixsize.check.rules import MATCHES_REQUEST
from pixsize.findings import Finding
from pixsize.plan.records import Server, same_host
from pixsize.product import exporting_roles
from pixsize.products.scale.plan import Cluster, scale, server_of
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
        yield from (("", f"{s.id} is one, a server for {s.role}") for s in voters if s.role not in _VOTING)
        if len(pairs) > 2 and losses:
            yield "", f"the loss of {listed(losses)} leaves no majority of {len(voters)}"
        if len(pairs) > 1 and len(voters) < _SURVIVING:
            yield "", f"no quorum node may fail, since there are {len(voters)}"

    allowed = f"an odd number, {most} at the most, over storage, metadata and management; a majority outlives any pair"
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


RULES = (quorum, stopping_pair)
EXACT = (cluster_of_the_request, nodes_in_order)
"""These run where no rule of the first stage has found an error."""
_SURVIVING = 3
"""The fewest quorum nodes of which one may fail."""
_IN_CLUSTER = ("quorum", "manager", "licence", "node_class")
"""What roles and pairs decide of a server; its addresses are the request's."""
_VOTING = frozenset({"storage", "metadata", "management"})


def _plain(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _pairs(servers: Sequence[Server]) -> dict[str, list[Server]]:
    """The servers that may vote, by what takes them down together."""
    pairs: dict[str, list[Server]] = {}
    for server in servers:
        if server.role in _VOTING:
            pairs.setdefault(server.module or "the management servers", []).append(server)
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
