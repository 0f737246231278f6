"""Targets of Lustre: names, labels and indexes, the MGS, a device each, and the servers that may serve them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from pixsize.check.context import Context, Hit, differences, grouped
from pixsize.findings import Finding
from pixsize.plan.records import Target, Volume
from pixsize.products.lustre.plan import lustre, target_of
from pixsize.products.lustre.rules.requested import pool_design
from pixsize.texts import listed

_FSNAME = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_KINDS = ("mgt", "mdt", "ost")
"""In the order of the first start (Lustre Operations Manual, Starting Lustre)."""


def fsname(context: Context) -> Iterator[Finding]:
    """PX531: mkfs.lustre takes the name of the file system."""
    name, longest = lustre(context.plan).name, context.limit("lustre.fsname_chars")
    if len(name) > longest or not _FSNAME.fullmatch(name):
        allowed = f"letters, digits, _ and - only, at most {longest} characters"
        message = f"{name!r} has {len(name)} characters; {allowed}"
        yield Finding("PX531", message, "filesystem.name", "a shorter name; the mount point may be longer")


def labels(context: Context) -> Iterator[Finding]:
    """PX532: the indexes of a kind count up from 0, without a gap, and each label holds its target's index."""
    last = context.limit("lustre.index_max")

    def hits() -> Iterator[Hit]:
        for kind in _KINDS[1:]:
            yield from (("", why) for why in _index_troubles(context.of_kind[kind], kind.upper(), last))
        order = [t.kind for t in context.plan.targets]
        if order != sorted(order, key=_KINDS.index):
            yield "", "the targets do not stand in the order of their first start"
        for target in context.plan.targets:
            label = _label(context, target)
            if target.id != label:
                yield "", f"{target.id} is the label of what should be {label}"
            if (target.kind == "ost") != (target.purpose == "data"):
                yield "", f"{target.id} is to hold {target.purpose}"

    allowed = "the indexes of MDTs and of OSTs each count up from 0, without a gap, after the MGT"
    return grouped("PX532", hits(), allowed)


def one_mgs(context: Context) -> Iterator[Finding]:
    """PX533: there is one MGS: on the MGT where that has a volume of its own, on MDT0000 where it has none."""
    holders = [t for t in context.plan.targets if target_of(t).mgs]
    mgt_own = lustre(context.plan).mgt_own
    correct = [t for t in holders if (t.kind == "mgt" if mgt_own else (t.kind, target_of(t).index) == ("mdt", 0))]
    if len(holders) == len(correct) == 1 and len(context.of_kind["mgt"]) == int(mgt_own):
        return
    names = listed(t.id for t in holders) or "no target"
    planned = "an MGT of its own" if mgt_own else "MDT0000"
    message = f"{names} holds the MGS, beside {len(context.of_kind['mgt'])} MGTs, where {planned} is to hold it"
    yield Finding("PX533", message, "metadata.mgt")


def one_device_each(context: Context) -> Iterator[Finding]:
    """PX529: no two targets have one device."""
    devices = Counter(t.device for t in context.plan.targets if t.device)
    twice = {device for device, count in devices.items() if count > 1}
    users = [t for t in context.plan.targets if t.device in twice]
    hits = ((context.where_of(t), f"{t.device} is the device of {t.id} and of another target") for t in users)
    return grouped("PX529", hits, "a device holds one target")


def targets_in_order(context: Context) -> Iterator[Finding]:
    """PX532: targets stand in the order of the first start, and those of a kind in that of their volumes."""
    expected: list[tuple[object, ...]] = []
    for kind in _KINDS:
        volumes = [v.id for v in context.plan.volumes if _kind_on(v) == kind]
        expected += [(name, kind, None if kind == "mgt" else index) for index, name in enumerate(volumes)]
    troubles = differences("target on", ("volume", "kind", "index"), context.plan.targets, expected)
    return grouped("PX532", (("", trouble) for trouble in troubles), "indexes are counted in the order of the volumes")


def _kind_on(volume: Volume) -> str:
    """The kind of the target on a volume; the volume of an MGT is known by its name."""
    if volume.purpose == "data":
        return "ost"
    return "mgt" if volume.id == "mgt" or volume.id.endswith("_mgt01") else "mdt"


def _label(context: Context, target: Target) -> str:
    """What mkfs.lustre makes of name, kind and index (four hexadecimal digits)."""
    if target.kind == "mgt":
        return "MGS"
    record = target_of(target)
    index = -1 if record.index is None else record.index
    return f"{lustre(context.plan).name}-{target.kind.upper()}{index:04x}"


def _index_troubles(targets: list[Target], kind: str, last: int) -> Iterator[str]:
    used = Counter(target_of(t).index for t in targets)
    twice = [index for index, count in used.items() if count > 1]
    if twice:
        yield f"{used[twice[0]]} {kind}s have index {twice[0]}"
    absent = [index for index in range(max(len(targets), 1)) if index not in used]
    if absent:
        yield f"there is no {kind}{absent[0]:04x}"
    beyond = [t.id for t in targets if (index := target_of(t).index) is not None and index > last]
    if beyond:
        yield f"{listed(beyond)} lies beyond the last index, {last:,}"


def service_nodes(context: Context) -> Iterator[Finding]:
    """PX538: with failover each target has the two nodes that take over for each other, and MMP; without, one alone."""
    failover = lustre(context.plan).failover
    clusters = _clusters(context)

    def hits() -> Iterator[Hit]:
        for target in context.plan.targets:
            where, nodes = context.where_of(target), target.servers
            able = _able_nodes(context, target, clusters)
            if failover and (len(nodes) != len(able) or set(nodes) != set(able)):
                partners = f"{listed(able)} take over for each other" if able else "it is no server of the plan"
                yield where, f"{target.id} is served by {listed(nodes) or 'nobody'}, where {partners}"
            if not failover and (len(nodes) != 1 or nodes[0] not in able):
                yield where, f"{target.id} is served by {listed(nodes) or 'nobody'}, where one of {listed(able)} is due"
            if (disk := target_of(target).ldiskfs) is not None and disk.mmp != failover:
                yield where, f"{target.id} is formatted with{'out' if failover else ''} MMP"

    two = "each target has the two nodes of a pair, and MMP guards it against being mounted by both"
    one = "without failover each target has one node, and no MMP"
    return grouped("PX538", hits(), two if failover else one)


def metadata_spread(context: Context) -> Iterator[Finding]:
    """PX539: with two MDTs a pair, each MDS has one; the MGS is where it outlives the loss of MDT0000's server."""

    def hits() -> Iterator[Hit]:
        for where, mdts in _pairs_of_mdts(context).items():
            for preferred, count in Counter(t.servers[0] for t in mdts if t.servers).items():
                if count > 1:
                    yield where[0], f"{preferred} serves {listed(t.id for t in mdts)}, and its partner no MDT"
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
    orders = _node_orders(context)
    hits = (
        (context.where_of(t), f"{t.id} prefers {listed(t.servers)}, where {listed(orders[t.id])} is due")
        for t in context.plan.targets
        if t.id in orders and t.servers != orders[t.id]
    )
    return grouped("PX538", hits, "nodes are preferred in a fixed order")


def _node_orders(context: Context) -> dict[str, tuple[str, ...]]:
    """The nodes of each target, the preferred first. OSTs on arrays are left out: several orders are right for them."""
    failover, clusters = lustre(context.plan).failover, _clusters(context)
    of_role = {role: tuple(s.id for s in context.plan.servers if s.role == role) for role in ("metadata", "storage")}
    turns: Counter[str] = Counter()
    orders: dict[str, tuple[str, ...]] = {}
    for target in context.plan.targets:
        if target.kind == "ost":
            if not context.plan.modules:
                first = of_role["storage"][(target_of(target).index or 0) // pool_design(context).storage.targets]
                orders[target.id] = clusters[first]
            continue
        volume = context.volumes[target.volume or ""]
        pair = clusters[context.arrays[volume.array].module] if volume.array else of_role["metadata"]
        offset = int(failover) if target.kind == "mgt" else 0
        if target.kind == "mdt" and lustre(context.plan).dne:
            offset = turns[volume.array] % len(pair)
            turns[volume.array] += 1
        orders[target.id] = pair[offset:] + pair[:offset]
    return orders if failover else {name: nodes[:1] for name, nodes in orders.items()}


def _clusters(context: Context) -> Mapping[str, tuple[str, ...]]:
    """The servers that take over from each other: by module, or in a pool by server, itself and its partner.

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


def _able_nodes(context: Context, target: Target, clusters: Mapping[str, tuple[str, ...]]) -> Sequence[str]:
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
    """Why the MGS on an MGT is on the wrong server. Without failover the right one is the server of MDT0000."""
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
