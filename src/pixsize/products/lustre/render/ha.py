"""Pacemaker for every set of servers that share targets: scripts of `pcs` commands, and a run book beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.records import Plan, Server, Target
from pixsize.product import volume_terms
from pixsize.products.lustre.ha_records import HaPolicy, PcsDialect
from pixsize.products.lustre.plan import LustreFilesystem, lustre, server_of, target_of
from pixsize.products.lustre.records import LustreRelease, LustreWord, triple
from pixsize.products.lustre.render import ha_fencing
from pixsize.products.lustre.render.shared import (
    TARGET_AGENTS,
    TargetAgent,
    lacking,
    mount_options,
    mount_point,
    nid,
    ports_by_program,
    ports_of,
)
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
_PAIR = 2  # servers; a cluster of two needs wait_for_all, and a delay before one of them fences
_HEALTH_LNET, _HEALTH_LUSTRE = "ocf:lustre:healthLNET", "ocf:lustre:healthLUSTRE"


class Cluster(NamedTuple):
    """Servers that share targets: a pair, or three in a ring. The scripts are run on the first one."""

    id: str
    servers: tuple[Server, ...]
    targets: tuple[Target, ...]


class Health(NamedTuple):
    """An agent that watches a server's health: a clone that sets a node attribute, above zero on a healthy server.

    `options` are its parameters in the shell, `parameters` their names alone (Lustre source, lustre/scripts/ocf).
    """

    id: str
    agent: str
    attribute: str
    options: str
    parameters: str


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
    """The clusters with their names: that of the module, or role and number, as in `mm01`, `sm01`, `mds-ha01`."""
    ranks = {s.id: rank for rank, s in enumerate(plan.servers)}
    counts = dict.fromkeys(_ROLES.values(), 0)
    for names in sets:
        servers = tuple(plan.servers[rank] for rank in sorted(ranks[n] for n in names))
        role = _ROLES.get(servers[0].role, "oss")
        counts[role] += 1
        name = servers[0].module or f"{role}-ha{counts[role]:02d}"
        yield Cluster(name, servers, tuple(targets[names]))


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """Three scripts and a run book a cluster, in a folder with the cluster's id."""
    rendered = []
    for cluster in clusters(plan):
        view = _view(plan, catalog, cluster)
        for name in (NODE, SETUP, RESOURCES, RUN_BOOK):
            text = template.fill(f"ha/{name}.j2", view)
            rendered.append(File(f"ha/{word(cluster.id)}/{name}", text, executable=name != RUN_BOOK))
    return tuple(rendered)


def _view(plan: Plan, catalog: Catalog, cluster: Cluster) -> dict[str, Any]:
    policy = catalog.get(HaPolicy, POLICY)
    release = catalog.get(LustreRelease, lustre(plan).release)
    agent = release.agent
    pair = len(cluster.servers) == _PAIR
    health = _watchers(plan, cluster, catalog)
    since = [w.since for w in catalog.all(LustreWord) if w.since and w.word in (_HEALTH_LNET, _HEALTH_LUSTRE)]
    dialects = sorted(catalog.all(PcsDialect), key=lambda d: [int(n) for n in d.version.split(".")])
    return (
        _fencing(plan, catalog, cluster, policy)
        | _before_pacemaker(plan, bool(health))
        | {
            "name": f"{word(lustre(plan).name)}-{word(cluster.id)}",
            "nodes": [word(s.id) for s in cluster.servers],
            "pairs": ["two nodes"] if pair else [],
            "members": [_member(cluster, s) for s in cluster.servers],
            "policy": policy,
            "dialects": [_dialect(d, policy, plan, cluster, catalog) for d in dialects],
            "versions": ", ".join(d.version for d in dialects),
            "ports": ports_by_program(ports_of(catalog, "pacemaker")),
            "health_since": max(since, key=lambda v: triple(v) or (), default="another release").removesuffix(".0"),
            "agent": agent,
            "agent_path": _path(agent),
            "health": [h._asdict() | {"path": _path(h.agent)} for h in health],
            "added": [*(h.id for h in health), *(["`fence2-`"] if lustre(plan).second_fence_agent else [])],
            "health_package": TARGET_AGENTS["ocf:lustre:Lustre"].package,
            # Servers that do not answer are waited for, one after the other.
            "health_operations": (
                f"op start timeout={policy.health_timeout_s}s "
                f"op monitor interval={policy.health_interval_s}s timeout={policy.health_timeout_s}s"
            ),
            "by_lnet": any(h.attribute == "pingd" for h in health),
            "lnet_path": "".join(_path(h.agent) for h in health if h.attribute == "pingd"),
            "by_lustre": any(h.attribute == "lustred" for h in health),
            "pinged": _ping_hosts(plan, cluster.servers, policy.ping_hosts),
            "agent_package": TARGET_AGENTS[agent].package,
            # A start waits for the recovery of what was mounted elsewhere before.
            "operations": (
                f"op start timeout={policy.start_s}s op stop timeout={policy.stop_s}s "
                f"op monitor interval={policy.interval_s}s timeout={policy.monitor_s}s"
            ),
            "targets": [_resource(t, cluster, TARGET_AGENTS[agent], policy, health) for t in cluster.targets],
            "orders": _orders(cluster),
            "watched": lustre(plan).management == "iml_monitored",
            "unit_of": volume_terms(plan).unit_of,
            "fenced": _lost_drives(plan, cluster),
            "holds_mgs": any(target_of(t).mgs for t in cluster.targets),
            "options_given": bool(TARGET_AGENTS[agent].options),
        }
    )


def _path(agent: str) -> str:
    return "/usr/lib/ocf/resource.d/" + "/".join(map(word, agent.split(":")[1:]))


def _fencing(plan: Plan, catalog: Catalog, cluster: Cluster, policy: HaPolicy) -> dict[str, Any]:
    """The devices of each level, and what their logins want."""
    devices = ha_fencing.devices(plan, catalog, cluster.servers, policy)
    secrets = ha_fencing.secrets(plan, catalog)
    return {
        "fence_agents": list(dict.fromkeys(d.agent for d in devices)),
        "fences": [d._asdict() for d in devices],
        "second_level": [d for d in devices if d.level > 1],
        "tries": ha_fencing.tries(devices, secrets),
        "levels": ha_fencing.levels(devices),
        "secrets": secrets,
        "ask_node": ha_fencing.ask(["HACLUSTER_PASSWORD"]),
        "ask_fences": [ha_fencing.ask([s.name for s in secrets])] if secrets else [],
        "sbd": [device(d) for d in lustre(plan).sbd_devices],
        "ring": any(server_of(s).ring for s in cluster.servers),
    }


def units(plan: Plan, catalog: Catalog) -> list[str]:
    """The units of systemd that are started before Pacemaker on the servers of any cluster."""
    health = any(_watchers(plan, cluster, catalog) for cluster in clusters(plan))
    return list(_before_pacemaker(plan, health)["units"])


def _before_pacemaker(plan: Plan, health: bool) -> dict[str, Any]:
    """The services that systemd starts before Pacemaker.

    With options of modprobe no service sets LNet up: a unit of our own loads the modules then. It does so too where
    healthLUSTRE asks them for the state of the server, before any target is mounted there.
    """
    network = lustre(plan).network
    modprobe = network is not None and network.owner == "modprobe"
    before = [*([] if modprobe else ["lnet.service"]), *volume_terms(plan).services]
    modules = [MODULES_UNIT] if modprobe or health else []
    return {"modprobe": modprobe, "services": before, "units": [*before, *modules], "modules": modules}


def _lost_drives(plan: Plan, cluster: Cluster) -> list[str]:
    """Lines of Markdown on what fencing takes away beside targets; none where no server holds drives of a pool."""
    sharing, sharers = volume_terms(plan).sharing, {s for pool in plan.pools for s in pool.servers}
    if sharing is None or not any(s.id in sharers for s in cluster.servers):
        return []
    return [line.format(targets="OSTs", server="OSS") for line in sharing.fenced]


def _member(cluster: Cluster, server: Server) -> dict[str, Any]:
    served = [t for t in cluster.targets if server.id in t.servers]
    return {
        "name": word(server.id),
        "devices": [device(t.device) for t in served],
        "folders": [mount_point(t) for t in served],
        "ring": word(server_of(server).ring) if server_of(server).ring else "",
    }


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


def _resource(
    target: Target, cluster: Cluster, agent: TargetAgent, policy: HaPolicy, health: list[Health]
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
        "rules": _health_rules(health, target.servers, policy),
        "never": [word(s.id) for s in cluster.servers if s.id not in target.servers],
    }


def _orders(cluster: Cluster) -> list[dict[str, str]]:
    """The MGS before every MDT, and MDT0000 before the others, where they start together in one cluster."""
    metadata = [t for t in cluster.targets if t.kind in ("mgt", "mdt")]
    first = [t for t in metadata if target_of(t).mgs]
    first += [t for t in metadata if t.kind == "mdt" and target_of(t).index == 0 and t not in first]
    return [
        {"first": word(before.id), "then": word(after.id)}
        for before in first
        for after in metadata[metadata.index(before) + 1 :]
    ]


def _watchers(plan: Plan, cluster: Cluster, catalog: Catalog) -> list[Health]:
    """The health agents of the plan's release that can work in a cluster: healthLNET needs servers to ping.

    Each gets the name of its attribute, so that none depends on a default.
    """
    policy, release = catalog.get(HaPolicy, POLICY), catalog.get(LustreRelease, lustre(plan).release)
    hosts = " ".join(_ping_hosts(plan, cluster.servers, policy.ping_hosts))
    wait = f"dampen={policy.health_dampen_s}s"
    agents = {
        _HEALTH_LNET: Health(
            "lnet-health",
            _HEALTH_LNET,
            "pingd",
            f'name=pingd {wait} lctl=true "host_list={hosts}"',
            "name dampen lctl host_list",
        ),
        _HEALTH_LUSTRE: Health("lustre-health", _HEALTH_LUSTRE, "lustred", f"name=lustred {wait}", "name dampen"),
    }
    return [agents[agent] for agent in release.health_agents if agent != _HEALTH_LNET or hosts]


def _health_rules(agents: Sequence[Health], servers: Sequence[str], policy: HaPolicy) -> list[str]:
    """The location rules of one target, as words of pcs; `servers` are its own, the preferred first.

    LNet adds points on a server that is healthy, or whose health is not known. healthLUSTRE subtracts points, fewer on
    the second server: a target with lost storage makes each server sick that serves it, and with equal points all
    targets would move between the two for ever.
    """
    rows = []
    for health in agents:
        name = health.attribute
        if health.agent == _HEALTH_LUSTRE:
            losses = zip(servers, (policy.sick_first_score, policy.sick_second_score), strict=True)
            sick = f"defined {name} and {name} lt 1"
            rows += [f"score=-{loss} '#uname' eq {word(server)} and {sick}" for server, loss in losses]
        else:
            rows.append(f"score={policy.health_score} not_defined {name} or {name} gt 0")
    return rows


def _ping_hosts(plan: Plan, servers: Sequence[Server], most: int) -> list[str]:
    """The NIDs that a cluster pings to test LNet: of servers outside of it, from as many other groups as there are.

    Never a server of the cluster: each would reach itself while the fabric is dead, and when the partner is lost the
    one that is left would count as sick.
    """
    cluster_ids = {s.id for s in servers}
    groups: dict[object, list[Server]] = {}
    for server in plan.servers:
        if server.id not in cluster_ids and server_of(server).nids:
            groups.setdefault(server.module or server.role, []).append(server)
    turns = zip_longest(*groups.values())  # one of each group in turn, so that no single switch or module decides
    return [nid(server_of(s).nids[0]) for turn in turns for s in turn if s is not None][:most]


def _applies(plan: Plan) -> bool:
    return bool(clusters(plan)) and not any((*lacking(plan), *_unfenced(plan)))


def _findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:
    if clusters(plan):
        return (*lacking(plan), *_unfenced(plan), *_unknown_agents(plan, catalog))
    if isinstance(plan.filesystem, LustreFilesystem) and not plan.filesystem.failover:
        message = "ha: the request says failover: false, so that no server takes over another's targets"
        return (Finding("PX608", message, "failover", "failover: true, or leave ha out"),)
    return ()


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


def _unknown_agents(plan: Plan, catalog: Catalog) -> Iterator[Finding]:
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
    needs="`network` and `fencing` in the request, and in a pool the replies about its volumes in --observed",
    applies=_applies,
    findings=_findings,
    files=files,
    left_out_for=frozenset({"PX621"}),
)
