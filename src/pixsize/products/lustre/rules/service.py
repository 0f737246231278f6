"""Who serves what: the nodes that take over for each other, and the targets spread over them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from pixsize.catalog.records import PoolDesign
from pixsize.check.context import Context, Hit, grouped, listed
from pixsize.findings import Finding
from pixsize.plan.records import Target
from pixsize.products.lustre.plan import lustre, target_of


def service_nodes(context: Context) -> Iterator[Finding]:
    """PX538: with failover each target has the two nodes that take over for each other, and MMP; without, one alone."""
    failover = lustre(context.plan).failover
    clusters = _clusters(context)

    def hits() -> Iterator[Hit]:
        for target in context.plan.targets:
            where, nodes = context.where_of(target), target.servers
            due = _due(context, target, clusters)
            if failover and (len(nodes) != len(due) or set(nodes) != set(due)):
                partners = f"{listed(due)} take over for each other" if due else "it is no server of the plan"
                yield where, f"{target.id} is served by {listed(nodes) or 'nobody'}, where {partners}"
            if not failover and (len(nodes) != 1 or nodes[0] not in due):
                yield where, f"{target.id} is served by {listed(nodes) or 'nobody'}, where one of {listed(due)} is due"
            if (disk := target_of(target).ldiskfs) is not None and disk.mmp != failover:
                yield where, f"{target.id} is formatted with{'out' if failover else ''} MMP"

    two = "each target has the two nodes of a pair, and MMP guards it against being mounted by both"
    one = "without failover each target has one node, and no MMP"
    return grouped("PX538", hits(), two if failover else one)


def metadata_spread(context: Context) -> Iterator[Finding]:
    """PX539: with two MDTs a pair, each MDS has one; the MGS is where it outlives the loss of MDT0000's server."""

    def hits() -> Iterator[Hit]:
        for where, mdts in _pairs_of_mdts(context).items():
            for first, count in Counter(t.servers[0] for t in mdts if t.servers).items():
                if count > 1:
                    yield where[0], f"{first} serves {listed(t.id for t in mdts)}, and its partner no MDT"
            owners = Counter(context.volumes[t.volume or ""].owner for t in mdts)
            for owner, count in owners.items():
                if count > 1 and owner:
                    yield where[0], f"controller {owner.upper()} owns {listed(t.id for t in mdts)}"
        yield from (("metadata.mgt", why) for why in _mgs_troubles(context))

    allowed = "each MDS and each controller has one MDT of its pair, and the MGS tells clients where MDT0000 has gone"
    return grouped("PX539", hits(), allowed)


def balanced_servers(context: Context) -> Iterator[Finding]:
    """PX515: the servers of a pool serve as many OSTs each, or one more."""
    served = Counter({s.id: 0 for s in context.plan.servers if s.role == "storage"})
    served.update(t.servers[0] for t in context.of_kind["ost"] if t.servers)
    if not served:
        return
    (most, many), (least, few) = served.most_common()[0], served.most_common()[-1]
    if many - few > 1:
        message = f"{most} serves {many} OSTs and {least} {few}; servers differ by one OST at most"
        yield Finding("PX515", message, "servers")


def preferred_nodes(context: Context) -> Iterator[Finding]:
    """PX538: MDTs prefer the nodes of their pair by turns, an MGT the other; in a pool each OSS has OSTs in a row.

    Which node of a pair an OST on arrays prefers is free, as long as the load is balanced (PX515).
    """
    orders = _due_orders(context)
    hits = (
        (context.where_of(t), f"{t.id} prefers {listed(t.servers)}, where {listed(orders[t.id])} is due")
        for t in context.plan.targets
        if t.id in orders and t.servers != orders[t.id]
    )
    return grouped("PX538", hits, "nodes are preferred in a fixed order")


RULES = (service_nodes, metadata_spread)
EXACT = (preferred_nodes,)
"""Asked last, where no other rule has found an error."""


def _due_orders(context: Context) -> dict[str, tuple[str, ...]]:
    """By target, its nodes, the preferred first; without those of which several orders are right."""
    failover, clusters = lustre(context.plan).failover, _clusters(context)
    of_role = {role: tuple(s.id for s in context.plan.servers if s.role == role) for role in ("metadata", "storage")}
    turns: Counter[str] = Counter()
    due: dict[str, tuple[str, ...]] = {}
    for target in context.plan.targets:
        if target.kind == "ost":
            if not context.plan.modules:
                each = context.catalog.get(PoolDesign, context.request.design).storage.targets
                due[target.id] = clusters[of_role["storage"][(target_of(target).index or 0) // each]]
            continue
        volume = context.volumes[target.volume or ""]
        pair = clusters[context.arrays[volume.array].module] if volume.array else of_role["metadata"]
        turn = int(failover) if target.kind == "mgt" else 0
        if target.kind == "mdt" and lustre(context.plan).dne:
            turn = turns[volume.array] % len(pair)
            turns[volume.array] += 1
        due[target.id] = pair[turn:] + pair[:turn]
    return due if failover else {name: nodes[:1] for name, nodes in due.items()}


def _clusters(context: Context) -> Mapping[str, tuple[str, ...]]:
    """Who takes over for whom: a module's id -> its servers; in a pool, a server -> itself and its partner.

    Two nodes of a module reach the same arrays. In a pool any two could; neighbours are taken, and the last three of an
    odd number stand in a ring.
    """
    if context.plan.modules:
        return {m.id: m.servers for m in context.plan.modules}
    names = [s.id for s in context.plan.servers if s.role == "storage"]
    ring = names[-3:] if len(names) % 2 else []
    pairs = names[: len(names) - len(ring)]
    partners = {server: (server, pairs[place ^ 1]) for place, server in enumerate(pairs)}
    return partners | {server: (server, ring[(place + 1) % len(ring)]) for place, server in enumerate(ring)}


def _due(context: Context, target: Target, clusters: Mapping[str, tuple[str, ...]]) -> Sequence[str]:
    """The nodes that may serve a target: those of its module; in a pool, the MDS, or its first server and partner."""
    if context.plan.modules:
        volume = context.volumes.get(target.volume or "")
        array = context.arrays.get(volume.array) if volume else None
        return clusters.get(array.module, ()) if array else ()
    if target.kind != "ost":
        return [s.id for s in context.plan.servers if s.role == "metadata"]
    return clusters.get(target.servers[0], ()) if target.servers else ()


def _pairs_of_mdts(context: Context) -> dict[tuple[str, str], list[Target]]:
    """The MDTs of each pair of servers, where there are several: by the path of the request and the module."""
    pairs: dict[tuple[str, str], list[Target]] = defaultdict(list)
    for target in context.of_kind["mdt"]:
        volume = context.volumes.get(target.volume or "")
        array = context.arrays.get(volume.array) if volume else None
        if volume is not None:
            pairs[context.where_of(target), array.module if array else ""].append(target)
    return pairs


def _mgs_troubles(context: Context) -> Iterator[str]:
    """Why an MGS of its own lies on the wrong server. A plan without failover has it beside MDT0000."""
    first = next((t for t in context.of_kind["mdt"] if target_of(t).index == 0 and t.servers), None)
    for mgt in context.of_kind["mgt"]:
        if first is None or not mgt.servers:
            continue
        beside = mgt.servers[0] == first.servers[0]
        if lustre(context.plan).failover and beside:
            yield f"the MGS and {first.id} both prefer {first.servers[0]}, and are lost together"
        if not lustre(context.plan).failover and not beside:
            both = f"{mgt.servers[0]} or {first.servers[0]}"
            yield f"the MGS is on {mgt.servers[0]}, {first.id} on {first.servers[0]}: the loss of {both} stops mounts"
