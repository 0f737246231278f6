"""The rendered files, read back, against the plan that they came from.

A reader gets the files of one render target by their paths below its folder, and fails unless they are the plan. What a
product has of its own is read by name (`target.own.usage`): a product that was copied from another, with records and
a render target of its own names, is read by the same function.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, cast

from pixsize.plan.records import Plan, Server, Target
from tests.readers import policy
from tests.readers.gateways import read_assignments, read_exports, read_ganesha, read_sections, read_zone
from tests.readers.hosts import read_commented, read_genders, read_hosts, read_inventory, read_words
from tests.readers.me4cli import Group, NewVolume, read_cli
from tests.readers.mkfs import read_calls
from tests.readers.ngenea import read_target
from tests.readers.nvmesh import read_volumes
from tests.readers.scripts import calls, options, rows, value
from tests.readers.stanza import read_mmcrfs, read_size, read_stanzas

Files = Mapping[str, str]
"""Texts by their paths."""
Reader = Callable[[Files, Plan], None]
"""Fails unless the files of a render target say the plan, whole and nothing else."""
_GIB = 2**30


def stanzas_say_the_plan(files: Files, plan: Plan) -> None:
    """Each NSD of the plan has its stanza, with every clause, in the order of the plan; mmcrfs makes the plan's settings.

    -M and -R cannot be raised later, so that both leave room for two copies. Data has one: the arrays protect it.
    """
    ((path, text),) = ((path, text) for path, text in files.items() if path.endswith(".stanza"))
    settings: Any = plan.filesystem
    assert read_mmcrfs(text) == {
        "device": settings.name,
        "-F": path.rpartition("/")[2],
        "-T": f"/{settings.name}",
        "-B": settings.block_bytes,
        "-i": settings.inode_bytes,
        "-j": "scatter",
        "-m": str(settings.metadata_replicas),
        "-M": str(max(settings.metadata_replicas, 2)),
        "-r": "1",
        "-R": "2",
    } | ({"-z": "yes"} if settings.dmapi else {})
    owns: list[Any] = [t.own for t in plan.targets]
    assert read_stanzas(text) == [
        {
            "stanza": "nsd",
            "device": t.device,
            "nsd": t.id,
            "servers": ",".join(t.servers),
            "usage": own.usage,
            "failureGroup": str(own.failure_group),
            "pool": own.pool,
        }
        for t, own in zip(plan.targets, owns, strict=True)
    ]


def mkfs_makes_the_plan(files: Files, plan: Plan) -> None:
    """Each target is made once, by the script of its first server, with all that the plan says of it."""
    scripts = {path.removesuffix(".sh"): text for path, text in files.items() if path.endswith(".sh")}
    settings: Any = plan.filesystem
    nids = {s.id: ",".join(_own(s).nids) for s in plan.servers}
    mgs = next([nids[s] for s in t.servers] for t in plan.targets if _own(t).mgs)
    kinds = {"mgt": {"--mgs"}, "mdt": {"--mdt"}, "ost": {"--ost"}}
    for server, text in scripts.items():
        due = [t for t in plan.targets if t.servers[0] == server]
        calls = {call.device: call for call in read_calls(text)}
        assert list(calls) == [t.device for t in due]
        for target in due:
            call, own = calls[target.device], _own(target)
            shape = own.ldiskfs
            assert shape is not None
            options: dict[str, list[str]] = {}
            if target.kind != "mgt":
                options |= {"--fsname": [settings.name], "--index": [str(own.index)]}
            if not own.mgs:
                options["--mgsnode"] = mgs
            if settings.failover:
                options["--servicenode"] = [nids[s] for s in target.servers]
            if shape.stride:
                options["--mkfsoptions"] = [f"-E stride={shape.stride},stripe_width={shape.stripe_width}"]
            assert call.options == options
            assert call.flags == kinds[target.kind] | ({"--mgs"} if own.mgs else set())
    assert {t.servers[0] for t in plan.targets} == set(scripts)


def mounts_are_the_plan(files: Files, plan: Plan) -> None:
    """Each server mounts the targets that it may serve, and no others; clients ask every server of the MGS."""
    settings: Any = plan.filesystem
    nids = {s.id: ",".join(_own(s).nids) for s in plan.servers}
    serving = {server for t in plan.targets for server in t.servers}
    assert {path for path in files if path.endswith(".sh")} == {f"{server}.sh" for server in serving}
    for server in serving:
        mine = [t for t in plan.targets if server in t.servers]
        fields = _fstab(files[f"{server}.fstab"])
        assert [f[:3] for f in fields] == [[t.device, f"/lustre/{t.id}", "lustre"] for t in mine]
        assert all("noauto" in f[3].split(",") for f in fields)
        _cat, *targets, _end = rows(files[f"{server}.sh"], "targets")
        assert [row[:4] for row in targets] == [[t.kind, t.id, t.device, f"/lustre/{t.id}"] for t in mine]
    (clients,) = {path for path in files if path.endswith(".fstab")} - {f"{server}.fstab" for server in serving}
    (mount,) = _fstab(files[clients])
    mgs = next(":".join(nids[s] for s in t.servers) for t in plan.targets if _own(t).mgs)
    assert (mount[0], mount[2]) == (f"{mgs}:/{settings.name}", "lustre")


def _fstab(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if not line.startswith("#")]


def clusters_hold_the_plan(files: Files, plan: Plan) -> None:
    """Each target is a resource of one cluster, on its device, and prefers its servers in their order."""
    seen: list[str] = []
    targets = {t.id: t for t in plan.targets}
    for text in (text for path, text in files.items() if path.endswith("/02-resources.sh")):
        made = {words[0]: words for words in calls(text, *_PCS, "resource", "create")}
        prefers = {
            words[0]: words[2:] for words in calls(text, *_PCS, "constraint", "location") if words[1] == "prefers"
        }
        assert prefers.keys() <= made.keys()
        for name, words in made.items():
            values = dict(word.partition("=")[::2] for word in words if "=" in word)
            device, folder = (values.get(one, values.get(other)) for one, other in _AGENTS)
            if device is None:  # LNet, the network and whatever else is watched beside the targets
                assert name not in targets
                continue
            assert (device, folder) == (targets[name].device, f"/lustre/{name}")
            scores = {server: int(score) for server, _, score in (word.partition("=") for word in prefers[name])}
            assert tuple(sorted(scores, key=lambda server: -scores[server])) == targets[name].servers
            seen.append(name)
    assert sorted(seen) == sorted(targets)


_PCS = ("run", "pcs", "-f", '"$draft"')
_AGENTS = (("target", "device"), ("mountpoint", "directory"))
"""The parameters of the agents of targets, for the device and the folder."""


def lnet_has_the_plans_addresses(files: Files, plan: Plan) -> None:
    """Each server has its own NIDs and clients have none; or modprobe's options, where they own LNet, name the net."""
    settings: Any = plan.filesystem
    net = settings.network
    texts = {path.split("/")[0]: text for path, text in files.items() if "/" in path}
    servers = {s.id if s.id in texts else f"{s.id}_": _own(s).nids for s in plan.servers if _own(s).nids}
    assert len(texts) == len(servers) + 1
    assert servers.keys() <= texts.keys()
    for folder, text in texts.items():
        if net.owner == "modprobe":
            assert re.findall(r"^options lnet (.*)$", text, re.M) == [f'networks="{net.lnet}({net.interface})"']
        else:
            assert re.findall(r"net type: (\S+)$", text, re.M) == [net.lnet]
            assert re.findall(r"^ +0: (\S+)$", text, re.M) == [net.interface]
            assert tuple(re.findall(r"nid: (\S+)$", text, re.M)) == servers.get(folder, ())


def arrays_hold_the_plan(files: Files, plan: Plan) -> None:
    """The .cli files of each array, run in the order of their names, build its groups, spares, volumes and maps."""
    folders = {path.split("/")[0] for path in files if path.endswith(".cli")}
    assert folders == {a.id for a in plan.arrays}
    for name in folders:
        scripts = sorted(p for p in files if p.startswith(f"{name}/") and p.endswith(".cli"))
        array = read_cli("".join(files[p] for p in scripts))
        groups = [g for g in plan.disk_groups if g.array == name]
        assert list(array.groups.values()) == [
            Group(g.id, tuple((g.enclosure, s) for s in g.slots), g.level, g.owner, g.chunk_bytes) for g in groups
        ]
        assert array.spares == {(s.enclosure, slot) for s in plan.spares if s.array == name for slot in s.slots}
        volumes = [v for v in plan.volumes if v.array == name]
        assert list(array.volumes.values()) == [NewVolume(v.id, v.backing, v.bytes) for v in volumes]
        assert array.luns == {v.id: v.lun for v in volumes}


def multipath_names_the_plan(files: Files, plan: Plan) -> None:
    """The servers of each module know every volume of its arrays by WWID and name; or the file is unfinished.

    Where the file system is shown its devices, by a file `nsddevices`, these are those of the targets on the servers.
    """
    for module in plan.modules:
        known = {v.wwid: v.id for v in plan.volumes if v.array in module.arrays}
        text = files.get(f"{module.id}/multipath.conf", "")
        named = dict(re.findall(r"^\s*wwid (\S+)\n\s*alias (\S+)$", text, re.M))
        assert named == (known if None not in known else {})
        assert (f"{module.id}/multipath.conf.incomplete" in files) is (None in known)
        if shown := files.get(f"{module.id}/nsddevices"):
            listed = " ".join(re.findall(r"^for \w+ in (.*?)^do$", shown, re.M | re.S)).replace("\\", " ")
            served = [t.device for t in plan.targets if set(t.servers) & set(module.servers)]
            assert sorted(listed.split()) == sorted(device.removeprefix("/dev/") for device in served)
    backings = {v.backing for v in plan.volumes if not v.array}
    volumes = {v.id: v for v in plan.volumes}
    for backing in backings:
        devices = [t.device for t in plan.targets if t.volume and volumes[t.volume].backing == backing]
        assert sorted(_shown(files[f"{backing}/nsddevices"])) == sorted(d.removeprefix("/dev/") for d in devices)


def _shown(text: str) -> list[str]:
    """The devices that a file nsddevices shows, below /dev."""
    return " ".join(re.findall(r"^for \w+ in (.*?)^do$", text, re.M | re.S)).replace("\\", " ").split()


def nvme_volumes_are_the_plan(files: Files, plan: Plan) -> None:
    """Each pair has one request, with its volumes in bytes on its two servers; each is attached with these bytes."""
    (own,) = (cast("Any", a.own) for a in plan.additions if a.product == "nvmesh")
    assert len(files) == 4 * len(own.pairs)
    for pair in own.pairs:
        volumes = [(v.id, v.bytes) for v in plan.volumes if v.backing == pair.id]
        bodies = read_volumes(files[f"{pair.id}/volumes.json"])
        assert [(body["name"], body["capacity"]) for body in bodies] == volumes
        layouts = {(body["stripeWidth"], body["stripeSize"], tuple(body["limitByNodes"])) for body in bodies}
        assert layouts == {(own.stripe_width, own.stripe_blocks, pair.servers)}
        assert {(2 * body["stripeWidth"]) for body in bodies} == {
            sum(s.drives.count for s in plan.servers if s.id in pair.servers and s.drives)
        }
        attached = re.findall(r"^attach (\S+) (\d+)$", files[f"{pair.id}/attach.sh"], re.M)
        assert [(name, int(size)) for name, size in attached] == volumes
        looked = re.findall(r"^    (nvp\S+)", files[f"{pair.id}/create.sh"], re.M)
        assert looked == [name for name, _ in volumes]


def pool_scripts_make_the_plan(files: Files, plan: Plan) -> None:
    """The servers of the pool bring their drives, volumes are made in it, and each is mapped to its target's servers."""
    (pool,) = plan.pools
    servers = {s.id: s for s in plan.servers}
    adding = [options(words) for words in calls(files["04-sds.sh"], "step", "scli", "--add_sds")]
    assert [
        (o["--sds_name"], o["--sds_ip"], o["--protection_domain_name"], o["--storage_pool_name"]) for o in adding
    ] == [(s, ",".join(servers[s].storage_ips), pool.domain, pool.id) for s in pool.servers]
    more = [options(words) for words in calls(files["05-drives.sh"], "step", "scli", "--add_sds_device")]
    assert {o["--storage_pool_name"] for o in more} <= {pool.id}
    drives = [(o["--sds_name"], o["--device_path"]) for o in (*adding, *more)]
    assert len(set(drives)) == len(drives) == pool.drives
    assert Counter(name for name, _ in drives) == {s: _drives(servers[s]) for s in pool.servers}
    clients = {s for t in plan.targets for s in t.servers} | set(pool.servers)
    named = [(name, ip) for _, ip, name in rows(files["07-sdc-names.sh"], "each_sdc")]
    assert sorted(named) == sorted((s, servers[s].storage_ips[0]) for s in clients)
    for script in ("08-volumes.sh", "09-maps.sh"):
        assert (value(files[script], "DOMAIN"), value(files[script], "POOL")) == (pool.domain, pool.id)
        volumes = [(name, int(gib) * _GIB) for _, name, gib in rows(files[script], "each_volume")]
        assert volumes == [(v.id, v.bytes) for v in plan.volumes]
    maps = [options(words) for words in calls(files["09-maps.sh"], "step", "scli", "--map_volume_to_sdc")]
    assert [(o["--volume_name"], o["--sdc_name"]) for o in maps] == [
        (t.volume, s) for t in plan.targets for s in t.servers
    ]
    first = {t.servers[0] for t in plan.targets}
    assert all(("--allow_multi_map" in o) or o["--sdc_name"] in first for o in maps)


def _drives(server: Server) -> int:
    assert server.drives is not None
    return server.drives.count


def _own(part: Target | Server) -> Any:
    """What a product has of a part, whichever product it is."""
    return part.own


def gateways_are_the_plan(files: Files, plan: Plan) -> None:
    """Nodes, public addresses, shares, exports and the name are those of the plan; nobody's files are there unasked."""
    (addition,) = (a for a in plan.additions if a.product == "ctdb")
    own: Any = addition.own
    addresses = {server.id: server.address for server in plan.servers}
    nodes = [addresses[gateway] for gateway in own.gateways]
    assert files["nodes"].split() == nodes
    public = [tuple(line.split()) for line in files["public_addresses"].splitlines()]
    assert public == [(a.address, a.interface) for a in own.public_addresses]
    lock = f"/{plan.filesystem.name}/.ctdb/lock"
    confs = {path: read_sections(text)["cluster"] for path, text in files.items() if path.endswith("ctdb.conf")}
    if "ctdb.conf" in confs:
        assert confs == {"ctdb.conf": {"recovery lock": lock}}
    else:
        pairs = zip(own.gateways, nodes, strict=True)
        assert confs == {f"{g}/ctdb.conf": {"recovery lock": lock, "node address": a} for g, a in pairs}
    nfs = {"kernel": _KERNEL_NFS, "ganesha": {"ganesha.conf"}}[own.nfs_server] if "nfs" in own.protocols else set()
    smb = {"smb.conf"} if "smb" in own.protocols else set()
    assert files.keys() == {*_EVERY_GATEWAY, *confs, *nfs, *smb}
    options = read_assignments(files["script.options"])
    assert {name.split("_")[1] for name in options} == {"SAMBA" if p == "smb" else "NFS" for p in own.protocols}
    if smb:
        _shares_are_the_plan(files["smb.conf"], own)
    if nfs:
        _nfs_is_the_plan(files, own, options, plan.filesystem.name)
    _zone_is_the_plan(files, own)


_EVERY_GATEWAY = {"nodes", "public_addresses", "script.options", "dns/gateways.zone", "dns/named.conf"}
_SHORT = 300
"""Seconds that clients may keep an address of the name."""
_KERNEL_NFS = {"exports", "nfs.conf", "98-nfs-static-ports.conf", "rpc-rquotad"}


def _shares_are_the_plan(text: str, own: Any) -> None:
    sections = read_sections(text)
    settings = sections.pop("global")
    assert sections == {e.share: {"path": e.path, "read only": "no"} for e in own.exports}
    assert (settings["clustering"], settings["netbios name"]) == ("yes", own.netbios_name)
    assert (settings["vfs objects"], settings["fileid:algorithm"]) == ("fileid gpfs", "fsname")
    assert settings["security"] == own.smb_security
    assert (settings.get("realm", ""), settings.get("workgroup", "")) == (own.realm, own.workgroup)
    assert ("idmap config * : backend" in settings) is (own.smb_security == "ads")


def _nfs_is_the_plan(files: Files, own: Any, options: Mapping[str, str], mount: str) -> None:
    if own.nfs_server == "kernel":
        exports = [(e.path, e.options["fsid"]) for e in read_exports(files["exports"])]
        settings = read_sections(files["nfs.conf"])
        assert (settings["statd"]["name"], settings["nfsd"]["vers4"]) == (own.domain, "n")
        assert settings["statd"]["ha-callout"] == "/etc/ctdb/statd-callout"
        assert settings["lockd"]["port"] == settings["lockd"]["udp-port"]
        nlm = dict(re.findall(r"^fs\.nfs\.nlm_(\w+) = (\d+)$", files["98-nfs-static-ports.conf"], re.M))
        assert nlm == dict.fromkeys(("tcpport", "udpport"), settings["lockd"]["port"])
        assert read_assignments(files["rpc-rquotad"]).keys() == {"RPCRQUOTADOPTS"}
        callout = "nfs-linux-kernel-callout"
    else:
        blocks = [values for name, values in read_ganesha(files["ganesha.conf"]) if name == "EXPORT"]
        assert all(b["Pseudo"] == b["Path"] and b["FSAL"] == {"Name": "GPFS"} for b in blocks)
        assert options["CTDB_NFS_STATE_MNT"] == f"/{mount}"
        exports = [(b["Path"], b["Export_Id"]) for b in blocks]
        callout = "nfs-ganesha-callout"
    assert exports == [(e.path, str(e.id)) for e in own.exports]
    assert len({number for _, number in exports}) == len(exports)
    assert options["CTDB_NFS_CALLOUT"] == f"/etc/ctdb/{callout}"


def _zone_is_the_plan(files: Files, own: Any) -> None:
    zone = read_zone(files["dns/gateways.zone"])
    name = own.domain.partition(".")[2]
    assert zone.origin == f"{name}."
    answers = [(owner, data) for owner, _, kind, data in zone.records if kind == "A"]
    assert answers == [(f"{own.domain}.", a.address.partition("/")[0]) for a in own.public_addresses]
    kinds = Counter(kind for _, _, kind, _ in zone.records)
    assert kinds == {"SOA": 1, "NS": 1, "A": len(own.public_addresses)}
    assert max(seconds for _, seconds, kind, _ in zone.records if kind == "A") <= _SHORT
    assert "rrset-order { order cyclic; };" in files["dns/named.conf"]
    assert re.findall(r'^zone "([^"]+)" \{$', files["dns/named.conf"], re.M) == [name]


def cables_join_the_parts(files: Files, plan: Plan) -> None:
    """Each cable of the plan is a line of the table and of the sheet; its label has both ends. The table alone shows that
    no port has two cables, and that nothing that the plan has is left without one.
    """
    table = list(csv.DictReader(files["cables.csv"].splitlines()))
    nothing_is_left_without_a_cable(files["cables.csv"], plan)
    ends = ("from device", "from slot", "from port", "to device", "to slot", "to port")
    assert [(row["network"], *(row[end] for end in ends)) for row in table] == [
        (link.network, *link.start, *link.end) for link in plan.links
    ]
    assert len({row["number"] for row in table}) == len(table)
    sheet = [re.split(r"  +", line) for line in files["cables.txt"].splitlines()]
    for row in table:
        start, end = (":".join(filter(None, (row[e] for e in each))) for each in (ends[:3], ends[3:]))
        assert row["label"] == f"{row['number']} {start} - {end}"
        assert [row[c] for c in ("number", "network", *ends) if row[c]] in sheet


def nothing_is_left_without_a_cable(text: str, plan: Plan) -> None:
    """Ports, ways to the arrays, adapters and switches, counted in the table of cables without the plan's own links."""
    table = list(csv.DictReader(text.splitlines()))
    starts = [(row["from device"], row["from slot"], row["from port"]) for row in table]
    ends = [(row["to device"], row["to slot"], row["to port"]) for row in table]
    assert max(Counter(starts + ends).values()) == 1
    to: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in table:
        to.setdefault((row["network"], row["from device"]), []).append(row)
    for module in plan.modules:
        for server in module.servers:
            for array in module.arrays:
                ways = [(r["from slot"], r["to slot"]) for r in to["sas", server] if r["to device"] == array]
                assert len({slot for slot, _ in ways}) == len({side for _, side in ways}) == len(ways) == 2
    for server in plan.servers:
        inward, outward = to.get(("data", server.id), []), to.get(("outward", server.id), [])
        cards = sum(card.count for card in server.adapters if card.model.startswith("connectx"))
        assert not plan.switches or len(inward) + len(outward) == cards
        assert len({row["to device"] for row in inward}) == len(inward)
    for row in table:
        assert (row["network"] == "outward") == (row["to device"] == "site network")
    _switches_are_joined(to, plan)


def _switches_are_joined(to: Mapping[tuple[str, str], list[dict[str, str]]], plan: Plan) -> None:
    """Each switch of the data has a port for the management and one partner; each of the management leads to the site."""
    joints = [
        (row["from device"], row["to device"]) for (kind, _), rows in to.items() if kind == "joint" for row in rows
    ]
    for switch in plan.switches:
        if switch.role == "management":
            assert to["outward", switch.id]
        else:
            assert to["management", switch.id]
            assert len({frozenset(pair) for pair in joints if switch.id in pair}) == 1


def ngenea_reaches_the_plans_targets(files: Files, plan: Plan) -> None:
    """Each target has one file: its keys, as an INI reader sees them, are all that the plan says, and no secret.

    A draft, of a type whose keys are on no public page, has the same values as comments.
    """
    (addition,) = (a for a in plan.additions if a.product == "ngenea")
    own: Any = addition.own
    of_name = {path.removesuffix(".draft").removesuffix(".conf"): (path, text) for path, text in files.items()}
    assert of_name.keys() == {target.name for target in own.targets}
    for target in own.targets:
        path, text = of_name[target.name]
        found = read_target(text)
        said = {
            "Endpoint": target.host,
            "Port": "" if target.port is None else str(target.port),
            "Scheme": target.scheme.upper(),
            "Bucket": target.bucket,
            "Region": target.region,
            "CredentialsFile": target.credentials_file,
        }
        if path.endswith(".draft"):
            assert not found
            values = [*said.values(), target.path]
            lines = [line.partition(": ")[2] for line in text.splitlines() if re.match(r"# [a-z_]+: ", line)]
            assert sorted(lines) == sorted(filter(None, values))
        else:
            objects = {"RetrieveObjectName": "$1", "StoreObjectName": "$1"}
            said = {key: value for key, value in said.items() if value}
            assert found == said | objects | {"RemoteLocationXAttr": f"{target.name}:$1"}


def policy_fills_the_plans_pools(files: Files, plan: Plan) -> None:
    """Every pool with data is filled by a rule, and the pool of the main tier takes what no other takes."""
    pools = {_own(t).pool for t in plan.targets if _own(t).usage == "dataOnly"}
    settings: Any = plan.filesystem
    rules = policy.read(files[f"{settings.name}.policy"], frozenset(pools))
    assert {rule.pool for rule in rules} == pools
    assert rules[-1].pool == settings.data_pool


def cluster_is_the_plan(files: Files, plan: Plan) -> None:
    """Every server is a node as planned, has its licence and class; the NSDs and mmcrfs are those of the stanza file."""
    settings: Any = plan.filesystem
    planned = {s.id: _own(s) for s in plan.servers}
    known = {s.partition(".")[0].lower() for s in planned}
    others = [s for t in plan.targets for s in t.servers if s.partition(".")[0].lower() not in known]
    nodes = [line.split(":") for line in files["nodes.list"].splitlines()]
    votes, manages = {True: "quorum", False: "nonquorum"}, {True: "manager", False: "client"}
    designations = {s: f"{votes[own.quorum]}-{manages[own.manager]}" for s, own in planned.items()}
    designations |= dict.fromkeys(others, "nonquorum-client")
    clients = [client.name for client in settings.clients]
    designations |= dict.fromkeys(clients, "nonquorum-client")
    assert nodes == [[s, designation, s] for s, designation in designations.items()]
    licences = {s: own.licence for s, own in planned.items()} | dict.fromkeys(others, "server")
    licences |= dict.fromkeys(clients, "client")
    for text in (text for path, text in files.items() if path.endswith(".sh")):
        _cat, *listed, _end = rows(text, "nodes")
        assert listed == [[*node, licences[node[0]]] for node in nodes]
        assert value(text, "ADMIN") == settings.cluster.admin
    ((_n, _list, *form),) = calls(files["01-cluster.sh"], "run", "mmcrcluster")
    cluster = settings.cluster
    assert form == ["-C", cluster.name, "-r", cluster.remote_shell, "-R", cluster.remote_copy, "-A"]
    members: dict[str, list[str]] = {}
    for server, own in planned.items():
        members.setdefault(own.node_class, []).append(server)
    members |= {"clients": clients} if clients else {}
    classes = {name: listed.split(",") for name, listed in calls(files["03-node-classes.sh"], "class")}
    assert classes == members
    _cat, *given, _end = rows(files["04-settings.sh"], "settings")
    assert {where for _, where, *_ in given} <= {"all", *members, *designations}
    for script in ("06-nsds.sh", "07-filesystem.sh"):
        _cat, *nsds, _end = rows(files[script], "planned")
        assert nsds == [[t.id] for t in plan.targets]
    ((device, *words),) = calls(files["07-filesystem.sh"], "run", "mmcrfs")
    options = dict(zip(words[::2], words[1::2], strict=True))
    expected = {"-T": f"/{settings.name}", "-i": str(settings.inode_bytes), "-m": str(settings.metadata_replicas)}
    assert (device, {o: options[o] for o in expected}) == (settings.name, expected)
    assert read_size(options["-B"]) == settings.block_bytes


def hosts_know_the_plan(files: Files, plan: Plan) -> None:
    """Every server has its addresses and names, once each; time, name servers, node sets and inventory are the plan's."""
    settings: Any = plan.filesystem
    site = settings.site
    nodes = {s.id: _own(s) for s in plan.servers}
    known = {node.partition(".")[0].lower() for node in nodes}
    others = [s for t in plan.targets for s in t.servers if s.partition(".")[0].lower() not in known]
    assert files.keys() == {
        "hosts",
        "chrony.conf",
        "genders",
        "inventory.yaml",
        *(["resolv.conf"] if site.dns else []),
    }
    expected: dict[str, list[str]] = {}
    for ending, address_of in _ADDRESSES.items():
        for server in plan.servers:
            if address := address_of(server):
                first, _, own = server.id.partition(".")
                domain = own or site.domain
                expected[address] = (
                    [f"{first}{ending}.{domain}", f"{first}{ending}"] if domain else [f"{first}{ending}"]
                )
                assert ending or server.id in expected[address]
        for client in settings.clients if not ending else ():
            first, _, own = client.name.partition(".")
            domain = own or site.domain
            expected[client.address] = [f"{first}.{domain}", first] if domain else [first]
    controllers = [
        (f"{a.id}-{end}", address) for a in plan.arrays for end, address in zip("ab", a.addresses, strict=False)
    ]
    for device, address in (*controllers, *((s.id, s.address) for s in plan.switches if s.address)):
        expected[address] = [f"{device}.{site.domain}", device] if site.domain else [device]
    assert read_hosts(files["hosts"]) == expected
    assert all(f": {other}\n" in files["hosts"] for other in others)
    chrony = read_words(files["chrony.conf"], {"server": 99, "driftfile": 1, "makestep": 1, "rtcsync": 1})
    assert [line for line in chrony if line[0] == "server"] == [["server", host, "iburst"] for host in site.ntp]
    assert ["makestep", "1.0", "3"] in chrony
    if site.dns:
        search = [["search", site.domain]] if site.domain else []
        resolver = read_words(files["resolv.conf"], {"search": 1, "nameserver": 3})
        assert resolver == search + [["nameserver", address] for address in site.dns]
    _genders_are_the_plan(files["genders"], plan, others)
    _inventory_is_the_plan(files["inventory.yaml"], plan, others)


_ADDRESSES: Mapping[str, Callable[[Server], str]] = {
    "": lambda server: server.address,
    "-mgmt": lambda server: _own(server).management,
    "-bmc": lambda server: _own(server).bmc,
}


def _pair_of(server: Server) -> str:
    return server.module or {"management": "management"}.get(server.role, "")


def _pairs_beside(plan: Plan) -> dict[str, str]:
    """The servers of pairs that are no modules, each with its pair."""
    records: list[Any] = [addition.own for addition in plan.additions]
    return {s: pair.id for own in records for pair in getattr(own, "pairs", ()) for s in pair.servers}


def _genders_are_the_plan(text: str, plan: Plan, others: list[str]) -> None:
    expected, beside = {}, _pairs_beside(plan)
    for server in plan.servers:
        own, pair = _own(server), _pair_of(server) or beside.get(server.id, "")
        said = {"node": "", "role": server.role, "pair": pair, "quorum": own.quorum, "manager": own.manager}
        expected[server.id.partition(".")[0]] = {
            word: value if isinstance(value, str) else "" for word, value in said.items() if value or word == "node"
        }
    expected |= {other.partition(".")[0]: {"node": "", "role": "descriptor"} for other in others}
    settings: Any = plan.filesystem
    expected |= {c.name.partition(".")[0]: {"node": "", "role": "client"} for c in settings.clients}
    assert read_genders(text) == expected


def _inventory_is_the_plan(text: str, plan: Plan, others: list[str]) -> None:
    settings: Any = plan.filesystem
    groups = read_inventory(text)["all"]["children"]
    every = groups.pop("scale_nodes")
    expected: dict[str, Any] = {}
    sets: dict[str, dict[str, None]] = {}
    for server in plan.servers:
        own, pair = _own(server), _pair_of(server) or _pairs_beside(plan).get(server.id, "")
        names = {"scale_daemon_nodename": server.id, "scale_admin_nodename": server.id}
        votes = {"scale_cluster_quorum": own.quorum, "scale_cluster_manager": own.manager}
        admin = {"scale_admin_node": server.id == settings.cluster.admin}
        expected[server.id] = {"ansible_host": own.management or server.address} | names | votes | admin
        of = {own.node_class: True, f"pair_{pair}": pair, "quorum_nodes": own.quorum, "manager_nodes": own.manager}
        for group in (group for group, holds in of.items() if holds):
            sets.setdefault(group, {})[server.id] = None
    for other in others:
        names = {"scale_daemon_nodename": other, "scale_admin_nodename": other}
        no = dict.fromkeys(("scale_cluster_quorum", "scale_cluster_manager", "scale_admin_node"), False)
        expected[other] = {**names, **no}
    for client in settings.clients:
        names = {"scale_daemon_nodename": client.name, "scale_admin_nodename": client.name}
        no = dict.fromkeys(("scale_cluster_quorum", "scale_cluster_manager", "scale_admin_node"), False)
        expected[client.name] = ({"ansible_host": client.address} if client.address else {}) | names | no
        sets.setdefault("client_nodes", {})[client.name] = None
    assert every == {"hosts": expected, "vars": {"scale_cluster_clustername": settings.cluster.name}}
    assert groups == {group: {"hosts": hosts} for group, hosts in sets.items()}
    (made,) = read_commented(text, "scale_storage")
    disks = made.pop("disks")
    assert read_size(made.pop("blockSize")) == settings.block_bytes
    assert made == {
        "filesystem": settings.name,
        "defaultMetadataReplicas": settings.metadata_replicas,
        "maxMetadataReplicas": max(settings.metadata_replicas, 2),
        "defaultDataReplicas": 1,
        "maxDataReplicas": 2,
        "numNodes": "NODES",
        "automaticMountOption": "true",
        "defaultMountPoint": f"/{settings.name}",
    }
    assert disks == [
        {
            "device": target.device,
            "nsd": target.id,
            "servers": ",".join(target.servers),
            "failureGroup": _own(target).failure_group,
            "usage": _own(target).usage,
            "pool": _own(target).pool,
        }
        for target in plan.targets
    ]
    assert "overwriteNSDs" not in text
