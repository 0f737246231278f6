"""Plans of Lustre small enough to write their files out by hand: on ME4 modules, and on PowerFlex servers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pixsize.catalog.catalog import Catalog
from pixsize.load import load_catalog
from pixsize.plan.records import Module, Plan, Pool, Server, Target, Volume
from pixsize.products.lustre.plan import Ldiskfs, LustreFilesystem, LustreServer, LustreTarget, Network, lustre
from pixsize.products.powerflex.plan import PowerFlexPool
from pixsize.products.scale.plan import Cluster, ScaleFilesystem
from tests.support.changing import replace

OLD, NEW = "lustre-2.10.8", "lustre-2.15.8"
"""Releases with Pacemaker's own agent for file systems, and with Lustre's own for targets."""

OTHER_FILESYSTEM = ScaleFilesystem(
    "mmfs1", 2**23, 4096, 2, "data", "sides", Cluster("lab", "n1", "/usr/bin/ssh", "/usr/bin/scp")
)
"""The settings of a file system of another product."""


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    """The shipped catalog."""
    return load_catalog()[0]


def me4_plan(*, release: str = OLD, combined: bool = False, pairs: int = 1) -> Plan:
    """Metadata pairs with two MDTs each, and a pair of OSS with two OSTs each; the MGT prefers the second MDS."""
    mds = [f"mds{n:02d}" for n in range(1, 2 * pairs + 1)]
    oss = ["oss01", "oss02"]
    modules = [_module(f"mm{n + 1:02d}", "metadata", mds[2 * n : 2 * n + 2]) for n in range(pairs)]
    modules.append(_module("sm01", "storage", oss))
    targets = [] if combined else [_mgt((mds[1], mds[0]), "/dev/mapper/mm01a1_mgt01")]
    for index, server in enumerate(mds):
        device = f"/dev/mapper/mm{index // 2 + 1:02d}a1_meta{index % 2 + 1:02d}"
        target = _target("mdt", index, (server, mds[index ^ 1]), device)
        targets.append(replace(target, mgs=combined and index == 0))
    for index in range(4):
        target = _target("ost", index, (oss[index % 2], oss[1 - index % 2]), f"/dev/mapper/sm01a1_data{index + 1:02d}")
        targets.append(replace(target, ldiskfs=ALIGNED))
    servers = [_server(s, m.role, m.id, rank) for rank, (m, s) in enumerate((m, s) for m in modules for s in m.servers)]
    return _plan("lustre-me4", release, modules, servers, targets)


def powerflex_plan(
    servers: int, *, osts: int = 2, release: str = OLD, observed: bool = True, failover: bool = True
) -> Plan:
    """A pair of MDS and `servers` OSS with OSTs: pairs of neighbours, the last three of an odd number in a ring."""
    mds, oss = ["mds01", "mds02"], [f"oss{n:02d}" for n in range(1, servers + 1)]
    partner = _partners(oss)
    order = [(mds[1], mds[0]), (mds[0], mds[1]), (mds[1], mds[0])]
    order += [(s, partner[s]) for s in oss for _ in range(osts)]
    if not failover:
        order = [(mds[0],), *(served[:1] for served in order[1:])]
    devices = [f"/dev/disk/by-id/emc-vol-55abc-{n:016x}" if observed else "" for n in range(len(order))]
    targets = [_mgt(order[0], devices[0])]
    targets += [_target("mdt", i, order[i + 1], devices[i + 1]) for i in range(2)]
    targets += [_target("ost", i, order[i + 3], devices[i + 3]) for i in range(osts * servers)]
    rows = [*((s, "metadata") for s in mds), *((s, "storage") for s in oss)]
    made = [_server(s, role, None, rank) for rank, (s, role) in enumerate(rows)]
    plan = _plan("lustre-powerflex", release, [], made, targets)
    pool = Pool(
        "pool1",
        "pd1",
        tuple(oss),
        PowerFlexPool((oss[0], oss[2], mds[0])),
        "nvme-2tb",
        8 * servers,
        34,
        16 * servers * 10**12,
    )
    filesystem = lustre(plan)._replace(failover=failover)
    return replace(plan, pools=(pool,), filesystem=filesystem)


def without(plan: Plan, what: str) -> Plan:
    """The plan as of a request that lacks `network` or `fencing`."""
    if what == "network":
        servers = tuple(replace(s, nids=()) for s in plan.servers)
        return replace(plan, servers=servers, filesystem=lustre(plan)._replace(network=None))
    servers = tuple(replace(s, bmc="") for s in plan.servers)
    return replace(plan, servers=servers, filesystem=lustre(plan)._replace(fence_agent=""))


def with_outlets(plan: Plan, agent: str = "fence_apc_snmp") -> Plan:
    """The plan with a second level of fencing: two outlets a server, one of each of two PDUs."""
    servers = tuple(replace(s, outlets=(f"10.31.0.1/{n}", f"10.31.0.2/{n}")) for n, s in enumerate(plan.servers, 1))
    return settings(replace(plan, servers=servers), second_fence_agent=agent)


def with_sbd(plan: Plan) -> Plan:
    """The plan with a second level of fencing by three shared disks."""
    devices = tuple(f"/dev/disk/by-id/wwn-0x600c0ff000sbd{n}" for n in (1, 2, 3))
    return settings(plan, second_fence_agent="fence_sbd", sbd_devices=devices)


def with_ring(plan: Plan) -> Plan:
    """The plan with a second link for the cluster."""
    return replace(plan, servers=tuple(replace(s, ring=f"10.40.0.{n}") for n, s in enumerate(plan.servers, 1)))


def settings(plan: Plan, **changes: object) -> Plan:
    """The plan with other settings of its file system."""
    return replace(plan, filesystem=replace(lustre(plan), **changes))


def of_scale(plan: Plan) -> Plan:
    """The plan with a file system of IBM Storage Scale."""
    return replace(plan, filesystem=OTHER_FILESYSTEM)


def _partners(servers: Sequence[str]) -> dict[str, str]:
    paired = len(servers) - (3 if len(servers) % 2 else 0)
    pairs = {servers[i]: servers[i ^ 1] for i in range(paired)}
    ring = servers[paired:]
    return pairs | {s: ring[(i + 1) % len(ring)] for i, s in enumerate(ring)}


_LDISKFS = Ldiskfs(
    blocks=2**20,
    inodes=2**16,
    inode_bytes=512,
    overhead_blocks=0,
    reserved_blocks=0,
    journal_blocks=0,
    user_bytes=2**32,
    stride=0,
    stripe_width=0,
    mmp=True,
    options="",
    flags=0x1062,
)
ALIGNED = _LDISKFS._replace(stride=32, stripe_width=256)
"""On a RAID 6 of 8+2 with chunks of 128 KiB: a full stripe of 1 MiB."""


def _module(name: str, role: str, servers: Sequence[str]) -> Module:
    return Module(name, role, "large", False, "x", tuple(servers), (f"{name}a1",), 2**17, "storage_modules[0]")  # type: ignore[arg-type]


def _server(name: str, role: str, module: str | None, rank: int) -> Server:
    return Server(
        name, role, "r740", module, own=LustreServer(nids=(f"10.10.0.{rank + 1}@o2ib",), bmc=f"10.30.0.{rank + 1}")
    )  # type: ignore[arg-type]


def _mgt(servers: tuple[str, ...], device: str) -> Target:
    return Target("MGS", "mgt", "mgt", device, servers, "metadata", own=LustreTarget(mgs=True, ldiskfs=_LDISKFS))


def _target(kind: str, index: int, servers: tuple[str, ...], device: str) -> Target:
    label = f"scratch-{kind.upper()}{index:04x}"
    purpose = "data" if kind == "ost" else "metadata"
    return Target(label, kind, label.lower(), device, servers, purpose, own=LustreTarget(index=index, ldiskfs=_LDISKFS))  # type: ignore[arg-type]


def _plan(
    design: str, release: str, modules: Sequence[Module], servers: Sequence[Server], targets: Sequence[Target]
) -> Plan:
    return Plan(
        name="example",
        design=design,
        variant="dne",
        filesystem=LustreFilesystem(
            name="scratch",
            version=release.removeprefix("lustre-"),
            release=release,
            dne=True,
            mgt_own=True,
            failover=True,
            management="none",
            stripe_count=1,
            stripe_bytes=2**20,
            network=Network("o2ib", "ib0"),
            fence_agent="fence_idrac",
        ),
        modules=tuple(modules),
        servers=tuple(servers),
        arrays=(),
        switches=(),
        disk_groups=(),
        spares=(),
        volumes=tuple(
            Volume(t.volume or "", "me4" if modules else "powerflex", "g", 2**32, "data", "a", 0) for t in targets
        ),
        targets=tuple(targets),
    )
