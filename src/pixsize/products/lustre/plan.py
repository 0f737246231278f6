"""Lustre's own records in a plan: the settings of the file system, of each target and of each server."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pixsize.plan.records import Plan, Server, Target

KINDS = frozenset({"mgt", "mdt", "ost"})
"""The kinds of target."""


class Ldiskfs(NamedTuple):
    """A formatted target. Counts are of blocks of 4 KiB; `stride` and `stripe_width` are 0 where none was given.

    `options` is the text for `--mkfsoptions`, `flags` the disk data that `tunefs.lustre --dryrun` shows before the
    first mount.
    """

    blocks: int
    inodes: int
    inode_bytes: int
    overhead_blocks: int
    reserved_blocks: int
    journal_blocks: int
    user_bytes: int
    stride: int
    stripe_width: int
    mmp: bool
    options: str
    flags: int


class Network(NamedTuple):
    """The network of Lustre: the LNet network, such as `o2ib`, and the interface of every server on it.

    `owner` is the one file that configures it: `/etc/lnet.conf`, or options of modprobe.
    """

    lnet: str
    interface: str
    owner: Literal["lnet_conf", "modprobe"] = "lnet_conf"


class LustreFilesystem(NamedTuple):
    """The settings of a Lustre file system.

    `release` is the catalog id of the release whose sizes and words are used, `version` what was asked for.
    `mgt_own` tells whether the MGT has a volume of its own. `failover` tells whether a second server takes each target
    over. `storage_interface` and `domain` are PowerFlex's. `fence_agent` is empty where no fencing was asked for,
    `second_fence_agent` where no second level was; `sbd_devices` are those of a second level by SBD.
    """

    name: str
    version: str
    release: str
    dne: bool
    mgt_own: bool
    failover: bool
    management: Literal["iml_monitored", "none"]
    stripe_count: int
    stripe_bytes: int
    network: Network | None = None
    storage_interface: str = ""
    fence_agent: str = ""
    second_fence_agent: str = ""
    sbd_devices: tuple[str, ...] = ()


class LustreTarget(NamedTuple):
    """A target of Lustre: its index, None for an MGT, and what ldiskfs makes of its volume.

    `mgs` says that the target holds the MGS too.
    """

    index: int | None = None  # type: ignore[assignment]  # hides tuple.index, which nobody calls
    mgs: bool = False
    ldiskfs: Ldiskfs | None = None


class LustreServer(NamedTuple):
    """The addresses of a server for Lustre and its cluster; each is empty where the request gives none.

    `nids` are its LNet addresses, `bmc` the address of the controller that powers it off, `outlets` the outlets that
    feed it as ADDRESS/OUTLET, `ring` its address on the second link of the cluster.
    """

    nids: tuple[str, ...] = ()
    bmc: str = ""
    outlets: tuple[str, ...] = ()
    ring: str = ""


_NO_SERVER = LustreServer()
_NO_TARGET = LustreTarget()


def target_of(target: Target) -> LustreTarget:
    """Lustre's record of a target; an empty one where the target is another product's."""
    return target.own if isinstance(target.own, LustreTarget) else _NO_TARGET


def server_of(server: Server) -> LustreServer:
    """Lustre's record of a server; an empty one where the request gives nothing."""
    return server.own if isinstance(server.own, LustreServer) else _NO_SERVER


def mgs_target(plan: Plan) -> Target:
    """The target that holds the MGS: the MGT, or MDT0000 where the MGT has no volume of its own."""
    return next(t for t in plan.targets if target_of(t).mgs)


def lustre(plan: Plan) -> LustreFilesystem:
    """The settings of the file system; TypeError where it is another product's."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        raise TypeError(f"{plan.filesystem.name} is no Lustre file system")
    return plan.filesystem
