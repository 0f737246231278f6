"""The tests of the finished file system: what GPFS says of itself, and what goes on without a server or a pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan, Target, same_host
from pixsize.products.scale.plan import nsd_of, scale, server_of
from pixsize.products.scale.quorum import MANAGEMENT, pairs_of
from pixsize.render.steps import ACCEPTED, BEFORE_TESTS, SERVING, Box, Look, Step, seconds
from pixsize.render.template import binary_size, word
from pixsize.texts import listed, plural
from pixsize.units import decimal_bytes

_WHOLE = "a file system whose parts are all there"


def steps(plan: Plan, values: Mapping[str, Any], catalog: Catalog) -> tuple[Step, ...]:
    """What is looked at, then who is taken away. `values` are those of the scripts."""
    return (_whole(plan, values, catalog), _without_a_server(plan, values, catalog), *_without_a_pair(plan, catalog))


def _whole(plan: Plan, values: Mapping[str, Any], catalog: Catalog) -> Step:
    looks = tuple(_looks(plan, values))
    each = seconds(catalog, "look") * len(looks)
    return Step(
        f"Accept the file system {word(scale(plan).name)}",
        (Box(word(values["admin"]), "the commands of the table, with the numbers of the plan", "", each),),
        looks,
        needs=(SERVING,),
        after=BEFORE_TESTS,
        provides=(_WHOLE, ACCEPTED),
        text=(
            "Sizes of pools are those of the volumes that the plan asks for; GPFS shows less by what it keeps for itself."
            " Save what each command prints: it says later what changed.",
        ),
    )


def _looks(plan: Plan, values: Mapping[str, Any]) -> Iterator[Look]:
    name, nodes, nsds = word(scale(plan).name), values["nodes"], len(plan.targets)
    voters = [node["name"] for node in nodes if node["designation"].startswith("quorum")]
    yield Look("`mmgetstate -a`", f"{plural(len(nodes), 'node')} `active`")
    yield Look("`mmlscluster`", f"quorum nodes: {', '.join(voters)}; no other")
    yield Look(f"`mmlsmount {name} -L`", f"{plural(len(nodes), 'node')}")
    yield Look(f"`mmlsdisk {name} -e`", "that all disks are up and ready")
    yield Look("`mmlsnsd -m`", f"{nsds:,} NSDs, each with a device on each of its servers")
    yield Look(
        f"`mmlsdisk {name} -m`, on {word(values['admin'])}", f"I/O of each NSD by its first server: {_first(plan)}"
    )
    yield Look(f"`mmlsdisk {name} -L`", f"{_uses(plan)}; failure groups of metadata: {_groups(plan)}")
    yield Look(f"`mmlsfs {name}`", f"what it was made with: {values['mmcrfs']}")
    pools = ", ".join(dict.fromkeys(word(nsd_of(t).pool) for t in plan.targets))
    yield Look(f"`mmlspool {name}`", f"{pools}, each with blocks of {binary_size(scale(plan).block_bytes)}")
    yield Look(f"`mmdf {name}`", f"pools of {_pools(plan)} at the most")
    yield Look("`mmhealth cluster show`", "no component that is failed or degraded")
    ports = [setting["where"] for setting in values["settings"] if setting["name"] == "verbsPorts"]
    if ports:
        shown = ", ".join(map(word, ports))
        found = [server["node"] for server in values["found"]]
        more = f" and on {', '.join(found)}" if found else ""
        yield Look("`mmfsadm test verbs status`, on each server of " + shown + more, "`VERBS RDMA status: started`")


def _first(plan: Plan) -> str:
    counts = Counter(target.servers[0] for target in plan.targets)
    return ", ".join(f"{word(server)} {count}" for server, count in counts.items())


def _uses(plan: Plan) -> str:
    counts = Counter((nsd_of(t).usage, nsd_of(t).pool) for t in plan.targets)
    return ", ".join(f"{count} {word(usage)} in {word(pool)}" for (usage, pool), count in counts.items())


def _groups(plan: Plan) -> str:
    groups = dict.fromkeys(str(nsd_of(t).failure_group) for t in plan.targets if nsd_of(t).usage == "metadataOnly")
    return ", ".join(groups)


def _pools(plan: Plan) -> str:
    """Each pool with the bytes of its volumes."""
    sizes, pools = {v.id: v.bytes for v in plan.volumes}, dict[str, int]()
    for target in plan.targets:
        pool = word(nsd_of(target).pool)
        pools[pool] = pools.get(pool, 0) + sizes.get(target.volume or "", 0)
    return ", ".join(f"{decimal_bytes(size)} ({pool})" for pool, size in pools.items())


def _without_a_server(plan: Plan, values: Mapping[str, Any], catalog: Catalog) -> Step:
    """One server of each pair that serves NSDs, one after the other."""
    name, nodes = word(scale(plan).name), len(values["nodes"])
    firsts = {word(sorted(t.servers)[0]): t for t in reversed(plan.targets) if len(t.servers) > 1}
    voters = sum(server_of(server).quorum for server in plan.servers)
    path = f"/{name}/pixsize.failover"
    return Step(
        "Take a server of each pair away, and give it back",
        tuple(
            Box(
                server,
                f"switched off at its management controller while a file{_in_pool(target)} is written, then on again",
                "",
                2 * seconds(catalog, "restart"),
            )
            for server, target in reversed(firsts.items())
        ),
        (
            Look(
                "`dd`, where it was started",
                "it waits for some minutes at the most, goes on, and ends without an error",
            ),
            Look("`mmgetstate -aLs`, meanwhile", f"{nodes - 1} nodes active, the quorum of {voters} reached"),
            Look(f"`mmlsdisk {name} -e`, meanwhile", "all disks up: the other server of the pair serves them"),
            Look("`mmgetstate -a`, when it is back", f"{nodes} nodes active, by itself"),
            Look(f"`mmlsdisk {name} -m`, some minutes later", "I/O of each NSD by its first server again"),
            Look(f"`cmp {path} /dev/zero`, there", "`EOF`, and no difference"),
        ),
        needs=(_WHOLE,),
        after=BEFORE_TESTS,
        provides=(ACCEPTED,),
        text=(
            "One server at a time; the next one only when all nodes are active and all disks up. Before each, on the admin server, or on"
            f" another node where the admin server is the one: `touch {path}`, `mmchattr -P POOL {path}` with the pool of the box, where it has one, and"
            f" `dd if=/dev/zero of={path} bs=8M count=100000 conv=notrunc`. Take the file away at the end.",
        ),
    )


def _in_pool(target: Target) -> str:
    """Where a file lies that asks the servers of an NSD; those of metadata are asked for any file."""
    own = nsd_of(target)
    return f" in the pool `{word(own.pool)}`" if own.usage == "dataOnly" else ""


def _without_a_pair(plan: Plan, catalog: Catalog) -> Iterator[Step]:
    """The management servers together: they hold no data, so that the file system goes on if the votes allow it."""
    voters = {server.id for server in plan.servers if server_of(server).quorum}
    pair = pairs_of(plan.servers).get(MANAGEMENT, ())
    left = voters.difference(pair)
    serves = any(same_host(server, one) for target in plan.targets for server in target.servers for one in pair)
    if not pair or 2 * len(left) <= len(voters) or serves:
        return
    name, other = word(scale(plan).name), word(next(s.id for s in plan.servers if s.id in left))
    together = ",".join(map(word, pair))
    yield Step(
        "Take the management servers away together, and give them back",
        (
            Box(
                other,
                f"`mmshutdown -N {together}`; the table; `mmstartup -N {together}`",
                "",
                seconds(catalog, "restart"),
            ),
        ),
        (
            Look(
                f"`mmgetstate -aLs`, on {other}", f"{len(left)} of {len(voters)} quorum nodes active, quorum achieved"
            ),
            Look(f"`dd if=/dev/zero of=/{name}/pixsize.pair bs=8M count=1024`, on {other}", "1024+0 records out"),
            Look(f"`rm /{name}/pixsize.pair`", "nothing"),
            Look("`mmgetstate -a`, afterwards", "every node active"),
        ),
        needs=(_WHOLE,),
        after=BEFORE_TESTS,
        provides=(ACCEPTED,),
        text=(
            f"{_others(plan, voters)} Not tried here: without both servers of a pair its NSDs are away, and the file system"
            " with them.",
        ),
    )


def _others(plan: Plan, voters: set[str]) -> str:
    """Which pairs the cluster outlives by its votes, and which it does not."""
    safe: list[str] = []
    unsafe: list[str] = []
    for pair, servers in pairs_of(plan.servers).items():
        left = len(voters.difference(servers))
        (safe if 2 * left > len(voters) else unsafe).append(word(pair))
    told = f"By their votes the cluster outlives the loss of any one of these pairs: {listed(safe, 20)}."
    return told + (f" It stops with {listed(unsafe, 20)}." if unsafe else "")
