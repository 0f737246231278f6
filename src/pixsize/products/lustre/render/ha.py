"""Pacemaker for every set of servers that share targets: scripts of `pcs` commands, and a run book beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.records import Plan, Server, Target
from pixsize.products.lustre.ha_records import HaPolicy, PcsDialect
from pixsize.products.lustre.plan import LustreFilesystem, lustre, server_of, target_of
from pixsize.products.lustre.records import LustreRelease
from pixsize.products.lustre.render import ha_fencing
from pixsize.products.lustre.render.ha_health import Health, ping_hosts, rules, watchers
from pixsize.products.lustre.render.mount import mount_options, mount_point
from pixsize.products.lustre.render.needs import lacking
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import device, word

POLICY = "lustre.ha"
NODE = "00-node.sh"
SETUP = "01-cluster-setup.sh"
RESOURCES = "02-resources.sh"
RUN_BOOK = "README.md"
MODULES_UNIT = "lustre-modules.service"
_ROLES = {"metadata": "mds", "storage": "oss"}
_PAIR = 2


class _Agent(NamedTuple):
    """A resource agent: its package, and the parameters of a target. `options` is empty where none can be given."""

    package: str
    device: str
    folder: str
    more: tuple[str, ...]
    options: str


_AGENTS = {
    # An unmount takes its time, and is no reason to kill or to fence: hence fast_stop=no, with the long timeout.
    "ocf:heartbeat:Filesystem": _Agent(
        "resource-agents", "device", "directory", ("fstype=lustre", "fast_stop=no"), "options"
    ),
    # Its metadata calls mountoptions unique, so that pcs refuses the same ones for a second target.
    "ocf:lustre:Lustre": _Agent("lustre-resource-agents", "target", "mountpoint", (), ""),
}
"""The agents that mount targets, by the metadata that they print."""


class Cluster(NamedTuple):
    """Servers that share targets: a pair, or three in a ring. The first is the one on which the scripts are run."""

    id: str
    servers: tuple[Server, ...]
    targets: tuple[Target, ...]


def clusters(plan: Plan) -> tuple[Cluster, ...]:
    """Every set of servers that are joined by targets of Lustre, in the order of the servers; one alone is in none."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        return ()
    joined: dict[str, frozenset[str]] = {}
    for target in plan.targets:
        together = frozenset(target.servers).union(*(joined.get(s, frozenset()) for s in target.servers))
        joined |= dict.fromkeys(together, together)
    sets = dict.fromkeys(joined[s.id] for s in plan.servers if len(joined.get(s.id, ())) > 1)
    targets: dict[frozenset[str], list[Target]] = {}
    for target in plan.targets:
        targets.setdefault(joined[target.servers[0]], []).append(target)
    return tuple(_named(plan, sets, targets))


def _named(
    plan: Plan, sets: Iterable[frozenset[str]], targets: dict[frozenset[str], list[Target]]
) -> Iterator[Cluster]:
    """A cluster is called as its module is, or counted through in its role: `mm01`, `sm01`, `mds-ha01`, `oss-ha01`."""
    ranks = {s.id: rank for rank, s in enumerate(plan.servers)}
    counts = dict.fromkeys(_ROLES.values(), 0)
    for names in sets:
        servers = tuple(plan.servers[rank] for rank in sorted(ranks[n] for n in names))
        role = _ROLES.get(servers[0].role, "oss")
        counts[role] += 1
        own = servers[0].module or f"{role}-ha{counts[role]:02d}"
        yield Cluster(own, servers, tuple(targets[names]))


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """Three scripts and a run book a cluster, in a folder with the cluster's id."""
    return tuple(file for cluster in clusters(plan) for file in _files(plan, catalog, cluster))


def _files(plan: Plan, catalog: Catalog, cluster: Cluster) -> Iterator[File]:
    folder = f"ha/{word(cluster.id)}"
    view = _view(plan, catalog, cluster)
    for script in (NODE, SETUP, RESOURCES):
        yield File(f"{folder}/{script}", template.fill(f"ha/{script}.j2", view), executable=True)
    yield File(f"{folder}/{RUN_BOOK}", template.fill(f"ha/{RUN_BOOK}.j2", view))


def _view(plan: Plan, catalog: Catalog, cluster: Cluster) -> dict[str, Any]:
    policy = catalog.get(HaPolicy, POLICY)
    release = catalog.get(LustreRelease, lustre(plan).release)
    agent = release.agent
    pair = len(cluster.servers) == _PAIR
    health = watchers(plan, cluster.servers, release.health_agents, policy)
    return (
        _fenced(plan, catalog, cluster, policy)
        | _before_pacemaker(plan, bool(health))
        | {
            "name": f"{word(lustre(plan).name)}-{word(cluster.id)}",
            "nodes": [word(s.id) for s in cluster.servers],
            "pairs": ["two nodes"] if pair else [],
            "members": [_member(cluster, s) for s in cluster.servers],
            "policy": policy,
            "dialects": [_dialect(d, policy, plan, cluster, catalog) for d in _dialects(catalog)],
            "versions": ", ".join(d.version for d in _dialects(catalog)),
            "agent": agent,
            "agent_path": _path(agent),
            "health": [h._asdict() | {"path": _path(h.agent)} for h in health],
            "added": [*(h.id for h in health), *(["`fence2-`"] if lustre(plan).second_fence_agent else [])],
            "health_package": _AGENTS["ocf:lustre:Lustre"].package,
            "health_operations": _health_operations(policy),
            "by_lnet": any(h.attribute == "pingd" for h in health),
            "lnet_path": "".join(_path(h.agent) for h in health if h.attribute == "pingd"),
            "by_lustre": any(h.attribute == "lustred" for h in health),
            "pinged": ping_hosts(plan, cluster.servers, policy.ping_hosts),
            "agent_package": _AGENTS[agent].package,
            "operations": _operations(policy),
            "targets": [_resource(t, cluster, _AGENTS[agent], policy, health) for t in cluster.targets],
            "orders": list(_orders(cluster)),
            "watched": lustre(plan).management == "iml_monitored",
            "pool": any(s.id in pool.servers for pool in plan.pools for s in cluster.servers),
            "holds_mgs": any(target_of(t).mgs for t in cluster.targets),
            "options_given": bool(_AGENTS[agent].options),
        }
    )


def _path(agent: str) -> str:
    return "/usr/lib/ocf/resource.d/" + "/".join(map(word, agent.split(":")[1:]))


def _fenced(plan: Plan, catalog: Catalog, cluster: Cluster, policy: HaPolicy) -> dict[str, Any]:
    """The devices of each level, and what their logins want."""
    found = ha_fencing.devices(plan, catalog, cluster.servers, policy)
    secrets = ha_fencing.secrets(plan, catalog)
    return {
        "fence_agents": list(dict.fromkeys(d.agent for d in found)),
        "fences": [d._asdict() for d in found],
        "second_level": [d for d in found if d.level > 1],
        "tries": ha_fencing.tries(found, secrets),
        "levels": ha_fencing.levels(found),
        "secrets": secrets,
        "ask_node": ha_fencing.ask(["HACLUSTER_PASSWORD"]),
        "ask_fences": [ha_fencing.ask([s.name for s in held]) for held in [secrets] if held],
        "sbd": [device(d) for d in lustre(plan).sbd_devices],
        "ring": any(server_of(s).ring for s in cluster.servers),
    }


def units(plan: Plan, catalog: Catalog) -> list[str]:
    """The units of systemd that are started before Pacemaker on the servers of any cluster."""
    policy, release = catalog.get(HaPolicy, POLICY), catalog.get(LustreRelease, lustre(plan).release)
    health = any(watchers(plan, c.servers, release.health_agents, policy) for c in clusters(plan))
    return list(_before_pacemaker(plan, health)["units"])


def _before_pacemaker(plan: Plan, health: bool) -> dict[str, Any]:
    """The services that systemd starts before Pacemaker.

    With options of modprobe no service sets LNet up: a unit of our own loads the modules then. It does so too where
    healthLUSTRE asks them for the state of the server, before any target is mounted there.
    """
    network = lustre(plan).network
    modprobe = network is not None and network.owner == "modprobe"
    before = [*([] if modprobe else ["lnet.service"]), *(["scini.service"] if plan.pools else [])]
    modules = [MODULES_UNIT] if modprobe or health else []
    return {"modprobe": modprobe, "services": before, "units": [*before, *modules], "modules": modules}


def _member(cluster: Cluster, server: Server) -> dict[str, Any]:
    own = [t for t in cluster.targets if server.id in t.servers]
    return {
        "name": word(server.id),
        "devices": [device(t.device) for t in own],
        "folders": [mount_point(t) for t in own],
        "ring": word(server_of(server).ring) if server_of(server).ring else "",
    }


def _dialects(catalog: Catalog) -> list[PcsDialect]:
    """The dialects that the catalog knows, the oldest first."""
    return sorted(catalog.all(PcsDialect), key=lambda d: [int(n) for n in d.version.split(".")])


def _dialect(dialect: PcsDialect, policy: HaPolicy, plan: Plan, cluster: Cluster, catalog: Catalog) -> dict[str, Any]:
    *before, token = dialect.token
    pair = len(cluster.servers) == _PAIR
    options = (*before, f"{token}{policy.token_ms}", *(dialect.wait_for_all if pair else ()))
    return {
        "version": dialect.version,
        "oldest": dialect.oldest,
        "auth": " ".join(dialect.auth),
        "setup": " ".join(dialect.setup),
        "options": " ".join(options),
        "defaults": " ".join(dialect.defaults),
        "fence_words": ha_fencing.variables(plan, dialect.fence, catalog),
        "ocf": " ".join(dialect.ocf_versions),
        "nodes": " ".join(_node(dialect, s) for s in cluster.servers),
        "sbd": " ".join(f"{dialect.sbd_device}{device(d)}" for d in lustre(plan).sbd_devices),
    }


def _node(dialect: PcsDialect, server: Server) -> str:
    """A node as `cluster setup` takes it: its name, and its address on the second link where there is one."""
    name = word(server.id)
    if not server_of(server).ring:
        return name
    ring = word(server_of(server).ring)
    return f'"{name},{ring}"' if dialect.links == "comma" else f"{name} addr={name} addr={ring}"


def _operations(policy: HaPolicy) -> str:
    """How long an operation may last. A start waits for the recovery of what was mounted elsewhere before."""
    return (
        f"op start timeout={policy.start_s}s op stop timeout={policy.stop_s}s "
        f"op monitor interval={policy.interval_s}s timeout={policy.monitor_s}s"
    )


def _health_operations(policy: HaPolicy) -> str:
    """How long an agent of health may take: servers that do not answer are waited for, one after the other."""
    return (
        f"op start timeout={policy.health_timeout_s}s "
        f"op monitor interval={policy.health_interval_s}s timeout={policy.health_timeout_s}s"
    )


def _resource(
    target: Target, cluster: Cluster, agent: _Agent, policy: HaPolicy, health: list[Health]
) -> dict[str, Any]:
    options = mount_options(target)
    parameters = (
        f"{agent.device}={device(target.device)}",
        f"{agent.folder}={mount_point(target)}",
        *agent.more,
        *((f"{agent.options}={options}",) if agent.options and options else ()),
    )
    scores = zip(target.servers, (policy.first_score, policy.second_score), strict=True)
    return {
        "label": word(target.id),
        "device": device(target.device),
        "parameters": " ".join(parameters),
        "prefers": " ".join(f"{word(s)}={score}" for s, score in scores),
        "first": word(target.servers[0]),
        "second": word(target.servers[1]),
        "rules": rules(health, target.servers, policy),
        "never": [word(s.id) for s in cluster.servers if s.id not in target.servers],
    }


def _orders(cluster: Cluster) -> Iterator[dict[str, str]]:
    """The MGS before every MDT, and MDT0000 before the others, where they start together in one cluster."""
    metadata = [t for t in cluster.targets if t.kind in ("mgt", "mdt")]
    owns = [(t, target_of(t)) for t in metadata]
    first = [t for t, own in owns if own.mgs]
    first += [t for t, own in owns if t.kind == "mdt" and own.index == 0 and not own.mgs]
    for before in first:
        behind = metadata[metadata.index(before) + 1 :]
        yield from ({"first": word(before.id), "then": word(t.id)} for t in behind)


def _applies(plan: Plan) -> bool:
    return bool(clusters(plan)) and not any((*lacking(plan), *_unfenced(plan)))


def _findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:
    if not clusters(plan):
        return tuple(_turned_off(plan))
    return (*lacking(plan), *_unfenced(plan), *_unknown(plan, catalog))


def _turned_off(plan: Plan) -> Iterator[Finding]:
    """PX608: the request says that nothing takes over."""
    if isinstance(plan.filesystem, LustreFilesystem) and not plan.filesystem.failover:
        message = "ha: the request says failover: false, so that no server takes over another's targets"
        yield Finding("PX608", message, "failover", "failover: true, or leave ha out")


def _unfenced(plan: Plan) -> Iterator[Finding]:
    """PX620: a server that nobody can switch off."""
    unfenced = [
        s.id
        for cluster in clusters(plan)
        for s in cluster.servers
        if not (server_of(s).bmc and lustre(plan).fence_agent)
    ]
    if unfenced:
        yield Finding(
            "PX620",
            f"nobody can fence {unfenced[0]}" + (f" and {len(unfenced) - 1:,} more servers" if unfenced[1:] else ""),
            "fencing",
            "add fencing: {agent: fence_idrac, subnet: 10.30.0.0/24}, with the values of the site",
        )


def _unknown(plan: Plan, catalog: Catalog) -> Iterator[Finding]:
    """PX621: an agent whose options nobody has looked up."""
    known = catalog.ids("fence_agent")
    agents = {"fencing.agent": lustre(plan).fence_agent, "fencing.second.agent": lustre(plan).second_fence_agent}
    for where, agent in agents.items():
        if agent and agent not in known:
            hint = (
                f"fence agents of the catalog: {', '.join(known)}; --catalog can add a record of the kind fence_agent"
            )
            yield Finding("PX621", f"the options of {agent} are unknown", where, hint)


RENDERER = Renderer(
    name="ha",
    summary="Pacemaker for each pair of servers: scripts of pcs commands, with a run book",
    needs="`network` and `fencing` in the request, and for PowerFlex the replies about its volumes in --observed",
    applies=_applies,
    findings=_findings,
    files=files,
    left_out_for=frozenset({"PX621"}),
)
