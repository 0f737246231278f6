"""Numbered scripts for the admin node: they form the GPFS cluster, make NSDs and file system, and mount it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Adapter
from pixsize.estimate.rates import links_of
from pixsize.plan.networks import data_networks
from pixsize.plan.records import Plan, Server, same_host
from pixsize.products.scale.plan import CLIENT, CLIENTS, ScaleFilesystem, nsd_of, scale, server_of
from pixsize.products.scale.records import ScaleSetting
from pixsize.products.scale.render import stanzas
from pixsize.render import template
from pixsize.render.records import File, Renderer
from pixsize.render.template import checked, comma_list, name, word

PROGRAM = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.+-]*)+")
_VALUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*(/[1-9])?( [A-Za-z0-9][A-Za-z0-9_.-]*(/[1-9])?)*")
_CLASS = re.compile(r"[a-z]+_servers")
_TRIES, _PAUSE = 60, 10
"""How often, and after how many seconds, the start is looked at: a large cluster takes minutes."""


class Script(NamedTuple):
    """A script: its name, what it does, and what it destroys, if it does."""

    name: str
    summary: str
    destroys: str = ""

    @property
    def path(self) -> str:
        """Where it lies below the folder of the rendered files."""
        return f"cluster/{self.name}"


FORM = Script("01-cluster.sh", "forms the cluster out of nodes.list")
LICENCES = Script("02-licences.sh", "gives each node the licence that it needs")
CLASSES = Script("03-node-classes.sh", "makes a class of nodes for each role")
SETTINGS = Script("04-settings.sh", "sets what GPFS reads when it starts, by class")
START = Script("05-start.sh", "starts GPFS on every node, and waits until it is active")
NSDS = Script("06-nsds.sh", "makes the NSDs of the stanza file", "WHAT THE DEVICES OF THE STANZA FILE HOLD")
FILESYSTEM = Script("07-filesystem.sh", "makes the file system on the NSDs", "WHAT THE NSDS HOLD")
MOUNT = Script("08-mount.sh", "mounts the file system on every node")
SCRIPTS = (FORM, LICENCES, CLASSES, SETTINGS, START, NSDS, FILESYSTEM, MOUNT)
NODES = "cluster/nodes.list"


def files(plan: Plan, catalog: Catalog) -> tuple[File, ...]:
    """The node file, then the scripts in the order in which they are run."""
    values = view(plan, catalog)
    listed = "".join(f"{node['name']}:{node['designation']}:{node['name']}\n" for node in values["nodes"])
    scripts = (_script(script, values) for script in SCRIPTS)
    return (File(NODES, listed), *scripts)


def _script(script: Script, values: dict[str, Any]) -> File:
    asked = _asked(values) if script is FILESYSTEM else []
    about = {"script": script.name, "summary": script.summary, "destroys": script.destroys, "options": asked}
    usage = "".join(f" [{option['shown'].strip()}]" for option in asked)
    text = template.fill(f"cluster/{script.name}.j2", values | about | {"extra_usage": usage})
    return File(script.path, text, executable=True)


def _asked(values: dict[str, Any]) -> list[dict[str, str]]:
    """The numbers of mmcrfs that no request has."""
    return [
        {
            "name": "--nodes",
            "variable": "mounting",
            "value": '""',
            "shown": "--nodes NUMBER",
            "says": "how many nodes will ever mount the file system; nothing changes it later",
        },
        {
            "name": "--inodes",
            "variable": "inodes",
            "value": str(values["inodes"]),
            "shown": "--inodes NUMBER",
            "says": f"how many files it may have, {values['inodes']} where nothing is said",
        },
    ]


def view(plan: Plan, catalog: Catalog) -> dict[str, Any]:
    """What the templates substitute."""
    cluster, filesystem, nodes = scale(plan).cluster, scale(plan), list(_nodes(plan))
    licences = [licence for licence in ("server", "client") if any(n["licence"] == licence for n in nodes)]
    settings = list(_settings(plan, catalog))
    made = stanzas.view(plan, catalog)
    return {
        "plan": word(plan.name),
        "cluster": word(cluster.name),
        "admin": word(cluster.admin),
        "remote_shell": checked(PROGRAM, cluster.remote_shell),
        "remote_copy": checked(PROGRAM, cluster.remote_copy),
        "nodes": nodes,
        "clients": bool(filesystem.clients),
        "licences": licences,
        "classes": [{"name": c, "members": comma_list(members)} for c, members in _classes(plan).items()],
        "settings": settings,
        "ports": list(_ports(plan, settings)),
        "found": list(_found(plan, catalog)),
        "tries": _TRIES,
        "pause": _PAUSE,
        "stanzas": stanzas.PATH,
        "nsds": [name(t.id) for t in plan.targets],
        "filesystem": word(filesystem.name),
        "mmcrfs": made["options"],
        "inodes": made["inodes"],
        "checks": list(_checks(filesystem)),
    }


def _nodes(plan: Plan) -> Iterator[dict[str, str]]:
    """Every server of the plan, and the servers of NSDs that the plan does not have, each once."""
    for server in plan.servers:
        own = server_of(server)
        votes, manages = "quorum" if own.quorum else "nonquorum", "manager" if own.manager else "client"
        yield {"name": word(server.id), "designation": f"{votes}-{manages}", "licence": word(own.licence)}
    for other in outside(plan):
        yield {"name": word(other), "designation": "nonquorum-client", "licence": "server"}
    for client in scale(plan).clients:
        yield {"name": word(client.name), "designation": "nonquorum-client", "licence": "client"}


def outside(plan: Plan) -> tuple[str, ...]:
    """The servers of NSDs that are none of the plan's: that of a descriptor may be any server of the site."""
    others = (s for t in plan.targets if t.volume is None for s in t.servers)
    return tuple(o for o in dict.fromkeys(others) if not any(same_host(o, s.id) for s in plan.servers))


def _classes(plan: Plan) -> dict[str, list[str]]:
    classes: dict[str, list[str]] = {}
    for server in plan.servers:
        classes.setdefault(checked(_CLASS, server_of(server).node_class), []).append(server.id)
    clients = [client.name for client in scale(plan).clients]
    return classes | ({CLIENTS: clients} if clients else {})


def _settings(plan: Plan, catalog: Catalog) -> Iterator[dict[str, str]]:
    """Attribute, class and value of each setting; then what the server of a descriptor is told."""
    firsts = _firsts(plan)
    for record in _records(plan, catalog):
        for server in [firsts[role] for role in record.roles if role in firsts]:
            if value := _value(record, server, plan, catalog):
                yield _setting(record.attribute, server_of(server).node_class, value)
        if CLIENT in record.roles and scale(plan).clients and "{" not in record.value:
            yield _setting(record.attribute, CLIENTS, checked(_VALUE, record.value))
        if not record.roles:
            yield _setting(record.attribute, "all", record.value)
    for target in plan.targets:
        if nsd_of(target).usage == "descOnly":
            yield from (_setting("unmountOnDiskFail", server, "yes") for server in target.servers)


def _records(plan: Plan, catalog: Catalog) -> Iterator[ScaleSetting]:
    """The settings that are for the design and its network."""
    networks = data_networks(plan, catalog)
    for record in catalog.all(ScaleSetting):
        of_design = not record.design or catalog.id_of(record.design) == plan.design
        if of_design and record.network in ("any", *networks):
            yield record


def _firsts(plan: Plan) -> dict[str, Server]:
    """The first server of each role."""
    firsts: dict[str, Server] = {}
    for server in plan.servers:
        firsts.setdefault(server.role, server)
    return firsts


def _found(plan: Plan, catalog: Catalog) -> Iterator[dict[str, object]]:
    """The servers that have more adapters than links to the file system, and how many links: which adapters these are,
    a server says itself.
    """
    roles = {role for record in _records(plan, catalog) if _NUMBER in record.value for role in record.roles}
    for server in plan.servers:
        if server.role in roles and not _one_by_one(plan, server, catalog):
            yield {"node": word(server.id), "links": links_of(plan, server.role, catalog).a_server}


_NUMBER = "{n}"


def _one_by_one(plan: Plan, server: Server, catalog: Catalog) -> bool:
    """Whether every adapter of a server leads to the file system."""
    return _adapters(server, catalog) <= links_of(plan, server.role, catalog).a_server


def _adapters(server: Server, catalog: Catalog) -> int:
    return sum(a.count for a in server.adapters if catalog.get(Adapter, a.model).use == "network")


def _setting(attribute: str, where: str, value: str) -> dict[str, str]:
    return {"name": word(attribute), "where": checked(_CLASS, where) if "_" in where else word(where), "value": value}


def _value(record: ScaleSetting, server: Server, plan: Plan, catalog: Catalog) -> str:
    """The value of a setting; one that counts adapters stands once for each on the network, empty without any, and
    where a server has others as well.
    """
    if record.value == "{rate}":
        links = links_of(plan, server.role, catalog)
        return word(str(links.rate // links.servers // 10**6)) if links.rate else ""
    if _NUMBER not in record.value:
        return checked(_VALUE, record.value)
    times = _adapters(server, catalog) if _one_by_one(plan, server, catalog) else 0
    return checked(_VALUE, " ".join(record.value.replace(_NUMBER, str(n)) for n in range(times))) if times else ""


def _ports(plan: Plan, settings: list[dict[str, str]]) -> Iterator[dict[str, str]]:
    classes = _classes(plan)
    for setting in settings:
        if setting["name"] == "verbsPorts":
            yield {"nodes": " ".join(map(word, classes[setting["where"]])), "value": setting["value"]}


def _checks(filesystem: ScaleFilesystem) -> Iterator[dict[str, object]]:
    """What mmlsfs shows of the file system, by the words of its fields."""
    replicas = filesystem.metadata_replicas
    fields = {
        "blockSize": filesystem.block_bytes,
        "inodeSize": filesystem.inode_bytes,
        "blockAllocationType": "scatter",
        "defaultMetadataReplicas": replicas,
        "maxMetadataReplicas": max(replicas, 2),
        "defaultDataReplicas": 1,
        "maxDataReplicas": 2,
    }
    yield from ({"name": field, "value": value} for field, value in fields.items())


RENDERER = Renderer(
    name="cluster",
    summary="the GPFS cluster, its NSDs and the file system: numbered scripts for the admin node",
    applies=lambda plan: isinstance(plan.filesystem, ScaleFilesystem) and bool(plan.targets),
    files=files,
)
